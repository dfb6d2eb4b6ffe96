#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Errors of the library do not lose data: a block that would not unpack correctly is found before it is written, stored
# as text, and reported.
set -u
case ${SANITIZE:-} in *memory*) echo "its command is linked without tests/memory_sanitizer"; exit 77 ;; esac
. tests/support/command_support.bash
build=$(realpath "${BUILD:-build}")
cat >"$scratch/fault.c" <<'C'
/* A layout that takes any record of a player named Fault to be laid out as the last style says. */
#include "archive/archive.h"
bool __real_stamma_stands_as_rendered(const record *r, const style *s);
bool __wrap_stamma_stands_as_rendered(const record *r, const style *s);
bool __wrap_stamma_stands_as_rendered(const record *r, const style *s)
{
    stamma_text white = stamma_record_tag(r, "White");
    bool faulty = white.size == 5 && memcmp(white.data, "Fault", 5) == 0;
    return faulty || __real_stamma_stands_as_rendered(r, s);
}
C
echo 'int main(void) { return 0; }' >"$scratch/none.c"
${CC:-cc} "$scratch/none.c" -Wl,--wrap=none -o "$scratch/none" 2>/dev/null || { echo "this linker wraps no functions"; exit 77; }
sqlite=-lsqlite3
"$stamma" sql --help | grep -q "^Not available" && sqlite= # built without SQLite
fathom=-lfathom
${CC:-cc} "$scratch/none.c" $fathom -o "$scratch/none" 2>/dev/null || fathom= # built without Fathom
# shellcheck disable=SC2086
${CC:-cc} -std=c11 ${SANITIZE:+-fsanitize=$SANITIZE} ${CFLAGS:-} -D_GNU_SOURCE -Isrc -Iinclude "$scratch/fault.c" \
    "$build"/tools/stamma/main.o "$build/tools.a" "$build/libstamma.a" -Wl,--wrap=stamma_stands_as_rendered \
    -lcivetweb $sqlite $fathom -lzstd -lbz2 -lxxhash -lz -llzma -lmd -lm -pthread -o "$scratch/faulty" || exit 1
cd "$scratch" || exit 1

game() { printf '[White "%s"]\n\n1. e4%se5 1-0\n\n' "$1" "$2"; }
{ game a ' '; game Fault '   '; game b ' '; } >games.pgn
checks=0
expect() { checks=$((checks + 1)); eval "$1" || fail "$1"; }

for options in "" "-T 2" "--quiet"; do
    fathom=-lfathom
${CC:-cc} "$scratch/none.c" $fathom -o "$scratch/none" 2>/dev/null || fathom= # built without Fathom
# shellcheck disable=SC2086
    ./faulty pack $options -f -o a.stamma games.pgn 2>err
    expect "[ $? -eq 0 ]"
    expect 'grep -q "1 game failed the round-trip check and was kept as text.*Please report it" err'
    "$stamma" unpack -f -o back.pgn a.stamma
    expect 'cmp -s back.pgn games.pgn'
    expect '"$stamma" verify -q a.stamma'
    expect '"$stamma" info a.stamma | grep -q "error in stamma"'
done
./faulty pack -f -o a.stamma games.pgn 2>err
expect 'grep -q "games.pgn.*game 2.*error in stamma" err'
cp a.stamma b.stamma
./faulty append b.stamma games.pgn 2>err
expect 'grep -q "Please report it" err'
"$stamma" unpack -f -o back.pgn b.stamma
expect 'cat games.pgn games.pgn | cmp -s - back.pgn'
# Without the check, errors are not noticed.
./faulty pack --no-check -f -o c.stamma games.pgn 2>err
expect '! grep -q report err'
"$stamma" unpack -f -o back.pgn c.stamma 2>/dev/null
expect '! cmp -s back.pgn games.pgn'
finish
