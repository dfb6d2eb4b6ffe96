#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma names lists spellings, and applies an edited table: only the listed tags change, and ids are never merged.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

game() { # WHITE TAGS DATE ROUND EVENT
    printf '[Event "%s"]\n[Site "Riga"]\n[Date "%s"]\n[Round "%s"]\n[White "%s"]\n[Black "Tal, \\"Misha\\""]\n[Result "1-0"]\n%b\n' \
        "${5-Open}" "${3-2015.05.03}" "${4-?}" "$1" "$2"
    printf '1.  e4 {a comment}  e5 $1 1-0\n\n'
}
rated='[WhiteElo "2700"]\n'
game "Andreikin,D" "$rated" >games.pgn
game "Andreikin, Dmitry" "$rated" >>games.pgn
printf '[Event "open"]\n[Site "Riga"]\n[Date "2015.??.??"]\n[Round "4"]\n[White "M\374ller,J"]\n[Black "?"]\n[Result "*"]\n\n*\n' >>games.pgn
run 0 pack -q -o a.stamma games.pgn
cp a.stamma before

# 1. the table
run 0 names a.stamma
head='kind,from,to,why,games,apply,doubt,id,event,site,round,evidence,error,federation,title,born,fide'
printf '%s\r\n' "$head" 'player,"Andreikin,D","Andreikin, Dmitry",initials,1,yes,,,,,,rating name,0.001159,,,,' \
    'event,open,Open,format,1,yes,,,,,,,,,,,' >wanted
same out wanted
run 0 names -o table.csv a.stamma
same table.csv wanted
run 0 names --json --kinds event a.stamma
equal "$(cat out)" '{"kind":"event","from":"open","to":"Open","why":"format","games":1,"apply":"yes","doubt":"","id":"","event":"","site":"","round":"","evidence":"","error":"","federation":"","title":"","born":"","fide":""}'
run 1 names --kinds site a.stamma

# 2. the archive: only the listed tags change
run 0 names --apply table.csv -o b.stamma a.stamma
says "2 of 3 games changed, 2 tags"
sed -e 's/Andreikin,D"/Andreikin, Dmitry"/' -e 's/"open"/"Open"/' games.pgn >wanted
run 0 unpack -o b.pgn b.stamma
same b.pgn wanted
run 0 diff a.stamma b.stamma
equal "$(cut -f1,7 out | tr '\t\n' ' ;')" "changed White;changed Event;"
same a.stamma before

# 3. an edited table: other columns, semicolons, quotes, a chain, Latin-1, conditions
printf '\357\273\277to;from;field;apply;round\n"M\303\274ller; J\303\266rg";"M\303\274ller,J";;;\n' >edited.csv
printf '"Tal ""Misha""";"Tal, ""Misha""";player;yes;\n"Tal, M";"Tal ""Misha""";player;1;\nX;Open;event;no;\n' >>edited.csv
printf '2015.05.04;2015.??.??;date;;4\nY;2015.05.03;date;;9\n' >>edited.csv
run 0 names -q --apply edited.csv -o c.stamma a.stamma
LC_ALL=C sed -e 's/"Tal, .*"\]/"Tal, M"]/' -e 's/2015.??.??/2015.05.04/' -e $'s/M\374ller,J/M\374ller; J\366rg/' games.pgn >wanted
run 0 unpack -o c.pgn c.stamma
same c.pgn wanted
run 0 names -q --kinds date --apply edited.csv -o d.stamma a.stamma
LC_ALL=C sed -e 's/2015.??.??/2015.05.04/' games.pgn >wanted
run 0 unpack -o d.pgn d.stamma
same d.pgn wanted
printf 'from,to\nNobody,Somebody\n' >nobody.csv
run 1 names -q --apply nobody.csv -o e.stamma a.stamma
run 0 unpack -o e.pgn e.stamma
same e.pgn games.pgn

# 4. FIDE ids are merged only with --merge-ids
game "Li,W" '[WhiteFideId "1"]\n' >ids.pgn
game "Li, W." '[WhiteFideId "2"]\n' >>ids.pgn
run 0 pack -q -o ids.stamma ids.pgn
run 1 names ids.stamma
run 0 names --merge-ids ids.stamma
printf 'from,to\n"Li,W","Li, Wei"\n"Li, W.","Li, Wei"\n' >merge.csv
run 2 names --apply merge.csv -o f.stamma ids.stamma
says '"Li, Wei" would be the name of FIDE ids'
absent f.stamma
run 0 names -q --apply merge.csv --merge-ids -o f.stamma ids.stamma
printf 'from,to,id\n"Li,W","Li, Wei",1\n"Li, W.","Li, Wei",none\n' >one.csv
run 0 names --apply one.csv -o g.stamma ids.stamma
says "1 of 2 games changed, 1 tags"

