#!/bin/bash
# SPDX-License-Identifier: MIT
# stamma tablebase: results of positions and of their moves as in python-chess, which reads the same tables; errors; and
# stamma serve --syzygy, also with damaged tables.
set -u
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
modules=$(dirname "$(scripts/setup --modules)")/python
tables=$modules/chess/tables
cd "$scratch" || exit 1
run 2 tablebase --syzygy "$scratch"
if grep -q "built without the library Fathom" err; then
    run 2 serve --syzygy "$scratch"
    says "built without the library Fathom"
    finish
    exit
fi
says "no tablebase (file .rtbw) is in this folder"
run 2 tablebase
says "option --syzygy is needed"
run 2 tablebase --syzygy absent '8/8/8/8/8/8/8/K1k5 w - - 0 1'
says "absent: No such file or directory"
run 2 serve --syzygy "$scratch"
says "no tablebase"
[ -e "$tables/KQvK.rtbw" ] || { echo "no tables: run scripts/setup --test"; exit 77; }
run 2 tablebase --syzygy "$tables" 'no FEN'
run 1 tablebase --syzygy "$tables" 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
checks=$((checks + 1))
grep -q '^{"category":"unknown"' out || fail "the initial position is in no table" "$(head -c 300 out)"
checks=$((checks + 1))
PYTHONPATH=$PYTHONPATH:$modules python3 "$tests/command/tablebase_oracle.py" "$stamma" "$tables" 150 >compared || fail "the results of python-chess"
equal "$(cat compared)" 150

# Damaged tables end a process, but not the server. Without distances, the results are still known.
mkdir damaged results
cp "$tables"/K?vK.rtb? "$tables"/KRvKN.rtb? damaged
cp "$tables"/KQvK.rtbw results
checks=$((checks + 1))
STAMMA=$stamma python3 "$tests/serve/serve_tablebase.py" "$tables" || fail "the server's answers"
finish
