#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the gain of a second thread for a file of one block at level 3, whose moves are stored in lanes (clause
# 17.2).
#
# usage: archive_lanes.sh [FILE.pgn...]     run by `make bench BENCH=archive_lanes`
#
# Without files, uses chesscom_dev from $SHARED/corpora, decompressed with zstd. Prints medians of five rounds of the
# elapsed time with one thread and with two. Other work on the machine therefore affects the result.
set -eu
ROUNDS=5
: "${STAMMA:=build/stamma}"
[ $# -gt 0 ] || exec bench/on_corpora "chesscom_dev" "$0"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

time_of() {
    into=$1
    shift
    LC_ALL=C /usr/bin/env bash -c 'TIMEFORMAT="%R"; time "$@" >/dev/null 2>/dev/null' time "$@" 2>>"$into"
}

median() { sort -n "$1" | sed -n "$(((ROUNDS + 1) / 2))p"; }

for file in "$@"; do
    rm -f "$work"/pack* "$work"/unpack*
    for round in $(seq $ROUNDS); do
        for threads in 1 2; do
            time_of "$work/pack$threads" "$STAMMA" pack -q -f -3 -T $threads -o "$work/$threads.stamma" "$file"
            time_of "$work/unpack$threads" "$STAMMA" unpack -T $threads -o /dev/null "$work/$threads.stamma"
        done
        cmp "$work/1.stamma" "$work/2.stamma"
    done
    "$STAMMA" info "$work/1.stamma" | awk -v name="$(basename "$file")" '/blocks of level 3/ { print name ", blocks of level 3: " $NF }'
    for what in pack unpack; do
        awk -v what=$what -v one="$(median "$work/${what}1")" -v two="$(median "$work/${what}2")" \
            'BEGIN { printf "  %-7s one thread %6.2f s, two %6.2f s: %.2f times as fast\n", what, one, two, one / two }'
    done
done
