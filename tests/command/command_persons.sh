#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Persons: --person of find, tree, stats and report finds the games of all names and accounts in a file of persons, and
# stamma names --write-persons adds persons without changing a line.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

game() { # WHITE BLACK RESULT TAGS SITE
    printf '[Event "Open"]\n[Site "%s"]\n[Date "2015.05.03"]\n[White "%s"]\n[Black "%s"]\n[Result "%s"]\n%b\n1. e4 e5 %s\n\n' \
        "${5-Riga}" "$1" "$2" "$3" "${4-}" "$3"
}
found() { # NUMBERS CONDITION...
    local numbers=$1
    shift
    run $([ "$numbers" ] && echo 0 || echo 1) find a.stamma --numbers "$@"
    equal "$(paste -sd' ' out)" "$numbers"
}

game "Wang,Y" "Carlsen, Magnus" 1-0 '[WhiteFideId "1"]\n[BlackFideId "1503014"]\n' >games.pgn      # 1
game "Wang,Yiye" "CARLSEN,M" 0-1 '[WhiteFideId "2"]\n[BlackFideId "1503014"]\n' >>games.pgn         # 2
game DrNykterstein penguin 1-0 "" https://lichess.org/abcdefgh >>games.pgn                          # 3
game DrNykterstein Wang,Y 0-1 '[BlackFideId "3"]\n' Chess.com >>games.pgn                           # 4
game "Carlsen, Magnus" DrNykterstein 1/2-1/2 "" lichess.org >>games.pgn                             # 5
game "Carlsen,M Q" Wang,Y '1-0' >>games.pgn                                                         # 6
cat >persons <<'END'
# a comment
[carlsen]
name = Carlsen, Magnus
name=carlsen,m
account = DrNykterstein @ lichess.org
fide = 1503014
title = GM

[wang-1]
name = Wang,Y @ 1
fide = 1
[wang-3]
  name = Wang,Y @ 3  
[nobody]
born = 1990
END

for level in 1 2; do
    run 0 pack -q -f --level $level -o a.stamma games.pgn
    rm -f a.stamma.persons
    run 2 find a.stamma --person carlsen
    says "no file of persons"
    for index in no yes; do
        [ $index = no ] || run 0 index -q a.stamma
        cp persons other.persons
        found "1 4 6" --player "=Wang,Y"
        found "1 4 6" --player "=WANG,y"
        found "1 2 4 6" --player "Wang,Y"
        found "4" --black "=Wang,Y" --white DrNyk
        found "1 2 3 5" --persons other.persons --person carlsen
        cp persons a.stamma.persons
        found "1 2 3 5" --person carlsen
        found "1 2 3 5" --person CARLSEN
        found "1 2 3 5" --person 1503014
        found "1 2 3 5" --person "carlsen, m"
        found "1 2 3 5" --person drnykt
        found "1 2 3 5" --player @carlsen
        found "3 5" --white-person carlsen
        found "1 2 5" --black-person carlsen
        found "1 2 5" --black @carlsen
        found "1" --person wang-1
        found "4" --person wang-3
        found "" --person nobody
        found "1" --person carlsen --person wang-1
        found "4 6" --query '{"not": {"player": "@carlsen"}}'
        found "1" --query '{"players": ["@wang-1", "@carlsen"]}'
        found "1 2 3 5 6" --query '{"player": ["@carlsen", "=Carlsen,M Q"]}'
        # several names in a value
        found "1 3 4 5" --player "=Carlsen, Magnus|=DrNykterstein"
        found "1 3" --player "=Carlsen, Magnus|=DrNykterstein" --result 1-0
        found "3 4 5" --white "=drnykterstein|=Carlsen, Magnus"
        found "2 5" --player "Carlsen|=Wang,Yiye" --white "=Wang,Yiye|=Carlsen, Magnus"
        found "1 2 3 4 5 6" --player "@carlsen|=Wang,Y"
        found "1 2 3 5" --person "carlsen|@wang-1"
        found "1 2 3 5" --player "@nobody|@carlsen"
        found "1" --query '{"players": ["@wang-1|@wang-3", "=Carlsen, Magnus|=penguin"]}'
        found "2 3 5" --query '{"not": {"player": "=Wang,Y|=nobody"}}'
        found "1 4 6" --player "=none|||=Wang,Y"
        found "" --player "=none||=Wang,Y"
        rm a.stamma.persons
    done
