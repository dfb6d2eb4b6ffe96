#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures index files: how fast they are written, their sizes, and searches with them.
#
# usage: index.sh [FILE...]     archives or PGN; run by `make bench BENCH=index`
#
# Without files, uses lichess_dump_dev (40,000 games) and otb_train (325,184 games) from $SHARED/corpora. GAMES="1300000
# 10000000" adds archives of that number of sampled games (generators/sample_games), which need minutes to an hour.
# FILTER is the query of the filtered trees.
#
# Prints for each file the processor seconds to pack it with one thread (PGN only) and to write its index with one thread
# and with two, the sizes, milliseconds for each kind of question (index_bench), and those of questions of new processes
# (index_questions.py).
set -eu
export LC_ALL=C
: "${BUILD:=build}" "${STAMMA:=build/stamma}" "${GAMES:=}"
[ -n "${FILTER:-}" ] || FILTER='{"rating": "1800..", "date": "2005..2015"}'
[ $# -gt 0 ] || exec bench/on_corpora "lichess_dump_dev otb_train" "$0"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'

# seconds COMMAND...: prints the processor seconds of a command.
seconds() {
    { time "$@" >"$work/out" 2>"$work/errors"; } 2>&1 | awk '{ printf "%.2f", $1 + $2 }'
}

measure() {
    local archive=$work/$(basename "$1" .pgn).stamma packing=- games
    case $1 in
    *.stamma) ln -s "$(realpath "$1")" "$archive" ;;
    *) packing=$(seconds "$STAMMA" pack -q -T 1 -o "$archive" "$1") ;;
    esac
    local one two
    one=$(seconds "$STAMMA" index -q -f -T 1 "$archive")
    two=$(seconds "$STAMMA" index -q -f -T 2 "$archive")
    games=$("$STAMMA" info --json "$archive" | sed -n 's/.*"games": *\([0-9]*\).*/\1/p' | head -n 1)
    printf '== %s: %s games\n' "$(basename "$1")" "$games"
    printf 'processor seconds: pack %s, index %s, with two threads %s\n' "$packing" "$one" "$two"
    printf 'bytes: archive %s, index %s, a game %s\n' "$(stat -Lc %s "$archive")" "$(stat -c %s "$archive.index")" \
        "$(awk -v size="$(stat -c %s "$archive.index")" -v games="$games" 'BEGIN { printf "%.1f", size / games }')"
    "$BUILD/bench/index_bench" "$archive" "$archive.index" "$FILTER"
    STAMMA=$STAMMA "${PYTHON:-python3}" bench/index_questions.py "$archive"
    rm -f "$archive" "$archive.index"
}

for file in "$@"; do
    measure "$file"
done
for games in $GAMES; do
    "$BUILD/generators/sample_games" --games "$games" | "$STAMMA" pack -q -o "$work/sampled_$games.stamma" -
    mv "$work/sampled_$games.stamma" "$work/sample.stamma"
    measure "$work/sample.stamma"
    rm -f "$work/sample.stamma"
done
