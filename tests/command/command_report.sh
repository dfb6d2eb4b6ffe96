#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma report: games, options and outputs. The test makes the games, so the expected figures are known.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

game() { # DATE WHITE BLACK RESULT MOVES [TAG]
    printf '[Event "Open"]\n[Date "%s"]\n[White "%s"]\n[Black "%s"]\n[Result "%s"]\n%s\n%s %s\n\n' \
        "$1" "$2" "$3" "$4" "${6:+$6$'\n'}" "$5" "$4"
}
clocks='1. e4 {[%clk 0:02:58]} e5 {[%clk 0:03:00]} 2. Nf3 {[%clk 0:02:50]} Nc6 {[%clk 0:02:00]} 3. Bb5 {[%clk 0:00:17]}'
game 2019.01.01 "Able, Ann" "Other, Olga" 1-0 "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6" '[BlackElo "2400"]' >a.pgn
game 2019.02.01 "Able,A" "Young, Yul" 1/2-1/2 "1. Nf3 e5 2. e4 Nc6 3. Bc4" >>a.pgn
game 2018.05.01 "Third, T" "Other, Olga" "0-1" "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5" >>a.pgn
game 2020.03.?? "Other, Olga" "Able, Ann" 1-0 "1. d4 d5 2. c4" >b.pgn
game 2020.04.01 "Able, Ann" "Other, Olga" "*" "$clocks" '[TimeControl "180+0"]' >>b.pgn
game 2020.05.01 "Able, Ann" "Other, Olga" "0-1" "1. Ra3" '[FEN "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"]' >>b.pgn
run 0 pack -q a.pgn
run 0 pack -q b.pgn

# ---- the terminal ----
run 0 report Able a.stamma b.stamma --novelties 4 --min-games 1
grep -qx 'Able: 5 games, 2019-01-01 to 2020-05-01; 1 begin in another position' out || fail "first line" "$(head -1 out)"
row() { # WORDS: a line has these words
    checks=$((checks + 1))
    tr -s ' ' <out | grep -qx "$1" || fail "no row $1" "$(cat out)"
}
row 'all games 5 1 1 2 37.5 2400 3200'
row 'as White 4 1 1 1 50.0 2400 3200'
row 'as Black 1 0 0 1 0.0'
row 'recent games 5 1 1 2 37.5 2400 3200'
row 'Able, Ann 4 1 0 2 33.3 2400 3200'
row 'Able,A 1 0 1 0 50.0'
row '2020 3 0 0 2 0.0'
row '2400-2499 1 1 0 0 100.0 2400 3200'
row 'other start position 1 0 0 1 0.0'
row ' 2. Nf3 2 1 0 0 100.0'  # two games of this order of moves
row ' 2... Nc6 3 1 1 0 75.0' # three games of this position
row ' 2. e4 (see above) 1 0 1 0 50.0'
row 'blitz 1 54.3 1 (100.0 %)' # 2, 8 and 153 seconds were spent on three moves; 17 of 180 seconds were left
row 'novelties after ply 4: 1 of 3 games with a complete date'
row '2019-01-01 Other, Olga 1 later 1. e4 e5 2. Nf3 Nc6 3. Bb5'

# ---- conditions ----
games_of() { # OPTION...: the number of games
    run 0 report Able a.stamma b.stamma -q --json --no-novelties "$@"
    sed 's/.*"all":{"games":\([0-9]*\).*/\1/' out
}
equal "$(games_of)" 5
equal "$(games_of --color white)" 4
equal "$(games_of --color black)" 1
equal "$(games_of --since 2020)" 3
equal "$(games_of --since 2019.02 --until 2020.04.01)" 3
equal "$(games_of --until 2019 --color white --result 1-0)" 1
equal "$(games_of --player Young)" 1
equal "$(games_of --unique)" 5
run 0 report Able a.stamma b.stamma a.stamma --novelties 4 -q
row 'all games 7 2 2 2 50.0 2400 3200'
row '2019-01-01 Other, Olga 2 later 1. e4 e5 2. Nf3 Nc6 3. Bb5' # one of them is the same game
run 0 report Able a.stamma b.stamma a.stamma --novelties 4 -q --unique
row 'all games 5 1 1 2 37.5 2400 3200'
row '2019-01-01 Other, Olga 1 later 1. e4 e5 2. Nf3 Nc6 3. Bb5'
equal "$(games_of --moves 'e4 e5 Nf3 Nc6' --depth 0)" 3
run 0 report able,a a.stamma # case does not matter
run 1 report Nobody a.stamma
says 'no game of "Nobody" was found'
run 1 report Able a.stamma -q --color black
equal "$(cat out err)" ""

# ---- levels, an index, standard input ----
run 0 report Able a.stamma b.stamma --json --min-games 1
cp out wanted
for level in 2 3; do
    run 0 recompress -q -f --level $level -o c.stamma a.stamma
    run 0 report Able c.stamma b.stamma --json --min-games 1
    sed -i 's/c\.stamma/a.stamma/g' out
    same out wanted
done
run 0 index -q a.stamma
run 0 report Able a.stamma b.stamma --json --min-games 1
same out wanted
run 0 report Able - b.stamma --json --min-games 1 <a.stamma
sed -i 's/"-"/"a.stamma"/g' out
same out wanted

