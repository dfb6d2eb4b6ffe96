#!/bin/bash
# SPDX-License-Identifier: MIT
# Filters on the page of `stamma serve`, in headless Chromium: active filters that can be removed, presets, and the
# choice of an archive. Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
page_archive
{ sample; games 40; } >other.pgn
run 0 pack -q other.pgn -o other.stamma
drive_page page_filters_driver.py other.stamma
finish
