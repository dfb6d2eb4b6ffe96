#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma serve: games that are sent while they are found (/find?stream=1), compared with `stamma find`; long searches,
# cancelled connections, damaged archives.
set -u
. tests/support/command_support.bash
serve_folder

cp "$pgn" a.pgn
{ sample; games 100; } >b.pgn
run 0 pack -q a.pgn
run 0 pack -q b.pgn
run 0 pack -q -3 -o a3.stamma a.pgn
run 0 merge -q -o two.stamma a.stamma b.stamma
# A search for moves decodes all games, which exceeds the time limit for counting them in advance.
run 0 merge -q -o decoded.stamma $(yes a3.stamma | head -n 7)
# A search of slow.stamma needs a minute or more. The archive has many blocks.
run 0 merge -q -o many.stamma $(yes a3.stamma | head -n 400)
run 0 merge -q -o slow.stamma many.stamma many.stamma many.stamma many.stamma many.stamma

checks=$((checks + 1))
python3 "$tests/serve/serve_stream.py" || fail "the streams"
finish
