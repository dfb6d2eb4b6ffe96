#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares the static command of a release with the ordinary command: packing, unpacking, reading all games, searches
# without an index file, the tree of openings, statistics and SQL. Prints the medians of five runs of each, which alternate:
# processor seconds of both, and their ratio.
#
# usage: release_command.sh [FILE.pgn...]     run by `make bench BENCH=release_command`, after `make release-linux`
#
# Without files, uses otb_dev and lichess_dump_dev from $SHARED/corpora, decompressed with zstd. OTHER is the other command,
# build/release/x86_64-linux-musl/stamma unless set.
set -eu
: "${STAMMA:=build/stamma}" "${OTHER:=build/release/$(uname -m)-linux-musl/stamma}"
[ -e "$OTHER" ] || { echo "there is no $OTHER: make release-linux builds it"; exit 77; }
[ $# -gt 0 ] || exec bench/on_corpora "otb_dev lichess_dump_dev" "$0"
exec "${PYTHON:-python3}" bench/release_command.py "$STAMMA" "$OTHER" "$@"
