#!/usr/bin/env bash
# stamma serve: names of players, and results from a player's side, compared with python-chess.
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
program=$(realpath tests/serve_players.py)
cd "$scratch" || exit 1
python3 -m player_games 600 >games.pgn
run 0 pack -q games.pgn
python3 -m player_games 100 >more.pgn
run 0 pack -q more.pgn
cp games.stamma plain.stamma # without an index file
run 0 index -q games.stamma
# A search that needs many seconds, in many blocks.
run 0 pack -q -3 -o slow3.stamma games.pgn
run 0 merge -q -o slow.stamma $(yes slow3.stamma | head -n 100)
checks=$((checks + 1))
python3 "$program" || fail "the server's answers"
finish
