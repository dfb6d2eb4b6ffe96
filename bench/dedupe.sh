#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compares `stamma dedupe` with Scid's twin finder and pgn-extract -D (doc/reference/duplicates.md).
#
# usage: dedupe.sh [FILE.pgn...]     run by `make bench BENCH=dedupe`
#
# Without files, uses otb_dev, otb_train and twic_dev from $SHARED/corpora. Prints
#   1. how many constructed duplicates each program finds: the first file supplies the games that bench/dedupe_pairs.py
#      changes; and how many duplicates, made in the same way from each other file with another seed, `stamma dedupe`
#      finds;
#   2. what each program finds in all files together, processor seconds and the maximum of memory; and how many games
#      with the same moves, or written again with corrections, `stamma dedupe` finds; and the verdicts of a person about
#      its doubtful pairs;
#   3. with GAMES=1300000, the same of this number of sampled games (generators/sample_games), once and twice, with less and
#      less memory. GAMES may also name an archive.
# Programs that are not installed are omitted. Times are measured once.
set -eu
export LC_ALL=C
: "${BUILD:=build}" "${STAMMA:=build/stamma}" "${GAMES:=}"
[ $# -gt 0 ] || exec bench/on_corpora "otb_dev otb_train twic_dev" "$0"
PYTHONPATH=${XDG_CACHE_HOME:-$HOME/.cache}/stamma/python
export PYTHONPATH
PATH=$PATH:/usr/games # Debian's folder of pgn-extract and Scid
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pairs() { python3 bench/dedupe_pairs.py "$@"; }

# measure NAME COMMAND...: runs a command, whose output goes to $work/out, and prints a row with its time and memory.
measure() {
    local name=$1
    shift
    if [ -x /usr/bin/time ]; then
        /usr/bin/time -f '%U %S %M' -o "$work/time" "$@" >"$work/out" 2>"$work/errors" || true
    else
        "$@" >"$work/out" 2>"$work/errors" || true
        echo "nan nan nan" >"$work/time"
    fi
    tail -n 1 "$work/time" | awk -v n="$name" '{ printf "  %-34s %8.1f s %8.0f MiB\n", n, $1 + $2, $3 / 1024 }'
}

# Scid marks twins. The first set has the defaults of Scid's dialogue; the other sets compare less.
all_no="-players No -colors No -event No -site No -round No -year No -month No -day No -result No -eco No -moves Yes
    -skipshort No -setfilter No -usefilter No -comments Yes -variations Yes -delete Shorter"
scid_dialogue="$all_no -site Yes -round Yes -year Yes -month Yes -skipshort Yes -setfilter Yes"
scid_year="$all_no -year Yes"
scid_names="$all_no"
has_scid() { command -v tkscid >/dev/null; }
cat >"$work/twins.tcl" <<'TCL'
set base [sc_base open [lindex $argv 0]]
sc_base duplicates $base {*}[lrange $argv 1 end]
for {set n 1} {$n <= [sc_base numGames $base]} {incr n} {
    if {[sc_base gameflag $base $n get del]} { puts $n }
}
sc_base close $base
exit 0
TCL
cat >"$work/import.tcl" <<'TCL'
set base [sc_base create [lindex $argv 0]]
foreach file [lrange $argv 1 end] { sc_base import $base $file }
sc_base close $base
exit 0
TCL

# ---- constructed duplicates ----

pairs make "$1" 3600 "$work/pairs.pgn" "$work/truth"
"$STAMMA" pack -q -o "$work/pairs.stamma" "$work/pairs.pgn"
echo "stamma dedupe"
"$STAMMA" dedupe --dry-run "$work/pairs.stamma" | pairs score "$work/truth"
if command -v pgn-extract >/dev/null; then
    echo "pgn-extract -D"
    pgn-extract -s -D -o "$work/kept.pgn" "$work/pairs.pgn" 2>/dev/null
    pairs score-kept "$work/truth" "$work/kept.pgn"
fi
if has_scid; then
    tkscid "$work/import.tcl" "$work/pairs" "$work/pairs.pgn"
    for set in dialogue year names; do
        echo "Scid, $set"
        options=scid_$set
        # shellcheck disable=SC2086
        tkscid "$work/twins.tcl" "$work/pairs" ${!options} | pairs score-removed "$work/truth"
        rm -f "$work"/pairs.s[gin]4
        tkscid "$work/import.tcl" "$work/pairs" "$work/pairs.pgn"
    done
fi

for file in "${@:2}"; do
    pairs make "$file" 3600 "$work/held.pgn" "$work/held" 2026
    "$STAMMA" pack -q -f -o "$work/held.stamma" "$work/held.pgn"
    echo "stamma dedupe, $(basename "$file")"
    "$STAMMA" dedupe --dry-run "$work/held.stamma" | pairs score "$work/held"
done
rm -f "$work"/held*

# ---- all files ----

archives=()
for file in "$@"; do
    archives+=("$work/$(basename "$file" .pgn).stamma")
    "$STAMMA" pack -q -o "${archives[-1]}" "$file"
done
echo "all files: $("$STAMMA" info --json "${archives[@]}" | sed -n 's/.*"games": *\([0-9]*\).*/\1/p' | awk '{ n += $1 } END { print n }') games"
measure "stamma dedupe -o" "$STAMMA" dedupe -f -o "$work/out.stamma" "${archives[@]}"
measure "stamma dedupe --dry-run" "$STAMMA" dedupe --dry-run "${archives[@]}"
cut -f 1 "$work/out" | sort | uniq -c | sed 's/^/    /'
pairs overlap "$@" <"$work/out"
pairs corrected "$@" <"$work/out"
# The doubtful pairs among them were read by eye: bench/dedupe_read.tsv has the numbers of the games, and the verdicts.
awk -F '\t' -v OFS='\t' '
    NR == FNR { verdict[$2 OFS $3 OFS $4 OFS $5] = $6; next }
    $1 ~ /^(spelling|included|transposed|similar)$/ {
        for (n = 2; n <= 4; n += 2) { sub(".*/", "", $n); sub("\\.stamma$", "", $n) }
        found[verdict[$2 OFS $3 OFS $4 OFS $5]]++
    }
    END { printf "    doubtful pairs read by eye: %d the same game, %d different games; %d not read\n", found["same"], found["different"], found[""] }
' bench/dedupe_read.tsv "$work/out"
if command -v pgn-extract >/dev/null; then
    measure "pgn-extract -D" pgn-extract -s -D -o "$work/kept.pgn" "$@"
    echo "    $(cat "$@" | grep -c '^\[Event ') games, $(grep -c '^\[Event ' "$work/kept.pgn") kept"
    rm -f "$work/kept.pgn"
fi
if has_scid; then
    measure "Scid, import" tkscid "$work/import.tcl" "$work/all" "$@"
    for set in dialogue year; do
        options=scid_$set
        # shellcheck disable=SC2086
        measure "Scid, twins, $set" tkscid "$work/twins.tcl" "$work/all" ${!options}
        echo "    $(wc -l <"$work/out") games marked, with those marked before"
    done
    rm -f "$work"/all.s[gin]4
fi

# ---- many games ----

for games in $GAMES; do
    archive=$work/sampled.stamma
    if [ -e "$games" ]; then
        ln -sf "$(realpath "$games")" "$archive"
    else
        "$BUILD/generators/sample_games" --games "$games" | "$STAMMA" pack -q -o "$archive" -
    fi
    ln -sf "$archive" "$work/again.stamma"
    echo "sampled games: $games"
    for memory in 1G 128M; do
        measure "once, --memory $memory" "$STAMMA" dedupe -n --memory "$memory" "$archive"
    done
    for memory in 1G 256M; do
        measure "twice, --memory $memory" "$STAMMA" dedupe -n --memory "$memory" "$archive" "$work/again.stamma"
        echo "    $(wc -l <"$work/out") duplicates, $(cksum <"$work/out")"
    done
done
