#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures the explorer's response times, with its client on the same machine: cold start, single requests, a constant
# rate, filters by names of players, and new moves of games.
#
# usage: serve.sh [ARCHIVE [RATE [SECONDS]]]     run by `make bench BENCH=serve`
#
# Without an archive, packs otb_train from $SHARED/corpora. The server uses two threads for searches.
set -eu
: "${STAMMA:=build/stamma}" "${SHARED:=../shared}"
command -v python3 >/dev/null || { echo "serve: no python3"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ $# -eq 0 ]; then
    [ -e "$SHARED/corpora/otb_train.pgn.zst" ] || { echo "serve: no corpora in $SHARED; name an archive"; exit 0; }
    "$STAMMA" pack -q -o "$work/otb_train.stamma" "$SHARED/corpora/otb_train.pgn.zst"
    set -- "$work/otb_train.stamma"
fi
python3 bench/serve_load.py "$STAMMA" "$@"
python3 bench/serve_names.py "$STAMMA" "$1"
python3 bench/serve_novelties.py "$STAMMA" "$1"
