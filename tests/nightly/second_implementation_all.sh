#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares 100,000 values of each code of tests/encodings/second_implementation.mjs with the library: games of corpora, drawn
# games, and random games with many promotions and of Chess960. Also compares perft numbers. VALUES=n: n values.
set -eu
command -v node >/dev/null || { echo "no node"; exit 77; }
build=${BUILD:-build} shared=${SHARED:-../shared}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp data/games.pgn "$folder"
for name in otb lichess lichess_dump chess960; do
    corpus=$shared/corpora/${name}_dev.pgn.zst
    [ ! -r "$corpus" ] || { zstd -dcq "$corpus" 2>/dev/null || true; } | head -n 60000 >"$folder/$name.pgn"
done
[ ! -x "$build/generators/sample_games" ] || "$build/generators/sample_games" --games 300 >"$folder/drawn.pgn"
[ ! -d "$shared/perft" ] || node tests/encodings/perft_check.mjs 20000 "$shared"/perft/*.perft
for group in moves games positions; do
    node tests/encodings/second_implementation.mjs "${STAMMA:-$build/stamma}" "${VALUES:-100000}" "$group" "$folder"/*.pgn
done
node tests/encodings/second_implementation.mjs "${STAMMA:-$build/stamma}" 100 decoding
