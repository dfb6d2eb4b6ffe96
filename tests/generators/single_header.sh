#!/bin/sh
# SPDX-License-Identifier: MIT
# The single header compiles as C99, C11 and C++17 without warnings, with gcc and clang, also if two files include it. It is
# shorter than 5,000 lines. All that it returns for the positions of golden games and sample games equals what the library
# returns. LONG=1: more sample games.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "nothing of it is built with sanitizers"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict='-Wall -Wextra -Wpedantic -Wconversion -Werror'
has() { command -v "$1" >/dev/null 2>&1; }

"${PYTHON:-python3}" generators/single_header.py >"$work/stamma_encodings.h"
lines=$(wc -l <"$work/stamma_encodings.h")
echo "$lines lines"
[ "$lines" -lt 5000 ]
printf '#define STAMMA_ENCODINGS_IMPLEMENTATION\n#include "stamma_encodings.h"\n' >"$work/functions.c"
printf '#define STAMMA_ENCODINGS_STATIC\n#include "functions.c"\n' >"$work/static.c"

# compile COMPILER STANDARD LANGUAGE: builds the program of two files, and the functions as static ones.
compile() {
    has "$1" || { echo "no $1"; return 0; }
    # shellcheck disable=SC2086
    "$1" -std="$2" $strict -I"$work" -x "$3" -fsyntax-only "$work/static.c"
    # shellcheck disable=SC2086
    "$1" -std="$2" $strict -I"$work" -DSINGLE_HEADER -x "$3" "$work/functions.c" tests/generators/header_values.c -o "$work/$1-$2"
    "$work/$1-$2" <"$work/few" >"$work/$1-$2.out"
    cmp "$work/expected_few" "$work/$1-$2.out"
    echo "$1 $2: the same values"
}

# What the library returns. All games are compared with one compiler, some with each.
# shellcheck disable=SC2086
$CC -std=c11 $CFLAGS -O2 -Iinclude tests/generators/header_values.c "$BUILD/libstamma.a" -lzstd -lbz2 -lxxhash -lm -o "$work/library"
"${PYTHON:-python3}" generators/golden_games.py --uci tests/data/golden/null-moves.json tests/data/golden/promotions.json >"$work/few"
"${PYTHON:-python3}" generators/golden_games.py --uci tests/data/golden/*.json >"$work/all"
"$STAMMA" pack data/games.pgn -o "$work/games.stamma" >/dev/null 2>&1
games=4
[ -z "${LONG:-}" ] || games=last
"$STAMMA" cat --format uci "$work/games.stamma" "1..$games" >>"$work/all"
"$work/library" <"$work/few" >"$work/expected_few"
"$work/library" <"$work/all" >"$work/expected"

for standard in c99 c11; do
    compile gcc $standard c
    compile clang $standard c
done
compile g++ c++17 c++
compile clang++ c++17 c++
# shellcheck disable=SC2086
$CC -std=c11 $strict -O2 -I"$work" -DSINGLE_HEADER "$work/functions.c" tests/generators/header_values.c -o "$work/header"
"$work/header" <"$work/all" | diff "$work/expected" -
tail -n 1 "$work/expected"
