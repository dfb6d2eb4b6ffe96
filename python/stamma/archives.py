# SPDX-License-Identifier: MIT
"""Reading and searching archives."""

from __future__ import annotations

import datetime
import json
import math
import operator
import os
import warnings
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, overload

from . import _stamma, writing
from .answers import Results, Stats, Tree, stats_of, tree_of
from .display import games_html
from .errors import QueryError, StammaError, naming
from .games import HEAD, TEXT, Game, Page, pages
from .foreign import ForeignBoard, ForeignGame, foreign_fen, is_foreign_board, is_foreign_game
from .positions import MoveLike, Position, packed_moves, position_of
from .progress import Progress, showing
from .sources import ArchiveSource, open_source
from .tables import Block, Table, TableColumn, columns_of
from .targets import Target

#: A condition of doc/reference/search.md: a dict, its JSON text, or a Query.
Condition = Union[Mapping[str, Any], str, "Query"]
#: Moves to a position, or the position itself: a text such as "e4 c5", an iterable of moves, a `Position`, or a board or
#: game of python-chess.
Line = Union[str, Iterable[MoveLike], Position, ForeignBoard, ForeignGame]


class Query:
    """A condition that games match, in the language of doc/reference/search.md.

    The rules are a dict or its JSON text, keywords, or both. All rules must hold at the same ply.

    - In keywords, write `_` instead of `-`, and add `_` to a reserved word of Python (`not_`).
    - The keyword `moves` requires the position after these moves.
    - A value may be a `range` of numbers, whose end is excluded.
    - A value may be a `slice` of numbers or dates, which contains its end. None in a slice means no limit.
    - A value may be a date: a `datetime.date`, or an object of pandas or NumPy for a date.
    - A position may be a `Position` or a board of python-chess, and moves a game of python-chess.

    ``rules``
        the rules as a dict

    Raises QueryError for an invalid query, and TypeError for values that a query cannot contain.

    >>> Query(player="Tal", white_rating="2600..").rules
    {'player': 'Tal', 'white-rating': '2600..'}
    >>> Query(white_rating=range(2600, 2700), date=datetime.date(1965, 8, 8)).rules
    {'white-rating': '2600..2699', 'date': '1965-08-08'}
    >>> Query(date=slice(datetime.date(1965, 8, 1), None), white_rating=slice(None, 2600)).rules
    {'date': '1965-08-01..', 'white-rating': '..2600'}
    >>> Query({"result": "1-0"}, eco="B90..B99").rules
    {'all': [{'result': '1-0'}, {'eco': 'B90..B99'}]}
    """

    __slots__ = ("rules", "_raw")

    def __init__(self, query: Optional[Condition] = None, **rules: Any) -> None:
        given = [_rules(query)] if query is not None else []
        words = {_key(name): value for name, value in rules.items() if name != "moves"}
        if "moves" in rules:
            start = position_of(words["fen"]) if "fen" in words else None
            words["fen"] = _position_after(start, rules["moves"]).fen()
        if words or not given:
            given.append(words)
        self.rules: Dict[str, Any] = given[0] if len(given) == 1 else _joined(given[0], given[1])
        text = json.dumps(self.rules, ensure_ascii=False, default=_plain)
        self.rules = json.loads(text)
        try:
            self._raw = _stamma.Query(text.encode("utf-8", "surrogateescape"))
        except QueryError as error:
            error.query = text
            raise

    def __repr__(self) -> str:
        return f"Query({self.rules!r})"


_TOP = ("offset", "skip", "limit", "all-matches", "variations")


def _joined(first: Dict[str, Any], second: Dict[str, Any]) -> Dict[str, Any]:
    """Returns a condition that requires both conditions. Some rules are valid only at the top of a query."""
    both = {key: value for rules in (first, second) for key, value in rules.items() if key in _TOP}
    rest = [{key: value for key, value in rules.items() if key not in _TOP} for rules in (first, second)]
    return {**both, "all": rest} if all(rest) else {**both, **rest[0], **rest[1]}


