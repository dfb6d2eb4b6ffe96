#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the bits per ply of the move predictor, by ply and by rating, on each corpus that was not used for training;
# and of all its games in archives of levels 2 and 3, including every byte of the moves column.
#
# usage: BUILD=build SHARED=../shared sh bench/predict.sh [GAMES]    the first GAMES (default 4,000) games of each corpus
set -eu
corpora=${SHARED:-../shared}/corpora games=${1:-4000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -d "$corpora" ] || { echo "predict: no $corpora: skipped"; exit 0; }
for file in "$corpora"/*_dev.pgn.zst; do
    case $file in *chess960*) continue ;; esac # games that start from other positions
    for level in 2 3; do
        zstd -dcq --long=27 "$file" | "${BUILD:-build}/stamma" pack -q -$level -f --no-check -o "$work/out.stamma" -
        bits=$("${BUILD:-build}/stamma" info --json "$work/out.stamma" | sed 's/.*"bits_per_ply":\([0-9.]*\).*/\1/')
        echo "$(basename "$file" .pgn.zst): stored at level $level: $bits bits a ply"
    done
    zstd -dcq --long=27 "$file" 2>/dev/null | "${BUILD:-build}/bench/predict_games" "$(basename "$file" .pgn.zst)" "$games"
done
