#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma dedupe writes one copy of each game, byte for byte, lists the other copies, and never changes its inputs.
set -eu
stamma=$PWD/${STAMMA:-build/stamma}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

fail() { echo "FAILED: $1: expected \"$3\", got \"$2\""; exit 1; }
equal() { [ "$2" = "$3" ] || fail "$1" "$2" "$3"; }
status() { local got=0; "$@" >out 2>err || got=$?; echo "$got"; }

moves="1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7"
game() { # DATE WHITE BLACK MOVES RESULT
    printf '[Event "Open"]\n[Date "%s"]\n[White "%s"]\n[Black "%s"]\n[Result "%s"]\n\n%s %s\n\n' "$1" "$2" "$3" "$5" "$4" "$5"
}
game 2010.05.03 "Andreikin, Dmitry" "Svidler, Peter" "$moves 11. Nbd2" 1-0 >one
game 2010.05.03 "Andreikin,D" "Svidler,P" "$moves" "*" >two
game 2010.05.03 "Carlsen,M" "Svidler,P" "$moves" "1/2-1/2" >three
game 2010.05.03 "Carlsen, Magnus" "Svidler, Peter" "$moves" "1/2-1/2" >four
cat one two three >a.pgn
cat four two >b.pgn
"$stamma" pack -q -o a.stamma a.pgn
"$stamma" pack -q -o b.stamma b.pgn
cp a.stamma a.before

equal "list" "$("$stamma" dedupe --dry-run a.stamma b.stamma)" "$(printf '%s\t%s\t%s\t%s\t%s\n' \
    included a.stamma 2 a.stamma 1 spelling a.stamma 3 b.stamma 1 included b.stamma 2 a.stamma 1)"
equal "json" "$("$stamma" dedupe -n --json --kinds spelling --keep first a.stamma b.stamma | head -1)" \
    '{"kind":"spelling","archive":"b.stamma","game":1,"kept_archive":"a.stamma","kept_game":3}'
"$stamma" dedupe -q -o out.stamma a.stamma b.stamma
equal "games" "$("$stamma" unpack -o - out.stamma)" "$(cat one four)"
"$stamma" dedupe -q -o - --keep first --kinds exact,spelling a.stamma b.stamma >out2.stamma
equal "some kinds" "$("$stamma" unpack -o - out2.stamma)" "$(cat one two three)"
# Of games with the same moves, a game with a comment is kept, otherwise the game with the most tags.
game 2010.05.03 "Carlsen, Magnus" "Svidler, Peter" "$moves {good}" "1/2-1/2" >five
cat four five three >c.pgn
"$stamma" pack -q -o c.stamma c.pgn
for rules in first:1 last:3 annotated,first:2 latest,first:1 longest,result,annotated:2 ; do
    equal "--keep ${rules%:*}" "$("$stamma" dedupe -n --keep "${rules%:*}" c.stamma | cut -f 5 | sort -u)" "${rules#*:}"
done
equal "limits" "$("$stamma" dedupe -n --days 0 --max-differences 0 --memory 128M c.stamma)" "$("$stamma" dedupe -n c.stamma)"
"$stamma" dedupe -q -f -o b.stamma b.stamma a.stamma # OUT is one of the archives
equal "in place" "$("$stamma" unpack -o - b.stamma)" "$(cat one three)"
cmp a.stamma a.before

# With --new-only, the first archive is kept and not written, with and without its index.
game 2010.05.03 "Carlsen, Magnus" "Svidler, Peter" "$moves 11. Nbd2 Bb7" "1/2-1/2" >six
game 2011.05.03 "Tal, Mihail" "Svidler, Peter" "$moves" "1-0" >seven
cat one two seven six >old.pgn
cat six seven four one seven >some.pgn
for n in 1 2 3 4 5 6 7 8 9; do game "200$n.05.03" "Petrosian, T" "Spassky, B" "1. a3 h6" "1-0"; done >>old.pgn
game 2012.05.03 "Tal, Mihail" "Fischer, R" "$moves 11. a4" "0-1" >eight
cat eight eight >>some.pgn
"$stamma" pack -q -o old.stamma old.pgn
"$stamma" pack -q -o some.stamma some.pgn
for index in without with; do
    equal "--new-only $index an index" "$("$stamma" dedupe -n --new-only old.stamma some.stamma | cut -f 1,3,4,5)" \
        "$(printf 'exact\t%s\told.stamma\t%s\n' 1 4 2 3 && printf 'included\t3\told.stamma\t4\n' &&
            printf 'exact\t%s\told.stamma\t%s\n' 4 1 5 3 && printf 'exact\t6\tsome.stamma\t7\n')"
    "$stamma" dedupe -f --new-only --report new.json -o new.stamma old.stamma some.stamma 2>err
    equal "--new-only $index an index, games" "$("$stamma" unpack -o - new.stamma)" "$(cat eight)"
    grep -q '1 of 7 games' err || fail "--new-only" "$(cat err)" "1 of 7 games"
    equal "--new-only, report" "$(grep -o '"games":[0-9]*\|"archive":"[a-z.]*' new.json | head -2)" "$(printf '"games":7\n"archive":"some.stamma')"
    rm -f new.json
    "$stamma" index -q old.stamma
