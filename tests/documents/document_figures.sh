#!/bin/sh
# SPDX-License-Identifier: MIT
# The figures of README.md and of the documents are those of doc/figures.tsv, and the sizes of data/games.pgn there are those
# of this program: otherwise a change of the format left old figures in the documents. Another version of zstd packs other
# sizes; then only the documents are compared.
set -eu
[ -x "$STAMMA" ] || { echo "no command is built"; exit 77; }
measured=$(sed -n 's/^# zstd //p' doc/figures.tsv)
if [ "$(pkg-config --modversion libzstd)" = "$measured" ]; then
    exec python3 bench/figures.py --check "$STAMMA"
fi
echo "the sizes were measured with zstd $measured"
exec python3 bench/figures.py --check
