#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma export: CSV, Arrow and Parquet files contain the rows of `stamma sql`; pyarrow and Polars read and validate
# them. A file is complete or does not exist.
set -u
. tests/support/command_support.bash
exported_archives

# ---- CSV ----
run 0 export games.stamma --columns number,white,black,date -o tal.csv --player Tal
says "tal.csv: 3 rows"
equal "$(tr -d '\r' <tal.csv)" 'number,white,black,date
19,"Tal, Mikhail","Larsen, Bent",1965-08-08
34,"Tal, Mikhail","Smyslov, Vasily",1959-09-01
70,"Tal, Mikhail","Hecht, Hans-Joachim",1962-01-01'
run 0 export -q games.stamma sample.stamma --columns number,annotator,white -o - --format csv
equal "$(sed -n '2p;$p' out | tr -d '\r')" '1,,"Anderssen, Adolf"
5,,Dan'
equal "$(grep -c '^4,one,' out)" 1
run 0 export -q games.stamma --table plies --columns game,ply,san -o plies.csv
equal "$(($(wc -l <plies.csv) - 1))" "$("$stamma" info games.stamma --json | sed 's/.*"plies":\([0-9]*\).*/\1/')"
run 0 export -q games.stamma --table positions --sample 10 --seed 7 -o a.csv
run 0 export -q games.stamma --table positions --sample 10 --seed 7 -T 1 -o b.csv
same a.csv b.csv

# ---- files are complete or do not exist ----
run 2 export -q games.stamma -o tal.csv
says "tal.csv"
run 0 export -q games.stamma -o tal.csv -f
python3 - <<'PYTHON'
bytes = bytearray(open("games.stamma", "rb").read())
bytes[len(bytes) // 2] ^= 1
open("damaged.stamma", "wb").write(bytes)
PYTHON
run 2 export -q damaged.stamma --columns text -o damaged.csv
says "damaged.stamma: the archive is damaged"
absent damaged.csv
run 2 export games.stamma
says "-o OUT"
run 2 export games.stamma -o x.xls
says "must end in .parquet, .arrow, .csv or .pgn"
run 2 export games.stamma -o x.csv --columns number,whit
says "did you mean white"
run 2 export games.stamma -o x.csv --columns white,white
says "repeated"
run 2 export games.stamma -o x.csv --table moves
says "the tables are games, plies and positions"
run 2 export games.stamma -o x.csv --sample 3
says "require --table positions"
absent x.csv x.xls
nothing_left .

# ---- Arrow and Parquet ----
if ! "$stamma" export -q games.stamma -o games.arrow 2>err; then
    says "run 'scripts/setup' and build it again"
    echo "built without nanoarrow: no Arrow and Parquet files"
    finish
fi
case ${SANITIZE:-} in *memory*) finish ;; esac
for table in games plies positions; do
    run 0 export -q games.stamma sample.stamma --table $table -o $table.arrow -f
done
run 0 export -q games.stamma --columns number,san,clock_ms,comments,text -o lists.arrow
run 2 export -q damaged.stamma --columns text -o damaged.arrow
absent damaged.arrow
is_native || finish # Wine finds no python3
# Without a library for Parquet: another python3 in PATH that finds none.
mkdir bin
printf '#!/bin/sh\nexec %s -S -I "$@"\n' "$(command -v python3)" >bin/python3
chmod +x bin/python3
if ! python3 -S -I -c 'import pyarrow' 2>/dev/null && ! python3 -S -I -c 'import polars' 2>/dev/null; then
    PATH=$PWD/bin:$PATH run 2 export -q games.stamma -o none.parquet
    says "needs pyarrow or Polars"
    absent none.parquet
fi
python3 -c 'import pyarrow' 2>/dev/null || { echo "no pyarrow: the files are not read"; finish; }
for table in games plies positions; do
    run 0 export -q games.stamma sample.stamma --table $table -o $table.parquet
done
run 2 export -q damaged.stamma --columns text -o damaged.parquet
absent damaged.parquet
nothing_left .
python3 - <<'PYTHON' || fail "pyarrow reads other values"
import csv, json
import pyarrow.feather, pyarrow.parquet
for table in "games", "plies", "positions":
    arrow = pyarrow.feather.read_table(table + ".arrow")
    arrow.validate(full=True)
    assert pyarrow.parquet.read_table(table + ".parquet").equals(arrow), table
lists = pyarrow.feather.read_table("lists.arrow")
lists.validate(full=True)
assert "".join(t.decode("latin-1") if isinstance(t, bytes) else t for t in lists.column("text").to_pylist()).startswith("[Event")
games = pyarrow.feather.read_table("games.arrow")
assert games.num_rows == 91 and games.column("white")[90].as_py() == "Dan"
with open("tal.csv", newline="") as file:
    rows = list(csv.DictReader(file))
for name in "number", "white", "date", "eco", "opening", "plies":
    values = ["" if v is None else str(v) for v in games.column(name).to_pylist()[:86]]
    assert values == [row[name] for row in rows], name
PYTHON
if python3 -c 'import polars' 2>/dev/null; then
    checks=$((checks + 1))
    python3 -c 'import polars; assert polars.read_ipc("plies.arrow").equals(polars.read_parquet("plies.parquet"))' ||
        fail "Polars reads other values"
fi
finish
