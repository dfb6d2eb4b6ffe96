#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each recipe of doc/reference/sql.md runs, in the order of the page, and prints the output that the page shows. Recipes whose
# programs or modules are missing are skipped with a message.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "sanitized extensions cannot be loaded"; exit 77; }
. tests/support/command_support.bash
BUILD=$(realpath "$BUILD")
"$stamma" sql --help | grep -q "^Not available" && { echo "built without SQLite"; exit 77; }
export BUILD
modules=$(dirname "$(scripts/setup --modules)")/python
if [ -d "$modules" ]; then
    PYTHONPATH=$modules${PYTHONPATH:+:$PYTHONPATH}
    export PYTHONPATH
fi
recipe_folders
cp data/games.pgn "$scratch/run/"
cd "$scratch/run"
python3 "$root/tests/documents/run_recipes.py" "$root/doc/reference/sql.md" "$@"
