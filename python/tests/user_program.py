# SPDX-License-Identifier: MIT
"""A program of a user that uses every public name, with the types that a user expects. test_typing runs this program in a
folder with games.pgn and games.stamma, and checks its types with mypy; tests/nightly/python_types.sh also with pyright."""
import datetime
import io
import pathlib
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import stamma

# ---- archives, games, searches ----

archive: stamma.Archive = stamma.open(pathlib.Path("games.stamma"), memory=1 << 30, index=False)
opened: List[stamma.Archive] = [stamma.open(io.BytesIO(pathlib.Path("games.stamma").read_bytes()))]
with stamma.open("games.stamma") as again:
    count: int = len(again)
game: stamma.Game = archive[0]
several: List[stamma.Game] = archive[3:9]
texts: List[Optional[str]] = [game.white, game.black, game.event, game.site, game.date, game.round, game.eco, game.opening]
tags: Dict[str, str] = dict(game.tags)
pairs: Tuple[Tuple[str, str], ...] = game.tag_pairs
ratings: List[Optional[int]] = [game.white_rating, game.black_rating, *game.clock_ms, *game.time_spent_ms, *game.eval_cp, *game.mate]
numbers: List[int] = [game.number, game.index, len(game), game.moves_bits]
value: str = game["Event"] + game.get("White", "?") + game.result + "".join(game.uci) + "".join(game.san) + str(game)
data: bytes = bytes(game) + bytes(game.move16)
moves: List[stamma.Move] = game.moves
positions: List[stamma.Position] = [game.start, *game.positions()]
items: List[stamma.Item] = game.items
comments: List[stamma.Comment] = game.comments
nags: List[stamma.Nag] = game.nags
evaluations: List[Optional[stamma.Evaluation]] = game.evaluations
reason: Optional[str] = game.kept_as_text
found: stamma.Found = archive.find(player="Tal", white_rating=range(2600, 2700), plies=slice(20, None), date=datetime.date(1965, 8, 8))
query: stamma.Query = stamma.Query({"any": [{"white": "Tal"}, {"black": "Tal"}]}, result="1-0")
matches: List[Tuple[int, List[int]]] = list(archive.find(query).matches())
indices: List[int] = [found.count(), *found.numbers(), *found.indices()]
results: stamma.Results = archive.find(query, time_limit=60.0, sound_only=True).results()
score: Optional[float] = results.score
tree: stamma.Tree = archive.tree("e4 e5", query, limit=5, games=2, history=True)
tree_moves: List[stamma.TreeMove] = tree.moves
months: List[stamma.Month] = tree.months
stats: stamma.Stats = archive.stats(player="Kasparov", limit=3)
rows: Tuple[List[stamma.Row], List[stamma.PlayerRow], List[stamma.RatingRow]] = (stats.eco, stats.players, stats.ratings)
merged: Union[stamma.Tree, stamma.Stats] = stamma.merge_answers([archive.stats().to_json()])
info: stamma.Info = archive.info()
columns: List[stamma.Column] = info.columns
blocks: List[stamma.Block] = archive.blocks()
whole: bytes = archive.text()

# ---- tables ----

table: stamma.Table = archive.games(["white", "result"], numbers=range(1, 20), player="Tal")
plies: stamma.Table = archive.plies(["game", "san"], blocks=range(0, 1), batch_rows=1000, unordered=True, plain_texts=True)
training: stamma.Table = archive.positions(["board"], skip_plies=10, sample=4, shuffle=100, seed=1, threads=1)
described: List[stamma.TableColumn] = archive.table_columns("games")
names: Sequence[str] = table.columns
rows_of_table: int = len(table)
capsule: object = table.__arrow_c_stream__()

# ---- positions and moves ----

position: stamma.Position = stamma.Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", strict=True)
start: stamma.Position = stamma.Position.chess960(518)
move: stamma.Move = start.parse("Nf3")
after: stamma.Position = start.make(move).make("d5").play("e3")[-1]
move_texts: List[Optional[str]] = [start.san(move), start.lan("e4"), start.uci(move, chess960=True), move.uci, move.promotion, stamma.square_name(move.target)]
facts: List[bool] = [start.is_legal(move), start.gives_check("e4"), start.in_check(), move.is_capture, move.is_castling]
codes_of_position: List[int] = [start.key, start.polyglot_key, start.perft(2), start.move_index("e4"), start.move_at(322), start.halfmove_clock, start.fullmove_number]
position_texts: List[Optional[str]] = [start.fen(shredder=True), start.side, start.en_passant, start.status, start.piece_at("e1")]
opening: Optional[stamma.Opening] = start.play("e4 c5")[-1].opening
pieces: bytes = start.pieces()

# ---- PGN ----

