# SPDX-License-Identifier: MIT
"""Tests /tablebase of `stamma serve`. Run by command_tablebase.sh in a folder with the folders `damaged` and `results`.

usage: serve_tablebase.py TABLES
"""
import json
import os
import random
import subprocess
import sys

from serve_client import Checks, Server, stamma

check = Checks()
QUEEN, ROOK, KNIGHT = "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1", "4k3/8/8/8/8/8/8/4KR2 w - - 3 9", "4k1n1/8/8/8/8/8/8/4KR2 b - - 0 1"


def probe(server, fen, path="/tablebase", **more):
    return server.ask(path, fen=fen, **more)


def answers(tables):
    """The server answers as the command."""
    server = Server("--syzygy", tables)
    check.equal(server.ask("/health").json["tablebase"], {"men": 4}, "tables in /health")
    for fen in (QUEEN, ROOK, KNIGHT, "8/8/8/8/8/8/8/K1k5 w - - 0 1"):
        wanted = json.loads(stamma("tablebase", "--syzygy", tables, fen))
        for path in ("/tablebase", "/standard"):
            check.equal(probe(server, fen, path).json, wanted, "%s of %s" % (path, fen))
    moved = probe(server, QUEEN, play="f1f7").json
    check.equal((moved["category"], [one["uci"] for one in moved["moves"]]), ("draw", ["e8f7", "e8d8"]), "a position after a move")
    check.equal(probe(server, "k7/8/8/8/8/8/8/8 w - - 0 1").status, 400, "no legal position")
    check.that(server.metric('stamma_requests_total{endpoint="tablebase",status="200"}') == 9, "the metric")
    children = subprocess.run(["pgrep", "-P", str(server.process.pid)], stdout=subprocess.PIPE, check=False, text=True).stdout.split()
    check.equal(len(children), 1, "one process reads tables")
    check.equal(server.stop(), 0, "end")
    check.equal([one for one in children if os.path.exists("/proc/" + one)], [], "processes after the end")


def damage():
    """Overwrites tables with other bytes after their magic number, and returns their names."""
    chosen = random.Random(13)
    names = sorted(name for name in os.listdir("damaged") if name.startswith("KQvK") or name.startswith("KRvKN"))
    for name in names:
        with open(os.path.join("damaged", name), "r+b") as file:
            size = len(file.read())
            file.seek(4)
            file.write(bytes(chosen.randrange(256) for _ in range(size - 4)))
    return names


def damaged():
    """Damaged tables do not end the server, and other tables are still read."""
    check.equal(len(damage()), 4, "damaged tables")
    server = Server("--syzygy", "damaged")
    statuses = []
    for _ in range(2):
        statuses += [probe(server, fen, patience=30).status for fen in (QUEEN, KNIGHT)]
        check.equal(server.ask("/health").status, 200, "the server runs")
        answer = probe(server, ROOK)
        check.equal((answer.status, answer.json["category"]), (200, "win"), "another table")
    check.that(set(statuses) <= {200, 502, 504}, "statuses of damaged tables", statuses)
    check.that(502 in statuses, "a process that has ended", statuses)
    server.stop()


def results():
    """Without a table of distances, the result is known, but not the distance."""
    server = Server("--syzygy", "results")
    answer = probe(server, QUEEN).json
    check.equal((answer["category"], answer["dtz"]), ("win", None), "results only")
    check.equal(probe(server, QUEEN.replace(" 0 1", " 9 9")).json["category"], "maybe-win", "after plies without a capture or pawn move")
    server.stop()


def main():
    answers(sys.argv[1])
    damaged()
    results()
    server = Server()
    check.equal((server.ask("/health").json["tablebase"], probe(server, QUEEN).status), (None, 404), "without --syzygy")
    server.stop()
    check.end()


if __name__ == "__main__":
    main()
