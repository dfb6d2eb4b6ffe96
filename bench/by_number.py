# SPDX-License-Identifier: MIT
"""Measures reading every game of an archive by its index in Python, compared with reading all games in order.

usage: by_number.py ARCHIVE...     run by by_number.sh

Each run opens the archive, whose cache is then empty. Prints medians of five rounds of processor time, and their ratios
to reading in order. The tags of a game that is read by its index are always read, so that `text` is compared with less.
"""
import statistics
import sys
import time

import stamma

ROUNDS = 5


def seconds(path, work, by_number):
    """Returns the processor time to read all games, and a sum over the games."""
    begin = time.process_time()
    with stamma.open(path) as archive:
        total = work((archive[n] for n in range(len(archive))) if by_number else archive)
    return time.process_time() - begin, total


WORKS = {
    "tags": lambda games: sum(len(game.tag_pairs) for game in games),
    "tags and text": lambda games: sum(len(game.tag_pairs) + len(bytes(game)) for game in games),
    "text": lambda games: sum(len(bytes(game)) for game in games),
}


def measure(path):
    for name, work in WORKS.items():
        rounds = [(seconds(path, work, False), seconds(path, work, True)) for _ in range(ROUNDS)]
        assert all(first[1] == second[1] for first, second in rounds), "the games differ"
        whole, single = (statistics.median(one[n][0] for one in rounds) for n in (0, 1))
        for order, median in (("in order", whole), ("by number, ascending", single)):
            print(f"  Python, {name:<13} {order:<21} {median:8.3f} s {median / whole:6.2f}")


for argument in sys.argv[1:]:
    measure(argument)
