# SPDX-License-Identifier: MIT
"""Encodings of moves, games and positions, and the move predictor."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Union

from . import _stamma
from .errors import StammaError
from .moves import Move
from .positions import MoveLike, Position, pack_moves, read_moves


class Encoding(NamedTuple):
    """An encoding of doc/encodings.md. ``kind`` is "move", "position" (a move, if the position is known), "game", or
    "board" for an encoding of positions."""

    name: str
    source: str
    description: str
    kind: str
    is_text: bool
    is_partial: bool


class Code(NamedTuple):
    """A code: the low `bits` bits of `value`. A text code has 8 bits for each character."""

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


def encodings() -> List[Encoding]:
    """Returns the encodings of moves and games.

    >>> [encoding.name for encoding in encodings()][:3]
    ['move16', 'butterfly', 'move32']
    """
    return [Encoding(name, source, text, ("move", "position", "game")[kind], is_text, is_partial)
            for name, source, text, kind, is_text, is_partial in _stamma.encodings()]


def position_encodings() -> List[Encoding]:
    """Returns the encodings of positions."""
    return [Encoding(name, source, text, "board", is_text, is_partial)
            for name, source, text, is_text, is_partial in _stamma.position_encodings()]


def _find(name: str) -> Encoding:
    for encoding in encodings():
        if encoding.name == name:
            return encoding
    raise ValueError(f"there is no encoding {name!r}")


def encode(move: MoveLike, encoding: Optional[str] = None, position: Optional[Position] = None) -> Any:
    """Returns the `Code` of a legal move in a position (default: the initial position).

    Without an encoding, returns a dict with the codes of all encodings that can encode this move. Encodings of games
    encode a game of one ply.

    >>> encode("e4", "legal-index-bits").text
    '01011'
    >>> encode("e4")["san"].text
    'e4'
    """
    start = position or Position()
    number = start.parse(move) if isinstance(move, str) else move
    if encoding is not None:
        return _encode(_find(encoding), start, number)
    codes: Dict[str, Code] = {}
    for known in encodings():
        try:
            codes[known.name] = _encode(known, start, number)
        except StammaError:
            continue
    return codes


def _encode(encoding: Encoding, start: Position, move: int) -> Code:
    if encoding.kind == "game":
        data, bits = _stamma.encode_game(encoding.name, start._raw, pack_moves([move]))
        whole = int.from_bytes(data, "big") >> (-bits % 8)
        return Code(whole & ((1 << bits) - 1), bits)
    return Code(*_stamma.encode_move(encoding.name, start._raw, move), encoding.is_text)


def decode(code: Union[Code, str, int], encoding: str, position: Optional[Position] = None) -> Move:
    """Returns the move of a code. A code that is a str contains the characters of a text code, or bits as 0 and 1.

    Raises CorruptError if no legal move has this code, and AmbiguousError if several have.

    >>> decode("01011", "legal-index-bits"), decode("e4", "san")
    (Move('e2e4'), Move('e2e4'))
    """
    known, start = _find(encoding), position or Position()
    if isinstance(code, str):
        data = code.encode("ascii")
        code = Code(int.from_bytes(data, "big"), 8 * len(data)) if known.is_text else Code(int(code or "0", 2), len(code))
    elif not isinstance(code, Code):
        raise TypeError("a code is a Code or a text")
    return Move(_stamma.decode_move(encoding, start._raw, code.value, code.bits))


def encode_game(moves: Union[str, Iterable[MoveLike]], encoding: str, start: Optional[Position] = None) -> bytes:
    """Returns the moves of a game as bytes.

    >>> encode_game("e4 e5 Nf3", "arithmetic").hex()
    '06c1'
    """
    position = start or Position()
    return _stamma.encode_game(encoding, position._raw, pack_moves(read_moves(position, moves)))[0]


def decode_game(data: bytes, encoding: str, start: Optional[Position] = None) -> List[Move]:
    """Returns the moves of an encoded game.

    >>> decode_game(encode_game("e4 e5 Nf3", "ranked-huffman"), "ranked-huffman")
    [Move('e2e4'), Move('e7e5'), Move('g1f3')]
    """
    packed = _stamma.decode_game(encoding, (start or Position())._raw, bytes(data))
    return [Move(move) for move in memoryview(packed).cast("H")]


class PositionCode(NamedTuple):
    """The code of a position: the first `bits` bits of `data`."""

    data: bytes
    bits: int


def encode_position(position: Position, encoding: str) -> PositionCode:
    """Returns the code of a position. The number of the move is not stored.

    >>> encode_position(Position(), "huffman-gaps").bits
    139
    """
    return PositionCode(*_stamma.encode_position(encoding, position._raw))


def decode_position(code: PositionCode, encoding: str) -> Position:
    """Returns the position of a code.

    >>> decode_position(encode_position(Position(), "huffman-gaps"), "huffman-gaps") == Position()
    True
    """
    return Position._of(_stamma.decode_position(encoding, code.data, code.bits))


class Prediction(NamedTuple):
    """A legal move and its probability."""

    move: Move
    san: str
    probability: float




def predict(moves: Union[str, Iterable[MoveLike]] = "", *, start: Optional[Position] = None, white_rating: int = 0,
            black_rating: int = 0, time_control: str = "", result: str = "*", plies: int = 0) -> List[Prediction]:
    """Returns all legal moves after the given moves with their probabilities in games between people, most likely first.

    Known facts about the game improve the prediction: the ratings, the tag TimeControl, the result, and the number of
    plies of the complete game. The default values mean unknown.

    >>> [prediction.san for prediction in predict("e4 e5")[:2]]
    ['Nf3', 'Bc4']
    """
    position = start or Position()
    played = read_moves(position, moves)
    likely = _stamma.predict(position._raw, pack_moves(played), white_rating, black_rating, time_control, result, plies)
    for move in played:
        position = position.make(move)
    return [Prediction(Move(move), position.san(move), frequency / 65536) for move, frequency in likely]


def predict_game(moves: Union[str, Iterable[MoveLike]], *, start: Optional[Position] = None, white_rating: int = 0,
                 black_rating: int = 0, time_control: str = "", result: str = "*", plies: int = 0) -> List[float]:
    """Returns the probability of each move of a game before it was played.

    >>> [round(p, 2) > 0 for p in predict_game("e4 e5 Nf3")]
    [True, True, True]
    """
    position = start or Position()
    packed = pack_moves(read_moves(position, moves))
    numbers = _stamma.predict_game(position._raw, packed, white_rating, black_rating, time_control, result, plies)
    return [number / 65536 for number in numbers]