def _rules(query: Condition) -> Dict[str, Any]:
    if isinstance(query, Query):
        return query.rules
    if isinstance(query, str):
        return _parsed(query)
    if not isinstance(query, Mapping):
        raise TypeError(f"a query is a dict, its JSON or a Query, not {type(query).__name__}")
    return dict(query)


def _parsed(text: str) -> Dict[str, Any]:
    """Returns the rules of a query in JSON."""
    try:
        parsed = json.loads(text)
    except json.JSONDecodeError as error:
        invalid = QueryError("a query in text is JSON; rules are keywords, such as find(player=\"Tal\")",
                             len(text[:error.pos].encode("utf-8", "surrogateescape")) + 1, 1)
        invalid.query = text
        raise invalid from None
    if not isinstance(parsed, dict):
        raise TypeError("a query is a JSON object")
    return parsed


def _key(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _plain(value: Any) -> Any:
    if isinstance(value, Position):
        return value.fen()
    if isinstance(value, Query):
        return value.rules
    if isinstance(value, (set, frozenset)):
        return list(value)
    if isinstance(value, range):
        return _range_text(value)
    if isinstance(value, slice):
        return _slice_text(value)
    if isinstance(value, datetime.date):
        return f"{value.year:04}-{value.month:02}-{value.day:02}"
    if hasattr(value, "__index__"):  # integers of NumPy
        return operator.index(value)
    if is_foreign_board(value):
        return foreign_fen(value)
    if hasattr(value, "dtype") and hasattr(value, "astype") and hasattr(value, "item"):  # a date of NumPy
        return _plain(value.astype("datetime64[D]").item())
    raise TypeError(f"a query cannot contain {type(value).__name__}")


def _range_text(numbers: range) -> str:
    if numbers.step != 1 or not numbers:
        raise ValueError(f"{numbers} as a value of a rule: a range is not empty and has no step")
    return f"{numbers[0]}..{numbers[-1]}"


def _slice_text(limits: slice) -> str:
    if limits.step is not None or (limits.start is None and limits.stop is None):
        raise ValueError(f"{limits} as a value of a rule: a slice has a start or an end, and no step")
    first, last = ["" if end is None else end if isinstance(end, (str, int)) else _plain(end)
                   for end in (limits.start, limits.stop)]
    return f"{first}..{last}"


def _position_after(start: Optional[Position], moves: Line) -> Position:
    """Returns the position after moves from `start`; None: from the start of a game, or from the initial position."""
    if isinstance(moves, Position):
        return moves
    if is_foreign_board(moves):
        return position_of(moves)  # type: ignore[arg-type]
    if start is None:
        start = position_of(moves.board()) if is_foreign_game(moves) else Position()  # type: ignore[union-attr]
    played = start._raw.play(packed_moves(start._raw, moves))  # type: ignore[arg-type]
    return Position._of(played[-1]) if played else start


class Found:
    """Games that match a query, in the order of the archive. Each iteration searches again.

    >>> import stamma
    >>> found = stamma.open("games.stamma").find(white="Tal", result="1-0")
    >>> [game.number for game in found]
    [19, 34, 70]
    >>> found.count()
    3
    """

    def __init__(self, archive: Archive, query: Query, options: Dict[str, Any]) -> None:
        self.archive = archive
        self.query = query
        self._options = options

    def _matches(self) -> Iterator[List[Any]]:
        """Yields lists of matches. The first lists are short, so that the first game is returned soon."""
        size = 1
        with naming(self.archive.path), showing("searching", self._options["progress"], self.archive._size) as report:
            search = _stamma.Search(*self.archive._question(self.query, self._options, report))
            try:
                while True:
                    matches = search.next(size)
                    if matches:
                        yield matches
                    if len(matches) < size:
                        return
                    size = min(64, size * 2)
            finally:
                search.close()

    def __iter__(self) -> Iterator[Game]:
        for matches in self._matches():
            page = Page(self.archive, [number for number, _ in matches])
            for slot, (_, plies) in enumerate(matches):
                yield Game(page, slot, plies)

    def numbers(self) -> List[int]:
        """Returns the numbers of the games, from 1, without reading the games."""
        return [number for matches in self._matches() for number, _ in matches]

    def indices(self) -> List[int]:
        """Returns the indices of the games, from 0, without reading the games."""
        return [number - 1 for number in self.numbers()]

    def matches(self) -> Iterator[Tuple[int, List[int]]]:
        """Yields the index of each game and the plies of its match, without reading the games.

        >>> import stamma
        >>> list(stamma.open("games.stamma").find(mate=True, moved="N").matches())[:2]
        [(21, [13]), (65, [11])]
        """
        for matches in self._matches():
            yield from ((number - 1, plies) for number, plies in matches)

    def count(self) -> int:
        """Returns the number of games."""
        return sum(len(matches) for matches in self._matches())

    def results(self) -> Results:
        """Returns the numbers of games by result. `offset` and `limit` of the query are ignored."""
        with naming(self.archive.path), showing("searching", self._options["progress"], self.archive._size) as report:
            return Results(*_stamma.count_results(*self.archive._question(self.query, self._options, report)))

    def _repr_html_(self) -> str:
        """Returns a table of the first games, which notebooks show."""
        return games_html(self, f"the first games of {self!r}")

    def __repr__(self) -> str:
        return f"<Found {self.query.rules!r} in {self.archive!r}>"


class Archive(Sequence[Game]):
    """An archive of games: a sequence of `Game` objects. Open it with `stamma.open`.

    Several threads may use the archive at once. A file must not be truncated while it is open. Games may be appended:
    this object then still contains only the earlier games.

    >>> import stamma
    >>> with stamma.open("games.stamma") as archive:
    ...     print(len(archive), archive[-1].white, [game.black for game in archive[:2]])
    86 Stockfish 15.1 at depth 12 ['Kieseritzky, Lionel', 'Dufresne, Jean']
    """

    def __init__(self, source: ArchiveSource, *, memory: int = 0, index: Union[bool, ArchiveSource, None] = None) -> None:
        opened, path = open_source(source)
        #: The path of the archive, or the name of its file object; None if the archive is in memory.
        self.path: Optional[str] = path
        self._size = opened.size
        self._memory = memory
        with naming(self.path):
            raw = _stamma.Archive(opened, memory)
            reader = _stamma.Reader(raw)
            self._count = reader.games()
        self._handles: Optional[Tuple[_stamma.Archive, _stamma.Reader]] = (raw, reader)
        self._index_is_beside = index is None or index is True
        self._index_required = index is True
        self._index_file: Any = index or None
        if self._index_is_beside:
            self._index_file = f"{self.path}.index" if isinstance(source, (str, os.PathLike)) else None
        self._index_tried = False
        self._index_used = False

    # ---- games ----

    def _opened(self) -> Tuple[_stamma.Archive, _stamma.Reader]:
        if self._handles is None:
            raise ValueError("the archive is closed")
        return self._handles

    @property
    def _raw(self) -> _stamma.Archive:
        return self._opened()[0]

    def _read(self, numbers: Sequence[int], parts: int) -> List[Any]:
        reader = self._opened()[1]
        whole = parts == TEXT
        rows = self._rows(reader, numbers, parts, whole)
        if not whole:
            return rows
        return [row if not pieces else row[:11] + (b"".join([row[11], *pieces]),) + row[12:] for row, pieces in rows]

    def _rows(self, reader: _stamma.Reader, numbers: Sequence[int], parts: int, whole: bool) -> List[Any]:
        """Reads games. An error names the first game that cannot be read."""
        try:
            with naming(self.path, numbers[0] - 1 if len(numbers) == 1 else None):
                return reader.read(numbers, parts, whole)
        except StammaError as error:
            if error.game is None:
                for number in numbers:
                    self._rows(reader, [number], parts, whole)
            raise

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Game: ...

    @overload
    def __getitem__(self, index: slice) -> List[Game]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Game, List[Game]]:
        if isinstance(index, slice):
            numbers = [i + 1 for i in range(*index.indices(self._count))]
            return list(pages(self, numbers))
        at = operator.index(index)
        at = at + self._count if at < 0 else at
        if not 0 <= at < self._count:
            raise IndexError(f"there is no game {index}; the archive has {self._count}")
        page = Page(self, [at + 1])
        page.read(0, HEAD)
        return Game(page, 0)

    def __iter__(self) -> Iterator[Game]:
        return pages(self, range(1, self._count + 1))

    def __contains__(self, game: object) -> bool:
        return isinstance(game, Game) and any(game == other for other in self)

    def text(self) -> bytes:
        """Returns exactly the bytes that were packed."""
        return writing.unpack_archive(self._raw, self.path) or b""

    # ---- searches ----

    def _open_index(self) -> bool:
        """Opens the index file at the first call. Returns whether it is used: it exists, and matches this state of the
        archive."""
        if self._index_tried:
            return self._index_used
        self._index_tried = True
        file: Any = self._index_file
        if file is None or (self._index_is_beside and not os.path.exists(file)):
            if self._index_required:
                raise FileNotFoundError(f"there is no index file {file}")
            return False
        name = file if self._index_is_beside else "the index file"
        try:
            opened, path = open_source(file)
            with naming(path):
                self._raw.use_index(opened)
            self._index_used = True
        except (StammaError, OSError) as error:
            if self._index_required:
                raise
            warnings.warn(f"{name} is not used: {error}", stacklevel=4)
        return self._index_used

    def has_index(self) -> bool:
        """Returns whether searches use an index file: it exists and matches this state of the archive."""
        return self._open_index()

    def _question(self, query: Optional[Query], options: Mapping[str, Any], report: Any) -> Any:
        raw = self._raw
        _check_numbers(options)
        self._open_index()
        first, last = options.get("range", (0, 0))
        return (raw, query._raw if query else None, options["threads"], options["memory"] or self._memory,
                options["sound_only"], math.ceil(1000 * (options["time_limit"] or 0)), report, first, last)

    def find(self, query: Optional[Condition] = None, *, blocks: Optional[range] = None, threads: int = 0, memory: int = 0,
             sound_only: bool = False, time_limit: Optional[float] = None, progress: Progress = False,
             **rules: Any) -> Found:
        """Returns the games that match a query: an iterable of `Game` objects, whose `match` lists the matching plies.

        ``query``, ``rules``
            the conditions, as for `Query`: every rule of doc/reference/search.md, with `_` for `-`
        ``blocks``
            search only a range of indices of `blocks`
        ``sound_only``
            skip damaged blocks instead of raising CorruptError
        ``time_limit``
            seconds after which a search raises CancelledError

        >>> import stamma
        >>> archive = stamma.open("games.stamma")
        >>> [(game.number, game.match) for game in archive.find(mate=True, moved="N")][:2]
        [(22, [13]), (66, [11])]
        >>> archive.find({"any": [{"white": "Tal"}, {"black": "Tal"}]}, eco="B").count()
        2
        >>> archive.find(moves="e4 c5 Nf3").count()
        11
        """
        return Found(self, Query(query, **rules),
                     {"threads": threads, "memory": memory, "sound_only": sound_only, "time_limit": time_limit,
                      "progress": progress, "range": self._numbers_of(blocks)})

    def tree(self, moves: Line = "", query: Optional[Condition] = None, *,
             fen: Union[str, ForeignBoard, None] = None, limit: Optional[int] = None, games: Optional[int] = None,
             history: bool = False, blocks: Optional[range] = None, threads: int = 0, memory: int = 0,
             sound_only: bool = False, time_limit: Optional[float] = None, progress: Progress = False,
             **rules: Any) -> Tree:
        """Returns the moves played in a position by the games that match a query.

        ``moves``, ``fen``
            moves to the position, from `fen` or the initial position; or a `Position`, or a board or game of python-chess
        ``limit``, ``games``
            maximum numbers of moves and of example games; None: all
        ``history``
            also count games by month
        ``blocks``
            only games of a range of indices of `blocks`; `merge_answers` adds up the trees of several ranges

        >>> import stamma
        >>> stamma.open("games.stamma").tree("e4", result="1-0").moves[0].san
        'e5'
        """
        position = _position_after(position_of(fen) if fen else None, moves)
        options = {"threads": threads, "memory": memory, "sound_only": sound_only, "time_limit": time_limit,
                   "range": self._numbers_of(blocks)}
        wanted = Query(query, **rules)
        tree = _stamma.Tree(position._raw, history)
        name = self.path if self.path else "archive"
        with naming(self.path), showing("searching", progress, self._size) as report:
            tree.add(name, *self._question(wanted, options, report))
        most = -1 if limit is None else limit
        return tree_of(tree.json(most, -1 if games is None else games), tree.months())

    def stats(self, query: Optional[Condition] = None, *, limit: Optional[int] = None, blocks: Optional[range] = None,
              threads: int = 0, memory: int = 0, sound_only: bool = False, time_limit: Optional[float] = None,
              progress: Progress = False, **rules: Any) -> Stats:
        """Returns statistics of the games that match a query, with at most `limit` rows of each table. `blocks` is as
        for `tree`.

        >>> import stamma
        >>> stamma.open("games.stamma").stats(player="Kasparov").games
        8
        """
        options = {"threads": threads, "memory": memory, "sound_only": sound_only, "time_limit": time_limit,
                   "range": self._numbers_of(blocks)}
        stats = _stamma.Stats()
        with naming(self.path), showing("counting", progress, self._size) as report:
            stats.add(*self._question(Query(query, **rules), options, report))
        return stats_of(stats.json(-1 if limit is None else limit))

    # ---- tables ----

    def games(self, columns: Optional[Sequence[str]] = None, query: Optional[Condition] = None, *,
              games: Optional[range] = None, numbers: Optional[range] = None, blocks: Optional[range] = None,
              batch_rows: int = 0, unordered: bool = False, plain_texts: bool = False,
              threads: int = 0, memory: int = 0, sound_only: bool = False, progress: Progress = False,
              **rules: Any) -> Table:
        """Returns a table with a row for each game (doc/reference/columns.md), an object with `__arrow_c_stream__`.

        ``columns``
            names of columns in `table_columns`, or of any tag ("white_team", "tag:WhiteTeam"); None: the default
            columns, which are tags and numbers
        ``query``, ``rules``
            only the games that match, as for `find`
        ``games``
            a range of indices of games, without a step
        ``numbers``
            instead of `games`, a range of numbers of games, which begin at 1
        ``blocks``
            instead of `games`, a range of indices of `blocks`
        ``batch_rows``
            maximum number of rows of a batch; 0: 65,536
        ``unordered``
            batches are returned as soon as they are complete, in any order of blocks
        ``plain_texts``
            texts are not dictionary-encoded
        ``sound_only``
            skip damaged blocks

        Raises TextError for an unknown column.

        >>> import stamma
        >>> archive = stamma.open("games.stamma")
        >>> archive.games(["white", "result"], player="Tal")
        <Table games of <Archive games.stamma: 86 games>: white, result>
        >>> try:
        ...     archive.games(["whte"])
        ... except stamma.TextError as error:
        ...     print(error.message)
        unknown column "whte"; did you mean "white"?
        """
        games = self._range_of(games, blocks, numbers)
        return Table(self, 0, columns, self._rules_of(query, rules), _options(locals()))

    def plies(self, columns: Optional[Sequence[str]] = None, query: Optional[Condition] = None, *,
              games: Optional[range] = None, numbers: Optional[range] = None, blocks: Optional[range] = None,
              batch_rows: int = 0, unordered: bool = False, plain_texts: bool = False,
              threads: int = 0, memory: int = 0, sound_only: bool = False, progress: Progress = False,
              **rules: Any) -> Table:
        """Returns a table with a row for each ply of each main line. The parameters are the same as for `games`.

        >>> import stamma
        >>> stamma.open("games.stamma").plies(["game", "san"]).columns
        ['game', 'san']
        """
        games = self._range_of(games, blocks, numbers)
        return Table(self, 1, columns, self._rules_of(query, rules), _options(locals()))

    def positions(self, columns: Optional[Sequence[str]] = None, query: Optional[Condition] = None, *,
                  games: Optional[range] = None, numbers: Optional[range] = None, blocks: Optional[range] = None,
                  skip_plies: int = 0, sample: int = 0, shuffle: int = 0, seed: int = 0,
                  batch_rows: int = 0, unordered: bool = False, plain_texts: bool = False, threads: int = 0,
                  memory: int = 0, sound_only: bool = False, progress: Progress = False, **rules: Any) -> Table:
        """Returns a table with a row for each ply, in a form for training models. The other parameters are the same as
        for `games`.

        ``skip_plies``
            omits the first plies of each game
        ``sample``
            keeps one of this number of positions, selected pseudo-randomly by `seed`; 0: all
        ``shuffle``
            shuffles the rows of each block in a buffer of this number of rows

        >>> import stamma
        >>> stamma.open("games.stamma").positions(skip_plies=10, sample=4).columns[:3]
        ['board', 'side_to_move', 'castling']
        """
        games = self._range_of(games, blocks, numbers)
        return Table(self, 2, columns, self._rules_of(query, rules), _options(locals()))

    def blocks(self) -> List[Block]:
        """Returns the blocks of the archive. Each block can be decoded separately, so that processes can divide an
        archive. Reads only the tables or headers of the blocks. Blocks in which no game begins are omitted.

        >>> import stamma
        >>> archive = stamma.open("games.stamma")
        >>> [(block.games, block.text_size) for block in archive.blocks()]
        [(range(0, 86), 49714)]
        >>> archive.games(["white"], blocks=range(0, 1))
        <Table games of <Archive games.stamma: 86 games>: white>
        """
        raw = self._raw
        with naming(self.path):
            found = raw.blocks()
        return [Block(range(first - 1, last), size, text_size) for first, last, size, text_size in found if last >= first]

    def _range_of(self, games: Optional[range], blocks: Optional[range], numbers: Optional[range]) -> Optional[range]:
        """Returns the range of games of a range of numbers or blocks."""
        if numbers is not None:
            if games is not None or blocks is not None or numbers.start < 1:
                raise ValueError("numbers is a range of numbers of games from 1 on, without games and blocks")
            return range(numbers.start - 1, numbers.stop - 1, numbers.step)
        if blocks is None:
            return games
        chosen = self.blocks()[blocks.start:blocks.stop]
        if games is not None or blocks.step != 1 or blocks.start < 0 or len(chosen) != len(blocks) or not chosen:
            raise ValueError("blocks is a range of indices of blocks that is not empty and has no step, without games")
        return range(chosen[0].games.start, chosen[-1].games.stop)

    def _numbers_of(self, blocks: Optional[range]) -> Tuple[int, int]:
        """Returns the numbers of the first and the last game of a range of blocks; (0, 0): the complete archive."""
        games = self._range_of(None, blocks, None)
        return (0, 0) if games is None else (games.start + 1, games.stop)

    def _rules_of(self, query: Optional[Condition], rules: Dict[str, Any]) -> Optional[Query]:
        self._raw
        return Query(query, **rules) if query is not None or rules else None

    def table_columns(self, table: str = "games") -> List[TableColumn]:
        """Returns the columns of the table "games", "plies" or "positions". For "games", they include all other tags of
        the archive.

        >>> import stamma
        >>> [column.name for column in stamma.open("games.stamma").table_columns()][:3]
        ['number', 'white', 'black']
        """
        raw = self._raw
        with naming(self.path):
            return columns_of(table, raw)

    # ---- the archive ----

    def info(self, *, threads: int = 0, memory: int = 0, progress: Progress = False) -> Info:
        """Returns the contents of the archive: counts, games kept as text, and columns by size.

        >>> import stamma
        >>> info = stamma.open("games.stamma").info()
        >>> info.counts.games, info.columns[0].name
        (86, 'moves')
        """
        raw = self._raw
        with naming(self.path), showing("reading", progress, self._size) as report:
            counts, reasons, columns = _stamma.info(raw, threads, memory, report)
        return Info(writing.Counts(**counts), reasons, [Column(*column) for column in columns])

    def unpack(self, target: Target = None, *, overwrite: bool = False, threads: int = 0, memory: int = 0,
               progress: Progress = False) -> Optional[bytes]:
        """Writes exactly the bytes that were packed; see `stamma.unpack`."""
        return writing.unpack_archive(self._raw, self.path, target, overwrite, threads, memory, progress)

    def close(self) -> None:
        """Closes the archive. Parts of games that were read remain valid; other parts cannot be read any more."""
        self._handles = None

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        if not self.path:
            raise TypeError("only an archive at a path can be pickled")
        return open, (os.path.abspath(self.path),)

    def _repr_html_(self) -> str:
        """Returns a table of the first games, which notebooks show."""
        return games_html(self, f"the first games of {self!r}")

    def __repr__(self) -> str:
        return f"<Archive {self.path or 'in memory'}: {self._count} games>"


