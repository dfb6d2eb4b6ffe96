#!/bin/bash
# SPDX-License-Identifier: MIT
# /engine of stamma serve returns the lines, scores and SAN of python-chess's engine module. Engines that hang, crash,
# or send wrong or too many lines do no harm. Also tests which clients may use the engine, limits, sharing, and the end
# of the process.
set -u
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
[ -d /proc/self/fd ] || { echo "no /proc, which shows the processes of the server"; exit 77; }
PYTHONPATH=$PYTHONPATH:$(dirname "$(scripts/setup --modules)")/python
stockfish=$(PATH=$PATH:/usr/games command -v stockfish)
serve_folder
run 0 pack -q -o a.stamma "$pgn"

for behaviour in silent floods unready crashes exits lies deaf hurries minimal recorded; do
    fake_engine $behaviour
done
# The engine is a child process of the script; both must end.
printf '#!/bin/sh\npython3 %s/support/fake_engine.py stubborn\n' "$tests" >stubborn
printf '#!/nowhere/sh\n' >broken
chmod +x stubborn broken
: >plain

# ---- errors in the call ----
run 2 serve --engine absent a.stamma
says "absent: cannot be started: No such file or directory"
run 2 serve --engine . a.stamma
says ".: cannot be started: it is not a file"
run 2 serve --engine ./lies --host 0.0.0.0 a.stamma
says "option --engine: only with a loopback address"
run 2 serve --engine ./lies --host 192.168.1.2 a.stamma
says "option --engine: only with a loopback address"
run 2 serve --engine ./lies --engine-threads 0 a.stamma
says "option --engine-threads"
run 2 serve --engine ./lies --engine-memory 1K a.stamma
says "option --engine-memory"
run 2 serve --engine ./plain a.stamma
says "plain: cannot be started: Permission denied"

checks=$((checks + 1))
python3 "$tests/serve/serve_engine.py" "$stockfish" || fail "the engine's answers"
finish
