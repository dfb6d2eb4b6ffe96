# SPDX-License-Identifier: MIT
"""Filters of Spark as conditions of doc/reference/search.md.

A condition is *equal* to a filter if it holds for exactly the same games: Spark then does not evaluate the filter. Other
conditions are *wider*: they hold for all games for which the filter holds, and Spark evaluates the filter after them.
"""

from __future__ import annotations

import datetime
import re
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

Rules = Dict[str, Any]

_SPEEDS = ("ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence")
_FINISHED = ("1-0", "0-1", "1/2-1/2")
_RATINGS = {"white_rating": "white-rating", "black_rating": "black-rating"}
#: Columns that are tags, without other sources of their values.
_TAGS = {"white": "White", "black": "Black", "event": "Event", "site": "Site", "round": "Round",
         "termination": "Termination"}
_MIRRORED = {"LessThan": "GreaterThanOrEqual", "LessThanOrEqual": "GreaterThan", "GreaterThan": "LessThanOrEqual",
             "GreaterThanOrEqual": "LessThan"}


class Pushed(NamedTuple):
    """A condition for a filter, and whether it is equal to the filter."""

    rules: Rules
    equal: bool


class _Plain(NamedTuple):
    """A filter: the name of its class in Spark, without `Not`, its column and its value."""

    kind: str
    column: str
    value: Any
    negated: bool


def _plain(filter: Any) -> Optional[_Plain]:
    negated = type(filter).__name__ == "Not"
    inner = filter.child if negated else filter
    attribute = getattr(inner, "attribute", ())
    if len(attribute) != 1:
        return None
    kind, value = type(inner).__name__, getattr(inner, "value", None)
    if negated and kind in _MIRRORED:  # neither holds for a null
        kind, negated = _MIRRORED[kind], False
    if kind == "EqualNullSafe" and value is not None and not negated:
        kind = "EqualTo"
    return _Plain(kind, attribute[0], value, negated)


def _values(f: _Plain) -> Optional[Sequence[Any]]:
    """Returns the values of `=` and `IN`. `NOT IN` with a null never holds, which is left to Spark."""
    if f.kind == "EqualTo" and f.value is not None:
        return [f.value]
    if f.kind == "In":
        found = [value for value in f.value if value is not None]
        if found and not (f.negated and len(found) < len(f.value)):
            return found
    return None


def _ranges(f: _Plain, low: int, high: int) -> Optional[List[str]]:
    """Returns the ranges of the whole numbers from `low` to `high` for which a filter holds; None if there are none, or if
    the filter is of another kind."""
    values = _values(f)
    if values is not None and all(type(value) is int for value in values):
        inside = sorted(value for value in set(values) if low <= value <= high)
        if not f.negated:
            return [str(value) for value in inside] or None
        edges = [low - 1, *inside, high + 1]
        return [f"{a + 1}..{b - 1}" for a, b in zip(edges, edges[1:]) if a + 1 < b] or None
    if f.negated or type(f.value) is not int:
        return None
    first, last = {"LessThan": (low, f.value - 1), "LessThanOrEqual": (low, f.value),
                   "GreaterThan": (f.value + 1, high), "GreaterThanOrEqual": (f.value, high)}.get(f.kind, (1, 0))
    first, last = max(first, low), min(last, high)
    return [f"{first}..{last}"] if first <= last else None


def _numbers(f: _Plain, key: str, low: int, high: int) -> Optional[Pushed]:
    ranges = _ranges(f, low, high)
    return Pushed({key: ranges}, True) if ranges else None


def _words(f: _Plain, words: Sequence[str]) -> Optional[List[str]]:
    """Returns the words for which a filter holds."""
    values = _values(f)
    found = [word for word in words if values is not None and (word in values) != f.negated]
    return found or None


def _result(f: _Plain) -> Optional[Pushed]:
    """Returns the condition for a filter on the result. The column is `*` if the game has no other result, but the rule
    with `*` requires that the game has the result `*`."""
    found = _words(f, (*_FINISHED, "*"))
    if not found:
        return None
    others = [word for word in _FINISHED if word not in found]
    if "*" not in found:
        return Pushed({"result": found}, True)
    return Pushed({"not": {"result": others}}, True) if others else None


