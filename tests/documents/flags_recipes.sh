#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each recipe of doc/howto/flags.md prints the output that the page shows.
set -eu
. tests/support/command_support.bash
recipe_folders
cd "$scratch/run"
"$stamma" pack -q -o games.stamma "$root/data/games.pgn"
python3 "$root/tests/documents/run_recipes.py" "$root/doc/howto/flags.md" "$@"
