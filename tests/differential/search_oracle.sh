#!/bin/sh
# SPDX-License-Identifier: MIT
# The slow search, with which other tests compare the library's search, returns the answers that were worked out by
# hand, and the answers of pgn-extract for queries that pgn-extract supports.
set -eu
shared=${SHARED:-../shared}
PYTHONPATH=$(dirname "$(scripts/setup --modules)")/python
export PYTHONPATH
python3 -c 'import chess' 2>/dev/null || { echo "no python-chess"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set --
if [ -e "$shared/corpora/otb_dev.pgn.zst" ]; then
    python3 tests/differential/search_sample.py "$work/games.pgn" "$shared/corpora" otb_dev:60 lichess_dev:20 annotated_dev:20
    set -- "$work/games.pgn"
fi
python3 tests/differential/search_oracle_test.py "$@" 2>"$work/errors" || { cat "$work/errors"; exit 1; }
