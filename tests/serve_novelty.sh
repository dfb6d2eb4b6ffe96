#!/usr/bin/env bash
# stamma serve: new moves of games, and orders of moves, compared with python-chess.
set -u
case ${SANITIZE:-} in *memory*) echo "the HTTP library is not built with the memory sanitizer"; exit 77 ;; esac
. tests/command_support.bash
PYTHONPATH=$(dirname "$(scripts/setup --modules)")/python
export PYTHONPATH
python3 -c 'import chess.pgn' 2>/dev/null || { echo "no python-chess"; exit 77; }
PYTHONPATH=$(realpath tests)${PYTHONPATH:+:$PYTHONPATH}
STAMMA=$stamma
TSAN_OPTIONS="${TSAN_OPTIONS:-} report_thread_leaks=0"
export STAMMA PYTHONPATH TSAN_OPTIONS
program=$(realpath tests/serve_novelty.py)
cd "$scratch" || exit 1
python3 -m player_games 250 >a.pgn
python3 -m player_games 400 | python3 -c 'import sys; print("[Event" + sys.stdin.read().split("[Event", 251)[-1])' >b.pgn
run 0 pack -q a.pgn
run 0 pack -q b.pgn
run 0 index -q a.stamma
run 0 pack -q -3 -o slow.stamma b.pgn # without an index
checks=$((checks + 1))
python3 "$program" || fail "the server's answers"
finish
