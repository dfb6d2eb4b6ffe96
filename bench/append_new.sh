#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures `stamma append --new` (doc/import.md): adding 1,000 sampled games to an archive of sampled games, and adding
# them again, when the archive already contains all of them. Each is measured without and with an index file of the
# archive, which is not brought up to date.
#
# usage: append_new.sh     run by `make bench BENCH=append_new`
#
# GAMES is the number of games of the archive (100000 unless set; 1300000 needs minutes to make), or names an archive,
# which is copied. Prints medians of five runs: processor seconds of all threads, seconds, and the maximum of memory.
set -eu
export LC_ALL=C
: "${BUILD:=build}" "${STAMMA:=build/stamma}" "${GAMES:=100000}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -e "$GAMES" ]; then
    cp "$GAMES" "$work/archive.stamma"
else
    "$BUILD/generators/sample_games" --games "$GAMES" | "$STAMMA" pack -q -o "$work/archive.stamma" -
fi
"$BUILD/generators/sample_games" --games 1000 --seed 77 >"$work/new.pgn"
"$STAMMA" index -q "$work/archive.stamma"
cp "$work/archive.stamma" "$work/known.stamma"
cp "$work/archive.stamma.index" "$work/known.stamma.index"
"$STAMMA" append -q "$work/known.stamma" "$work/new.pgn"

# measure NAME ARCHIVE INDEX: adds the games to a copy of the archive with this index file, and adds a line to the file
# of this name.
measure() {
    cp "$work/$2.stamma" "$work/copy.stamma"
    rm -f "$work/copy.stamma.index"
    [ -z "$3" ] || cp "$work/$3.stamma.index" "$work/copy.stamma.index"
    /usr/bin/time -f '%U %S %e %M' -o "$work/time" "$STAMMA" append --new --no-index "$work/copy.stamma" "$work/new.pgn" 2>"$work/errors"
    tail -n 1 "$work/time" | awk '{ print $1 + $2, $3, $4 / 1024 }' >>"$work/$1"
    grep -o '[0-9,]* games* appended' "$work/errors" >"$work/$1.games"
}

median() { cut -d ' ' -f "$2" "$work/$1" | sort -g | sed -n 3p; }

for _ in 1 2 3 4 5; do
    measure new archive ""
    measure known known ""
    measure new-index archive archive
    measure known-index known known
done
"$STAMMA" info --json "$work/archive.stamma" | python3 -c 'import json, sys; print("archive:", json.load(sys.stdin)["games"], "games")'
for run in new known new-index known-index; do
    printf '%-12s %-20s %6.2f processor s %6.2f s %6.0f MiB\n' $run "$(cat "$work/$run.games")" "$(median $run 1)" "$(median $run 2)" \
        "$(median $run 3)"
done
