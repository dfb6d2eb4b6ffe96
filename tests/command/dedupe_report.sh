#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma dedupe --report writes a page about the duplicates: its numbers equal the numbers of the list, and the page is
# well-formed.
set -eu
stamma=$PWD/${STAMMA:-build/stamma}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

fail() { echo "FAILED: $1"; exit 1; }
moves="1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7"
game() { # DATE WHITE MOVES
    printf '[Event "Open"]\n[Date "%s"]\n[White "%s"]\n[Black "Svidler"]\n[Result "1-0"]\n\n%s 1-0\n\n' "$1" "$2" "$3"
}
{ game 2010.05.03 "Andreikin, D" "$moves"; game 2012.05.03 "Carlsen, M" "$moves"; game "????.??.??" X "1. e4"; } >'<a>.pgn'
{ game 2010.05.03 "Andreikin,Dmitry" "$moves"; game 2012.05.03 "Carlsen, M" "$moves 11. Nbd2"; } >b.pgn
"$stamma" pack -q -o '<a>.stamma' '<a>.pgn'
"$stamma" pack -q -o b.stamma b.pgn
"$stamma" dedupe -q -o out.stamma --report r.json --merge tags '<a>.stamma' b.stamma
"$stamma" dedupe -n --report n.json --merge tags '<a>.stamma' b.stamma >/dev/null
cmp r.json n.json
"$stamma" dedupe -n --report r.html '<a>.stamma' b.stamma >list
python3 - <<'PYTHON'
import collections
import json
import xml.etree.ElementTree as tree

report = json.load(open("r.json"))
none = dict.fromkeys(("exact", "spelling", "included", "similar", "transposed", "probable", "decision"), 0)
kinds = dict(none, spelling=1, included=1)
assert report == {
    "kind": "dedupe", "games": 5, "kept": 3, "removed": 2, "kinds": kinds, "probable": 0,
    "archives": [{"archive": "<a>.stamma", "games": 3, "kept": 1, "removed": 2, "kinds": kinds},
                 {"archive": "b.stamma", "games": 2, "kept": 2, "removed": 0, "kinds": none}],
    "years": [{"year": None, "kept": 1, "removed": 0}, {"year": 2010, "kept": 1, "removed": 1},
              {"year": 2012, "kept": 1, "removed": 1}],
    "merged": {"games": 0, "tags": 0, "comments": 0, "nags": 0, "variations": 0}}, report
found = collections.Counter(line.split("\t")[0] for line in open("list"))
assert found == {"spelling": 1, "included": 1}, found
page = open("r.html").read()
root = tree.fromstring(page.split("\n", 1)[1])
cells = ["".join(cell.itertext()) for cell in root.iter("{http://www.w3.org/1999/xhtml}td")]
assert cells[:9] == ["<a>.stamma", "3", "0", "1", "1", "0", "0", "0", "0"], cells
texts = ["".join(e.itertext()) for e in root.iter("{http://www.w3.org/1999/xhtml}figcaption")]
assert [t.startswith(s) for t, s in zip(texts, ("Duplicates by kind", "Games a year"))] == [True, True], texts
PYTHON
for wrong in "-n --report r.txt b.stamma" "-n --report r.json b.stamma" "-n --report missing/r.json b.stamma"; do
    # shellcheck disable=SC2086
    ! "$stamma" dedupe $wrong >out 2>err || fail "$wrong"
    [ -s err ] || fail "$wrong: no message"
done
