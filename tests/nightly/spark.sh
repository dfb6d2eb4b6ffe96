#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Archives in Spark: python/tests/test_spark.py, on a cluster of two executor processes. LONG=1 repeats the tests
# of failures 50 times, and ONLY=NAME runs the tests whose names contain NAME.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "Spark is not run with a sanitizer"; exit 77; }
root=$PWD build=$(realpath "${BUILD:-build}")
modules=$(dirname "$(scripts/setup --modules)")
python=${PYTHON:-python3}
command -v java >/dev/null || { echo "there is no Java (scripts/setup --spark)"; exit 77; }
java -version 2>&1 | head -n 1 | grep -Eq '"(1[7-9]|2[0-9])' || { echo "Java is older than 17"; exit 77; }
headers=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
[ -e "$headers/Python.h" ] || { echo "there are no headers of Python"; exit 77; }
export PYTHONPATH="$modules/spark:$modules/python${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1
"$python" -c 'import pyspark, pyarrow, pandas' 2>/dev/null || { echo "there is no PySpark (scripts/setup --spark)"; exit 77; }
[ -e "$build/libstamma.a" ] || { echo "the library is not built"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BUILD="$build" STAMMA="${STAMMA:-$build/stamma}"
scripts/build_python "$work/package"
STAMMA=$(realpath "$STAMMA")
PYTHONPATH="$work/package:$root/python/tests:$PYTHONPATH"
PYSPARK_PYTHON=$(command -v "$python")
export PYSPARK_PYTHON SPARK_HOME="$work/home" SPARK_LOCAL_DIRS="$work/spark" SPARK_LOCAL_IP=127.0.0.1 STAMMA_SPARK=1
mkdir "$work/run" "$work/home"
# Executors write in $SPARK_HOME/work.
ln -s "$("$python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')"/* "$work/home/"
rm -f "$work/home/work"
cp data/games.pgn "$work/run/"
cd "$work/run"
"$python" -c 'import stamma; stamma.pack("games.pgn", "games.stamma")'
status=0
"$python" -W ignore -m unittest ${ONLY:+-k "$ONLY"} -v test_spark >"$work/log" 2>&1 || status=$?
grep -v '^WARNING\|log4j\|^Setting\|^To adjust' "$work/log" >&2 || true
exit $status
