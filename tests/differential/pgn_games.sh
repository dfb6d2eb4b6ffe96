#!/bin/sh
# SPDX-License-Identifier: MIT
# The numbers of games and plies and the last positions of real files equal the results of pgn-extract.
set -eu
shared=${SHARED:-../shared} build=${BUILD:-build}
command -v pgn-extract >/dev/null || { echo "no pgn-extract"; exit 77; }
[ -e "$shared/corpora/otb_dev.pgn.zst" ] || { echo "no $shared/corpora/otb_dev.pgn.zst"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -O1 ${SANITIZE:+-fsanitize=$SANITIZE} ${CFLAGS:-} -Iinclude tests/differential/list_games.c \
    "$build/libstamma.a" -lzstd -lbz2 -lxxhash -o "$work/list_games"
for corpus in ${CORPUS:-otb_dev lichess_dev chesscom_dev chess960_dev}; do
    zstd -dcq --long=27 "$shared/corpora/$corpus.pgn.zst" >"$work/games.pgn"
    printf '%s: ' "$corpus"
    python3 tests/differential/pgn_games.py "$work/list_games" "$work/games.pgn"
done
