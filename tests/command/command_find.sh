#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma find: every condition as an option, every output format, order, limits, several archives, errors.
set -u
. tests/support/command_support.bash
known=$(realpath data/games.pgn)
cd "$scratch" || exit 1

sample >a.pgn
games 200 >b.pgn
run 0 pack -q a.pgn
run 0 pack -q b.pgn
if "$stamma" pack -q -2 -o a2.stamma a.pgn 2>/dev/null; then
    run 0 pack -q -3 -o a3.stamma a.pgn
fi

# found NUMBERS OPTION...: checks that these games of a.stamma are found, at every level, with one and with three
# threads.
found() {
    local wanted=$1 status=0 archive threads
    shift
    [ -n "$wanted" ] || status=1
    for archive in a.stamma a2.stamma a3.stamma; do
        [ -e $archive ] || continue
        for threads in 1 3; do
            run $status find $archive -T $threads --numbers "$@"
            [ "$(paste -sd' ' out)" = "$wanted" ] || fail "find $archive $*: $(paste -sd' ' out), not $wanted"
        done
    done
}

# ---- conditions ----
found "1 2 3 4 5"
found "1 3" --player ann
found "1" --player Ann --player Bob
found "4" --white muller
found "1 4" --black Bob
found "3" --event "*hundred*"
found "4" --site "m?nchen"
found "" --event hundred
says '--event: no game found; the pattern matches only a complete tag; "\*hundred\*" finds a part'
found "" --tag Annotator=on
says '--tag: no game found; .*"\*on\*" finds a part'
found "" --event "hundred*"
[ ! -s err ] || fail "a notice about a pattern with an asterisk"
run 1 find a.stamma --event hundred -q
[ ! -s err ] || fail "a notice despite -q"
found "2" --round -
found "1" --eco C2
found "1" --eco C20..C29
found "" --eco A00..B99
found "4" --result 0-1
found "2 5" --result "*"
found "1" --result-type mate
found "1 2" --date 2024.01.02..2024.01.03
found "1 2 3 4" --date 2024..
found "4" --tag Annotator=one
found "4" --tag Annotator=one --tag "Site=M*"
found "3" --plies ..2
found "1" --plies 7
found "4" --comment SOLID
found "4" --has variations
found "2 3" --has setup
found "5" --has text
found "2" --fen "N7/8/6k1/8/8/8/7K/8 w - -"
found "1 5" --moves "e4 e5"
found "1 5" --moves "1. e4 1... e5"
found "5" --moves "e2e4 e7e5 g1f3 b8c6"
found "2" --fen "8/P6k/8/8/8/8/7K/8 w - - 0 60" --moves "a8=N Kg6"
found "2" --material KNK
found "" --material KKN
found "2" --material KKN --flipcolor
found "1" --sub-fen 8/8/8/8/2B1P3/8/8/8
found "1" --sub-fen 8/8/8/8/8/2B1P3/8/8 --shift
found "1" --mate
found "1" --check
found "2" --promoted N
found "3" --castling any
found "1" --move Qxf7#
found "1" --white-move Qh5
found "" --black-move Qh5
found "1" --captured P
found "1" --moved Q --ply 5
found "1 2" --balance 1
found "1" --mover-balance 1
found "" --opposite-bishops
found "1" --ray "Q k"
found "1" --ray "q K" --flipcolor
found "1" --battery QB
found "1" --path "B f1 c4"
found "1" --path "b c8 f5" --flipcolor --mirror
found "1" --halfmove-clock 3
found "" --repetition 2..
found "4" --nag !
found "4" --nag 1..6
found "4" --ply-comment solid
found "" --ply-comment solid --ply 1
found "" --rating-difference 0..
found "" --mover-swing ..0
found "1" --query '{"attackers": {"of": "f7", "by": "QB", "n": 2}}'
found "1 4 5" --pawns 8/pppppppp/8/8/8/8/PPPPPPPP/8
found "1 4" --query '{"any": [{"mate": true}, {"white": "Müller"}]}'
found "1" --query '{"any": [{"mate": true}, {"white": "Müller"}]}' --white Ann
found "1" --query '{"white": "Ann"}' --query '{"black": "Bob"}'
found "4" --query '{"offset": 1, "result": ["1-0", "0-1"]}'
found "1" --side-to-move black --mate
# the examples in the help
run 0 help conditions
equal "$(grep -c 'Nxq: .*"Bxf7 h7"' out)" 1
found "" --attacks Nxq
found "1" --attacks "Bxf7 h7"
# options of one rule if other rules are repeated
found "1" --sub-fen 8/8/8/8/8/2B1P3/8/8 --shift --white-move Qxf7 --white-move h5f7
found "1 5" --moves "e4 e5" --ignore-castling --black-move e5 --black-move e7e5
found "1" --sub-fen 8/8/8/8/8/2B1P3/8/8 --sub-fen 8/8/8/8/8/8/8/Q7 --shift --move Qxf7 --move h5f7

