#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures `stamma report` (doc/reference/reports.md) and `stamma event` (doc/reference/events.md): processor seconds, of one thread, and the
# maximum of memory.
#
# usage: report.sh FILE.pgn...     run by `make bench BENCH=report`
#
# Without files, uses otb_train from $SHARED/corpora. The player is the one with the most games. Prints medians of five
# runs, at level 1 without and with an index, and for comparison the medians of `find --count` and of `stats` with the
# same condition. Other programs that report on a player have no command line.
set -eu
export LC_ALL=C
: "${STAMMA:=build/stamma}"
[ $# -gt 0 ] || exec bench/on_corpora "otb_train" "$0"
[ -x /usr/bin/time ] || { echo "there is no /usr/bin/time"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ROUNDS=5
cat "$@" | "$STAMMA" pack -q -o "$work/games.stamma" -
player=$("$STAMMA" stats "$work/games.stamma" --limit 1 --format tsv | awk -F'\t' '$1 == "player" { print $2; exit }')
echo "$player: $("$STAMMA" find "$work/games.stamma" --player "$player" --count) of $("$STAMMA" info --json "$work/games.stamma" |
    grep -o '"games":[0-9]*' | head -n 1 | cut -d: -f2) games"

# measure NAME ARGUMENT...: prints a row with the time and the memory of a command.
measure() {
    local name=$1 round
    shift
    : >"$work/times"
    for ((round = 0; round < ROUNDS; round++)); do
        /usr/bin/time -f '%U %S %M' -o "$work/time" "$STAMMA" "$@" >/dev/null 2>&1
        tail -n 1 "$work/time" | awk '{ print $1 + $2, $3 / 1024 }' >>"$work/times"
    done
    sort -n "$work/times" | sed -n "$(((ROUNDS + 1) / 2))p" | awk -v n="$name" '{ printf "  %-40s %7.2f s %6.0f MiB\n", n, $1, $2 }'
}

for state in "without an index" "with an index"; do
    echo "$state"
    measure "find --count" find "$work/games.stamma" --player "$player" --count -T 1
    measure "stats" stats "$work/games.stamma" --player "$player" -T 1
    measure "report --no-novelties" report "$player" "$work/games.stamma" --no-novelties -q -T 1 -o -
    measure "report" report "$player" "$work/games.stamma" -q -T 1 -o -
    measure "report --opening 'e4 c5'" report "$work/games.stamma" --opening "e4 c5" -q -T 1 -o -
    measure "report --opening Najdorf" report "$work/games.stamma" --opening Najdorf -q -T 1 -o -
    measure "event" event "$work/games.stamma" -q -T 1
    measure "event --all --json" event "$work/games.stamma" -q -T 1 --all --json
    "$STAMMA" index -q "$work/games.stamma"
done
