# SPDX-License-Identifier: MIT
"""Moves."""

from __future__ import annotations

from typing import Optional

_FILES = "abcdefgh"


def square_name(square: int) -> str:
    """Returns the name of a square from 0 (a1) to 63 (h8).

    >>> square_name(0), square_name(63)
    ('a1', 'h8')
    """
    return _FILES[square & 7] + str((square >> 3) + 1)


class Move(int):
    """A move: a number of 16 bits, with the target square in bits 0-5, the origin in bits 6-11 and flags in bits 12-15.

    0 is the null move. A castling move goes from the king's origin to the king's target.

    >>> import stamma
    >>> move = stamma.Position().parse("e4")
    >>> move, int(move), move.uci, move.origin, move.target
    (Move('e2e4'), 4892, 'e2e4', 12, 28)
    """

    __slots__ = ()

    @property
    def origin(self) -> int:
        """Origin square, from 0 (a1) to 63 (h8)."""
        return self >> 6 & 63

    @property
    def target(self) -> int:
        """Target square, from 0 (a1) to 63 (h8)."""
        return self & 63

    @property
    def flags(self) -> int:
        """The flags of the encoding `move16`: 0 quiet, 1 double push, 2 and 3 castling, 4 capture, 8 promotion."""
        return self >> 12

    @property
    def is_capture(self) -> bool:
        """Whether the move is a capture, including en passant."""
        return bool(self >> 12 & 4)

    @property
    def is_castling(self) -> bool:
        """Whether the move is castling, to either side."""
        return self >> 13 == 1

    @property
    def promotion(self) -> Optional[str]:
        """The piece that a pawn is promoted to ("q", "r", "b", "n"), or None."""
        return "nbrq"[self >> 12 & 3] if self >> 12 & 8 else None

    @property
    def uci(self) -> str:
        """The move in UCI notation; castling as the two squares of the king."""
        if self == 0:
            return "0000"
        return square_name(self.origin) + square_name(self.target) + (self.promotion or "")

    def __str__(self) -> str:
        return self.uci

    def __repr__(self) -> str:
        return f"Move({self.uci!r})"
