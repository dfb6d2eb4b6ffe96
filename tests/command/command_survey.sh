#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma survey: sizes, fallbacks and exactness of encodings over games.
set -u
. tests/support/command_support.bash
root=$PWD
cd "$scratch" || exit 1

cat >games.pgn <<'PGN'
[Event "Forced moves, a null move, an illegal end"]
[FEN "k7/8/1K6/8/8/8/8/8 b - - 0 1"]

1...Kb8 2.Kc6 -- 3.Kd6 Qh1 *

[Event "Nine queens"]
[FEN "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"]

1.Qdxb2# 1-0

[Event "Chess960"]
[Variant "Chess960"]
[FEN "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]

9.e4 d5 (9...h6) 10.h3 {comment} *
PGN

# ---- JSON: one line with an object per encoding ----
run 0 survey --json games.pgn
moves=$("$stamma" encode e4 | grep -c '^  [a-z]')
equal "$(wc -l <out)" "$moves"
equal "$(grep -c '"exact":true' out)" "$((moves - 2))"
equal "$(grep '"exact":"partial"' out | cut -d'"' -f4 | paste -sd' ')" 'butterfly check-flag'
for key in codec plies bits_per_ply fallback_plies encode_mplies_s decode_mplies_s exact; do
    equal "$(grep -c "\"$key\":" out)" "$(wc -l <out)"
done
# object NAME KEY
object() { grep "\"codec\":\"$1\"" out | sed "s/.*\"$2\":\([^,}]*\).*/\1/"; }
equal "$(object move16 games) $(object move16 plies) $(object move16 bits_per_ply)" '3 8 16.0000'
equal "$(object bcgn fallback_plies) $(object bcgn fallback_games) $(object bcgn bits_per_ply)" '1 1 8.0000'
equal "$(object bcgn-square fallback_plies)" 1
equal "$(object legal-index most_legal_moves) $(object legal-index plies_above_64)" '218 1'
equal "$(object check-flag plies) $(object check-flag bits_per_ply)" '7 1.0000'
equal "$(object butterfly plies)" 7
run 0 survey --json --codec legal-index-bits games.pgn
equal "$(object legal-index-bits plies)" 8

# ---- the readable table; selected encodings, in the order of the option ----
run 0 survey --codec bcgn-square,san --passes 1 games.pgn
equal "$(grep '^[a-z]' out | cut -d' ' -f1 | paste -sd' ')" 'bcgn-square san'
grep -q 'bounds sum to more than 255: 1 plies, 1 games' out || fail 'the reason should be named' "$(cat out)"
grep -q 'at most 218' out || fail 'most legal moves' "$(cat out)"

# ---- null moves count as plies, in the heading, too ----
run 0 survey --codec move16 games.pgn
equal "$(head -n 1 out | cut -d';' -f1)" '3 games, 8 plies, of which 1 null moves'
run 0 survey --codec butterfly games.pgn
grep -q '^butterfly .*partial$' out || fail 'butterfly is partial' "$(cat out)"

# ---- fall-backs by side, for both sides, and to the end of the game ----
cat >queens.pgn <<'PGN'
[FEN "7k/p7/8/8/8/8/1P6/QQQ3K1 w - - 0 1"]

1.Kf1 a6 2.Kg1 a5 3.Qh7+ Kxh7 4.Kf2 a4 5.Kf3 a3 6.bxa3 *
PGN
run 0 survey --json --codec tarrasch queens.pgn
equal "$(object tarrasch fallback_plies) $(object tarrasch fallback_plies_both_sides) $(object tarrasch fallback_plies_rest_of_game)" '3 6 11'
run 0 survey --codec tarrasch queens.pgn
grep -q '6 plies if for both sides, 11 if to the end of the game' out || fail 'fall-backs by rule' "$(cat out)"
run 0 survey --json --codec tojot,tojot-mixed queens.pgn
equal "$(object tojot most_classes) $(object tojot-mixed most_classes)" '9 9'

# ---- encodings of positions ----
positions=$("$stamma" encode | grep -c '^  [a-z]')
run 0 survey --json --codec positions games.pgn
equal "$(wc -l <out)" "$positions"
equal "$(grep -c '"exact":true' out)" "$((positions - 2))"
equal "$(object huffman positions) $(object huffman unsupported_positions) $(object packed positions)" '5 3 8'
equal "$(object kings-castling exact) $(object kings-castling bits_most)" '"partial" 12'
run 0 survey --codec huffman,move16 games.pgn
equal "$(grep '^[a-z]' out | cut -d' ' -f1 | paste -sd' ')" 'move16 huffman'
run 0 survey --json --codec all games.pgn
equal "$(wc -l <out)" "$((moves + positions))"

# ---- compressed, several files, standard input ----
gzip -k games.pgn
run 0 survey --json --codec move16 games.pgn games.pgn.gz
equal "$(object move16 games)" 6
"$stamma" survey --json --codec move16 - <games.pgn >out
equal "$(object move16 games)" 3
: >empty.pgn
run 0 survey empty.pgn
run 0 survey --json empty.pgn
equal "$(grep -c '"plies":0' out)" "$(wc -l <out)"

# ---- errors ----
run 2 survey
run 2 survey missing.pgn
says 'missing.pgn'
run 2 survey --codec move16,nonsense games.pgn
says 'no encoding "nonsense"'
run 2 survey --codec '' games.pgn
says 'no encoding ""'
run 2 survey --codec move16, games.pgn
says 'no encoding ""'
run 2 survey --passes 0 games.pgn
says 'passes: 0 is not a number from 1 to 1000'
run 2 survey --passes 1001 games.pgn

# ---- the sample games of the project ----
if [ -e "$root/data/games.pgn" ]; then
    run 0 survey --json --passes 1 "$root/data/games.pgn"
    equal "$(grep -c '"exact":\(true\|"partial"\)' out)" "$(wc -l <out)"
fi
finish
