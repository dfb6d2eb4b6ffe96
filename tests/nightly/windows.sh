#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The static library compiles for Windows with mingw-w64 and the UCRT, without warnings. It is not run. The headers of
# zstd, bzip2 and xxHash are the headers of this system, because they are the same on all systems.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "only the plain build is compiled"; exit 77; }
cross=x86_64-w64-mingw32
command -v $cross-gcc >/dev/null || { echo "no $cross-gcc: scripts/setup --windows installs it"; exit 77; }
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES
build=${BUILD:-build}/windows
mkdir -p "$build/include"
printf '#include <%s>\n' zstd.h bzlib.h xxhash.h | "${CC:-cc}" -M -x c - | tr ' ' '\n' |
    grep -E '/(zstd|zstd_errors|bzlib|xxhash|xxh3)\.h$' | xargs -I '{}' cp '{}' "$build/include/"
make -s -j "${JOBS:-2}" BUILD="$build" CC=$cross-gcc AR=$cross-ar CFLAGS='-O1 -Werror' LDFLAGS='' \
    CPPFLAGS="-isystem $build/include -D_UCRT" "$build/libstamma.a"
