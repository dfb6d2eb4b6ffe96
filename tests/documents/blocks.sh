#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every block of code in README.md and in the pages of doc runs and prints what the page shows (run_blocks.py), and the table of
# fields lists the fields of the outputs (field_table.py). Arguments are passed on: `tests/documents/blocks.sh --write
# doc/howto/edit_games.md` writes the output of its blocks to a page; without a page, `--write` writes all pages and the table.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "the documents are tested without sanitizers"; exit 77; }
build=$(realpath "${BUILD:-build}")
STAMMA=$(realpath "${STAMMA:-$build/stamma}")
[ -x "$STAMMA" ] || { echo "no command is built"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
modules=$(dirname "$(scripts/setup --modules)")/python
scripts/build_python "$work/package"
export BUILD=$build STAMMA PYTHONPATH="$work/package:$modules${PYTHONPATH:+:$PYTHONPATH}"
case "$*" in *.md*) ;; *) python3 tests/documents/field_table.py "$@" ;; esac
python3 tests/documents/run_blocks.py "$@"
