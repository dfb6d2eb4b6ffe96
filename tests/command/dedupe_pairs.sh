#!/bin/sh
# SPDX-License-Identifier: MIT
# stamma dedupe finds constructed duplicates (bench/dedupe_pairs.py, which shares no code with it), and no other games.
set -eu
stamma=${STAMMA:-build/stamma}
corpus=${SHARED:-../shared}/corpora/otb_dev.pgn.zst
PYTHONPATH=${XDG_CACHE_HOME:-$HOME/.cache}/stamma/python
export PYTHONPATH
[ -e "$corpus" ] || { echo "no corpus otb_dev"; exit 77; }
command -v zstd >/dev/null || { echo "no zstd"; exit 77; }
python3 -c 'import chess.pgn' 2>/dev/null || { echo "no python-chess"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
zstd -q -d -c --long=27 "$corpus" 2>/dev/null | head -c 300000 >"$work/source.pgn" || true
python3 bench/dedupe_pairs.py make "$work/source.pgn" 200 "$work/pairs.pgn" "$work/truth"
"$stamma" pack -q -o "$work/pairs.stamma" "$work/pairs.pgn"
score=$("$stamma" dedupe -n "$work/pairs.stamma" | python3 bench/dedupe_pairs.py score "$work/truth")
# The only duplicates that may be missed have misspelled names.
case $(echo "$score" | grep -v typo | awk '/ of / && $2 != $4 + 0' | grep -v 'pairs\|listed')$(echo "$score" | tail -1) in
"pairs 1"*", precision 1.0000 "*", recall 0.9"[89]* | "pairs 1"*", precision 1.0000 "*", recall 1"*) ;;
*) echo "FAILED: $score"; exit 1 ;;
esac
