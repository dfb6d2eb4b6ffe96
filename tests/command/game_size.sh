#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Commands on one game with very many tags or comments do not need quadratic time. LONG=1: all commands and kinds of games.
set -u
. tests/support/command_support.bash
export STAMMA=$stamma
cd "$scratch" || exit 1
# large OPTION...
large() {
    checks=$((checks + 1))
    python3 "$tests/command/game_size.py" "$@" || fail "a command needs too much time"
}
if [ -n "${LONG:-}" ]; then
    large --size 200000 --limit 60 --table
else
    large --size 100000 --limit "${SANITIZE:+6}8" --kinds tags --only "cat json,diff,export --clean-pgn,dedupe --merge,find --json"
    large --size 50000 --limit "${SANITIZE:+6}8" --kinds comments --only "cat json,dedupe --merge,export --clean-pgn"
fi
finish
