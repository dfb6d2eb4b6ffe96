#!/bin/bash
# SPDX-License-Identifier: MIT
# The page without a server, whose worker answers the requests, in headless Chromium: a dropped PGN, its tree, a search, a
# game, the saved archive, answers of a server with the same archive, and a site with an archive. Needs `make wasm`.
# Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
web=$PWD/build/web
[ -e "$web/stamma.wasm" ] || { echo "no build/web: scripts/setup --release; make wasm"; exit 77; }
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
AXE=$(scripts/setup --modules)/axe-core/axe.min.js
[ ! -e "$AXE" ] || export AXE
export PYTHONPATH=$PYTHONPATH:$tests/page:$tests/web
page_archive

gzip -k games.pgn
sample >sample.pgn # page_axe_driver.py reads this file
for _ in $(seq 60); do cat games.pgn; done >many.pgn
checks=$((checks + 1))
STAMMA=$stamma python3 "$tests/page/page_worker_driver.py" "$web" games.pgn "$pictures" || fail "the page"
finish
