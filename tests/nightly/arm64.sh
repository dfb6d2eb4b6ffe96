#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The library and the command, built for ARM64 and run in an emulator, write the same archives at every level and the
# same index files as this machine, and unpack its archives. The tests of bits, coders, predictor and keys of positions,
# on which archives depend, also pass. `make check-platforms` also compares searches and other architectures.
# shellcheck disable=SC2012,SC2046,SC2086
set -u
. tests/support/command_support.bash
[ -z "${SANITIZE:-}" ] || { echo "the plain build alone is compared"; exit 77; }
libraries=$(dirname "$(scripts/setup --modules)")/arm64
cross=aarch64-linux-gnu
for program in $cross-gcc qemu-aarch64; do
    command -v $program >/dev/null || { echo "no $program"; exit 77; }
done
[ -e "$libraries/complete" ] || { echo "no libraries of arm64 in $libraries"; exit 77; }
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES
build=${BUILD:-build}/arm64
root=$PWD
paths=("$libraries/usr/lib/$cross" "$libraries/lib/$cross") # Debian's packages use both folders
tests=(bits hash residual range_coder mixed_coder predict adaptive field_column field_mixer attack_tables archive_files position_target)
sources=$(ls src/*/*.c | grep -v '/\(answers\|boards\|encodings\)/') # archives do not depend on these
link="${paths[*]/#/-L} ${paths[*]/#/-Wl,-rpath-link,} -Wl,-rpath-link,/usr/$cross/lib"
compile="$cross-gcc -std=c11 -O1 -isystem $libraries/usr/include"
{
    make -s -j "${JOBS:-2}" BUILD="$build" CC=$cross-gcc AR=$cross-ar SANITIZE='' CFLAGS='-O1 -Werror' SOURCES="$sources" \
        CPPFLAGS="-isystem $libraries/usr/include" LDFLAGS="$link" "$build/libstamma.a" "$build/tests/support.a" &&
        packing_command . "$build" $compile $link &&
        for name in "${tests[@]}"; do
            $compile -Werror -Iinclude -Isrc -Itests/unit/support tests/unit/*/"${name}_test.c" -o "$build/tests/${name}_test" \
                "$build/tests/support.a" "$build/libstamma.a" $link -lcmocka -lzstd -lbz2 -lxxhash -lm || exit 1
        done
} >"$scratch/make" 2>&1 || { tail -n 20 "$scratch/make"; exit 1; }

export QEMU_LD_PREFIX=/usr/$cross
there() { (cd "$root" && qemu-aarch64 -E LD_LIBRARY_PATH="${paths[0]}:${paths[1]}" "$@"); }

games=$root/data/games.pgn
cd "$scratch" || exit 1
for level in 1 2 3; do
    run 0 pack -q -"$level" -o "here$level" "$games"
    there "$build/stamma" pack -q -"$level" -o "$scratch/there$level" "$games" || fail "packing at level $level"
    same "here$level" "there$level"
    there "$build/stamma" unpack -q -f -o "$scratch/games" "$scratch/here$level" || fail "unpacking level $level"
    same "$games" games
done
for level in 1 2; do
    run 0 index -q "here$level"
    there "$build/stamma" index -q "$scratch/there$level" || fail "indexing level $level"
    same "here$level.index" "there$level.index"
done
for name in "${tests[@]}"; do
    checks=$((checks + 1))
    there "$build/tests/${name}_test" >err 2>&1 || fail "${name}_test" "$(tail -n 5 err)"
done
finish
