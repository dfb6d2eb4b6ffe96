#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma serve: names of players, and results from a player's side, compared with python-chess.
set -u
. tests/support/command_support.bash
need_chess
serve_folder
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
python3 "$tests/serve/serve_players.py" || fail "the server's answers"
finish
