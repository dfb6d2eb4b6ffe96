#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The instructions of commands on one very large game do not grow quadratically in the number of its tags, repeated names,
# comments, NAGs, variations and moves. LONG=1: all commands on all kinds of games, which needs half an hour.
set -u
. tests/support/command_support.bash
command -v valgrind >/dev/null || { echo "no valgrind"; exit 77; }
[ -z "${SANITIZE:-}" ] || { echo "valgrind does not run sanitized programs"; exit 77; }
export STAMMA=$stamma
cd "$scratch" || exit 1
checks=1
pairs='tags:cat json+diff+export --clean-pgn+dedupe --merge+edit+find --csv
repeated-tags:cat json+dedupe --merge+edit --sort
comments:cat json, variations+dedupe --merge+edit --strip
nags:cat json, variations+dedupe --merge
many:cat json, variations+diff --json+find variations
deep-lines:cat json, variations+dedupe --merge
walk:cat plies+tree --polyglot+report+export positions+find --matches'
if [ -n "${LONG:-}" ]; then
    python3 "$tests/command/game_size.py" --count --size 4000 --table || fail "a command needs too much work"
else
    python3 "$tests/command/game_size.py" --count --size 2000 --table --pairs "${pairs//$'\n'/;}" || fail "a command needs too much work"
fi
finish
