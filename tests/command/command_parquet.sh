#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Parquet files in the schema of Lichess/standard-chess-games: games that are exported and imported have the same tags and
# the same movetext, byte for byte; pyarrow reads the schema and python-chess the moves. Rows that are not games are
# reported and skipped.
set -u
. tests/support/command_support.bash
exported_archives
case ${SANITIZE:-} in *memory*) echo "Python is not built with this sanitizer"; exit 77 ;; esac
python3 -c 'import chess.pgn, pyarrow.parquet' 2>/dev/null || { echo "python-chess or pyarrow is missing"; exit 77; }
"$stamma" export -q games.stamma -o any.arrow 2>/dev/null || { echo "built without nanoarrow"; exit 77; }

# Games like those of Lichess: clocks, evaluations, missing tags, escapes, several lines, Windows-1252, no moves.
python3 - <<'PYTHON'
games = [b'''[Event "Rated Blitz game"]
[Site "https://lichess.org/abcdefgh"]
[White "a_\\"b\\\\c"]
[Black "bob"]
[Result "1-0"]
[WhiteTitle "GM"]
[WhiteElo "2639"]
[BlackElo "1403"]
[WhiteRatingDiff "+5"]
[BlackRatingDiff "-8"]
[UTCDate "2012.12.31"]
[UTCTime "23:01:03"]
[ECO "C20"]
[Opening "King's Pawn Game"]
[Termination "Normal"]
[TimeControl "180+2"]

1. e4 { [%eval 0.2] [%clk 0:03:00] } 1... e5 { [%eval #-3] [%clk 0:02:58] } 2. Qh5?! { [%clk 0:00:00] } 1-0''',
         b'[Event "?"]\n[White ""]\n[WhiteElo "?"]\n[WhiteRatingDiff "+0"]\n[UTCDate "2012.??.31"]\n\n{a\n\nb}\n1. d4\n(1. e4 ; x\n) d5 *',
         b'[Event "M\xfcnchen"]\n[Result "1-0"]\n[Round "3"]\n\n1-0', b'[Event "a"]\n[FEN "8/8/8/8/8/8/8/K1k5 w - - 0 1"]\n\n1. Ka2 *']
with open("lichess.pgn", "wb") as file:
    file.write(b"\n\n".join(games) + b"\n\n")
PYTHON
run 0 pack -q -o lichess.stamma lichess.pgn
cp "$root/data/games.pgn" .
run 0 export lichess.stamma games.stamma --schema lichess -o lichess.parquet
says 'lichess.parquet: 85 rows'
says 'lichess.parquet: 5 games omitted: the schema has no column'
run 0 import --from lichess-parquet -o back.stamma lichess.parquet
says 'lichess.parquet: 85 games added, 0 skipped'
run 0 import --from lichess-parquet -o back.stamma lichess.parquet
says 'skipped: the manifest has a file with the same contents'
run 0 unpack -q back.stamma -o back.pgn
run 0 export -q back.stamma --schema lichess -o again.parquet
python3 - <<'PYTHON' || fail "the games are others"
import chess.pgn, io, pyarrow as pa, pyarrow.parquet as pq
table = pq.read_table("lichess.parquet")
text, rating = pa.string(), pa.int16()
assert table.schema.remove_metadata() == pa.schema([
    ("Event", text), ("Site", text), ("White", text), ("Black", text), ("Result", text), ("WhiteTitle", text),
    ("BlackTitle", text), ("WhiteElo", rating), ("BlackElo", rating), ("WhiteRatingDiff", rating), ("BlackRatingDiff", rating),
    ("UTCDate", pa.date32()), ("UTCTime", pa.time32("ms")), ("ECO", text), ("Opening", text), ("Termination", text),
    ("TimeControl", text), ("movetext", text)]), table.schema
assert table.equals(pq.read_table("again.parquet"))
first, second, third = table.slice(0, 3).to_pylist()
assert first["White"] == 'a_"b\\c' and str(first["UTCDate"]) == "2012-12-31" and str(first["UTCTime"]) == "23:01:03"
assert (first["WhiteElo"], first["WhiteRatingDiff"], first["BlackRatingDiff"], first["BlackTitle"]) == (2639, 5, -8, None)
assert first["movetext"].encode() in open("lichess.pgn", "rb").read()
assert second["movetext"] == "{a\n\nb}\n1. d4\n(1. e4 ; x\n) d5 *" and second["White"] == "" and second["WhiteRatingDiff"] == 0
assert second["WhiteElo"] is None and second["UTCDate"] is None and second["Site"] is None
assert third["Event"] == "München" and third["movetext"] == "1-0"
back = open("back.pgn", "rb").read()
assert back.startswith(open("lichess.pgn", "rb").read().split(b"\n\n[Event \"?\"]")[0] + b"\n\n")
assert b'[White ""]\n[WhiteRatingDiff "+0"]\n\n{a\n\nb}\n1. d4\n' in back and back.count(b"movetext") == 0