# ---- output formats ----
run 0 find a.stamma --player Ann
"$stamma" ls a.stamma 1 3 >wanted
same out wanted
run 0 find a.stamma --player Ann --count
equal "$(cat out)" 2
run 1 find a.stamma --player Nobody --count
equal "$(cat out)" 0
run 1 find a.stamma --player Nobody
equal "$(cat out err)" ""
run 0 find a.stamma --moves "e4 e5" --matches
equal "$(cat out)" "1 2
5 2"
run 0 find a.stamma --query '{"sequence": [{"move": "e4"}, {"move": "Nc6"}]}' --matches
equal "$(cat out)" "1 1 4
5 1 4"
run 0 find a.stamma --white Ann --wdl
equal "$(cat out)" "2 games: White won 1 (50.0 %), drawn 1 (50.0 %), Black won 0 (0.0 %), unfinished 0; White scored 75.0 %"
run 0 find a.stamma --wdl --json
equal "$(cat out)" '{"kind":"results","games":5,"white_wins":1,"draws":1,"black_wins":1,"unfinished":2,"score":50.00}'
run 1 find a.stamma --white Nobody --wdl --json
equal "$(cat out)" '{"kind":"results","games":0,"white_wins":0,"draws":0,"black_wins":0,"unfinished":0,"score":null}'
run 0 find a.stamma --mate --json
equal "$(cat out)" '{"number":1,"white":"Ann","black":"Bob","white_rating":null,"black_rating":null,"result":"1-0","date":"2024-01-02","event":"Casual","site":"Here","round":"1","TimeControl":null,"ECO":"C20","Opening":null,"plies":7,"match":[7]}'
run 0 find a.stamma --mate --json --columns number,san
equal "$(cat out)" '{"number":1,"san":["e4","e5","Bc4","Nc6","Qh5","Nf6","Qxf7#"],"match":[7]}'
run 0 find a.stamma --has variations --json --columns variations
equal "$(cat out)" '{"variations":[{"ply":2,"within":null,"uci":["g8f6","c2c4"],"san":["Nf6","c4"],"comments":[],"nags":[]}],"match":[0]}'
run 0 find a.stamma --query '{"streak": [{"move": "Qh5"}, {"by": "black"}]}' --format tsv --columns number,White
equal "$(cat out)" "number	White	match
1	Ann	5 6"
# the match: positions, moves, diagrams, comments, all plies
run 0 find a.stamma --mate --json --columns match.san,number,match.fen
equal "$(cat out)" '{"number":1,"match":[7],"match.fen":["r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4"],"match.san":["Qxf7#"]}'
run 0 find a.stamma --query '{"sequence": [{"ply": 0}, {"move": "Nc6"}]}' --white Ann --format tsv --columns number,match.san
equal "$(cat out)" "number	match	match.san
1	0 4	; Nc6"
run 0 find a.stamma --query '{"ply": 0}' --limit 1 --json --columns match.san
equal "$(cat out)" '{"match":[0],"match.san":[null]}'
run 0 find a.stamma --by white --white Ann --all-matches --matches
equal "$(cat out)" "1 1 3 5 7
3 1"
run 0 find a.stamma --all-matches --limit 1 --matches
equal "$(cat out)" "1 0 1 2 3 4 5 6 7"
run 0 find a.stamma --query '{"result": "1-0", "all-matches": true}' --matches
equal "$(cat out)" "1 0 1 2 3 4 5 6 7"
found "" --black-move Nf6 --white Müller
found "4" --black-move Nf6 --white Müller --variations
found "4" --fen "rnbqkb1r/pppppppp/5n2/8/2PP4/8/PP2PPPP/RNBQKBNR b KQkq -" --variations
run 0 find a.stamma --black-move Nf6 --white Müller --variations --matches
equal "$(cat out)" "4 1"
run 2 find a.stamma --query '{"not": {"all-matches": true}}'
says "only allowed at the top"
run 0 find a.stamma --query '{"streak": [{"move": "Nf6"}, {"move": "Qxf7"}]}' --format pgn --mark
equal "$(tail -2 out | head -1)" "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 {match} 4. Qxf7# {match} 1-0"
run 0 find a.stamma --nag 1 --format pgn --mark
grep -q '^1. d4 d5 {solid} (1... Nf6 2. c4) 2. c4 $1 {match} 0-1' out || fail "a mark after a glyph" "$(cat out)"
run 0 find a.stamma --ply 0 --white Ann --limit 1 --format pgn --mark
equal "$(grep -c '^{match} 1. e4 e5 2' out)" 1
"$stamma" find a.stamma --white Ann --format pgn --mark | sed 's/{match} //; s/ {match}//' >out
"$stamma" cat a.stamma 1 3 >wanted
same out wanted
run 0 find a.stamma --mate --board
equal "$(sed -n 3p out)" "        7  p p p p . Q p p"
equal "$(sed -n 10p out)" "           a b c d e f g h   4. Qxf7#, ply 7, Black to move"
run 0 find a.stamma --promoted N --board
equal "$(sed -n 10p out)" "           a b c d e f g h   60. a8=N, ply 1, Black to move"
run 2 find a.stamma --mate --mark
says "--mark requires the format pgn"
run 2 find a.stamma --mate --board --json
says "--board cannot"
run 0 find a.stamma --player Bob --wdl
equal "$(tail -1 out)" "Bob: won 1 (50.0 %), drawn 0 (0.0 %), lost 1 (50.0 %); scored 50.0 %"
run 0 find a.stamma --player Ann --wdl --json
equal "$(cat out)" '{"kind":"results","games":2,"white_wins":1,"draws":1,"black_wins":0,"unfinished":0,"score":75.00,"player":{"name":"Ann","wins":1,"draws":1,"losses":0,"score":75.00}}'
run 0 find a.stamma --player ann --player BOB --wdl
equal "$(wc -l <out)" 1
run 0 find a.stamma --mate --format csv
equal "$(tail -1 out)" "$(printf '1,Ann,Bob,,,1-0,2024-01-02,Casual,Here,1,,C20,,7,7\r')"
run 1 find a.stamma --white Nobody --format csv
equal "$(wc -l <out)" 1
run 0 find a.stamma --player Ann --format pgn
"$stamma" cat a.stamma 1 3 >wanted
same out wanted
"$stamma" find a.stamma --player Ann --numbers | "$stamma" cat a.stamma --games - >out
same out wanted
printf '1..2\n4\n' | "$stamma" cat a.stamma --games - >out
"$stamma" cat a.stamma 1..2 4 >wanted
same out wanted

