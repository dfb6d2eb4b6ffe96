#!/bin/sh
# SPDX-License-Identifier: MIT
# The extension of DuckDB loads into PyPI's duckdb, and returns the rows of `stamma sql`, with any number of threads.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "a sanitized extension cannot be loaded"; exit 77; }
modules=$(dirname "$(scripts/setup --modules)")/python
if [ -d "$modules" ]; then
    PYTHONPATH=$modules${PYTHONPATH:+:$PYTHONPATH}
    export PYTHONPATH
fi
python3 -c 'import duckdb' 2>/dev/null || { echo "there is no duckdb for Python"; exit 77; }
[ -e "$BUILD/stamma.duckdb_extension" ] || { echo "the extension is not built (scripts/setup --duckdb)"; exit 77; }
"$STAMMA" sql --help | grep -q "^Not available" && { echo "built without SQLite, with which the rows are compared"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp data/games.pgn "$work/"
"$STAMMA" pack -q -o "$work/games.stamma" data/games.pgn
corpus=../shared/corpora/lichess_dump_dev.pgn.zst
if [ -e "$corpus" ]; then
    zstd -dcq "$corpus" 2>/dev/null | head -c 900000 | "$STAMMA" pack -q -o "$work/corpus.stamma" -
else
    cp "$work/games.stamma" "$work/corpus.stamma"
fi
# Several blocks, so that several threads read them.
"$STAMMA" merge -q -o "$work/merged.stamma" "$work/corpus.stamma" "$work/games.stamma" "$work/corpus.stamma"
python3 tests/sql/duckdb_rows.py "$(realpath "$STAMMA")" "$(realpath "$BUILD")/stamma.duckdb_extension" "$work"
