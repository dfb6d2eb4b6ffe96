#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the figures of README.md and the documents, and prints those that differ from doc/figures.tsv (figures.py).
# `WRITE=--write` writes them into the file and the documents. Level 3 of all corpora needs some minutes.
#
# usage: figures.sh     run by `make bench BENCH=figures`
set -eu
exec python3 bench/figures.py "${STAMMA:-build/stamma}" "${SHARED:-../shared}" ${WRITE:-}