# ---- PGN ----
run 0 report Able a.stamma b.stamma --repertoire-pgn --min-games 1 --depth 5 -q -o r.pgn
cat >wanted <<'PGN'
[Event "Repertoire as White"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Able"]
[Black "?"]
[Result "*"]

PGN
head -n 8 r.pgn >out
same out wanted
equal "$(sed -n 9p r.pgn | cut -c 1-46)" '{3 games. Results are those of the player.} 1.'
equal "$(tr '\n' ' ' <r.pgn | sed 's/{[^}]*}//g; s/\[[^]]*\]//g; s/  */ /g')" \
    " 1. e4 (1. Nf3 1... e5 2. e4 ) 1... e5 2. Nf3 2... Nc6 3. Bb5 (3. Bc4 ) * 1. d4 1... d5 2. c4 * "
equal "$(grep -o '{3 games: [^}]*}' r.pgn)" '{3 games: +1 =1 -0, 75.0 %}'
run 0 pack -q -o r.stamma r.pgn # moves and tags are legal

# ---- the page ----
run 0 report Able a.stamma b.stamma -o r.html
says 'r.html: 5 games'
run 2 report Able a.stamma -o r.html
says 'r.html: exists already'
run 0 report Able a.stamma b.stamma -q -f -o r.html
equal "$(cat out err)" ""
run 0 report Able a.stamma b.stamma -o -
same out r.html

# ---- an opening ----
game 2021.01.01 "White, W" "Black, B" 1-0 "1. Nf3 e5 2. e4 Nc6 3. Bb5 Nf6 4. O-O" $'[WhiteElo "2500"]\n[BlackElo "2401"]' >d.pgn
run 0 pack -q d.pgn
run 0 report a.stamma b.stamma d.stamma --opening "1. e4 e5 2. Nf3" --min-games 1 --depth 4
equal "$(head -3 out)" $'1. e4 e5 2. Nf3\nC40 King\'s Knight Opening\n5 games, 2018-05-01 to 2021-01-01, mean rating 2451'
row 'all games 5 2 1 1 62.5'
row '2... Nc6 3. Bb5 a6 1 1 0 0 100.0 2019-01-01'
row '2... Nc6 3. Bb5 Nf6 4. O-O 1 1 0 0 100.0 2451 2021-01-01'
row '2... Nc6 3. Bc4 Bc5 1 0 0 1 0.0 2018-05-01' # the other game with Bc4 ends
row '2400-2499 1 1 0 0 100.0'
row 'O-O 1 1 0 0 100.0 20.0'
row 'Nc6 5 2 1 1 62.5 100.0'
grep -q '^2021-01-01  2451  White, W - Black, B (game 1)  2... Nc6 3. Bb5 Nf6 4. O-O$' out || fail "key games" "$(cat out)"
for opening in "Knight Opening" C40 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'; do
    run 0 report a.stamma b.stamma d.stamma --opening "$opening" --json
    equal "$(jq -c '[.games, .white_wins, .eco, .rating]' out)" '[5,2,"C40",2451]'
done
run 0 report d.stamma --opening "e4 e5 Nf3" --json --date 2021
run 0 report a.stamma --opening "e4 e5 Nf3 Nc6" --repertoire-pgn --min-games 1
equal "$(tr '\n' ' ' <out | sed 's/{[^}]*}//g; s/\[[^]]*\]//g; s/  */ /g')" ' 1. e4 e5 2. Nf3 Nc6 3. Bc4 (3. Bb5 3... a6 ) 3... Bc5 * '
equal "$(head -1 out)" '[Event "King'"'"'s Knight Opening: Normal Variation"]'
run 0 report a.stamma --opening 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2' --repertoire-pgn --min-games 1
equal "$(grep -c '^\[FEN' out) $(grep -c '^2. Nf3\|} 2. Nf3' out)" '1 1'
run 0 pack -q -f -o o.stamma out
run 0 report a.stamma b.stamma --opening "e4 e5" -o o.html
says 'o.html: 3 games'
run 0 report Able a.stamma --opening Ruy -q --json # with a player, --opening is a condition
equal "$(jq -c '[.kind, .all.games]' out)" '["report",1]'
run 1 report a.stamma --opening "h4 h5"
says 'no game of "h4 h5" was found'
run 2 report a.stamma --opening "e4 e4"
says 'option --opening: "e4" is not a legal move'
run 2 report a.stamma --opening "Grob's Grob"
says "no game has an opening of this name"
run 2 report a.stamma --opening "8/8 w"
run 0 report - --opening "King's Knight" -q <a.stamma
run 0 report - --opening "e4 e5" -q < <(cat a.stamma)
run 2 report - --opening "King's Knight" -q < <(cat a.stamma)
says 'for a name, archives are read twice'
run 2 report a.stamma --opening e4 --color white
says 'option --color: a report of an opening has no player'

# ---- errors ----
run 2 report
says 'report needs PLAYER ARCHIVE'
run 2 report Able
run 2 report Able missing.stamma
says 'missing.stamma'
run 2 report Able a.pgn
run 2 report Able a.stamma --color red
says 'option --color: unknown word "red"; expected white or black'
for date in soon 2019..2020 ????; do
    run 2 report Able a.stamma --since "$date"
    says "option --since: \"$date\" is not a date"
done
run 2 report Able a.stamma --json --repertoire-pgn
says '\-\-json and --repertoire-pgn cannot be used together'
run 2 report Able a.stamma --ply x
run 2 report "" a.stamma
head -c 300 a.stamma >cut.stamma
run 2 report Able cut.stamma -o cut.html
absent cut.html
checks=$((checks + 3))
for form in "" --json --pgn "-o -"; do
    # shellcheck disable=SC2086
    "$stamma" report Able a.stamma -q $form >/dev/full 2>err && fail "a full disk, $form"
    says 'No space left'
done
nothing_left .
finish
