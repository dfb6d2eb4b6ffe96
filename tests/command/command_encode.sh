#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma encode: a move in every encoding, and decoding.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

# member NAME: prints the value of a member of the last run's JSON object, without `bits` and parts.
values() { sed 's/,"bits":{.*/}/' "$@"; }
member() { values <out >values; sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" values | tail -n 1; }

# ---- the golden values of the encoding table ----
run 0 encode --json e4
equal "$(member move16)" $((0x131C))
equal "$(member butterfly)" $((0x31C))
equal "$(member uci) $(member san) $(member lan)" 'e2e4 e4 e2-e4'
equal "$(member legal-index) $(member legal-index-bits)" '11 11'
run 0 encode --json --fen '4k3/8/8/8/8/8/8/4K2R w K - 0 1' e1g1
equal "$(member move16) $(member san)" "$((0x2106)) O-O"
run 0 encode --json --fen '8/4P3/8/8/8/8/k7/4K3 w - - 0 1' e8Q
equal "$(member move16)" $((0xBD3C))
run 0 encode --json --fen '4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1' exd6
equal "$(member move16)" $((0x592B))
run 0 encode --json --fen 'k6r/8/8/8/8/8/8/B3K3 w - - 0 1' Bxh8
equal "$(member move16)" $((0x403F))

# ---- the readable table: every encoding, with bits and value ----
run 0 encode e4
equal "$(grep -c '^  [a-z]' out)" "$("$stamma" encode --json e4 | values | grep -o '"[a-z0-9-]*":' | wc -l)"
equal "$(grep '^  move16 ' out | tr -s ' ')" ' move16 16 4892 0x131C 0001 0011 0001 1100'
equal "$(head -n 1 out)" 'e4 (e2e4) in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1: 20 legal moves'
run 0 encode --fen 'R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1' Qa3xb2
equal "$(grep '^  bcgn ' out | sed 's/.*fall-back: //')" 'bounds sum to more than 256: two bytes'

# ---- several moves, with a null move ----
run 0 encode --json e4 Z0 Z0 c5
equal "$(wc -l <out)" 4
run 0 encode --json -- e4 -- -- c5
equal "$(wc -l <out) $(member uci) $(member legal-index-bits)" '4 c7c5 6'
equal "$(sed -n 2p out | values | grep -o '"legal-index-bits":null')" '"legal-index-bits":null'
radix=$(member legal-index-radix)
run 0 encode --decode legal-index-radix "$radix"
equal "$(cut -d' ' -f1 out | paste -sd' ')" 'e2e4 0000 0000 c7c5'

# ---- decoding: every encoding decodes to the move ----
for fen in 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' \
    'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1' \
    'n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1' \
    '4k3/8/8/8/8/8/8/RK5R w HA - 0 1'; do
    case $fen in rnb*) move=g1f3 ;; r3k*) move=e1g1 ;; n1n*) move=g2h1n ;; *) move=b1a1 ;; esac
    run 0 encode --json --fen "$fen" "$move"
    values <out >all
    tr ',' '\n' <all | tr -d '{}"' | while IFS=: read -r name value; do
        case $name in butterfly | check-flag | *-radix) continue ;; esac
        checks=$((checks + 1))
        "$stamma" encode --decode "$name" --fen "$fen" --json "$value" >out 2>err
        [ "$(member uci)" = "$move" ] || echo "$name $value: $(cat out err)"
    done >differences
    equal "$(cat differences)" ''
done

# ---- games ----
run 0 encode --decode bcgn-square --game 029e
equal "$(cat out)" 'e2e4  e4'
run 0 encode --decode legal-index --game --json 040b0a
equal "$(wc -l <out) $(member uci)" '2 e7e5'

# ---- numbers in other bases ----
run 0 encode --decode move16 0x131C
equal "$(cat out)" 'e2e4  e4'
run 0 encode --decode legal-index 0b00001011
equal "$(cat out)" 'e2e4  e4'
run 0 encode --decode legal-index-bits '0b0_1011'
equal "$(cat out)" 'e2e4  e4'

# ---- without a move: the position ----
run 0 encode --json
equal "$(member fen)" 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
equal "$(member huffman)" '176:01eef3eff9df6db6db4000000024924939ac79f635cf'
equal "$(member kings-castling)" '12:f800'
run 0 encode
equal "$(grep -c '^  [a-z]' out)" "$("$stamma" encode --json | values | grep -o '"[a-z0-9-]*":' | wc -l)"
equal "$(grep '^  packed ' out | tr -s ' ' | cut -d' ' -f3)" 189

# ---- decoding: every encoding that represents a complete position ----
fen='8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1'
"$stamma" encode --json --fen "$fen" | values | sed 's/","/"\n"/g' | tr -d '{}"' | while IFS= read -r line; do
    name=${line%%:*} value=${line#*:}
    case $name in *-key | kings-castling) continue ;; esac
    equal "$("$stamma" encode --decode "$name" "$value" 2>&1)" "$fen"
    "$stamma" encode --decode "$name" --json "$value" | grep -q "^{\"fen\":\"$fen\"}" || echo "$name"
done >differences
equal "$(cat differences)" ''
run 0 encode --json --fen '1r3k1r/8/8/8/8/8/8/RK5R w HAhb - 0 1'
equal "$(values out | grep -o '"huffman":null')" '"huffman":null'

run 0 encode --decode kings-castling 12:f800
equal "$(cat out)" 'white king e1, black king e8, castling KQkq'
run 0 encode --decode kings-castling --json 12:0000
equal "$(cat out)" '{"white_king":"a1","black_king":"c1","castling":"-"}'

