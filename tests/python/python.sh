#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the tests of the Python package in python/tests, with an extension module that is built from the library in
# $BUILD. With the address sanitizer only the tests of damaged archives and of failing allocations run, over modules
# that are built with the sanitizer. LONG=1: reads hostile archives for FUZZ_SECONDS, by default 600, and lets more
# allocations fail.
set -eu
root=$PWD build=$(realpath "${BUILD:-build}")
modules=$(dirname "$(scripts/setup --modules)")/python
python=${PYTHON:-python3}
command -v "$python" >/dev/null || { echo "there is no Python"; exit 77; }
headers=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
[ -e "$headers/Python.h" ] || { echo "there are no headers of Python"; exit 77; }
[ "$("$python" -c 'import sys; print(sys.version_info >= (3, 9))')" = True ] || { echo "Python is older than 3.9"; exit 77; }
[ -e "$build/libstamma.a" ] || { echo "the library is not built"; exit 77; }
flags='-O2 -g' only='' preload=''
case ${SANITIZE:-} in
'') ;;
address*)
    preload=$(${CC:-cc} -print-file-name=libasan.so)
    [ -e "$preload" ] || { echo "the sanitizer's library cannot be loaded before Python"; exit 77; }
    flags="-O1 -g -fsanitize=$SANITIZE" only='-k Damage -k Text -k Chess' ;;
*) echo "Python is not built with this sanitizer"; exit 77 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/package" "$work/run"
warnings='-Wall -Wextra -Wconversion -Werror'
export BUILD="$build"
scripts/build_python "$work/package" "$warnings $flags"
wrapped=-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
mkdir "$work/failing"
mv "$work/package/objects" "$work/failing"
scripts/build_python "$work/failing" "$warnings $flags" "$wrapped python/tests/failing_allocator.c"
# The fuzzer's mutator of archives. It must use the same libraries as the package.
mutator="fuzz/archive_mutator.c fuzz/columns_fuzz.c fuzz/large_blocks.c fuzz/mutation_run.c fuzz/replay.c fuzz/target.c"
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L $flags -fPIC -shared -Iinclude $mutator "$build/libstamma.a" -lzstd -lbz2 \
    -lxxhash -o "$work/mutator.so"
export STAMMA_MUTATOR="$work/mutator.so" STAMMA_FUZZ_SECONDS="${LONG:+${FUZZ_SECONDS:-600}}"
# The folder of modules may be for another version of Python; tests whose modules cannot be imported are skipped.
others=$root/python/tests${PYTHONPATH:+:$PYTHONPATH}
[ -d "$modules" ] && others=$others:$modules
export PYTHONPATH="$work/package:$others" PYTHONDONTWRITEBYTECODE=1
export OPENBLAS_NUM_THREADS=1 # NumPy's other threads would mostly wait
SHARED=$(realpath -m "${SHARED:-../shared}") STAMMA=$(realpath -m "${STAMMA:-$build/stamma}")
export SHARED STAMMA STAMMA_CHECKS="${modules%/python}/checks"
cp data/games.pgn "$work/run/"
cd "$work/run"
if [ -n "$preload" ]; then
    export LD_PRELOAD=$preload PYTHONMALLOC=malloc
    # Python itself keeps memory until it ends.
    export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
fi
"$python" -c 'import stamma; stamma.pack("games.pgn", "games.stamma")'
# shellcheck disable=SC2086
"$python" -W error::ResourceWarning -m unittest discover -q -s "$root/python/tests" $only
PYTHONPATH=$work/failing:$others "$python" -m unittest discover -q -s "$root/python/tests" -p test_memory.py
