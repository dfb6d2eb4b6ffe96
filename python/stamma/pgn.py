# SPDX-License-Identifier: MIT
"""Reading PGN text."""

from __future__ import annotations

import os
from typing import Any, BinaryIO, Dict, Iterable, Iterator, List, Optional, TextIO, Tuple, Union

from . import _stamma
from .errors import StammaError, make
from .moves import Move
from .positions import Position
from .sources import chunks

#: PGN: a text, bytes, a path of `pathlib`, a file object, or an iterable of these.
PgnSource = Union[str, bytes, bytearray, memoryview, "os.PathLike[str]", BinaryIO, TextIO, Iterable[Any]]
_NONE = 0xFFFFFFFF


class Node:
    """A move of a game with its comments, NAGs and variations. The root has the null move.

    ``move``
        the move; the null move in the root
    ``parent``
        the node before, or None in the root
    ``ply``
        number of moves from the root
    ``children``
        the main continuation, followed by variations
    ``comments_before, comments``
        texts of the comments before and after the move
    ``nags``
        numbers of the glyphs of the move
    """

    __slots__ = ("move", "parent", "ply", "children", "comments_before", "comments", "nags")

    def __init__(self, move: Move, parent: Optional[Node], before: List[str], after: List[str], nags: List[int]) -> None:
        self.move = move
        self.parent = parent
        #: Number of moves from the root.
        self.ply: int = parent.ply + 1 if parent else 0
        #: The main continuation, followed by variations.
        self.children: List[Node] = []
        self.comments_before = before
        self.comments = after
        self.nags = nags

    def main_line(self) -> Iterator[Node]:
        """Yields the nodes after this node along the first children."""
        node = self
        while node.children:
            node = node.children[0]
            yield node

    def __repr__(self) -> str:
        return f"<Node {self.move.uci}: {len(self.children)} children>"


class ParsedGame:
    """A game that was read from PGN text.

    ``tag_pairs``
        all tags in the order of the text
    ``start``
        the position at the start
    ``result``
        "1-0", "0-1", "1/2-1/2" or "*", from the end of the moves
    ``root``
        the `Node` before the first move
    ``error``
        the first error in the text of the game, as an exception, or None. Moves that cannot be played are omitted

    >>> game = parse_pgn('[White "Tal"]\\n1. e4 {best} (1. d4) e5 1-0')[0]
    >>> game.tags, game.result, game.san, game.root.children[1].move
    ({'White': 'Tal'}, '1-0', ['e4', 'e5'], Move('d2d4'))
    >>> game.root.children[0].comments
    ['best']
    """

    __slots__ = ("tag_pairs", "start", "result", "root", "error")

    def __init__(self, raw: Tuple[Any, ...]) -> None:
        tags, start, result, nodes, number, message, place = raw
        #: All tags in the order of the text.
        self.tag_pairs: Tuple[Tuple[str, str], ...] = tags
        #: The position at the start.
        self.start = Position._of(start)
        #: 1-0, 0-1, 1/2-1/2 or *, from the end of the moves.
        self.result: str = result
        #: The node before the first move.
        self.root = _tree(nodes)
        #: The first error in the text of the game, as an exception, or None. Moves that cannot be played are omitted.
        self.error: Optional[StammaError] = make(number, message, True, *place) if number else None

    @property
    def tags(self) -> Dict[str, str]:
        """The tags by name. If a tag is repeated, the first counts."""
        return dict(reversed(self.tag_pairs))

    @property
    def moves(self) -> List[Move]:
        """The moves of the main line."""
        return [node.move for node in self.root.main_line()]

    @property
    def san(self) -> List[str]:
        """The moves of the main line in SAN."""
        position, result = self.start, []
        for move in self.moves:
            result.append(position.san(move))
            position = position.make(move)
        return result

    def __repr__(self) -> str:
        tags = self.tags
        return f"<ParsedGame {tags.get('White')} - {tags.get('Black')} {self.result}>"


def _tree(nodes: List[Tuple[int, int, int, List[str], List[str], List[int]]]) -> Node:
    made: Dict[int, Node] = {}
    for number, parent, move, before, after, nags in nodes:
        above = made[parent] if parent != _NONE else None
        made[number] = Node(Move(move), above, before, after, nags)
        if above:
            above.children.append(made[number])
    return made[0]


def _texts(source: PgnSource) -> Iterator[Tuple[bytes, Optional[str]]]:
    """Yields the texts of a source with the names of their files."""
    if isinstance(source, str):
        yield source.encode("utf-8", "surrogateescape"), None
    elif isinstance(source, (bytes, bytearray, memoryview)):
        yield bytes(source), None
    elif isinstance(source, os.PathLike) or hasattr(source, "read"):
        name = os.fspath(source) if isinstance(source, os.PathLike) else getattr(source, "name", None)
        yield b"".join(chunks(source)), name if isinstance(name, str) else None
    elif isinstance(source, Iterable):
        parts: Iterable[Any] = source
        for part in parts:
            yield from _texts(part)
    else:
        raise TypeError(f"PGN is a text, bytes, a pathlib.Path, a file object, or a list of these, not {type(source).__name__}")


def read_pgn(text: PgnSource) -> Iterator[ParsedGame]:
    """Yields the games of PGN, one at a time: a text, bytes, a `pathlib.Path`, a binary or text file object, or an iterable
    of these. A str is always a text. Files may be compressed.

    >>> import io, pathlib
    >>> [game.san for game in read_pgn(io.StringIO("1. e4 *"))], len(list(read_pgn([pathlib.Path("games.pgn")] * 2)))
    ([['e4']], 172)
    """
    for data, name in _texts(text):
        reader = _stamma.PgnReader(data)
        for raw in iter(reader.next, None):
            game = ParsedGame(raw)
            if game.error is not None:
                game.error.file = name
            yield game


def parse_pgn(text: PgnSource) -> List[ParsedGame]:
    """Returns the games of PGN; see `read_pgn`. Errors in the text do not raise an exception; see `ParsedGame.error`.

    >>> game = parse_pgn("1. e4 e5 2. Ke3 *")[0]
    >>> game.san, game.error.message, game.error.ply
    (['e4', 'e5'], 'against the rules of chess', 2)
    """
    return list(read_pgn(text))
