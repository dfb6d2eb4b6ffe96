#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares the module for WebAssembly with the command and with packages of npm, on 20 MB of games (web_speed.mjs).
PGN=../shared/corpora/otb_train.pgn.zst
[ -e build/web/stamma.wasm ] && [ -e "$PGN" ] && command -v node >/dev/null || { echo "no build/web (make wasm), corpus or node"; exit 0; }
file=$(mktemp)
trap 'rm -f "$file"' EXIT
zstd -dc "$PGN" 2>/dev/null | head -c 20000000 >"$file"
node bench/web_speed.mjs "$file" 20000000 400000
