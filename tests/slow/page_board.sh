#!/bin/bash
# SPDX-License-Identifier: MIT
# The board of the page of `stamma serve` in headless Chromium: quick moves by mouse, touch and keys, promotions, colours and
# pieces, and a build without packages. Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
need_chess
AXE=$(scripts/setup --modules)/axe-core/axe.min.js
[ ! -e "$AXE" ] || export AXE
page_archive
sample >sample.pgn # for page_axe_driver.py
drive_page page_board_driver.py
finish
