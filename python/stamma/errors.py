# SPDX-License-Identifier: MIT
"""Exceptions of the package. All are subclasses of `StammaError`.

An exception has these attributes, which are None if they are unknown:

- ``file``: name of the file;
- ``byte``: offset in the file or text, from 0;
- ``line``: line of the text, from 1;
- ``game``: index of the game, from 0; ``number``: its number, from 1, which the message contains;
- ``ply``: number of plies played before the place.

>>> import stamma
>>> try:
...     stamma.Position("8/8/8/8/8/8/8/8 w - -")
... except stamma.StammaError as error:
...     print(error)
no white king
"""

from __future__ import annotations

from typing import Dict, Optional, Type


class StammaError(Exception):
    """Base of all exceptions of this package.

    >>> error = StammaError("damaged", file="a.stamma", byte=12, game=3)
    >>> str(error), error.game, error.number
    ('a.stamma: damaged (byte 12, game 4)', 3, 4)
    """

    def __init__(self, message: str, *, file: Optional[str] = None, byte: Optional[int] = None,
                 line: Optional[int] = None, game: Optional[int] = None, ply: Optional[int] = None) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.byte = byte
        self.line = line
        self.game = game
        self.ply = ply

    @property
    def number(self) -> Optional[int]:
        """Number of the game, from 1, or None."""
        return None if self.game is None else self.game + 1

    def __str__(self) -> str:
        places = [("byte", self.byte), ("line", self.line), ("game", self.number), ("ply", self.ply)]
        where = ", ".join(f"{name} {value}" for name, value in places if value is not None)
        return (f"{self.file}: " if self.file else "") + self.message + (f" ({where})" if where else "")


class OutOfMemoryError(StammaError, MemoryError):
    """Memory is exhausted."""


class InputOutputError(StammaError, OSError):
    """A file could not be read or written."""


class ArgumentError(StammaError, ValueError):
    """An argument has no valid value."""


class TextError(StammaError, ValueError):
    """A text does not have the expected form: a FEN, a move."""


class IllegalError(StammaError, ValueError):
    """A move or a position is against the rules of chess."""


class AmbiguousError(StammaError, ValueError):
    """A text matches several legal moves."""


class CorruptError(StammaError):
    """An archive or a code is damaged."""


class UnsupportedError(StammaError):
    """This version cannot read or represent something that may be valid."""


class CancelledError(StammaError):
    """A call was stopped, for example by its time limit."""


class LimitError(StammaError):
    """A limit that the caller set was reached."""


class MismatchError(StammaError):
    """An input is not the one that was used before."""


class NotAnArchiveError(StammaError):
    """A file is not a Stamma archive, or not an index file."""


class SelfCheckError(StammaError):
    """The output of the library is wrong, and was not written. Memory is faulty, or the library has an error."""


class QueryError(TextError):
    """A query is invalid.

    ``byte`` and ``size`` describe the invalid part of ``query``, the query in JSON.

    >>> import stamma
    >>> try:
    ...     stamma.Query({"plyer": "Tal"})
    ... except QueryError as error:
    ...     print(error.message)
    unknown rule "plyer"; did you mean "player"?
    """

    def __init__(self, message: str, byte: int, size: int) -> None:
        super().__init__(message, byte=byte)
        self.size = size
        self.query: Optional[str] = None


_BY_NUMBER: Dict[int, Type[StammaError]] = {
    1: OutOfMemoryError, 2: InputOutputError, 4: ArgumentError, 5: TextError, 6: IllegalError, 7: CorruptError,
    8: UnsupportedError, 9: CancelledError, 10: AmbiguousError, 11: LimitError, 12: MismatchError,
    13: NotAnArchiveError, 14: SelfCheckError}


def make(number: int, message: str, has_place: bool, byte: int, line: int, game: int, ply: int) -> StammaError:
    """Returns the exception for an error number of the library. The extension module calls this function."""
    kind = _BY_NUMBER.get(number, StammaError)
    if not has_place:
        return kind(message)
    return kind(message, byte=byte or None, line=line or None, game=game - 1 if game else None, ply=ply or None)


def make_query(message: str, byte: int, size: int) -> QueryError:
    """Returns the exception of an invalid query. The extension module calls this function."""
    return QueryError(message, byte, size)


class naming:
    """Adds the name of a file, and the index of a game, to exceptions that are raised in the block and have none."""

    __slots__ = ("_file", "_game")

    def __init__(self, file: Optional[str], game: Optional[int] = None) -> None:
        self._file = file
        self._game = game

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: Optional[BaseException], trace: object) -> None:
        if not isinstance(error, StammaError):
            return
        if error.file is None:
            error.file = self._file
        if error.game is None:
            error.game = self._game