def _pattern(f: _Plain) -> Optional[str]:
    """Returns a pattern for a text. The wildcards `*` and `?` of a value also match themselves."""
    if f.negated or not isinstance(f.value, str) or not f.value or re.search(r'["\\\x00-\x1f]|^\s|\s$', f.value):
        return None
    form = {"EqualTo": "{}", "StringStartsWith": "{}*", "StringEndsWith": "*{}", "StringContains": "*{}*"}.get(f.kind)
    return form.format(f.value) if form else None


def _tag(f: _Plain, tag: str) -> Optional[Pushed]:
    """Returns the condition for a filter on a tag. It is wider than the filter: patterns ignore case and accents."""
    if f.kind == "In" and not f.negated:
        patterns = [_pattern(f._replace(kind="EqualTo", value=value)) for value in f.value if value is not None]
    else:
        patterns = [_pattern(f)]
    if not patterns or None in patterns:
        return None
    return Pushed({"tag": {tag: patterns}}, False)


def _eco(f: _Plain) -> Optional[Pushed]:
    """Returns the condition for a filter on the ECO code. Without a code in the tag, the column uses the moves."""
    values = _values(f)
    if f.negated or values is None or not all(re.match(r"[A-E]\d\d\Z", str(value)) for value in values):
        return None
    return Pushed({"any": [{"eco": list(values)}, {"not": {"eco": "A..E"}}]}, False)


#: Games with a tag `Date` in which a digit of the year is unknown: the column then has the date of `UTCDate`.
_UNKNOWN_YEAR: Rules = {"all": [
    {"tag": {"Date": "*", "UTCDate": "*"}},
    {"not": {"all": [{"tag": {"Date": ["?" * place + f"{digit}*" for digit in range(10)]}} for place in range(4)]}}]}


def _date(f: _Plain) -> Optional[Pushed]:
    """Returns the condition for a filter on the date. The rule also holds if a partly unknown date may be in the range.
    Selects complete months: a day that its month does not have is unknown only in the column."""
    values = _values(f)
    month = "{0.year:04}.{0.month:02}".format
    if values is not None and not f.negated and all(type(value) is datetime.date for value in values):
        ranges = sorted({month(value) for value in values})
    elif not f.negated and type(f.value) is datetime.date and f.kind in ("LessThan", "LessThanOrEqual"):
        ranges = [".." + month(f.value)]
    elif not f.negated and type(f.value) is datetime.date and f.kind in ("GreaterThan", "GreaterThanOrEqual"):
        ranges = [month(f.value) + ".."]
    else:
        return None
    return Pushed({"any": [{"date": ranges}, _UNKNOWN_YEAR]}, False)


def _known(column: str) -> Optional[Pushed]:
    """Returns the condition that a column is not null."""
    if column in ("number", "result", "plies"):
        return Pushed({}, True)
    if column == "speed":
        return Pushed({"speed": list(_SPEEDS)}, True)
    return Pushed({_RATINGS[column]: "1..9999"}, True) if column in _RATINGS else None


def condition_of(filter: Any) -> Optional[Pushed]:
    """Returns a condition for a filter on a column of the table of games, or None."""
    f = _plain(filter)
    if f is None:
        return None
    if f.kind == "IsNotNull" and not f.negated:
        return _known(f.column)
    if f.column in _RATINGS:
        return _numbers(f, _RATINGS[f.column], 1, 9999)
    if f.column == "plies":
        return _numbers(f, "plies", 0, (1 << 31) - 1)
    if f.column == "speed":
        found = _words(f, _SPEEDS)
        return Pushed({"speed": found}, True) if found else None
    if f.column == "result":
        return _result(f)
    if f.column == "eco":
        return _eco(f)
    if f.column == "date":
        return _date(f)
    tag = f.column[4:] if f.column.startswith("tag:") else _TAGS.get(f.column)
    return _tag(f, tag) if tag else None


def numbers_of(filter: Any) -> Optional[range]:
    """Returns the range of game numbers outside which a filter on them does not hold, or None."""
    f = _plain(filter)
    if f is None or f.negated:
        return None
    most = (1 << 63) - 1
    values = _values(f)
    if values is not None and all(type(value) is int for value in values):
        return range(min(values), max(values) + 1)
    if type(f.value) is not int:
        return None
    return {"LessThan": range(1, f.value), "LessThanOrEqual": range(1, f.value + 1),
            "GreaterThan": range(f.value + 1, most), "GreaterThanOrEqual": range(f.value, most)}.get(f.kind)
