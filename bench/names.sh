#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the precision and recall of the decisions of `stamma names`, with FIDE ids as truth, and its time and memory
# (doc/names.md).
#
# usage: names.sh [FILE.pgn...]     run by `make bench BENCH=names`
#
# The ids of all files are hidden from the command. Without files, uses corpora in $SHARED/corpora.
set -eu
[ $# -gt 0 ] || exec bench/on_corpora "twic_dev chesscom2_train annotated_dev otb_dev otb_train" "$0"
stamma=${BUILD:-build}/stamma
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The files with ids.
ids=
for file; do
    ! grep -q '^\[WhiteFideId "[1-9]' "$file" || ids="$ids $file"
done
command -v /usr/bin/time >/dev/null && time="/usr/bin/time -f %es,%MKiB" || time=

score() { # NAME FILE...
    name=$1
    shift
    python3 bench/names_truth.py make "$work/$name.pgn" "$work/$name.truth" "$@"
    "$stamma" pack -q -o "$work/$name.stamma" "$work/$name.pgn"
    echo "$name:"
    $time "$stamma" names -q "$work/$name.stamma" >"$work/$name.csv"
    python3 bench/names_truth.py score "$work/$name.truth" "$work/$name.csv"
}

# shellcheck disable=SC2086
score ids-hidden $ids
score ids-hidden-and-others "$@"

echo "ids visible: the decisions are applied to the files with ids"
# shellcheck disable=SC2086
cat $ids >"$work/visible.pgn"
"$stamma" pack -q -o "$work/visible.stamma" "$work/visible.pgn"
"$stamma" names -q -o "$work/visible.csv" "$work/visible.stamma"
"$stamma" names --apply "$work/visible.csv" -o "$work/after.stamma" "$work/visible.stamma"
"$stamma" unpack -q -o "$work/after.pgn" "$work/after.stamma"
# shellcheck disable=SC2086
python3 bench/names_truth.py make "$work/unused.pgn" "$work/visible.truth" $ids
python3 bench/names_truth.py score "$work/visible.truth" "$work/visible.csv"
python3 bench/names_truth.py ids "$work/visible.pgn" "$work/after.pgn"