_BITS = {"threads": 32, "batch_rows": 32, "skip_plies": 32, "sample": 32, "shuffle": 32, "seed": 64, "memory": 64}


def _check_numbers(options: Mapping[str, Any]) -> None:
    """Raises ValueError for a number that the library cannot represent."""
    for name, bits in _BITS.items():
        if not 0 <= operator.index(options.get(name, 0)) < 1 << bits:
            raise ValueError(f"{name} is a number from 0 to {(1 << bits) - 1}")
    limit = options.get("time_limit") or 0
    if not 0 <= limit <= 4294967:
        raise ValueError("time_limit is a number of seconds from 0 to 4294967")


def _options(given: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the options of a table from the parameters of a method."""
    options: Dict[str, Any] = {"skip_plies": 0, "sample": 0, "shuffle": 0, "seed": 0, "time_limit": None}
    others = ("self", "columns", "query", "rules", "blocks", "numbers")
    options.update({name: value for name, value in given.items() if name not in others})
    games = options["games"]
    options["games"] = (0, 0) if games is None else (games.start, games.stop)
    if games is not None and (games.step != 1 or not 0 <= games.start < games.stop):
        raise ValueError("games is a range of indices that is not empty and has no step")
    return options


class Column:
    """A column of an archive, or a kind of field in its texts, with its size in bytes as stored and as plain data.

    ``name``
        name of the column, or kind of field
    ``stored_bytes``
        bytes in the archive
    ``plain_bytes``
        bytes before compression
    ``values``
        number of values
    """

    __slots__ = ("name", "stored_bytes", "plain_bytes", "values")

    def __init__(self, name: str, stored_bytes: int, plain_bytes: int, values: int) -> None:
        self.name = name
        self.stored_bytes = stored_bytes
        self.plain_bytes = plain_bytes
        self.values = values

    def __repr__(self) -> str:
        return f"<Column {self.name}: {self.stored_bytes} bytes>"


class Info:
    """Contents of an archive.

    ``counts``
        `Counts` of the archive
    ``reasons``
        numbers of games that are stored as text, by reason
    ``columns``
        a `Column` for each column, the largest first
    """

    __slots__ = ("counts", "reasons", "columns")

    def __init__(self, counts: writing.Counts, reasons: Dict[str, int], columns: List[Column]) -> None:
        self.counts = counts
        self.reasons = reasons
        self.columns = columns

    def to_dict(self) -> Dict[str, Any]:
        """Returns the contents as a dict."""
        return {"counts": self.counts.to_dict(), "reasons": self.reasons,
                "columns": [{name: getattr(column, name) for name in Column.__slots__} for column in self.columns]}


def open(source: ArchiveSource, *, memory: int = 0, index: Union[bool, ArchiveSource, None] = None) -> Archive:
    """Opens an archive: a path, the bytes of an archive, or a binary file object that can seek.

    ``memory``
        memory limit of a call in bytes; 0: 512 MiB
    ``index``
        the index file of searches. None: the file next to the archive, if it exists and is valid. True: this file is
        required. False: none. Otherwise an index file in one of the forms of `source`, for example for an archive that
        is a file object; it is used if it is valid

    Raises NotAnArchiveError for other files, and CorruptError if the archive is damaged.

    >>> import stamma
    >>> stamma.open("games.stamma")
    <Archive games.stamma: 86 games>
    """
    return Archive(source, memory=memory, index=index)
