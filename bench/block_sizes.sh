#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares block sizes: the size of an archive and the time to read one game from it.
#
# usage: block_sizes.sh [FILE.pgn...]     run by `make bench BENCH=block_sizes`
#
# Builds the library and the command once for each limit of a block's text (3.4; BLOCK_TEXT_MAX), packs the files with
# each, and prints the bytes of the archive and of its moves, and the processor time (user and system) of `stamma cat
# ARCHIVE N`, the median over 21 games spread over the archive. Without files, uses otb_dev and lichess_dev from
# $SHARED/corpora. LEVEL is the level (1), SHIFTS are the logarithms of the limits (18 to 25).
set -eu
: "${LEVEL:=1}" "${SHIFTS:=18 19 20 21 22 23 24 25}"
[ $# -gt 0 ] || exec bench/on_corpora "otb_dev lichess_dev" "$0"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp -r Makefile bindings include scripts src stamma.pc.in tools web "$work"
for shift_of in $SHIFTS; do
    sed -i "s/BLOCK_TEXT_MAX = 1 << [0-9]*/BLOCK_TEXT_MAX = 1 << $shift_of/" "$work/src/container/container.h"
    grep -q "BLOCK_TEXT_MAX = 1 << $shift_of" "$work/src/container/container.h"
    make -s -C "$work" BUILD=build build/stamma
    cp "$work/build/stamma" "$work/stamma-$shift_of"
done

for file in "$@"; do
    echo "$(basename "$file"), $(wc -c <"$file") bytes: text in a block, bytes of the archive, of moves, to reach a game"
    for shift_of in $SHIFTS; do
        stamma=$work/stamma-$shift_of
        "$stamma" pack -q -f -"$LEVEL" -T 1 -o "$work/out.stamma" "$file"
        "$stamma" info --json "$work/out.stamma" >"$work/info"
        games=$(sed 's/.*"games":\([0-9]*\).*/\1/' "$work/info")
        moves=$(sed 's/.*"moves_bytes":\([0-9]*\).*/\1/' "$work/info")
        for i in $(seq 21); do
            LC_ALL=C /usr/bin/env bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null' time \
                "$stamma" cat "$work/out.stamma" "$((games * i / 21))" 2>&1 | awk '{ print ($1 + $2) * 1000 }'
        done | sort -n | sed -n 11p >"$work/time"
        printf '  %6d KiB  %12d  %12d  %5d ms\n' "$((1 << (shift_of - 10)))" "$(wc -c <"$work/out.stamma")" "$moves" "$(cat "$work/time")"
    done
done
