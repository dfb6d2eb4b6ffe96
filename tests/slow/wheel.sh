#!/usr/bin/env bash
# The wheel has the platform tag of the oldest glibc on which it runs, contains all other libraries, and works without a
# compiler in fresh virtual environments of the oldest and the newest CPython at hand.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "the wheel has no sanitizers"; exit 77; }
root=$PWD build=$(realpath "${BUILD:-build}")
python=${PYTHON:-python3}
for program in "$python" readelf; do
    command -v "$program" >/dev/null || { echo "there is no $program"; exit 77; }
done
[ -e "$build/libstamma.a" ] || { echo "the library is not built"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Builds from a copy, since setuptools leaves files in the tree.
cp -R python "$work/python"
ln -s "$root/include" "$root/LICENSE" "$work/"
isolation=--no-build-isolation
if ! "$python" -c 'import setuptools, sys; sys.exit(int(setuptools.__version__.split(".")[0]) < 71)' 2>/dev/null; then
    isolation=
    "$python" -m pip download -q --no-deps -d "$work/try" setuptools 2>/dev/null ||
        { echo "there is no setuptools that builds wheels"; exit 77; }
fi
STAMMA_STATIC=1 STAMMA_LIBRARY=$build/libstamma.a "$python" -m pip --disable-pip-version-check wheel -q --no-deps \
    $isolation -w "$work/out" "$work/python" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
wheel=$(echo "$work"/out/stamma-*.whl)

# The tag is true: no symbol of a newer glibc, no other library, no path of this machine.
mkdir "$work/unpacked"
"$python" -m zipfile -e "$wheel" "$work/unpacked"
tag=$(basename "$wheel" .whl)
case $tag in
*-cp39-abi3-manylinux_2_*) ;;
*-cp39-abi3-linux_*) echo "not glibc: $tag"; exit 77 ;;
*) echo "unexpected name of the wheel: $tag"; exit 1 ;;
esac
minor=${tag##*manylinux_2_} minor=${minor%%_*}
for object in "$work"/unpacked/stamma/*.so*; do
    newest=$(readelf -VW "$object" | sed -n 's/.*Name: GLIBC_2\.\([0-9]*\).*/\1/p' | sort -n | tail -n 1)
    [ "$newest" -le "$minor" ] || { echo "$object needs glibc 2.$newest, but the tag is $tag"; exit 1; }
    for needed in $(readelf -dW "$object" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        case $needed in
        libc.so.6 | libm.so.6 | libpthread.so.0) ;;
        *) [ -e "$work/unpacked/stamma/$needed" ] || { echo "$object needs $needed"; exit 1; } ;;
        esac
    done
    paths=$(readelf -dW "$object" | sed -n 's/.*(RUNPATH).*\[\(.*\)\]/\1/p')
    case $paths in '' | "\$ORIGIN") ;; *) echo "$object searches libraries in $paths"; exit 1 ;; esac
done
if command -v auditwheel >/dev/null; then
    auditwheel show "$wheel" | tr '\n' ' ' | grep -q "platform tag: \"manylinux_2_${minor}_" ||
        { auditwheel show "$wheel"; exit 1; }
fi

# The licence of each library that the wheel contains is part of it, with its conditions and copyright.
licenses=$work/unpacked/$(basename "$wheel" | cut -d - -f 1,2).dist-info/licenses
cmp LICENSE "$licenses/LICENSE"
contains() {
    tr -s ' \n' ' ' <"$licenses/$1" | grep -qF "$2" || { echo "the licence $1 of the wheel lacks: $2"; exit 1; }
}
for library in zstd xxHash; do
    contains $library.txt "Yann Collet"
    contains $library.txt "Redistributions in binary form must reproduce the above copyright notice"
done
contains bzip2.txt "Julian R Seward"
contains bzip2.txt "Altered source versions must be plainly marked as such"
grep -q 'licenses/bzip2.txt,sha256=' "${licenses%/licenses}/RECORD" || { echo "RECORD lacks the licences"; exit 1; }

# The versions of CPython at hand, in ascending order.
versions() {
    for minor in $(seq 9 30); do
        for candidate in "python3.$minor" "${PYENV_ROOT:-$HOME/.pyenv}/versions/3.$minor".*/bin/python3; do
            if found=$(command -v "$candidate") && "$found" -c "import sys, venv, ensurepip
sys.exit(sys.version_info[:2] != (3, $minor))" 2>/dev/null; then
                echo "$found"
                break
            fi
        done
    done
}
versions >"$work/versions"
[ -s "$work/versions" ] || { echo "no Python has the module venv"; exit 77; }
mkdir "$work/run"
cp data/games.pgn "$work/run/"
cd "$work/run"
for version in $(sed -n '1p;$p' "$work/versions" | uniq); do
    rm -rf "$work/fresh"
    "$version" -m venv "$work/fresh"
    (
        PATH=$work/fresh/bin
        unset PYTHONPATH LD_LIBRARY_PATH
        export PYTHONDONTWRITEBYTECODE=1
        pip --disable-pip-version-check install -q --no-index --no-deps "$wheel"
        python -c 'import stamma, sys; stamma.pack("games.pgn", "games.stamma", overwrite=True); print(sys.version.split()[0])'
        python -m unittest discover -q -s "$root/python/tests" -p test_reading.py 2>&1
    )
done
