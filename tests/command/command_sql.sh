#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma sql: rows equal the output of ls, cat, find, tree and stats; formats, several archives, statements from
# standard input, errors. Random constraints select the same games from an archive and from a copy in a table of SQLite.
set -u
. tests/support/command_support.bash
case ${SANITIZE:-} in *memory*) echo "SQLite is not built with the memory sanitizer"; exit 77 ;; esac
root=$PWD
cd "$scratch" || exit 1
sql() { "$stamma" sql "$@"; }
# value ARCHIVE SQL: prints the only value of a statement.
value() { sql "$1" --format tsv "$2" | tail -n +2; }
"$stamma" sql --help | grep -q "^Not available" && { echo "built without SQLite"; exit 77; }

"$stamma" pack -q -o games.stamma "$root/data/games.pgn"
sample >sample.pgn
"$stamma" pack -q sample.pgn

# ---- the same rows as other commands ----
run 0 sql games.stamma --format tsv "SELECT number, event, site, round, white, black, result, plies FROM games"
mv out sql.tsv
"$stamma" ls games.stamma --format tsv --columns number,Event,Site,Round,White,Black,Result,plies | tail -n +2 >ls.tsv
tail -n +2 sql.tsv >rows.tsv
same rows.tsv ls.tsv
equal "$(value games.stamma "SELECT count(*) FROM games('{\"player\": \"Tal\"}')")" \
    "$("$stamma" find games.stamma --player Tal --count)"
equal "$(value games.stamma "SELECT count(*) FROM games WHERE player = 'Tal' AND query = '{\"mate\": true}'")" \
    "$("$stamma" find games.stamma --player Tal --mate --count)"
fen='rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -'
equal "$(value games.stamma "SELECT count(*) FROM games WHERE position = '$fen'")" \
    "$("$stamma" find games.stamma --fen "$fen" --count)"
equal "$(sql games.stamma --format tsv "SELECT move, games, white_wins, draws, black_wins FROM tree('e4 c5')" | tail -n +2 | tr -d ' ')" \
    "$("$stamma" tree games.stamma --moves "e4 c5" --json | python3 -c '
import json, sys
for m in json.load(sys.stdin)["moves"]:
    print(m["san"], m["white"] + m["draws"] + m["black"], m["white"], m["draws"], m["black"], sep="\t")')"
equal "$(value games.stamma "SELECT games, white_wins, draws, black_wins FROM stats WHERE grouping = 'all'" | tr '\t' ,)" 86,51,3,31
equal "$(sql games.stamma --format json "SELECT number, san FROM games WHERE number = 22" | tr -d ' ')" \
    "$("$stamma" cat games.stamma 22 --json --columns number,san | tr -d ' ')"
equal "$(value games.stamma "SELECT sum(plies) = (SELECT count(*) FROM plies) FROM games")" 1
equal "$(value games.stamma "SELECT count(DISTINCT game) FROM plies WHERE fen = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'")" \
    "$("$stamma" find games.stamma --fen "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -" --query '{"ply": 1}' --count)"

# ---- formats ----
run 0 sql games.stamma "SELECT number, white, result FROM games WHERE white LIKE 'Tal%' ORDER BY number LIMIT 2"
equal "$(cat out)" "number  white         result
    19  Tal, Mikhail  1-0
    34  Tal, Mikhail  1-0"
run 0 sql games.stamma --format json "SELECT 1 AS a, 0.1 AS b, NULL AS c, 'x\"y' AS d, moves AS e, '=1' FROM games WHERE number = 31"
python3 -c 'import json, sys; o = json.loads(open("out").read()); assert o["b"] == 0.1 and o["c"] is None and isinstance(o["e"], list), o' ||
    fail "not JSON" "$(cat out)"
run 0 sql games.stamma --format csv "SELECT '=1+1' AS a, -1 AS b, 'x,\"y' AS c"
equal "$(tr -d '\r' <out)" "a,b,c
'=1+1,-1,\"x,\"\"y\""
run 0 sql games.stamma --format csv --csv-raw "SELECT '=1+1' AS a"
equal "$(tr -d '\r' <out)" "a
=1+1"

