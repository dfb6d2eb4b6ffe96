#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma serve with several archives: the archives that /masters uses, compared with `stamma tree`; the warning about an
# index that does not fit into memory.
set -u
. tests/support/command_support.bash
serve_folder

# site SITE: the games of the sample with another site and another first move.
site() {
    sed "s|^\[Site .*|[Site \"$1\"]|; s|^1\. e4 e5 2\. Bc4|1. a4 e5 2. Bc4|" b.pgn
}
{ sample; games 30; } >b.pgn
cp "$pgn" a.pgn
site https://lichess.org/AbCdEfGh >lichess.pgn
site Chess.com >chesscom.pgn
for name in a b lichess chesscom; do
    run 0 pack -q "$name.pgn"
done
# An index in memory of many games, whose archive shares --memory with others.
run 0 merge -q -o many.stamma $(yes a.stamma | head -n 400)
run 0 merge -q -o large.stamma many.stamma many.stamma
checks=$((checks + 1))
python3 "$tests/serve/serve_masters.py" || fail "several archives"
finish
