# SPDX-License-Identifier: MIT
"""Compares Arrow tables of small archives with hand-written values, and the tables of the levels with each other. See
columns.sh."""
import columns_library as columns


ODD = b'''[Event "Caf\xe9"]
[Site "a \\"b\\" \\\\ c"]
[Date "2010.02.31"]
[White "\xc3\x89mile"]
[Result "*"]
[WhiteElo "2400?"]
[UTCDate "2011.03.04"]
[TimeControl "40/7200:3600+0.5"]
[MyOwnTag "x"]

1. e4 e5 2. Nf3 0-1

[Date "201?.??.??"]
[UTCDate "1969.12.??"]
[TimeControl "-"]
[Result "what"]
[ECO "?"]

1. d4 {[%clk 0:01:00.5] [%eval #-3]} Nf6 $1 {a} {b [%eval 500]} (1... d5) 2. c4 1/2-1/2
'''


def check_odd():
    archive = columns.pack(ODD)
    table = columns.read(archive)
    first, second = table.to_pylist()
    assert first["event"] == "Café" and first["site"] == 'a "b" \\ c' and first["white"] == "Émile", first
    assert str(first["date"]) == "2010-02-01" and first["date_precision"] == "month"
    assert first["result"] == "*" and first["white_rating"] == 2400 and first["black_rating"] is None
    assert first["base_seconds"] == 10800 and first["increment_seconds"] == 0.5 and first["my_own_tag"] == "x"
    assert first["eco"] == "C40" and first["eco_derived"] is True
    assert str(second["date"]) == "1969-12-01" and second["result"] == "1/2-1/2" and second["eco"] == "A50"
    assert second["speed"] == "correspondence" and second["base_seconds"] is None and second["my_own_tag"] is None
    lists = columns.read(archive, columns=["clock_ms", "eval_cp", "mate", "nags", "comments", "text", "tag:MyOwnTag"])
    second = lists.to_pylist()[1]
    assert second["clock_ms"] == [60500, None, None] and second["eval_cp"] == [None, 32767, None]
    assert second["mate"] == [-3, None, None]
    assert second["nags"] == [{"ply": 2, "nag": 1}]
    assert second["comments"][1:] == [{"ply": 2, "text": "a"}, {"ply": 2, "text": "b [%eval 500]"}]
    assert b"".join(lists.column("text").to_pylist()) == ODD


def check_errors():
    archive = columns.pack(ODD)
    for names, message in ((["whiet"], 'unknown column "whiet"; did you mean "white"?'),
                           (["white", "white"], 'repeated column "white"'), ([b"\xff"], "unknown column")):
        try:
            columns.open_stream(archive, columns=names)
            raise AssertionError(names)
        except columns.StammaError as error:
            assert error.code == 5 and message in str(error), error


def check_samples():
    with open("data/games.pgn", "rb") as file:
        pgn = file.read()
    tables = []
    for level in (1, 2, 3):
        archive = columns.pack(pgn, level)
        names = [name for name in columns.list_columns(archive) if name != "bits"]
        table = columns.read(archive, columns=names)
        assert b"".join(table.column("text").to_pylist()) == pgn
        tables.append(table.drop_columns("text").to_pylist())
        rest = [name for name in names if name != "text"]
        same = columns.read(archive, columns=rest, batch_rows=3, plain_texts=True).to_pylist()
        assert tables[-1] == same, [(a, b) for a, b in zip(tables[-1], same) if a != b][0]
    assert tables[0] == tables[1] == tables[2]


check_odd()
check_errors()
check_samples()