parsed: stamma.ParsedGame = stamma.parse_pgn("1. e4 e5 *")[0]
read: Iterator[stamma.ParsedGame] = stamma.read_pgn([io.StringIO("1. e4 *"), pathlib.Path("games.pgn")])
node: stamma.Node = next(parsed.root.main_line())
error: Optional[stamma.StammaError] = next(read).error

# ---- writing ----


def show(done: int, total: int) -> None:
    assert total == 0 or done <= total


notices: List[stamma.Notice] = []
counts: stamma.Counts = stamma.pack(["games.pgn", io.StringIO("1. e4 *\n")], "new.stamma", level=1, overwrite=True, progress=show, notices=notices)
appended: stamma.Counts = stamma.append("new.stamma", archive.find(player="Tal"))
joined: stamma.Counts = stamma.merge(["games.stamma", "new.stamma"], "joined.stamma", overwrite=True)
packed: stamma.Counts = stamma.recompress("games.stamma", "level2.stamma", level=2, overwrite=True)
verdict: stamma.Verdict = stamma.verify("new.stamma", quick=True)
damages: List[stamma.Damage] = verdict.damages
repair: stamma.Repair = stamma.repair("new.stamma", "repaired.stamma", overwrite=True)
written: bool = stamma.index("joined.stamma", force=True)
unpacked: Optional[bytes] = stamma.unpack("new.stamma")

# ---- encodings, boards, the predictor ----

code: stamma.Code = stamma.encode("e4", "san")
all_codes: Dict[str, stamma.Code] = stamma.encode("e4")
decoded: stamma.Move = stamma.decode(65, "tarrasch", stamma.Position())
parts: List[stamma.CodePart] = [*stamma.explain("e4", "tarrasch"), *stamma.explain_game(archive[0], "tarrasch"),
                                *stamma.explain_position(start, "fen")]
game_code: bytes = stamma.encode_game(archive[0], "arithmetic")
line: List[stamma.Move] = stamma.decode_game(game_code, "arithmetic")
position_code: stamma.PositionCode = stamma.encode_position(start, "fen")
same: stamma.Position = stamma.decode_position(position_code, "fen")
encodings: List[stamma.Encoding] = [*stamma.encodings(), *stamma.position_encodings()]
surveys: List[stamma.Survey] = stamma.survey(archive.find(player="Tal"), "tarrasch")
fallbacks: List[stamma.Fallback] = surveys[0].fallbacks
position_surveys: List[stamma.PositionSurvey] = stamma.survey_positions(["e4 e5"], "fen")
enumerated: stamma.EnumeratedMove = stamma.enumeration_unrank(260)
rank: int = stamma.enumeration_rank(enumerated)
board: stamma.Board = stamma.boards()[0]
board_values: Tuple[int, List[stamma.Move], stamma.Position, bytes] = (board.perft(start, 2), board.legal_moves(start), board.make(start, "e4"), board.state(start))
predictions: List[stamma.Prediction] = stamma.predict("e4 e5", white_rating=2000, time_control="180+2")
probabilities: List[float] = stamma.predict_game("e4 e5 Nf3", start=start, result="1-0")

# ---- errors ----

kinds: Tuple[type, ...] = (
    stamma.AmbiguousError, stamma.ArgumentError, stamma.CancelledError, stamma.CorruptError, stamma.IllegalError,
    stamma.InputOutputError, stamma.LimitError, stamma.MismatchError, stamma.NotAnArchiveError, stamma.OutOfMemoryError,
    stamma.QueryError, stamma.SelfCheckError, stamma.TextError, stamma.UnsupportedError)
try:
    stamma.open("games.pgn")
except stamma.StammaError as raised:
    places: List[Union[str, int, None]] = [raised.message, raised.file, raised.byte, raised.line, raised.game, raised.number, raised.ply]


def uses_python_chess() -> None:
    """Objects of python-chess are arguments."""
    import chess
    import chess.pgn

    own = chess.Board()
    foreign: Any = chess.pgn.read_game(io.StringIO("1. e4 *"))
    assert isinstance(foreign, chess.pgn.Game)
    stamma.Position(own).make(chess.Move.from_uci("e2e4"))
    archive.tree(own)
    archive.find(fen=own)
    stamma.pack([foreign])
    stamma.encode_game(foreign, "arithmetic")


def uses_pyarrow() -> None:
    """Parquet files in the schema of Lichess."""
    rows: int = stamma.to_parquet("games.stamma", "lichess.parquet", overwrite=True, player="Tal")
    bad_rows: List[stamma.BadRow] = []
    counts: stamma.Counts = stamma.from_parquet(["lichess.parquet"], "lichess.stamma", overwrite=True, bad_rows=bad_rows)
    assert rows and counts
    for row in bad_rows:
        print(row.file, row.row, row.reason)


assert isinstance(stamma.__version__, str)
print("done")
