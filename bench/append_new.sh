#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures `stamma append --new` (doc/reference/duplicates.md): adding 1,000 sampled games to an archive of sampled games, and adding
# them again, when the archive already contains all of them. Each is measured without and with an index file of the
# archive, which is not brought up to date. Then measures five appends of 3,000 sampled games each to the archive with its
# index file, and the bytes of the index file that each append writes (doc/format/index_files.md, 11.6). Last, compares 3,000 games with the
# archive, without and with its index file: dedupe --new-only (doc/reference/duplicates.md).
#
# usage: append_new.sh     run by `make bench BENCH=append_new`
#
# GAMES is the number of games of the archive (100000 unless set; 1300000 needs minutes to make), or names an archive,
# which is copied with its index file. NEW names an archive with the games to compare; sampled games unless set. INDEX=1
# measures only the appends with the index file, and the comparison. Prints medians of five runs:
# processor seconds of all threads, seconds, and the maximum of memory.
set -eu
export LC_ALL=C
: "${BUILD:=build}" "${STAMMA:=build/stamma}" "${GAMES:=100000}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -e "$GAMES" ]; then
    cp "$GAMES" "$work/archive.stamma"
    [ ! -e "$GAMES.index" ] || cp "$GAMES.index" "$work/archive.stamma.index"
else
    "$BUILD/generators/sample_games" --games "$GAMES" | "$STAMMA" pack -q -o "$work/archive.stamma" -
fi
"$BUILD/generators/sample_games" --games 1000 --seed 77 >"$work/new.pgn"
[ -e "$work/archive.stamma.index" ] || "$STAMMA" index -q "$work/archive.stamma"
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

# written OLD NEW INODE: prints the number of bytes of NEW that OLD does not have at the same place, or all if NEW has another inode.
written() {
    if [ "$(stat -c %i "$2")" = "$3" ]; then
        echo $(($(stat -c %s "$2") - $(stat -c %s "$1") + $(cmp -l "$1" "$2" 2>/dev/null | wc -l)))
    else
        stat -c %s "$2"
    fi
}

# measure_index: appends games and their index, and the same games without an index.
measure_index() {
    local number archive="$work/copy.stamma" inode
    cp "$work/archive.stamma" "$archive"
    cp "$work/archive.stamma.index" "$archive.index"
    for number in 1 2 3 4 5; do
        "$BUILD/generators/sample_games" --games 3000 --seed "9$number" >"$work/more.pgn"
        cp "$archive" "$work/plain.stamma"
        cp "$archive.index" "$work/before"
        inode=$(stat -c %i "$archive.index")
        /usr/bin/time -f '%U %S %e %M' -o "$work/time" "$STAMMA" append -q "$archive" "$work/more.pgn"
        awk '{ print $1 + $2, $3, $4 / 1024 }' "$work/time" >>"$work/index"
        written "$work/before" "$archive.index" "$inode" >>"$work/bytes"
        /usr/bin/time -f '%U %S %e %M' -o "$work/time" "$STAMMA" append -q "$work/plain.stamma" "$work/more.pgn"
        awk '{ print $1 + $2, $3, $4 / 1024 }' "$work/time" >>"$work/plain"
        echo '3,000 games' | tee "$work/index.games" >"$work/plain.games"
    done
    echo "index file: $(stat -c %s "$archive.index") bytes; written by appends of 3,000 games: $(paste -s -d ' ' "$work/bytes")"
}

# measure_dedupe: compares games with the archive.
measure_dedupe() {
    local name
    [ -n "${NEW:-}" ] || { NEW=$work/more.stamma && "$STAMMA" pack -q -o "$NEW" "$work/more.pgn"; }
    ln "$work/archive.stamma" "$work/unindexed.stamma"
    for _ in 1 2 3 4 5; do
        for name in unindexed archive; do
            /usr/bin/time -f '%U %S %e %M' -o "$work/time" "$STAMMA" dedupe -q -n --new-only "$work/$name.stamma" "$NEW" >"$work/list" || true
            tail -n 1 "$work/time" | awk '{ print $1 + $2, $3, $4 / 1024 }' >>"$work/dedupe-$name"
            echo "$(grep -c . "$work/list") duplicates" >"$work/dedupe-$name.games"
        done
    done
}

median() { cut -d ' ' -f "$2" "$work/$1" | sort -g | sed -n 3p; }

runs=""
if [ -z "${INDEX:-}" ]; then
    runs="new known new-index known-index"
    for _ in 1 2 3 4 5; do
        measure new archive ""
        measure known known ""
        measure new-index archive archive
        measure known-index known known
    done
fi
"$STAMMA" info --json "$work/archive.stamma" | python3 -c 'import json, sys; print("archive:", json.load(sys.stdin)["games"], "games")'
measure_index
measure_dedupe
for run in $runs index plain dedupe-unindexed dedupe-archive; do
    printf '%-17s %-20s %6.2f processor s %6.2f s %6.0f MiB\n' $run "$(cat "$work/$run.games")" "$(median $run 1)" "$(median $run 2)" \
        "$(median $run 3)"
done
