# SPDX-License-Identifier: MIT
"""Sources of archives and texts."""

from __future__ import annotations

import builtins
import bz2
import gzip
import io
import lzma
import os
import threading
from typing import Any, BinaryIO, Iterable, Iterator, Optional, Tuple, Union

from . import _stamma

PathLike = Union[str, "os.PathLike[str]"]
#: A path, the bytes of an archive, or a binary file object that can seek.
ArchiveSource = Union[PathLike, bytes, bytearray, memoryview, BinaryIO]
#: A path, bytes, a binary file object, or an iterable of these or of games.
TextSource = Union[PathLike, bytes, bytearray, memoryview, BinaryIO, Iterable[Any]]

_CHUNK = 1 << 20


def _of_file_object(file: BinaryIO) -> _stamma.Source:
    lock = threading.Lock()
    size = file.seek(0, io.SEEK_END)

    def read_at(offset: int, count: int) -> bytes:
        with lock:
            file.seek(offset)
            return bytes(file.read(count))

    return _stamma.source_of_function(read_at, size)


def _of_path(path: str) -> _stamma.Source:
    """Maps the file. A file that cannot be mapped is read completely."""
    with builtins.open(path, "rb") as file:
        mapped = _stamma.source_of_descriptor(file.fileno()) if hasattr(_stamma, "source_of_descriptor") else None
        return mapped if mapped is not None else _stamma.source_of_bytes(file.read())


def open_source(source: ArchiveSource) -> Tuple[_stamma.Source, Optional[str]]:
    """Returns a source of the extension module, and the path of a file, otherwise None."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        return _of_path(path), path
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _stamma.source_of_bytes(bytes(source)), None
    if hasattr(source, "seek") and hasattr(source, "read"):
        return _of_file_object(source), getattr(source, "name", None)
    raise TypeError(f"an archive is a path, bytes or a binary file object, not {type(source).__name__}")


# ---- text to pack ----


def _zstd_chunks(file: BinaryIO) -> Iterator[bytes]:
    decompressor = _stamma.ZstdDecompressor()
    for chunk in iter(lambda: file.read(_CHUNK // 4), b""):
        yield from decompressor.decompress(chunk)
    yield from decompressor.drain()


def _file_chunks(file: Any) -> Iterator[bytes]:
    for chunk in iter(lambda: file.read(_CHUNK), b""):
        if isinstance(chunk, str):
            raise TypeError("the file object must be opened in binary mode")
        yield bytes(chunk)


def _path_chunks(path: str, raw: bool) -> Iterator[bytes]:
    """Yields the contents of a file, decompressed if it is compressed."""
    with builtins.open(path, "rb") as file:
        magic = file.read(6)
        file.seek(0)
        opened: Any = file
        if not raw and magic[:4] == b"\x28\xb5\x2f\xfd":
            yield from _zstd_chunks(file)
            return
        if not raw and magic[:2] == b"\x1f\x8b":
            opened = gzip.open(file)
        elif not raw and magic[:3] == b"BZh":
            opened = bz2.open(file)
        elif not raw and magic == b"\xfd7zXZ\x00":
            opened = lzma.open(file)
        yield from _file_chunks(opened)


def chunks(source: TextSource, raw: bool = False) -> Iterator[bytes]:
    """Yields the bytes of a text. Files that are compressed with gzip, bzip2, xz or zstd are decompressed, unless `raw`.

    >>> list(chunks([b"a", b"b"]))
    [b'a', b'b']
    """
    if isinstance(source, (str, os.PathLike)):
        yield from _path_chunks(os.fspath(source), raw)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        yield bytes(source)
    elif hasattr(source, "read"):
        yield from _file_chunks(source)
    elif hasattr(source, "__bytes__"):
        yield bytes(source)
    else:
        parts: Iterable[Any] = source
        for part in parts:
            yield from chunks(part, raw)


def text_size(source: TextSource) -> int:
    """Returns the number of bytes of a text, or 0 if it is unknown or compressed."""
    if isinstance(source, (str, os.PathLike)):
        return os.path.getsize(source)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return len(source)
    return sum(text_size(part) for part in source) if isinstance(source, (list, tuple)) else 0


def is_same_file(one: object, other: object) -> bool:
    """Returns whether two arguments are paths of the same file."""
    paths = isinstance(one, (str, os.PathLike)) and isinstance(other, (str, os.PathLike))
    return paths and os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)  # type: ignore


