#!/usr/bin/env bash
# The instructions of commands on one very large game do not grow quadratically in the number of its tags.
set -u
. tests/command_support.bash
command -v valgrind >/dev/null || { echo "no valgrind"; exit 77; }
[ -z "${SANITIZE:-}" ] || { echo "valgrind does not run sanitized programs"; exit 77; }
export STAMMA=$stamma
tests=$PWD/tests
cd "$scratch" || exit 1
checks=1
python3 "$tests/game_size.py" --count --size 8000 --kinds tags --only "cat json,diff,export --pgn,dedupe --merge" ||
    fail "a command needs too much work"
finish
