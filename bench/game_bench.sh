#!/bin/sh
# How long an open reader takes for a game by its number.
#
# usage: game_bench.sh [FILE...]     archives or PGN; run by `make bench BENCH=game`
#
# Without files it takes otb_dev and lichess_dev from $SHARED/corpora, unpacked by the zstd program.
set -eu
[ $# -gt 0 ] || exec bench/on_corpora "otb_dev lichess_dev" "$0"
exec "${BUILD:-build}/bench/game_bench" "$@"
