# SPDX-License-Identifier: MIT
"""Files that are written. A file appears under its name only when it is complete."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from typing import Any, BinaryIO, Callable, Iterator, List, Optional, Union

from .sources import PathLike

#: A path, a binary file object, or None: the call returns bytes.
Target = Union[PathLike, BinaryIO, None]


def _permissions(path: str) -> int:
    try:
        return os.stat(path).st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def sync_directory(directory: str) -> None:
    """Makes a name durable. Where that is impossible, the file is still complete."""
    with contextlib.suppress(OSError, AttributeError):
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def write_all(file: Any, data: bytes) -> None:
    """Writes all bytes to a file object that may be unbuffered."""
    view = memoryview(data)
    while view:
        count = file.write(view)
        view = view[len(view) if count is None else count:]


@contextlib.contextmanager
def _path_target(path: str, overwrite: bool) -> Iterator[Callable[[bytes], object]]:
    if os.path.lexists(path) and not overwrite:
        raise FileExistsError(f"{path} exists; overwrite=True replaces it")
    path = os.path.realpath(path)
    directory = os.path.dirname(path)
    if not os.path.isdir(directory):  # mkstemp would name its temporary file
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    descriptor, temporary = tempfile.mkstemp(prefix=".stamma-", dir=directory)
    try:
        with os.fdopen(descriptor, "wb", buffering=1 << 18) as file:
            yield lambda data: write_all(file, data)
            file.flush()
            if hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), _permissions(path))
            os.fsync(file.fileno())
        if overwrite:
            os.replace(temporary, path)
        else:
            _rename_new(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    sync_directory(directory)


def _rename_new(temporary: str, path: str) -> None:
    """Renames a file unless the new name exists. Where hard links are impossible, a file that has just appeared may be
    replaced."""
    try:
        os.link(temporary, path)
        os.unlink(temporary)
    except FileExistsError:
        raise FileExistsError(f"{path} has been created by another process") from None
    except (OSError, AttributeError):
        os.replace(temporary, path)


@contextlib.contextmanager
def writing(target: Target, overwrite: bool = False, parts: Optional[List[bytes]] = None) -> Iterator[Callable[[bytes], object]]:
    """Yields a function that writes bytes. After an exception, a file at a path is unchanged.

    >>> import os
    >>> with writing("x.bin") as write:
    ...     write(b"abc")
    >>> os.path.getsize("x.bin")
    3
    >>> os.unlink("x.bin")
    """
    if target is None:
        kept = parts if parts is not None else []
        yield kept.append
    elif isinstance(target, (str, os.PathLike)):
        with _path_target(os.fspath(target), overwrite) as write:
            yield write
    else:
        file = target
        yield lambda data: write_all(file, data)
