#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints how many names would become equal, and how many of them wrongly, if searches compared transliterations as equal
# (doc/reference/search.md).
#
# usage: name_folds.sh [FILE.pgn...]     run by `make bench BENCH=name_folds`; without files, uses corpora in $SHARED/corpora
set -eu
[ $# -gt 0 ] || exec bench/on_corpora "twic_dev otb_dev" "$0"
python3 bench/name_folds.py "$@"
