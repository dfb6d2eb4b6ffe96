#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma dedupe --decisions keeps and drops the games that a person has decided about.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

moves="1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7"
game() { # WHITE [MOVES]
    printf '[Event "Open"]\n[Date "2010.05.03"]\n[White "%s"]\n[Black "Svidler, Peter"]\n[Result "1-0"]\n\n%s 1-0\n\n' "$1" "${2:-$moves}"
}
game "Andreikin, Dmitry" >one
game "Andreikin,D" >two
game "Andreikin" >three
game "Tal, Mikhail" "1. d4 d5 2. c4 e6" >four
cat one two four >a.pgn
cat three >'b, "c".pgn'
run 0 pack -q a.pgn
run 0 pack -q 'b, "c".pgn'

dedupe() { # FILE...: the games that are written
    run 0 dedupe -q -f -o out.stamma --decisions decisions.csv a.stamma 'b, "c".stamma'
    run 0 unpack -f -q -o out.pgn out.stamma
    cat "$@" >wanted.pgn
    same out.pgn wanted.pgn
}
run 0 dedupe --dry-run a.stamma 'b, "c".stamma'
equal "$(cut -f 2,3 out | tr '\t\n' '  ')" "a.stamma 1 a.stamma 2 "
printf 'archive,game,decision,why\n' >decisions.csv
dedupe four three
printf 'archive,game,decision,why\na.stamma,1,keep,a reason\n\na.stamma,1,keep\n' >decisions.csv
dedupe one four three
# The other game is kept, and a game that is not a duplicate is dropped. The columns have another order.
printf 'why,decision,game,archive\r\n"two\nlines",keep,2,a.stamma\r\n,drop,1,"b, ""c"".stamma"\r\n,drop,3,a.stamma' >decisions.csv
dedupe two
run 0 dedupe -f -o out.stamma --decisions decisions.csv a.stamma 'b, "c".stamma'
says '3 decisions of decisions.csv were applied'

# Tags are merged into a game that a decision confirms, but not from a game that a decision keeps separately.
sed 's/^\[Result/[Round "3"]\n[Result/' one >round
cat round two >c.pgn
run 0 pack -q c.pgn
merged() { # DECISION...: of both games. Prints the number of games, and that of Round tags
    printf 'archive,game,decision\nc.stamma,1,%s\nc.stamma,2,%s\n' "$@" >decisions.csv
    run 0 dedupe -q -f -o out.stamma --keep last --merge tags --decisions decisions.csv c.stamma
    run 0 unpack -f -q -o out.pgn out.stamma
    echo "$(grep -c '^.Event' out.pgn) $(grep -c '^.Round' out.pgn)"
}
equal "$(merged drop keep)" "1 1"
equal "$(merged keep keep)" "2 1"
equal "$(merged keep drop)" "1 1"

while IFS='|' read -r text words; do
    printf '%b' "$text" >decisions.csv
    run 2 dedupe -o new.stamma --decisions decisions.csv a.stamma
    says "$words"
done <<'ERRORS'
|decisions.csv: line 1: there is no column "archive"
archive,game\n|line 1: there is no column "decision"
archive,game,decision\na.stamma,1,keep\nc.stamma,1,keep\n|line 3: not one of the ARCHIVEs: "c.stamma"
archive,game,decision\na.stamma,4,keep\n|line 2: the archive has no game "4"
archive,game,decision\na.stamma,0,keep\n|line 2: the archive has no game "0"
archive,game,decision\na.stamma,-1,keep\n|line 2: the archive has no game "-1"
archive,game,decision\na.stamma,99999999999999999999,keep\n|line 2: the archive has no game
archive,game,decision\na.stamma,1,both\n|line 2: neither keep nor drop: "both"
archive,game,decision\n"a.stamma,1,keep\n\n|line 4: a quote is not closed
archive,game,decision\n"a.stamma"x,1,keep\n|line 2: text after a quoted cell
archive,game,decision\na.stamma,1\n|line 2: too few cells
archive,game,decision\na.stamma,1,keep\na.stamma,2,keep\na.stamma,1,drop\n|line 4: contradicts an earlier line
ERRORS
run 2 dedupe -o new.stamma --decisions missing.csv a.stamma
says 'missing.csv'
run 2 dedupe -n --decisions decisions.csv a.stamma
says '\-\-decisions and --dry-run cannot be used together'
absent new.stamma
nothing_left .
finish
