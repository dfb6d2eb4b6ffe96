#!/bin/sh
# SPDX-License-Identifier: MIT
# The golden games in the tree equal those that the command makes, and are small. They have every encoding.
set -eu
[ -x "$STAMMA" ] || { echo "no command is built"; exit 77; }
"${PYTHON:-python3}" generators/golden_games.py "$STAMMA" --check
size=$(cat tests/data/golden/*.json | wc -c)
echo "$size bytes"
[ "$size" -lt 200000 ]
"$STAMMA" encode --list | cut -d' ' -f1 | while read -r name; do
    for file in tests/data/golden/*.json; do
        grep -q "^    \"$name\": " "$file" || { echo "$file has no $name"; exit 1; }
    done
done
