# SPDX-License-Identifier: MIT
"""Games as rows of a Parquet file, in the schema of the data set Lichess/standard-chess-games.

A row has a column for each tag, and the column `movetext`. This file only needs pyarrow, because it is also a part of the
program `stamma`, which runs it to import and export Parquet files:

  python3 -c SOURCE read FILE            writes the games of FILE to standard output, as PGN
  python3 -c SOURCE write NAME [quiet]   reads a table with the columns of `source_columns` from standard input, in the
      streaming format of Arrow, and writes it to standard output as a Parquet file; messages say NAME
"""

from __future__ import annotations

import sys
from typing import Any, Callable, Iterable, Iterator, List, NamedTuple, Tuple

MOVETEXT = "movetext"
#: Tags of the schema and their types, in its order.
TAGS = {
    "Event": "string", "Site": "string", "White": "string", "Black": "string", "Result": "string",
    "WhiteTitle": "string", "BlackTitle": "string", "WhiteElo": "int16", "BlackElo": "int16",
    "WhiteRatingDiff": "int16", "BlackRatingDiff": "int16", "UTCDate": "date32", "UTCTime": "time32",
    "ECO": "string", "Opening": "string", "Termination": "string", "TimeControl": "string",
}
#: Why games are omitted.
OMITTED = ("the schema has no column for their initial position, variant or text between tags, or they have no moves and "
           "no result")
#: Exit statuses of this file, in addition to 0 and 1.
NO_LIBRARY, SKIPPED_ROWS = 77, 76

_ROWS = 1 << 14
_SHOWN = 10  # bad rows of a file that are reported one by one
_TAG = r'\[\s*[A-Za-z0-9_]+\s+"(?:[^"\\]|\\.)*"\s*\]'
_TAGS_OF_GAME = r"\A(?:\s*" + _TAG + r")*(?:[^\S\r\n]*\r?\n)*"


class BadRow(NamedTuple):
    """A row that is not a game.

    ``file``
        path of the file
    ``row``
        number of the row, from 1
    ``reason``
        what was found, and what was expected
    """

    file: str
    row: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: row {self.row}: {self.reason}"


# ---- rows to PGN ----


def _text_of(name: str, column: Any, where: str) -> Any:
    """Returns the values of a column as they are written in a tag, before escapes are added."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_dictionary(kind):
        return _text_of(name, column.cast(kind.value_type), where)
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        column = pc.strftime(column.cast(pa.timestamp("s"), safe=False), "%Y.%m.%d")
    elif pa.types.is_time(kind):
        column = pc.strftime(column.cast(pa.time32("s"), safe=False), "%H:%M:%S")
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind):  # pandas writes integers with nulls as numbers with a point
        whole = column.cast(pa.int64())
        column = whole.cast(pa.string())
        if name.endswith("RatingDiff"):
            signed = pc.binary_join_element_wise("+", column, "")
            column = pc.if_else(pc.greater_equal(whole, 0), signed, column)
    elif not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_null(kind)):
        raise ValueError(f"{where}: column {name}: the type {kind} cannot be the value of a tag; "
                         "expected a string, an integer, a date or a time")
    return column.cast(pa.large_string()).cast(pa.large_binary())


def _joined(*parts: Any) -> Any:
    """Joins the values of each row, which are null if one of them is, and constant bytes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    typed = [pa.scalar(part, pa.large_binary()) if isinstance(part, bytes) else part for part in parts]
    return pc.binary_join_element_wise(*typed, pa.scalar(b"", pa.large_binary()))


def _tag_of(name: str, text: Any) -> Any:
    """Returns the lines of a tag; a missing value has no line."""
    import pyarrow.compute as pc

    for character in (b"\\", b'"'):
        text = pc.replace_substring(text, character, b"\\" + character)
    return pc.fill_null(_joined(f'[{name} "'.encode(), text, b'"]\n'), b"")


