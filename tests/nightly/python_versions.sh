#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tables of the Python package in pandas, Polars, DuckDB and pyarrow: at the versions of scripts/packages/tables.txt, which
# are the newest, and of scripts/packages/tables_2024.txt, which are two years older.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "Python does not load a library with sanitizers"; exit 77; }
root=$PWD build=$(realpath "${BUILD:-build}")
python=${PYTHON:-python3}
[ -e "$build/libstamma.a" ] || { echo "the library is not built"; exit 77; }
"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 13))' ||
    { echo "the older versions are for CPython 3.11 and 3.12"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BUILD="$build" PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1
scripts/build_python "$work/package"
mkdir "$work/run"
cp data/games.pgn "$work/run/"
SHARED=$(realpath -m "${SHARED:-../shared}")
export SHARED
for list in tables_2024 tables; do
    "$python" -m venv "$work/$list"
    "$work/$list/bin/pip" --disable-pip-version-check install -q --retries 1 --only-binary :all: --require-hashes \
        -r "$root/scripts/packages/$list.txt" >"$work/log" 2>&1 || { tail -n 3 "$work/log"; echo "$list cannot be installed"; exit 77; }
    (
        cd "$work/run"
        export PYTHONPATH="$work/package:$root/python/tests"
        "$work/$list/bin/python" -c 'import duckdb, numpy, pandas, polars, pyarrow, stamma
for module in duckdb, numpy, pandas, polars, pyarrow:
    print(module.__name__, module.__version__, end="  ")
print()
stamma.pack("games.pgn", "games.stamma", overwrite=True)'
        "$work/$list/bin/python" -W error::ResourceWarning -m unittest discover -q -s "$root/python/tests" -p 'test_tables.py'
        "$work/$list/bin/python" -W error::ResourceWarning -m unittest discover -q -s "$root/python/tests" -p 'test_[dix]*.py'
    )
done
