#!/bin/sh
# The public header compiles alone, as C11 and as C++; nothing in the tree gives a warning; and one plain compiler command
# builds the library, with and without the processor's own instructions. All with each compiler that there is.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict='-Wall -Wextra -Wpedantic -Wconversion -Werror'
has() { command -v "$1" >/dev/null 2>&1; }

echo '#include "stamma.h"' >"$work/alone.c"
cp "$work/alone.c" "$work/alone.cc"
for cc in gcc clang; do
    has $cc || { echo "no $cc"; continue; }
    # shellcheck disable=SC2086
    $cc -std=c11 $strict -Iinclude -fsyntax-only "$work/alone.c"
    # shellcheck disable=SC2046,SC2086
    $cc -std=c11 $strict -Iinclude -Isrc -fsyntax-only $(ls src/*/*.c tools/*/*.c examples/*.c bench/*.c fuzz/*.c tests/*.c 2>/dev/null)
    for macro in STAMMA_NATIVE STAMMA_PORTABLE; do
        $cc -std=c11 -D$macro -Iinclude -Isrc examples/legal_moves.c src/*/*.c -lzstd -lbz2 -lxxhash -o "$work/legal_moves"
        "$work/legal_moves" | diff - examples/legal_moves.expected
    done
    echo "$cc: ok"
done
for cxx in g++ clang++; do
    has $cxx || { echo "no $cxx"; continue; }
    # shellcheck disable=SC2086
    $cxx -std=c++11 $strict -Iinclude -fsyntax-only "$work/alone.cc"
    echo "$cxx: ok"
done
