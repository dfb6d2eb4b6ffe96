# SPDX-License-Identifier: MIT
"""Progress of long calls."""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Callable, Iterator, Optional, Union

#: False: none. True: a bar of tqdm if it is installed, otherwise a line on standard error. A function is called with the
#: number of bytes done and the total (0: unknown).
Progress = Union[bool, Callable[[int, int], object], None]


class _Line:
    """Prints percentages on standard error."""

    def __init__(self, verb: str) -> None:
        self.verb = verb
        self.shown = -1

    def __call__(self, done: int, total: int) -> None:
        percent = 100 * done // total if total else done >> 20
        if percent != self.shown:
            self.shown = percent
            unit = ("MiB", "%")[total > 0]
            print(f"\r{self.verb}: {percent} {unit}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.shown >= 0:
            print(file=sys.stderr)


class _Bar:
    """A bar of tqdm."""

    def __init__(self, verb: str, bars: Any) -> None:
        self.bar = bars.tqdm(desc=verb, unit="B", unit_scale=True)

    def __call__(self, done: int, total: int) -> None:
        if total and self.bar.total != total:
            self.bar.total = total
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        self.bar.close()


@contextlib.contextmanager
def showing(verb: str, progress: Progress, total: int = 0) -> Iterator[Optional[Callable[[int, int], object]]]:
    """Yields a function to be called with the bytes done and the total, or None.

    `total` is used if the library does not know the total.

    >>> with showing("packing", lambda done, total: print(done, total), 10) as report:
    ...     report(5, 0)
    5 10
    """
    if not progress:
        yield None
        return
    if callable(progress):
        given = progress
        yield lambda done, known: given(done, known or total)
        return
    try:
        import tqdm.auto as bars
        shown: Any = _Bar(verb, bars)
    except ImportError:
        shown = _Line(verb)
    try:
        yield lambda done, known: shown(done, known or total)
    finally:
        shown.close()
