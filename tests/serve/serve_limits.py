# SPDX-License-Identifier: MIT
"""Tests the time limit of stamma serve inside one very large game.

usage: serve_limits.py    in a folder with the archives KIND.stamma, of a game of each of KINDS (tests/support/large_games.py)

Also tests /novelty for long games, whose positions are not searched one by one.
"""
import json
import socket
import time

import large_games
from serve_client import Checks, Server, stamma

KINDS = ("tags", "comments", "many")
# Requests that read or print games, with the number of an archive and the id of its game.
REQUESTS = ("/game/1?archive={0}", "/game/1?archive={0}&format=pgn", "/game/1?archive={0}&bits=1", "/lichess/pgn/{1}",
            "/find?archive={0}&player=White", "/find?archive={0}&player=White&format=pgn", "/find?archive={0}&player=White&format=csv",
            "/lichess?archive={0}&topGames=4&recentGames=4", "/report?archive={0}&player=White")

NOVELTY = "/novelty/{1}"  # searches the position after each ply, which is slow for very large games

check = Checks()


def complete():
    """Without a limit, the answers contain the complete game. Returns the ids of the games."""
    server = Server("-T", "1", "--time-limit", "0", *(kind + ".stamma" for kind in KINDS))
    ids = []
    for number, kind in enumerate(KINDS):
        with open(kind + ".pgn", "rb") as file:
            check.that(server.ask("/game/1", archive=number, format="pgn").body == file.read(), "the text of the game", kind)
        wanted = json.loads(stamma("cat", "--json", kind + ".stamma"))
        answer = server.ask("/game/1", archive=number).json
        check.that({name: answer.get(name) for name in wanted} == wanted, "the members of the game", kind)
        check.equal(len(answer["fens"]), wanted["plies"], "the number of positions")
        ids.append(answer["id"])
        for path in REQUESTS:
            check.equal(server.ask(path.format(number, ids[-1])).status, 200, "%s of %s" % (path, kind))
    check.equal(server.stop(), 0, "exit status")
    return ids


def begin(server, path):
    """Sends a request without its body, which the server waits for."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=120)
    connection.sendall(b"POST %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                       b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 8\r\n\r\n" % path.encode())
    return connection


def end(connection):
    """Sends the body. Returns the answer."""
    connection.sendall(b"unused=1")
    got = b""
    while piece := connection.recv(1 << 16):
        got += piece
    connection.close()
    return got


def late(ids):
    """The time of a request includes the time to receive its body. The limit has passed when the body is sent."""
    asked = [path.format(number, one) for number, one in enumerate(ids) for path in (*REQUESTS, NOVELTY)]
    server = Server("-T", "1", "--time-limit", "1", "--connections", str(2 * len(asked)), *(kind + ".stamma" for kind in KINDS))
    connections = [begin(server, path) for path in asked]
    check.wait(lambda: server.metric("stamma_requests_running") > len(asked), "all requests are being answered")
    time.sleep(1.1)
    for path, connection in zip(asked, connections):
        answer = end(connection)
        check.that(answer.startswith(b"HTTP/1.1 504 ") and answer.endswith(b'{"error":"the search took longer than 1 s"}\n'),
                   "%s is too late" % path, answer[:300])
    check.equal(server.metric("stamma_searches_late_total"), len(asked), "late requests that are counted")
    check.equal(server.stop(), 0, "exit status")


def shared(moves):
    """Returns the number of moves of a game before it captures."""
    return next((n for n, move in enumerate(moves) if "x" in move), len(moves))


def novelties():
    """Games that follow other games for a while and then capture a pawn, each at a different ply: their novelty is the
    capture, or the first move after the longest earlier game. Some are found by their month, some by their day."""
    moves = large_games.walk_moves(1800)  # none of these positions occurs twice
    captures = (("2020.01.02", (1750, 1, 20, 33, 400)), ("2020.01.04", (1760, 2, 21, 34, 401, 1000)),
                ("2020.03.05", (1770, 3, 22, 35, 402, 1001, 1501)))
    old = [("2020.01.02", moves[:1500]), ("2020.01.03", moves)]
    new = [(date, moves[:ply - 1] + ["axb5" if ply % 2 else "axb4"]) for date, plies in captures for ply in plies]
    for name, games in (("old", old), ("new", new)):
        with open(name + ".pgn", "w", encoding="utf-8") as file:
            file.write("".join(large_games.walk_game(line, date) for date, line in games))
        stamma("pack", "-q", "-f", name + ".pgn")
    for index in (False, True):
        if index:
            stamma("index", "-q", "old.stamma")
        server = Server("-T", "1", "--time-limit", "0", "old.stamma", "new.stamma")
        for number, (date, line) in enumerate(new):
            every = old + new
            earlier = [other for n, (day, other) in enumerate(every) if day < date or day == date and n < number + len(old)]
            ply = min(len(line), max(map(shared, earlier)) + 1)
            before = sum(day[:7] < date[:7] and shared(other) >= ply - 1 for day, other in every)
            later = sum(shared(other) >= ply for _, other in every) - 1 if ply < len(line) else 0
            check.equal(server.ask("/novelty/%d" % (number + 1), archive=1).json,
                        {"dated": True, "ply": ply, "earlier_games": before, "later_games": later}, "novelty %d of %s" % (len(line), date))
        server.stop()


novelties()
late(complete())
check.end()
