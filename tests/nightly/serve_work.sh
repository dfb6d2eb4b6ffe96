#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The instructions of stamma serve for one very large game do not grow quadratically in the size of the game, and stop at the time
# limit. LONG=1: all kinds of games.
set -u
. tests/support/command_support.bash
command -v valgrind >/dev/null || { echo "no valgrind"; exit 77; }
[ -z "${SANITIZE:-}" ] || { echo "valgrind does not run sanitized programs"; exit 77; }
serve_folder
checks=1
if [ -n "${LONG:-}" ]; then
    python3 "$tests/serve/serve_work.py" --kinds "$(python3 -c 'import large_games; print(",".join(large_games.KINDS))')" || fail "a request needs too much work"
else
    python3 "$tests/serve/serve_work.py" || fail "a request needs too much work"
fi
finish
