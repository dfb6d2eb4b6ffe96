# SPDX-License-Identifier: MIT
"""Positions of archives as NumPy arrays, to train models: in the order of the archives or shuffled in parts (`positions`),
or with random access (`IndexedPositions`). `stamma.torch` has the same for PyTorch."""

from __future__ import annotations

import glob
import operator
import os
import queue
import random
import threading
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from . import _stamma
from .archives import Archive, Condition
from .sources import PathLike

#: Number of moves in the vocabulary of the column `move_index`.
MOVES = _stamma.VOCABULARY_SIZE
_WAITING = 4  # batches of a worker that wait to be used
_POOL = 32  # batches among which rows are shuffled


def paths_of(archives: Union[PathLike, Sequence[PathLike]]) -> List[str]:
    """Returns the paths of archives: a path, a pattern such as "*.stamma", or a list of these.

    >>> paths_of("games.st*")
    ['games.stamma']
    """
    names = [archives] if isinstance(archives, (str, os.PathLike)) else list(archives)
    found = [path for name in names for path in sorted(glob.glob(os.fspath(name)))]
    if not found:
        raise FileNotFoundError(f"there is no archive {archives}")
    return found


class _Worker(threading.Thread):
    """Reads parts of archives and puts their batches into a queue, followed by None or an exception."""

    def __init__(self, parts: List[Tuple[Archive, range]], options: Dict[str, Any]) -> None:
        super().__init__(daemon=True)
        self.parts = parts
        self.options = options
        self.batches: queue.Queue[Any] = queue.Queue(_WAITING)
        self.ending = False

    def run(self) -> None:
        try:
            for archive, games in self.parts:
                for batch in archive.positions(games=games, threads=1, **self.options).batches():
                    if self.ending:
                        return
                    self.batches.put(batch)
            self.batches.put(None)
        except BaseException as error:  # noqa: BLE001
            self.batches.put(error)

    def end(self) -> None:
        """Lets the thread end soon, even if nothing reads its batches."""
        self.ending = True
        try:
            while True:
                self.batches.get_nowait()
        except queue.Empty:
            pass


def _parts(paths: List[str], shuffle: bool, chance: random.Random) -> List[Tuple[Archive, range]]:
    """Returns the blocks of all archives as ranges of games."""
    parts: List[Tuple[Archive, range]] = []
    for path in paths:
        archive = Archive(path, index=False)
        parts += [(archive, block.games) for block in archive.blocks()]
    if shuffle:
        chance.shuffle(parts)
    return parts


def _in_turn(workers: List[_Worker]) -> Iterator[Any]:
    """Yields the batches of the workers in turn, so that the order does not depend on their speed."""
    active = list(workers)
    while active:
        for worker in list(active):
            batch = worker.batches.get()
            if isinstance(batch, BaseException):
                raise batch
            if batch is None:
                active.remove(worker)
            else:
                yield batch


class _Pool:
    """Collects rows, and returns them in batches of equal size."""

    def __init__(self, columns: Sequence[str], batch: int, chance: Optional[Any]) -> None:
        self.columns = columns
        self.batch = batch
        self.chance = chance
        self.arrays: List[List[Any]] = [[] for _ in columns]
        self.rows = 0

    def add(self, batch: Dict[str, Any]) -> None:
        """Adds the rows that have a move."""
        keep = batch.get("move_index_valid")
        for held, name in zip(self.arrays, self.columns):
            held.append(batch[name] if keep is None else batch[name][keep])
        self.rows += len(self.arrays[0][-1])

    def take(self, least: int) -> Iterator[Tuple[Any, ...]]:
        """Yields complete batches until fewer than `least` rows are left."""
        import numpy

        if self.rows < max(least, self.batch):
            return
        whole = [numpy.concatenate(held) for held in self.arrays]
        if self.chance is not None:
            order = self.chance.permutation(self.rows)
            whole = [array[order] for array in whole]
        at = 0
        while self.rows - at >= max(least, self.batch):
            yield tuple(array[at:at + self.batch] for array in whole)
            at += self.batch
        self.arrays = [[array[at:]] for array in whole]
        self.rows -= at


