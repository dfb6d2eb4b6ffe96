#!/bin/bash
# SPDX-License-Identifier: MIT
# Static sites, as `stamma site` writes them, in headless Chromium, and their answers compared with those of `serve`. Needs
# `make wasm`. Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
web=$PWD/build/web
[ -e "$web/stamma.wasm" ] || { echo "no build/web: scripts/setup --release; make wasm"; exit 77; }
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
export PYTHONPATH=$PYTHONPATH:$tests/page STAMMA=$stamma
page_archive

games 400 >lists.pgn
cat games.pgn lists.pgn >all.pgn
run 0 pack -q all.pgn -o all.stamma
run 0 pages -q --min-games 5 --plies 20 all.stamma
run 0 site -q --module "$web" -o site all.stamma
run 0 site -q --pieces --module "$web" -o pieces all.stamma
checks=$((checks + 1))
python3 "$tests/web/site_equal.py" site all.stamma 60 20 || fail "answers of the site"
checks=$((checks + 1))
python3 "$tests/web/site_equal.py" pieces all.stamma 30 10 || fail "answers of the site in pieces"
checks=$((checks + 1))
python3 "$tests/page/page_site_driver.py" site pieces games.pgn "$pictures" || fail "the sites"
finish
