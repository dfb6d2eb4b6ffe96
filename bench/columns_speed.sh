#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the Arrow tables of archives, compared with the reader of games, and with other programs that read the same
# columns (columns_peers.py).
#
# usage: columns_speed.sh [FILE...]     archives or PGN; run by `make bench BENCH=columns`
#
# Without files, uses otb_train (325,184 games) from $SHARED/corpora, decompressed with zstd.
set -eu
[ $# -gt 0 ] || exec bench/on_corpora "otb_train" "$0"
"${BUILD:-build}/bench/columns_bench" "$@"
package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT
scripts/build_python "$package"
PYTHONPATH=$package:$(dirname "$(scripts/setup --modules)")/python
export PYTHONPATH
for file in "$@"; do
    python3 bench/columns_peers.py "$file"
done
