# SPDX-License-Identifier: MIT
"""Filters of Spark as conditions, compared with the rows of the table. Spark itself is not needed."""
import datetime
import random
import unittest

import stamma
from stamma.spark_filters import condition_of
from support import has, odd_games


class EqualTo:
    def __init__(self, column, value):
        self.attribute = (column,)
        self.value = value

    def holds(self, value):
        return None if value is None or self.value is None else self.compare(value)

    def compare(self, value):
        return value == self.value

    def __repr__(self):
        return f"{type(self).__name__}({self.attribute[0]}, {self.value!r})"


class LessThan(EqualTo):
    def compare(self, value):
        return value < self.value


class LessThanOrEqual(EqualTo):
    def compare(self, value):
        return value <= self.value


class GreaterThan(EqualTo):
    def compare(self, value):
        return value > self.value


class GreaterThanOrEqual(EqualTo):
    def compare(self, value):
        return value >= self.value


class StringStartsWith(EqualTo):
    def compare(self, value):
        return value.startswith(self.value)


class StringEndsWith(EqualTo):
    def compare(self, value):
        return value.endswith(self.value)


class StringContains(EqualTo):
    def compare(self, value):
        return self.value in value


class EqualNullSafe(EqualTo):
    def holds(self, value):
        return value == self.value


class IsNotNull(EqualTo):
    def __init__(self, column):
        self.attribute = (column,)
        self.value = None

    def holds(self, value):
        return value is not None


class IsNull(IsNotNull):
    def holds(self, value):
        return value is None


class In(EqualTo):
    def holds(self, value):
        if value is None:
            return None
        return True if value in [v for v in self.value if v is not None] else None if None in self.value else False


class Not:
    def __init__(self, child):
        self.child = child
        self.attribute = ()

    def holds(self, value):
        found = self.child.holds(value)
        return None if found is None else not found

    def __repr__(self):
        return f"Not({self.child!r})"


COLUMNS = ("white", "event", "termination", "date", "white_rating", "black_rating", "result", "speed", "eco", "plies",
           "tag:UTCDate", "opening")
COMPARISONS = (EqualTo, EqualNullSafe, LessThan, LessThanOrEqual, GreaterThan, GreaterThanOrEqual)
TEXTS = (StringStartsWith, StringEndsWith, StringContains)


@unittest.skipUnless(has("pyarrow"), "there is no pyarrow")
class Filters(unittest.TestCase):
    def setUp(self):
        import pyarrow
        self.archive = stamma.open(stamma.pack(odd_games(600)))
        self.rows = pyarrow.table(self.archive.games(COLUMNS, plain_texts=True)).to_pydict()
        self.counts = {True: 0, False: 0, None: 0}

    def check(self, one):
        column = (one.child if isinstance(one, Not) else one).attribute[0]
        wanted = {n for n, value in enumerate(self.rows[column]) if one.holds(value)}
        pushed = condition_of(one)
        self.counts[pushed and pushed.equal] += 1
        if pushed is None:
            return
        found = set(self.archive.find(pushed.rules).indices())
        self.assertLessEqual(wanted, found, (one, pushed))
        if pushed.equal:
            self.assertEqual(wanted, found, (one, pushed))

    def test_conditions_hold_for_the_same_games(self):
        chance = random.Random(1)
        for column, values in self.rows.items():
            present = sorted({value for value in values if value is not None})
            others = {str: ["Blitz", "A*", "?", "B90", "TAL", "", 'a"b', "B9"], int: [0, 1, -5, 9999, 10000, 2501],
                      datetime.date: [datetime.date(2010, 3, 1), datetime.date(1850, 1, 1), datetime.date(2015, 1, 1)]}
            values = present + others[type(present[0])]
            kinds = COMPARISONS + (TEXTS if isinstance(present[0], str) else ())
            filters = [IsNotNull(column), IsNull(column)]
            for _ in range(60):
                value = chance.choice(values)
                kind = chance.choice(kinds)
                if kind in TEXTS:
                    value = value[:chance.randrange(1, 5)]
                filters.append(kind(column, value))
                filters.append(In(column, chance.sample(values, min(len(values), chance.randrange(1, 4))) +
                                  [None] * (chance.random() < 0.3)))
            for one in filters:
                self.check(one)
                self.check(Not(one))
        self.assertTrue(min(self.counts.values()) > 100, self.counts)
