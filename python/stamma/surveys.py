# SPDX-License-Identifier: MIT
"""Sizes and fall-backs of encodings, measured on games."""

from __future__ import annotations

import collections
import os
import pathlib
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Tuple, Union

from . import _stamma
from .archives import Archive, Found, open as open_archive
from .codes import Moves, _line, encodings as move_encodings, position_encodings
from .errors import NotAnArchiveError, naming
from .pgn import read_pgn
from .sources import PathLike, TextSource

#: An archive, games that a search found, the path of an archive or of PGN, PGN as bytes, a file object with PGN, or an
#: iterable of these or of games.
Games = Union[Archive, Found, TextSource, Iterable[Moves]]


class Fallback(NamedTuple):
    """A reason why an encoding uses its fall-back.

    ``reason``
        why the encoding uses its fall-back
    ``plies, games``
        number of plies, and of games with such plies
    """

    reason: str
    plies: int
    games: int


class Survey(NamedTuple):
    """The sizes of games in an encoding of moves.

    ``encoding``
        name of the encoding
    ``games, plies``
        those that the encoding can represent
    ``bits_per_ply``
        bits of the codes per ply
    ``bits_per_ply_with_count``
        bits of the bytes of complete games per ply, with their numbers of plies
    ``fallback_plies, fallback_games``
        plies that use the fall-back, and games with such plies
    ``fallbacks``
        a `Fallback` for each reason
    ``fallback_plies_both_sides, fallback_plies_rest_of_game``
        plies that would use the fall-back if it applied to both sides, and to the end of the game
    ``unsupported_plies, unsupported_games``
        plies and games that the encoding cannot represent
    """

    encoding: str
    games: int
    plies: int
    bits_per_ply: float
    bits_per_ply_with_count: float
    fallback_plies: int
    fallback_games: int
    fallbacks: List[Fallback]
    fallback_plies_both_sides: int
    fallback_plies_rest_of_game: int
    unsupported_plies: int
    unsupported_games: int


class PositionSurvey(NamedTuple):
    """The sizes of the positions after each ply in an encoding of positions.

    ``encoding``
        name of the encoding
    ``games``
        number of games
    ``positions``
        positions that the encoding can represent
    ``bits_per_position, bits_median, bits_most``
        mean, median and largest size of a code in bits
    ``unsupported_positions``
        positions that the encoding cannot represent
    """

    encoding: str
    games: int
    positions: int
    bits_per_position: float
    bits_median: int
    bits_most: int
    unsupported_positions: int


def _games(source: Games) -> Iterator[Any]:
    """Yields the games of a source."""
    given: Any = source
    if isinstance(source, (str, os.PathLike)):
        yield from _games_of_file(source)
    elif isinstance(source, (bytes, bytearray, memoryview)) or hasattr(source, "read"):
        yield from read_pgn(given)
    elif isinstance(source, (Archive, Found)):
        yield from source
    else:
        for part in given:
            is_file = isinstance(part, (os.PathLike, bytes, bytearray, memoryview)) or hasattr(part, "read")
            if is_file or (isinstance(part, str) and os.path.exists(part)):
                yield from _games(part)
            else:
                yield part


def _games_of_file(path: PathLike) -> Iterator[Any]:
    try:
        archive = open_archive(path)
    except NotAnArchiveError:
        yield from read_pgn(pathlib.Path(path))
        return
    with archive:
        yield from archive


def _lines(source: Games) -> Iterator[Tuple[_stamma.Position, bytes]]:
    """Yields the start and the moves of each game. Errors have the index of the game."""
    for number, game in enumerate(_games(source)):
        with naming(None, number):
            yield _line(game, None)


