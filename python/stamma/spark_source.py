# SPDX-License-Identifier: MIT
"""The data source "stamma" of Spark: tables of archives, and archives of rows with PGN text."""

from __future__ import annotations

import itertools
import re
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from .archives import Archive, Query
from .errors import StammaError
from .spark_files import open_archive, paths_of
from .spark_filters import condition_of, numbers_of
from .spark_schema import MATCHES, batch_of, columns, ddl, known_columns, table_of
from .spark_writer import writer_of

#: Bytes of the blocks of a partition, unless the option `partition_bytes` says otherwise.
PARTITION_BYTES = 32 << 20
#: Rows of a batch of matches.
MATCHES_BATCH = 8192


class BlockRange(InputPartition):
    """The input of one task: a range of blocks of an archive, and the numbers of their games.

    `before` is the number of games in earlier archives.
    """

    def __init__(self, path: str, blocks: range, games: range, before: int) -> None:
        super().__init__(None)
        self.path = path
        self.blocks = blocks
        self.games = games
        self.before = before

    def __repr__(self) -> str:
        return f"{self.path}, blocks {self.blocks.start} to {self.blocks.stop - 1}" if self.blocks else self.path


def partitions_of(path: str, size: int, before: int = 0, whole_if_indexed: bool = False) -> List[BlockRange]:
    """Divides an archive into ranges of blocks of at least `size` bytes. Reads no block. With `whole_if_indexed`, an
    archive with a valid index file is one range."""
    result: List[BlockRange] = []
    with open_archive(path) as archive:
        blocks = archive.blocks()
        if whole_if_indexed and archive.has_index():
            size = 1 << 62
    begin, used = 0, 0
    for number, block in enumerate(blocks):
        used += block.size
        if used >= size or number + 1 == len(blocks):
            games = range(blocks[begin].games.start + 1, block.games.stop + 1)
            result.append(BlockRange(path, range(begin, number + 1), games, before))
            begin, used = number + 1, 0
    return result


def all_partitions(paths: Sequence[str], size: int, whole_if_indexed: bool = False) -> List[BlockRange]:
    """Divides archives into ranges of blocks, in the order of their games."""
    result: List[BlockRange] = []
    for path in paths:
        before = result[-1].before + result[-1].games.stop - 1 if result else 0
        result += partitions_of(path, size, before, whole_if_indexed)
    return result


def _block_at(archive: Archive, message: str) -> str:
    """Returns ", block N" if a message names a game or a byte of the archive."""
    game, place = re.search(r"game (\d+)", message), re.search(r"byte (\d+)", message)
    end = 0
    for number, block in enumerate(archive.blocks()):
        end += block.size
        if int(game.group(1)) in block.games if game else place and int(place.group(1)) < end:
            return f", block {number}"
    return ""


def failure(path: str, archive: Archive, error: Exception) -> StammaError:
    """Returns the exception that ends a task: its message names the archive and the block."""
    message = str(error)
    try:
        place = _block_at(archive, message)
    except (StammaError, OSError):
        place = ""
    return StammaError((message if message.startswith(path) else f"{path}: {message}") + place)


class Reader(DataSourceReader):
    """Reads a table. Filters that Spark passes become conditions of a search."""

    def __init__(self, options: Mapping[str, str], schema: StructType) -> None:
        self.schema = schema
        self.table = table_of(options)
        self.paths = paths_of(options)
        self.size = int(options.get("partition_bytes", PARTITION_BYTES))
        self.batch_rows = int(options.get("batch_rows", 0))
        self.sound_only = options.get("sound_only", "false").lower() == "true"
        self.conditions: List[Dict[str, Any]] = []
        self.ranges: List[range] = []
        query = options.get("query") or options.get("find")  # an earlier name
        if query:
            self.conditions.append(Query(query).rules)
            if {"offset", "skip", "limit"} & set(self.conditions[0]):
                raise ValueError("stamma: the option query cannot have offset or limit: each task would apply them")

    def pushFilters(self, filters: List[Any]) -> Iterable[Any]:
        """Returns the filters that Spark evaluates."""
        number = "number" if self.table == "games" else "game"
        for one in filters:
            pushed = condition_of(one) if self.table == "games" else None
            if pushed and pushed.rules:
                self.conditions.append(pushed.rules)
            within = numbers_of(one) if getattr(one, "attribute", ()) == (number,) else None
            if within is not None:
                self.ranges.append(within)
            if not (pushed and pushed.equal):
                yield one

    def _query(self) -> Optional[Query]:
        if not self.conditions:
            return None
        return Query(self.conditions[0] if len(self.conditions) == 1 else {"all": self.conditions})

    def partitions(self) -> Sequence[InputPartition]:
        """Returns the ranges of blocks that have games with the numbers of the filters."""
        self._query()  # reports an invalid query
        parts = all_partitions(self.paths, self.size, self.table == MATCHES)
        kept: List[InputPartition] = [part for part in parts if all(
            max(part.games.start, within.start) < min(part.games.stop, within.stop) for within in self.ranges)]
        return kept or [InputPartition(None)]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """Yields the record batches of a range of blocks."""
        from pyspark.sql.pandas.types import to_arrow_schema

        if not isinstance(partition, BlockRange):
            return
        schema = to_arrow_schema(self.schema, timezone="UTC")
        archive = open_archive(partition.path)
        try:
            batches = self._matches if self.table == MATCHES else self._rows
            for batch in batches(archive, partition):
                yield batch_of(batch, schema, partition.path)
        except (StammaError, OSError) as error:
            raise failure(partition.path, archive, error) from None

    def _rows(self, archive: Archive, part: BlockRange) -> Iterator[Any]:
        """Yields the batches of a table of the library."""
        wanted = known_columns(archive, self.table, self.schema.fieldNames())
        options: Dict[str, Any] = {"threads": 1, "plain_texts": True, "sound_only": self.sound_only,
                                   "batch_rows": self.batch_rows, "games": range(part.games.start - 1, part.games.stop - 1)}
        number = "number" if self.table == "games" else "game"
        yield from getattr(archive, self.table)(wanted or [number], self._query(), **options)

    def _matches(self, archive: Archive, part: BlockRange) -> Iterator[Any]:
        """Yields batches with the games that match the query."""
        import pyarrow

        found = archive.find(self._query() or Query(), blocks=part.blocks, threads=1, sound_only=self.sound_only).matches()
        while True:
            rows = list(itertools.islice(found, MATCHES_BATCH))
            if not rows:
                return
            games = [index + 1 for index, _ in rows]
            yield pyarrow.RecordBatch.from_pydict({
                "game": pyarrow.array(games, pyarrow.int64()),
                "number": pyarrow.array([game + part.before for game in games], pyarrow.int64()),
                "match": pyarrow.array([plies for _, plies in rows], pyarrow.list_(pyarrow.int32()))})


class StammaSource(DataSource):
    """Reads tables of archives, and writes archives: ``spark.read.format("stamma")``, ``df.write.format("stamma")``."""

    @classmethod
    def name(cls) -> str:
        """Returns the name of the format."""
        return "stamma"

    def schema(self) -> str:
        """Returns the columns in the option `columns`, or the default columns of the table."""
        paths = paths_of(self.options)
        return ddl(columns(table_of(self.options), self.options.get("columns"), paths))

    def reader(self, schema: StructType) -> Reader:
        """Returns a reader of columns with these names."""
        return Reader(self.options, schema)

    def writer(self, schema: StructType, overwrite: bool) -> Any:
        """Returns a writer of archives."""
        return writer_of(self.options, schema, overwrite)
