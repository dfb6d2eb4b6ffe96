#!/bin/sh
# How long an open reader takes for a game by its number.
#
# usage: game_bench.sh [FILE...]     archives or PGN; run by `make bench BENCH=game`
#
# Without files it takes otb_dev and lichess_dev from $SHARED/corpora, unpacked by the zstd program.
set -eu
: "${BUILD:=build}" "${SHARED:=../shared}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -eq 0 ]; then
    for name in otb_dev lichess_dev; do
        [ -e "$SHARED/corpora/$name.pgn.zst" ] || { echo "game: no corpora in $SHARED; name files"; exit 0; }
        zstd -q -d --long=27 "$SHARED/corpora/$name.pgn.zst" -o "$work/$name.pgn"
    done
    set -- "$work"/*.pgn
fi
"$BUILD/bench/game_bench" "$@"
