# SPDX-License-Identifier: MIT
"""Archives that Spark reads: local files, which are mapped, and files of other file systems, which are read by ranges."""

from __future__ import annotations

import glob
import json
import os
import re
import threading
from typing import Any, List, Mapping, Optional, Sequence, Tuple

from .archives import Archive
from .errors import naming

#: Bytes of a small read, of headers and tables, and of a large read, of blocks.
_SMALL, _LARGE = 1 << 16, 8 << 20
#: Number of pieces of a file that are kept: the library returns to the end and to the first blocks of an archive.
_PIECES = 6


def _scheme(path: str) -> Optional[str]:
    """Returns the scheme of an address, or None for a local path."""
    found = re.match(r"([A-Za-z][A-Za-z0-9+.-]+):", path)
    return found.group(1) if found else None


def local_path(path: str) -> Optional[str]:
    """Returns the path in the local file system, or None for an address of another file system.

    >>> local_path("file:///data/a.stamma"), local_path("a.stamma"), local_path("hdfs://h/a.stamma")
    ('/data/a.stamma', 'a.stamma', None)
    """
    scheme = _scheme(path)
    if scheme is None:
        return path
    return re.sub(r"^file:(//)?", "", path) if scheme == "file" else None


def file_system(path: str) -> Tuple[Any, str]:
    """Returns a file system of pyarrow for an address, and the path in it. Addresses that pyarrow does not support are
    opened with fsspec."""
    import pyarrow
    import pyarrow.fs as fs

    try:
        return fs.FileSystem.from_uri(path)
    except pyarrow.ArrowInvalid:
        import fsspec

        system, inner = fsspec.core.url_to_fs(path)
        return fs.PyFileSystem(fs.FSSpecHandler(system)), inner


class Ranges:
    """Reads an open file in larger pieces than the library requests, because each read of a remote file waits.

    >>> import io
    >>> file = Ranges(io.BytesIO(b"0123456789"), 10)
    >>> file.read_at(8, 4), file.read_at(2, 3), file.reads
    (b'89', b'234', 2)
    """

    def __init__(self, file: Any, size: int) -> None:
        self._file = file
        self._size = size
        self._pieces: List[Tuple[int, bytes]] = []  # the last one is the last that was used
        self._at = 0
        self._lock = threading.Lock()
        #: Number of reads of the file.
        self.reads = 0

    def _piece(self, offset: int, count: int) -> Tuple[int, bytes]:
        """Returns a piece of the file that contains a range, and its offset."""
        for n, (begin, data) in enumerate(self._pieces):
            if begin <= offset and offset + count <= begin + len(data):
                return self._pieces.pop(n)
        wanted = max(count, _SMALL if count < _SMALL else _LARGE)
        self._file.seek(offset)
        self.reads += 1
        return offset, self._file.read(min(wanted, self._size - offset))

    def read_at(self, offset: int, count: int) -> bytes:
        """Returns the bytes from an offset on, fewer at the end of the file."""
        with self._lock:
            count = max(0, min(count, self._size - offset))
            begin, data = self._piece(offset, count) if count else (offset, b"")
            self._pieces = [*self._pieces[-_PIECES + 1:], (begin, data)]
            return bytes(data[offset - begin:offset - begin + count])

    # The methods of a file object that `stamma.open` calls.

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = self._size + offset if whence == os.SEEK_END else offset
        return self._at

    def read(self, count: int) -> bytes:
        return self.read_at(self._at, count)


def _open_file(system: Any, inner: str) -> Any:
    """Opens a file of a file system. fsspec's cache is not used, because it reads megabytes ahead of each read."""
    handler = getattr(system, "handler", None)
    return handler.fs.open(inner, "rb", cache_type="none") if handler else system.open_input_file(inner)


def _open_ranges(system: Any, inner: str) -> Any:
    """Opens a file of a file system for `stamma.open`, or returns None if there is no such file."""
    import pyarrow.fs as fs

    info = system.get_file_info(inner)
    missing = info.type in (fs.FileType.NotFound, fs.FileType.Directory)
    return None if missing else Ranges(_open_file(system, inner), info.size)


def _open_index(system: Any, inner: str) -> Any:
    """Opens the index file next to an archive, or returns None. Without permission to list files, some file systems
    refuse access to a missing file instead of reporting that it is missing."""
    try:
        return _open_ranges(system, inner + ".index")
    except OSError:
        return None


def open_archive(path: str) -> Archive:
    """Opens an archive, with the index file next to it."""
    local = local_path(path)
    if local is not None:
        return Archive(local)
    system, inner = file_system(path)
    opened = _open_ranges(system, inner)
    if opened is None:
        raise FileNotFoundError(f"{path}: there is no archive")
    with naming(path):
        archive = Archive(opened, index=_open_index(system, inner) or False)
    archive.path = path
    return archive


# ---- paths ----


def _pattern(path: str) -> Tuple[str, Any]:
    """Returns the folder before the first wildcard of a path, and the pattern of complete paths."""
    fixed = re.split(r"[*?\[]", path, maxsplit=1)[0]
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    tokens = re.findall(r"\*\*/|\*\*|\*|\?|\[[^\]]+\]|.", path)
    text = "".join(parts.get(t) or (t if t[0] == "[" and len(t) > 2 else re.escape(t)) for t in tokens)
    return fixed.rpartition("/")[0], re.compile(text + r"\Z")


def _expand_remote(path: str) -> List[str]:
    import pyarrow.fs as fs

    system, inner = file_system(path)
    prefix = path[:len(path) - len(inner)] if path.endswith(inner) else _scheme(path) + "://"  # type: ignore
    if re.search(r"[*?\[]", inner):
        folder, pattern = _pattern(inner)
        found = system.get_file_info(fs.FileSelector(folder, recursive=True, allow_not_found=True))
        return [prefix + f.path for f in found if f.type == fs.FileType.File and pattern.match(f.path)]
    info = system.get_file_info(inner)
    if info.type == fs.FileType.Directory:
        inside = system.get_file_info(fs.FileSelector(inner))
        return [prefix + f.path for f in inside if f.type == fs.FileType.File and f.path.endswith(".stamma")]
    return [path] if info.type == fs.FileType.File else []


def _expand_local(path: str) -> List[str]:
    if os.path.isdir(path):
        return [f for f in glob.glob(os.path.join(glob.escape(path), "*.stamma")) if os.path.isfile(f)]
    return [path] if os.path.isfile(path) else [f for f in glob.glob(path, recursive=True) if os.path.isfile(f)]


def expand(paths: Sequence[str]) -> List[str]:
    """Returns the archives that paths name, in the order of the paths and then of the names. A folder means the files
    in it whose names end in `.stamma`. Names may contain wildcards. Local paths become absolute.

    >>> [path.rpartition("/")[2] for path in expand(["games.stam?a", "games.stamma"])]
    ['games.stamma', 'games.stamma']
    """
    result: List[str] = []
    for path in paths:
        local = local_path(path)
        found = sorted(_expand_remote(path) if local is None else map(os.path.abspath, _expand_local(local)))
        if not found:
            raise FileNotFoundError(f"{path}: there is no archive")
        result += found
    return result


def paths_of(options: Mapping[str, str]) -> List[str]:
    """Returns the paths that were passed to `load`."""
    many, one = options.get("paths"), options.get("path")
    paths = (json.loads(many) if many else []) + ([one] if one else [])
    if not paths:
        raise ValueError("stamma: no path; use load(path)")
    return expand(paths)
