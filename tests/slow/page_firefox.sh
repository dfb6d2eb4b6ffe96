#!/bin/bash
# SPDX-License-Identifier: MIT
# All views of the page of `stamma serve` in headless Firefox. Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
python3 tests/page/page_firefox_driver.py --browser || { echo "no Firefox: scripts/setup --test installs it"; exit 77; }
page_archive
drive_all_of_page page_firefox_driver.py
finish