def games(name, encoding="utf-8"):
    with open(name, encoding=encoding, newline="") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield game

def moves(game):
    return [(node.move, node.comment, node.clock(), node.eval()) for node in game.mainline()]

wanted = [game for name in ("lichess.pgn", "games.pgn") for game in games(name, "cp1252" if name == "lichess.pgn" else "utf-8")
          if "FEN" not in game.headers]
found = list(games("back.pgn"))
assert len(found) == len(wanted) == 85
for game, other in zip(wanted, found):
    assert moves(game) == moves(other)
    assert all(other.headers[name] == game.headers[name] for name in ("Event", "White", "Black") if game.headers[name] != "?")
PYTHON

# ---- rows that are not games ----
python3 - <<'PYTHON'
import datetime, pyarrow as pa, pyarrow.parquet as pq
moves = ["1. e4 *", None, "1. e4 *", "1. d4 1-0", '[White "x"]\n\n1. e4 *', " ", "1. c4 *"]
pq.write_table(pa.table({"Event": ["a", "b", "c\nd", None, "e", "f", "g"], "movetext": moves,
                         "WhiteElo": pa.array([1500, None, 2, 3, 4, 5, None], pa.float64()),
                         "UTCTime": pa.array([datetime.time(1, 2, 3)] + [None] * 6, pa.time64("us"))}), "bad.parquet")
pq.write_table(pa.table({"Event": ["a"], "moves": ["1. e4 *"]}), "no_movetext.parquet")
pq.write_table(pa.table({"Event": [["a"]], "movetext": ["1. e4 *"]}), "list.parquet")
pq.write_table(pa.table({"Opening name": ["a"], "movetext": ["1. e4 *"]}), "name.parquet")
PYTHON
run 3 import --strict --from lichess-parquet -o bad.stamma bad.parquet
says 'bad.parquet: row 2: movetext is null; expected moves or a result; skipped'
says 'bad.parquet: row 3: Event contains a line end or another control character; expected text in one line; skipped'
says 'bad.parquet: row 5: movetext contains a tag; expected the moves of one game, without tags; skipped'
says 'bad.parquet: row 6: movetext is empty; expected moves or a result; skipped'
says 'bad.parquet: 3 games added'
run 0 unpack bad.stamma
equal "$(tr '\n' '|' <out)" '[Event "a"]|[WhiteElo "1500"]|[UTCTime "01:02:03"]||1. e4 *||[WhiteElo "3"]||1. d4 1-0||[Event "g"]||1. c4 *||'
run 2 import --from lichess-parquet -o none.stamma no_movetext.parquet
says 'no_movetext.parquet: there is no column movetext; the columns are Event, moves'
run 2 import --from lichess-parquet -o none.stamma list.parquet
says 'list.parquet: column Event: the type .* cannot be the value of a tag; expected a string, an integer, a date or a time'
run 2 import --from lichess-parquet -o none.stamma name.parquet
says "name.parquet: column 'Opening name': expected the name of a tag"
run 2 import --from lichess-parquet -o none.stamma lichess.pgn
says 'lichess.pgn: '
run 2 pack -o none.stamma lichess.parquet
says 'is a Parquet file'
run 2 import --print-addresses --from lichess-parquet --since 2024-01
for wrong in "--schema fics -o x.parquet" "--schema lichess -o x.csv" "--schema lichess --columns number -o x.parquet" \
    "--schema lichess --table plies -o x.parquet"; do
    # shellcheck disable=SC2086
    run 2 export games.stamma $wrong
done
absent none.stamma none.stamma.manifest x.parquet x.csv
nothing_left .

# A column that is any tag, also if no archive has it.
run 0 export -q games.stamma --columns number,tag:White,tag:NoSuchTag -o tags.csv
equal "$(sed -n 2p tags.csv | tr -d '\r')" '1,"Anderssen, Adolf",'
finish
