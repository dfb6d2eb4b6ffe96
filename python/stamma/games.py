# SPDX-License-Identifier: MIT
"""Games of an archive."""

from __future__ import annotations

import calendar
import re
from typing import (Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, TYPE_CHECKING, TypeVar, Union,
                    overload)

from . import _stamma
from .moves import Move
from .positions import Position

if TYPE_CHECKING:
    from .archives import Archive

_T = TypeVar("_T")
# Parts of a game, as in stamma.h.
TAGS, RESULT, MOVES, COMMENTS, CLOCKS, EVALUATIONS, NAGS, VARIATIONS, TEXT = (1 << bit for bit in range(9))
HEAD = TAGS | RESULT
ITEMS = COMMENTS | NAGS | VARIATIONS
# Indexes in the tuples of _stamma.Reader.read.
_PLIES, _BITS, _REASON, _REASON_TEXT, _NO_START = 1, 2, 3, 4, 5
_TAGS, _RESULT, _MOVES, _CLOCKS, _EVALUATIONS, _TEXT, _ITEMS, _START = range(6, 14)


class Evaluation(NamedTuple):
    """An evaluation of an engine, from White's side: either centipawns, or the number of moves to mate (negative:
    Black mates). The other value is None.

    ``centipawns``
        hundredths of a pawn; below 0: Black is better
    ``mate``
        number of moves to mate; below 0: Black mates
    """

    centipawns: Optional[int]
    mate: Optional[int]


class Item(NamedTuple):
    """A comment, NAG, or part of a variation, among the moves of a game.

    ``kind``
        "comment", "nag", "begin" (of a variation), "end" or "move"
    ``depth``
        0 in the main line, 1 in its variations
    ``ply``
        number of moves from the start of the game to the item
    ``move``
        the move of an item of the kind "move", otherwise None
    ``nag``
        the number of an annotation glyph, 0 to 255, otherwise None
    ``text``
        the text of a comment, otherwise None
    """

    kind: str
    depth: int
    ply: int
    move: Optional[Move]
    nag: Optional[int]
    text: Optional[str]


class Comment(NamedTuple):
    """A comment on the main line.

    ``ply``
        number of plies before the comment
    ``text``
        the comment, without its braces
    """

    ply: int
    text: str


class Nag(NamedTuple):
    """A numeric annotation glyph (NAG) on the main line.

    ``ply``
        number of plies before the glyph
    ``nag``
        number of the glyph, 0 to 255; 1 to 6 are ! ? !! ?? !? ?!
    """

    ply: int
    nag: int


# In a game with more tags than this number, names are looked up in a dict.
_TAGS_FEW = 32

_KINDS = {1: "comment", 2: "nag", 3: "begin", 4: "end", 5: "move"}


def _item(raw: Tuple[int, int, int, int, int, str]) -> Item:
    kind, depth, ply, move, nag, text = raw
    return Item(_KINDS[kind], depth, ply, Move(move) if kind == 5 else None, nag if kind == 2 else None,
                text if kind == 1 else None)


class Page:
    """Neighboring games, whose parts are read together when one of them is needed."""

    __slots__ = ("archive", "numbers", "parts")

    def __init__(self, archive: Archive, numbers: Sequence[int]) -> None:
        self.archive = archive
        self.numbers = numbers
        self.parts: Dict[int, List[Any]] = {}

    def read(self, slot: int, part: int) -> Any:
        """Returns the tuple of a game that contains a part."""
        rows = self.parts.get(part)
        if rows is None:
            rows = self.archive._read(self.numbers, part)
            self.parts[part] = rows
        return rows[slot]


_DATE = re.compile(r"\s*([0-9]{4})(?:[./-]([0-9]{1,2})(?![0-9?])(?:[./-]([0-9]{1,2})(?![0-9?]))?)?(?=[ T./-]|$)")


