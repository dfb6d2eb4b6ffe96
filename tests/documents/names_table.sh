#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The table of names in CONTRIBUTING.md: the names exist, and earlier names are accepted but occur in no help and no output.
set -u
. tests/support/command_support.bash
case ${SANITIZE:-} in *memory*) echo "no SQLite, which this test uses"; exit 77 ;; esac
root=$PWD
"$stamma" sql --help | grep -q "^Not available" && { echo "built without SQLite"; exit 77; }
cd "$scratch" || exit 1
cp "$root/data/games.pgn" games.pgn
printf '[Event "x"]\n\n1. e4 {[%%clk 0:01:00] [%%eval 0.3]} e5 {[%%eval #-3]} *\n\n' >>games.pgn
run 0 pack -q games.pgn
run 0 index -q games.stamma
run 0 merge -q -o twice.stamma games.stamma games.stamma

# ---- earlier names of options have the same effect ----
# means STATUS EARLIER... = NOW...: both commands print the same and end with this status.
means() {
    local status=$1 earlier=()
    shift
    while [ "$1" != = ]; do
        earlier+=("$1")
        shift
    done
    shift
    run "$status" "$@"
    mv out wanted
    run "$status" "${earlier[@]}"
    same out wanted
}
means 0 cat games.stamma --json --fields number = cat games.stamma --json --columns number
means 0 cat games.stamma --json --no-evals = cat games.stamma --json
means 0 ls games.stamma --csv --fields number = ls games.stamma --format csv --columns number
means 0 find games.stamma --player Tal --tsv --fields number = find games.stamma --player Tal --format tsv --columns number
means 0 find games.stamma --player Tal --csv = find games.stamma --player Tal --format csv
means 0 find games.stamma --player Tal --pgn = find games.stamma --player Tal --format pgn
means 0 find games.stamma --count --stm black --mate = find games.stamma --count --side-to-move black --mate
means 0 find games.stamma --count --query '{"stm": "black", "skip": 1}' = find games.stamma --count --query '{"side-to-move": "black", "offset": 1}'
means 0 tree games.stamma --csv = tree games.stamma --format csv
means 0 stats games.stamma --tsv = stats games.stamma --format tsv
means 0 info games.stamma --format json = info games.stamma --json
run 2 info games.stamma --format csv
says 'info has no format "csv"; the format is json'
"$stamma" tree games.stamma --json >tree.json
means 0 merge-stats tree.json --table = merge-stats tree.json --format table
means 0 dedupe -n -q --moves 2 twice.stamma = dedupe -n -q --max-differences 2 twice.stamma
means 0 classify -q --check games.stamma = classify -q --check-tags games.stamma
printf 'B90 "Najdorf" 1. e4 c5 *\n' >openings.eco
means 0 classify -n -q --eco openings.eco games.stamma = classify -n -q --eco-table openings.eco games.stamma
means 0 edit -n -q --strip evals games.stamma = edit -n -q --strip evaluations games.stamma
means 0 encode --from butterfly 796 = encode --decode butterfly 796
means 0 export -q games.stamma --pgn --player Tal -o - = export -q games.stamma --clean-pgn --player Tal -o -
means 0 export -q games.stamma --format pgn --player Tal -o - = export -q games.stamma --format clean-pgn --player Tal -o -
means 0 report -q Tal games.stamma --pgn = report -q Tal games.stamma --repertoire-pgn
means 0 report -q Tal games.stamma --json --since 1960 --until 1962 = report -q Tal games.stamma --json --date 1960.. --date ..1962
means 1 names games.stamma --fields dates = names games.stamma --kinds date
run 0 import -q --from twic --into i.stamma games.pgn
run 0 import -q --from twic -o j.stamma games.pgn
same i.stamma j.stamma
sql() { "$stamma" sql games.stamma "SELECT count(*) FROM games WHERE $1 = '{\"player\": \"Tal\"}'"; }
equal "$(sql find)" "$(sql query)"

# ---- the first commands of a new user ----
run 2 find games.pgn --player Tal
says 'games.pgn: not a Stamma archive; pack it first: stamma pack games.pgn'
run 2 find games.stamma Tal
says 'Tal: No such file or directory; did you mean --player Tal?'
run 2 find --player Tal
says 'find needs the name of an archive'
run 2 find games.stamma --since 2000
says 'did you mean --date 2000\.\.?'
run 2 tree games.stamma --until=2000
says 'did you mean --date \.\.2000?'
run 2 serach x
says 'there is no command "serach"; did you mean find?'
run 2 finde x
says 'did you mean find?'
run 0 help conditions
grep -q -- '--side-to-move COLOUR' out || fail "help conditions"

# ---- the table ----
STAMMA=$stamma python3 "$root/tests/documents/names_table.py" "$root" || fail "the table of names"
finish