def positions(archives: Union[PathLike, Sequence[PathLike]], *, columns: Sequence[str] = ("board", "move_index"),
              batch: int = 4096, workers: int = 2, shuffle: bool = False, seed: int = 0, skip_plies: int = 0,
              sample: int = 0, share: Tuple[int, int] = (0, 1), query: Optional[Condition] = None,
              **rules: Any) -> Iterator[Tuple[Any, ...]]:
    """Yields batches of positions as tuples of NumPy arrays, one for each column, with `batch` rows each.

    ``archives``
        a path, a pattern such as "*.stamma", or a list of these
    ``columns``
        columns of fixed width of the table `positions` (doc/reference/columns.md). `board` has 64 numbers per row, `move_index`
        is the index of the move in a vocabulary of `MOVES` moves
    ``workers``
        number of threads that read archives
    ``shuffle``
        reads the blocks in random order, and shuffles the rows of blocks that are read at the same time. The same
        `seed` and number of workers produce the same rows
    ``skip_plies``, ``sample``
        as for `Archive.positions`
    ``share``
        (i, n): reads only every n-th block, starting with block i (from 0). n processes, each with a different i, read
        each block once
    ``query``, ``rules``
        only positions of games that match

    Raises FileNotFoundError if no archive has the path or pattern, and TextError for an unknown column.

    Rows without a move (null moves), and the last rows that do not fill a batch, are omitted.

    >>> import stamma.training
    >>> for boards, moves in stamma.training.positions("games.stamma", batch=4000):
    ...     print(boards.shape, boards.dtype, moves.shape, moves.dtype)
    (4000, 64) uint8 (4000,) uint16
    """
    import numpy

    read = list(columns) + ([] if "move_index" in columns else ["move_index"])
    chance = random.Random(seed)
    first, step = share
    if not 0 <= first < step:
        raise ValueError("share is (i, n) with 0 <= i < n")
    parts = _parts(paths_of(archives), shuffle, chance)[first::step]
    options = dict(columns=read, query=query, skip_plies=skip_plies, sample=sample, seed=seed, batch_rows=batch,
                   shuffle=min(16 * batch, 1 << 20) if shuffle else 0, **rules)
    crew = [_Worker(parts[i::workers], options) for i in range(max(1, workers))]
    pool = _Pool(list(columns), batch, numpy.random.default_rng(seed) if shuffle else None)
    for worker in crew:
        worker.start()
    try:
        for data in _in_turn(crew):
            pool.add(data)
            if not shuffle or pool.rows >= _POOL * batch:
                yield from pool.take(_POOL * batch // 2 if shuffle else 0)
        yield from pool.take(0)
    finally:
        for worker in crew:
            worker.end()


class IndexedPositions:
    """Positions of archives with random access: a dataset that a sampler can shuffle completely.

    ``data[i]`` is the position with index i as a tuple of NumPy values, one for each column; ``data[[3, 1, 2]]`` and
    ``data[10:20]`` are tuples of arrays with a row for each position. Reading many positions of a game together costs as
    much as reading one of them, so reading in random order is many times slower than `positions`. The numbers of plies
    of all games are read when the object is created.

    ``archives``
        a path, a pattern such as "*.stamma", or a list of these
    ``columns``
        columns of fixed width of the table `positions`, as for `positions`. Values that are missing are 0
    ``games``
        number of games that are kept in memory after they were read
    ``query``, ``rules``
        only positions of games that match

    Raises FileNotFoundError if no archive has the path or pattern, TextError for an unknown column, and IndexError for
    an index outside the dataset.

    >>> data = IndexedPositions("games.stamma")
    >>> len(data), int(data[1][1]), data[[0, 1, 100]][0].shape, len(data[:5][1])
    (4812, 1498, (3, 64), 5)
    """

    def __init__(self, archives: Union[PathLike, Sequence[PathLike]], *, columns: Sequence[str] = ("board", "move_index"),
                 games: int = 1024, query: Optional[Condition] = None, **rules: Any) -> None:
        import numpy

        #: Paths of the archives.
        self.paths = paths_of(archives)
        #: Names of the columns.
        self.columns = list(columns)
        self._games = max(1, games)
        counts, numbers, sources = [], [], []
        for source, path in enumerate(self.paths):
            with Archive(path, index=None) as archive:
                for batch in archive.games(["number", "plies"], query, **rules).batches():
                    numbers.append(batch["number"])
                    counts.append(batch["plies"])
                    sources.append(numpy.full(len(batch["plies"]), source))
                archive.positions(self.columns)  # reports unknown columns
        self._numbers = numpy.concatenate(numbers) if numbers else numpy.zeros(0, "i8")
        self._sources = numpy.concatenate(sources) if sources else numpy.zeros(0, "i8")
        self._ends = numpy.cumsum(numpy.concatenate(counts) if counts else numpy.zeros(0, "i8"), dtype="i8")
        self._forget()

    def _forget(self) -> None:
        """Closes archives and forgets games, which are not shared with other processes."""
        self._process = os.getpid()
        self._opened: Dict[int, Archive] = {}
        self._kept: Dict[int, Tuple[Any, ...]] = {}

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_opened": {}, "_kept": {}}

    def __len__(self) -> int:
        """Number of positions."""
        return int(self._ends[-1]) if len(self._ends) else 0

    def _read_game(self, place: int) -> Tuple[Any, ...]:
        """Returns the columns of all positions of the game at a place."""
        if self._process != os.getpid():
            self._forget()
        kept = self._kept.pop(place, None)
        if kept is None:
            source, number = int(self._sources[place]), int(self._numbers[place])
            if source not in self._opened:
                self._opened[source] = Archive(self.paths[source], index=False)
            table = self._opened[source].positions(self.columns, numbers=range(number, number + 1), threads=1)
            batches = list(table.batches())
            kept = tuple(_joined([batch[name] for batch in batches]) for name in self.columns)
            while len(self._kept) >= self._games:
                self._kept.pop(next(iter(self._kept)))
        self._kept[place] = kept  # the newest
        return kept

    def _row(self, index: int) -> Tuple[Any, ...]:
        import numpy

        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"there is no position {index}; the dataset has {len(self)}")
        place = int(numpy.searchsorted(self._ends, at, "right"))
        ply = at - (int(self._ends[place - 1]) if place else 0)
        return tuple(array[ply] for array in self._read_game(place))

    def __getitem__(self, index: Any) -> Tuple[Any, ...]:
        """Returns the position with an index, or the positions of a slice or of a sequence of indices."""
        import numpy

        if isinstance(index, slice):
            index = range(*index.indices(len(self)))
        elif not hasattr(index, "__len__"):
            return self._row(operator.index(index))
        wanted = [operator.index(one) for one in index]
        rows: List[Any] = [None] * len(wanted)
        for at in sorted(range(len(wanted)), key=wanted.__getitem__):  # positions of a game together
            rows[at] = self._row(wanted[at])
        if not rows:
            return tuple(numpy.zeros(0) for _ in self.columns)
        return tuple(numpy.stack(values) for values in zip(*rows))


def _joined(arrays: List[Any]) -> Any:
    import numpy

    return arrays[0] if len(arrays) == 1 else numpy.concatenate(arrays)
