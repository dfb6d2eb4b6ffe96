# SPDX-License-Identifier: MIT
"""Columns of tables as types of Spark, and record batches in these types."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, Optional, Sequence

from .archives import Archive
from .errors import TextError
from .spark_files import open_archive
from .tables import NAMES, columns_of

#: Types of Spark by types of Arrow. Spark has no unsigned numbers, so the next larger type is used. Unsigned numbers of
#: 64 bits have the same bits in Spark: large numbers become negative.
TYPES = {"bool": "boolean", "int8": "tinyint", "uint8": "smallint", "int16": "smallint", "uint16": "int", "int32": "int",
         "int64": "bigint", "uint64": "bigint", "float": "float", "double": "double", "date32": "date",
         "timestamp[us, UTC]": "timestamp", "utf8": "string", "binary": "binary"}

#: A column that every table has: the path of the archive.
ARCHIVE = "archive"
#: The table of the games that match a query, with the plies of the match.
MATCHES = "matches"


def type_of(arrow: str) -> str:
    """Returns the type of Spark, as in DDL, for a type of doc/reference/columns.md.

    >>> type_of("dictionary<int32, utf8>"), type_of("list<struct<ply: int32, nag: uint8>>")
    ('string', 'array<struct<ply: int, nag: smallint>>')
    """
    arrow = arrow.strip()
    inner = re.match(r"(?:list|fixed_size_list)<(.*)>(?:\[\d+\])?\Z", arrow)
    if inner:
        return f"array<{type_of(inner.group(1))}>"
    if arrow.startswith("dictionary<"):
        return type_of(arrow[:-1].rpartition(",")[2])
    if arrow.startswith("struct<"):
        members = [member.partition(":") for member in arrow[7:-1].split(",")]
        return "struct<" + ", ".join(f"{name.strip()}: {type_of(form)}" for name, _, form in members) + ">"
    return TYPES[arrow]


def table_of(options: Mapping[str, str]) -> str:
    """Returns the table of the options: games, plies, positions or matches."""
    table = options.get("table", "games")
    if table not in (*NAMES, MATCHES):
        raise ValueError(f"stamma: unknown table \"{table}\"; expected \"games\", \"plies\", \"positions\" or \"matches\"")
    return table


def _names(text: str) -> List[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _unknown(table: str, name: str, paths: Sequence[str]) -> None:
    """Raises the exception for a column that no archive has."""
    first: Optional[Exception] = None
    for path in paths:
        try:
            with open_archive(path) as archive:
                getattr(archive, table)([name])
            return
        except TextError as error:
            first = first or error
    if first:
        raise ValueError(f"stamma: {first}")


def columns(table: str, names: Optional[str], paths: Sequence[str]) -> Dict[str, str]:
    """Returns the types of Spark by the names of the columns. Without names, reads which tags the archives have."""
    if table == MATCHES:
        return {ARCHIVE: "string", "game": "bigint", "number": "bigint", "match": "array<int>"}
    known = {column.name: type_of(column.type) for column in columns_of(table)}
    known[ARCHIVE] = "string"
    if names is None:
        result: Dict[str, str] = {}
        for path in paths if table == "games" else paths[:1]:
            with open_archive(path) as archive:
                for column in archive.table_columns(table):
                    if column.is_default and column.name.lower() not in map(str.lower, result):
                        result[column.name] = type_of(column.type)
        return result
    for name in _names(names):
        if name not in known and not (table == "games" and name.startswith("tag:")):
            _unknown(table, name, paths)
    return {name: known.get(name, "string") for name in _names(names)}


def ddl(types: Mapping[str, str]) -> str:
    """Returns a schema in DDL.

    >>> ddl({"white": "string", "tag:WhiteTeam": "string"})
    '`white` string, `tag:WhiteTeam` string'
    """
    return ", ".join("`" + name.replace("`", "``") + "` " + form for name, form in types.items())


# ---- record batches ----


def _list_type(form: Any) -> bool:
    import pyarrow.types as types

    return bool(types.is_list(form) or types.is_large_list(form))


def convert(array: Any, form: Any) -> Any:
    """Returns an array in another type with the same values, except that numbers of 64 bits keep their bits."""
    import pyarrow

    if array.type == form:
        return array
    if pyarrow.types.is_uint64(array.type) and pyarrow.types.is_int64(form):
        return array.view(form)
    if pyarrow.types.is_fixed_size_list(array.type) and _list_type(form):
        size = array.type.list_size
        offsets = pyarrow.array(range(0, size * len(array) + 1, size), pyarrow.int32())
        values = convert(array.values.slice(array.offset * size, len(array) * size), form.value_type)
        return pyarrow.ListArray.from_arrays(offsets, values, form)
    return array.cast(form)


def known_columns(archive: Archive, table: str, names: Sequence[str]) -> List[str]:
    """Returns the named columns that an archive has. Archives have different tags."""
    fixed = {column.name for column in columns_of(table)}
    wanted = [name for name in names if name != ARCHIVE]
    if all(name in fixed or name.startswith("tag:") for name in wanted):
        return wanted
    present = {column.name for column in archive.table_columns(table)}
    return [name for name in wanted if name in fixed or name.startswith("tag:") or name in present]


def batch_of(batch: Any, schema: Any, path: str) -> Any:
    """Returns a record batch with the schema that Spark expects. Columns that the archive lacks are null."""
    import pyarrow

    def column(field: Any) -> Any:
        if field.name == ARCHIVE:
            return pyarrow.array([path] * batch.num_rows, field.type)
        index = batch.schema.get_field_index(field.name)
        return pyarrow.nulls(batch.num_rows, field.type) if index < 0 else convert(batch.column(index), field.type)

    return pyarrow.RecordBatch.from_arrays([column(field) for field in schema], schema=schema)
