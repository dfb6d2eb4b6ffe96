#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures how fast archives are packed (with and without the round-trip check, `--no-check`), unpacked and printed as
# data on one core, compared with pgn-extract on the same file in the same rounds.
#
# usage: archive_speed.sh [FILE.pgn...]     run by `make bench BENCH=archive_speed`
#
# Without files, uses the corpora named in $CORPORA (default: otb_dev and lichess_dev) from $SHARED/corpora,
# decompressed with zstd. $LEVELS contains the levels (default: 3, 2 and 1). For games of engines, use
# `CORPORA="engine_dev engine2_dev" LEVELS=1 make bench BENCH=archive_speed`. Prints medians of five rounds of processor
# time (user and system), and how many times faster this is than `pgn-extract -s -o /dev/null`; for `cat --format`, the
# ratio to the time of unpacking.
set -eu
: "${ROUNDS:=5}" "${STAMMA:=build/stamma}" "${CORPORA:=otb_dev lichess_dev}" "${LEVELS:=3 2 1}"
[ $# -gt 0 ] || exec bench/on_corpora "$CORPORA" "$0"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v pgn-extract >/dev/null || echo "archive_speed: pgn-extract is not installed, and nothing compared with it"

# Appends a command's processor time in seconds to a file.
time_of() {
    into=$1
    shift
    LC_ALL=C /usr/bin/env bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>/dev/null' time "$@" 2>"$work/time"
    awk '{ print $1 + $2 }' "$work/time" >>"$into"
}

median() { sort -n "$1" | sed -n "$(((ROUNDS + 1) / 2))p"; }

for file in "$@"; do
    rm -f "$work"/unproved* "$work"/pack* "$work"/unpack* "$work"/peer "$work"/cat-*
    for round in $(seq $ROUNDS); do
        if command -v pgn-extract >/dev/null; then
            time_of "$work/peer" pgn-extract -s -o /dev/null "$file"
        else
            echo 0 >>"$work/peer"
        fi
        for level in $LEVELS; do
            time_of "$work/unproved$level" "$STAMMA" pack -q -f -T 1 --no-check --level $level -o "$work/out.stamma" "$file"
            time_of "$work/pack$level" "$STAMMA" pack -q -f -T 1 --level $level -o "$work/out.stamma" "$file"
            time_of "$work/unpack$level" "$STAMMA" unpack -T 1 -o /dev/null "$work/out.stamma"
        done
        for format in json plies csv; do
            time_of "$work/cat-$format" "$STAMMA" cat --format $format "$work/out.stamma"
        done
    done
    plies=$("$STAMMA" info --json "$work/out.stamma" | sed 's/.*"plies":\([0-9]*\).*/\1/')
    size=$(wc -c <"$file")
    peer=$(median "$work/peer")
    echo "$(basename "$file"), $size bytes, pgn-extract $peer s"
    for what in $(for level in $LEVELS; do echo "unproved$level pack$level unpack$level"; done); do
        awk -v what="${what%?}, level ${what#"${what%?}"}" -v t="$(median "$work/$what")" -v peer="$peer" -v size="$size" -v plies="$plies" \
            'BEGIN { printf "  %-17s %6.3f s  %6.1f MB/s  %5.2f M plies/s", what, t, size / t / 1e6, plies / t / 1e6
                     if (peer > 0) printf "  %5.2f times pgn-extract", peer / t
                     print "" }'
    done
    for format in json plies csv; do
        awk -v what=$format -v t="$(median "$work/cat-$format")" -v unpack="$(median "$work/unpack${LEVELS##* }")" -v size="$size" \
            'BEGIN { printf "  %-17s %6.3f s  %6.1f MB/s  %5.2f times unpack\n", what, t, size / t / 1e6, t / unpack }'
    done
done
