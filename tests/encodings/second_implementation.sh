#!/bin/sh
# A second implementation of the encodings, in JavaScript and written from doc/encodings.md only, has the codes of the library.
set -eu
: "${STAMMA:?}"
command -v node > /dev/null || { echo "node is not installed"; exit 77; }
exec node tests/encodings/second_implementation.mjs "$STAMMA" "${VALUES:-2000}"
