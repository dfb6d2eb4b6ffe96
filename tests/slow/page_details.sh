#!/bin/bash
# SPDX-License-Identifier: MIT
# Details of the page of `stamma serve` in headless Chromium: explanations, names of openings, colours, wrong addresses,
# opening files, the side of the board, typed moves, links of
# tags and statistics, lines in Chess960, comments of engines.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
OPENINGS=$PWD/data/openings.tsv
export OPENINGS
page_archive
drive_page page_details_driver.py
finish
