# SPDX-License-Identifier: MIT
"""Writing archives: packing, appending, merging, unpacking, checking and repairing."""

from __future__ import annotations

import builtins
import contextlib
import os
from dataclasses import asdict, dataclass
from typing import Any, BinaryIO, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from . import _stamma
from .errors import CorruptError, MismatchError, naming
from .progress import Meter, Progress, showing
from .sources import ArchiveSource, PathLike, TextSource, chunks, is_same_file, open_source, text_size
from .targets import Target, write_all, writing


@dataclass(frozen=True)
class Counts:
    """Numbers of games, plies and bytes of an archive, or of the games that a call packed.

    ``games``
        number of games
    ``plies, variation_plies``
        plies of the main lines, and of variations
    ``text_size``
        bytes of text
    ``archive_size``
        bytes of archive
    ``moves_bytes``
        bytes of the moves of main lines as stored
    ``games_verbatim``
        games that are stored only as text
    ``games_partly_verbatim``
        games whose beginning is stored as moves and whose rest as text
    ``games_corrected``
        games stored as moves, with corrections of their layout
    ``verbatim_bytes``
        bytes of text in these games that is stored as text
    ``games_inexact``
        games stored as text because decoding them did not reproduce the input; 0 unless there is an error in the library
    ``level_blocks``
        numbers of blocks by level: `level_blocks[2]` blocks have level 2
    """

    games: int
    plies: int
    variation_plies: int
    text_size: int
    archive_size: int
    moves_bytes: int
    games_verbatim: int
    games_partly_verbatim: int
    games_corrected: int
    verbatim_bytes: int
    games_inexact: int
    level_blocks: List[int]

    def to_dict(self) -> Dict[str, Any]:
        """Returns the counts as a dict."""
        return asdict(self)


@dataclass(frozen=True)
class Notice:
    """A game that is stored as text, in part or completely, or whose layout is corrected.

    ``game``
        index of the game, from 0
    ``reason``
        why the game is stored as text
    ``byte, line, ply``
        place in the text: offset from 0, line from 1, plies before the place
    ``bytes_kept``
        bytes that are stored as text
    ``text``
        the text at the place, at most 80 bytes
    ``found, expected``
        the layout found, and the layout expected, if only the layout is unusual
    """

    game: int
    reason: str
    byte: int
    line: int
    ply: int
    bytes_kept: int
    text: str
    found: str
    expected: str


@dataclass(frozen=True)
class Damage:
    """A damaged place of an archive, and the games that it affects.

    ``kind``
        what is damaged, such as "column"
    ``byte, size``
        offset in the archive, and number of bytes
    ``first_game, last_game``
        indices of the affected games, from 0; None: none or unknown
    ``text_size``
        bytes of text in the affected block
    ``column``
        name of the damaged column, or None
    """

    kind: str
    byte: int
    size: int
    first_game: Optional[int]
    last_game: Optional[int]
    text_size: int
    column: Optional[str]


@dataclass(frozen=True)
class Verdict:
    """The result of `verify`. An archive without damage is sound.

    ``sound``
        whether there is no damage
    ``damages``
        a `Damage` for each damaged place
    ``sound_counts``
        `Counts` of the sound blocks
    ``counts``
        `Counts` of the archive
    ``tail_size``
        bytes after the end of the archive, which an interrupted writer left; 0: none
    """

    sound: bool
    damages: List[Damage]
    sound_counts: Counts
    counts: Counts
    tail_size: int

    def to_dict(self) -> Dict[str, Any]:
        """Returns the verdict as a dict."""
        return asdict(self)


@dataclass(frozen=True)
class Repair:
    """The result of `repair`. It is complete if nothing is lost.

    ``complete``
        whether nothing is lost
    ``damages``
        a `Damage` for each damaged place
    ``kept``
        `Counts` of the new archive
    ``counts``
        `Counts` of the damaged archive
    """

    complete: bool
    damages: List[Damage]
    kept: Counts
    counts: Counts

    def to_dict(self) -> Dict[str, Any]:
        """Returns the result as a dict."""
        return asdict(self)


def _damage(raw: Dict[str, Any]) -> Damage:
    unknown = 2 ** 64 - 1
    first, last = raw["first_game"], raw["last_game"]
    return Damage(raw["kind"], raw["offset"], raw["size"], first - 1 if first else None,
                  last - 1 if last and last != unknown else None, raw["text_size"], raw["column"])


