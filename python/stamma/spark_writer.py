# SPDX-License-Identifier: MIT
"""Writing archives with Spark: each task packs the texts of its rows into an archive.

A task writes a file with a unique name in the folder `_temporary` of the target. The driver renames the files of the tasks
that Spark has committed, and removes the folder. Files of attempts that failed, were repeated or ended with their
executor remain in the folder, and are removed with it.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import uuid
from dataclasses import dataclass
from typing import Any, Iterator, List, Mapping, Optional

from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import BinaryType, StringType, StructType

from .spark_files import local_path
from .targets import sync_directory
from .writing import pack


@dataclass
class Written(WriterCommitMessage):
    """The file that a task has written, and the name that it gets; no file if the task has no rows."""

    temporary: Optional[str]
    name: str


def _texts(batches: Iterator[Any], column: int) -> Iterator[bytes]:
    """Yields the texts of the rows. Adds an empty line after a text that does not end in a line feed. Adds an empty
    line before a text that begins with a comment, which would otherwise belong to the previous text."""
    last = b"\n\n"
    for batch in batches:
        for value in batch.column(column):
            data = value.as_py()
            text = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
            if text:
                text = text if text.endswith(b"\n") else text + b"\n\n"
                needs_gap = not last.endswith((b"\n\n", b"\n\r\n")) and text.lstrip()[:1] in (b"{", b";", b"%", b"(", b"$")
                last = text
                yield b"\n" + text if needs_gap else text


class ArchiveWriter(DataSourceArrowWriter):
    """Packs a column of texts into one archive for each task."""

    def __init__(self, folder: str, column: int, level: int, overwrite: bool, job: str) -> None:
        self.folder = folder
        self.column = column
        self.level = level
        self.overwrite = overwrite
        self.job = job

    @property
    def temporary(self) -> str:
        """The folder of this job's unfinished files."""
        return os.path.join(self.folder, "_temporary", self.job)

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        """Packs the rows of a task. A file that is not complete is removed."""
        context = TaskContext.get()
        part = context.partitionId() if context else 0
        name = f"part-{part:05}-{self.job}.stamma"
        texts = _texts(iterator, self.column)
        first = next(texts, None)
        if first is None:
            return Written(None, name)
        path = os.path.join(self.temporary, f"{part:05}-{uuid.uuid4().hex}.stamma")
        pack(itertools.chain([first], texts), path, level=self.level, threads=1)
        return Written(path, name)

    def commit(self, messages: List[Optional[WriterCommitMessage]]) -> None:
        """Renames the files of the tasks, and removes all other files of the job."""
        files = [message for message in messages if isinstance(message, Written) and message.temporary]
        before = [name for name in os.listdir(self.folder) if name.endswith((".stamma", ".stamma.index"))]
        for file in files:
            os.rename(str(file.temporary), os.path.join(self.folder, file.name))
        if self.overwrite:
            for name in before:
                os.unlink(os.path.join(self.folder, name))
        self._clean()
        sync_directory(self.folder)

    def abort(self, messages: List[Optional[WriterCommitMessage]]) -> None:
        """Removes all files of the job."""
        self._clean()

    def _clean(self) -> None:
        shutil.rmtree(self.temporary, ignore_errors=True)
        with contextlib.suppress(OSError):  # other jobs may be writing
            os.rmdir(os.path.dirname(self.temporary))


def _column_of(options: Mapping[str, str], schema: StructType) -> int:
    names = schema.fieldNames()
    texts = [field.name for field in schema if isinstance(field.dataType, (StringType, BinaryType))]
    wanted = options.get("column")
    if wanted is None and len(texts) != 1:
        raise ValueError("stamma: the option column names the column with PGN text; columns of texts: " +
                         (", ".join(texts) or "none"))
    if wanted is not None and wanted not in texts:
        raise ValueError(f"stamma: there is no column \"{wanted}\" of texts; columns of texts: " + ", ".join(texts))
    return names.index(texts[0] if wanted is None else wanted)


def writer_of(options: Mapping[str, str], schema: StructType, overwrite: bool) -> ArchiveWriter:
    """Returns a writer for the options of ``df.write``."""
    path = options.get("path")
    folder = local_path(path) if path else None
    if not folder:
        raise ValueError("stamma: save(path) needs a folder that the driver and all executors share")
    level = int(options.get("level", 1))
    if level not in (1, 2, 3):
        raise ValueError("stamma: level is 1, 2 or 3")
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise FileExistsError(f"{folder} is not a folder")
    writer = ArchiveWriter(os.path.abspath(folder), _column_of(options, schema), level, overwrite, uuid.uuid4().hex[:12])
    # Tasks do not make the folder: an attempt that outlives the job must not make it again.
    os.makedirs(writer.temporary)
    return writer
