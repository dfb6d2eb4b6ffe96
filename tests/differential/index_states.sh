#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Answers are the same without an index file, with a current, outdated or truncated index file, and with an index file
# with a flipped bit; or the command reports that it cannot use the file. Tests random queries, trees and statistics.
#
# usage: index_states.sh [TRIALS]     queries for each state of the index; default 15, with LONG=1 1000
set -eu
case ${SANITIZE:-} in ?*) echo "asks too many questions for the sanitizers; index_test and index_fuzz run with them"; exit 77 ;; esac
shared=${SHARED:-../shared} stamma=$(realpath "${STAMMA:-${BUILD:-build}/stamma}")
tests=tests/differential trials=${1:-15}
[ -z "${LONG:-}" ] || trials=${1:-1000}
PYTHONPATH=$(dirname "$(scripts/setup --modules)")/python
export PYTHONPATH
python3 -c 'import chess' 2>/dev/null || { echo "no python-chess"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -d "$shared/corpora" ] || echo "no $shared/corpora: only the games made by hand are searched"
python3 $tests/search_sample.py "$work/games.pgn" "$shared/corpora" otb_dev:60 lichess_dev:30 annotated_dev:10
python3 $tests/search_queries.py "$work/games.pgn" "${SEED:-5}" 2 >"$work/queries.jsonl"
cat $tests/search_cases.pgn >>"$work/games.pgn"
for level in 1 2; do
    "$stamma" pack -q --level $level -o "$work/$level.stamma" "$work/games.pgn"
    "$stamma" index -q "$work/$level.stamma"
    cp "$work/$level.stamma.index" "$work/$level.outdated"
    "$stamma" append -q --level $level "$work/$level.stamma" $tests/search_cases.pgn
    python3 $tests/index_states.py "$stamma" "$work/$level.stamma" "$work/$level.outdated" "$work/queries.jsonl" $((trials * (3 - level) / 2 + 1))
done
