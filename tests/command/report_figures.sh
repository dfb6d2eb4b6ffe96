#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The figures of stamma report equal the counts by python-chess (tests/command/report_oracle.py and opening_oracle.py,
# which share no code with the command).
set -eu
stamma=${STAMMA:-build/stamma}
shared=${SHARED:-../shared}
PYTHONPATH=$(dirname "$(scripts/setup --modules)")/python
export PYTHONPATH
python3 -c 'import chess' 2>/dev/null || { echo "no python-chess"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compare() { # PLAYER NAME...
    local player=$1 name archives=() games=()
    shift
    for name; do
        "$stamma" pack -q "$work/$name.pgn"
        archives+=("$work/$name.stamma")
        games+=("$work/$name.pgn")
    done
    "$stamma" report "$player" "${archives[@]}" -q --json --depth 8 --novelties 12 --min-games 2 >"$work/report.json"
    python3 tests/command/report_oracle.py "$player" "$work/report.json" data/openings.tsv "${games[@]}"
}
compare_opening() { # OPENING NAME
    "$stamma" report "$work/$2.stamma" --opening "$1" -q --json --depth 6 --min-games 2 >"$work/opening.json"
    python3 tests/command/opening_oracle.py "$work/opening.json" "$work/$2.pgn"
}
cut_corpus() { # CORPUS BYTES NAME RANGE
    zstd -dcq "$shared/corpora/$1.pgn.zst" 2>/dev/null | head -c "$2" >"$work/cut.pgn"
    "$stamma" pack -q -f -o "$work/cut.stamma" "$work/cut.pgn"
    "$stamma" cat "$work/cut.stamma" "$4" >"$work/$3.pgn"
}

cp data/games.pgn "$work/sample.pgn"
compare Fischer sample
compare_opening "e4" sample
[ -e "$shared/corpora/otb_dev.pgn.zst" ] || { echo "no corpora: only the sample games were compared"; exit 0; }
cut_corpus otb_dev 1000000 first 1..500
cut_corpus otb_dev 1000000 second 501..700
compare "Abdusattorov" first second
compare_opening "e4 c5" first
compare_opening "1. d4 Nf6 2. c4" first
compare_opening "Najdorf" first
compare_opening "rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3" first
cut_corpus lichess_dev 1000000 clocks 1..250
compare jishan clocks
