#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures the processor time of each request that the page of `stamma serve` makes when a view is opened.
#
# usage: page_requests.sh [ARCHIVE]     run by `make bench BENCH=page_requests`; needs Chromium
#
# Without an archive, packs and indexes otb_train from $SHARED/corpora.
set -eu
: "${STAMMA:=build/stamma}" "${SHARED:=../shared}"
export STAMMA
python3 -c 'import sys; sys.path.insert(0, "tests/support"); import browser; sys.exit(not browser.program())' || { echo "page_requests: no Chromium"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ $# -eq 0 ]; then
    [ -e "$SHARED/corpora/otb_train.pgn.zst" ] || { echo "page_requests: no corpora in $SHARED; name an archive"; exit 0; }
    "$STAMMA" pack -q -o "$work/otb_train.stamma" "$SHARED/corpora/otb_train.pgn.zst"
    "$STAMMA" index -q "$work/otb_train.stamma"
    set -- "$work/otb_train.stamma"
fi
python3 bench/page_requests.py "$STAMMA" "$1"
