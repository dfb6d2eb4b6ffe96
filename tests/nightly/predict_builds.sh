#!/bin/sh
# SPDX-License-Identifier: MIT
# The predictor's frequencies do not depend on the build: gcc or clang, with and without optimization, portable or with
# vectors. Each build runs the test of golden frequencies. LONG=1 adds a build.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sources="src/base/*.c src/board/*.c src/notation/*.c src/model/predict*.c tests/unit/model/predict_test.c"
built=0
# NAME COMPILER FLAG...
build_and_run() {
    name=$1 compiler=$2
    shift 2
    command -v "${compiler%% *}" >/dev/null || { echo "no ${compiler%% *}: $name is left out"; return 0; }
    # shellcheck disable=SC2086
    $compiler -std=c11 "$@" '-DPREDICT_TESTS="golden"' -Iinclude -Isrc -Itests/unit/support $sources -o "$folder/$name" -lcmocka -lxxhash -lm
    "$folder/$name" >"$folder/log" 2>&1 || { cat "$folder/log"; echo "$name: frequencies differ"; exit 1; }
    echo "$name: the same"
    built=$((built + 1))
}
build_and_run gcc-O0 gcc -O0
[ -z "${LONG:-}" ] || build_and_run gcc-O0-portable gcc -O0 -DSTAMMA_PORTABLE
build_and_run clang-O3 clang -O3
build_and_run clang-O0-portable clang -O0 -DSTAMMA_PORTABLE
[ "$built" -gt 0 ]