class _Sums:
    """The sums of an encoding of moves."""

    def __init__(self, encoding: str, is_partial: bool) -> None:
        self.encoding = encoding
        self.is_partial = is_partial
        self.games = self.fallback_games = self.unsupported_games = 0
        self.numbers = [0] * 6
        self.reasons: Dict[str, List[int]] = {}

    def add(self, start: _stamma.Position, moves: bytes) -> None:
        *numbers, reasons = _stamma.survey_game(self.encoding, start, moves)
        self.numbers = [one + other for one, other in zip(self.numbers, numbers)]
        failed = numbers[1] > 0 and not self.is_partial
        self.games += not failed
        self.unsupported_games += failed
        self.fallback_games += bool(reasons)
        for reason, plies in reasons.items():
            sums = self.reasons.setdefault(reason, [0, 0])
            sums[0] += plies
            sums[1] += 1

    def survey(self) -> Survey:
        plies, unsupported, code_bits, string_bits, both_sides, rest_of_game = self.numbers
        return Survey(self.encoding, self.games, plies, code_bits / max(plies, 1), string_bits / max(plies, 1),
                      sum(sums[0] for sums in self.reasons.values()), self.fallback_games,
                      [Fallback(reason, *sums) for reason, sums in self.reasons.items()], both_sides, rest_of_game,
                      unsupported, self.unsupported_games)


def _names(encodings: Union[str, Iterable[str], None], known: List[str]) -> List[str]:
    if encodings is None:
        return known
    return [encodings] if isinstance(encodings, str) else list(encodings)


def survey(games: Games, encodings: Union[str, Iterable[str], None] = None) -> List[Survey]:
    """Returns the sizes and fall-backs of games in encodings of moves, as `stamma survey` does. Main lines are measured,
    as far as their moves are legal.

    ``games``
        an archive, the result of `find`, the path of an archive or of PGN, PGN as bytes, a file object with PGN, or an
        iterable of these or of games, each of which may also be a text such as "e4 e5 Nf3" or an iterable of moves
    ``encodings``
        names of encodings; without them, all encodings of moves

    >>> for row in survey("games.stamma", ["legal-index-bits", "tarrasch"]):
    ...     print(row.encoding, row.games, row.plies, round(row.bits_per_ply, 3), row.fallback_plies)
    legal-index-bits 86 4812 5.288 0
    tarrasch 86 4812 8.0 2
    """
    partial = {encoding.name: encoding.is_partial for encoding in move_encodings()}
    sums = [_Sums(name, partial.get(name, False)) for name in _names(encodings, list(partial))]
    for start, moves in _lines(games):
        for one in sums:
            one.add(start, moves)
    return [one.survey() for one in sums]


def survey_positions(games: Games, encodings: Union[str, Iterable[str], None] = None) -> List[PositionSurvey]:
    """Returns the sizes of the positions after each ply of games in encodings of positions. Parameters as for `survey`.

    >>> survey_positions(["e4 e5"], "huffman-gaps")[0].bits_most
    154
    """
    counters: Dict[str, Dict[int, int]]
    counters = {name: collections.Counter() for name in _names(encodings, [one.name for one in position_encodings()])}
    count = 0
    for start, moves in _lines(games):
        count += 1
        for name, counter in counters.items():
            for bits in memoryview(_stamma.survey_positions(name, start, moves)).cast("H"):
                counter[bits] += 1
    return [_position_survey(name, count, counter) for name, counter in counters.items()]


def _position_survey(name: str, games: int, by_bits: Dict[int, int]) -> PositionSurvey:
    unsupported = by_bits.pop(0, 0)
    positions = sum(by_bits.values())
    total = sum(bits * number for bits, number in by_bits.items())
    return PositionSurvey(name, games, positions, total / max(positions, 1), _median(by_bits, positions),
                          max(by_bits, default=0), unsupported)


def _median(by_bits: Dict[int, int], positions: int) -> int:
    """Returns the size that half of the positions do not exceed."""
    reached = 0
    for bits in sorted(by_bits):
        reached += by_bits[bits]
        if 2 * reached >= positions:
            return bits
    return 0
