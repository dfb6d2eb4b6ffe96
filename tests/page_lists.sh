#!/bin/bash
# The page's lists of games in headless Chromium: neighbours of a game, the way back, small boards, playing, sounds, new
# moves, and orders of moves. Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/command_support.bash
. tests/command_support.bash
python3 tests/page_driver.py --browser || { echo "no Chromium"; exit 77; }
player_archive
drive_page page_lists_driver.py
finish
