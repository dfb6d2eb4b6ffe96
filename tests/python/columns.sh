#!/bin/sh
# SPDX-License-Identifier: MIT
# Arrow tables of archives are valid according to pyarrow, and equal the data that python-chess reads from the PGN.
#
# usage: columns.sh [GAMES]     number of games of each corpus that are compared; default 40 of the small corpora, with
#                               LONG=1 5000 of all
set -eu
[ -z "${SANITIZE:-}" ] || { echo "skipped: Python does not load a library with sanitizers"; exit 77; }
PYTHONPATH=$(dirname "$(scripts/setup --modules)")/python
export PYTHONPATH
python3 -c 'import chess, pyarrow' 2>/dev/null || { echo "skipped: python-chess or pyarrow is missing"; exit 77; }
python3 tests/python/columns_values.py
exec python3 tests/python/columns_chess.py "${1:-${LONG:+5000}}"
