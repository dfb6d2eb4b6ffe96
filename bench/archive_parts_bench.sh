#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the time to read games of an archive as data, by the parts requested, compared with unpacking.
#
# usage: archive_parts_bench.sh [FILE...]     archives or PGN; run by `make bench BENCH=archive_parts`
#
# Without files, uses otb_dev and lichess_dev from $SHARED/corpora, decompressed with zstd.
set -eu
[ $# -gt 0 ] || exec bench/on_corpora "otb_dev lichess_dev" "$0"
exec "${BUILD:-build}/bench/archive_parts_bench" "$@"
