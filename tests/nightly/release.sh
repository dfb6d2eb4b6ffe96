#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The files of a release, built twice in different folders, are equal byte for byte. Each is what scripts/release/check_files
# requires. The static command passes tests of the command and works without any library, and writes the archives that
# the ordinary command writes; so does the command for ARM64, in an emulator. The wheels work in fresh virtual environments,
# and the source distribution can be built.
#
# RELEASE=FOLDER tests files that are already built in FOLDER, a clone with build/release, and builds nothing.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "releases have no sanitizers"; exit 77; }
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES CC CFLAGS CPPFLAGS LDFLAGS
root=$PWD ordinary=$(realpath "${STAMMA:-build/stamma}")
cache=$(dirname "$(scripts/setup --modules)")/release
[ -e "$cache/python/ziglang" ] && [ -z "$(scripts/release/third_party missing "$cache")" ] ||
    { echo "without zig or the third-party code: scripts/setup --release fetches them"; exit 77; }
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

# Both builds use the compiler's files of the same cache, which contains no result of Stamma's sources.
build() { # FOLDER
    git clone -q --no-hardlinks "$root" "$1"
    make -C "$1" -j "${JOBS:-2}" build/release/SHA256SUMS >"$work/log" 2>&1 || { tail -n 40 "$work/log"; exit 1; }
    ! grep 'warning:' "$work/log"
}
if [ -z "${RELEASE:-}" ]; then
    RELEASE=$work/one
    build "$work/one"
    sleep 1
    build "$work/another"
    diff "$work/one/build/release/SHA256SUMS" "$work/another/build/release/SHA256SUMS"
fi
files=$(realpath "$RELEASE/build/release")
(cd "$files" && sha256sum --quiet -c SHA256SUMS)
find "$files" -maxdepth 1 '(' -name '*.whl' -o -name '*.zip' -o -name '*-linux-*.gz' -o -name '*-macos-*.gz' ')' -print0 |
    xargs -0 scripts/release/check_files

scripts/release/test_command "$files/x86_64-linux-musl/stamma" "$ordinary"
if command -v qemu-aarch64 >/dev/null; then
    printf '#!/bin/sh\nexec qemu-aarch64 "%s" "$@"\n' "$files/aarch64-linux-musl/stamma" >"$work/stamma"
    chmod +x "$work/stamma"
    scripts/release/test_command "$work/stamma" "$ordinary" --few
else
    echo "no qemu-aarch64: the command for ARM64 is not run"
fi
scripts/release/test_wheels "$files"
scripts/release/try_files "$files"
if command -v wine >/dev/null; then
    WINEDEBUG=-all scripts/release/try_files "$files" --system windows-x86_64 --with wine
else
    echo "no wine: the command for Windows is not run"
fi