# ---- the list: each encoding, its bits and their meaning ----
run 0 encode --list
equal "$(wc -l <out)" "$(($("$stamma" encode | grep -c '^  [a-z]') + $("$stamma" encode e4 | grep -c '^  [a-z]')))"
equal "$(grep '^tarrasch ' out | tr -s ' ' | cut -d' ' -f1-3)" 'tarrasch one byte:'
equal "$(grep -c '^tarrasch .*(Forster 2015)$' out)" 1
run 0 encode --list --json --codec packed
equal "$(cut -d, -f1-3 out)" '{"encoding":"packed","of":"position","source":""'
run 0 encode --json --codec tarrasch,legal-index-bits e4
equal "$(cat out)" '{"legal-index-bits":11,"tarrasch":65,"bits":{"legal-index-bits":5,"tarrasch":8}}'
run 0 encode --explain --codec tarrasch,bcgn,san,gap-codes e4
equal "$(sed 1,3d out | grep '^      ' | tr -s ' ')" ' e4 target
 + 0 bounds of the pieces of lower types
 + 48 of the pawns on lower squares: 4 x 12
 + 5 the move to e4 among those of a pawn on e2
 0100 pawn 4
 00 no promotion
 01 double push
 00000010 varint 2: twice the number of plies
 01011 number 11 of 20 legal moves, from 0'
run 0 encode --explain --json --codec tarrasch e4
equal "$(sed 's/.*"parts"//' out)" ':{"tarrasch":[{"first":0,"bits":4,"value":4,"text":"pawn 4"},{"first":4,"bits":2,"value":0,"text":"no promotion"},{"first":6,"bits":2,"value":1,"text":"double push"}]}}'
run 0 encode --explain --codec stream --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'
equal "$(grep '^      ' out | tr -s ' ' | sed -n '5,8p')" ' 11110000 4 empty
 0101 white king e1
 11110011 7 empty
 0000 white pawn e2'
run 0 encode --tsv --codec uci,legal-index-radix 1.e4 e5
equal "$(tail -n 1 out)" "$(printf 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\te2e4 e7e5\tlegal-index-radix\t9\t04cb00')"

# ---- move numbers, with and without a blank, and several moves in one argument ----
for line in '1.e4 1...e5 2.Nf3' '1. e4 e5 2. Nf3' '1.e4 e5 2.Nf3'; do
    run 0 encode --tsv --codec uci "$line"
    equal "$(cut -f2 out | paste -sd' ')" 'e2e4 e7e5 g1f3'
    read -ra words <<<"$line"
    run 0 encode --tsv --codec uci "${words[@]}"
    equal "$(cut -f2 out | paste -sd' ')" 'e2e4 e7e5 g1f3'
done
run 2 encode 1.
says 'there are no moves'

# ---- errors ----
run 2 encode e4 e5 Ke3
says 'Ke3: no legal move, as ply 3, in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2'
run 2 encode --fen '4k3/8/8/8/8/8/4K3/R6R w - - 0 1' Rd1
says 'Rd1: ambiguous: several legal moves'
run 2 encode e4x
says 'not a move'
run 2 encode --fen 'nonsense' e4
run 2 encode --decode legal-index 20
says 'legal-index: 20 is not the code of a legal move: the 20 legal moves have codes from 0 to 19 in rnbqkbnr/'
run 2 encode --decode legal-index 0b1011
says '0b1011 has 4 binary digits, and codes have 8 in'
run 2 encode --decode legal-index-bits 0b001011
says 'has 6 binary digits, and codes have 5'
run 2 encode --decode move16 0x1324
says 'it means e2e5 in'
run 2 encode --decode san e2e4
says '"e2e4" is not the standard spelling: "e4"'
run 2 encode --decode san Nd2
says '"Nd2" is not a legal move in'
run 2 encode --codec move16,no-such e4
says 'no encoding "no-such"'
run 2 encode --codec '' e4
says 'no encoding ""'
run 2 encode --codec huffman e4
says 'huffman is an encoding of positions'
run 2 encode --codec move16
says 'move16 is an encoding of moves'
run 2 encode --json --tsv e4
run 2 encode --game e4
run 2 encode --decode kings-castling 12:f810
says 'a number below 3969'
run 2 encode --decode packed --game 00
run 2 encode --decode legal-index x
says 'x: is not a number'
run 2 encode --decode no-such 1
says 'no encoding "no-such"'
run 2 encode --decode packed 16:abcd
says 'packed: 16:abcd is not the code of a position'
run 2 encode --decode huffman-gaps 40:01113c8069
says 'huffman-gaps: '
run 2 encode --decode stream 4:81
says 'is no code'
run 2 encode --decode packed 1a:ff
says 'is no code'
run 2 encode --decode stream 9999999999999:00
says 'is no code'
run 2 encode --decode huffman-gaps-key 45:0027900d3b38
says 'not supported: the code does not say whose move it is'
run 2 encode --decode move16
says 'requires exactly one VALUE'
run 2 encode --decode check-flag 1
says 'not supported'
run 2 encode --decode bcgn-square --game 02
says '02 is not the code of a game of legal moves from rnbqkbnr'
run 2 encode --decode bcgn-square --game 0g
run 2 encode --decode bcgn-square --game ffffffffff7f
run 2 encode --decode butterfly --fen '8/4P3/8/8/8/8/k7/4K3 w - - 0 1' 3388
says 'ambiguous, the code of e7e8n e7e8b e7e8r e7e8q'
finish
