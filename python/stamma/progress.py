# SPDX-License-Identifier: MIT
"""Progress of long calls."""

from __future__ import annotations

import collections
import contextlib
import sys
from typing import Any, Callable, Deque, Iterator, Optional, Tuple, Union

#: False: none. True: a bar of tqdm if it is installed, otherwise a line on standard error. A function is called with the
#: number of bytes done and the total (0: unknown). A call that succeeds ends with as many bytes done as the total.
Progress = Union[bool, Callable[[int, int], object], None]


class Meter:
    """Converts bytes of text that were packed to bytes that were read from files, which may be compressed.

    >>> meter = Meter()
    >>> meter.add(1000, 100), meter.add(1000, 100), meter.read(1500), meter.read(2000)
    (None, None, 100, 200)
    """

    def __init__(self) -> None:
        self._text = self._stored = self._passed = 0
        self._ends: Deque[Tuple[int, int]] = collections.deque()

    def add(self, text: int, stored: int) -> None:
        """Records that the next `text` bytes of text were in the next `stored` bytes of the files."""
        self._text += text
        self._stored += stored
        self._ends.append((self._text, self._stored))

    def read(self, done: int) -> int:
        """Returns the bytes of the files in which the first `done` bytes of text were. `done` never decreases."""
        while self._ends and self._ends[0][0] <= done:
            self._passed = self._ends.popleft()[1]
        return self._passed


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


class _Report:
    """Passes on the bytes done and the total, and completes them at the end."""

    def __init__(self, shown: Callable[[int, int], object], total: int, meter: Optional[Meter]) -> None:
        self.shown = shown
        self.total = total
        self.meter = meter
        self.last = (-1, 0)

    def __call__(self, done: int, total: int) -> None:
        if self.meter is not None:
            done, total = self.meter.read(done), self.total
        self._show(done, total or self.total)

    def finish(self) -> None:
        done, total = self.last
        total = total or self.total or max(done, 0)
        self._show(total, total)

    def _show(self, done: int, total: int) -> None:
        now = (min(done, total) if total else done, total)
        if now != self.last:
            self.last = now
            self.shown(*now)


def _shown(verb: str, progress: Progress) -> Any:
    """Returns the function of the caller, or an object that prints progress."""
    if callable(progress):
        return progress
    try:
        import tqdm.auto as bars
        return _Bar(verb, bars)
    except ImportError:
        return _Line(verb)


@contextlib.contextmanager
def showing(verb: str, progress: Progress, total: int = 0,
            meter: Optional[Meter] = None) -> Iterator[Optional[Callable[[int, int], object]]]:
    """Yields a function to be called with the bytes done and the total, or None. When the block succeeds, everything
    is done.

    `total` is used if the library does not know the total. With a meter, the library reports bytes of text, and
    `total` is the number of bytes of the files.

    >>> with showing("packing", lambda done, total: print(done, total), 10) as report:
    ...     report(5, 0)
    5 10
    10 10
    """
    if not progress:
        yield None
        return
    shown = _shown(verb, progress)
    report = _Report(shown, total, meter)
    try:
        yield report
        report.finish()
    finally:
        if not callable(progress):
            shown.close()