def _problems(movetext: Any, tags: List[Tuple[str, Any]]) -> Iterator[Tuple[Any, str]]:
    """Yields a column of bools for each kind of bad row, and the reason."""
    import pyarrow.compute as pc

    yield pc.is_null(movetext), "movetext is null; expected moves or a result"
    blank = pc.invert(pc.match_substring_regex(movetext, r"\S"))
    yield blank, "movetext is empty; expected moves or a result"
    yield (pc.match_substring_regex(movetext, r"(?m)^\s*" + _TAG),
           "movetext contains a tag; expected the moves of one game, without tags")
    for name, text in tags:
        yield (pc.match_substring_regex(text, r"[\x00-\x08\x0A-\x1F]"),
               f"{name} contains a line end or another control character; expected text in one line")


def _bytes_of(texts: Any) -> memoryview:
    """Returns the bytes of all values, one after another, without copying them."""
    _, offsets, data = texts.buffers()
    ends = memoryview(offsets).cast("b").cast("q")
    return memoryview(data or b"")[ends[texts.offset]:ends[texts.offset + len(texts)]]


def _games_of(batch: Any, names: List[str], file: str, before: int, bad: Callable[[BadRow], object]) -> memoryview:
    """Returns the rows of a batch as PGN. `before`: number of rows before it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    movetext = _text_of(MOVETEXT, batch.column(MOVETEXT), file)
    tags = [(name, _text_of(name, batch.column(name), file)) for name in names]
    good = pa.array([True] * len(batch))
    reasons = {}
    for mask, reason in _problems(movetext, tags):
        found = pc.and_(good, pc.fill_null(mask, False))
        reasons.update(dict.fromkeys(pc.indices_nonzero(found).to_pylist(), reason))
        good = pc.and_not(good, found)
    for row in sorted(reasons):
        bad(BadRow(file, before + row + 1, reasons[row]))
    lines = [_tag_of(name, text) for name, text in tags]
    games = _joined(*lines, b"\n", pc.fill_null(movetext, b""), b"\n\n")
    return _bytes_of(games.filter(good))


def _columns_of(schema: Any, file: str) -> List[str]:
    """Returns the columns of a file that are tags, in its order."""
    import re

    if MOVETEXT not in schema.names:
        raise ValueError(f"{file}: there is no column {MOVETEXT}; the columns are {', '.join(schema.names)}")
    names = [name for name in schema.names if name != MOVETEXT]
    for name in names:
        if not re.fullmatch("[A-Za-z0-9_]+", name):
            raise ValueError(f"{file}: column {name!r}: expected the name of a tag, of letters, digits and _")
    return names


def read_games(source: Any, bad: Callable[[BadRow], object], file: str) -> Iterator[memoryview]:
    """Yields the games of a Parquet file as PGN. `bad` is called for each row that is not a game and is skipped."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(source) as opened:
        names = _columns_of(opened.schema_arrow, file)
        before = 0
        for batch in opened.iter_batches(_ROWS):
            yield _games_of(batch, names, file, before, bad)
            before += len(batch)


# ---- PGN to rows ----


def source_columns() -> List[str]:
    """Returns the columns of the table of games from which rows are made."""
    return [*(f"tag:{name}" for name in TAGS), "tag:FEN", "tag:Variant", "text"]


