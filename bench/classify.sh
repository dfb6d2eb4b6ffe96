#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compares `stamma classify` with pgn-extract -e and Scid (doc/reference/editing.md), and `stamma edit` with pgn-extract (doc/reference/editing.md).
#
# usage: classify.sh [FILE.pgn...]     run by `make bench BENCH=classify`
#
# Without files, uses twic_dev and otb_dev from $SHARED/corpora. Prints for each file
#   1. games, and the size of the archive before and after classify;
#   2. games with the same ECO code as by pgn-extract and as by Scid, each with the table of that program;
#   3. processor seconds of each program, the median of five runs;
#   4. contradictions by check.
# Programs that are not installed are omitted.
set -eu
export LC_ALL=C
: "${STAMMA:=build/stamma}"
[ $# -gt 0 ] || exec bench/on_corpora "twic_dev otb_dev" "$0"
PATH=$PATH:/usr/games # Debian's folder of pgn-extract and Scid
pgn_table=/usr/share/pgn-extract/eco.pgn scid_table=/usr/share/scid/data/scid.eco
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# seconds NAME COMMAND...: prints the processor seconds of a command, the median of five runs.
seconds() {
    local name=$1 run
    shift
    : >"$work/times"
    for run in 1 2 3 4 5; do
        TIMEFORMAT='%U %S'
        { time "$@" >"$work/out" 2>"$work/errors"; } 2>>"$work/times" || true
    done
    awk '{ print $1 + $2 }' "$work/times" | sort -n | awk -v n="$name" 'NR == 3 { printf "  %-42s %8.2f s\n", n, $1 }'
}
codes() { "$STAMMA" cat "$1" --format tsv --columns ECO,plies | tail -n +2 | awk -F '\t' '{ print ($2 > 0 ? $1 : "") }'; }
agreement() { # NAME OURS THEIRS
    paste "$2" "$3" | awk -F '\t' -v name="$1" '$1 != "" && $2 != "" { n++; same += $1 == $2 }
        END { printf "  %-42s %d of %d games, %.4f\n", name, same, n, same / n }'
}
cat >"$work/classify.tcl" <<'TCL'
sc_eco read [lindex $argv 0]
set base [sc_base open [lindex $argv 1]]
sc_base switch $base
sc_eco base 1 0
if {[llength $argv] > 2} {
    for {set n 1} {$n <= [sc_base numGames $base]} {incr n} {
        sc_game load $n
        puts [sc_game tags get ECO]
    }
}
sc_base close $base
exit 0
TCL
cat >"$work/import.tcl" <<'TCL'
set base [sc_base create [lindex $argv 0]]
sc_base import $base [lindex $argv 1]
sc_base close $base
exit 0
TCL

for file; do
    archive=$work/games.stamma
    "$STAMMA" pack -q -f -o "$archive" "$file"
    "$STAMMA" classify -q -f -o "$work/new.stamma" "$archive"
    echo "$(basename "$file"): $(wc -c <"$archive") bytes, after classify $(wc -c <"$work/new.stamma")"
    seconds "stamma classify -T 1" "$STAMMA" classify -q -f -T 1 -o "$work/new.stamma" "$archive"
    seconds "stamma classify --check-tags" "$STAMMA" classify -q --check-tags "$archive"
    seconds "stamma edit --strip comments --pgn" "$STAMMA" edit -q -f --strip comments -o "$work/new.pgn" "$archive"
    seconds "stamma export --clean-pgn" "$STAMMA" export -q -f -T 1 -o "$work/new.pgn" "$archive"
    if command -v pgn-extract >/dev/null && [ -e $pgn_table ]; then
        "$STAMMA" unpack -q -f -o "$work/games.pgn" "$archive"
        seconds "pgn-extract -C" pgn-extract -s -C -o "$work/theirs.pgn" "$work/games.pgn"
        seconds "pgn-extract -e" pgn-extract -s -e$pgn_table -o "$work/theirs.pgn" "$work/games.pgn"
        # Games that pgn-extract does not accept are not compared.
        "$STAMMA" pack -q -f -o "$work/theirs.stamma" "$work/theirs.pgn"
        python3 tests/command/eco_openings.py $pgn_table >"$work/table.eco"
        "$STAMMA" classify -q -f --overwrite --eco-table "$work/table.eco" -o "$work/ours.stamma" "$work/theirs.stamma"
        codes "$work/ours.stamma" >"$work/ours"
        codes "$work/theirs.stamma" >"$work/theirs"
        agreement "same code as pgn-extract" "$work/ours" "$work/theirs"
    fi
    if command -v tkscid >/dev/null && [ -e $scid_table ]; then
        tkscid "$work/import.tcl" "$work/base" "$file"
        seconds "Scid, after its import" tkscid "$work/classify.tcl" $scid_table "$work/base"
        tkscid "$work/classify.tcl" $scid_table "$work/base" list >"$work/theirs"
        "$STAMMA" classify -q -f --overwrite --eco-table $scid_table -o "$work/ours.stamma" "$archive"
        codes "$work/ours.stamma" >"$work/ours"
        agreement "same code as Scid" "$work/ours" "$work/theirs"
        rm -f "$work"/base.s[gin]4
    fi
    "$STAMMA" classify -q --check-tags "$archive" | cut -f 3 | sort | uniq -c | sort -rn
done
