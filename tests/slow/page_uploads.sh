#!/bin/bash
# SPDX-License-Identifier: MIT
# The view Archives of the page of `stamma serve`, in headless Chromium: first use without archives, the list of archives,
# files that are chosen and dropped, the choice of archives, archives that grow, and a server that is started again.
# Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
modules=$(scripts/setup --modules)
AXE=$modules/axe-core/axe.min.js
[ ! -e "$AXE" ] || export AXE
page_archive

cp games.stamma other.stamma
sample >sample.pgn
run 0 pack sample.pgn
cp err sample.err
gzip -k games.pgn
head -c 2000 games.pgn.gz >half.pgn.gz
games 8000 >many.pgn
games 16 >sixteen.pgn
echo "this is no game" >bad.pgn
: >empty.pgn
# Tables that scripts/setup --test installs, if the command can read them.
chess=$modules/../python
if "$stamma" tablebase --syzygy "$chess/chess/tables" '8/8/8/8/8/8/8/K1k5 w - - 0 1' >/dev/null 2>&1; then
    export TABLES=$chess/chess/tables PYTHONPATH=$PYTHONPATH:$chess
fi
mkdir uploads
run 0 index -q other.stamma
status=0
checks=$((checks + 1))
STAMMA=$stamma python3 "$tests/page/page_uploads_driver.py" games.stamma "$pictures" || status=$?
[ $status -ne 77 ] || exit 77
[ $status -eq 0 ] || fail "the page"
equal "$(ls uploads)" ""
finish
