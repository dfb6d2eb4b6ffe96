# SPDX-License-Identifier: MIT
"""Compares the rows of the DuckDB extension with the rows of `stamma sql`: duckdb_rows.py STAMMA EXTENSION FOLDER."""
import datetime
import json
import os
import subprocess
import sys

import duckdb

stamma, extension, folder = sys.argv[1:]
os.chdir(folder)
checks = 0


def connect(threads):
    database = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": threads})
    database.load_extension(extension)
    return database


def plain(value):
    """Returns a value of DuckDB in the form that `stamma sql` prints in JSON."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return value


def of_stamma(archive, sql):
    done = subprocess.run([stamma, "sql", archive, "--format", "json", sql], capture_output=True, check=False)
    assert done.returncode < 2, done.stderr
    return [list(json.loads(line).values()) for line in done.stdout.decode().splitlines()]


def signed(value):
    return value - (1 << 64) if isinstance(value, int) and value >= 1 << 63 else value


def compare(archive, table, order):
    global checks
    function = {"games": "read_stamma"}.get(table, "stamma_" + table)
    names = [c[0] for c in database.execute("DESCRIBE SELECT * FROM %s('%s')" % (function, archive)).fetchall()]
    assert names[-2:] == ["archive", "filename"], names
    del names[-2:]
    if table == "games":
        names.remove("text")  # bytes
    columns = ", ".join('"%s"' % name for name in names)
    ours = database.execute("SELECT %s FROM %s('%s') ORDER BY %s" % (columns, function, archive, order)).fetchall()
    theirs = of_stamma(archive, "SELECT %s FROM %s ORDER BY %s" % (columns, table, order))
    assert len(ours) == len(theirs), (table, len(ours), len(theirs))
    for row, other in zip(ours, theirs):
        row = [signed(plain(value)) for value in row]
        assert row == other, (table, [(n, a, b) for n, a, b in zip(names, row, other) if a != b])
    checks += len(ours) * len(names)


def fails(sql, words):
    global checks
    checks += 1
    try:
        database.execute(sql).fetchall()
    except duckdb.Error as error:
        assert words in str(error), error
    else:
        raise AssertionError(sql + " succeeds")


def equal(sql, value, parameters=None):
    global checks
    checks += 1
    found = database.execute(sql, parameters).fetchall()
    assert found == value, (sql, found)


for threads in 1, 3:
    database = connect(threads)
    compare("merged.stamma", "games", "number")
    compare("games.stamma", "plies", "game, ply")
    total = of_stamma("merged.stamma", "SELECT count(*), sum(plies) FROM games")[0]
    equal("SELECT count(*), sum(plies) FROM 'merged.stamma'", [tuple(total)])
    equal("SELECT count(*) FROM stamma_plies('merged.stamma')", [(total[1],)])
compare("games.stamma", "positions", "game, ply")
equal("SELECT list(number ORDER BY number) FROM read_stamma('games.stamma', query := '{\"player\": \"Tal\"}')",
      [([row[0] for row in of_stamma("games.stamma", "SELECT number FROM games WHERE player = 'Tal'")],)])
equal("SELECT count(*) FROM read_stamma('merged.stamma', find := '{\"limit\": 5}')", [(5,)])
equal("SELECT archive, count(*) FROM stamma_games('[cg]*.stamma') GROUP BY ALL ORDER BY ALL",
      [(name, of_stamma(name, "SELECT count(*) FROM games")[0][0]) for name in ("corpus.stamma", "games.stamma")])
# Lists of names and patterns; the conditions that are parameters are those of `stamma find`.
counts = {name: of_stamma(name, "SELECT count(*) FROM games")[0][0] for name in ("corpus.stamma", "games.stamma", "merged.stamma")}
equal("SELECT filename, count(*) FROM read_stamma(['mer*', 'games.stamma']) GROUP BY ALL ORDER BY ALL",
      [("games.stamma", counts["games.stamma"]), ("merged.stamma", counts["merged.stamma"])])
equal("SELECT count(*) FROM read_stamma(?)", [(2 * counts["games.stamma"],)], [["games.stamma"] * 2])
equal("SELECT bool_and(filename = archive AND filename = 'games.stamma') FROM stamma_plies('games.stamma')", [(True,)])
for parameters, options in (
        ("player := 'Tal'", ["--player", "Tal"]),
        ("result := ['1-0', '0-1'], plies := '..40'", ["--query", '{"result": ["1-0", "0-1"], "plies": "..40"}']),
        ("\"position\" := 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq -', query := '{\"result\": \"1-0\"}'",
         ["--moves", "e4 e5 Nf3 Nc6 Bc4", "--result", "1-0"]),
        ("date := '1900..1950', eco := 'C00..E99'", ["--date", "1900..1950", "--eco", "C00..E99"])):
    found = subprocess.run([stamma, "find", "games.stamma", "--numbers", *options], capture_output=True, check=True).stdout.split()
    assert found, options
    equal("SELECT list(number ORDER BY number) FROM read_stamma('games.stamma', %s)" % parameters, [([int(n) for n in found],)])
equal("SELECT count(*) FROM read_stamma('corpus.stamma', white_rating := '1800..')",
      [(of_stamma("corpus.stamma", "SELECT count(*) FROM games WHERE white_rating >= 1800")[0][0],)])
equal("SELECT games FROM stamma_stats(['games.stamma', 'games.stamma'], player := 'Tal') WHERE grouping = 'all'", [(6,)])
equal("SELECT move, games FROM stamma_tree(['games.stamma'], moves := 'e4', player := 'Tal')", [("c5", 1), ("c6", 1)])
fails("SELECT * FROM read_stamma('games.stamma', white_rating := 'high')", "expected a whole number or a range")
fails("SELECT * FROM read_stamma('games.stamma', player := NULL)", "player is NULL")
fails("SELECT * FROM read_stamma([])", "the list of archives is empty")
fails("SELECT * FROM read_stamma(['games.stamma', NULL])", "name of an archive is NULL")
fails("SELECT * FROM read_stamma('games.stamma', player := 'Tal', query := '{\"limit\": 2}')", "cannot be used with other conditions")
equal("SELECT move, games FROM stamma_tree('games.stamma', moves := 'e4 c5') LIMIT 1", [("Nf3", 11)])
equal("SELECT games FROM stamma_stats('games.stamma') WHERE grouping = 'all'", [(86,)])
equal("SELECT count(*) BETWEEN 300 AND 700 FROM stamma_positions('games.stamma', sample := 10, seed := 3)", [(True,)])
# Lists and texts longer than a vector, and nulls in them.
equal("SELECT sum(len(moves)) = sum(plies), bool_and(len(san) = len(clock_ms)) FROM 'merged.stamma'", [(True, True)])
equal("SELECT sum(octet_length(text)) FROM 'games.stamma'", [(os.path.getsize("games.pgn"),)])
fails("SELECT * FROM 'nowhere.stamma'", "No such file")
fails("SELECT * FROM read_stamma('nowhere*')", "no file matches")
fails("SELECT * FROM read_stamma('games.stamma', query := '{\"plaier\": 1}')", "player")
fails("SELECT * FROM stamma_tree('games.stamma', moves := 'Ke4')", "not a legal move")
fails("SELECT * FROM stamma_positions('games.stamma', sample := -1)", "sample must be from 0")
data = bytearray(open("games.stamma", "rb").read())
data[len(data) // 2] ^= 1
open("damaged.stamma", "wb").write(data)
fails("SELECT sum(octet_length(text)) FROM 'damaged.stamma'", "damaged")
print(checks, "values compared")
