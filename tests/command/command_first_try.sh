#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a new user types first, and the messages that help: words of other programs, names instead of options, and PGN
# files instead of archives.
set -u
. tests/support/command_support.bash
cp data/games.pgn "$scratch"
cd "$scratch" || exit 1
run 0 pack -q games.pgn

# ---- PGN instead of an archive ----
cp games.pgn "Games 2.PGN"
cp games.pgn games.txt
for command in "find --player Tal" tree stats ls info "cat 1" verify unpack index; do
    # shellcheck disable=SC2086
    set -- $command
    run 2 "$1" games.pgn "${@:2}"
    says 'games.pgn: not a Stamma archive; pack it first: stamma pack games.pgn$'
done
run 2 ls "Games 2.PGN"
says 'pack it first: stamma pack Games 2.PGN$'
if ! "$stamma" sql --help | grep -q '^Not available'; then
    run 2 sql games.pgn "SELECT 1"
    says "games.pgn: not a Stamma archive; 'stamma pack' makes one from PGN\$"
fi
run 2 export games.pgn -o games.csv
says "games.pgn: not a Stamma archive; 'stamma pack' makes one from PGN\$"
run 2 ls games.txt
says 'games.txt: not a Stamma archive$'

# ---- a value without its option ----
for command in find tree stats; do
    run 2 $command games.stamma Tal
    says 'Tal: No such file or directory; did you mean --player Tal?$'
    run 2 $command games.stamma "Tal, Mikhail"
    says 'did you mean --player "Tal, Mikhail"?$'
    run 2 $command Tal games.stamma
    says 'did you mean --player Tal?$'
    run 2 $command games.stamma "e4 e5"
    says 'did you mean --moves "e4 e5"?$'
    run 2 $command games.stamma missing.stamma
    says 'missing.stamma: No such file or directory$'
    run 2 $command --player Tal
    says "$command needs the name of an archive: stamma $command ARCHIVE"
done
run 2 find Tal
says 'Tal: No such file or directory$'
run 2 report games.stamma Tal
says 'games.stamma: the name of the player comes first: stamma report PLAYER games.stamma$'
printf '[tal]\nname = Tal, Mikhail\n' >games.stamma.persons
run 0 report games.stamma --person tal

# ---- options of other programs ----
# suggests COMMAND OPTION... SUGGESTION
suggests() {
    local wanted=${*: -1}
    run 2 "$1" games.stamma "${@:2:$#-2}"
    says "$1 has no option .*; did you mean $wanted?\$"
}
suggests find --since 2000 '--date 2000..'
suggests find --until=2000 '--date ..2000'
suggests stats --since 2000 '--date 2000..'
suggests tree --from 2000..2010 '--date 2000..2010'
suggests find --to 2000 '--date ..2000'
suggests find --year 1960 '--date 1960'
suggests find --year '--date'
suggests find --elo 2700 --count '--rating 2700..'
suggests find --elo --count '--rating'
suggests find --name Tal '--player Tal'
suggests find --name "Tal, Mikhail" '--player "Tal, Mikhail"'
suggests find --sites x '--site'
run 2 info games.stamma --since 2000
says 'info has no option --since$'

# ---- formats by either name ----
for command in ls find cat; do
    for format in json csv tsv; do
        run 0 $command games.stamma --format $format
        mv out first
        run 0 $command games.stamma --$format
        same out first
    done
done
for command in info tree stats verify; do
    run 0 $command games.stamma --json
    mv out first
    run 0 $command games.stamma --format json
    same out first
done
run 2 info games.stamma --format xml
says 'info has no format "xml"; the format is json'

# ---- commands ----
for pair in serach:find search:find list:ls show:cat extract:unpack open:serve convert:export player:report infp:info; do
    run 2 "${pair%:*}" games.stamma
    says "there is no command \"${pair%:*}\"; did you mean ${pair#*:}?\$"
done
run 2 xyzzy
says 'there is no command "xyzzy"; stamma --help lists them'
run 2 games.pgn
says 'games.pgn: a command is missing: stamma pack games.pgn$'
run 2 ./games.stamma
says 'games.stamma: a command is missing: stamma serve --open ./games.stamma$'
run 2 missing.pgn
says 'there is no command "missing.pgn"'

# ---- a double click on Windows: Wine opens a console for the program ----
if [ -n "${STAMMA_EXE:-}" ] && command -v script >/dev/null; then
    timeout 10 script -qec "'$stamma' games.pgn" typescript </dev/null >/dev/null # waits for Enter
    checks=$((checks + 1))
    sed -e 's/\x1b\[[0-9]*C/ /g' -e 's/\x1b\[[0-9;?]*[a-zA-Z]//g' typescript | tr -d '\r\n' >screen
    for words in "close it to end the explorer" "not a Stamma archive" "Press Enter to close this window"; do
        grep -q "$words" screen || fail "a double click does not show \"$words\"" "$(cat screen)"
    done
fi

finish
