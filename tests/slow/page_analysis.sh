#!/bin/bash
# SPDX-License-Identifier: MIT
# The view Analysis of the page, in headless Chromium: variations, comments, signs, arrows, undo, storage, links, PGN. Its
# PGN is read by python-chess and packed. Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
modules=$(dirname "$(scripts/setup --modules)")/python
[ ! -d "$modules" ] || export PYTHONPATH="$modules${PYTHONPATH:+:$PYTHONPATH}"
python3 -c 'import chess' 2>/dev/null || { echo "no python-chess"; exit 77; }
page_archive
run 0 append -q games.stamma "$tests/data/page_study.pgn"
drive_page page_analysis_driver.py
finish
