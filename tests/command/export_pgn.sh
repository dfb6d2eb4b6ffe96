#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma export --clean-pgn: other programs read the same games as from the original PGN, without the parts that were omitted.
set -u
. tests/support/command_support.bash
exported_archives

# ---- the text ----
run 0 export sample.stamma --clean-pgn -o sample.pgn
says "sample.pgn: 5 games"
says "1 game with text that is not legal chess"
equal "$(sed -n '1,10p' sample.pgn)" "$(sample | sed -n '1,10p')"
equal "$(sed -n '/Study/,/60. a8/p' sample.pgn)" '[Event "Study"]
[Site "?"]
[Date "2024.01.03"]
[Round "-"]
[White "White"]
[Black "Black"]
[Result "*"]
[SetUp "1"]
[FEN "8/P6k/8/8/8/8/7K/8 w - - 0 60"]

60. a8=N Kg6 61. Nb6 *'
equal "$(grep -c Annotator sample.pgn)" 1            # a repeated tag is written once
equal "$(tail -2 sample.pgn)" '1. e4 e5 2. Nf3 Nc6 *' # up to the illegal move
run 0 export -q sample.stamma --white "Müller" --tags Black,White,None -o - --format pgn
equal "$(tail -3 out)" '
1. d4 d5 {solid} (1... Nf6 2. c4) 2. c4 $1 0-1'
equal "$(head -2 out | tr -d '\374')" '[Black "Bob"]
[White "Mller"]'
run 0 export -q sample.stamma --white "Müller" --clean-pgn --strip comments,variations,nags -o -
equal "$(tail -2 out)" '1. d4 d5 2. c4 0-1'
run 0 export -q sample.stamma --event "Nine*" --clean-pgn --tags White -o - # what the moves need is kept
equal "$(head -4 out)" '[White "Ann"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "rkr5/ppp5/8/8/8/8/PPP5/RKR5 w CAca - 0 9"]'
cat >rough.pgn <<'PGN'
{no tags}
1.e2-e4 e7e5 2. g1f3,Nb8c6 3 Bb5 {[%clk 0:10:00] fine [%eval 0.2]} a6?! *

PGN
printf '[Event "open"]\n\n1. d4 {[%%clk 0:10:00]} d5 {it ends here' >>rough.pgn
"$stamma" pack -q -f -o rough.stamma rough.pgn
run 0 export -q rough.stamma --clean-pgn --strip clocks -o -
equal "$(sed -n '1,9p' out)" '[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]

{no tags} 1. e4 e5 2. Nf3 Nc6 3. Bb5 {fine [%eval 0.2]} 3... a6 $6 *'
equal "$(tail -2 out)" '1. d4 {[%clk 0:10:00]} 1... d5 {it ends here} *'
run 1 find games.stamma --white nobody
run 0 export -q games.stamma --white nobody -o none.pgn # no games
equal "$(wc -c <none.pgn)" 0

# ---- errors ----
for wrong in "--columns white" "--table plies" "--csv-raw" "--sample 3" "--format csv"; do
    # shellcheck disable=SC2086
    run 2 export games.stamma --clean-pgn -o x.pgn $wrong
    says "cannot be used with PGN"
done
run 2 export games.stamma -o x.csv --tags White
says "require --clean-pgn"
run 2 export games.stamma -o x.pgn --strip moves
says 'strip: "moves" is unknown; use comments, variations, clocks, evaluations, nags'
run 2 export games.stamma none.stamma -o x.pgn
says "none.stamma"
run 2 export games.stamma -o x.pgn --date 2010..x
absent x.pgn x.csv
run 2 export games.stamma -q -o sample.pgn
says "sample.pgn"
if [ -w /dev/full ]; then
    run 2 export -q games.stamma --clean-pgn -o /dev/full
    says "/dev/full"
fi
python3 - <<'PYTHON'
bytes = bytearray(open("games.stamma", "rb").read())
bytes[len(bytes) // 2] ^= 1
open("damaged.stamma", "wb").write(bytes)
PYTHON
run 2 export -q damaged.stamma -o damaged.pgn
says "damaged.stamma"
absent damaged.pgn
nothing_left .

# ---- other programs ----
corpus=$root/${SHARED:-../shared}/corpora
for name in annotated_dev chess960_dev; do
    [ ! -e "$corpus/$name.pgn.zst" ] || zstd -dqc --long=27 "$corpus/$name.pgn.zst" | head -c 400000 >"$name.pgn"
done
cp "$root/data/games.pgn" games.pgn
for file in games annotated_dev chess960_dev; do
    [ -e "$file.pgn" ] || continue
    "$stamma" pack -q -f -o "$file.stamma" "$file.pgn"
    run 0 export -q "$file.stamma" --clean-pgn -o "$file.clean.pgn"
    run 0 export -q "$file.stamma" --clean-pgn --strip comments,variations,nags -o "$file.moves.pgn"
    equal "$(grep -v '[[{;]' "$file.moves.pgn" | awk 'length > 79' | wc -l)" 0
    if python3 -c 'import chess.pgn' 2>/dev/null; then
        for second in clean moves; do
            checks=$((checks + 1))
            without=nags # python-chess reads no glyphs such as =
            [ $second = clean ] || without="comments variations nags"
            # shellcheck disable=SC2086
            python3 "$root/tests/command/export_pgn.py" "$file.pgn" "$file.$second.pgn" $without >compared 2>errors ||
                fail "$file.$second.pgn: python-chess reads other games" "$(tail -3 errors)"
        done
    fi
    if [ "$file" = games ] && command -v pgn-extract >/dev/null; then
        pgn-extract -s -w100000 -C -V -N -o expected.pgn games.pgn
        pgn-extract -s -w100000 -o got.pgn games.moves.pgn
        same expected.pgn got.pgn
    fi
done
finish
