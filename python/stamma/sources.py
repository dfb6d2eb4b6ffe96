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
import zlib
from typing import Any, BinaryIO, Iterable, Iterator, Optional, TextIO, Tuple, Union

from . import _stamma
from .errors import CorruptError, StammaError
from .foreign import ForeignGame, foreign_text, is_foreign_game
from .progress import Meter

PathLike = Union[str, "os.PathLike[str]"]
#: A path, the bytes of an archive, or a binary file object that can seek.
ArchiveSource = Union[PathLike, bytes, bytearray, memoryview, BinaryIO]
#: A path, bytes, a file object (binary or text), a game of an archive or of python-chess, or an iterable of these.
TextSource = Union[PathLike, bytes, bytearray, memoryview, BinaryIO, TextIO, ForeignGame, Iterable[Any]]

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
        mapped = _stamma.source_of_descriptor(file.fileno())
        return mapped if mapped is not None else _stamma.source_of_bytes(file.read())


def open_source(source: ArchiveSource) -> Tuple[_stamma.Source, Optional[str]]:
    """Returns a source of the extension module, and the path of a file, otherwise None."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        return _of_path(path), path
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _stamma.source_of_bytes(bytes(source)), None
    if hasattr(source, "seek") and hasattr(source, "read"):
        name = getattr(source, "name", None)
        return _of_file_object(source), name if isinstance(name, str) else None
    raise TypeError(f"an archive is a path, bytes or a binary file object, not {type(source).__name__}")


# ---- text to pack ----


_BROKEN = (EOFError, zlib.error, lzma.LZMAError, OSError, StammaError)


def _zstd_chunks(file: BinaryIO) -> Iterator[bytes]:
    decompressor = _stamma.ZstdDecompressor()
    for chunk in iter(lambda: file.read(_CHUNK // 4), b""):
        yield from decompressor.decompress(chunk)
    yield from decompressor.drain()


def _file_chunks(file: Any) -> Iterator[bytes]:
    """Yields the contents of a binary or text file object. Text is encoded as UTF-8."""
    while True:
        chunk = file.read(_CHUNK)
        if not chunk:
            return
        yield chunk.encode("utf-8", "surrogateescape") if isinstance(chunk, str) else bytes(chunk)


def _decompressed(file: BinaryIO, raw: bool) -> Iterator[bytes]:
    magic = file.read(6)
    file.seek(0)
    opened: Any = file
    if raw:
        magic = b""
    if magic[:4] == b"\x28\xb5\x2f\xfd":
        yield from _zstd_chunks(file)
        return
    if magic[:2] == b"\x1f\x8b":
        opened = gzip.open(file)
    elif magic[:3] == b"BZh":
        opened = bz2.open(file)
    elif magic == b"\xfd7zXZ\x00":
        opened = lzma.open(file)
    yield from _file_chunks(opened)


def _path_chunks(path: str, raw: bool, meter: Optional[Meter]) -> Iterator[bytes]:
    """Yields the contents of a file, decompressed if it is compressed."""
    with builtins.open(path, "rb") as file:
        pieces, before = _decompressed(file, raw), 0
        while True:
            try:
                piece = next(pieces, None)
            except _BROKEN as error:
                if isinstance(error, OSError) and error.errno is not None:
                    raise  # the file cannot be read
                raise CorruptError(f"the file cannot be decompressed: {error}", file=path, byte=file.tell()) from error
            if meter is not None:
                meter.add(len(piece or b""), file.tell() - before)
                before = file.tell()
            if piece is None:
                return
            yield piece


def chunks(source: TextSource, raw: bool = False, meter: Optional[Meter] = None) -> Iterator[bytes]:
    """Yields the bytes of a text. Files that are compressed with gzip, bzip2, xz or zstd are decompressed, unless `raw`.
    Games of python-chess are written as PGN.

    Raises CorruptError, with the name of the file, if a file cannot be decompressed.

    >>> list(chunks([b"a", io.StringIO("b")]))
    [b'a', b'b']
    """
    part: Any = source
    if isinstance(source, (str, os.PathLike)):
        yield from _path_chunks(os.fspath(source), raw, meter)
        return
    if isinstance(source, (bytes, bytearray, memoryview)):
        pieces: Iterable[bytes] = [bytes(source)]
    elif hasattr(source, "read"):
        pieces = _file_chunks(source)
    elif hasattr(source, "__bytes__"):
        pieces = [bytes(part)]
    elif is_foreign_game(source):
        pieces = [foreign_text(source)]
    else:
        for one in part:
            yield from chunks(one, raw, meter)
        return
    for piece in pieces:
        if meter is not None:
            meter.add(len(piece), len(piece))
        yield piece


def text_size(source: TextSource) -> int:
    """Returns the number of bytes that `chunks` reads from a text, or 0 if it is unknown."""
    if isinstance(source, (str, os.PathLike)):
        return os.path.getsize(source)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return len(source)
    if not isinstance(source, (list, tuple)):
        return 0
    sizes = [text_size(part) for part in source]
    return sum(sizes) if all(sizes) else 0


def is_same_file(one: object, other: object) -> bool:
    """Returns whether two arguments are paths of the same file."""
    paths = isinstance(one, (str, os.PathLike)) and isinstance(other, (str, os.PathLike))
    return paths and os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)  # type: ignore


