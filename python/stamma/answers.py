# SPDX-License-Identifier: MIT
"""Trees of moves and statistics of games."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Optional, Union

from . import _stamma
from .positions import Opening, Position


@dataclass(frozen=True)
class Results:
    """Numbers of games by result.

    ``games``
        number of games, with those without a result
    ``white_wins, draws, black_wins``
        games won by White, drawn, and won by Black
    """

    games: int
    white_wins: int
    draws: int
    black_wins: int

    @property
    def score(self) -> Optional[float]:
        """White's share of the points in finished games, or None."""
        finished = self.white_wins + self.draws + self.black_wins
        return (self.white_wins + self.draws / 2) / finished if finished else None

    def to_dict(self) -> Dict[str, int]:
        """Returns the numbers as a dict.

        >>> Results(3, 1, 1, 0).to_dict()
        {'games': 3, 'white_wins': 1, 'draws': 1, 'black_wins': 0}
        """
        return {"games": self.games, "white_wins": self.white_wins, "draws": self.draws, "black_wins": self.black_wins}


@dataclass(frozen=True)
class TreeMove:
    """A move played in the position of a tree.

    ``uci, san``
        the move
    ``games``
        number of games in which the move was played
    ``white_wins, draws, black_wins``
        games won by White, drawn, and won by Black
    ``average_rating``
        mean rating of the players who played the move, or None
    ``performance``
        performance rating of these players, or None
    ``last_date``
        date of the latest game, such as "2010-05", or None
    ``opening``
        the opening after the move, or None
    ``raw``
        the object of the move in the JSON of `stamma tree --json`
    """

    uci: str
    san: str
    games: int
    white_wins: int
    draws: int
    black_wins: int
    average_rating: Optional[int]
    performance: Optional[int]
    last_date: Optional[str]
    opening: Optional[Opening]
    raw: Dict[str, Any] = field(repr=False, compare=False)

    def to_dict(self) -> Dict[str, Any]:
        """Returns the object of this move in the JSON of `stamma tree --json` (doc/reference/search.md)."""
        return self.raw


@dataclass(frozen=True)
class Month:
    """Finished games of a month that reach the position of a tree.

    ``year, month``
        the month, 1 to 12
    ``white_wins, draws, black_wins``
        games won by White, drawn, and won by Black
    """

    year: int
    month: int
    white_wins: int
    draws: int
    black_wins: int


@dataclass(frozen=True)
class Tree:
    """The moves played in a position.

    ``position``
        the position
    ``white_wins, draws, black_wins``
        games won by White, drawn, and won by Black
    ``moves``
        a `TreeMove` for each move, the most frequent first
    ``opening``
        the opening of the position, or None
    ``months``
        a `Month` for each month with games, if `history` was requested
    ``raw, text``
        the JSON of `stamma tree --json`, as a dict and as a text

    >>> import stamma
    >>> tree = stamma.open("games.stamma").tree("e4 c5")
    >>> tree.games, [(move.san, move.games) for move in tree.moves]
    (12, [('Nf3', 11), ('c3', 1)])
    """

    position: Position
    white_wins: int
    draws: int
    black_wins: int
    moves: List[TreeMove]
    opening: Optional[Opening]
    months: List[Month]
    raw: Dict[str, Any] = field(repr=False, compare=False)
    text: str = field(repr=False, compare=False)

    @property
    def games(self) -> int:
        """Number of games that reach the position."""
        return int(self.raw["sums"]["games"])

    def to_dict(self) -> Dict[str, Any]:
        """Returns the JSON of `stamma tree --json` (doc/reference/search.md)."""
        return self.raw

    def to_json(self) -> str:
        """Returns the text that `stamma tree --json` prints, without its line feed."""
        return self.text


def _opening(value: Optional[Dict[str, str]]) -> Optional[Opening]:
    return Opening(value["eco"], value["name"]) if value else None


def _tree_move(raw: Dict[str, Any]) -> TreeMove:
    return TreeMove(raw["uci"], raw["san"], raw["sums"]["games"], raw["white"], raw["draws"], raw["black"],
                    raw["averageRating"] or None, raw["performance"], raw.get("lastDate"), _opening(raw["opening"]), raw)


