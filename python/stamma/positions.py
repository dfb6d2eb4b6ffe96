# SPDX-License-Identifier: MIT
"""Positions."""

from __future__ import annotations

import array
from typing import Any, Iterable, List, NamedTuple, Optional, Tuple, Union

from . import _stamma
from .errors import IllegalError
from .foreign import ForeignBoard, ForeignGame, ForeignMove, foreign_fen, is_foreign_game, is_foreign_move
from .moves import Move, square_name

_PIECES = "PNBRQK.-pnbrqk.-"
_STATUS = ("play", "checkmate", "stalemate", "insufficient material", "seventy-five moves", "fivefold repetition",
           "fifty moves", "threefold repetition")

#: A move: a number, such as a `Move`; a text in SAN, UCI or a similar notation; or a move of python-chess.
MoveLike = Union[int, str, ForeignMove]


class Opening(NamedTuple):
    """An opening of the list of Lichess.

    ``eco``
        code, such as "B20"
    ``name``
        name, such as "Sicilian Defense"
    """

    eco: str
    name: str


class Position:
    """A position: the board, the side to move, castling rights, the en passant square and the clocks. Immutable.

    Positions are equal if they are the same for repetition: clocks do not count.

    >>> start = Position()
    >>> start.make("e4").fen()
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'
    >>> len(start.legal_moves())
    20
    >>> Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").legal_moves()[:2]
    [Move('e1d1'), Move('e1d2')]
    """

    __slots__ = ("_raw",)
    _raw: _stamma.Position

    def __init__(self, fen: Union[str, ForeignBoard, None] = None, *, strict: bool = False) -> None:
        """Creates the position of a FEN or of a board of python-chess; without a FEN, the initial position.

        With `strict`, a FEN is accepted only exactly as `fen` writes it. Otherwise fields may be missing at the end.

        Raises TextError if the text is not a FEN, and IllegalError if the position is not legal.
        """
        text = foreign_fen(fen) if fen is not None and not isinstance(fen, str) else fen
        self._raw = _stamma.position_start() if text is None else _stamma.position_of_fen(text, strict)

    @classmethod
    def _of(cls, raw: _stamma.Position) -> Position:
        self = cls.__new__(cls)
        self._raw = raw
        return self

    @classmethod
    def chess960(cls, number: int) -> Position:
        """Returns the Chess960 initial position with a number from 0 to 959; 518 is standard chess.

        >>> Position.chess960(0).fen()
        'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1'
        """
        return cls._of(_stamma.position_chess960(number))

    def fen(self, *, shredder: bool = False) -> str:
        """Returns the FEN. With `shredder`, castling rights are the files of the rooks."""
        return self._raw.fen(shredder)

    def legal_moves(self) -> List[Move]:
        """Returns all legal moves, in the order of their UCI text."""
        return [Move(move) for move in self._raw.legal_moves()]

    def parse(self, text: str) -> Move:
        """Returns the legal move that a text describes, in SAN, UCI or a similar notation.

        Raises TextError for other texts, IllegalError if no legal move matches, and AmbiguousError if several match.

        >>> Position().parse("Nf3"), Position().parse("g1f3")
        (Move('g1f3'), Move('g1f3'))
        """
        return Move(self._raw.parse(text))

    def _move(self, move: MoveLike) -> int:
        return number_of(self._raw, move)

    def make(self, move: MoveLike) -> Position:
        """Returns the position after a move. The null move, 0, changes the side to move.

        Raises IllegalError if the move is not legal.
        """
        return Position._of(self._raw.make(self._move(move)))

    def play(self, moves: Union[str, Iterable[MoveLike]]) -> List[Position]:
        """Returns the positions after each of the moves: a text such as "e4 e5 Nf3", or an iterable of moves.

        >>> [position.side for position in Position().play("e4 e5")]
        ['black', 'white']
        """
        return [Position._of(raw) for raw in self._raw.play(packed_moves(self._raw, moves))]

    def san(self, move: MoveLike) -> str:
        """Returns a legal move in SAN."""
        return self._raw.san(self._move(move))

    def lan(self, move: MoveLike) -> str:
        """Returns a legal move in long algebraic notation: "e2-e4"."""
        return self._raw.lan(self._move(move))

    def uci(self, move: MoveLike, *, chess960: bool = False) -> str:
        """Returns a move in UCI notation. With `chess960`, castling is written as king takes rook."""
        return self._raw.uci(self._move(move), chess960)

    def move_index(self, move: MoveLike) -> int:
        """Returns the index of a legal move in the vocabulary of 1,924 moves of the column `move_index`.

        >>> Position().move_index("e4")
        322
        """
        return _stamma.vocabulary_index(self._raw, self._move(move))

    def move_at(self, index: int) -> Move:
        """Returns the legal move with an index in the vocabulary of moves, for example one that a model predicts.

        Raises IllegalError if the move is not legal.

        >>> Position().move_at(322)
        Move('e2e4')
        """
        return Move(_stamma.vocabulary_move(self._raw, index))

    def is_legal(self, move: MoveLike) -> bool:
        """Returns whether a move is legal. Raises TextError for a text that is not a move."""
        try:
            return self._raw.is_legal(self._move(move))
        except IllegalError:
            return False

    def gives_check(self, move: MoveLike) -> bool:
        """Returns whether the opponent is in check after a legal move."""
        return self._raw.gives_check(self._move(move))

    def in_check(self) -> bool:
        """Returns whether the side to move is in check."""
        return self._raw.in_check()

    @property
    def side(self) -> str:
        """The side to move: "white" or "black"."""
        return ("white", "black")[self._raw.state()[0]]

    @property
    def en_passant(self) -> Optional[str]:
        """The square that a pawn has just passed by a double push, or None."""
        square = self._raw.state()[1]
        return None if square == 64 else square_name(square)

    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture or pawn move."""
        return self._raw.state()[3]

    @property
    def fullmove_number(self) -> int:
        """Number of the next move, from 1."""
        return self._raw.state()[4]

    def piece_at(self, square: Union[int, str]) -> Optional[str]:
        """Returns the piece on a square as a letter of a FEN, or None.

        >>> Position().piece_at("e1"), Position().piece_at("e4")
        ('K', None)
        """
        number = square if isinstance(square, int) else "abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)
        piece = _PIECES[self._raw.pieces()[number]]
        return None if piece == "." else piece

    def pieces(self) -> bytes:
        """Returns 64 piece codes, from a1 to h8: 0 pawn, 1 knight, 2 bishop, 3 rook, 4 queen, 5 king, plus 8 for Black;
        6 is an empty square."""
        return self._raw.pieces()

    @property
    def key(self) -> int:
        """The 64-bit key of the position, the same in every version of the library."""
        return self._raw.key()

    @property
    def polyglot_key(self) -> int:
        """The key of the position in opening books of PolyGlot."""
        return self._raw.polyglot_key()

    @property
    def status(self) -> str:
        """The status: "play", "checkmate", "stalemate", "insufficient material", "fifty moves" ...

        >>> Position().play("f3 e5 g4 Qh4#")[-1].status
        'checkmate'
        """
        return _STATUS[self._raw.status()]

    @property
    def opening(self) -> Optional[Opening]:
        """The opening with this position, or None.

        >>> Position().play("e4 c5")[-1].opening
        Opening(eco='B20', name='Sicilian Defense')
        """
        found = self._raw.opening()
        return Opening(*found) if found else None

    def perft(self, depth: int) -> int:
        """Returns the number of legal sequences of moves of a length.

        >>> Position().perft(3)
        8902
        """
        return self._raw.perft(depth)

    def __eq__(self, other: object) -> bool:
        return self._raw == other._raw if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._raw)

    def _repr_svg_(self) -> str:
        """Returns a picture of the board, which notebooks show."""
        from .display import board_svg

        return board_svg(self)

    def __reduce__(self) -> Tuple[object, ...]:
        return Position, (self.fen(shredder=True),)

    def __str__(self) -> str:
        pieces = self._raw.pieces()
        rows = [" ".join(_PIECES[piece] for piece in pieces[8 * rank:8 * rank + 8]) for rank in range(7, -1, -1)]
        return "\n".join(rows)

    def __repr__(self) -> str:
        return f"Position({self.fen()!r})"


#: A position: a `Position`, a FEN, or a board of python-chess.
PositionLike = Union[Position, str, ForeignBoard]


def number_of(raw: _stamma.Position, move: MoveLike) -> int:
    """Returns the 16 bits of a move in a position."""
    if isinstance(move, int):
        return move
    if not isinstance(move, str) and not is_foreign_move(move):
        raise TypeError(f"a move is a text, a number or a move of python-chess, not {type(move).__name__}")
    return raw.parse(move if isinstance(move, str) else move.uci())


def position_of(value: Optional[PositionLike]) -> Position:
    """Returns the position of an argument: a position, a board of python-chess, a FEN, or None for the initial position."""
    return value if isinstance(value, Position) else Position(value)


def packed_moves(start: _stamma.Position, moves: Union[str, Iterable[MoveLike], ForeignGame]) -> bytes:
    """Returns the moves of a text, or of an iterable of moves, or of a game of python-chess, played from a position, as
    16-bit numbers in the byte order of the machine. Move numbers in a text are skipped.

    >>> packed_moves(Position()._raw, "1. e4 e5 2. Nf3") == pack_moves([4892, 7460, 405])
    True
    """
    words: List[MoveLike]
    if isinstance(moves, str):
        words = [word for word in moves.replace(".", ". ").split() if not _is_number(word)]
    else:
        words = [word.uci() if is_foreign_move(word) else word for word in _each_move(moves)]
    return start.read_moves(words)


def _each_move(moves: Any) -> Iterable[Any]:
    """Returns the moves of an iterable, or of a game of python-chess."""
    found: Iterable[Any] = moves.mainline_moves() if is_foreign_game(moves) else moves
    return found


def read_moves(start: Position, moves: Union[str, Iterable[MoveLike]]) -> List[int]:
    """Returns the moves of a text, or of an iterable of texts and numbers, played from a position. Move numbers in a
    text are skipped.

    >>> read_moves(Position(), "1. e4 e5 2. Nf3")
    [4892, 7460, 405]
    """
    return memoryview(packed_moves(start._raw, moves)).cast("H").tolist()


def _is_number(word: str) -> bool:
    return word.rstrip(".").isdigit() and word.endswith(".") or word == "."


def pack_moves(moves: Iterable[int]) -> bytes:
    """Returns moves as 16-bit numbers in the byte order of the machine."""
    return array.array("H", moves).tobytes()
