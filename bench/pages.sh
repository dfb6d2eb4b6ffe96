#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures files of pages: bytes per game, seconds and memory to write them, the parts and bytes that questions read, and a
# comparison with the archive's answers (pages_bench).
#
# usage: pages.sh [FILE...]     archives, with or without an index file next to them, or PGN; run by `make bench BENCH=pages`
#
# Without files, uses otb_train (325,184 games) from $SHARED/corpora. OPTIONS are passed to `stamma pages`, such as
# "--min-games 50 --plies 30".
set -eu
export LC_ALL=C
: "${BUILD:=build}" "${STAMMA:=build/stamma}" "${OPTIONS:=}"
[ $# -gt 0 ] || exec bench/on_corpora otb_train "$0"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for file in "$@"; do
    archive=$work/$(basename "$file" .pgn).stamma
    case $file in
    *.stamma)
        archive=$work/$(basename "$file")
        ln -s "$(realpath "$file")" "$archive"
        [ ! -e "$file.index" ] || ln -s "$(realpath "$file.index")" "$archive.index" ;;
    *) "$STAMMA" pack -q -o "$archive" "$file" ;;
    esac
    [ -e "$archive.index" ] || "$STAMMA" index -q "$archive"
    "$STAMMA" pages -q -f $OPTIONS "$archive" 2>"$work/errors" &
    peak=0
    while [ -e "/proc/$!/status" ]; do # anonymous memory, without the mapped archive and index
        now=$(sed -n 's/^RssAnon:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$!/status" 2>/dev/null || true)
        ticks=$(awk '{ print $14 + $15 }' "/proc/$!/stat" 2>/dev/null || true)
        [ "${now:-0}" -le "$peak" ] || peak=$now
        [ -z "$ticks" ] || echo "$ticks" >"$work/ticks"
        [ -n "$now" ] || break # the process has ended
        sleep 0.05
    done
    wait $!
    games=$("$STAMMA" info --json "$archive" | sed -n 's/.*"games": *\([0-9]*\).*/\1/p' | head -n 1)
    awk -v games="$games" -v size="$(stat -c %s "$archive.pages")" -v peak="$peak" -v name="$(basename "$file")" -v ticks="$(getconf CLK_TCK)" \
        '{ some = games + (games == 0)
           seconds = $1 / ticks
           printf "== %s: %d games, %d bytes, %.1f per game; %.1f processor seconds, %.1f microseconds per game; %d MB\n",
                  name, games, size, size / some, seconds, 1e6 * seconds / some, peak / 1024 }' "$work/ticks"
    "$BUILD/bench/pages_bench" "$archive" "$archive.pages" "$archive.index"
    rm -f "$archive" "$archive.index" "$archive.pages"
done