# ---- archives of the games found ----
run 0 find a.stamma --player Ann -o sub.stamma
says "sub.stamma: 2 games, [0-9,]* bytes of text in [0-9,]*"
"$stamma" cat a.stamma 1 3 >wanted
run 0 unpack sub.stamma
same out wanted
run 0 verify sub.stamma
run 2 find a.stamma --player Bob -o sub.stamma
says "sub.stamma"
run 0 unpack sub.stamma
same out wanted
run 0 find -q a.stamma --player Bob -o sub.stamma -f
equal "$(cat out err)" ""
"$stamma" cat a.stamma 1 4 >wanted
run 0 unpack sub.stamma
same out wanted
run 0 find a.stamma --player Bob -o - >piped.stamma
run 0 find a.stamma --sort -number -q -o sorted.stamma
"$stamma" cat a.stamma 5 4 3 2 1 >wanted
run 0 unpack sorted.stamma
same out wanted
run 0 find a.stamma --player Bob --format pgn -o text.pgn
"$stamma" cat a.stamma 1 4 >wanted
same text.pgn wanted
run 1 find a.stamma --player Nobody -q -o none.stamma
absent none.stamma
printf '1. e4 e5 2. Nf3' >open.pgn # ends within a game, without a line end
run 0 pack -q open.pgn
run 0 find open.stamma open.stamma --format pgn
run 0 find open.stamma open.stamma -q -o twice.stamma
run 0 unpack twice.stamma
{ cat open.pgn; printf '\n\n'; cat open.pgn; } >wanted
same out wanted
run 0 find open.stamma open.stamma --format pgn
same out wanted