def _notices(notices: Optional[List[Notice]]) -> Optional[Callable[..., None]]:
    if notices is None:
        return None

    def take(game: int, reason: str, place: Tuple[int, int, int, int], kept: int, text: str, found: str,
             expected: str) -> None:
        notices.append(Notice(game - 1, reason, place[0], place[1], place[3], kept, text, found, expected))

    return take


@contextlib.contextmanager
def _writer(write: Callable[[bytes], object], *, sync: Any = None, cut: Any = None, old: Any = None, level: int = 0,
            threads: int = 0, memory: int = 0, check: bool = True, search: bool = True, notice: Any = None,
            progress: Any = None) -> Iterator[_stamma.Writer]:
    writer = _stamma.Writer(write, sync, cut, old, level, threads, memory, check, search, notice, progress)
    try:
        yield writer
    finally:
        writer.close()


def pack(source: TextSource, target: Target = None, *, level: int = 1, overwrite: bool = False, raw: bool = False,
         threads: int = 0, memory: int = 0, check: bool = True, search_columns: bool = True,
         progress: Progress = False, notices: Optional[List[Notice]] = None) -> Any:
    """Packs games into an archive, and returns their `Counts`. Without a target, returns the archive as bytes.

    ``source``
        a path, bytes, a binary or text file object, a game, or an iterable of these. A game may be of an archive or of
        python-chess. Files that are compressed with gzip, bzip2, xz or zstd are decompressed, unless `raw`.
    ``target``
        a path or a binary file object. A file appears at the path only when it is complete; an existing file is
        replaced only with `overwrite`.
    ``level``
        1, 2 (moves need a third of the space and decode 10 to 20 times slower) or 3 (a tenth less, six times slower)
    ``threads``, ``memory``
        number of threads (0: one for each processor), and memory limit in bytes (0: 512 MiB)
    ``check``
        decode each block and compare it before it is written
    ``progress``
        True, or a function that is called with the number of bytes done and the total, of the files as they are stored;
        the total is 0 if it is unknown. At the end, both are equal
    ``notices``
        a list to which a `Notice` is added for each game that is kept as text

    >>> import stamma
    >>> stamma.pack("games.pgn", "new.stamma", level=2).games
    86
    >>> archive = stamma.open(stamma.pack(b"1. e4 e5 *"))
    >>> str(archive[0]), archive[0].san
    ('1. e4 e5 *', ['e4', 'e5'])
    """
    if is_same_file(source, target):
        raise ValueError("an archive cannot be packed into itself")
    parts: List[bytes] = []
    meter = Meter()
    with showing("packing", progress, text_size(source), meter) as report, writing(target, overwrite, parts) as write:
        with _writer(write, level=level, threads=threads, memory=memory, check=check, search=search_columns,
                     notice=_notices(notices), progress=report) as writer:
            for chunk in chunks(source, raw, meter):
                writer.write(chunk)
            counts = Counts(**writer.finish())
    return b"".join(parts) if target is None else counts


@contextlib.contextmanager
def _locked(path: str) -> Iterator[BinaryIO]:
    """Opens a file for appending, with the lock that `stamma append` uses."""
    with builtins.open(path, "r+b", buffering=0) as file:
        try:
            import fcntl
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:
            pass
        except OSError:
            raise BlockingIOError(f"{path} is being written by another process") from None
        yield file


