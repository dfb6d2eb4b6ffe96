#!/bin/bash
# SPDX-License-Identifier: MIT
# The page's views of players in headless Chromium: the field for names, results from a player's side. Screenshots are in
# $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
player_archive
printf '%s\n' "[two]" "name = Ivanchuk, Vassily" "account = Li Chao" "name = Nobody" >games.stamma.persons
drive_page page_player_driver.py
finish
