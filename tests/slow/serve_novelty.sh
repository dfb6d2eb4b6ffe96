#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma serve: new moves of games, and orders of moves, compared with python-chess.
set -u
. tests/support/command_support.bash
need_chess
serve_folder
python3 -m player_games 250 >a.pgn
python3 -m player_games 400 | python3 -c 'import sys; print("[Event" + sys.stdin.read().split("[Event", 251)[-1])' >b.pgn
run 0 pack -q a.pgn
run 0 pack -q b.pgn
run 0 index -q a.stamma
run 0 pack -q -3 -o slow.stamma b.pgn # without an index
checks=$((checks + 1))
python3 "$tests/serve/serve_novelty.py" || fail "the server's answers"
finish
