#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each recipe of doc/howto/operations.md runs, in the order of the page, and prints the output that the page shows.
set -eu
. tests/support/command_support.bash
recipe_folders
cd "$scratch/run"
python3 - "$root/data/games.pgn" <<'PYTHON'
import random, re, sys
games = ["[Event " + part for part in re.split(r"^\[Event ", open(sys.argv[1], encoding="utf-8").read(), flags=re.M)[1:]]
for name, part in ("2026-01", games[:20]), ("2026-02", games[20:66]), ("2026-03", games[10:30]):
    open(name + ".pgn", "w", encoding="utf-8").write("".join(part))
random.seed(26)
open("large.pgn", "w").write("".join(random.choice("abcdefgh \n") for _ in range(400000)))
PYTHON
LC_ALL=C python3 "$root/tests/documents/run_recipes.py" "$root/doc/howto/operations.md" "$@"
