# SPDX-License-Identifier: MIT
"""Positions of archives as tensors of PyTorch, as an iterator or as a dataset for a DataLoader.

::

    for boards, moves in stamma.torch.positions("*.stamma", batch=4096, workers=2, shuffle=True):
        loss = cross_entropy(model(boards), moves)
"""

from __future__ import annotations

from typing import Any, Iterator, List, Sequence, Tuple, Union

import numpy
import torch
import torch.utils.data

from . import training
from .sources import PathLike
from .training import MOVES, paths_of


def _tensor(array: Any) -> Any:
    """Returns an array as a tensor. Unsigned numbers of 16 bits become int64, which loss functions need."""
    return torch.from_numpy(array.astype("int64") if array.dtype == "uint16" else array.copy())


def positions(archives: Union[PathLike, Sequence[PathLike]], **options: Any) -> Iterator[Tuple[Any, ...]]:
    """Yields batches of positions as tuples of tensors, one for each column. The options are the same as for
    `stamma.training.positions`.

    Unsigned numbers of 16 bits become int64, which loss functions need; other types do not change.
    """
    for batch in training.positions(archives, **options):
        yield tuple(_tensor(array) for array in batch)


class Positions(torch.utils.data.IterableDataset):  # type: ignore[misc]
    """A dataset of complete batches, for a DataLoader with ``batch_size=None``.

    ::

        data = stamma.torch.Positions("*.stamma", batch=4096, shuffle=True, seed=1)
        loader = torch.utils.data.DataLoader(data, batch_size=None, num_workers=2)
        for epoch in range(4):
            data.set_epoch(epoch)
            for boards, moves in loader:
                ...

    The processes of the loader divide the blocks of the archives among them. The options are the same as for
    `stamma.training.positions`; `workers`, the threads of each process, is 1 by default. The same seed, epoch and number
    of processes produce the same batches in the same order. Each process omits its last rows if they do not fill a batch.
    """

    def __init__(self, archives: Union[PathLike, Sequence[PathLike]], *, seed: int = 0, workers: int = 1,
                 **options: Any) -> None:
        self.paths = paths_of(archives)
        self.seed = seed
        self.epoch = 0
        self.options = {**options, "workers": workers}

    def set_epoch(self, epoch: int) -> None:
        """Sets the number of the pass, which changes the order of a shuffled dataset. Call before each pass."""
        self.epoch = epoch

    def __iter__(self) -> Iterator[Tuple[Any, ...]]:
        process = torch.utils.data.get_worker_info()
        share = (process.id, process.num_workers) if process else (0, 1)
        return positions(self.paths, share=share, seed=self.seed + self.epoch, **self.options)


class IndexedPositions(torch.utils.data.Dataset):  # type: ignore[misc]
    """A dataset of single positions with random access, for a DataLoader with ``shuffle=True``.

    ::

        data = stamma.torch.IndexedPositions("*.stamma")
        loader = torch.utils.data.DataLoader(data, batch_size=4096, shuffle=True, num_workers=2)

    ``data[i]`` is a tuple of tensors, one for each column. The options are the same as for
    `stamma.training.IndexedPositions`. `Positions` reads many times faster.
    """

    def __init__(self, archives: Union[PathLike, Sequence[PathLike]], **options: Any) -> None:
        #: The same positions as NumPy values.
        self.data = training.IndexedPositions(archives, **options)

    def __len__(self) -> int:
        """Number of positions."""
        return len(self.data)

    def __getitem__(self, index: int) -> Tuple[Any, ...]:
        """Returns the position with an index."""
        return tuple(_tensor(numpy.asarray(value)) for value in self.data[index])

    def __getitems__(self, indices: Sequence[int]) -> List[Tuple[Any, ...]]:
        """Returns the positions with several indices. A DataLoader calls this method for each batch."""
        return list(zip(*(_tensor(array) for array in self.data[indices])))


__all__ = ["IndexedPositions", "MOVES", "Positions", "paths_of", "positions"]
