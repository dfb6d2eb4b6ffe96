#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma serve: the time limit inside one very large game.
set -u
. tests/support/command_support.bash
serve_folder
for kind in tags comments many; do
    python3 -m large_games $kind 20000 >$kind.pgn
    run 0 pack -q $kind.pgn
done
checks=$((checks + 1))
python3 "$tests/serve/serve_limits.py" || fail "the server's answers"
finish
