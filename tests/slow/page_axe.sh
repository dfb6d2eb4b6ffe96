#!/bin/bash
# SPDX-License-Identifier: MIT
# Accessibility of the page of `stamma serve` in headless Chromium: axe-core, contrast, keys, layout shifts, and the size
# of the page. Screenshots of all views are in $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
AXE=$(scripts/setup --modules)/axe-core/axe.min.js
[ -e "$AXE" ] || { echo "no axe-core: scripts/setup --test installs it"; exit 77; }
export AXE
page_archive
drive_all_of_page page_axe_driver.py
finish
