#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# append --new adds the same games without an index file, with a current, outdated or truncated index file, and with an
# index file with a flipped bit.
#
# usage: index_appends.sh [TRIALS]     random archives for each level; default 6, with LONG=1 500
set -eu
case ${SANITIZE:-} in ?*) echo "runs too many commands for the sanitizers; game_lookup_test and index_fuzz run with them"; exit 77 ;; esac
shared=${SHARED:-../shared} stamma=$(realpath "${STAMMA:-${BUILD:-build}/stamma}")
tests=tests/differential trials=${1:-6}
[ -z "${LONG:-}" ] || trials=${1:-500}
PYTHONPATH=$(dirname "$(scripts/setup --modules)")/python
export PYTHONPATH
python3 -c 'import chess' 2>/dev/null || { echo "no python-chess"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -d "$shared/corpora" ] || echo "no $shared/corpora: only the games made by hand are added"
python3 $tests/search_sample.py "$work/games.pgn" "$shared/corpora" otb_dev:60 lichess_dev:10 chess960_dev:5 annotated_dev:10
cat $tests/search_cases.pgn >>"$work/games.pgn"
for level in 1 2; do
    python3 $tests/index_appends.py "$stamma" "$work/games.pgn" "$work" "$trials" $level
done
