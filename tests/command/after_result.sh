#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Comments, NAGs, variations and words after results belong to the previous game: at all levels, in searches and in
# exports. A comment may contain a line that begins like a game.
set -u
. tests/support/command_support.bash
maker=tests/command/after_result.py
. tests/support/random_games.bash
cd "$scratch" || exit 1

# ---- random games ----
make_games make "${SEED:-1}" "${GAMES:-200}" "$scratch/games.pgn" "$scratch/wanted"
for level in 1 2 3; do
    compare_level $level
    decodes_slowly
done
# The exported games are read as the same games again.
run 0 pack -q -f -o again.stamma export.pgn
run 0 export -q -f --clean-pgn -o again.pgn again.stamma
same export.pgn again.pgn
# ---- chosen games ----
cat >after.pgn <<'PGN'
[Event "1"]
[White "A"]
[Result "1-0"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0 {Black is mated}

[Event "2"]
[White "B"]
[Result "0-1"]

1. d4 d5 0-1 ; resigned here

[Event "3"]
[White "C"]
[Result "1-0"]

1. c4 1-0 $1

[Event "4"]
[White "D"]
[Result "*"]

1. b4 e5 1-0 (1... d5)

[Event "5"]
[White "E"]
[Result "*"]

1. a4 (1. b4 1-0) a5 *

[Event "6"]
[White "F"]
[Result "1/2-1/2"]

1. a4 1/2-1/2 (agreed)

[Event "7"]
[White "G"]
[Result "1-0"]

1. e4 e5 1-0 Black resigned

[Event "8"]
[White "H"]

1. e4 * 
PGN
for level in 1 2 3; do
    run 0 pack -f --level $level -o after.stamma after.pgn
    equal "$(grep -c 'end.* early' err)" 0
    run 0 unpack after.stamma
    same out after.pgn
    run 0 find --count after.stamma
    equal "$(cat out)" 8
    run 0 export -q -f --clean-pgn --tags Event -o after.export.pgn after.stamma
    equal "$(grep -v '^$' after.export.pgn)" '[Event "1"]
1. e4 e5 2. Qh5 Ke7 3. Qxe5# {Black is mated} 1-0
[Event "2"]
1. d4 d5 { resigned here} 0-1
[Event "3"]
1. c4 $1 1-0
[Event "4"]
1. b4 e5 (1... d5) 1-0
[Event "5"]
1. a4 (1. b4) 1... a5 *
[Event "6"]
1. a4 1/2-1/2
[Event "7"]
1. e4 e5 1-0
[Event "8"]
1. e4 *'
done
run 0 find --count --fen "rnbqkbnr/ppp1pppp/8/3p4/1P6/8/P1PPPPPP/RNBQKBNR w KQkq -" --variations after.stamma
equal "$(cat out)" 1
printf '1. e4 * 1. d4 *\n1. c4 *\nBlack\n\n{x}\n\n1. b4 *\n' >two.pgn
run 0 pack -q -f -o two.stamma two.pgn
run 0 find --count two.stamma
equal "$(cat out)" 4

cat >event.pgn <<'PGN'
[Event "T"]
[Site "?"]
[Date "2024.01.02"]
[Round "1"]
[White "A"]
[Black "B"]
[Result "*"]

1. e4 c5 {
[I think, not certain, that comments like this exist.]
} 2. Nf3 {
[Event "fake"]

1. d4 d5 *
} 2... d6 *
PGN
run 0 pack -f -o event.stamma event.pgn
equal "$(grep -c warning err)" 0
run 0 unpack event.stamma
same out event.pgn
run 0 find --count event.stamma
equal "$(cat out)" 1
run 0 export -q -f --clean-pgn -o event.export.pgn event.stamma
run 0 pack -q -f -o again.stamma event.export.pgn
run 0 cat --format json again.stamma
equal "$(grep -c '"plies":4,' out)" 1
# An unclosed comment before a game with a comment ends there.
printf '[Event "a"]\n\n1. e4 {open\n\n[Event "b"]\n\n1. d4 {closed} *\n' >open.pgn
run 0 pack -q -f -o open.stamma open.pgn
run 0 find --count open.stamma
equal "$(cat out)" 2

# ---- games that were not adjacent ----
# Text before a game stays with the game if another game is written before it.
printf '1. e4 *\n1. c4 *\n' >first.pgn
for before in '{before}' '\n;before\n' '$1 {before}' '\xef\xbb\xbf{before} '; do
    printf "$before 1. d4 *\n" >second.pgn
    for file in first second; do
        run 0 pack -q -f -o $file.stamma $file.pgn
    done
    run 0 unpack first.stamma
    same out first.pgn
    run 0 find --format pgn first.stamma second.stamma
    mv out joined.pgn
    run 0 pack -q -f -o find.stamma joined.pgn
    run 0 find -q -f -o found.stamma first.stamma second.stamma
    run 0 edit -q -f -o edit.stamma --set Site=x first.stamma second.stamma
    cp first.stamma append.stamma
    run 0 append -q --new append.stamma second.pgn
    run 0 merge -q -f -o merge.stamma first.stamma second.stamma
    for file in find found edit append merge; do
        run 0 cat --format json $file.stamma
        equal "$file $(grep -c . out) $(sed -n 1,2p out | grep -c before) $(sed -n 3p out | grep -c before)" "$file 3 0 1"
    done
done
# ---- tags in other case ----
printf '[event "a"]\n[WHITE "A"]\n\n[EVENT "b"]\n[White "B"]\n\n1. e4 *\n' >case.pgn
run 0 pack -q -f -o case.stamma case.pgn
run 0 find --count case.stamma
equal "$(cat out)" 2
run 0 find --count --white B case.stamma
equal "$(cat out)" 1
finish
