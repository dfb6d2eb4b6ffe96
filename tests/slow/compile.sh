#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public header compiles without other headers, as C11 and as C++. All files compile without warnings with gcc or
# clang: with the compiler that did not build the tested programs. The build reports the warnings of its compiler
# (.ci/run: as errors). A single plain compiler command builds the library, without instructions of specific processors.
# shellcheck disable=SC2012,SC2086
set -eu
[ -z "${SANITIZE:-}" ] || { echo "nothing of it is built with sanitizers"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict='-Wall -Wextra -Wpedantic -Wconversion -Werror'
has() { command -v "$1" >/dev/null 2>&1; }

for header in include/stamma.h include/stamma/*.h; do
    echo "#include \"${header#include/}\"" >"$work/alone-$(basename "$header" .h).c"
done
echo '#include "stamma.h"' >"$work/alone.c"
build_library() { # COMPILER
    $1 -std=c11 $strict -DSTAMMA_PORTABLE -Iinclude -Isrc examples/legal_moves.c src/*/*.c -lzstd -lbz2 -lxxhash -o "$work/legal_moves"
    "$work/legal_moves" | diff - examples/legal_moves.expected
}
# Prints the files that build_library does not compile, or compiles only partly. Files that need a header that is not
# installed are omitted.
duckdb=$(dirname "$(scripts/setup --modules)")/duckdb
other_files() {
    without='/windows_\|/macos_' # files of other systems
    echo '#include <sqlite3.h>' | "${CC%% *}" -E -x c - >/dev/null 2>&1 || without="$without\|/sqlite/\|command_sql\|sql_print"
    [ -e "$duckdb/version" ] || without="$without\|/duckdb/"
    grep -l 'STAMMA_PORTABLE\|STAMMA_HAVE_' src/*/*.c
    ls tools/*/*.c tools/*/*/*.c bindings/*/*.c examples/*.c bench/*.c fuzz/*.c tests/unit/support/*.c tests/unit/*/*_test.c | grep -v "$without"
}
built=gcc other=clang
! $CC -dM -E -x c /dev/null | grep -q __clang__ || { built=clang other=gcc; }
for cc in gcc clang; do
    has $cc || { echo "no $cc"; continue; }
    $cc -std=c11 $strict -Iinclude -fsyntax-only "$work"/alone*.c
done
if has $other; then
    first= # -Xclang passes files to the process of the first file: half of the time is the start of the compiler
    [ $other = gcc ] || first=$work/alone.c
    other_files | sed "s/^/${first:+-Xclang }/" |
        xargs -P 2 -n 120 $other -std=c11 $strict -Iinclude -Isrc -Itests/unit/support -Itools/stamma -Ibindings -isystem "$duckdb" -fsyntax-only $first
    build_library $other
    echo "$other: no warning"
else
    build_library $built
fi
for cxx in g++ clang++; do
    has $cxx || { echo "no $cxx"; continue; }
    $cxx -std=c++11 $strict -Iinclude -fsyntax-only -x c++ "$work"/alone*.c
    echo "$cxx: ok"
done
