#!/bin/sh
# Bits a ply under the move predictor, by ply and by rating, on each corpus that nothing was trained on.
# usage: BUILD=build SHARED=../shared sh bench/predict.sh [GAMES]    the first GAMES games of each; 4,000
set -eu
corpora=${SHARED:-../shared}/corpora games=${1:-4000}
[ -d "$corpora" ] || { echo "predict: no $corpora: skipped"; exit 0; }
for file in "$corpora"/*_dev.pgn.zst; do
    case $file in *chess960*) continue ;; esac # from other positions
    zstd -dcq --long=27 "$file" 2>/dev/null | "${BUILD:-build}/bench/predict_games" "$(basename "$file" .pgn.zst)" "$games"
done
