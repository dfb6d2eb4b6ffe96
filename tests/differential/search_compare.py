#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares answers to queries, line by line, and prints the differences.

usage: search_compare.py QUERIES.jsonl WANTED FOUND [NAME]

Each line of WANTED and FOUND is the JSON list of [number, [ply, ...]] of the games that the query finds."""
import json
import sys

SHOWN = 20


def difference(query, wanted, found):
    """Describes the difference; returns an empty text if there is none. The answer may ignore `skip` and `limit`."""
    if not isinstance(found, list):
        return "it says " + str(found)
    if len(found) != len(wanted):
        begin = query.get("skip", 0)
        found = found[begin:begin + query.get("limit", len(found))]
    wanted, found = dict(map(tuple, wanted)), dict(map(tuple, found))
    words = []
    if wanted.keys() - found.keys():
        words.append("does not find " + str({n: wanted[n] for n in sorted(wanted.keys() - found.keys())[:4]}))
    if found.keys() - wanted.keys():
        words.append("finds " + str({n: found[n] for n in sorted(found.keys() - wanted.keys())[:4]}))
    other = [n for n in wanted.keys() & found.keys() if wanted[n] != found[n]]
    if other:
        words.append("at other plies " + str({n: (found[n], "not", wanted[n]) for n in sorted(other)[:4]}))
    return "; ".join(words)


def main():
    queries, wanted, found = ([json.loads(line) for line in open(path, encoding="utf-8")] for path in sys.argv[1:4])
    name = sys.argv[4] if len(sys.argv) > 4 else sys.argv[3]
    if not len(queries) == len(wanted) == len(found):
        sys.exit("%s: %d queries, %d answers wanted, %d found" % (name, len(queries), len(wanted), len(found)))
    differ = [(query, words) for query, words in zip(queries, map(difference, queries, wanted, found)) if words]
    for query, words in differ[:SHOWN]:
        print("%s: %s\n    %s" % (name, json.dumps(query), words))
    print("%s: %d queries, %d of them find something, %d answered otherwise" %
          (name, len(queries), sum(map(bool, wanted)), len(differ)))
    sys.exit(len(differ) > 0)


main()
