#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The answers of stamma serve for positions of games equal counts by python-chess in the same PGN: for the sample games,
# and for the first games of the available corpora. LONG=1: more games and positions.
set -u
case ${SANITIZE:-} in *memory*) echo "the HTTP library is not built with the memory sanitizer"; exit 77 ;; esac
. tests/support/command_support.bash
modules=$(dirname "$(scripts/setup --modules)")/python
PYTHONPATH=$PYTHONPATH:$modules
export STAMMA=$stamma
python3 -c 'import chess.pgn' 2>/dev/null || { echo "no python-chess in $modules"; exit 77; }
compare=$(realpath tests/differential/serve_chess.py)
pgn=$(realpath data/games.pgn)
shared=$(realpath -m "${SHARED:-../shared}")
games=100 positions=80
[ -z "${LONG:-}" ] || { games=400 positions=300; }
[ -z "${SANITIZE:-}" ] || { games=60 positions=60; }
cd "$scratch" || exit 1

checks=$((checks + 1))
"$compare" "$pgn" $positions || fail "$pgn"
for name in otb_dev lichess_dev chess960_dev; do
    corpus=$shared/corpora/$name.pgn.zst
    [ -e "$corpus" ] || { echo "no $corpus"; continue; }
    zstd -q -d --long=27 -c "$corpus" 2>/dev/null | awk -v most=$games '/^\[Event /{ if (++n > most) exit } { print }' >$name.pgn
    checks=$((checks + 1))
    "$compare" $name.pgn $positions || fail "$corpus"
done
finish
