#!/bin/bash
# SPDX-License-Identifier: MIT
# Variations of Chess960 games that castle, on the page of `stamma serve`, in headless Chromium.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
need_chess
page_archive
python3 "$tests/page/page_variations_driver.py" --games >960.pgn
run 0 pack -q 960.pgn -o games.stamma -f
drive_page page_variations_driver.py
finish
