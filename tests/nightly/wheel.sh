#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The wheel is complete (scripts/check_wheel), also after a build with other options in the same folder, and works
# without a compiler in fresh virtual environments of the oldest and the newest available CPython.
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

# Builds from a copy, because setuptools leaves files in the tree.
cp -R python "$work/python"
ln -s "$root/include" "$root/bindings" "$root/LICENSE" "$work/"
isolation=--no-build-isolation
if ! "$python" -c 'import setuptools, sys; sys.exit(int(setuptools.__version__.split(".")[0]) < 71)' 2>/dev/null; then
    isolation=
    "$python" -m pip download -q --no-deps -d "$work/try" setuptools 2>/dev/null ||
        { echo "there is no setuptools that builds wheels"; exit 77; }
fi
build_wheel() { # STATIC FOLDER
    STAMMA_STATIC=$1 STAMMA_LIBRARY=$build/libstamma.a "$python" -m pip --disable-pip-version-check wheel -q --no-deps \
        $isolation -w "$2" "$work/python" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}
# Each wheel contains only files that were built for it. The first wheel is for this machine, as built by `pip install
# ./python`.
build_wheel 0 "$work/own"
build_wheel 1 "$work/out"
build_wheel 0 "$work/own-again"
contents() { "$python" -m zipfile -l "$1"/stamma-*.whl | awk '{ print $1 }' | sort; }
contents "$work/own" | grep -q libbz2 && { echo "the wheel for this machine contains libbz2"; exit 1; }
[ "$(contents "$work/own")" = "$(contents "$work/own-again")" ] || { echo "a wheel contains files of an earlier build"; exit 1; }
wheel=$(echo "$work"/out/stamma-*.whl)

case $wheel in *-linux_*) echo "not glibc: $wheel"; exit 77 ;; esac
PYTHON=$python scripts/check_wheel "$wheel"

# Prints the available versions of CPython in ascending order.
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
