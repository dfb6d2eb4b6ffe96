#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Annotators' marks after moves: packing, searches, trees and exports read exactly the moves and glyphs that were
# written. All commands divide games at the same places.
set -u
. tests/support/command_support.bash
maker=tests/command/glyphs.py
. tests/support/random_games.bash
cases=$(realpath "${SHARED:-../shared}/cases")
cd "$scratch" || exit 1

# ---- random games ----
make_games make "${SEED:-1}" "${GAMES:-100}" "$scratch/games.pgn" "$scratch/wanted"
for level in 1 2 3; do
    compare_level $level
done
run 0 pack -q -f -o games.stamma games.pgn
decodes_slowly

# The last position of a game is found, and the last move is in the tree of the previous position.
python3 - "$scratch/wanted" >"$scratch/positions" <<'PYTHON'
import json, sys
import chess
for number, line in enumerate(open(sys.argv[1])):
    moves = [move for move, _ in json.loads(line)]
    board = chess.Board()
    for move in moves[:-1]:
        board.push_uci(move)
    before = board.fen()
    board.push_uci(moves[-1])
    if number % 40 == 0:
        print(number + 1, moves[-1], before.replace(" ", "_"), board.fen().replace(" ", "_"))
PYTHON
[ -s "$scratch/positions" ] || fail "no positions"
while read -r number move before after; do
    run 0 find --columns number --format tsv --fen "${after//_/ }" "$scratch/games.stamma"
    grep -q "^$number\b" out || fail "game $number is not found in $after" "$(head -3 out)"
    run 0 tree --format csv --fen "${before//_/ }" "$scratch/games.stamma"
    grep -q "$move" out || fail "$move is not in the tree of $before" "$(head -3 out)"
done <"$scratch/positions"

# ---- division into games ----
# split FILE GAMES: checks that all commands read this number of games, and restore the file.
split() {
    run 0 pack -q -f -o "$scratch/split.stamma" "$1"
    run 0 unpack "$scratch/split.stamma"
    same out "$1"
    run 0 find --count "$scratch/split.stamma"
    equal "$(cat out)" "$2"
    run 0 export -q -f --clean-pgn -o "$scratch/split.pgn" "$scratch/split.stamma"
    equal "$(grep -c '^\[Event ' "$scratch/split.pgn")" "$2"
    rm -f "$scratch"/import.stamma*
    run 0 import -q --from twic -o "$scratch/import.stamma" "$1"
    run 0 find --count "$scratch/import.stamma"
    equal "$(cat out)" "$2"
}

tags='[Event "R1"]\n[White "Adams"]\n[Result "*"]'
printf '%b\n\n%b\n\n1. e4 e5 *\n' "$tags" "${tags/Adams/Clark}" >"$scratch/two.pgn"
split "$scratch/two.pgn" 2
run 0 find --count --white "Clark" --fen "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -" "$scratch/split.stamma"
equal "$(cat out)" 1
sed 's/$/\r/' "$scratch/two.pgn" >"$scratch/crlf.pgn"
split "$scratch/crlf.pgn" 2
printf '[Event "R1"]\n\n[White "Adams"]\n\n[Result "*"]\n\n1. e4 e5 *\n' >"$scratch/one.pgn"
split "$scratch/one.pgn" 1
[ ! -e "$cases/header-only-merges.pgn" ] || split "$cases/header-only-merges.pgn" 2
for file in glyphs-stop-main-line chesscom-plusminus; do
    [ -e "$cases/$file.pgn" ] || continue
    split "$cases/$file.pgn" "$(grep -c '^\[Event' "$cases/$file.pgn")"
    run 0 cat --format json "$scratch/split.stamma"
    equal "$(grep -c '"plies":9,' out)" "$(grep -c . out)"
done

# ---- warnings ----
{ printf '\n\n[Event "a"]\n[Event "b"]\n\n1. e4 *\n\n'; printf '[Event "c"]\n\n1. e4 xyzzy 2. d4 *\n\n'; } >a.pgn
for n in 1 2 3 4; do printf '[Event "%s"]\n\n1. e4 (1. d4 Ke4) e5\n2. Ke5 (2. Ke2)\n*\n\n' $n; done >b.pgn
run 0 pack -o w.stamma a.pgn b.pgn
says 'w.stamma: warning: 1 game has two Event tags: a.pgn line 4 (game 1); if another game begins there, write an empty line'
says 'warning: 5 games end early, at text that is not a legal move: a.pgn line 10 (game 2), b.pgn line 4 (game 3), b.pgn line 10 (game 4) and 2 more; searches'
run 0 append w.stamma a.pgn
says 'warning: 1 game has two Event tags: a.pgn line 4 (game 7)'
says 'warning: 1 game ends early, at text that is not a legal move: a.pgn line 10 (game 8)'
run 0 import --from twic -o i.stamma a.pgn b.pgn
says 'warning: 1 game has two Event tags: a.pgn line 4 (game 1)'
says 'warning: 5 games end early, at text that is not a legal move: a.pgn line 10 (game 2), b.pgn line 4 (game 1)'
run 0 pack -q -f -o w.stamma a.pgn
equal "$(cat err)" ''
run 3 pack -f --strict -o w.stamma a.pgn
printf '[Event "a"]\n[Event "b"]\n\n1. e4 (1. Ke4) *\n\n[Variant "Atomic"]\n\n1. e4 *\n' >c.pgn
run 0 pack -f -o w.stamma c.pgn
says 'two Event tags'
equal "$(grep -c 'end.* early' err)" 0
head -3 c.pgn >d.pgn
run 0 pack -f --strict -o w.stamma d.pgn
says 'two Event tags'
finish