class _Growing:
    """The file of an archive to which games are appended."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.old_size: Optional[int] = None

    def write(self, data: bytes) -> None:
        write_all(self.file, data)

    def sync(self) -> None:
        os.fsync(self.file.fileno())

    def cut(self, size: int) -> None:
        self.file.truncate(size)
        os.fsync(self.file.fileno())
        self.file.seek(size)
        self.old_size = size

    def restore(self) -> None:
        """Removes the bytes that a failed append has written. If this fails, they are not part of the archive."""
        if self.old_size is not None:
            with contextlib.suppress(OSError):
                self.file.truncate(self.old_size)
                self.sync()


def append(archive: PathLike, source: TextSource, *, level: int = 1, raw: bool = False, threads: int = 0,
           memory: int = 0, check: bool = True, search_columns: bool = True, progress: Progress = False,
           notices: Optional[List[Notice]] = None, index: bool = True) -> Counts:
    """Adds games at the end of an archive, and returns their `Counts`.

    The file is changed in place. Until the call returns, readers see only the old games; if it fails, the archive
    contains only the old games. An index file next to the archive is brought up to date, unless `index` is False. The
    other parameters are the same as for `pack`.

    >>> import stamma
    >>> _ = stamma.pack("games.pgn", "more.stamma", overwrite=True)
    >>> stamma.append("more.stamma", b"1. d4 *\\n").games, len(stamma.open("more.stamma"))
    (1, 87)
    """
    path = os.fspath(archive)
    if is_same_file(source, path):
        raise ValueError("an archive cannot be appended to itself")
    meter = Meter()
    with naming(path), showing("appending", progress, text_size(source), meter) as report, _locked(path) as file:
        growing = _Growing(file)
        lock_free = _stamma.source_of_function(_reads(file), file.seek(0, os.SEEK_END))
        try:
            with _writer(growing.write, sync=growing.sync, cut=growing.cut, old=lock_free, level=level,
                         threads=threads, memory=memory, check=check, search=search_columns,
                         notice=_notices(notices), progress=report) as writer:
                for chunk in chunks(source, raw, meter):
                    writer.write(chunk)
                counts = Counts(**writer.finish())
            growing.sync()
        except BaseException:
            growing.restore()
            raise
    if index and os.path.exists(path + ".index"):
        _update_index(path, [path + ".index"])
    return counts


def _reads(file: Any) -> Callable[[int, int], bytes]:
    """Returns a function that reads the file through its descriptor: closing another one would release the lock."""

    def read_at(offset: int, size: int) -> bytes:
        file.seek(offset)
        return bytes(file.read(size))

    return read_at


def merge(sources: Sequence[ArchiveSource], target: Target = None, *, overwrite: bool = False,
          progress: Progress = False, index: bool = True) -> Any:
    """Joins archives, and returns the `Counts` of the new archive. Without a target, returns the archive as bytes.

    The new archive unpacks to the texts of all archives, one after another. Blocks are copied without packing them
    again. If one of the archives has an index file, the new archive also has one, unless `index` is False.

    >>> import stamma
    >>> joined = stamma.merge(["games.stamma", stamma.pack(b"1. e4 *\\n")])
    >>> len(stamma.open(joined))
    87
    """
    opened = [open_source(source) for source in sources]
    before = [path + ".index" for _, path in opened if path and os.path.exists(path + ".index")]
    parts: List[bytes] = []
    total = sum(source.size for source, _ in opened)
    with showing("merging", progress, total) as report, writing(target, overwrite, parts) as write:
        with _writer(write, progress=report) as writer:
            for source, path in opened:
                with naming(path):
                    writer.copy(source)
            counts = Counts(**writer.finish())
    if index and before and isinstance(target, (str, os.PathLike)):
        _update_index(os.fspath(target), before)
    return b"".join(parts) if target is None else counts


def recompress(source: ArchiveSource, target: Target = None, *, level: int, overwrite: bool = False, threads: int = 0,
               memory: int = 0, check: bool = True, search_columns: bool = True, progress: Progress = False) -> Any:
    """Packs an archive again at another level, and returns its `Counts`. Without a target, returns it as bytes.

    With `overwrite`, the target may be the source, which is replaced when the new archive is complete.

    >>> import stamma
    >>> small = stamma.recompress("games.stamma", level=2)
    >>> stamma.open(small).text() == stamma.open("games.stamma").text()
    True
    """
    opened, path = open_source(source)
    parts: List[bytes] = []
    with naming(path), showing("recompressing", progress) as report, writing(target, overwrite, parts) as write:
        with _writer(write, level=level, threads=threads, memory=memory, check=check, search=search_columns,
                     progress=report) as writer:
            writer.recompress(opened)
            counts = Counts(**writer.finish())
    return b"".join(parts) if target is None else counts


def unpack(source: ArchiveSource, target: Target = None, *, overwrite: bool = False, threads: int = 0, memory: int = 0,
           progress: Progress = False) -> Optional[bytes]:
    """Writes exactly the bytes that were packed. Without a target, returns them.

    >>> import stamma
    >>> stamma.unpack("games.stamma")[:22]
    b'[Event "Casual game"]\\n'
    """
    opened, path = open_source(source)
    with naming(path):
        archive = _stamma.Archive(opened)
    return unpack_archive(archive, path, target, overwrite, threads, memory, progress)


def unpack_archive(archive: _stamma.Archive, path: Optional[str], target: Target = None, overwrite: bool = False,
                   threads: int = 0, memory: int = 0, progress: Progress = False) -> Optional[bytes]:
    """Unpacks an archive that is open; see `unpack`."""
    parts: List[bytes] = []
    with naming(path), showing("unpacking", progress) as report, writing(target, overwrite, parts) as write:
        _stamma.unpack(archive, write, threads, memory, report)
    return b"".join(parts) if target is None else None


def verify(source: ArchiveSource, *, quick: bool = False, threads: int = 0, memory: int = 0,
           progress: Progress = False) -> Verdict:
    """Checks an archive completely and returns a `Verdict`. With `quick`, only checksums are compared.

    >>> import stamma
    >>> stamma.verify("games.stamma").sound
    True
    """
    opened, path = open_source(source)
    with naming(path), showing("verifying", progress) as report:
        raw, damages = _stamma.verify(_stamma.Archive(opened), quick, threads, memory, report)
    return Verdict(raw["damages"] == 0, [_damage(damage) for damage in damages], Counts(**raw["sound"]),
                   Counts(**raw["all"]), raw["tail_size"])


def repair(source: ArchiveSource, target: Target = None, *, overwrite: bool = False, threads: int = 0, memory: int = 0,
           progress: Progress = False) -> Any:
    """Writes the sound blocks of a damaged archive to a new archive, and returns a `Repair`. Without a target, returns
    the new archive as bytes.

    >>> import stamma
    >>> stamma.repair("games.stamma", "repaired.stamma").complete
    True
    """
    if is_same_file(source, target):
        raise ValueError("an archive cannot be repaired in place")
    opened, path = open_source(source)
    parts: List[bytes] = []
    with naming(path), showing("repairing", progress, opened.size) as report, writing(target, overwrite, parts) as write:
        raw, damages = _stamma.repair(opened, write, threads, memory, report)
    if target is None:
        return b"".join(parts)
    return Repair(raw["complete"], [_damage(damage) for damage in damages], Counts(**raw["kept"]), Counts(**raw["all"]))


def index(archive: PathLike, target: Optional[PathLike] = None, *, force: bool = False, threads: int = 0,
          memory: int = 0, progress: Progress = False) -> bool:
    """Writes an index file next to an archive, which makes searches fast. Returns False if the index is current.

    Unchanged parts of an earlier index file are used again. With `force`, the index is always written completely. A
    file with this name that is not an index is replaced only with `force`.

    >>> import stamma
    >>> stamma.index("games.stamma"), stamma.index("games.stamma")
    (True, False)
    """
    path = os.fspath(archive)
    out = os.fspath(target) if target is not None else path + ".index"
    if not force and os.path.exists(out) and _is_current(path, out):
        return False
    _write_index(path, out, [out] if os.path.exists(out) and not force else [], threads, memory, progress)
    return True


def _is_current(path: str, file: str) -> bool:
    """Returns whether an index file matches an archive. Raises an exception if the file is not an index."""
    with naming(file):
        try:
            _stamma.Archive(open_source(path)[0]).use_index(open_source(file)[0])
        except (MismatchError, CorruptError):
            return False
    return True


def _write_index(path: str, out: str, before: Sequence[str], threads: int, memory: int, progress: Progress) -> None:
    opened = open_source(path)[0]
    earlier = [open_source(file)[0] for file in before]
    with naming(path), showing("indexing", progress) as report, writing(out, True) as write:
        _stamma.write_index(_stamma.Archive(opened), earlier, write, threads, memory, report)


def _update_index(path: str, before: Sequence[str]) -> None:
    """Brings an index up to date. The archive is complete without an index, so errors are reported as warnings."""
    import warnings

    try:
        _write_index(path, path + ".index", before, 0, 0, False)
    except Exception as error:  # noqa: BLE001
        warnings.warn(f"{path} is complete, but its index is not up to date: {error}", stacklevel=3)

