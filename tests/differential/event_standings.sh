#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Standings of all events of the corpus twic_dev, compared with a computation with python-chess, and with published final
# standings of ten of them.
set -eu
shared=${SHARED:-../shared} stamma=$(realpath "${STAMMA:-${BUILD:-build}/stamma}")
tests=tests/differential
[ -e "$shared/corpora/twic_dev.pgn.zst" ] || { echo "no $shared/corpora/twic_dev.pgn.zst"; exit 77; }
PYTHONPATH=$(dirname "$(scripts/setup --modules)")/python
export PYTHONPATH
python3 -c 'import chess' 2>/dev/null || { echo "no python-chess"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
zstd -dcq --long=27 "$shared/corpora/twic_dev.pgn.zst" >"$work/twic.pgn"
"$stamma" pack -q "$work/twic.pgn"
"$stamma" event "$work/twic.stamma" -q --all --json >"$work/events.json"
python3 $tests/event_published.py $tests/event_published.tsv "$work/events.json"
python3 $tests/event_oracle.py "$work/twic.pgn" "$work/events.json"