done
cp persons a.stamma.persons

# answers from the side of the person; a game between two names of a person counts for White
run 0 find a.stamma --person carlsen --wdl --json
equal "$(sed 's/.*"player"://' out)" '{"name":"Carlsen, Magnus","wins":2,"draws":1,"losses":1,"score":62.50}}'
run 0 find a.stamma --player "=Wang,Y" --wdl --json
equal "$(sed 's/.*"player"://' out)" '{"name":"Wang,Y","wins":2,"draws":0,"losses":1,"score":66.67}}'
run 0 stats a.stamma --person carlsen --by opponent --json
equal "$(grep -o '"name":"[^"]*","games":[0-9]*' out | sort | paste -sd' ')" \
    '"name":"DrNykterstein","games":1 "name":"Wang,Y","games":1 "name":"Wang,Yiye","games":1 "name":"penguin","games":1'
run 0 tree a.stamma --person carlsen --json
equal "$(grep -o '"games":[0-9]*' out | head -1)" '"games":4'
run 0 report --person carlsen a.stamma --json
equal "$(grep -o '"player":"[^"]*"' out)" '"player":"Carlsen, Magnus"'
equal "$(grep -o '"all":{"games":[0-9]*,"wins":[0-9]*,"draws":[0-9]*,"losses":[0-9]*' out)" '"all":{"games":4,"wins":2,"draws":1,"losses":1'
cp out report
run 0 report @carlsen a.stamma --json
same out report
run 0 report --person carlsen --color black a.stamma --json
equal "$(grep -o '"all":{"games":[0-9]*' out)" '"all":{"games":3'
run 0 report "@carlsen|=Wang,Y" a.stamma --json
equal "$(grep -o '"player":"[^"]*"' out)" '"player":"Carlsen, Magnus + Wang,Y"'
equal "$(grep -o '"all":{"games":[0-9]*' out)" '"all":{"games":6'
run 0 find a.stamma --player "=DrNykterstein|=penguin" --wdl --json
equal "$(sed 's/.*"player"://' out)" '{"name":"DrNykterstein + penguin","wins":1,"draws":1,"losses":1,"score":50.00}}'
run 0 find a.stamma --player "=penguin|@carlsen" --save both --count
equal "$(cat out)" 4
run 0 find a.stamma --use both --numbers
equal "$(paste -sd' ' out)" "1 2 3 5"
run 2 find a.stamma --player "=penguin|@xyzzy"
says 'no person "xyzzy"'
run 2 report a.stamma
says "PLAYER"
run 0 export -q -o - a.stamma --person carlsen --format csv --columns number
equal "$(tail -n +2 out | tr -d '\r' | paste -sd' ')" "1 2 3 5"

# no person, or several
run 2 find a.stamma --person carlson
says 'no person "carlson"; did you mean carlsen (Carlsen, Magnus)?'
run 2 find a.stamma --person "Wang,Y"
says 'several persons: wang-1 (Wang,Y), wang-3 (Wang,Y)'
run 2 find a.stamma --query '{"player": "@xyzzy"}'
says 'no person "xyzzy"'

# a name that no game has: other transliterations and wrong letters are suggested
{ game "Yusupov,A" Chigorin 1-0; game "Yusupov,A" "Khalifman, Alexander" 0-1; } >similar.pgn
run 0 pack -q similar.pgn
for command in find tree stats; do
    run 1 $command similar.stamma --player Jussupow
    says 'no player has the name "Jussupow"; did you mean "=Yusupov,A" (2 games)?'
done
run 1 report Tschigorin similar.stamma
says 'did you mean "=Chigorin" (1 game)?'
run 1 find similar.stamma --black "=Khalifman, A" --result 1-0
says 'did you mean "=Khalifman, Alexander" (1 game)?'
run 1 find similar.stamma --player Yusupov --result 1/2-1/2
! grep -q mean err || fail "the name has games"
run 1 find similar.stamma --player xyzzy
! grep -q mean err || fail "no name is similar"
run 1 find -q similar.stamma --player Jussupow
! grep -q mean err || fail "quiet"

# errors in the file
wrong() { # TEXT MESSAGE
    printf '%b' "$1" >wrong.persons
    run 2 find a.stamma --persons wrong.persons --person carlsen
    says "$2"
}
wrong '\n[a]\nnam = x\n' 'line 3: unknown key "nam"; did you mean "name"?'
wrong 'name = x\n' 'line 1: expected .ID. before the first key, "name"'
wrong '[a]\nhello' 'line 2: expected .ID., KEY = VALUE, or # and a comment, instead of "hello"'
wrong '[a b]\n' 'line 1: expected an id without blanks in brackets'
wrong '[a\n' 'line 1: expected an id'
wrong '[' 'line 1: expected an id'
wrong '[a]\n[b]\n[A]\n' 'line 3: the id "A" occurs a second time'
wrong '[a]\nname =\n' 'line 2: the key "name" has no value'
wrong '[a]\nfide = x1\n' 'line 2: expected a number instead of "x1"'
wrong '[a]\nname = \344\n' 'line 2: the value of "name" is not UTF-8'
wrong '[a]\n\0' 'zero byte'
run 2 find a.stamma --persons missing.persons --person x
run 2 find a.stamma --persons missing.persons --player x
cp wrong.persons b.stamma.persons # not read without a person
printf 'from,to\na,b\n' >none.csv
cp a.stamma b.stamma
run 0 find b.stamma --names none.csv --player Wang --numbers
run 2 find b.stamma --names none.csv --person Wang --numbers
rm b.stamma*

# several archives: persons with the same id have the names of both files
run 0 pack -q -o b.stamma games.pgn
printf '[CARLSEN]\nname = penguin\n' >b.stamma.persons
run 0 find a.stamma b.stamma --person carlsen --count
equal "$(cat out)" 8
run 0 find b.stamma --person carlsen --count
equal "$(cat out)" 1

# stamma names writes persons: a name of several ids is limited to the id
rm a.stamma.persons
run 0 names a.stamma --write-persons a.stamma.persons
says "4 persons: 4 added, 0 with new lines"
grep -v '^#' a.stamma.persons >out
printf '%s\n' "" "[carlsen-magnus]" "name = Carlsen, Magnus" "name = CARLSEN,M" "fide = 1503014" "" \
    "[wang-y]" "name = Wang,Y @ 1" "fide = 1" "" "[wang-y-3]" "name = Wang,Y @ 3" "fide = 3" "" \
    "[wang-yiye]" "name = Wang,Yiye" "fide = 2" >wanted
same out wanted
found "1 2 5" --person 1503014
found "4" --person wang-y-3
cp a.stamma.persons before
run 0 names -q a.stamma --write-persons a.stamma.persons
same a.stamma.persons before

# what is edited by hand stays: other ids, accounts, names that are moved or refused, comments, the order
printf '# mine\n[magnus]\nfide = 1503014\nnot = CARLSEN,M\naccount = DrNykterstein # not a comment\n# end\n[yiye]\nname = Wang,Yiye\nname = penguin' >hand.persons
run 0 names -q a.stamma --write-persons hand.persons
printf '%s\n' "# mine" "[magnus]" "fide = 1503014" "not = CARLSEN,M" "account = DrNykterstein # not a comment" \
    "name = Carlsen, Magnus" "# end" "[yiye]" "name = Wang,Yiye" "name = penguin" "fide = 2" "" \
    "[wang-y]" "name = Wang,Y @ 1" "fide = 1" "" "[wang-y-3]" "name = Wang,Y @ 3" "fide = 3" >wanted
same hand.persons wanted

# decisions of an edited table
printf 'from,to,id\n"Carlsen,M Q","Carlsen, Magnus",1503014\n"CARLSEN,M","Carlsen, Magnus",\npenguin,DrNykterstein,\n' >table.csv
run 0 names -q a.stamma --names table.csv --write-persons edited.persons
equal "$(sed -n '/^\[carlsen/,/^$/p; /^\[drny/,/^$/p' edited.persons | paste -sd';')" \
    '[carlsen-magnus];name = Carlsen, Magnus;name = CARLSEN,M;name = Carlsen,M Q;fide = 1503014;;[drnykterstein];name = DrNykterstein;name = penguin;'
run 2 names a.stamma --names table.csv
says "--names requires --write-persons"
run 2 names a.stamma --write-persons wrong.persons
says "zero byte"
finish