# ---- limits and order ----
run 0 find b.stamma --numbers --limit 3
equal "$(paste -sd' ' out)" "1 2 3"
run 0 find b.stamma --numbers --limit 2 --offset 4
equal "$(paste -sd' ' out)" "5 6"
run 1 find b.stamma --numbers --offset 200
run 1 find b.stamma --numbers --limit 0
run 0 find b.stamma --count --limit 7
equal "$(cat out)" 7
run 0 find b.stamma --numbers --sort -Round --limit 3
equal "$(paste -sd' ' out)" "200 199 198"
run 0 find b.stamma --numbers --sort Round --limit 3 --offset 8
equal "$(paste -sd' ' out)" "9 10 11"
run 0 find b.stamma --numbers --sort Event --limit 3
equal "$(paste -sd' ' out)" "7 14 21"
run 0 find b.stamma --numbers --sort -Event --limit 3
equal "$(paste -sd' ' out)" "6 13 20"
run 0 find b.stamma --numbers --sort Annotator --limit 3
equal "$(paste -sd' ' out)" "1 2 3"
run 0 find a.stamma --numbers --sort plies
equal "$(paste -sd' ' out)" "3 2 4 5 1"
run 0 find a.stamma --numbers --sort ECO
equal "$(paste -sd' ' out)" "1 2 3 4 5"
run 0 find a.stamma --numbers --sort -Date
equal "$(paste -sd' ' out)" "4 3 2 1 5"
"$stamma" find b.stamma --json --sort -number >out
"$stamma" find b.stamma --json | sed -n '1!G;h;$p' >wanted
same out wanted

# ---- several archives ----
run 0 find a.stamma b.stamma --black B1 --numbers
"$stamma" find b.stamma --black B1 --numbers | sed 's/^/b.stamma:/' >wanted
{ "$stamma" find a.stamma --black B1 --numbers | sed 's/^/a.stamma:/'; cat wanted; } >all
same out all
run 0 find a.stamma a.stamma --mate --matches
equal "$(cat out)" "a.stamma:1 7
a.stamma:1 7"
run 0 find a.stamma b.stamma --mate
equal "$(sed 's/: .*//' out)" "a.stamma"
run 0 find a.stamma b.stamma --count
equal "$(cat out)" 205
run 0 find a.stamma b.stamma --mate --json --columns number
equal "$(cat out)" '{"archive":"a.stamma","number":1,"match":[7]}'
run 0 find a.stamma b.stamma --mate --format tsv --columns number
equal "$(cat out)" "archive	number	match
a.stamma	1	7"
run 0 find b.stamma a.stamma --sort plies --limit 2 --numbers
equal "$(cat out)" "a.stamma:3
a.stamma:2"
run 0 find b.stamma a.stamma --sort -plies --limit 2 --format pgn
"$stamma" cat b.stamma 1 2 >wanted
same out wanted
run 0 find a.stamma b.stamma --limit 6 --offset 4 --numbers
equal "$(paste -sd' ' out)" "a.stamma:5 b.stamma:1 b.stamma:2 b.stamma:3 b.stamma:4 b.stamma:5"
"$stamma" find - --mate --numbers <a.stamma >out
equal "$(cat out)" 1
cat a.stamma | "$stamma" find - --mate --numbers >out
equal "$(cat out)" 1

# ---- quiet ----
run 0 find -q a.stamma --mate
equal "$(cat out err)" ""
run 1 find -q a.stamma --stalemate
equal "$(cat out err)" ""

# ---- errors ----
# faulty OPTION VALUE WORDS CARET: checks the message, and the caret under the wrong part of the value.
faulty() {
    run 2 find a.stamma "--$1" "$2"
    says "option --$1: .*$3"
    equal "$(sed -n 2p err)" "  $2"
    equal "$(sed -n 3p err)" "  $4"
    equal "$(cat out)" ""
}
faulty material KRZK "expected a piece" "  ^"
faulty moves "e4 e5 Nf4" "no legal move" "      ^~~"
faulty moves "e4 e5 hello" "no move" "      ^~~~~"
faulty moves "Na3 a6 Nc4 a5 Nf3 a4 Ne5" "several moves" "                     ^~~"
faulty query '{"materal": "KRPKR"}' 'did you mean "material"' ' ^~~~~~~~~'
faulty tag Annotator "NAME=PATTERN" "         ^"
faulty rating 2400-2500 "range" "^~~~~~~~~"
faulty eco X9 "expected" "^~"
run 2 find a.stamma --player Ann --query '{"materal": "KRPKR"}'
says 'option --query: .*did you mean "material"'
equal "$(sed -n 3p err)" "   ^~~~~~~~~"
run 2 find a.stamma --query '{
  "white": "Ann",
  "blak": "Bob"}'
