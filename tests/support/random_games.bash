# SPDX-License-Identifier: MIT
# Shell functions for tests that make random games in Python, and compare the command's output with the parts that the
# games were made from. A test sources this file after command_support.bash, and sets `maker` to its program.
PYTHONPATH=$PYTHONPATH:$(dirname "$(scripts/setup --modules)")/python
python3 -c 'import chess.pgn' 2>/dev/null || { echo "no python-chess"; exit 77; }
root=$PWD

# make_games ARGUMENT...: runs the program.
make_games() {
    checks=$((checks + 1))
    (cd "$root" && python3 "$maker" "$@") 2>errors || fail "$maker $*" "$(tail -3 errors)"
}

# compare_level LEVEL: packs games.pgn, and compares the unpacked text and the output of `cat` and `export` with the
# file `wanted`.
compare_level() {
    run 0 pack -q -f --level "$1" -o games.stamma games.pgn
    run 0 unpack games.stamma
    same out games.pgn
    run 0 cat --format json games.stamma
    make_games json "$scratch/wanted" "$scratch/out"
    run 0 export -q -f --clean-pgn -o export.pgn games.stamma
    make_games pgn "$scratch/wanted" "$scratch/export.pgn"
}

# decodes_slowly: games.stamma is decoded to games.pgn by the independent decoder.
decodes_slowly() {
    python3 "$root/reference/decode_archive.py" games.stamma >slow
    same slow games.pgn
}
