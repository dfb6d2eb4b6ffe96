# SPDX-License-Identifier: MIT
"""Encodings of moves, games and positions, and the move predictor."""

from __future__ import annotations

import functools
from typing import Dict, Iterable, List, NamedTuple, Optional, Tuple, Union, overload

from . import _stamma
from .foreign import ForeignGame, is_foreign_game
from .games import Game
from .moves import Move
from .pgn import ParsedGame
from .positions import MoveLike, Position, PositionLike, number_of, pack_moves, packed_moves, position_of

#: The moves of a game: a text such as "e4 e5 Nf3", an iterable of moves, or a game with its start position, also of
#: python-chess.
Moves = Union[str, Iterable[MoveLike], Game, ParsedGame, ForeignGame]


class Encoding(NamedTuple):
    """An encoding of doc/reference/encodings.md.

    ``name``
        name of the encoding
    ``source``
        author and title, or format, from which the encoding is
    ``description``
        a sentence that describes the encoding
    ``kind``
        "move", "position" (a move, if the position is known), "game", or "board" for an encoding of positions
    ``is_text``
        whether codes are characters
    ``is_partial``
        whether the encoding cannot represent every move or position
    """

    name: str
    source: str
    description: str
    kind: str
    is_text: bool
    is_partial: bool


class Code(NamedTuple):
    """A code of a move.

    ``value``
        the bits as a number; the first bit is the highest
    ``bits``
        number of bits
    ``is_text``
        whether the code consists of characters, with 8 bits each
    """

    value: int
    bits: int
    is_text: bool = False

    @property
    def text(self) -> str:
        """The characters of a text code, and the bits of any other.

        >>> Code(5, 4).text, Code(0x6534, 16, True).text
        ('0101', 'e4')
        """
        if self.is_text:
            return self.value.to_bytes(self.bits // 8, "big").decode("ascii")
        return format(self.value, f"0{self.bits}b") if self.bits else ""


class CodePart(NamedTuple):
    """A part of a code.

    ``first``
        first bit of the part in the code, from 0
    ``bits``
        number of bits; 0 if the code is the sum of the values of its parts
    ``value``
        the bits as a number
    ``text``
        a phrase that describes the value
    """

    first: int
    bits: int
    value: int
    text: str


@functools.lru_cache(maxsize=None)
def _move_encodings() -> Dict[str, Encoding]:
    return {name: Encoding(name, source, text, ("move", "position", "game")[kind], is_text, is_partial)
            for name, source, text, kind, is_text, is_partial in _stamma.encodings()}


@functools.lru_cache(maxsize=None)
def _position_encodings() -> Dict[str, Encoding]:
    return {name: Encoding(name, source, text, "board", is_text, is_partial)
            for name, source, text, is_text, is_partial in _stamma.position_encodings()}


def encodings() -> List[Encoding]:
    """Returns the encodings of moves and games.

    >>> [encoding.name for encoding in encodings()][:3]
    ['move16', 'butterfly', 'move32']
    """
    return list(_move_encodings().values())


def position_encodings() -> List[Encoding]:
    """Returns the encodings of positions.

    >>> [encoding.name for encoding in position_encodings()][:3]
    ['fen', 'shredder-fen', 'stream']
    """
    return list(_position_encodings().values())


# ---- single moves ----


@overload
def encode(move: MoveLike, encoding: str, position: Optional[PositionLike] = None) -> Code: ...
@overload
def encode(move: MoveLike, encoding: None = None, position: Optional[PositionLike] = None) -> Dict[str, Code]: ...


def encode(move: MoveLike, encoding: Optional[str] = None,
           position: Optional[PositionLike] = None) -> Union[Code, Dict[str, Code]]:
    """Returns the `Code` of a legal move in a position (default: the initial position).

    Without an encoding, returns a dict with the codes of all encodings that can encode this move. Encodings of games
    encode a game of one ply.

    Raises IllegalError if the move is not legal, and UnsupportedError if the encoding has no code for the move.

    >>> encode("e4", "legal-index-bits").text
    '01011'
    >>> encode("e4")["san"].text
    'e4'
    """
    raw = position_of(position)._raw
    number = number_of(raw, move)
    if encoding is not None:
        return Code(*_stamma.encode_move(encoding, raw, number))
    if not raw.is_legal(number) and (number != 0 or raw.in_check()):
        raw.make(number)  # raises IllegalError
    return {name: Code._make(code) for name, code in _stamma.encode_all(raw, number).items()}


def decode(code: Union[Code, int, str, bytes], encoding: str, position: Optional[PositionLike] = None) -> Move:
    """Returns the move of a code in a position (default: the initial position).

    ``code``
        a `Code`; a number, whose number of bits follows from the position; a str with the characters of a text code, or
        the bits of another code as 0 and 1; or the bytes of a code that consists of complete bytes

    Raises CorruptError if no legal move has this code, and AmbiguousError if several have. In `two-index-bits`, codes of
    different lengths may be the same number.

    >>> decode("01011", "legal-index-bits"), decode("e4", "san"), decode(65, "tarrasch"), decode(b"A", "tarrasch")
    (Move('e2e4'), Move('e2e4'), Move('e2e4'), Move('e2e4'))
    """
    value, bits = _value_of(code, encoding)
    return Move(_stamma.decode_move(encoding, position_of(position)._raw, value, bits))


def _value_of(code: Union[Code, int, str, bytes], encoding: str) -> Tuple[int, int]:
    """Returns the value of a code and its number of bits, or -1 if the number of bits is unknown."""
    if isinstance(code, Code):
        return code.value, code.bits
    if isinstance(code, int):
        return _checked(code), -1
    known = _move_encodings().get(encoding)
    if isinstance(code, str) and not (known and known.is_text):
        if code.strip("01"):
            raise ValueError(f"the code {code!r} is not a text of 0 and 1")
        return _checked(int(code or "0", 2)), len(code)
    if isinstance(code, (str, bytes, bytearray)):
        data = code.encode("utf-8", "surrogateescape") if isinstance(code, str) else bytes(code)
        return _checked(int.from_bytes(data, "big")), 8 * len(data)
    raise TypeError(f"a code is a Code, int, str or bytes, not {type(code).__name__}")


def _checked(value: int) -> int:
    if not 0 <= value < 1 << 64:
        raise ValueError("a code of a move has at most 64 bits; decode_game() decodes games")
    return value


def explain(move: MoveLike, encoding: str, position: Optional[PositionLike] = None) -> List[CodePart]:
    """Returns the parts of the code of a move in a position (default: the initial position), from the first bit on.

    >>> for part in explain("e4", "tarrasch"):
    ...     print(part.first, part.bits, part.value, part.text)
    0 4 4 pawn 4
    4 2 0 no promotion
    6 2 1 double push
    """
    raw = position_of(position)._raw
    number = number_of(raw, move)
    return [CodePart._make(part) for part in _stamma.explain_move(encoding, raw, number)]


# ---- games ----


def _line(moves: Moves, start: Optional[PositionLike]) -> Tuple[_stamma.Position, bytes]:
    """Returns the start of a game, and its moves as 16-bit numbers."""
    if isinstance(moves, Game):
        return moves._main_line()
    if isinstance(moves, ParsedGame):
        return moves.start._raw, pack_moves(moves.moves)
    if start is None and is_foreign_game(moves):
        start = moves.board()  # type: ignore[union-attr]
    raw = position_of(start)._raw
    return raw, packed_moves(raw, moves)


def encode_game(moves: Moves, encoding: str, start: Optional[PositionLike] = None) -> bytes:
    """Returns the moves of a game as bytes.

    ``moves``
        a text such as "e4 e5 Nf3", an iterable of moves, or a game of an archive, of PGN or of python-chess
    ``start``
        the position before the first move (default: the initial position); unused for a game, which has its own

    >>> encode_game("e4 e5 Nf3", "arithmetic").hex()
    '06c1'
    >>> import stamma
    >>> len(encode_game(stamma.open("games.stamma")[0], "tarrasch"))
    46
    """
    return _stamma.encode_game(encoding, *_line(moves, start))[0]


def decode_game(data: bytes, encoding: str, start: Optional[PositionLike] = None) -> List[Move]:
    """Returns the moves of an encoded game.

    >>> decode_game(encode_game("e4 e5 Nf3", "ranked-huffman"), "ranked-huffman")
    [Move('e2e4'), Move('e7e5'), Move('g1f3')]
    """
    packed = _stamma.decode_game(encoding, position_of(start)._raw, bytes(data))
    return list(map(Move, memoryview(packed).cast("H")))


def explain_game(moves: Moves, encoding: str, start: Optional[PositionLike] = None) -> List[CodePart]:
    """Returns the parts of the code of a game, beginning with the number of plies. Parameters as for `encode_game`.

    >>> for part in explain_game("e4 e5", "tarrasch")[:2]:
    ...     print(part.first, part.bits, part.value, part.text)
    0 8 4 varint 4: twice the number of plies
    8 4 4 pawn 4
    """
    return [CodePart._make(part) for part in _stamma.explain_game(encoding, *_line(moves, start))]


# ---- positions ----


class PositionCode(NamedTuple):
    """The code of a position.

    ``data``
        bytes that contain the code
    ``bits``
        number of bits; the rest of the last byte is 0
    """

    data: bytes
    bits: int


def encode_position(position: PositionLike, encoding: str) -> PositionCode:
    """Returns the code of a position. The number of the move is not stored.

    >>> encode_position(Position(), "huffman-gaps").bits
    139
    """
    return PositionCode(*_stamma.encode_position(encoding, position_of(position)._raw))


def decode_position(code: Union[PositionCode, str, bytes], encoding: str) -> Position:
    """Returns the position of a code: a `PositionCode`, the characters of a text code, or the bytes of a code that consists
    of complete bytes.

    Raises CorruptError if no position has this code.

    >>> decode_position(encode_position(Position(), "huffman-gaps"), "huffman-gaps") == Position()
    True
    >>> decode_position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "fen").piece_at("e2")
    'P'
    """
    if isinstance(code, str):
        known = _position_encodings().get(encoding)
        if known and not known.is_text:
            raise TypeError(f"a code of {encoding!r} is not a text, but a PositionCode or bytes")
        code = code.encode("utf-8", "surrogateescape")
    data, bits = (code.data, code.bits) if isinstance(code, PositionCode) else (bytes(code), 8 * len(code))
    return Position._of(_stamma.decode_position(encoding, data, bits))


def explain_position(position: PositionLike, encoding: str) -> List[CodePart]:
    """Returns the parts of the code of a position, from the first bit on.

    >>> explain_position(Position(), "huffman-gaps")[1]
    CodePart(first=7, bits=1, value=1, text='white to move')
    """
    return [CodePart._make(part) for part in _stamma.explain_position(encoding, position_of(position)._raw)]


# ---- the enumeration of moves ----


class EnumeratedMove(NamedTuple):
    """A move with everything that its number in the encoding `enumeration` determines.

    ``move``
        the move; a castling king is on the e-file
    ``piece``
        the moving piece as a letter of a FEN
    ``captured``
        the captured piece as a letter of a FEN, or None
    """

    move: Move
    piece: str
    captured: Optional[str] = None


def enumeration_rank(move: EnumeratedMove) -> int:
    """Returns the number of a move in the encoding `enumeration`, 0 to 45355. No position is needed.

    Raises ArgumentError if no such move exists, such as a rook on a diagonal.

    >>> enumeration_rank(EnumeratedMove(Move(4892), "P"))
    260
    """
    side = 1 if move.piece.islower() else 0
    captured = 6 if move.captured is None else _piece_type(move.captured, ("pnbrqk", "PNBRQK")[side])
    return _stamma.enumeration_rank(move.move, side, _piece_type(move.piece, ("PNBRQK", "pnbrqk")[side]), captured)


def _piece_type(letter: str, letters: str) -> int:
    if len(letter) != 1 or letter not in letters:
        raise ValueError(f"a piece of this side is one of {letters}, not {letter!r}")
    return letters.index(letter)


def enumeration_unrank(number: int) -> EnumeratedMove:
    """Returns the move with a number in the encoding `enumeration`.

    Raises ArgumentError for 45356 and above.

    >>> enumeration_unrank(260), enumeration_unrank(32)
    (EnumeratedMove(move=Move('e2e4'), piece='P', captured=None), EnumeratedMove(move=Move('a7b8n'), piece='P', captured='n'))
    """
    move, side, piece, captured = _stamma.enumeration_unrank(number)
    letters = ("PNBRQK", "pnbrqk")
    return EnumeratedMove(Move(move), letters[side][piece], None if captured == 6 else letters[1 - side][captured])


# ---- the move predictor ----


class Prediction(NamedTuple):
    """A legal move and its probability.

    ``move``
        the move
    ``san``
        the move in SAN
    ``probability``
        its probability, 0 to 1; the probabilities of all legal moves add up to 1
    """

    move: Move
    san: str
    probability: float


def predict(moves: Union[str, Iterable[MoveLike]] = "", *, start: Optional[PositionLike] = None, white_rating: int = 0,
            black_rating: int = 0, time_control: str = "", result: str = "*", plies: int = 0) -> List[Prediction]:
    """Returns all legal moves after the given moves with their probabilities in games between people, most likely first.

    Known facts about the game improve the prediction: the ratings, the tag TimeControl, the result, and the number of
    plies of the complete game. The default values mean unknown.

    >>> [prediction.san for prediction in predict("e4 e5")[:2]]
    ['Nf3', 'Bc4']
    """
    raw = position_of(start)._raw
    packed = packed_moves(raw, moves)
    likely = _stamma.predict(raw, packed, white_rating, black_rating, time_control, result, plies)
    last = raw.play(packed)[-1] if packed else raw
    return [Prediction(Move(move), last.san(move), frequency / 65536) for move, frequency in likely]


def predict_game(moves: Union[str, Iterable[MoveLike]], *, start: Optional[PositionLike] = None, white_rating: int = 0,
                 black_rating: int = 0, time_control: str = "", result: str = "*", plies: int = 0) -> List[float]:
    """Returns the probability of each move of a game before it was played.

    >>> [round(p, 2) > 0 for p in predict_game("e4 e5 Nf3")]
    [True, True, True]
    """
    raw = position_of(start)._raw
    packed = packed_moves(raw, moves)
    numbers = _stamma.predict_game(raw, packed, white_rating, black_rating, time_control, result, plies)
    return [number / 65536 for number in numbers]
