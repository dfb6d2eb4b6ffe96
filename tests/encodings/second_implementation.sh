#!/bin/sh
# SPDX-License-Identifier: MIT
# A second implementation of doc/reference/encodings.md, in JavaScript, has the codes of the library, in both directions: on the games of
# data/games.pgn and on random games. tests/nightly/second_implementation_all.sh compares 100,000 values of each code.
set -eu
command -v node >/dev/null || { echo "no node"; exit 77; }
compare() { node tests/encodings/second_implementation.mjs "${STAMMA:-${BUILD:-build}/stamma}" "$@" data/games.pgn; }
compare 1000 moves
compare 700 games
compare 200 positions
compare 3 decoding
