#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Saved questions: find --save writes them next to the archive, --use asks them again in every command with conditions.
set -u
. tests/support/command_support.bash
cp data/games.pgn "$scratch/games.pgn"
cd "$scratch" || exit 1
run 0 pack -q games.pgn
cp games.stamma other.stamma
printf '[adolf]\nname = Anderssen, Adolf\n' >games.stamma.persons

# asks NAME CONDITION...: saves the conditions, and compares the answers with those of the question.
asks() {
    local name=$1
    shift
    "$stamma" find games.stamma "$@" --numbers --save "$name" >wanted 2>err || fail "--save $name" "$(cat err)" "no error"
    [ -s wanted ] || fail "--save $name" "no games" "games"
    "$stamma" find games.stamma --use "$name" --numbers >found 2>err
    cmp -s wanted found || fail "--use $name" "$(cat err found)" "$(cat wanted)"
}
asks 'Two rules' --result 1-0 --move O-O
asks 'Moves, flags' --moves "e4 e5" --ignore-castling
asks 'Queries' --query '{"move": "O-O"}' --query '{"plies": "20.."}'
asks 'Turned' --sub-fen '8/8/8/8/4P3/8/8/8' --flipcolor
asks 'Two rules' --result 0-1
asks 'Ünïcode' --tag 'White=*a*'
equal "$(grep -c '^"' games.stamma.questions)" "$(grep -o '^"[^"]*"' games.stamma.questions | sort -u | wc -l)"
python3 - <<'PYTHON' || fail "games.stamma.questions" "$(cat games.stamma.questions)" "JSON"
import json
questions = json.load(open("games.stamma.questions", encoding="utf-8"))
assert questions["Two rules"] == {"result": "0-1"} and list(questions) == sorted(questions, key=str.encode), questions
PYTHON

# Other conditions are combined with a question, and every command with conditions knows it.
equal "$("$stamma" find games.stamma --use 'Two rules' --use 'Ünïcode' --numbers)" "$("$stamma" find games.stamma --result 0-1 --tag 'White=*a*' --numbers)"
equal "$("$stamma" tree games.stamma --use 'Two rules' | cksum)" "$("$stamma" tree games.stamma --result 0-1 | cksum)"
equal "$("$stamma" stats games.stamma --by year --use 'Two rules' | cksum)" "$("$stamma" stats games.stamma --by year --result 0-1 | cksum)"
equal "$("$stamma" export games.stamma -o - --format csv --use 'Two rules' | cksum)" "$("$stamma" export games.stamma -o - --format csv --result 0-1 | cksum)"
equal "$("$stamma" find --count other.stamma games.stamma --use 'Two rules')" "$("$stamma" find --count other.stamma games.stamma --result 0-1)"

# A person remains a person: names that are added later are found.
run 0 find -q games.stamma --result 1-0 --person adolf --white-person adolf --save Adolf
grep -q '"Adolf": {"result":"1-0","player":"@adolf","white":"@adolf"}' games.stamma.questions || fail "a person" "$(cat games.stamma.questions)" "@adolf"
equal "$("$stamma" find games.stamma --use Adolf --numbers)" "$("$stamma" find games.stamma --result 1-0 --white Anderssen --numbers)"
printf 'name = Morphy, Paul\n' >>games.stamma.persons
equal "$("$stamma" find games.stamma --use Adolf --count)" "$("$stamma" find games.stamma --result 1-0 --query '{"any": [{"white": "Anderssen"}, {"white": "Morphy"}]}' --count)"

# Errors name the file and the line; nothing is written.
cp games.stamma.questions before
run 2 find games.stamma --use nothing
says 'there is no saved question "nothing"'
run 2 find games.stamma --names x.csv --player A --save x
run 2 find games.stamma --material KXK --save x
run 2 find games.stamma --result 1-0 --save ''
run 2 find games.stamma --result 1-0 --save 'a"b'
same games.stamma.questions before
for wrong in '' '[' '{' '{"a"' '{"a":' '{"a":5}' '{"a":{"plies":1}' '{"a":{"plies":1}} x' '{"a":{"plie":1}}' '{"a":{} "b":{}}' \
    '{"":{}}' '{"a\\u0041":{}}' '{"a":{},"a":{}}' '{"a":{"b}' '{,}'; do
    printf '%s' "$wrong" >games.stamma.questions
    run 2 find games.stamma --use a
    says 'games.stamma.questions: '
    run 2 find games.stamma --result 1-0 --save x
    equal "$(cat games.stamma.questions)" "$wrong"
done
printf '{\n"a": {"plies": "1.."},\n"b": {"plies": "x"}}' >games.stamma.questions
run 2 find games.stamma --use a
says 'games.stamma.questions: line 3: '
printf '{}' >games.stamma.questions
run 0 find -q games.stamma --plies 1.. --save 'first'
equal "$(cat games.stamma.questions)" "$(printf '{\n"first": {"plies":"1.."}\n}')"

# A full disk leaves the file as it was.
cp games.stamma.questions before
if is_native; then
    (ulimit -f 0 && "$stamma" find -q games.stamma --plies 2.. --save second 2>err)
    equal $? 2
    same games.stamma.questions before
    nothing_left .
fi
finish
