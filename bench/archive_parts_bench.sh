#!/bin/sh
# How long games of an archive take as data, by what is asked for, beside unpacking.
#
# usage: archive_parts_bench.sh [FILE...]     archives or PGN; run by `make bench BENCH=archive_parts`
#
# Without files it takes otb_dev and lichess_dev from $SHARED/corpora, unpacked by the zstd program.
set -eu
[ $# -gt 0 ] || exec bench/on_corpora "otb_dev lichess_dev" "$0"
exec "${BUILD:-build}/bench/archive_parts_bench" "$@"
