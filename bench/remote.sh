#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Counts the pages of an archive and its index file that trees need if nothing is cached (remote_bench).
#
# usage: remote.sh [ARCHIVE...]     run by `make bench BENCH=remote`
#
# Without archives, packs GAMES games of generators/sample_games (1300000). TREES is the number of games for whose first
# 20 plies trees are requested (200).
set -eu
export LC_ALL=C
: "${BUILD:=build}" "${STAMMA:=build/stamma}" "${GAMES:=1300000}" "${TREES:=200}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -eq 0 ]; then
    "$BUILD/generators/sample_games" --games "$GAMES" | "$STAMMA" pack -q -o "$work/sampled.stamma" -
    set -- "$work/sampled.stamma"
fi
for archive in "$@"; do
    [ -f "$archive.index" ] || "$STAMMA" index -q "$archive"
    "$BUILD/bench/remote_bench" "$archive" "$archive.index" "$TREES"
done
