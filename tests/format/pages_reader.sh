#!/bin/sh
# SPDX-License-Identifier: MIT
# The slow reader of files of pages, which was written from doc/format/pages.md only, finds the same trees as the library without
# pages, and as python-chess.
[ -x "${BUILD:-build}/generators/sample_games" ] || { echo "no sample_games"; exit 77; }
PYTHONPATH=$PYTHONPATH:$(dirname "$(scripts/setup --modules)")/python exec python3 tests/format/pages_reader.py
