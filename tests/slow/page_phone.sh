#!/bin/bash
# SPDX-License-Identifier: MIT
# The page of `stamma serve` on phones, in headless Chromium with touch: the sticky board, moves, columns of tables, and
# the board for setting up positions. Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
page_archive
drive_page page_phone_driver.py
finish
