#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Counts the reads that an archive needs through callbacks (reads_bench): with its tables of blocks, and without.
#
# usage: reads.sh [ARCHIVE...]     run by `make bench BENCH=reads`
#
# Without archives, packs games of generators/sample_games: GAMES="40000 1300000" (default: 40000 325000).
set -eu
export LC_ALL=C
: "${BUILD:=build}" "${STAMMA:=build/stamma}" "${GAMES:=40000 325000}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -eq 0 ]; then
    for games in $GAMES; do
        "$BUILD/generators/sample_games" --games "$games" | "$STAMMA" pack -q -o "$work/$games.stamma" -
        set -- "$@" "$work/$games.stamma"
    done
fi
for archive in "$@"; do
    "$BUILD/bench/reads_bench" "$archive"
done
