"""Positions of archives as tensors of PyTorch.

::

    for boards, moves in stamma.torch.positions("*.stamma", batch=4096, workers=2, shuffle=True):
        loss = cross_entropy(model(boards), moves)
"""

from __future__ import annotations

from typing import Any, Iterator, Sequence, Tuple, Union

from . import training
from .sources import PathLike
from .training import MOVES, paths_of


def positions(archives: Union[PathLike, Sequence[PathLike]], **options: Any) -> Iterator[Tuple[Any, ...]]:
    """Yields batches of positions as tuples of tensors, one for each column. Options are those of
    `stamma.training.positions`.

    Unsigned numbers of 16 bits become int64, which loss functions need; other types do not change.
    """
    import numpy
    import torch

    for batch in training.positions(archives, **options):
        yield tuple(torch.from_numpy(array.astype(numpy.int64) if array.dtype == numpy.uint16 else array.copy())
                    for array in batch)


__all__ = ["MOVES", "paths_of", "positions"]