# ---- several archives; a tag of only one archive ----
run 0 sql games.stamma sample.stamma --format tsv "SELECT archive, count(*), count(annotator) FROM games GROUP BY 1 ORDER BY 1"
equal "$(tail -n +2 out)" "$(printf 'games.stamma\t86\t0\nsample.stamma\t5\t1')"
run 0 sql '*.stamma' --format tsv "SELECT number, white FROM games WHERE archive = 'sample.stamma' AND result = '0-1'"
equal "$(tail -n +2 out)" "$(printf '4\tM\303\274ller')"
run 0 sql games.stamma sample.stamma --format tsv "SELECT count(*) FROM games WHERE number IN (2, 3) OR white = 'Ann'"
equal "$(tail -n +2 out)" 5

# ---- names that begin with `=`, and exactly one name ----
for name in "=Odd" "Odd" "Odd, B" "*" "?"; do
    printf '[White "%s"]\n[Black "x"]\n\n1. e4 *\n\n' "$name"
done >odd.pgn
run 0 pack -q odd.pgn
numbers() { # NUMBERS CONDITION
    run 0 sql odd.stamma --format tsv "SELECT number FROM games WHERE $2 ORDER BY 1"
    equal "$(tail -n +2 out | paste -sd' ')" "$1"
}
numbers 1 "white = '=Odd'"
numbers 1 "white LIKE '=o%'"
numbers 1 "white GLOB '=*'"
numbers 2 "white = 'Odd'"
numbers "2 5" "white IN ('Odd', '?')"
numbers 4 "white = '*'"
numbers "2 3" "player = 'Odd'"
numbers 2 "player = '=odd'"
numbers 3 "player = '=Odd, B'"
numbers 1 "player = '==Odd'"

# ---- standard input, statements, exit status ----
printf 'CREATE TEMP TABLE t AS SELECT number FROM games;\nSELECT count(*)\nFROM t; SELECT 2' | sql games.stamma --format csv | tr -d '\r' >out
equal "$(cat out)" "count(*)
86
2
2"
run 1 sql games.stamma "SELECT 1 WHERE 0"
run 0 sql games.stamma "SELECT number FROM games ORDER BY number; SELECT 1 WHERE 0"
equal "$(sed -n '2p;87p' out | tr -d ' ' | tr '\n' ' ')" "1 86 "

# ---- errors ----
run 2 sql games.stamma "SELECT nowhat FROM games"
says "no such column: nowhat"
run 2 sql nowhere.stamma "SELECT 1"
says "nowhere.stamma: No such file"
run 2 sql "$root/data/games.pgn" "SELECT 1"
says "games.pgn: not a Stamma archive"
run 2 sql games.stamma "SELECT * FROM games WHERE query = '{\"plaier\": 1}'"
says 'did you mean "player"'
run 2 sql games.stamma "SELECT * FROM games WHERE position = 'x'"
says '"x" is not a position'
run 2 sql games.stamma "SELECT * FROM tree('e4 Ke4')"
says '"Ke4" is not a legal move'
run 2 sql games.stamma "SELECT * FROM games WHERE player = 'Tal' AND query = '{\"limit\": 1}'"
says 'cannot be used with other conditions'
run 2 sql games.stamma --format xml "SELECT 1"
says 'no format "xml"'
run 2 sql "SELECT 1"
says "name of an archive is missing"

# ---- files: only with --write ----
for statement in "ATTACH 'new.db' AS n" "ATTACH 'new' || '.db' AS n" "ATTACH 'file:new.db' AS n" "VACUUM INTO 'new.db'" \
    "PRAGMA temp_store_directory = '.'" "PRAGMA main.journal_mode = WAL" "SELECT load_extension('new.so')" \
    "SELECT writefile('new.db', 'x')" "EXPLAIN ATTACH 'new.db' AS n" "PRAGMA writable_schema = 1" "ATTACH 'games.stamma' AS n"; do
    run 2 sql games.stamma "CREATE TABLE t AS SELECT 1; $statement"
    checks=$((checks + 1))
    [ ! -e new.db ] && [ ! -e "file:new.db" ] || fail "$statement wrote a file"
    case $statement in *writefile*) says "no such function" ;; *) says "needs --write" ;; esac
