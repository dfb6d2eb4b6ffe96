#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints statements for `stamma sql` that compare random constraints on an archive with the same constraints on a copy.

usage: sql_constraints.py COUNT SEED [COLUMN...]

The columns are columns of tags, in addition to the columns that every archive has.

The copy is an ordinary table of SQLite, on which no constraint becomes a query. Each statement returns a row if the results
differ. Values of the constraints are read from the copy, by subqueries that SQLite evaluates first.
"""
import random
import sys

TEXTS = ["white", "black", "event", "site", "round", "result", "eco", "opening", "speed", "termination", "date"]
NUMBERS = ["number", "white_rating", "black_rating", "plies"]


def literal(text):
    return "'" + text.replace("'", "''") + "'"


def value(column, rng):
    return "(SELECT %s FROM copy WHERE %s IS NOT NULL LIMIT 1 OFFSET abs(%d) %% (SELECT max(1, count(%s)) FROM copy))" % (
        column, column, rng.randrange(1 << 30), column)


def text_constraint(rng):
    column = rng.choice(TEXTS)
    one = value(column, rng)
    kind = rng.randrange(8)
    if kind == 0:
        return "%s = %s" % (column, one)
    if kind == 1:
        return "%s IN (%s)" % (column, ", ".join(value(column, rng) for _ in range(rng.randrange(1, 4))))
    if kind == 2:
        return "%s LIKE substr(%s, 1, %d) || '%%'" % (column, one, rng.randrange(1, 6))
    if kind == 3:
        return "%s LIKE '%%' || substr(%s, %d, 3) || '%s'" % (column, one, rng.randrange(1, 6), rng.choice(["%", "_%", "%_"]))
    if kind == 4:
        return "%s GLOB substr(%s, 1, 3) || '%s'" % (column, one, rng.choice(["*", "?*", "[a-z]*"]))
    if kind == 5:
        return "%s %s %s" % (column, rng.choice(["<", "<=", ">", ">="]), one)
    if kind == 6:
        return "%s = %s COLLATE NOCASE" % (column, rng.choice([one, "upper(%s)" % one]))
    return "%s %s" % (column, rng.choice(["IS NULL", "IS NOT NULL", "= ''", "= '?'", "LIKE '?'", "LIKE 'B9_'", "= NULL"]))


def number_constraint(rng):
    column = rng.choice(NUMBERS)
    one = value(column, rng)
    kind = rng.randrange(4)
    if kind == 0:
        return "%s BETWEEN %s AND %s + %d" % (column, one, one, rng.choice([0, 1, 10, 300]))
    if kind == 1:
        return "%s IN (%s, %s)" % (column, one, value(column, rng))
    if kind == 2:
        return "%s %s %s" % (column, rng.choice(["=", "<", ">="]), rng.choice(["0", "-1", "2000.5", "1e300", "99999", "'3'", "NULL"]))
    return "%s %s %s" % (column, rng.choice(["=", "<", "<=", ">", ">="]), one)


def constraint(rng, depth=0):
    kind = rng.randrange(6)
    if depth < 2 and kind == 0:
        return "(%s OR %s)" % (constraint(rng, depth + 1), constraint(rng, depth + 1))
    if depth < 2 and kind == 1:
        return "NOT (%s)" % constraint(rng, depth + 1)
    if depth < 2 and kind == 2:
        return "(%s AND %s)" % (constraint(rng, depth + 1), constraint(rng, depth + 1))
    return text_constraint(rng) if rng.randrange(3) else number_constraint(rng)


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    TEXTS.extend(sys.argv[3:])
    print("CREATE TEMP TABLE copy AS SELECT %s FROM games;" % ", ".join(TEXTS + NUMBERS))
    for _ in range(count):
        where = constraint(rng)
        sums = ["(SELECT count(*) || ' ' || total(number) FROM %s WHERE %s)" % (table, where) for table in ("games", "copy")]
        print("SELECT %s AS constraint_, a, b FROM (SELECT %s AS a, %s AS b) WHERE a IS NOT b;" % (
            literal(where), sums[0], sums[1]))


if __name__ == "__main__":
    main()
