# SPDX-License-Identifier: MIT
"""Prints the processor time in seconds of `stamma serve` for requests for one very large game, the median of three.

usage: large_game_serve.py [SIZE]    in an empty folder, with the PYTHONPATH of large_game.sh; 200,000 things of each kind by default
"""
import os
import statistics
import sys

import large_games
import serve_work
from serve_client import Server

REQUESTS = ("/game/1?archive=1&bits=1", *serve_work.REQUESTS)


def used(server):
    """Returns the processor time of a server so far. The system counts it in ticks, mostly of 10 ms."""
    with open("/proc/%d/stat" % server.process.pid, encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure():
    """Returns the processor time of each request. Starts a new server, so that no answer is cached."""
    server, times = Server("-T", "1", "--time-limit", "0", "a.stamma", "b.stamma"), []
    for path in REQUESTS:
        before = used(server)
        status = server.ask(path, patience=600).status
        times.append(used(server) - before if status == 200 else float("nan"))
    server.stop()
    return times


def main():
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 200000
    columns = []
    for kind in large_games.KINDS:
        serve_work.write(kind, size)
        columns.append(["%.2f" % statistics.median(times) for times in zip(*(measure() for _ in range(3)))])
    print("| request | " + " | ".join(large_games.KINDS) + " |")
    print("|---|" + "---:|" * len(large_games.KINDS))
    for path, *row in zip(REQUESTS, *columns):
        print("| `%s` | " % path + " | ".join(row) + " |")


main()