says 'did you mean "black"'
equal "$(sed -n 2p err)" '    "blak": "Bob"}'
equal "$(sed -n 3p err)" '    ^~~~~~'
run 2 find a.stamma --plyer Ann
says "find has no option --plyer; did you mean --player?"
run 2 find a.stamma --flipcolor
says "option --flipcolor requires an option such as --sub-fen"
run 2 find a.stamma --query '{"mate": true}' --ignore-castling
says "option --ignore-castling requires an option such as --fen"
run 2 find a.stamma --flipcolor --white Ann
says "option --flipcolor: "
run 2 find a.stamma --shift --white-move e4
says "option --shift: "
run 2 find a.stamma --sub-fen 8/8/8/8/8/2B1P3/8/8 --ignore-castling
says "option --ignore-castling: "
run 2 find a.stamma --sort -dates
says 'option --sort: there is no field "dates"; did you mean "date"?'
run 2 find a.stamma --sort -xyz
says 'keys are number, plies, date, rating and tag names'
run 2 find a.stamma --sort -
says "option --sort: there is no field"
run 2 find a.stamma --json --format csv
says "\-\-format csv and --json cannot be used together"
run 2 find a.stamma --csv --format table
says "\-\-format csv and --format table cannot be used together"
run 2 find a.stamma --format uci
says "find has no format \"uci\"; the formats are table, json, csv, tsv and pgn"
for format in json csv tsv pgn; do
    run 0 find a.stamma --mate --$format
    cp out by-name
    run 0 find a.stamma --mate --format $format
    same out by-name
done
run 0 find a.stamma --mate
cp out by-name
run 0 find a.stamma --mate --format table
same out by-name
run 2 find a.stamma --columns White
says "\-\-columns requires"
run 2 find a.stamma --json --columns Whit,witte
says 'there is no column "witte"'
run 2 find a.stamma --level 2
says "\-\-level requires -o"
run 2 find
says "find needs the name of an archive"
run 2 find missing.stamma a.stamma --mate
says "missing.stamma: No such file"
equal "$(cat out)" ""
run 2 find a.pgn --mate
says "a.pgn: not a Stamma archive"
run 2 find a.stamma b.pgn --mate --numbers
equal "$(cat out)" "a.stamma:1"
says "b.pgn: not a Stamma archive"

# ---- damage: games before the damage are found, but no archive of them is made ----
cp a.stamma c.stamma
run 0 merge -q -f -o c.stamma a.stamma b.stamma
size=$(wc -c <c.stamma)
head -c $((size - 500)) c.stamma >cut.stamma
run 2 find cut.stamma --numbers
says "cut.stamma: the archive is damaged or cut short at byte [0-9]*"
equal "$(paste -sd' ' out)" "1 2 3 4 5"
run 2 find cut.stamma --json --sort -plies --columns number
equal "$(head -1 out)" '{"number":1,"match":[]}'
run 2 find cut.stamma -o kept.stamma
absent kept.stamma
nothing_left .

# ---- a reader that closes its end of the pipe ----
checks=$((checks + 1))
"$stamma" find b.stamma b.stamma b.stamma b.stamma --json 2>err | head -1 >out
[ "${PIPESTATUS[0]}" -ne 2 ] || fail "a closed pipe is an error"
equal "$(cat err)" ""
if [ -e /dev/full ]; then
    checks=$((checks + 1))
    "$stamma" find b.stamma --json >/dev/full 2>err && fail "a full disk goes unnoticed"
    says "standard output: No space left"
fi

# ---- comments that are fields, after the last game that is read ----
printf '[White "%s"]\n\n1. e4 { [%%clk 0:09:58] %s } e5 { [%%clk 0:09:57] } 2. Nf3 { [%%clk 0:09:51] } *\n\n' Anna calm Berta wild >clocks.pgn
run 0 pack -q clocks.pgn
run 0 find clocks.stamma --numbers --player Anna --comment calm
equal "$(cat out)" 1
run 0 find clocks.stamma --numbers --player Anna --has clocks
equal "$(cat out)" 1

# ---- line ends within the searched words of a comment; games whose only exceptions are spacing; provisional ratings
# ----
{
    printf '[White "A"]\n[WhiteElo "900"]\n\n1. e4 { a plan:\n  b4 } *\n\n[White "B"]\n[WhiteElo "2500?"]\n\n1. e4   e5 2.  Nf3 { a plan: b4 } *\n\n'
    printf '[White "C"]\n[WhiteElo "2600"]\n\n1. e4 Ke4 { a plan b4 } *\n\n'
} >odd.pgn
run 0 pack -qf odd.pgn
run 0 find odd.stamma --numbers --comment "Plan: B4"
equal "$(paste -sd' ' out)" "1 2"
run 0 find odd.stamma --numbers --query '{"comment": "plan:\n\tb4 "}'
equal "$(paste -sd' ' out)" "1 2"
run 0 find odd.stamma --numbers --has text
equal "$(paste -sd' ' out)" 3
run 0 find odd.stamma --numbers --sort -WhiteElo
equal "$(paste -sd' ' out)" "3 2 1"

