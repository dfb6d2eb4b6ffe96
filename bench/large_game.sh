#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Prints the processor time in seconds of each command, and of the server, for one game with very many tags, comments, NAGs,
# variations or moves.
# usage: large_game.sh [SIZE]    200,000 of each by default
set -eu
root=$PWD
export STAMMA=$root/${BUILD:-build}/stamma
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONPATH=$root/tests/support:$root/tests/serve
python3 "$root/tests/command/game_size.py" --size "${1:-200000}" --limit 600 --table
python3 "$root/bench/large_game_serve.py" "${1:-200000}"
