#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the sizes of an index file: bytes, and bytes per game, of each section (doc/format/index_files.md).
#
# usage: index_sizes.sh [FILE.pgn...]     run by `make bench BENCH=index_sizes`
#
# Packs and indexes the files at level 1. Without files, uses otb_train from $SHARED/corpora.
set -eu
[ $# -gt 0 ] || exec bench/on_corpora otb_train "$0"
stamma=${BUILD:-build}/stamma
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for file in "$@"; do
    "$stamma" pack -q -f -o "$work/a.stamma" "$file"
    "$stamma" index -q -f "$work/a.stamma"
    echo "$(basename "$file"), $(wc -c <"$work/a.stamma") bytes as an archive"
    reference/read_index.py --sizes "$work/a.stamma.index"
done
