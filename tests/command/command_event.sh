#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma event: the list, selection, outputs and errors. tests/unit/events checks the standings.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

game() { # EVENT DATE ROUND WHITE BLACK RESULT [TAGS]
    printf '[Event "%s"]\n[Site "Riga LAT"]\n[Date "%s"]\n[Round "%s"]\n[White "%s"]\n[Black "%s"]\n[Result "%s"]\n%s\n%s %s\n\n' \
        "$1" "$2" "$3" "$4" "$5" "$6" "${7:+$7$'\n'}" '1. e4 e5 2. Nf3 Nc6 3. Bb5' "$6"
}
{
    game Cup 2020.01.01 1.1 Able Dean 1-0 $'[WhiteElo "2400"]\n[BlackElo "2000"]\n[WhiteTitle "IM"]'
    game Cup 2020.01.01 1.2 Baker Cole 1/2-1/2
    game Cup 2020.01.02 2.1 Dean Cole 0-1
    game Cup 2020.01.02 2.2 Able Baker 0-1
    game Cup 2020.01.03 3.1 Baker Dean 1/2-1/2
    game Cup 2020.01.03 3.2 Cole Able 0-1
    game Cup 2021.01.01 1 Able Baker 1-0
    game Cup 2021.01.01 1 Able Baker 1-0
    game "Cup final" 2021.01.02 1 Able Baker 0-1
} >a.pgn
{
    game League 2022.01.01 1.1 A C 1-0 $'[WhiteTeam "X"]\n[BlackTeam "Y & Z"]'
    game League 2022.01.01 1.2 D B 1/2-1/2 $'[WhiteTeam "Y & Z"]\n[BlackTeam "X"]'
    game KO 2022.02.01 1 A B 1-0
    game KO 2022.02.01 1 C D 0-1
    game KO 2022.02.02 2 A D 1-0
} >b.pgn
run 0 pack -q a.pgn
run 0 pack -q b.pgn
row() { # WORDS: a line has these words
    checks=$((checks + 1))
    tr -s ' ' <out | sed 's/ $//' | grep -qx "$1" || fail "no row $1" "$(cat out)"
}

# ---- the list ----
run 0 event a.stamma b.stamma
row 'number event site dates kind games players rounds'
row ' 1 Cup Riga LAT 2020-01-01 to 2020-01-03 round-robin 6 4 3'
row ' 2 Cup Riga LAT 2021-01-01 match 1 2 1'
row ' 3 Cup final Riga LAT 2021-01-02 match 1 2 1'
row ' 4 League Riga LAT 2022-01-01 team 2 4 1'
row ' 5 KO Riga LAT 2022-02-01 to 2022-02-02 knock-out 3 4 2'
run 0 event a.stamma b.stamma --limit 1
row '... and 4 more'
run 0 event a.stamma --date 2021
row ' 2 Cup final Riga LAT 2021-01-02 match 1 2 1'

# ---- one event ----
run 0 event a.stamma --event Cup --date 2020
equal "$(head -3 out)" $'Cup\nRiga LAT, 2020-01-01 to 2020-01-03\nround-robin: 6 games, 4 players, 3 rounds'
row 'place title player rating games points DE WIN SB KS perf. change 1 2 3 4'
row ' 1 Baker 3 2.0 1.0 1 3.00 1.5 x 1 = ='
row ' 2 IM Able 2400 3 2.0 0.0 2 2.00 1.0 2800 +0.8 0 x 1 1'
row ' 3 Cole 3 1.5 0.0 1 1.50 0.5 = 0 x 1'
row ' 4 Dean 2000 3 0.5 0.0 0 1.00 0.5 1600 -1.6 = 0 0 x'
row 'check: 0 findings'
run 0 event a.stamma --number 1 --tie-breaks WIN,SB --k-factor 40
row ' 1 IM Able 2400 3 2.0 2 2.00 2800 +3.2 x 0 1 1'
run 0 event a.stamma --event Cup
says '2 events match; --number N reports one of them, --all reports all'
row ' 2 Cup Riga LAT 2021-01-01 match 1 2 1'
run 0 event a.stamma --event Cup --number 2
row 'check: 1 finding'
row 'games that occur twice'
row ' round 1: Able - Baker (game 8)'
run 0 event a.stamma --event 'Cup f*'
row 'match: 1 game, 2 players, 1 round'
run 0 event a.stamma --event 'CUP FINAL' # as in find, case does not matter
row 'match: 1 game, 2 players, 1 round'
run 0 event b.stamma --event League
row 'place team matches points boards 1 2'
row ' 1 X 1 2 1.5 x 1.5'
row ' 2 Y & Z 1 0 0.5 0.5 x'
run 0 event b.stamma --event KO
row ' 2 A D 1.0 - 0.0'
run 0 event a.stamma b.stamma --all -q
equal "$(grep -c '^check:' out)" 5
run 0 event a.stamma --event Cup --date 2020 --limit 1
row '... and 3 more'

