#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints tables of every encoding over four corpora (doc/reference/encodings.md has parts). Needs an hour of one core, mostly for
# `position-number`. Results are stored in the directory RESULTS, and existing results are not measured again.
#
# usage: BUILD=build SHARED=../shared [RESULTS=DIR] sh bench/survey_table.sh [PASSES]
set -eu
stamma=${STAMMA:-${BUILD:-build}/stamma} corpora=${SHARED:-../shared}/corpora passes=${1:-3}
[ -d "$corpora" ] || { echo "survey_table: no $corpora: skipped"; exit 0; }
folder=${RESULTS:-$(mktemp -d)}
[ -n "${RESULTS:-}" ] || trap 'rm -rf "$folder"' EXIT
measure() { # measure NAME GROUP PASSES
    [ -s "$folder/$1.$2.json" ] ||
        "$stamma" survey --json --passes "$3" --codec "$2" "$corpora/$1.pgn.zst" >"$folder/$1.$2.json"
}
for name in otb_dev lichess_dump_dev lichess_dev chess960_dev; do
    measure $name moves "$passes"
done
for name in otb_dev lichess_dump_dev; do
    measure $name positions 1
done
"$stamma" encode --list --json >"$folder/list.json"
python3 - "$folder" <<'PYTHON'
import json, sys

def read(name, group):
    return [json.loads(line) for line in open("%s/%s.%s.json" % (sys.argv[1], name, group))]

each = lambda form, values: " / ".join(form(value) for value in values)
number = lambda value: format(value, ",")
source = {o["encoding"]: o["source"] or "-" for o in map(json.loads, open(sys.argv[1] + "/list.json"))}

print("| code | source | bits a ply, `otb_dev` / `lichess_dump_dev` | encode, decode M/s |\n|---|---|---|---|")
for row in zip(read("otb_dev", "moves"), read("lichess_dump_dev", "moves")):
    print("| `%s` | %s | %s | %.1f, %.1f |" % (row[0]["codec"], source[row[0]["codec"]], each(
        lambda o: "%.3f" % o["bits_per_ply"], row), row[0]["encode_mplies_s"], row[0]["decode_mplies_s"]))
print("\n| code of positions | mean bits | median | most | encode, decode M/s | not held |\n|---|---|---|---|---|---|")
for row in zip(read("otb_dev", "positions"), read("lichess_dump_dev", "positions")):
    print("| `%s` | %s | %s | %s | %.2f, %.2f | %s |" % (row[0]["codec"], each(
        lambda o: "%.1f" % o["bits_per_position"], row), each(lambda o: str(o["bits_median"]), row), each(
        lambda o: str(o["bits_most"]), row), row[0]["encode_mpositions_s"], row[0]["decode_mpositions_s"], each(
        lambda o: number(o["unsupported_positions"]), row)))

tables = [read(name, "moves") for name in ("otb_dev", "lichess_dev", "chess960_dev")]
legal = [next(o for o in table if o["codec"] == "legal-index") for table in tables]
print("\n%s games, %s plies; log2 of the number of legal moves: %s bits a ply; most legal moves: %s; more than 64: %s %%" % (
    each(number, [o["games"] for o in legal]), each(number, [o["plies"] for o in legal]),
    each(lambda v: "%.3f" % v, [o["information_bits_per_ply"] for o in legal]),
    each(str, [o["most_legal_moves"] for o in legal]),
    each(lambda o: "%.4f" % (100 * o["plies_above_64"] / o["plies"]), legal)))
print("\n| encoding | bits a ply | with the number of plies | fall-back plies | in games | encode M/s | decode M/s | exact |")
print("|---|---|---|---|---|---|---|---|")
for row in zip(*tables):
    assert len({o["codec"] for o in row}) == 1
    falls = any(o["fallback_plies"] for o in row)
    exact = {o["exact"] for o in row}
    print("| `%s` | %s | %s | %s | %s | %.1f | %.1f | %s |" % (
        row[0]["codec"], each(lambda o: "%.3f" % o["bits_per_ply"], row),
        each(lambda o: "%.3f" % o["bits_per_ply_with_count"], row),
        each(lambda o: number(o["fallback_plies"]), row) if falls else "0",
        each(lambda o: number(o["fallback_games"]), row) if falls else "0",
        row[0]["encode_mplies_s"], row[0]["decode_mplies_s"],
        "partial" if exact == {"partial"} else "yes" if exact == {True} else "NO"))
print("\nFall-backs by reason, plies and games:")
for row in zip(*tables):
    for reason in sorted({r["reason"] for o in row for r in o["fallbacks"]}):
        found = [next((r for r in o["fallbacks"] if r["reason"] == reason), {"plies": 0, "games": 0}) for o in row]
        print("- `%s`, %s: %s plies in %s games (%s %%)" % (
            row[0]["codec"], reason, each(lambda r: number(r["plies"]), found), each(lambda r: number(r["games"]), found),
            each(lambda p: "%.5f" % (100 * p[0]["plies"] / p[1]["plies"]), zip(found, row))))

print("\nFall-backs by the side to move, for both sides, and to the end of the game, `otb_dev` / `lichess_dump_dev`:")
for row in zip(read("otb_dev", "moves"), read("lichess_dump_dev", "moves")):
    if any(o["fallback_plies"] for o in row):
        print("- `%s`: %s; %s; %s" % (row[0]["codec"], *(each(lambda o: number(o[key]), row) for key in (
            "fallback_plies", "fallback_plies_both_sides", "fallback_plies_rest_of_game"))))
PYTHON
