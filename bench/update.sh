#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures `stamma update` (doc/reference/updates.md).
# - Forty overlapping weekly files, of which each shares a third of its games with the week before: the archive of forty
#   runs unpacks to the same bytes as the archive of one run; also with --dedupe.
# - 3,000 sampled games are added to an archive of sampled games with its index file, and the same command runs again.
#
# usage: update.sh     run by `make bench BENCH=update`
#
# GAMES is the number of games of the archive (100000 unless set; 1300000 needs minutes to make), or names an archive,
# which is copied with its index file. WEEKS names the PGN file for the weekly files, plain or compressed with zstd;
# unless set, sampled games are used. Prints medians of five runs: processor seconds of all threads, seconds, and the
# maximum of memory.
set -eu
export LC_ALL=C
: "${BUILD:=build}" "${STAMMA:=build/stamma}" "${GAMES:=100000}" "${WEEKS:=}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ---- forty weeks ----
case $WEEKS in
'') "$BUILD/generators/sample_games" --games 4000 --seed 5 >"$work/all.pgn" ;;
*.zst) zstdcat "$WEEKS" >"$work/all.pgn" ;;
*) cp "$WEEKS" "$work/all.pgn" ;;
esac
python3 - "$work" <<'PYTHON'
import os, re, sys
work = sys.argv[1]
text = open(work + "/all.pgn", "rb").read()
starts = [m.start() for m in re.finditer(rb"^\[Event ", text, flags=re.M)] + [len(text)]
games = len(starts) - 1
os.mkdir(work + "/weeks")
for week in range(40):
    first, last = games * week // 40, games * (week + 1) // 40
    first = max(0, first - (last - first) // 2)
    with open(work + "/weeks/week%d.pgn" % (week + 1), "wb") as file:
        file.write(text[starts[first]:starts[last]])
PYTHON
for dedupe in "" --dedupe; do
    rm -f "$work"/weekly.stamma* "$work"/once.stamma*
    for week in {1..40}; do
        "$STAMMA" update -q "$work/weekly.stamma" $dedupe --from "$work/weeks/week$week.pgn"
    done
    "$STAMMA" update -q "$work/once.stamma" $dedupe --from "$work/weeks"
    "$STAMMA" unpack "$work/weekly.stamma" | sha256sum >"$work/weekly.sum"
    "$STAMMA" unpack "$work/once.stamma" | sha256sum >"$work/once.sum"
    games=$("$STAMMA" info --json "$work/once.stamma" | python3 -c 'import json, sys; print(json.load(sys.stdin)["games"])')
    cmp -s "$work/weekly.sum" "$work/once.sum" && same="the same bytes" || same="OTHER BYTES"
    echo "forty weekly files${dedupe:+ with $dedupe}, one after another and at once: $games games, $same"
done

# ---- a large archive ----
if [ -e "$GAMES" ]; then
    cp "$GAMES" "$work/archive.stamma"
    [ ! -e "$GAMES.index" ] || cp "$GAMES.index" "$work/archive.stamma.index"
else
    "$BUILD/generators/sample_games" --games "$GAMES" | "$STAMMA" pack -q -o "$work/archive.stamma" -
fi
[ -e "$work/archive.stamma.index" ] || "$STAMMA" index -q "$work/archive.stamma"
"$BUILD/generators/sample_games" --games 3000 --seed 91 >"$work/new.pgn"
printf 'from,to\n"Nobody, N","Somebody, S"\n' >"$work/copy.stamma.names"
for _ in 1 2 3 4 5; do
    cp "$work/archive.stamma" "$work/copy.stamma"
    cp "$work/archive.stamma.index" "$work/copy.stamma.index"
    rm -f "$work/copy.stamma.manifest"
    for run in new known undo dedupe undo; do
        command=(update "$work/copy.stamma" --from "$work/new.pgn")
        [ $run != dedupe ] || command+=(--dedupe)
        [ $run != undo ] || command=(undo "$work/copy.stamma")
        /usr/bin/time -f '%U %S %e %M' -o "$work/time" "$STAMMA" "${command[@]}" -q
        awk '{ print $1 + $2, $3, $4 / 1024 }' "$work/time" >>"$work/$run"
    done
    cmp -s "$work/archive.stamma" "$work/copy.stamma" || { echo "undo: OTHER BYTES"; exit 1; }
done

median() { cut -d ' ' -f "$2" "$work/$1" | sort -g | sed -n 3p; }

"$STAMMA" info --json "$work/archive.stamma" | python3 -c 'import json, sys; print("archive:", json.load(sys.stdin)["games"], "games")'
while read -r run what; do
    printf '%-36s %6.2f processor s %6.2f s %6.0f MiB\n' "$what" "$(median $run 1)" "$(median $run 2)" "$(median $run 3)"
done <<'RUNS'
new update with 3,000 new games
dedupe the same with --dedupe
known the same command again
undo undo
RUNS
