# SPDX-License-Identifier: MIT
"""Stamma: archives of chess games, restored byte for byte.

>>> import stamma
>>> archive = stamma.open("games.stamma")
>>> len(archive), archive[0].white, archive[0].san[:2]
(86, 'Anderssen, Adolf', ['e4', 'e5'])

The package needs only the standard library. doc/reference/python.md describes it.
"""

from ._stamma import version as __version__
from .answers import Month, PlayerRow, RatingRow, Results, Row, Stats, Tree, TreeMove, merge_answers
from .archives import Archive, Column, Found, Info, Query, open
from .codes import (Code, CodePart, Encoding, EnumeratedMove, PositionCode, Prediction, decode, decode_game, decode_position,
                    encode, encode_game, encode_position, encodings, enumeration_rank, enumeration_unrank, explain,
                    explain_game, explain_position, position_encodings, predict, predict_game)
from .errors import (AmbiguousError, ArgumentError, CancelledError, CorruptError, IllegalError, InputOutputError,
                     LimitError, MismatchError, NotAnArchiveError, OutOfMemoryError, QueryError, SelfCheckError,
                     StammaError, TextError, UnsupportedError)
from .games import Comment, Evaluation, Game, Item, Nag
from .lichess_rows import BadRow
from .moves import Move, square_name
from .parquet import from_parquet, to_parquet
from .pgn import Node, ParsedGame, parse_pgn, read_pgn
from .positions import Opening, Position
from .representations import Board, boards
from .surveys import Fallback, PositionSurvey, Survey, survey, survey_positions
from .tables import Block, Table, TableColumn
from .writing import (Counts, Damage, Notice, Repair, Verdict, append, index, merge, pack, recompress, repair, unpack,
                      verify)

# Written out, because type checkers do not evaluate it.
__all__ = [
    "__version__", "AmbiguousError", "append", "Archive", "ArgumentError", "BadRow", "Block", "Board", "boards",
    "CancelledError", "Code", "CodePart", "Column", "Comment", "CorruptError", "Counts", "Damage", "decode",
    "decode_game", "decode_position", "encode", "encode_game", "encode_position", "Encoding", "encodings",
    "EnumeratedMove", "enumeration_rank", "enumeration_unrank", "Evaluation", "explain", "explain_game",
    "explain_position", "Fallback", "Found", "from_parquet", "Game", "IllegalError", "index", "Info",
    "InputOutputError", "Item", "LimitError", "merge", "merge_answers", "MismatchError", "Month", "Move", "Nag",
    "Node", "NotAnArchiveError", "Notice", "open", "Opening", "OutOfMemoryError", "pack", "parse_pgn", "ParsedGame",
    "PlayerRow", "Position", "position_encodings", "PositionCode", "PositionSurvey", "predict", "predict_game",
    "Prediction", "Query", "QueryError", "RatingRow", "read_pgn", "recompress", "Repair", "repair", "Results",
    "Row", "SelfCheckError", "square_name", "StammaError", "Stats", "Survey", "survey", "survey_positions", "Table",
    "TableColumn", "TextError", "to_parquet", "Tree", "TreeMove", "unpack", "UnsupportedError", "Verdict", "verify",
]


def __getattr__(name: str) -> object:
    """Imports `stamma.training`, `stamma.torch` and `stamma.spark`, which need NumPy, PyTorch and PySpark."""
    if name in ("training", "torch", "spark"):
        import importlib

        return importlib.import_module("stamma." + name)
    raise AttributeError(f"module 'stamma' has no attribute {name!r}")
