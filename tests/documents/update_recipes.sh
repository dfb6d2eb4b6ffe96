#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each recipe of doc/howto/update.md prints the output that the page shows.
set -eu
. tests/support/command_support.bash
recipe_folders
cd "$scratch/run"
mkdir downloads
python3 - "$root/data/games.pgn" <<'PYTHON'
import re, sys
games = re.split(r"^(?=\[Event )", open(sys.argv[1], encoding="utf-8").read(), flags=re.M)[1:]
for name, first, last in ("week9", 1, 30), ("week10", 21, 60), ("week11", 51, 86):
    with open("downloads/%s.pgn" % name, "w", encoding="utf-8") as file:
        file.write("".join(game.rstrip() + "\n\n" for game in games[first - 1:last]))
PYTHON
python3 "$root/tests/documents/run_recipes.py" "$root/doc/howto/update.md" "$@"
