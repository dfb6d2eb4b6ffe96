#!/bin/sh
# Every example prints what examples/NAME.expected holds.
set -eu
for source in examples/*.c; do
    name=$(basename "$source" .c)
    "$BUILD/examples/$name" | diff "examples/$name.expected" -
    echo "$name: ok"
done
