#!/bin/bash
# SPDX-License-Identifier: MIT
# The page's rules of chess (web/base/rules.js), without a browser: legal moves, SAN, UCI and FEN equal those of
# python-chess, also in Chess960.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
command -v node >/dev/null || { echo "no node"; exit 77; }
need_chess
echo '{"type": "module"}' >"$scratch/package.json"
cp -r web/base tests/page/page_rules.mjs "$scratch/"
games=$(realpath data/games.pgn)
python3 tests/page/page_rules.py "$games" >"$scratch/positions.json"
checks=$((checks + 1))
node "$scratch/page_rules.mjs" <"$scratch/positions.json" || fail "the rules"
finish
