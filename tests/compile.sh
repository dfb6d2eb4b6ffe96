#!/bin/sh
# The public header compiles without other headers, as C11 and as C++. All files compile without warnings with every
# installed compiler. A single plain compiler command builds the library, without instructions of specific processors.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "nothing of it is built with sanitizers"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict='-Wall -Wextra -Wpedantic -Wconversion -Werror'
has() { command -v "$1" >/dev/null 2>&1; }

echo '#include "stamma.h"' >"$work/alone.c"
cp "$work/alone.c" "$work/alone.cc"
build_library() { # COMPILER [-DMACRO]
    # shellcheck disable=SC2068
    $@ -std=c11 -Iinclude -Isrc examples/legal_moves.c src/*/*.c -lzstd -lbz2 -lxxhash -o "$work/legal_moves"
    "$work/legal_moves" | diff - examples/legal_moves.expected
}
# Files that need a header that is not installed.
without='^$'
echo '#include <sqlite3.h>' | "${CC%% *}" -E -x c - >/dev/null 2>&1 || without='/sqlite/\|command_sql\|sql_print'
for cc in gcc clang; do
    has $cc || { echo "no $cc"; continue; }
    # shellcheck disable=SC2086
    $cc -std=c11 $strict -Iinclude -fsyntax-only "$work/alone.c"
    # shellcheck disable=SC2012,SC2086
    ls src/*/*.c tools/*/*.c tools/*/*/*.c bindings/*/*.c examples/*.c bench/*.c fuzz/*.c tests/*.c | grep -v "$without" |
        xargs -P 2 -n 60 $cc -std=c11 $strict -Iinclude -Isrc -Itools/stamma -Ibindings -fsyntax-only
    last=$cc
    echo "$cc: no warning"
done
build_library "$last" -DSTAMMA_PORTABLE
for cxx in g++ clang++; do
    has $cxx || { echo "no $cxx"; continue; }
    # shellcheck disable=SC2086
    $cxx -std=c++11 $strict -Iinclude -fsyntax-only "$work/alone.cc"
    echo "$cxx: ok"
done
