# SPDX-License-Identifier: MIT
"""Objects of python-chess as arguments. This package never imports python-chess: objects are recognized by their methods.

- a board, such as `chess.Board`, has the method ``fen``;
- a move, such as `chess.Move`, has the method ``uci``;
- a game, such as `chess.pgn.Game`, has the methods ``board`` and ``mainline_moves``.
"""

from __future__ import annotations

from typing import Any, Iterable, Protocol


class ForeignBoard(Protocol):
    """A board of python-chess."""

    def fen(self, *, shredder: bool = ...) -> str: ...


class ForeignMove(Protocol):
    """A move of python-chess."""

    def uci(self) -> str: ...


class ForeignGame(Protocol):
    """A game of python-chess."""

    def board(self) -> Any: ...

    def mainline_moves(self) -> Iterable[Any]: ...


def is_foreign_board(value: object) -> bool:
    """Returns whether a value is a board of python-chess."""
    return callable(getattr(value, "fen", None)) and not isinstance(value, type)


def is_foreign_move(value: object) -> bool:
    """Returns whether a value is a move of python-chess."""
    return callable(getattr(value, "uci", None)) and not isinstance(value, type)


def is_foreign_game(value: object) -> bool:
    """Returns whether a value is a game of python-chess."""
    return callable(getattr(value, "mainline_moves", None)) and callable(getattr(value, "board", None))


def foreign_fen(board: Any) -> str:
    """Returns the FEN of a board. Castling rights name the files of rooks, and the en passant square is always present."""
    if not is_foreign_board(board):
        raise TypeError(f"a position is a FEN or a board, not {type(board).__name__}")
    return str(board.fen(shredder=True, en_passant="fen"))


def foreign_text(game: object) -> bytes:
    """Returns a game as PGN, followed by an empty line."""
    return (str(game) + "\n\n").encode("utf-8", "surrogateescape")
