#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The list of third-party code agrees with the other lists, and a wrong version, hash or licence is reported. If
# `scripts/setup --release` has fetched the code, the notices contain each licence, the rules of make contain the
# sources of each library for each system, and the packages for Python do not depend on when and where they are built.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts/release/third_party check

# Other lists report a changed line.
mkdir -p "$work/scripts"
cp -R scripts/packages scripts/release "$work/scripts/"
changed() { # NAME COLUMN VALUE: the check fails if a field of the list has another value
    awk -F '\t' -v OFS='\t' -v name="$1" -v column="$2" -v value="$3" '$1 == name { $column = value } 1' \
        scripts/packages/third_party.tsv >"$work/scripts/packages/third_party.tsv"
    if "$work/scripts/release/third_party" check 2>"$work/error"; then
        echo "field $2 of $1 may be $3"
        exit 1
    fi
    grep -q "third_party.tsv: $1:" "$work/error"
}
changed cm-chessboard 2 9.9.9
changed nanoarrow 5 0000
changed musl 4 ziglang==9.9.9
changed zstd 5 -
changed xz 6 -
changed sqlite 11 wheels

cache=$(dirname "$(scripts/setup --modules)")/release
[ -e "$cache/python/setuptools" ] && [ -z "$(scripts/release/third_party missing "$cache")" ] ||
    { echo "without the third-party code: scripts/setup --release fetches it"; exit 0; }
scripts/release/third_party licenses "$cache" >"$work/notices"
for text in 'Yann Collet' 'Julian R Seward' 'Jean-loup Gailly' 'The CivetWeb developers' 'Aaron D. Gifford' 'Apache License' 'Stefan Haack' \
    'Rich Felker' 'mingw-w64 project' 'Zig contributors'; do
    grep -qF "$text" "$work/notices" || { echo "the notices lack: $text"; exit 1; }
done
for target in x86_64-linux-musl aarch64-windows-gnu aarch64-macos.11.0; do
    scripts/release/third_party rules "$cache" $target >"$work/rules"
    for file in zstd/zstd/lib/compress/zstd_opt.c bzip2/bzip2-1.0.8/bzlib.c xxhash/xxhash.c xz/xz/src/liblzma/lzma/lzma2_decoder.c \
        zlib/src/zlib/inflate.c sqlite/sqlite3/sqlite3.c civetweb/src/civetweb.c libmd/src/sha2.c; do
        grep -q "^OBJECTS_OF_.*third_party)*/$file.o" "$work/rules" || { echo "no rule for $file"; exit 1; }
    done
done

# Packages that are built twice, from files with other times, are equal.
echo module >"$work/_stamma.abi3.so"
for folder in one two; do
    mkdir "$work/$folder"
    cp -R python include src bindings Makefile LICENSE scripts "$work/$folder/"
    [ $folder = two ] || find "$work/$folder" -exec touch -d 2001-02-03 {} +
    (
        export SOURCE_DATE_EPOCH=1700000000
        umask "$([ $folder = one ] && echo 022 || echo 077)"
        mkdir "$work/$folder/out"
        "$work/$folder/scripts/release/python_package" "$work/$folder/out"
        "$work/$folder/scripts/release/python_package" "$work/$folder/out" win_amd64 "$work/_stamma.abi3.so" "$work/notices"
        cd "$work/$folder/out"
        "$OLDPWD/scripts/release/archive" files.zip files ../LICENSE ../Makefile=stamma.exe
        "$OLDPWD/scripts/release/archive" files.tar.gz files ../Makefile=stamma ../LICENSE
        sha256sum ./* >../sums
    )
done
cmp "$work/one/sums" "$work/two/sums"
[ "$(wc -l <"$work/one/sums")" = 4 ]