done
run 0 sql games.stamma --format tsv "ATTACH ':memory:' AS m; CREATE TABLE m.t AS SELECT number AS n FROM games;
    CREATE TEMP TABLE u AS SELECT n FROM m.t; CREATE TABLE v AS SELECT n FROM u; VACUUM;
    CREATE TEMP VIEW w AS SELECT n FROM v; SELECT count(*) FROM w JOIN (SELECT DISTINCT white FROM games ORDER BY 1) LIMIT 1"
run 0 sql games.stamma "SELECT name FROM pragma_table_info('games'); PRAGMA table_xinfo(games); PRAGMA database_list; PRAGMA cache_size = 9"
run 0 sql games.stamma --write --format tsv "ATTACH 'new.db' AS n; CREATE TABLE n.t AS SELECT number FROM games; VACUUM n INTO 'newer.db';
    SELECT count(*) FROM n.t"
equal "$(tail -n +2 out)" 86
equal "$(ls new.db newer.db)" "$(printf 'new.db\nnewer.db')"
run 2 sql games.stamma --write "SELECT load_extension('new.so')"
rm new.db newer.db

python3 - <<'PYTHON'
bytes = bytearray(open("games.stamma", "rb").read())
bytes[len(bytes) // 2] ^= 1
open("damaged.stamma", "wb").write(bytes)
PYTHON
run 2 sql damaged.stamma "SELECT sum(length(text)) FROM games"
says "damaged.stamma: the archive is damaged"

# ---- random constraints ----
constraints() { # COUNT SEED ARCHIVE COLUMN...
    checks=$((checks + 1))
    python3 "$root/tests/differential/sql_constraints.py" "$1" "$2" "${@:4}" | sql "$3" >found
    [ ! -s found ] || fail "constraints on $3 select other games than on a copy" "$(head -3 found)"
}
constraints 400 1 games.stamma set_up fen
constraints 200 2 sample.stamma annotator
corpus=$root/../shared/corpora/lichess_dump_dev.pgn.zst
if [ -e "$corpus" ]; then
    zstd -dcq "$corpus" 2>/dev/null | head -c 600000 | "$stamma" pack -q -o corpus.stamma -
    constraints 150 3 corpus.stamma utc_date
    "$stamma" index -q corpus.stamma
    constraints 150 4 corpus.stamma time_control
fi

# ---- joins, whose inner table is read one game after another ----
joins() { # GAMES PLIES: prints statements with joins of these tables, in both orders
    local from where
    for from in "$1 g CROSS JOIN $2 p" "$2 p CROSS JOIN $1 g" "$1 g JOIN $2 p JOIN $2 q ON q.game = p.game AND q.ply = p.ply"; do
        for where in "1" "g.result = '0-1'" "p.ply = 30" "g.number % 7 = 0 AND p.san LIKE 'O-O%'" "p.game IN (3, 4, 5, 60, 80, 81)" \
            "g.number > 40 AND g.white LIKE '%a%'"; do
            echo "SELECT count(*), total(p.ply * g.plies), min(g.white) FROM $from WHERE p.game = g.number AND $where;"
        done
    done
    echo "SELECT count(*), sum(number) FROM (SELECT n FROM (SELECT number AS n FROM $1 ORDER BY white, number)) JOIN $1 ON number = n;"
    echo "SELECT sum((SELECT count(*) FROM $2 WHERE game = number AND ply < 3)) AS n FROM $1;"
}
joins games plies | sql games.stamma --format tsv >joined.tsv
{
    echo "CREATE TEMP TABLE g AS SELECT * FROM games; CREATE TEMP TABLE p AS SELECT * FROM plies;"
    joins g p
} | sql games.stamma --format tsv >copied.tsv
same joined.tsv copied.tsv
equal "$(wc -l <joined.tsv)" 40
finish