# 5. lists: a spelling file of Scid, and FIDE's list as text and XML
cat >scid.ssp <<'SSP'
# A comment
@PLAYER ", .-"
%Suffix " II" " 2"
Andreikin, Dmitrij       #gm RUS [2743] 1990.02.05
=Andreikin, Dmitry
%Bio A biography
%Elo 2015:2700,?
=Andreikin,D
@SITE
Riga LAT
= Riga
@EVENT
%Prefix "op" "Op"
%Infix "en" "EN"
SSP
run 0 names --spelling scid.ssp a.stamma
equal "$(cut -d, -f1-5 out | tr -d '\r' | tail -n +2)" 'player,"Andreikin, Dmitry","Andreikin, Dmitrij"
player,"Andreikin,D","Andreikin, Dmitrij"
event,Open,OpEN,list,2
event,open,OpEN,list,1
site,Riga,Riga LAT,list,3'
{
    printf 'ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA JAN21 Gms K  B-day Flag\r\n'
    printf '%-15s%-61s%-4s%-4s%-5s%-20s%-4s%-6s%-4s%-3s%-7s\r\n' 1 "Li, Wei" CHN M GM "" "" 2600 5 10 1980 2 "Li, Wen" CHN F "" WIM "" 2100 0 20 1990
} >fide.txt
cat >fide.xml <<'XML'
<?xml version="1.0"?>
<playerslist>
<player>
<fideid>1</fideid>
<name>Li, Wei</name>
<country>CHN</country>
<sex>M</sex>
<title>GM</title>
<w_title></w_title>
<rating>2600</rating>
<birthday>1980</birthday>
</player>
<player><fideid>2</fideid><name>Li, Wen</name><country>CHN</country><title></title><w_title>WIM</w_title><birthday>1990</birthday></player>
</playerslist>
XML
for list in fide.txt fide.xml; do
    run 0 names --fide $list ids.stamma
    equal "$(tr -d '\r' <out | tail -n +2)" 'player,"Li,W","Li, Wei",list,1,yes,,1,,,,id list,0.000100,CHN,GM,1980,1
player,"Li, W.","Li, Wen",list,1,yes,,2,,,,id list,0.000100,CHN,WIM,1990,2'
done

# 5b. FIDE ids of a spelling file decide before spellings; initials of two listed players are several players
cat >ids.ssp <<'SSP'
@PLAYER "., -_*"
Anand V #-  IND [1400] 1990
Anand, Viswanathan #GM IND [2753] 1969.12.11
   %Bio Title GM:1988 IM:1985
   %Bio FIDEID 5000017
   = Anand, Vishy
Georgiev, Kiril #GM BUL/MKD [2589] 1965.11.28
   %Bio FIDEID 2900017
Georgiev, Krum #GM BUL [2315] 1958
   %Bio FIDEID 2900092deprecated
   = Georgiev, K I
SSP
{
    game "Anand,V" '[WhiteElo "2790"]\n[WhiteFideId "5000017"]\n'
    game "Georgiev,Ki" ""
    game "Georgiev,Kr" '[WhiteFideId "2900092"]\n'
} >listed.pgn
run 0 pack -q -o listed.stamma listed.pgn
run 0 names --kinds player --spelling ids.ssp listed.stamma
equal "$(tr -d '\r' <out | tail -n +2)" 'player,"Anand,V","Anand, Viswanathan",list,1,yes,,5000017,,,,id list,0.000100,IND,GM,1969,5000017
player,"Georgiev,Ki","Georgiev, Kiril",initials,1,no,several players,,,,,list years,0.503875,BUL/MKD,GM,1965,2900017
player,"Georgiev,Kr","Georgiev, Krum",list,1,yes,,2900092,,,,id list,0.000100,BUL,GM,1958,2900092'
scid=/usr/share/scid/data/spelling.ssp # Debian's package scid-spell-data
if [ -e "$scid" ]; then
    run 0 names --kinds player --spelling $scid listed.stamma
    equal "$(grep -v 'Tal\|kind' out | cut -d, -f2-9)" '"Anand,V","Anand, Viswanathan",list,1,yes,
