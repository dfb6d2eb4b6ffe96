#!/bin/sh
# Prints how many constructed duplicates `stamma dedupe` and pgn-extract find (doc/dedupe.md), and the time and memory of
# `stamma dedupe` on corpora.
#
# usage: dedupe.sh [FILE.pgn...]     run by `make bench BENCH=dedupe`
#
# The first file supplies the games that bench/dedupe_pairs.py changes. Without files, uses otb_dev, otb_train and
# twic_dev from $SHARED/corpora.
set -eu
[ $# -gt 0 ] || exec bench/on_corpora "otb_dev otb_train twic_dev" "$0"
stamma=${BUILD:-build}/stamma
PYTHONPATH=${XDG_CACHE_HOME:-$HOME/.cache}/stamma/python
export PYTHONPATH
PATH=$PATH:/usr/games # Debian's folder of pgn-extract
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 bench/dedupe_pairs.py make "$1" 3600 "$work/pairs.pgn" "$work/truth"
"$stamma" pack -q -o "$work/pairs.stamma" "$work/pairs.pgn"
echo "stamma dedupe"
"$stamma" dedupe --dry-run "$work/pairs.stamma" | python3 bench/dedupe_pairs.py score "$work/truth"
if command -v pgn-extract >/dev/null; then
    echo "pgn-extract -D"
    pgn-extract -s -D -o "$work/kept.pgn" "$work/pairs.pgn" 2>/dev/null
    python3 bench/dedupe_pairs.py score-kept "$work/truth" "$work/kept.pgn"
fi

n=0
for file in "$@"; do
    "$stamma" pack -q -o "$work/$n.stamma" "$file"
    n=$((n + 1))
done
echo "all files together, seconds and KiB of memory:"
command -v /usr/bin/time >/dev/null && time="/usr/bin/time -f %e,%M" || time=
$time "$stamma" dedupe -f -o "$work/out" "$work"/[0-9]*.stamma
if command -v pgn-extract >/dev/null; then
    echo "pgn-extract -D, the same files"
    $time pgn-extract -s -D -o "$work/kept.pgn" "$@" 2>&1 | tail -1
    echo "$(grep -c '^\[Event ' "$work/kept.pgn") games kept"
fi
