#!/bin/sh
# SPDX-License-Identifier: MIT
# The decoders of examples/decoders, in C, Python and JavaScript, decode the golden games. Each has at most
# 60 lines after the licence.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in examples/decoders/decode_*; do
    [ "$(wc -l <"$file")" -le 61 ] || { echo "$file has more than 60 lines"; exit 1; }
done
for file in examples/decoders/*.c; do
    $CC -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Werror "$file" -o "$work/$(basename "$file" .c)"
done
command -v node >/dev/null || echo "no node: the decoders in JavaScript were not run"
"${PYTHON:-python3}" tests/generators/decoders.py "$work" tests/data/golden/*.json
