#!/usr/bin/env bash
# stamma survey: sizes, fall-backs and exactness over games.
set -u
. tests/command_support.bash
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

# ---- one object a line for each encoding ----
run 0 survey --json games.pgn
equal "$(wc -l <out)" "$("$stamma" encode --json e4 | grep -o '"[a-z0-9-]*":' | wc -l)"
equal "$(grep -c '"exact":true' out)" "$(wc -l <out)"
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

# ---- a table for people; only some, in the order asked for ----
run 0 survey --codec bcgn-square,san --passes 1 games.pgn
equal "$(grep '^[a-z]' out | cut -d' ' -f1 | paste -sd' ')" 'bcgn-square san'
grep -q 'bounds sum to more than 255: 1 plies, 1 games' out || fail 'the reason should be named' "$(cat out)"
grep -q 'at most 218' out || fail 'most legal moves' "$(cat out)"

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

# ---- what is wrong ----
run 2 survey
run 2 survey missing.pgn
says 'missing.pgn'
run 2 survey --codec move16,nonsense games.pgn
says 'no encoding "nonsense"'

# ---- the sample games of the project ----
if [ -e "$root/data/games.pgn" ]; then
    run 0 survey --json --passes 1 "$root/data/games.pgn"
    equal "$(grep -c '"exact":true' out)" "$(wc -l <out)"
fi
finish
