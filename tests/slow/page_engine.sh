#!/bin/bash
# SPDX-License-Identifier: MIT
# The engine on the page of `stamma serve`, in headless Chromium: lines, bar, arrows, the conditions that stop the
# engine, the analysis of a game, pages of other sites. Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
page_archive
fake_engine recorded
fake_engine exits
following_engine
status=0
checks=$((checks + 1))
modules=$(dirname "$("$tests/../scripts/setup" --modules)")/python
STAMMA=$stamma PYTHONPATH=$PYTHONPATH:$modules python3 "$tests/page/page_engine_driver.py" games.stamma "$pictures" "$(PATH=$PATH:/usr/games command -v stockfish)" || status=$?
[ $status -ne 77 ] || exit 77
[ $status -eq 0 ] || fail "the page"
finish
