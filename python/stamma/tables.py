# SPDX-License-Identifier: MIT
"""Tables of games, plies and positions, as Arrow streams."""

from __future__ import annotations

import os
from typing import Any, Iterator, List, NamedTuple, Optional, Sequence, TYPE_CHECKING

from . import _stamma
from .display import ROWS, rows_of_batch, table_html
from .errors import naming
from .progress import Progress, showing

if TYPE_CHECKING:
    from .archives import Archive, Query

NAMES = ("games", "plies", "positions")
_COUNTED = ("number", "game", "game")  # a column that is read to count rows


class Block(NamedTuple):
    """A block of an archive, which is decoded independently.

    ``games``
        range of the indices of the games that begin in the block
    ``size``
        bytes of the block in the archive
    ``text_size``
        bytes of its text
    """

    games: range
    size: int
    text_size: int


class TableColumn(NamedTuple):
    """A column of a table.

    ``name``
        name of the column
    ``type``
        Arrow type, such as `list<uint16>`
    ``meaning``
        a phrase that describes the values, with their unit
    ``is_default``
        whether the column is read if no columns are named
    """

    name: str
    type: str
    meaning: str
    is_default: bool


class Table:
    """Columns of an archive, for programs that read Arrow streams: pyarrow, pandas, Polars, DuckDB.

    The archive is read only when a program requests the data, and again for each program. Only the columns of the table
    are decoded.

    ::

        games = archive.games(["white", "black", "result", "white_rating"])
        pyarrow.table(games)
        polars.DataFrame(games)
        pandas.DataFrame.from_arrow(games)  # before pandas 3: pyarrow.table(games).to_pandas()
        duckdb.sql("select result, count(*) from games group by 1")
    """

    def __init__(self, archive: Archive, table: int, columns: Optional[Sequence[str]], query: Optional[Query],
                 options: Any) -> None:
        self.archive = archive
        self._table = table
        self._columns = None if columns is None else list(columns)
        self._query = query
        self._options = options
        if isinstance(columns, str):
            raise TypeError("columns are a list of names")
        if self._columns == []:
            raise ValueError("columns are a list of at least one name; None selects the default columns")
        if columns is not None:
            self.__arrow_c_stream__()  # reports unknown columns

    def _arguments(self, report: Any) -> Any:
        o = self._options
        first, last = o["games"]
        return (self._table, self._columns, first + 1, last, o["batch_rows"], o["unordered"], o["plain_texts"],
                o["skip_plies"], o["sample"], o["shuffle"], o["seed"],
                self.archive._question(self._query, o, report), os.fsencode(self.archive.path) if self.archive.path else None)

    def _batches(self, report: Any) -> _stamma.Batches:
        """Opens a reader of batches as tuples of bytes, which needs no NumPy."""
        return _stamma.Batches(*self._arguments(report))

    @property
    def name(self) -> str:
        """"games", "plies" or "positions"."""
        return NAMES[self._table]

    @property
    def columns(self) -> List[str]:
        """Names of the columns.

        >>> import stamma
        >>> stamma.open("games.stamma").plies().columns
        ['game', 'ply', 'move16', 'uci', 'san', 'clock_ms', 'eval_cp', 'mate']
        """
        if self._columns is not None:
            return list(self._columns)
        return [column.name for column in self.archive.table_columns(self.name) if column.is_default]

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Opens a stream of record batches, as a capsule of the Arrow PyCapsule interface."""
        progress: Progress = self._options["progress"]
        report = progress if callable(progress) else None
        return _stamma.columns_stream(*self._arguments(report))

    def __iter__(self) -> Iterator[Any]:
        """Yields record batches of pyarrow."""
        import pyarrow

        reader = pyarrow.RecordBatchReader.from_stream(self)
        yield from reader

    def __len__(self) -> int:
        """Number of rows. They are counted by reading them, except those of all games.

        >>> import stamma
        >>> len(stamma.open("games.stamma").games(player="Tal")), len(stamma.open("games.stamma").plies())
        (3, 4812)
        """
        first, last = self._options["games"]
        if self._table == 0 and self._query is None and not self._options["sound_only"]:
            return int(min(last or len(self.archive), len(self.archive)) - first)
        one = Table(self.archive, self._table, [_COUNTED[self._table]], self._query, {**self._options, "progress": False})
        with naming(self.archive.path):
            return sum(batch[2] for batch in iter(one._batches(None).next, None))

    def __bool__(self) -> bool:
        return True

    def batches(self) -> Iterator[Any]:
        """Yields batches as dicts of NumPy arrays, without an Arrow library.

        ======================================  ==================================================================
        type of the column (`table_columns`)    array
        ======================================  ==================================================================
        numbers, ``bool``                       of the same type
        ``date32``                              ``datetime64[D]``
        texts, ``binary``                       objects: str, bytes
        ``fixed_size_list``                     with two dimensions
        ``list``                                objects: for each row an array of the elements
        ``struct``                              structured, with a field for each member
        ======================================  ==================================================================

        Missing values are None in arrays of objects, NaT in dates, and otherwise 0. If the column has missing values in
        the batch, `NAME_valid` is an array of bools: True for each value, or element of a list, that is present.

        >>> import stamma
        >>> table = stamma.open("games.stamma").games(["white", "date", "plies", "san"])
        >>> batch = next(table.batches())
        >>> print(batch["white"][1], batch["date"][1], batch["plies"][1], batch["san"][1][:4])
        Anderssen, Adolf 1852-01-01 47 ['e4' 'e5' 'Nf3' 'Nc6']
        """
        from .arrays import columns_of_batch

        with naming(self.archive.path), showing("reading", self._options["progress"], self.archive._size) as report:
            reader = self._batches(report)
            for batch in iter(reader.next, None):
                yield columns_of_batch(batch)

    def _repr_html_(self) -> str:
        """Returns the first rows as a table, which notebooks show; the columns with their types, if there is no NumPy."""
        note = f"the first rows of {self!r}"
        try:
            import numpy  # noqa: F401
        except ImportError:
            known = {column.name: column for column in self.archive.table_columns(self.name)}
            types = [known[name].type if name in known else "" for name in self.columns]
            return table_html(("column", "type"), list(zip(self.columns, types)), note)
        preview = Table(self.archive, self._table, self._columns, self._query,
                        {**self._options, "batch_rows": ROWS, "threads": 1, "progress": False})
        batch = next(preview.batches(), None)
        columns = self.columns
        return table_html(columns, rows_of_batch(columns, batch) if batch else [], note)

    def __repr__(self) -> str:
        return f"<Table {self.name} of {self.archive!r}: {', '.join(self.columns)}>"


def columns_of(table: str, archive: Optional[_stamma.Archive] = None) -> List[TableColumn]:
    """Returns the columns that a table has in every archive, or the columns that it has in `archive`.

    >>> columns_of("positions")[0].name
    'board'
    """
    return [TableColumn(*column) for column in _stamma.columns_list(NAMES.index(table), archive)]
