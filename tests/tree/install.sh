#!/bin/sh
# SPDX-License-Identifier: MIT
# `make install` installs all files in the right places. An example compiles against them with pkg-config, with static
# and shared linking. `make uninstall` removes all files.
set -eu
[ -z "$SANITIZE" ] || { echo "a sanitizer build is not for installing"; exit 77; }
command -v pkg-config >/dev/null || { echo "no pkg-config"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/usr
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES

make -s PREFIX="$prefix" install
for file in include/stamma.h include/stamma_plain.h lib/libstamma.a lib/libstamma.so lib/pkgconfig/stamma.pc \
    share/man/man1/stamma.1 share/man/man5/stamma.5 share/doc/stamma/doc/format/archive.md share/doc/stamma/CHANGELOG.md; do
    [ -e "$prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done
installed=$(cd "$prefix/share/doc/stamma" && find . -type f | sed 's|^\./||' | LC_ALL=C sort)
[ "$installed" = "$(scripts/linked_files | LC_ALL=C sort)" ] || { echo "the documents are not the linked files: $installed"; exit 1; }
generators/plain_header.py | cmp - "$prefix/include/stamma_plain.h"
for module in stamma_sqlite.so stamma.duckdb_extension; do
    [ ! -e "$BUILD/$module" ] || [ -e "$prefix/lib/stamma/$module" ] || { echo "not installed: $module"; exit 1; }
done
objdump -p "$prefix/lib/libstamma.so" | grep -q 'SONAME *libstamma\.so\.[0-9]*$'
[ ! -x "$STAMMA" ] || "$prefix/bin/stamma" --version
! objdump -t "$prefix/bin/stamma" | grep -q ' main$' || { echo "the installed command is not stripped"; exit 1; }
if command -v mandoc >/dev/null; then
    mandoc -Tlint -Werror "$prefix/share/man/man5/stamma.5"
fi

# The packages of Debian contain these files, each in one package, and have the version of the library.
tests/tree/debian_lists.py "$work"
version=$(sed -n 's/^.define STAMMA_VERSION "\(.*\)"/\1/p' include/stamma/base.h | tr - '~')
sed -n '1s/^stamma (\(.*\)-[0-9]*) .*/\1/p' debian/changelog | grep -qxF "$version" ||
    { echo "debian/changelog is not for version $version"; exit 1; }
for crate in stamma-sys stamma; do
    grep -qx "version = \"$(echo "$version" | tr '~' -)\"" bindings/rust/$crate/Cargo.toml ||
        { echo "the crate $crate is not version $version"; exit 1; }
done

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
# shellcheck disable=SC2046,SC2086
$CC -std=c11 $CFLAGS $(pkg-config --cflags stamma) -o "$work/shared" examples/legal_moves.c $(pkg-config --libs stamma)
LD_LIBRARY_PATH="$prefix/lib" "$work/shared" | diff - examples/legal_moves.expected
# shellcheck disable=SC2046,SC2086
$CC -std=c11 $CFLAGS $(pkg-config --cflags stamma) -o "$work/static" examples/legal_moves.c \
    "$prefix/lib/libstamma.a" $(pkg-config --libs-only-l --static stamma | sed 's/-lstamma//')
"$work/static" | diff - examples/legal_moves.expected

make -s PREFIX="$prefix" uninstall
left=$(find "$prefix" ! -type d)
[ -z "$left" ] || { echo "left over: $left"; exit 1; }
