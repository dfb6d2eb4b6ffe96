#!/bin/sh
# The table of doc/encodings.md: every encoding over three corpora. Takes some minutes.
# usage: BUILD=build SHARED=../shared sh bench/survey_table.sh [PASSES]
set -eu
stamma=${STAMMA:-${BUILD:-build}/stamma} corpora=${SHARED:-../shared}/corpora passes=${1:-3}
[ -d "$corpora" ] || { echo "survey_table: no $corpora: skipped"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in otb_dev lichess_dev chess960_dev; do
    "$stamma" survey --json --passes "$passes" "$corpora/$name.pgn.zst" >"$folder/$name"
done
python3 - "$folder/otb_dev" "$folder/lichess_dev" "$folder/chess960_dev" <<'PYTHON'
import json, sys

tables = [[json.loads(line) for line in open(path)] for path in sys.argv[1:]]
legal = [next(o for o in table if o["codec"] == "legal-index") for table in tables]
each = lambda form, values: " / ".join(form(value) for value in values)
number = lambda value: format(value, ",")
print("%s games, %s plies; log2 of the number of legal moves: %s bits a ply; most legal moves: %s; more than 64: %s %%" % (
    each(number, [o["games"] for o in legal]), each(number, [o["plies"] for o in legal]),
    each(lambda v: "%.3f" % v, [o["information_bits_per_ply"] for o in legal]),
    each(str, [o["most_legal_moves"] for o in legal]),
    each(lambda o: "%.4f" % (100 * o["plies_above_64"] / o["plies"]), legal)))
print("\n| encoding | bits a ply | with the number of plies | fall-back plies | in games | encode M/s | decode M/s | exact |")
print("|---|---|---|---|---|---|---|---|")
for row in zip(*tables):
    assert len({o["codec"] for o in row}) == 1
    falls = any(o["fallback_plies"] for o in row)
    print("| `%s` | %s | %s | %s | %s | %.1f | %.1f | %s |" % (
        row[0]["codec"], each(lambda o: "%.3f" % o["bits_per_ply"], row),
        each(lambda o: "%.3f" % o["bits_per_ply_with_count"], row),
        each(lambda o: number(o["fallback_plies"]), row) if falls else "0",
        each(lambda o: number(o["fallback_games"]), row) if falls else "0",
        row[0]["encode_mplies_s"], row[0]["decode_mplies_s"],
        "yes" if all(o["exact"] for o in row) else "NO"))
print("\nFall-backs by reason, plies and games:")
for row in zip(*tables):
    for reason in sorted({r["reason"] for o in row for r in o["fallbacks"]}):
        found = [next((r for r in o["fallbacks"] if r["reason"] == reason), {"plies": 0, "games": 0}) for o in row]
        print("- `%s`, %s: %s plies in %s games (%s %%)" % (
            row[0]["codec"], reason, each(lambda r: number(r["plies"]), found), each(lambda r: number(r["games"]), found),
            each(lambda p: "%.5f" % (100 * p[0]["plies"] / p[1]["plies"]), zip(found, row))))
PYTHON
