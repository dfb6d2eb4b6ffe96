#!/bin/sh
# SPDX-License-Identifier: MIT
# The golden codes in the tree equal the codes that the command prints, and the script recomputes the simpler codes.
set -eu
[ -x "$STAMMA" ] || { echo "no command is built"; exit 77; }
table=tests/data/golden_codes.tsv
"${PYTHON:-python3}" generators/golden_codes.py "$STAMMA" | diff "$table" -
"${PYTHON:-python3}" generators/golden_codes.py --check "$table"
# Every encoding has rows.
"$STAMMA" encode --list | cut -d' ' -f1 | while read -r name; do
    cut -f3 "$table" | grep -qx "$name" || { echo "$table has no row of $name"; exit 1; }
done
