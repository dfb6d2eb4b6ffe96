#!/bin/sh
# SPDX-License-Identifier: MIT
# Every example prints the contents of examples/NAME.expected.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$STAMMA" pack -q -o "$work/games.stamma" data/games.pgn
"$STAMMA" index -q "$work/games.stamma"
for source in examples/*.c; do
    name=$(basename "$source" .c)
    case $name in
    archive_over_callbacks) set -- "$work/games.stamma" "$work/games.stamma.index" ;;
    *) set -- ;;
    esac
    "$BUILD/examples/$name" "$@" | diff "examples/$name.expected" -
    echo "$name: ok"
done