def tree_of(text: str, months: List[Any]) -> Tree:
    """Returns a tree from the JSON that the library writes."""
    raw = json.loads(text)
    return Tree(Position(raw["fen"]), raw["white"], raw["draws"], raw["black"], [_tree_move(move) for move in raw["moves"]],
                _opening(raw.get("opening")),
                [Month(month // 100, month % 100, *counts) for month, *counts in months], raw, text)


@dataclass(frozen=True)
class Row:
    """A row of a table of statistics: a name and the results of its games.

    ``name``
        the value: a year, a code, a name, a range
    ``games``
        number of games
    ``white_wins, draws, black_wins``
        games won by White, drawn, and won by Black
    ``plies``
        plies of all these games
    """

    name: str
    games: int
    white_wins: int
    draws: int
    black_wins: int
    plies: int


@dataclass(frozen=True)
class PlayerRow:
    """The games of a player.

    ``name``
        the name in the tags
    ``games``
        number of games
    ``points``
        1 for a win, 0.5 for a draw
    ``as_white, as_black``
        `Results` with each colour
    ``plies``
        plies of all these games
    """

    name: str
    games: int
    points: float
    as_white: Results
    as_black: Results
    plies: int


@dataclass(frozen=True)
class RatingRow:
    """The games of players within 100 points of rating, from `low`.

    ``low``
        the lowest rating of the range, a multiple of 100
    ``as_white, as_black``
        `Results` of the players with each colour
    """

    low: int
    as_white: Results
    as_black: Results


@dataclass(frozen=True)
class Stats:
    """Statistics of games.

    ``games``
        number of games
    ``white_wins, draws, black_wins``
        games won by White, drawn, and won by Black
    ``plies``
        plies of all games
    ``longest``
        plies of the longest game
    ``set_up``
        games that do not start in the initial position
    ``rated``
        games with two ratings
    ``lengths, years, first_moves, eco, openings, time_controls, terminations``
        a `Row` for each value, the most frequent first, years and lengths in ascending order
    ``ratings``
        a `RatingRow` for each range of 100 points
    ``players``
        a `PlayerRow` for each name, the most games first
    ``raw, text``
        the JSON of `stamma stats --json`, as a dict and as a text

    >>> import stamma
    >>> stats = stamma.open("games.stamma").stats()
    >>> stats.games, stats.white_wins, stats.eco[0].name
    (86, 51, 'C41')
    >>> stats.to_dict()["longest"]
    106
    """

    games: int
    white_wins: int
    draws: int
    black_wins: int
    plies: int
    longest: int
    set_up: int
    rated: int
    lengths: List[Row]
    years: List[Row]
    ratings: List[RatingRow]
    players: List[PlayerRow]
    first_moves: List[Row]
    eco: List[Row]
    openings: List[Row]
    time_controls: List[Row]
    terminations: List[Row]
    raw: Dict[str, Any] = field(repr=False, compare=False)
    text: str = field(repr=False, compare=False)

    def to_dict(self) -> Dict[str, Any]:
        """Returns the JSON of `stamma stats --json` (doc/reference/search.md)."""
        return self.raw

    def to_json(self) -> str:
        """Returns the text that `stamma stats --json` prints, without its line feed."""
        return self.text


def _results(raw: Dict[str, int]) -> Results:
    return Results(raw["games"], raw["white_wins"], raw["draws"], raw["black_wins"])


def _rows(rows: List[Dict[str, Any]]) -> List[Row]:
    keys = ("from", "year", "moves", "code", "name", "value", "time_control", "termination")
    result = []
    for raw in rows:
        name = next(str(raw[key]) for key in keys if key in raw)
        result.append(Row(name, raw["games"], raw["white_wins"], raw["draws"], raw["black_wins"], raw["plies"]))
    return result


def stats_of(text: str) -> Stats:
    """Returns statistics from the JSON that the library writes."""
    raw = json.loads(text)
    players = [PlayerRow(row["name"], row["games"], row["points"], _results(row["as_white"]), _results(row["as_black"]),
                         row["plies"]) for row in raw["players"]]
    ratings = [RatingRow(row["from"], _results(row["as_white"]), _results(row["as_black"])) for row in raw["ratings"]]
    return Stats(raw["games"], raw["white_wins"], raw["draws"], raw["black_wins"], raw["plies"], raw["longest"], raw["set_up"],
                 raw["rated"], _rows(raw["lengths"]), _rows(raw["years"]), ratings, players,
                 _rows(raw["first_moves"]), _rows(raw["eco"]), _rows(raw["openings"]), _rows(raw["time_controls"]),
                 _rows(raw["terminations"]), raw, text)


def merge_answers(texts: Iterable[str]) -> Union[Tree, Stats]:
    """Adds up trees of the same position, or statistics, in JSON. Returns the tree or the statistics of all games.

    The answers must contain all rows: do not limit them with `limit` or `games`.

    >>> import stamma
    >>> archive = stamma.open("games.stamma")
    >>> halves = [archive.stats(result=result).to_json() for result in ("1-0", ["0-1", "1/2-1/2", "*"])]
    >>> merge_answers(halves).to_json() == archive.stats().to_json()
    True
    """
    total: Any = None
    for text in texts:
        part: Any = (_stamma.stats_of_json if json.loads(text).get("kind") == "stats" else _stamma.tree_of_json)(text)
        if total is None:
            total = part
        else:
            total.merge(part)
    if total is None:
        raise ValueError("there are no answers to add up")
    return stats_of(total.json(-1)) if isinstance(total, _stamma.Stats) else tree_of(total.json(-1, -1), total.months())
