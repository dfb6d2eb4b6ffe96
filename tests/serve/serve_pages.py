# SPDX-License-Identifier: MIT
"""Compares the answers of a server with pages with those of a server without. Started by serve_pages.sh.

usage: serve_pages.py    in a folder with a.stamma and b.stamma with pages, and plain/a.stamma and plain/b.stamma
"""
import os
import random
import subprocess

from archive_values import check32
from serve_client import Checks, Server

check = Checks()
HEADER, AT_MEAN = 4096, 76


def lines():
    """Returns beginnings of games in UCI, and lines that no game has."""
    random.seed(8)
    text = subprocess.run([os.environ["STAMMA"], "cat", "--format", "uci", "a.stamma"], stdout=subprocess.PIPE,
                          check=True).stdout.decode()
    games = [line.split() for line in text.splitlines()]
    found = [random.choice(games) for _ in range(60)]
    return [line[:random.randrange(len(line) % 40 + 1)] for line in found] + [["a2a3", "h7h6", "a3a4"], ["e2e4"], []]


def questions():
    for line in lines():
        yield "/lichess", {"play": ",".join(line)}
    for line in lines()[:20]:
        yield "/lichess", {"play": ",".join(line), "topGames": 2, "recentGames": 0, "moves": 3}
        yield "/lichess", {"play": ",".join(line), "archive": 1}
        yield "/masters", {"play": ",".join(line), "topGames": 4}
        yield "/masters", {"play": ",".join(line)}
        yield "/lichess", {"play": ",".join(line), "ratings": "2200"}
        yield "/lichess/history", {"play": ",".join(line)}
    yield "/lichess", {"fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"}
    yield "/lichess", {"fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "play": "g1f3"}


def without_names(answer):
    """Returns an answer as `unnamed` shortens it."""
    for game in answer["topGames"] + answer["recentGames"] + [move["game"] for move in answer["moves"] if move["game"]]:
        game["white"]["name"] = game["black"]["name"] = "?"
        game.pop("speed", None)
        game.pop("mode", None)
    return answer


def unnamed():
    """Answers without names are the others without these members, from pages and from the archive."""
    server = Server("a.stamma", "b.stamma")
    for line in [*lines()[:15], ["e2e4"], []]:
        for more in ({}, {"history": "1"}):
            short, full = (server.ask("/lichess", play=",".join(line), **more, **fields).json for fields in ({"unnamed": "1"}, {}))
            check.equal(short, without_names(full), "unnamed: %s" % line)
    check.equal(server.ask("/lichess", unnamed="maybe").status, 400, "a value of unnamed")
    server.stop()


def compare(name):
    paged, plain = Server("a.stamma", "b.stamma"), Server("plain/a.stamma", "plain/b.stamma", err="plain.err")
    for path, fields in questions():
        found, wanted = paged.ask(path, **fields), plain.ask(path, **fields)
        check.equal((found.status, found.body), (wanted.status, wanted.body), "%s: %s %s" % (name, path, fields))
    check.equal(paged.stop() + plain.stop(), 0, "exit status")
    with open("serve.err", encoding="utf-8") as messages:
        return messages.read()


def is_used():
    """A right checksum over another mean rating changes the answers, so they come from the file."""
    with open("a.stamma.pages", "rb") as file:
        data = bytearray(file.read())
    with open("a.stamma.pages.changed", "wb") as file:
        data[AT_MEAN] ^= 1
        data[HEADER - 4:HEADER] = check32(bytes(data[:HEADER - 4])).to_bytes(4, "little")
        file.write(data)
    os.rename("a.stamma.pages", "a.stamma.pages.right")
    os.rename("a.stamma.pages.changed", "a.stamma.pages")
    changed, plain = Server("a.stamma"), Server("plain/a.stamma", err="plain.err")
    means = [[move["averageRating"] for move in server.ask("/lichess").json["moves"]] for server in (changed, plain)]
    check.that(means[0] != means[1], "the answer comes from the pages", means)
    changed.stop()
    plain.stop()
    os.rename("a.stamma.pages.right", "a.stamma.pages")


def main():
    check.that("pages" not in compare("sound"), "messages about sound pages")
    is_used()
    unnamed()
    with open("a.stamma.pages", "r+b") as file:
        for at in range(HEADER + 100, os.path.getsize("a.stamma.pages"), 700):
            file.seek(at)
            file.write(b"\x55")
    compare("damaged")
    os.replace("b.stamma.pages", "a.stamma.pages")
    check.that("is not used; run 'stamma pages a.stamma'" in compare("foreign"), "a message about foreign pages")
    check.end()


if __name__ == "__main__":
    main()
