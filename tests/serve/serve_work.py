# SPDX-License-Identifier: MIT
"""Counts the instructions of stamma serve that answers requests for one very large game.

usage: serve_work.py [--size N] [--kinds KIND,...]    in an empty folder; $STAMMA is the program

For each kind of game (tests/support/large_games.py), the answers of all endpoints for a game of N elements may need at
most five times the instructions of the answers for N / 4. A request that reaches its time limit within a game ends
there: it needs few instructions, however large the game is.
"""
import argparse
import os

import large_games
from serve_client import Checks, Server, stamma

REQUESTS = ("/game/1?archive=1", "/game/1?archive=1&format=pgn", "/find?archive=1&player=White", "/find?archive=1&player=White&format=pgn",
            "/find?archive=1&player=White&format=csv", "/lichess?topGames=4&recentGames=4", "/report?archive=1&player=White", "/novelty/1?archive=1",
            "/orders?play=g1f3", "/player?player=White&color=white", "/masters", "/stats", "/players?q=white", "/lichess/history", "/lichess?bits=1", "/line?play=g1f3")
LIMITED = ("/game/1?archive=1&bits=1",)
# Answers that need more instructions than this were not stopped. A second under valgrind is a few hundred million
# instructions.
STOPPED = 3_000_000_000

check = Checks()


def write(kind, size):
    """Makes two archives of the same game, with an index."""
    with open("game.pgn", "w", encoding="utf-8") as file:
        file.write(large_games.KINDS[kind](size))
    for name in ("a.stamma", "b.stamma"):
        stamma("pack", "-q", "-f", "-o", name, "game.pgn")


def count(paths, statuses, *options):
    """Returns the instructions of a server that answers requests."""
    os.environ["STAMMA"], program = os.path.abspath("counted"), os.environ["STAMMA"]
    server = Server("-T", "1", *options, "a.stamma", "b.stamma")
    os.environ["STAMMA"] = program
    for path in paths:
        check.that(server.ask(path, patience=3000).status in statuses, "the status of " + path)
    check.equal(server.stop(), 0, "exit status")
    with open(server.err, encoding="utf-8", errors="replace") as messages:
        return int(messages.read().split("Collected :")[1].split()[0])


def compare(kind, size):
    counts = []
    for n in (size // 4, size):
        write(kind, n)
        idle = count((), ())
        counts.append(count(REQUESTS, (200,), "--time-limit", "0") - idle)
    check.that(counts[1] <= 5 * counts[0], "%d %s: %d instructions, %d for a fourth" % (size, kind, counts[1], counts[0]))


def limit():
    """The prediction of two million moves needs seven thousand million instructions."""
    write("moves", 2_000_000)
    for path in LIMITED:
        got = count((path,), (504,), "--time-limit", "1")
        check.that(got < STOPPED, "%s: %d instructions, although the time limit is 1 s" % (path, got))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=4000)
    parser.add_argument("--kinds", default="tags,comments,nags,many,walk")
    options = parser.parse_args()
    with open("counted", "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\nexec valgrind --tool=callgrind --callgrind-out-file=/dev/null "%s" "$@"\n' % os.path.abspath(os.environ["STAMMA"]))
    os.chmod("counted", 0o755)
    for kind in options.kinds.split(","):
        compare(kind, options.size)
    limit()
    check.end()


if __name__ == "__main__":
    main()
