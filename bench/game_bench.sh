#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the time that an open reader needs to read a game by its number.
#
# usage: game_bench.sh [FILE...]     archives or PGN; run by `make bench BENCH=game`
#
# Without files, uses otb_dev and lichess_dev from $SHARED/corpora, decompressed with zstd.
set -eu
[ $# -gt 0 ] || exec bench/on_corpora "otb_dev lichess_dev" "$0"
exec "${BUILD:-build}/bench/game_bench" "$@"