done
"$stamma" pack -q -o none.stamma /dev/null
equal "--new-only, no known games" "$("$stamma" dedupe -n --new-only none.stamma a.stamma)" "$("$stamma" dedupe -n a.stamma)"
"$stamma" dedupe -q -f --new-only -o new.stamma a.stamma none.stamma
equal "--new-only, no games" "$("$stamma" unpack -o - new.stamma)" ""

# Probable duplicates are listed with a score and a reason, kept, and removed if their score is high enough.
line="$moves 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4"
game 2010.05.03 "Andreikin, Dmitry" "Svidler, Peter" "$line" 1-0 >one
game 2010.05.03 "Svidler, Peter" "Andreikin, Dmitry" "$line" 1-0 >exchanged
cat one exchanged >d.pgn
"$stamma" pack -q -o d.stamma d.pgn
list=$("$stamma" dedupe -n d.stamma)
score=$(echo "$list" | cut -f 6)
equal "probable" "$list" "$(printf 'probable\td.stamma\t1\td.stamma\t2\t%s\tcolors' "$score")"
equal "probable, json" "$("$stamma" dedupe -n --json --merge tags d.stamma)" '{"kind":"probable","archive":"d.stamma","game":1,"kept_archive":"d.stamma","kept_game":2,"adds":{"tags":[],"comments":0,"nags":0,"variations":0},"score":'"$score"',"reason":"colors"}'
equal "kinds without probable" "$(status "$stamma" dedupe -n --kinds exact d.stamma)" 1
"$stamma" dedupe -o kept.stamma d.stamma 2>err
equal "probable, kept" "$("$stamma" unpack -o - kept.stamma)" "$(cat d.pgn)"
grep -q '1 probable duplicate was kept' err || fail "probable, kept" "$(cat err)" "a message"
"$stamma" dedupe -q --probable $((score + 1)) -o kept2.stamma d.stamma
equal "probable, a higher score" "$("$stamma" unpack -o - kept2.stamma)" "$(cat d.pgn)"
"$stamma" dedupe --probable "$score" -o removed.stamma d.stamma 2>err
equal "probable, removed" "$("$stamma" unpack -o - removed.stamma)" "$(cat exchanged)"
grep -q '1 probable' err || fail "probable, removed" "$(cat err)" "a message"
# The duplicate of a removed probable duplicate is merged into the game that is kept.
{ printf '[ECO "C95"]\n'; cat one; } >coded
{ printf '[WhiteElo "2700"]\n'; cat exchanged; } >rated # the rating of the other player is not merged
cat one rated rated coded >e.pgn
sed -i '1i [Annotator "A"]' e.pgn
"$stamma" pack -q -o e.stamma e.pgn
"$stamma" dedupe -q --probable "$score" --merge tags -o merged.stamma e.stamma
equal "merged" "$("$stamma" unpack -o - merged.stamma | grep -c 'Annotator\|ECO\|Elo')" 2
equal "merged games" "$("$stamma" unpack -o - merged.stamma | grep -c Event)" 1

equal "nothing found" "$(status "$stamma" dedupe -n b.stamma)" 1
for wrong in "a.stamma" "-n -o x a.stamma" "-n --kinds all a.stamma" "-n --keep best a.stamma" \
    "-n --keep last,last,last,last,last,last,last,last a.stamma" "-n --days 32 a.stamma" "-n --merge all a.stamma" "-n --probable 59 a.stamma" "-n --probable 100 a.stamma" "-n --moves x a.stamma" "-n --new-only --merge tags a.stamma b.stamma" "-n -" "-n missing" \
    "--json -o x a.stamma" "-q -o out.stamma a.stamma"; do
    # shellcheck disable=SC2086
    equal "dedupe $wrong" "$(status "$stamma" dedupe $wrong)" 2
    [ -s err ] || fail "dedupe $wrong" "no message" "a message"
done
[ ! -e x ] || fail "x" "exists" "no file"
