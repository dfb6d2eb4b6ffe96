#!/bin/sh
# SPDX-License-Identifier: MIT
# A slow adaptive predictor, written from doc/format/predictor.md only, computes the library's frequencies.
set -eu
"$STAMMA" predict --json >/dev/null 2>&1 || { echo "the command was built without weights"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -O1 ${SANITIZE:+-fsanitize=$SANITIZE} ${CFLAGS:-} -Iinclude -Isrc tests/format/adaptive_frequencies.c \
    "${BUILD:-build}/libstamma.a" -lzstd -lbz2 -lxxhash -o "$work/adaptive_frequencies"
PYTHONPATH=reference "${PYTHON:-python3}" tests/format/adaptive_frequencies.py "$work/adaptive_frequencies"