# ---- a Swiss event ----
for round in 1 2 3; do
    for board in 1 2 3 4 5; do
        game Swiss 2023.01.0$round $round.$board P$board Q$(((board + 2 * round) % 5)) 1-0
    done
done >c.pgn
run 0 pack -q c.pgn
run 0 event c.stamma --event Swiss
row 'place title player rating games points DE BH-C1 BH SB WIN perf. change 1 2 3'
row ' 1 P1 3 3.0 0.0 0.0 0.0 0.00 3 9w1 6w1 8w1'

# ---- JSON: for an index, levels and standard input the same ----
run 0 event a.stamma --json
equal "$(jq -c '.kind, .events[0].event, .events[0].games' out | paste -sd ' ')" '"events" "Cup" 6'
run 0 event a.stamma --all --json
cp out wanted
equal "$(jq -c 'select(.number == 1) | .standings[1] | [.name, .points, .sonneborn, .rank, .performance, .rating_change]' out)" \
    '["Able",2,2,2,2800,0.8]'
equal "$(jq -c 'select(.number == 2) | .findings[0] | [.finding, .round]' out)" '["same-game",1]'
equal "$(jq -c 'select(.number == 2) | .game_list[1].repeated' out)" true
for level in 2 3; do
    run 0 recompress -q -f --level $level -o d.stamma a.stamma
    run 0 event d.stamma --all --json
    sed -i 's/d\.stamma/a.stamma/g' out
    same out wanted
done
run 0 index -q a.stamma
run 0 event a.stamma --all --json
same out wanted
run 0 event - --all --json <a.stamma
sed -i 's/"-"/"a.stamma"/g' out
same out wanted

# ---- the page ----
run 0 event b.stamma --all -o e.html -q
equal "$(grep -c '<h2>Teams</h2>' e.html) $(grep -c 'Y &amp; Z' e.html)" '1 1'
run 0 event a.stamma -o list.html
run 2 event a.stamma -o list.html
says 'list.html: exists already'
run 0 event a.stamma -f -o - --all
run 0 event a.stamma --number 1 -o - --limit 2
equal "$(grep -c 'and 2 more' out)" 2

# ---- errors ----
run 2 event
run 2 event missing.stamma
run 2 event a.pgn
run 1 event a.stamma --event Nothing
run 2 event a.stamma --number 9
says 'option --number: there are only 3 events'
run 2 event a.stamma --tie-breaks DE,XX
says 'option --tie-breaks: unknown word "XX"; expected DE, BH, BH-C1, SB, WIN or KS'
run 2 event a.stamma --tie-breaks DE,DE,DE,DE,DE,DE,DE
says 'option --tie-breaks: at most 6 words'
run 2 event a.stamma --k-factor 101
head -c 200 a.stamma >cut.stamma
run 2 event cut.stamma -o cut.html
absent cut.html
checks=$((checks + 3))
for form in "" --json "-o -"; do
    # shellcheck disable=SC2086
    "$stamma" event a.stamma -q --all $form >/dev/full 2>err && fail "a full disk, $form"
    says 'No space left'
done
nothing_left .
finish
