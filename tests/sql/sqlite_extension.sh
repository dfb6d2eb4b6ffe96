#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The extension of SQLite loads into the program sqlite3, and returns the rows of `stamma sql`. Only its entry point is
# visible.
set -u
. tests/support/command_support.bash
[ -z "${SANITIZE:-}" ] || { echo "a sanitized extension cannot be loaded"; exit 77; }
command -v sqlite3 >/dev/null || { echo "there is no sqlite3"; exit 77; }
root=$PWD extension=$(realpath "${BUILD:-build}")/stamma_sqlite
[ -e "$extension.so" ] || [ -e "$extension.dylib" ] || { echo "the extension is not built"; exit 77; }
cd "$scratch" || exit 1
"$stamma" pack -q -o games.stamma "$root/data/games.pgn"
sample | "$stamma" pack -q -o sample.stamma -
lite() { sqlite3 -cmd ".load $extension" "$@"; }

if command -v nm >/dev/null; then
    equal "$(nm -D --defined-only "$extension.so" | awk '{ print $3 }')" sqlite3_stammasqlite_init
fi
equal "$(lite :memory: "SELECT count(*), sum(plies) FROM stamma_games('games.stamma')")" \
    "$("$stamma" sql games.stamma --format csv "SELECT count(*) || '|' || sum(plies) FROM games" | tail -1 | tr -d '\r')"
equal "$(lite :memory: "SELECT group_concat(number) FROM stamma_games('games.stamma', '{\"player\": \"Tal\"}')")" \
    "$("$stamma" find games.stamma --player Tal --numbers | paste -sd ,)"
equal "$(lite :memory: "SELECT archive, count(*) FROM stamma_games('*.stamma') GROUP BY 1")" "games.stamma|86
sample.stamma|5"
equal "$(lite :memory: "SELECT count(*) FROM stamma_plies('games.stamma') WHERE game = 1")" \
    "$(lite :memory: "SELECT plies FROM stamma_games('games.stamma') WHERE number = 1")"
equal "$(lite :memory: "SELECT count(*) > 0 FROM stamma_positions('games.stamma')")" 1
equal "$(lite :memory: "SELECT move || games FROM stamma_tree('games.stamma', 'e4 c5') LIMIT 1")" Nf311
equal "$(lite :memory: "SELECT games FROM stamma_stats('*.stamma') WHERE grouping = 'all'")" 91

# The names of the extension of DuckDB.
equal "$(lite :memory: "SELECT filename, count(*) FROM read_stamma('*.stamma') GROUP BY 1")" "games.stamma|86
sample.stamma|5"
equal "$(lite :memory: "SELECT count(*) FROM read_stamma('games.stamma') WHERE player = 'Tal' AND filename = 'games.stamma'")" 3
equal "$(lite :memory: "SELECT count(*) FROM read_stamma('*.stamma') WHERE filename = 'sample.stamma'")" 5
equal "$(lite :memory: "CREATE VIRTUAL TABLE g USING read_stamma('games.stamma', 'sample.stamma');
    SELECT count(*) FROM g WHERE filename = 'sample.stamma';
    SELECT count(*) FROM g WHERE filename = 'sample.stamma' AND archive = 'games.stamma'")" "5
0"

# A database with a virtual table can be opened again, and a view may use it.
lite x.db "CREATE VIRTUAL TABLE g USING stamma_games('games.stamma', 'sample.stamma'); CREATE VIEW v AS SELECT * FROM g"
equal "$(lite x.db "SELECT count(*), count(annotator) FROM v")" "91|1"
# Several cursors at once, of different archives.
equal "$(lite :memory: "SELECT count(*) FROM stamma_games('games.stamma') a JOIN stamma_games('sample.stamma') b USING (number)")" 5
equal "$(lite :memory: "SELECT count(*) FROM (SELECT 'games.stamma' AS f UNION SELECT 'sample.stamma') JOIN stamma_games(f)")" 91

fails() { # WORDS SQL
    checks=$((checks + 1))
    lite :memory: "$2" >out 2>err && fail "$2 succeeds"
    grep -q "$1" err || fail "the message should say \"$1\"" "$(cat err)"
}
fails "No such file" "SELECT * FROM stamma_games('nowhere')"
fails "no file matches" "SELECT * FROM stamma_games('nowhere*')"
fails "no query solution" "SELECT * FROM stamma_games"
fails "name of an archive is missing" "CREATE VIRTUAL TABLE x USING stamma_games"
fails "not a Stamma archive" "SELECT * FROM stamma_tree('$root/README.md')"
finish
