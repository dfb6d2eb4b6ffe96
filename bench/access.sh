#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the time to read a game by its number at each level: in a new process, with an open archive, in Python, in SQL.
#
# usage: access.sh [FILE.pgn...]     run by `make bench BENCH=access`
#
# Without files, uses otb_dev and lichess_dump_dev from $SHARED/corpora, decompressed with zstd. LEVELS are the levels.
set -eu
[ $# -gt 0 ] || exec bench/on_corpora "otb_dev lichess_dump_dev" "$0"
: "${BUILD:=build}" "${STAMMA:=build/stamma}" "${LEVELS:=1 2 3}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts/build_python "$work"
for file in "$@"; do
    for level in $LEVELS; do
        archive=$work/$(basename "$file" .pgn).$level.stamma
        "$STAMMA" pack -q -f "-$level" -o "$archive" "$file"
        "$BUILD/bench/access_bench" "$archive"
        STAMMA=$STAMMA PYTHONPATH=$work "${PYTHON:-python3}" bench/access.py "$archive"
    done
done
