#!/bin/sh
# SPDX-License-Identifier: MIT
# The legal moves, in UCI text, at every ply of sampled Chess960 games equal the moves of stockfish.
command -v stockfish >/dev/null || { echo "no stockfish"; exit 77; }
exec sh tests/differential/compare chess960_dev 3 python3 tests/differential/stockfish.py