"Georgiev,Ki","Georgiev, Kiril",initials,1,no,several players
"Georgiev,Kr","Georgiev, Krum",list,1,yes,'
else
    echo "skipped: scid-spell-data is not installed"
fi

# 5b. missing ids and titles are filled in; nothing is overwritten
fill() { # WHITE BLACK TAGS
    printf '[Event "Open"]\n[White "%s"]\n[Black "%s"]\n[Result "*"]\n%b\n*\n\n' "$1" "$2" "${3-}"
}
fill "Li, Wei" "Tal,M" '[WhiteFideId "1"]\n' >fill.pgn               # 1
fill "Li, Wei" "Li, Wen" >>fill.pgn                                   # 2
fill "Li,Wei" "Tal,M" '[WhiteTitle "FM"]\n[WhiteFideId ""]\n' >>fill.pgn # 3
fill "Li,Wei" "Li, Wei" >>fill.pgn                                    # 4: both players would have one id
fill "Li, Wen" "Li, Wei" '[WhiteFideId "77"]\n' >>fill.pgn           # 5: another player of this name
run 0 pack -q -o fill.stamma fill.pgn
run 0 names -q --fide fide.txt --fill-in id,title -o fill.csv fill.stamma
equal "$(cut -d, -f2- fill.csv | grep -c same)" 2
run 0 names --fide fide.txt fill.stamma
! grep -q same out || fail "rows that stay are only listed with --fill-in"
cat >fill.csv <<'END'
from,to,id,fide,title
"Li,Wei","Li, Wei",,1,GM
"Li, Wei","Li, Wei",,1,GM
"Li, Wen","Li, Wen",none,2,IM+WIM
END
run 0 names --apply fill.csv --fill-in id,title -o filled.stamma fill.stamma
says "5 of 5 games changed, 2 tags; 8 tags added"
run 0 ls --format csv --columns number,White,Black,WhiteFideId,BlackFideId,WhiteTitle,BlackTitle filled.stamma
tr -d '\r' <out | tail -n +2 >rows
cat >wanted <<'END'
1,"Li, Wei","Tal,M",1,,GM,
2,"Li, Wei","Li, Wen",1,2,GM,IM
3,"Li, Wei","Tal,M",1,,FM,
4,"Li, Wei","Li, Wei",,,,
5,"Li, Wen","Li, Wei",77,1,,GM
END
same rows wanted
run 0 names -q --apply fill.csv --fill-in id -f -o filled.stamma fill.stamma
run 0 ls --format csv --columns BlackFideId,BlackTitle filled.stamma
equal "$(tail -n +2 out | tr -d '\r' | paste -sd' ')" ", 2, , , 1,"
run 0 names -q --apply fill.csv -f -o filled.stamma fill.stamma
run 0 unpack -q -o filled.pgn filled.stamma
sed 's/"Li,Wei"/"Li, Wei"/' fill.pgn >wanted
same filled.pgn wanted
run 2 names --apply fill.csv --fill-in id,name -f -o filled.stamma fill.stamma
says 'unknown word "name"'
printf 'from,to,fide\na,a,"1\t"\n' >wrong.csv
run 2 names --apply wrong.csv --fill-in id -f -o filled.stamma fill.stamma
says 'line 2: the column fide has a control character'

# 6. searches with the spellings of a table, at each level, with and without an index
printf 'from,to,apply,field\n"Andreikin,D","Andreikin, Dmitry",yes,\nopen,Open,yes,event\nTal,Andreikin,no,\n' >search.csv
game "Andreikin,Dm" "$rated" >>games.pgn
for level in 1 2; do
    run 0 pack -q -f --level $level -o s.stamma games.pgn
    for index in no yes; do
        [ $index = no ] || run 0 index -q s.stamma
        found() { # NUMBERS CONDITION...
            local numbers=$1
            shift
            run 0 find s.stamma --numbers "$@"
            equal "$(paste -sd' ' out)" "$numbers"
        }
        found "1 2 4" --names search.csv --player "Andreikin,D" --site Riga
        found "1 2" --names search.csv --white "andreikin, dm"
        found "1 2 3 4" --names search.csv --event OPEN
        found "1 2 4" --names search.csv --player "Tal, *"
        found "1 2 4" --names search.csv --query '{"player": "Andreikin,D", "site": "Riga"}'
        found "1 2" --names search.csv --query '{"white": ["nobody", "andreikin, dm"]}'
        found "3" --names search.csv --query '{"not": {"player":"Andreikin,D"}}'
        found "1 2 3 4" --names search.csv --query '{"all": [{"event" : "OPEN"}, {"any":[{"plies": "0.."}]}], "event":"open"}'
        found "1 2 4" --names search.csv --query \
            '{"players": ["Tal", "Andreikin,D"], "variations": true, "white": "Andrei", "event": "open"}'
        run 1 find s.stamma --names search.csv --black "Andreikin, Dmitry" --numbers
    done
