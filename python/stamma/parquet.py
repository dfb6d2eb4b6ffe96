# SPDX-License-Identifier: MIT
"""Parquet files with a row for each game, in the schema of the data sets that Lichess publishes on Hugging Face."""

from __future__ import annotations

import os
import warnings
from typing import Any, Iterator, List, Optional, Sequence, Union

from .archives import Archive, Condition, open
from .lichess_rows import OMITTED, BadRow, read_games, source_columns, write_rows
from .progress import Progress
from .sources import ArchiveSource, PathLike
from .targets import Target, writing
from .writing import pack

#: A path of a Parquet file, or a binary file object that can seek.
ParquetSource = Union[PathLike, Any]


def _refuse(row: BadRow) -> None:
    raise ValueError(f"{row} (bad_rows=[] skips such rows)")


def _games(files: Sequence[ParquetSource], bad_rows: Optional[List[BadRow]]) -> Iterator[memoryview]:
    for file in files:
        is_path = isinstance(file, (str, os.PathLike))
        name = os.fspath(file) if is_path else str(getattr(file, "name", "a file object"))
        yield from read_games(file, _refuse if bad_rows is None else bad_rows.append, name)


def from_parquet(files: Union[ParquetSource, Sequence[ParquetSource]], target: Target = None, *, level: int = 1,
                 overwrite: bool = False, threads: int = 0, memory: int = 0, progress: Progress = False,
                 bad_rows: Optional[List[BadRow]] = None) -> Any:
    """Packs the games of Parquet files into an archive, and returns their `Counts`. Needs pyarrow.

    Each row is a game. The column `movetext` is written byte for byte. Each other column is a tag, in the order of the
    file; a null is no tag. Without a target, returns the archive as bytes.

    ``files``
        a path or a binary file object, or a list of these
    ``bad_rows``
        a list to which a `BadRow` is added for each row that is not a game; such rows are skipped. None: the first of
        them raises ValueError, with the file, the row, and what was expected

    The other parameters are the same as for `pack`.

    ::

        stamma.from_parquet(["train-00000.parquet", "train-00001.parquet"], "games.stamma")
    """
    listed = list(files) if isinstance(files, (list, tuple)) else [files]
    return pack(_games(listed, bad_rows), target, level=level, overwrite=overwrite, threads=threads, memory=memory,
                progress=progress)


def to_parquet(source: Union[Archive, ArchiveSource], target: Target = None, query: Optional[Condition] = None, *,
               overwrite: bool = False, **rules: Any) -> Any:
    """Writes the games of an archive that match a query as a Parquet file, and returns their number. Without a target,
    returns the file as bytes. Needs pyarrow.

    The file has the columns of the data set Lichess/standard-chess-games. Tags that are not in this schema, such as
    `Round`, are not written. Games that the schema cannot represent, such as games with the tag `FEN`, are omitted
    with a warning.

    ::

        stamma.to_parquet("games.stamma", "games.parquet", result="1-0")
    """
    parts: List[bytes] = []
    archive = source if isinstance(source, Archive) else open(source)
    table = archive.games(source_columns(), query, plain_texts=True, **rules)
    with writing(target, overwrite, parts) as write:
        count, omitted = write_rows(table, _Sink(write))
    if omitted:
        warnings.warn(f"{omitted:,} games are omitted: {OMITTED}", stacklevel=2)
    return b"".join(parts) if target is None else count


class _Sink:
    """A binary file object for pyarrow that passes bytes to a function."""

    closed = False

    def __init__(self, write: Any) -> None:
        self._write = write
        self._size = 0

    def write(self, data: Any) -> int:
        self._write(bytes(data))
        self._size += len(data)
        return len(data)

    def tell(self) -> int:
        return self._size

    def flush(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False
