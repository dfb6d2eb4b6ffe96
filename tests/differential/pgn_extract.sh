#!/bin/sh
# SPDX-License-Identifier: MIT
# SAN, long algebraic notation and FEN at every ply of sampled games equal the results of pgn-extract.
command -v pgn-extract >/dev/null || { echo "no pgn-extract"; exit 77; }
exec sh tests/differential/compare otb_dev 20 python3 tests/differential/pgn_extract.py
