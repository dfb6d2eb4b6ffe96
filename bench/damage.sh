#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Counts the games that random damage of 1 to 100 bytes costs, before and after repair (damage_bench).
#
# usage: damage.sh [FILE.pgn...]     run by `make bench BENCH=damage`
#
# Without files, uses the first GAMES=100000 games of otb_train and lichess_train from $SHARED/corpora. COUNT="1000 1000
# 1000" damages at levels 1, 2 and 3; a damage at level 3 needs about 100 times as long as at level 1.
set -eu
: "${BUILD:=build}" "${COUNT:=1000 1000 1000}" "${GAMES:=100000}" "${SHARED:=../shared}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -eq 0 ]; then
    for name in otb_train lichess_train; do
        corpus=$SHARED/corpora/$name.pgn.zst
        [ -e "$corpus" ] || { echo "damage: no corpora in $SHARED; name files"; exit 0; }
        zstd -q -d --long=27 -c "$corpus" | awk -v n="$GAMES" '/^\[Event / && ++k > n { exit } { print }' >"$work/$name.pgn" ||
            true
        set -- "$@" "$work/$name.pgn"
    done
fi
for file in "$@"; do
    echo "$(basename "$file")"
    level=1
    for count in $COUNT; do
        [ "$count" = 0 ] || "$BUILD/bench/damage_bench" "$file" "$level" "$count"
        level=$((level + 1))
    done
done