def _value_of(text: Any, kind: str) -> Any:
    """Returns the values of tags as a type of the schema. A value that is not of this type is null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if kind == "string":
        return text
    if kind == "int16":
        number = pc.if_else(pc.match_substring_regex(text, "^[+-]?[0-9]{1,4}$"), text, pa.scalar(None, pa.string()))
        return pc.replace_substring(number, "+", "").cast(pa.int16())
    form = "%Y.%m.%d" if kind == "date32" else "%H:%M:%S"
    moment = pc.strptime(text, form, "s", error_is_null=True)
    return moment.cast(pa.date32() if kind == "date32" else pa.time32("s"))


def _decoded(texts: Any) -> Any:
    """Returns texts in UTF-8. Like the library, reads a text that is not UTF-8 as Windows-1252."""
    import pyarrow as pa

    try:
        return texts.cast(pa.string())
    except pa.ArrowInvalid:
        def decode(data: bytes) -> str:
            try:
                return data.decode()
            except UnicodeDecodeError:
                return data.decode("cp1252", "replace")
        return pa.array([decode(data) for data in texts.to_pylist()], pa.string())


def _movetext_of(texts: Any) -> Any:
    """Returns the texts of games without their tags, the empty lines after the tags and the line ends at the end."""
    import pyarrow.compute as pc

    moves = pc.replace_substring_regex(_decoded(texts), _TAGS_OF_GAME, "")
    return pc.utf8_rtrim(moves, "\r\n")


def schema() -> Any:
    """Returns the schema of Lichess/standard-chess-games."""
    import pyarrow as pa

    types = {"string": pa.string(), "int16": pa.int16(), "date32": pa.date32(), "time32": pa.time32("s")}
    return pa.schema([*((name, types[kind]) for name, kind in TAGS.items()), (MOVETEXT, pa.string())])


def _row_batch(batch: Any) -> Tuple[Any, int]:
    """Returns the rows of the games of a batch, and how many games the schema cannot represent."""
    import pyarrow as pa
    import pyarrow.compute as pc

    movetext = _movetext_of(batch.column("text"))
    columns = [_value_of(batch.column(f"tag:{name}"), kind) for name, kind in TAGS.items()]
    other_start = pc.or_(pc.is_valid(batch.column("tag:FEN")),
                         pc.invert(pc.fill_null(pc.equal(batch.column("tag:Variant"), "Standard"), True)))
    left_out = pc.or_(other_start, pc.match_substring_regex(movetext, r"(?m)^\s*" + _TAG + r"|^\s*\z"))
    rows = pa.record_batch([*columns, movetext], schema=schema()).filter(pc.invert(left_out))
    return rows, len(batch) - len(rows)


def write_rows(batches: Iterable[Any], out: Any) -> Tuple[int, int]:
    """Writes batches with the columns of `source_columns` as a Parquet file. Returns the numbers of games written and
    omitted."""
    import pyarrow.parquet as pq

    written = omitted = 0
    with pq.ParquetWriter(out, schema(), compression="zstd") as writer:
        for batch in batches:
            rows, others = _row_batch(batch)
            writer.write_batch(rows)
            written += len(rows)
            omitted += others
    return written, omitted


# ---- the program ----


def _read(path: str) -> int:
    skipped = 0

    def report(row: BadRow) -> None:
        nonlocal skipped
        skipped += 1
        if skipped <= _SHOWN:
            print(f"stamma: {row}; skipped", file=sys.stderr)

    for games in read_games(path, report, path):
        sys.stdout.buffer.write(games)
    sys.stdout.buffer.flush()
    if skipped > _SHOWN:
        print(f"stamma: {path}: {skipped:,} rows skipped", file=sys.stderr)
    return SKIPPED_ROWS if skipped else 0


def _write(name: str, quiet: bool) -> int:
    import pyarrow

    with open(1, "wb", closefd=False) as out:
        written, omitted = write_rows(pyarrow.ipc.open_stream(sys.stdin.buffer), out)
    if not quiet:
        print(f"stamma: {name}: {written:,} row{'s' * (written != 1)}", file=sys.stderr)
    if omitted:
        print(f"stamma: {name}: {omitted:,} game{'s' * (omitted != 1)} omitted: {OMITTED}", file=sys.stderr)
    return 0


def main(arguments: List[str]) -> int:
    """Runs this file as a program. Returns its exit status."""
    try:
        import pyarrow
    except ImportError:
        return NO_LIBRARY
    try:
        return _read(arguments[1]) if arguments[0] == "read" else _write(arguments[1], "quiet" in arguments[2:])
    except BrokenPipeError:
        return 1
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        text, name = str(error), arguments[1]
        print("stamma:", text if text.startswith(name) else f"{name}: {text}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
