#!/bin/bash
# SPDX-License-Identifier: MIT
# The PGN of analyses (web/study/pgn.js, merge.js, study.js), without a browser: random trees are written as PGN. python-chess
# reads the PGN as the same trees, and `stamma pack --strict` packs it. PGN that python-chess writes is read as the same
# trees.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
command -v node >/dev/null || { echo "no node"; exit 77; }
modules=$(scripts/setup --modules)
[ ! -d "${modules%/*}/python" ] || export PYTHONPATH="${modules%/*}/python${PYTHONPATH:+:$PYTHONPATH}"
python3 -c 'import chess' 2>/dev/null || { echo "no python-chess"; exit 77; }
echo '{"type": "module"}' >"$scratch/package.json"
cp -r web/. tests/page/analysis_pgn.mjs tests/page/analysis_merge.mjs "$scratch/"
games=$(realpath data/games.pgn)
oracle=$(realpath tests/page/analysis_pgn.py)
cd "$scratch" || exit 1
node analysis_pgn.mjs random >trees.json || fail "random trees" "$(tail -5 trees.json)"
python3 "$oracle" trees.json written.pgn || fail "trees that were written"
run 0 pack --strict -q written.pgn
python3 "$oracle" --games "$games" wanted.json
node analysis_pgn.mjs read "$games" >read.json || fail "games that were read"
same read.json wanted.json
node analysis_pgn.mjs edit || fail "trees that are changed"
for part in tabs cases pasted; do node analysis_merge.mjs $part || fail "$part"; done
node analysis_merge.mjs files >exported.pgn || fail "files"
run 0 pack --strict -q exported.pgn
python3 -c '
import chess.pgn
with open("exported.pgn", encoding="utf-8") as file:
    games = list(iter(lambda: chess.pgn.read_game(file), None))
assert [one.errors for one in games] == [[]] * 5 and sum(one.headers["StudyName"].replace("\\", "") == "My \"lines\"" for one in games) == 3, games' || fail "the exported file"
finish
