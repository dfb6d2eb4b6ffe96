#!/bin/sh
# How long games of an archive take as data, by what is asked for, beside unpacking.
#
# usage: archive_parts_bench.sh [FILE...]     archives or PGN; run by `make bench BENCH=archive_parts`
#
# Without files it takes otb_dev and lichess_dev from $SHARED/corpora, unpacked by the zstd program.
set -eu
: "${BUILD:=build}" "${SHARED:=../shared}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -eq 0 ]; then
    for name in otb_dev lichess_dev; do
        [ -e "$SHARED/corpora/$name.pgn.zst" ] || { echo "archive_parts: no corpora in $SHARED; name files"; exit 0; }
        zstd -q -d --long=27 "$SHARED/corpora/$name.pgn.zst" -o "$work/$name.pgn"
    done
    set -- "$work"/*.pgn
fi
"$BUILD/bench/archive_parts_bench" "$@"
