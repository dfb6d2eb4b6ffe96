#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma encode --batch: games of PGN and lines in codes and back, whatever the units; bad lines; codes without a position.
set -u
. tests/support/command_support.bash
cp data/games.pgn "$scratch"
cd "$scratch" || exit 1

# ---- every encoding of moves, in all units ----
run 0 encode --batch games.pgn --codec uci
cp out moves
equal "$(wc -l <moves)" "$(grep -c '^\[Event ' games.pgn)"
for codec in $("$stamma" encode --list | cut -d' ' -f1); do
    "$stamma" encode --list --codec "$codec" --json >about
    grep -q '"of":"position"' about && continue
    grep -q '"partial":true' about && continue
    for units in numbers bits bytes; do
        run 0 encode --batch games.pgn --codec "$codec" --as $units
        cp out codes
        run 0 encode --batch codes --decode "$codec" --as $units
        cmp -s out moves || fail "$codec --as $units: $(diff out moves | head -n 2)"
    done
done

# ---- the codes equal those of single moves ----
head -n 1 moves >line
run 0 encode --batch line --codec bcgn
codes=$(cat out)
# shellcheck disable=SC2046
run 0 encode --tsv --codec bcgn $(cat line)
equal "$codes" "$(cut -f5 out | paste -sd' ')"

# ---- lines: a FEN or none, move numbers, results, comments, several encodings ----
cat >lines <<'END'
1. e4 e5 2. Nf3 *
# a comment

4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 O-O-O
8/8/8/8/8/k7/8/K7 w - -
END
run 0 encode --batch lines --codec legal-index,packed,fen
equal "$(wc -l <out)" 5
equal "$(sed -n 2p out)" "$(printf 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t11 10 23\t%s\t%s' \
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2' "$(sed -n 2p out | cut -f4)")"
equal "$(sed -n 4p out | cut -f2)" "$("$stamma" encode --json --codec legal-index --fen '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1' O-O-O |
    sed 's/{"legal-index":\([0-9]*\).*/\1/')"
run 0 encode --batch lines --codec packed
cp out codes
run 0 encode --batch codes --decode packed
equal "$(sed -n 3p out)" '4k3/8/8/8/8/8/8/2KR3R b - - 1 1'

# ---- bad lines are reported, and do not move the others ----
printf 'e4 e5\ne4 e4\n8/8 w - - 0 1\nd4\n' >bad
run 2 encode --batch bad --codec bcgn
says 'bad: line 2: ply 2: "e4" is not a legal move'
says 'bad: line 3: "8/8 w - - 0 1" is not a position'
equal "$(paste -sd, out)" '53 53,,,41'
printf '[White "a"]\n\n1. e4 e4 2. d4 *\n\n[White "b"]\n\n1. d4 *\n' >bad.pgn
run 2 encode --batch bad.pgn --codec uci
says 'bad.pgn: game 1: ply 2 is not a legal move; the moves before it are encoded'
equal "$(paste -sd, out)" 'e2e4,d2d4'
printf '53 53\n53 999\nx\n' >bad
run 2 encode --batch bad --decode bcgn
says 'bad: line 2: code 2: "999" is not the code of a legal move'
says 'bad: line 3: code 1: "x" is not a code'
equal "$(paste -sd, out)" 'e2e4 e7e5,,'
run 2 encode --batch games.pgn --decode bcgn
says 'contains PGN'
run 2 encode --batch nothing --codec bcgn
run 2 encode --batch games.pgn --as words
says '"words" is unknown; use numbers, bits or bytes'
run 2 encode --batch games.pgn --fen x
run 2 encode --as bits e4
says 'requires --batch'

# ---- codes that need no position ----
run 0 encode --decode enumeration 32
equal "$(cat out)" 'a7b8n  white pawn captures a knight and promotes to a knight'
run 0 encode --decode enumeration 33
equal "$(cat out)" 'a7b8n  white pawn captures a bishop and promotes to a knight'
run 0 encode --decode enumeration 33 --json
equal "$(cat out)" '{"uci":"a7b8n","san":null,"move16":52281,"side":"white","piece":"pawn","captured":"bishop"}'
run 0 encode --decode move16 0x2106
equal "$(cat out)" "e1g1  castles on the king's side"
run 2 encode --decode move16 0x6106
run 2 encode --decode enumeration 33 --fen 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
says 'is not the code of a legal move'

# ---- groups of encodings ----
run 0 encode --codec positions
equal "$(grep -c '^  move16' out)" 0
run 0 encode --codec all e4
finish
