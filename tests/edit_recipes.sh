#!/usr/bin/env bash
# Each recipe of doc/edit.md and doc/classify.md prints what the page shows.
set -eu
stamma=$(realpath "$STAMMA") root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/run"
ln -s "$stamma" "$work/bin/stamma"
cd "$work/run"
"$stamma" pack -q -o games.stamma "$root/data/games.pgn"
for page in edit classify; do
    PATH="$work/bin:$PATH" python3 "$root/tests/run_recipes.py" "$root/doc/$page.md" "$@"
done
