#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures how fast archives are searched, compared with Scid and pgn-extract on the same games in the same run.
#
# usage: search.sh [FILE.pgn...]     run by `make bench BENCH=search`
#
# Without files, uses otb_dev and otb_train from $SHARED/corpora. Positions are selected from the games, the same ones
# every time.
#
# Prints the number of games found and milliseconds, medians of five:
# - stamma: complete processes, with one thread and with two. The row "nothing" is the time of a process that searches
#   for nothing.
# - "open": only the searches, with one thread and with two, in a process that keeps an index of the archive
#   (search_index_bench).
#   Compare this with Scid.
# - Scid: only the search, in one process that has opened its database.
# - pgn-extract: the process that reads the PGN, measured once. Files above 50 MB only with PEERS=all, because this
#   needs minutes.
#
# Programs that are not installed are omitted. Scid compares only board and side to move, pgn-extract only the board.
# "-" means that Scid does not support the query.
set -eu
export LC_ALL=C
ROUNDS=5
: "${BUILD:=build}" "${STAMMA:=build/stamma}" "${PEERS:=}"
[ $# -gt 0 ] || exec bench/on_corpora "otb_dev otb_train" "$0"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

median() { sort -n | sed -n "$(((ROUNDS + 1) / 2))p"; }

# time_of COMMAND...: sets the milliseconds of one run, and stores the output in $work/out.
time_of() {
    local begin=$EPOCHREALTIME
    "$@" >"$work/out" 2>"$work/errors" || true
    awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f\n", (b - a) * 1000 }'
}

# A line for each kind of position: its name, and the first four fields of its FEN.
positions() {
    "$STAMMA" cat --format epd --en-passant legal "$1" ..5000 | awk '
        { fen = $1 " " $2 " " $3 " " $4; rest = $0; sub(/.*"game /, "", rest); split(rest, part, /, ply |"/)
          game = part[1] + 0; ply = part[2] + 0 }
        ply == 8 && ++opening[fen] > opening[most_opening] { most_opening = fen }
        ply == 24 && ++middle[fen] > middle[most_middle] { most_middle = fen }
        game > 1000 && ply == 40 && !rare { rare = fen }
        game > 1000 && !ending { men = $1; gsub(/[^A-Za-z]/, "", men); if (length(men) <= 7) ending = fen }
        END {
            split(rare, other, " ")
            print "initial\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
            print "opening (ply 8)\t" most_opening
            print "common middlegame\t" most_middle
            print "rare middlegame\t" rare
            print "endgame\t" ending
            print "absent\t" other[1] (other[2] == "w" ? " b" : " w") " - -"
        }'
}

# The searches, one per line: name, options of stamma, the query for pgn-extract (option, a tab, text), Scid's script.
searches() {
    local name fen player
    while IFS="	" read -r name fen; do
        printf '%s|--fen %s|-t	FEN "%s 0 1"|sc_game startBoard "%s 0 1"; sc_search board RESET Exact false 0\n' \
            "$name" "$fen" "$fen" "$fen"
    done <"$work/positions"
    printf 'rook and pawn, rook|--material KRPKR|-z	1 Q0R1B0N0P1 Q0R1B0N0P0|%s\n' \
        'sc_search material -wq {0 0} -bq {0 0} -wr {1 1} -br {1 1} -wb {0 0} -bb {0 0} -wn {0 0} -bn {0 0} -wm {0 0} -bm {0 0} -wp {1 1} -bp {0 0} -flip 0 -filter RESET -range {1 999} -length 1 -bishops Either -diff {-99 99}'
    printf 'two queens|--material KQQP*KQP*|-z	1 Q2R0B0N0P* Q1R0B0N0P*|%s\n' \
        'sc_search material -wq {2 2} -bq {1 1} -wr {0 0} -br {0 0} -wb {0 0} -bb {0 0} -wn {0 0} -bn {0 0} -wm {0 0} -bm {0 0} -wp {0 8} -bp {0 8} -flip 0 -filter RESET -range {1 999} -length 1 -bishops Either -diff {-99 99}'
    printf 'part of a position|--sub-fen 8/8/4p3/3pP3/3P4/8/8/8|-t	FENPattern "????????/????????/????p???/???pP???/???P????/????????/????????/????????"|%s\n' \
        'sc_search material -wq {0 9} -bq {0 9} -wr {0 9} -br {0 9} -wb {0 9} -bb {0 9} -wn {0 9} -bn {0 9} -wm {0 9} -bm {0 9} -wp {0 8} -bp {0 8} -flip 0 -filter RESET -range {1 999} -length 1 -bishops Either -diff {-99 99} -patt {Yes wp d 4} -patt {Yes wp e 5} -patt {Yes bp d 5} -patt {Yes bp e 6}'
    player=$("$STAMMA" cat --format tsv --columns White "$1" ..5000 | sed 1d | sort | uniq -c | sort -k1,1nr -k2 | sed -n '1s/^ *[0-9]* //p')
    printf 'a player|--player %s|-Tp%s	|%s\n' "$player" "$player" \
        "sc_search header -filter RESET -white {$player}; sc_search header -filter OR -black {$player}"
}

scid_searches() {
    command -v tkscid >/dev/null || return 0
    cat >"$work/import.tcl" <<'TCL'
set base [sc_base create [lindex $argv 1]]
sc_base import $base [lindex $argv 0]
sc_base close $base
exit 0
TCL
    cat >"$work/search.tcl" <<'TCL'
proc ::progressCallBack {args} {}
set base [sc_base open [lindex $argv 0]]
sc_base switch $base
sc_game new
while {[gets stdin line] >= 0} {
    set script [join [lrange [split $line |] 3 end] |]
    set times {}
    set failed 0
    for {set round 0} {$round < 5} {incr round} {
        set begin [clock microseconds]
        set failed [expr {$failed || [catch $script message]}]
        lappend times [expr {[clock microseconds] - $begin}]
    }
    set time [lindex [lsort -integer $times] 2]
    puts [expr {$failed ? "-\t-" : "[sc_filter count $base dbfilter]\t[format %.2f [expr {$time / 1000.0}]]"}]
}
exit 0
TCL
    rm -f "$work"/scid.s*
    tkscid "$work/import.tcl" "$1" "$work/scid" >/dev/null 2>&1
    tkscid "$work/search.tcl" "$work/scid" <"$work/searches" >"$work/scid.answers" 2>"$work/errors"
}

# ours OPTION VALUE THREADS: games found and milliseconds of stamma.
ours() {
    local round count
    "$STAMMA" find --help >/dev/null 2>&1 || { printf -- '-\t-\n'; return; }
    for round in $(seq $ROUNDS); do
        time_of "$STAMMA" find "$work/games.stamma" "$1" "$2" --count -T "$3"
    done >"$work/times"
    count=$(cat "$work/out")
    printf '%s\t%s\n' "${count:-?}" "$(median <"$work/times")"
}

# The searches and trees as questions for search_index_bench.
questions() {
    sed -E 's/^[^|]*\|--([a-z-]+) ([^|]*)\|.*/find {"\1": "\2"}/' "$work/searches"
    sed -E 's/^[^\t]*\t(.*)/tree \1 0 1/; s/^/&/' "$work/positions"
}

# theirs FILE OPTION TEXT: games found and milliseconds of pgn-extract.
theirs() {
    local time
    if ! command -v pgn-extract >/dev/null || { [ "$PEERS" != all ] && [ "$(wc -c <"$1")" -gt 50000000 ]; }; then
        printf -- '-\t-\n'
        return
    fi
    set -- "$1" "$2" "$3"
    if [ -n "$3" ]; then
        printf '%s\n' "$3" >"$work/wanted"
        set -- "$1" "$2$work/wanted"
    else
        set -- "$1" "$2"
    fi
    time=$(time_of pgn-extract -s "$2" "$1")
    printf '%s\t%s\n' "$(grep -c '^\[Event ' "$work/out")" "$time"
}

for file in "$@"; do
    "$STAMMA" pack -q -f --level 1 -o "$work/games.stamma" "$file"
    positions "$work/games.stamma" >"$work/positions"
    searches "$work/games.stamma" >"$work/searches"
    questions >"$work/questions"
    for threads in 1 2; do
        "$BUILD/bench/search_index_bench" "$work/games.stamma" $threads <"$work/questions" >"$work/open.$threads"
    done
    : >"$work/scid.answers"
    scid_searches "$file"
    echo "$(basename "$file"), $(wc -c <"$file") bytes"
    echo "  index, two threads: $(sed -n 1p "$work/open.2")"
    printf '  %-20s %10s %10s %10s %10s %10s   %10s %10s   %10s %10s\n' '' games 'ms, -T 1' '-T 2' 'open, 1' 'open, 2' 'Scid games' ms 'pgn-extr.' ms
    row=0
    while IFS='|' read -r name option theirs _; do
        row=$((row + 1))
        scid=$(sed -n "${row}p" "$work/scid.answers")
        one=$(ours "${option%% *}" "${option#* }" 1)
        two=$(ours "${option%% *}" "${option#* }" 2)
        open=$(for threads in 1 2; do sed -n "$((row + 1))p" "$work/open.$threads"; done | cut -f 1,2 | paste - -)
        [ "${open%%	*}" = "${one%%	*}" ] || echo "  with an index ${open%%	*} games are found"
        [ "${one%%	*}" = "${two%%	*}" ] || echo "  one thread finds ${one%%	*}, two find ${two%%	*}"
        peer=$(theirs "$file" "${theirs%%	*}" "${theirs#*	}")
        IFS="	" read -r games ms scid_games scid_ms peer_games peer_ms <<<"$one	${scid:--	-}	$peer"
        printf '  %-20s %10s %10s %10s %10s %10s   %10s %10s   %10s %10s\n' "$name" "$games" "$ms" "${two#*	}" \
            "$(cut -f 2 <<<"$open")" "$(cut -f 4 <<<"$open")" "$scid_games" "$scid_ms" "$peer_games" "$peer_ms"
    done <"$work/searches"
    for round in $(seq $ROUNDS); do time_of "$STAMMA" --version; done >"$work/times"
    printf '  %-20s %10s %10s\n' nothing '' "$(median <"$work/times")"
    while IFS="	" read -r name fen; do
        for threads in 1 2; do
            for round in $(seq $ROUNDS); do time_of "$STAMMA" tree "$work/games.stamma" --fen "$fen" -T $threads; done >"$work/times"
            median <"$work/times"
        done | paste - - >"$work/both"
        row=$((row + 1))
        open=$(for threads in 1 2; do sed -n "$((row + 1))p" "$work/open.$threads"; done | cut -f 2 | paste - -)
        printf '  %-20s %10s %10s %10s %10s %10s\n' "tree: ${name% (*}" '' $(cat "$work/both") $open
    done <"$work/positions"
done