def _known_date(text: str) -> Optional[str]:
    """Returns the known part of the date in a tag; None if the year is unknown."""
    match = _DATE.match(text)
    year, month, day = (int(part or 0) for part in match.groups()) if match else (0, 0, 0)
    if year == 0:
        return None
    if not 1 <= month <= 12:
        return f"{year:04}"
    known = 1 <= day <= calendar.monthrange(year, month)[1]
    return f"{year:04}-{month:02}-{day:02}" if known else f"{year:04}-{month:02}"


class Game:
    """A game of an archive. Its parts are decoded when they are first used.

    ``match``
        plies at which a search matched; None for a game that was not found by a search

    >>> import stamma
    >>> game = stamma.open("games.stamma")[16]
    >>> game.white, game.result, len(game), game.san[:3]
    ('Torre Repetto, Carlos', '1-0', 85, ['d4', 'Nf6', 'Nf3'])
    >>> game["Event"], game.date, game.get("WhiteElo", "?")
    ('Moscow', '1925-12-01', '?')
    >>> str(game).startswith('[Event "Moscow"]')
    True
    """

    __slots__ = ("_page", "_slot", "_named", "match")

    def __init__(self, page: Page, slot: int, match: Optional[List[int]] = None) -> None:
        self._page = page
        self._slot = slot
        self._named: Optional[Dict[str, str]] = None  # the tags, after a name was looked up among many
        #: Plies at which a search matched; None for a game that was not found by a search.
        self.match = match

    def _read(self, part: int) -> Any:
        return self._page.read(self._slot, part)

    @property
    def index(self) -> int:
        """Index of the game in its archive as a sequence, from 0."""
        return self._page.numbers[self._slot] - 1

    @property
    def number(self) -> int:
        """Number of the game in its archive, from 1, as in tables and in the output of the command."""
        return self._page.numbers[self._slot]

    @property
    def archive(self) -> Archive:
        """The archive of the game."""
        return self._page.archive

    # ---- tags ----

    @property
    def tag_pairs(self) -> Tuple[Tuple[str, str], ...]:
        """All tags in the order of the text, with their values without escapes."""
        pairs: Tuple[Tuple[str, str], ...] = self._read(HEAD)[_TAGS]
        return pairs

    @property
    def tags(self) -> Dict[str, str]:
        """The tags by name. If a tag is repeated, the first counts."""
        pairs = self.tag_pairs
        tags = dict(pairs)
        return tags if len(tags) == len(pairs) else dict(reversed(pairs))

    @overload
    def get(self, name: str) -> Optional[str]: ...

    @overload
    def get(self, name: str, default: _T) -> Union[str, _T]: ...

    def get(self, name: str, default: object = None) -> object:
        """Returns the value of a tag, or `default` if the game does not have it."""
        if self._named is None and len(self.tag_pairs) > _TAGS_FEW:
            self._named = self.tags
        if self._named is not None:
            return self._named.get(name, default)
        for tag, value in self.tag_pairs:
            if tag == name:
                return value
        return default

    def __getitem__(self, name: str) -> str:
        value = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    @property
    def white(self) -> Optional[str]:
        """The tag White."""
        return self.get("White")

    @property
    def black(self) -> Optional[str]:
        """The tag Black."""
        return self.get("Black")

    @property
    def event(self) -> Optional[str]:
        """The tag Event."""
        return self.get("Event")

    @property
    def site(self) -> Optional[str]:
        """The tag Site."""
        return self.get("Site")

    @property
    def date(self) -> Optional[str]:
        """The known part of the date, such as "2010-05-31" or "2010-05", from the tag Date, or from UTCDate if the year
        of Date is unknown; None if the year is unknown in both."""
        return _known_date(self.get("Date") or "") or _known_date(self.get("UTCDate") or "")

    @property
    def round(self) -> Optional[str]:
        """The tag Round."""
        return self.get("Round")

    @property
    def result(self) -> str:
        """The result: "1-0", "0-1", "1/2-1/2" or "*". If the tag Result does not have one of these values, this is the
        result at the end of the moves. "0.5-0.5" and similar texts are draws."""
        return _stamma.result_of_game(self.get("Result") or "", self._read(HEAD)[_RESULT] or "")

    def _rating(self, name: str) -> Optional[int]:
        return _stamma.rating(self.get(name) or "") or None

    @property
    def white_rating(self) -> Optional[int]:
        """The tag WhiteElo as a number, 1 to 9999, or None."""
        return self._rating("WhiteElo")

    @property
    def black_rating(self) -> Optional[int]:
        """The tag BlackElo as a number, 1 to 9999, or None."""
        return self._rating("BlackElo")

    @property
    def eco(self) -> Optional[str]:
        """The tag ECO; if it is missing, the code of the last position of the game that is in the list of openings."""
        tag = self.get("ECO")
        return tag if tag and tag != "?" else self._opening(0)

    @property
    def opening(self) -> Optional[str]:
        """The tag Opening; if it is missing, the name of the opening that was played."""
        tag = self.get("Opening")
        return tag if tag and tag != "?" else self._opening(1)

    def _opening(self, part: int) -> Optional[str]:
        if self.start != Position():
            return None
        found = None
        for position in self.start._raw.play(self._read(MOVES)[_MOVES][:2 * 40]):
            found = position.opening() or found
        return found[part] if found else None

    # ---- moves ----

    def __len__(self) -> int:
        """Number of plies of the main line."""
        plies: int = self._read(HEAD)[_PLIES]
        return plies

    def __bool__(self) -> bool:
        return True

    @property
    def start(self) -> Position:
        """The position at the start of the game."""
        return Position._of(self._read(MOVES)[_START])

    @property
    def move16(self) -> memoryview:
        """The moves of the main line as 16-bit numbers, for NumPy and others: ``numpy.asarray(game.move16)``."""
        return memoryview(self._read(MOVES)[_MOVES]).cast("H")

    @property
    def moves(self) -> List[Move]:
        """The moves of the main line."""
        return [Move(move) for move in self.move16]

    def _main_line(self) -> Tuple[_stamma.Position, bytes]:
        row = self._read(MOVES)
        return row[_START], row[_MOVES]

    @property
    def uci(self) -> List[str]:
        """The moves of the main line in UCI notation; castling in Chess960 as king takes rook."""
        raw, moves = self._main_line()
        return raw.uci960_list(moves) if _stamma.chess960(self.get("Variant") or "") else raw.uci_list(moves)

    @property
    def san(self) -> List[str]:
        """The moves of the main line in SAN."""
        raw, moves = self._main_line()
        return raw.san_list(moves)

    def positions(self) -> List[Position]:
        """Returns the position at the start, and the position after each ply of the main line."""
        row = self._read(MOVES)
        return [self.start] + [Position._of(raw) for raw in row[_START].play(row[_MOVES])]

    @property
    def kept_as_text(self) -> Optional[str]:
        """The reason if a part of the game is stored as text instead of moves, for example "illegal move"; or None."""
        row = self._read(MOVES)
        return row[_REASON_TEXT] if row[_REASON] else None

    untyped = kept_as_text  # earlier name

    @property
    def moves_bits(self) -> int:
        """Size of the moves in the archive, in bits."""
        bits: int = self._read(MOVES)[_BITS]
        return bits

    bits = moves_bits  # earlier name

    # ---- annotations ----

    @property
    def clock_ms(self) -> List[Optional[int]]:
        """For each ply, the time left after it in milliseconds ([%clk] in the comment), or None."""
        return self._times(0)

    @property
    def time_spent_ms(self) -> List[Optional[int]]:
        """For each ply, the time that it took in milliseconds, or None: [%emt] in the comment, or the time in the
        comment of an engine game."""
        return self._times(1)

    def _times(self, part: int) -> List[Optional[int]]:
        count, data = len(self), self._read(CLOCKS)[_CLOCKS]
        if data is None:
            return [None] * count
        times = memoryview(data).cast("q")[part * count:(part + 1) * count]
        return [None if value < 0 else value for value in times]

    @property
    def eval_cp(self) -> List[Optional[int]]:
        """For each ply, the evaluation in its comment in centipawns from White's side, or None."""
        return [value.centipawns if value else None for value in self.evaluations]

    @property
    def mate(self) -> List[Optional[int]]:
        """For each ply, the number of moves to mate in its comment, below 0 if Black mates, or None."""
        return [value.mate if value else None for value in self.evaluations]

    @property
    def evaluations(self) -> List[Optional[Evaluation]]:
        """For each ply, the evaluation in its comment as an object, or None."""
        data = self._read(EVALUATIONS)[_EVALUATIONS]
        if data is None:
            return [None] * len(self)
        numbers = memoryview(data).cast("i").tolist()
        return [None if kind == 0 else Evaluation(value, None) if kind == 1 else Evaluation(None, value)
                for kind, value in zip(numbers[::2], numbers[1::2])]

    # Earlier names.
    clocks = clock_ms
    times_spent = time_spent_ms

    @property
    def items(self) -> List[Item]:
        """Comments, NAGs and variations in the order of the text."""
        return [_item(raw) for raw in self._read(ITEMS)[_ITEMS]]

    @property
    def comments(self) -> List[Comment]:
        """The comments on the main line."""
        return [Comment(raw[2], raw[5]) for raw in self._read(ITEMS)[_ITEMS] if raw[0] == 1 and raw[1] == 0]

    @property
    def nags(self) -> List[Nag]:
        """The annotation glyphs on the main line."""
        return [Nag(raw[2], raw[4]) for raw in self._read(ITEMS)[_ITEMS] if raw[0] == 2 and raw[1] == 0]

    # ---- text ----

    def __bytes__(self) -> bytes:
        """The exact bytes of the game that were packed."""
        text: bytes = self._read(TEXT)[_TEXT]
        return text

    def __str__(self) -> str:
        """The exact text of the game. Bytes that are not UTF-8 are surrogates, so that
        ``str(game).encode("utf-8", "surrogateescape") == bytes(game)``."""
        return bytes(self).decode("utf-8", "surrogateescape")

    def to_dict(self) -> Dict[str, Any]:
        """Returns values of the game that `stamma cat --json` also prints, with the same names."""
        return {"number": self.number, "tags": self.tags, "result": self.result, "plies": len(self),
                "white_rating": self.white_rating, "black_rating": self.black_rating, "uci": self.uci, "san": self.san,
                "clock_ms": self.clock_ms, "eval_cp": self.eval_cp, "mate": self.mate,
                "comments": [comment._asdict() for comment in self.comments],
                "nags": [nag._asdict() for nag in self.nags], "kept_as_text": self.kept_as_text}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return bytes(self) == bytes(other)

    def __hash__(self) -> int:
        return hash(bytes(self))

    def _repr_svg_(self) -> str:
        """Returns a picture of the last position, in which the last move is marked."""
        from .display import board_svg, last_position

        position, move = last_position(self)
        return board_svg(position, last=move)

    def _repr_html_(self) -> str:
        """Returns the players, the last position and the moves, which notebooks show."""
        from .display import game_html

        return game_html(self)

    def __repr__(self) -> str:
        return f"<Game {self.number}: {self.white} - {self.black} {self.result}>"


def pages(archive: Archive, numbers: Sequence[int], size: int = 64) -> Iterator[Game]:
    """Yields the games with these numbers, in pages."""
    for first in range(0, len(numbers), size):
        page = Page(archive, numbers[first:first + size])
        for slot in range(len(page.numbers)):
            yield Game(page, slot)
