#!/bin/bash
# SPDX-License-Identifier: MIT
# Searches on the page of `stamma serve`, in headless Chromium: games that appear while a long search runs, progress,
# Cancel, the order of the games, errors. Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
page_archive
# A search for moves of slow.stamma decodes all games and needs a minute or more.
run 0 pack -q -3 games.pgn -o decoded.stamma
run 0 merge -q -o slow.stamma $(yes decoded.stamma | head -n 400)
# More games than the server sorts.
games 10050 >long.pgn
run 0 pack -q long.pgn
run 0 edit -q games.stamma 3 5 --add-flag favourite
run 0 find -q games.stamma --move O-O --save 'Castled short'
PYTHONPATH=$PYTHONPATH:$(dirname "$("$tests/../scripts/setup" --modules)")/python
drive_page page_search_driver.py slow.stamma long.stamma
finish