# ---- several sort keys ----
printf '[White "b"]\n[Date "2001.01.01"]\n[WhiteElo "2000"]\n\n*\n\n[White "a"]\n[Date "2002.01.01"]\n[WhiteElo "2000"]\n\n*\n\n[White "c"]\n[Date "2000.01.01"]\n[WhiteElo "2100"]\n\n*\n\n[White "d"]\n\n*\n' >keys.pgn
run 0 pack -qf keys.pgn
for sort in "--sort -WhiteElo,-Date:3 2 1 4" "--sort -WhiteElo --sort Date:3 1 2 4" "--sort WhiteElo,White:2 1 3 4" "--sort -number:4 3 2 1"; do
    # shellcheck disable=SC2086
    run 0 find keys.stamma --numbers ${sort%:*}
    [ "$(tr '\n' ' ' <out)" = "${sort#*:} " ] || fail "${sort%:*}" "$(cat out)"
done
run 2 find keys.stamma --sort White,Black,Date,Event,Site
says "at most 4 keys"
run 0 find keys.stamma --format csv --columns White,match --limit 1
grep -q "^White,match" out || fail "the field match" "$(cat out)"

# ---- games without a position ----
printf '[Event "a"]\n[FEN "no position"]\n\n1. e4 *\n\n[Event "b"]\n\n1. e4 *\n' >nowhere.pgn
run 0 pack -qf nowhere.pgn
run 0 find nowhere.stamma --query '{"ply": 0}' --numbers
[ "$(cat out)" = 2 ] || fail "ply 0" "$(cat out)"
run 0 find nowhere.stamma --query '{"streak": [{"ply": 0}, {"ply": 1}]}' --event b --matches
[ "$(cat out)" = "2 0 1" ] || fail "the plies of a streak" "$(cat out)"
run 2 find nowhere.stamma --move O-0

# After "=", the name of an opening is compared completely: the number of games equals the number in the statistics of
# openings.
run 0 pack -q "$known" -o openings.stamma
run 0 stats --json --limit 1000 openings.stamma
cp out openings.json
python3 - "$stamma" <<'PYTHON' || fail "exact names of openings"
import json, subprocess, sys

count = lambda name: int(subprocess.run([sys.argv[1], "find", "--count", "openings.stamma", "--opening", name], capture_output=True, text=True).stdout or 0)
rows = json.load(open("openings.json"))["openings"]
assert len(rows) > 50
assert [count("=" + row["name"]) for row in rows] == [row["games"] for row in rows]
family = [row for row in rows if row["name"].startswith("Sicilian Defense")]
assert count("=sicilian defense*") == sum(row["games"] for row in family) > count("=Sicilian Defense")
assert count("=icilian Defense*") == 0 < count("icilian Defense")
PYTHON

# Names match usual spellings: letters with two dots, Cyrillic and Greek letters; with and without an index.
spelt() { printf '[White "%b"]\n[Black "%b"]\n\n1. e4 *\n\n' "$1" "$2"; }
{
    spelt "H\303\274bner, Robert" "Huebner, R"
    spelt "\320\232\320\260\321\200\320\277\320\276\320\262, \320\220" "\316\235\316\257\316\272\316\277\317\202"
    spelt "Bauer, Christian" "Michael, X"
} >spelt.pgn
for level in 1 2; do
    rm -f spelt.stamma.index
    run 0 pack -q -f --level $level -o spelt.stamma spelt.pgn
    for index in no yes; do
        [ $index = no ] || run 0 index -q spelt.stamma
        for name in Hubner $'H\303\274bner, R' HUEBNER '*bner'; do
            run 0 find spelt.stamma --numbers --white "$name" --black "$name"
            equal "$(cat out)" 1
        done
        run 0 find spelt.stamma --numbers --query '{"players": ["karpov", "NIKOS"]}'
        equal "$(cat out)" 2
        run 1 find spelt.stamma --numbers --player Baur
        run 1 find spelt.stamma --numbers --player Michal
    done
done
finish
