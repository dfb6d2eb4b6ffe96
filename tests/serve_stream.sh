#!/usr/bin/env bash
# stamma serve: games that are sent while they are found (/find?stream=1), compared with `stamma find`; long searches,
# cancelled connections, damaged archives.
set -u
case ${SANITIZE:-} in *memory*) echo "the HTTP library is not built with the memory sanitizer"; exit 77 ;; esac
. tests/command_support.bash
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
tests=$(realpath tests)
pgn=$(realpath data/games.pgn)
STAMMA=$stamma
PYTHONPATH=$tests
TSAN_OPTIONS="${TSAN_OPTIONS:-} report_thread_leaks=0" # as in command_serve.sh
export STAMMA PYTHONPATH TSAN_OPTIONS
cd "$scratch" || exit 1

cp "$pgn" a.pgn
{ sample; games 100; } >b.pgn
run 0 pack -q a.pgn
run 0 pack -q b.pgn
run 0 pack -q -3 -o a3.stamma a.pgn
run 0 merge -q -o two.stamma a.stamma b.stamma
# A search for moves decodes all games, which needs longer than counting them in advance may need.
run 0 merge -q -o decoded.stamma $(yes a3.stamma | head -n 12)
# A search of slow.stamma needs a minute or more, in many blocks.
run 0 merge -q -o many.stamma $(yes a3.stamma | head -n 400)
run 0 merge -q -o slow.stamma many.stamma many.stamma many.stamma many.stamma many.stamma

checks=$((checks + 1))
python3 "$tests/serve_stream.py" || fail "the streams"
finish
