# SPDX-License-Identifier: MIT
"""Measures reading games by their number: a new process for each game, an open archive in Python, and SQL.

usage: access.py ARCHIVE...     run by access.sh

Prints processor time in milliseconds: the median, the 95th percentile and the maximum of 200 games, and for games in order the
mean of the first 2,000. SQL is `stamma sql`, which answers all look-ups in one process, less the time of one look-up.
"""
import os
import random
import resource
import subprocess
import sys
import time

import stamma

GAMES, IN_ORDER = 200, 2000
STAMMA = os.environ.get("STAMMA", "build/stamma")


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def line(name, times):
    times = sorted(1000 * seconds for seconds in times)
    print("  %-22s %7.2f %7.2f %7.2f" % (name, times[len(times) // 2], times[len(times) * 95 // 100], times[-1]))


def run(*arguments):
    """Returns the processor time of a command."""
    before = children()
    subprocess.run([STAMMA, *arguments], stdout=subprocess.DEVNULL, check=True)
    return children() - before


def in_python(path, numbers):
    with stamma.open(path) as archive:
        for number in numbers:
            begin = time.process_time()
            bytes(archive[number - 1])
            yield time.process_time() - begin


def in_order(path, count):
    with stamma.open(path) as archive:
        begin = time.process_time()
        for n in range(min(count, len(archive))):
            bytes(archive[n])
        return (time.process_time() - begin) / min(count, len(archive))


def in_sql(path, numbers):
    """Returns the mean time of a look-up."""
    look_up = "SELECT length(text) FROM games WHERE number = %d;"
    all_of_them, one = (run("sql", path, " ".join(look_up % number for number in some)) for some in (numbers, numbers[:1]))
    return (all_of_them - one) / (len(numbers) - 1)


def measure(path):
    random.seed(45)
    with stamma.open(path) as archive:
        numbers = [random.randrange(len(archive)) + 1 for _ in range(GAMES)]
    line("new process", [run("cat", path, str(number)) for number in numbers])
    line("Python, at random", in_python(path, numbers))
    print("  %-22s %7.3f" % ("Python, in order", 1000 * in_order(path, IN_ORDER)))
    print("  %-22s %7.2f" % ("SQL, at random", 1000 * in_sql(path, numbers)))


for argument in sys.argv[1:]:
    measure(argument)
