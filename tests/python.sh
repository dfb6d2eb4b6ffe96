#!/usr/bin/env bash
# The Python package: its tests in python/tests, with an extension module that is built from the library in $BUILD.
# With the address sanitizer only the tests of damaged archives run, over a module that is built with the sanitizer.
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
BUILD=$build scripts/build_python "$work/package" "-Wall -Wextra -Wconversion -Werror $flags"
# The folder of modules may be for another version of Python; tests whose modules cannot be imported are skipped.
PYTHONPATH=$work/package:$root/python/tests${PYTHONPATH:+:$PYTHONPATH}
[ -d "$modules" ] && PYTHONPATH=$PYTHONPATH:$modules
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1
SHARED=$(realpath -m "${SHARED:-../shared}") STAMMA=$(realpath -m "${STAMMA:-$build/stamma}")
export SHARED STAMMA
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
