#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma serve with files of pages: the answers of /lichess and /masters are those without pages.
set -u
[ -x "${BUILD:-build}/generators/sample_games" ] || { echo "no sample_games"; exit 77; }
reference=$PWD/reference
. tests/support/command_support.bash
"${BUILD:-build}/generators/sample_games" --games 500 >"$scratch/a.pgn"
"${BUILD:-build}/generators/sample_games" --games 200 --seed 7 >"$scratch/b.pgn"
serve_folder
for name in a b; do
    [ -e $name.pgn ] || cp "$scratch/$name.pgn" .
    run 0 pack -q $name.pgn
    run 0 index -q $name.stamma
    mkdir -p plain
    cp $name.stamma $name.stamma.index plain
    run 0 pages -q --min-games 6 $name.stamma
done
checks=$((checks + 1))
PYTHONPATH=$PYTHONPATH:$reference python3 "$tests/serve/serve_pages.py" || fail "pages"
finish
