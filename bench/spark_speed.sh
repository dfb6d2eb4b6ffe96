#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures how many rows per second Spark reads from an archive, with one and two executors, compared with Parquet with
# the same columns, PGN parsed by python-chess, and record batches that need no decoding (spark_rows.py).
#
# usage: spark_speed.sh [ARCHIVE]     run by `make bench BENCH=spark`, after `scripts/setup --spark`
#
# Without an archive, packs GAMES games of generators/sample_games (200000). RUNS is the number of runs (5).
set -euo pipefail
export LC_ALL=C
: "${BUILD:=build}" "${STAMMA:=build/stamma}" "${GAMES:=200000}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
modules=$(dirname "$(scripts/setup --modules)")
export PYTHONPATH="$work/package:$modules/spark:$modules/python${PYTHONPATH:+:$PYTHONPATH}" SPARK_LOCAL_IP=127.0.0.1
PYSPARK_PYTHON=$(command -v "${PYTHON:-python3}")
export PYSPARK_PYTHON SPARK_LOCAL_DIRS="$work/spark" SPARK_HOME="$work/home"
mkdir "$work/home"
ln -s "$("$PYSPARK_PYTHON" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')"/* "$work/home/"
rm -f "$work/home/work"
BUILD=$BUILD scripts/build_python "$work/package"
if [ $# -eq 0 ]; then
    "$BUILD/generators/sample_games" --games "$GAMES" | "$STAMMA" pack -q -o "$work/sampled.stamma" -
    set -- "$work/sampled.stamma"
fi
for executors in 1 2; do
    "$PYSPARK_PYTHON" -W ignore bench/spark_rows.py "$1" "$executors" "$work" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
done
