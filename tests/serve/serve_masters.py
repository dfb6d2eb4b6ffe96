# SPDX-License-Identifier: MIT
"""Tests stamma serve with several archives. Started by serve_masters.sh.

usage: serve_masters.py    in a folder with a.stamma, b.stamma, lichess.stamma, chesscom.stamma and large.stamma
"""
import json
import os
import subprocess
import time

from serve_client import Checks, Server

check = Checks()


def tree(*archives):
    """Returns the moves of the initial position, as the command counts them."""
    answer = subprocess.run([os.environ["STAMMA"], "tree", "--json", *archives], stdout=subprocess.PIPE, check=True)
    return [(move["uci"], move["white"], move["draws"], move["black"]) for move in json.loads(answer.stdout)["moves"]]


def moves(server, path, **fields):
    return [(move["uci"], move["white"], move["draws"], move["black"]) for move in server.ask(path, moves=300, **fields).json["moves"]]


def masters():
    """/masters skips archives of chess sites, unless there are no other archives or one of them is selected."""
    for served, wanted in ((["a.stamma", "lichess.stamma", "b.stamma", "chesscom.stamma"], ["a.stamma", "b.stamma"]), (["lichess.stamma", "b.stamma"], ["b.stamma"]),
                           (["lichess.stamma", "chesscom.stamma"], ["lichess.stamma", "chesscom.stamma"]), (["lichess.stamma"], ["lichess.stamma"]),
                           (["a.stamma", "b.stamma"], ["a.stamma", "b.stamma"])):
        server = Server(*served)
        for path in ("/masters", "/master"):
            check.equal(moves(server, path), tree(*wanted), "%s of %s" % (path, served))
            check.equal(moves(server, path), tree(*wanted), "the same again")
        check.equal(moves(server, "/lichess"), tree(*served), "/lichess of %s" % served)
        for number, name in enumerate(served):
            check.equal(moves(server, "/masters", archive=number), tree(name), "/masters of %s, selected" % name)
        listed = {game["archive_number"] for game in server.ask("/masters").json["topGames"]}
        check.that(listed <= {served.index(name) for name in wanted}, "games of these archives", listed)
        check.equal(server.stop(), 0, "exit status")


def memory():
    """An index in memory that does not fit is reported once; an index file needs no memory."""
    archives = ["large.stamma"] + ["b.stamma"] * 15
    server = Server("--memory", "128M", *archives, err="memory.err")
    until = time.monotonic() + 60
    while server.ask("/health").json["indexed"] < len(archives) and time.monotonic() < until:
        time.sleep(0.05)
    check.equal(server.ask("/find", archive=0, count=1, white="Kasparov").status, 200, "it is searched")
    check.equal(server.stop(), 0, "exit status")
    with open("memory.err", encoding="utf-8") as messages:
        lines = [line for line in messages.read().splitlines() if "does not fit into --memory" in line]
    check.equal([line.split(": ")[1] for line in lines], ["large.stamma"], "archives whose index does not fit")
    subprocess.run([os.environ["STAMMA"], "index", "-q", "large.stamma"], check=True)
    server = Server("--memory", "128M", *archives, err="memory.err")
    while server.ask("/health").json["indexed"] < len(archives) and time.monotonic() < until + 60:
        time.sleep(0.05)
    check.equal(server.stop(), 0, "exit status")
    with open("memory.err", encoding="utf-8") as messages:
        check.that("does not fit" not in messages.read(), "an index file fits")


def main():
    masters()
    memory()
    check.end()


if __name__ == "__main__":
    main()
