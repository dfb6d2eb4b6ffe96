# SPDX-License-Identifier: MIT
"""Compares /novelty and /orders with python-chess.

usage: serve_novelty.py    in a folder with a.pgn and b.pgn, and archives of both, one with an index
"""
import time

from novelty_oracle import Archive
from serve_client import Checks, Server

check = Checks()


def novelties(server, archive, first):
    """Compares all games. `first` is the number of games of the first archive."""
    new = 0
    for number in range(len(archive.games)):
        fields = {"archive": 0} if number < first else {"archive": 1}
        answer = server.ask("/novelty/%d" % (number + 1 - (0 if number < first else first)), **fields).json
        check.equal(answer, archive.novelty(number), "the novelty of game %d" % number)
        new += answer["ply"] is not None
    check.that(10 < new < len(archive.games) - 10, "%d games with novelties" % new)


def orders(server, archive):
    for line in ("d2d4", "d2d4,g8f6,c2c4,e7e6,g1f3", "d2d4,g8f6,g1f3,e7e6,c2c4", "e2e4,c7c5,g1f3,b8c6,b1c3", "d2d4,d7d5,c2c4,e7e6,b1c3,g8f6", "a2a3,a7a6"):
        moves = tuple(line.split(","))
        for fields, keep in (({}, lambda headers: True), ({"player": "Leko", "color": "white"}, lambda headers: headers["White"] == "Leko,P")):
            found = archive.orders(moves, keep)
            own = found.pop(moves, 0)
            answer = server.ask("/orders", play=line, **fields).json
            check.equal([answer["games"], answer["more"], answer["same_order"], answer["other_orders"]],
                        [own + sum(found.values()), False, own, sum(found.values())], "games by orders of " + line)
            shown = [(tuple(one["uci"] for one in row["moves"]), row["games"]) for row in answer["orders"]]
            check.equal([games for _, games in shown], sorted(found.values(), reverse=True)[:10], "the most common orders of " + line)
            check.equal(dict(shown), {order: found.get(order) for order, _ in shown}, "orders of " + line)
    san = server.ask("/orders", play="d2d4,d7d5,c2c4,e7e6,b1c3,g8f6").json["orders"]
    check.that(any([one["san"] for one in row["moves"]][:3] == ["d4", "Nf6", "c4"] or [one["san"] for one in row["moves"]][0] == "Nf3" for row in san), "moves in SAN", san)


def bad(server):
    for path, status in (("/novelty/99999", 404), ("/novelty/x", 404), ("/novelty/1?archive=9", 404), ("/orders", 400), ("/orders?play=e2e5", 400), ("/orders?fen=x", 400),
                         ("/orders?play=e2e4&since=x", 400)):
        check.equal(server.ask(path).status, status, path)
    connection = server.connect()
    connection.request("GET", "/novelty/20")
    time.sleep(0.01)
    connection.close()
    check.equal(server.ask("/health").json["status"], "ok", "after a cancelled request")


def main():
    server = Server("a.stamma", "b.stamma")
    archive = Archive("a.pgn", "b.pgn")
    novelties(server, archive, len(Archive("a.pgn").games))
    orders(server, archive)
    bad(server)
    server.stop()
    slow = Server("slow.stamma", err="slow.err")
    check.equal(slow.ask("/novelty/3").status, 409, "an archive that is searched slowly")
    check.equal(slow.ask("/orders?play=d2d4,g8f6").status, 200, "orders of moves in it")
    slow.stop()
    check.end()


main()
