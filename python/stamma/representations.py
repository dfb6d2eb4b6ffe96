# SPDX-License-Identifier: MIT
"""The classic board representations. doc/reference/boards.md describes them."""

from __future__ import annotations

import functools
from typing import List, NamedTuple, Tuple

from . import _stamma
from .moves import Move
from .positions import MoveLike, Position, PositionLike, number_of, position_of


class Board(NamedTuple):
    """A board representation: an independent implementation of the rules of chess.

    ``name``
        name of the representation, such as "mailbox-12x12"
    ``description``
        a sentence that describes it
    ``size``
        bytes of a position in memory

    >>> board = boards()[5]
    >>> board.name, board.size, board.perft(Position(), 3), len(board.legal_moves(Position()))
    ('x88', 140, 8902, 20)
    >>> board.make(Position(), "e4") == Position().make("e4")
    True
    """

    name: str
    description: str
    size: int

    def legal_moves(self, position: PositionLike) -> List[Move]:
        """Returns all legal moves, in the order in which the representation finds them."""
        return [Move(move) for move in _stamma.board_legal_moves(self.name, position_of(position)._raw)]

    def make(self, position: PositionLike, move: MoveLike) -> Position:
        """Returns the position after a legal move, which the representation makes. Raises IllegalError for other moves."""
        return Position._of(_stamma.board_make(self.name, position_of(position)._raw, number_of(position_of(position)._raw, move)))

    def perft(self, position: PositionLike, depth: int) -> int:
        """Returns the number of legal sequences of moves of a length."""
        return _stamma.board_perft(self.name, position_of(position)._raw, depth)

    def state(self, position: PositionLike) -> bytes:
        """Returns the bytes of the position in memory. They depend on the processor and on the version of the library."""
        return _stamma.board_state(self.name, position_of(position)._raw)


@functools.lru_cache(maxsize=None)
def _all() -> Tuple[Board, ...]:
    return tuple(Board(*row) for row in _stamma.boards())


def boards() -> List[Board]:
    """Returns the board representations, the library's own first.

    >>> [board.name for board in boards()][:3]
    ['bitboard', 'array-8x8', 'mailbox-12x12']
    """
    return list(_all())
