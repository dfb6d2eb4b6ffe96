#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the table of trade-offs of all encodings of moves (tradeoffs.py). `WRITE=--write` writes it into
# doc/reference/encodings.md.
#
# usage: tradeoffs.sh     run by `make bench BENCH=tradeoffs`
set -eu
exec python3 bench/tradeoffs.py "${BUILD:-build}" "${STAMMA:-build/stamma}" "${SHARED:-../shared}" ${WRITE:-}
