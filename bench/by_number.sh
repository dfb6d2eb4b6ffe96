#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures reading every game of an archive by its number, in C and in Python, compared with reading all games in order.
#
# usage: by_number.sh [FILE...]     archives or PGN, which is packed at level 1; run by `make bench BENCH=by_number`
#
# Without files, uses otb_train from $SHARED/corpora, decompressed with zstd.
set -eu
[ $# -gt 0 ] || exec bench/on_corpora "otb_train" "$0"
: "${BUILD:=build}" "${STAMMA:=build/stamma}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts/build_python "$work"
for file in "$@"; do
    archive=$file
    case $file in
    *.stamma) ;;
    *) archive=$work/$(basename "$file" .pgn).stamma; "$STAMMA" pack -q -f -o "$archive" "$file" ;;
    esac
    "$BUILD/bench/by_number_bench" "$archive"
    PYTHONPATH=$work "${PYTHON:-python3}" bench/by_number.py "$archive"
done
