#!/bin/sh
# SPDX-License-Identifier: MIT
# FEN, SAN and legal moves at every ply of sampled games equal the results of chess.js.
command -v node >/dev/null || { echo "no node"; exit 77; }
MODULES=$(scripts/setup --modules)
export MODULES
[ -d "$MODULES/chess.js" ] || { echo "no chess.js in $MODULES"; exit 77; }
exec sh tests/differential/compare otb_dev 150 node tests/differential/chess_js.mjs