done
run 0 find s.stamma --names search.csv --player "Andreikin, D" --wdl --json
equal "$(sed 's/.*"wins":\([0-9]*\).*/\1/' out)" 2
run 0 stats s.stamma --names search.csv --player "Andreikin, D" --by opponent --json
equal "$(grep -o '"wins":[0-9]*' out)" '"wins":2'
run 0 tree s.stamma --names search.csv --white "Andreikin, D" --json
equal "$(grep -o '"games":[0-9]*' out | head -1)" '"games":2'
# ls prints the names that --apply writes; in JSON, names from the table are not escaped
for format in "" "--format csv" "--format json" "--format json --columns White,Black,Event,Site,Round,Date"; do
    # shellcheck disable=SC2086
    run 0 ls $format c.stamma
    sed 's/\\u00fc/\xc3\xbc/; s/\\u00f6/\xc3\xb6/' out >wanted
    # shellcheck disable=SC2086
    run 0 ls $format --names edited.csv a.stamma
    same out wanted
done
run 2 ls a.stamma --names missing.csv
run 2 find s.stamma --names search.csv --names search.csv --player x
says "given twice"
run 2 find s.stamma --names missing.csv --player x
run 2 find s.stamma --names search.csv --player ""

# 7. errors
wrong() { # TEXT WORDS: a table that is refused
    printf '%b' "$1" >wrong.csv
    run 2 names --apply wrong.csv -o wrong.stamma a.stamma
    says "$2"
    absent wrong.stamma
}
for text in 'a,b\n' '' 'Tal,"Tal, Mihail"\n' 'from\na\n' 'to,id\na,1\n' 'from,to,from\na,b,c\n' 'From,To\na,b\n' 'from\tto\na\tb\n'; do
    wrong "$text" "line 1: not a table of names"
    run 2 find s.stamma --names wrong.csv --player Tal
    says "wrong.csv: line 1: not a table of names"
    run 2 ls s.stamma --names wrong.csv
done
wrong 'from,to,field\n"x\ny",b,\na,b,colour\n' "line 4: the kind is unknown"
wrong 'from,to,apply\na,b,maybe\n' "line 2: the column apply must be yes or no"
wrong 'from,to\na,\n' "line 2: the column to is empty"
wrong 'from,to\na,"b\nc"\n' "line 2: the column to has a control character"
wrong 'from,to\na,b\na,c\n' "lines 2 and 3 replace the same value by different values"
wrong 'from,to\na,b\nb,a\n' "line 2: other lines lead from the new value back to the old one"
run 2 names --apply missing.csv -o wrong.stamma a.stamma
run 2 names --apply table.csv a.stamma
says "requires -o"
run 2 names --apply table.csv -o b.stamma a.stamma
says "b.stamma"
run 2 names --apply table.csv --json -o x a.stamma
run 2 names --apply table.csv --fide fide.txt -o x a.stamma
run 2 names --kinds player,colors a.stamma
says 'kinds: "colors"'
run 2 names -
run 2 names missing.stamma
printf 'Kasparov\n' >bad.ssp
run 2 names --spelling bad.ssp a.stamma
says "line 1: not a spelling file"
printf '@PLAYER\n=x\n' >bad.ssp
run 2 names --spelling bad.ssp a.stamma
printf '@TEAM\n' >bad.ssp
run 2 names --spelling bad.ssp a.stamma
printf '@SITE\n%%Prefix "a"\n' >bad.ssp
run 2 names --spelling bad.ssp a.stamma
says "line 2: two texts in quotes"
run 2 names --fide games.pgn a.stamma
says "not a list of FIDE"
printf '<html></html>' >bad.xml
run 2 names --fide bad.xml a.stamma
if [ -e /dev/full ]; then
    "$stamma" names a.stamma >/dev/full 2>err && fail "a full disk is not reported"
fi
nothing_left .
finish
