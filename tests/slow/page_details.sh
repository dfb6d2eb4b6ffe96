#!/bin/bash
# SPDX-License-Identifier: MIT
# Details of the page of `stamma serve` in headless Chromium: explanations, the side of the board, typed moves, links of
# tags and statistics, lines in Chess960, comments of engines.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
page_archive
drive_page page_details_driver.py
finish
