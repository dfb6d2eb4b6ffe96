# SPDX-License-Identifier: MIT
"""Tests the streams of stamma serve: /find?stream=1.

usage: serve_stream.py    in a folder with a.stamma, b.stamma, two.stamma (both), decoded.stamma (level 3), and slow.stamma
"""
import json
import os
import signal
import subprocess
import time

from serve_client import Checks, Server

check = Checks()
COUNTS = ("count", "white_wins", "draws", "black_wins", "unfinished")
SLOW = '{"any":[{"sub-fen":"%s","shift":true,"flipcolor":true,"mirror":true},{"sub-fen":"%s","shift":true,"mirror":true}]}' % (
    "PPPPPPPP/8/8/8/8/8/8/8", "RNBQ4/8/8/PPPPPPPP/8/8/8/8")
# Fields of a request, and the options of the command for the same games.
QUESTIONS = [({}, []), ({"player": "Kasparov"}, ["--player", "Kasparov"]), ({"query": '{"move": "O-O-O"}'}, ["--move", "O-O-O"]),
             ({"query": '{"comment": "e"}'}, ["--comment", "e"]), ({"play": "e2e4,c7c5"}, ["--moves", "e4 c5"]), ({"white": "nobody"}, ["--white", "nobody"]),
             ({"query": '{"sequence": [{"move": "O-O"}, {"mate": true}]}'}, ["--query", '{"sequence": [{"move": "O-O"}, {"mate": true}]}']),
             ({"query": '{"sub-fen": "8/8/8/8/3PP3/8/8/8"}'}, ["--sub-fen", "8/8/8/8/3PP3/8/8/8"])]

# Seconds that a search may run without progress. The thread sanitizer makes the steps of a search longer.
LIMIT = 15 if os.environ.get("SANITIZE") == "thread" else 2


def stamma(*arguments):
    return subprocess.run([os.environ["STAMMA"], *arguments], stdout=subprocess.PIPE, check=False).stdout


def lines_of(answer):
    return [json.loads(line) for line in answer.body.decode().splitlines() if line]


def stream(server, **fields):
    """Returns the games and the last line of a stream, after checking its form."""
    answer = server.ask("/find", stream=1, **fields)
    check.equal((answer.status, answer.headers.get("content-type")), (200, "application/x-ndjson; charset=utf-8"), "a stream of %s" % fields)
    lines = lines_of(answer)
    last = lines.pop()
    check.that(last.get("done") is True, "the last line of %s" % fields, last)
    progress = [line for line in lines if "searched" in line]
    check.that(progress and lines[0] is progress[0], "a line with the progress is first")
    check.that(all(0 <= a["searched"] <= b["searched"] <= 1 and a["count"] <= b["count"] for a, b in zip(progress, progress[1:])),
               "progress", progress)
    check.that(all(one["count"] == sum(one[name] for name in COUNTS[1:]) for one in progress + [last]), "results add up", progress, last)
    games = [line["game"] for line in lines if "game" in line]
    lists = [line["games"] for line in lines if "games" in line]
    check.that(not (games and lists), "games one by one, or lists", len(games), len(lists))
    check.equal(len(progress) + len(games) + len(lists), len(lines), "no other lines")
    return (lists[-1] if lists else games), last


def found(paths, options):
    """Returns (archive, number, plies) of the games that the command finds."""
    rows = [json.loads(line) for line in stamma("find", *paths, "--json", *options).splitlines()]
    names = [os.path.basename(path) for path in paths]
    return [(names.index(os.path.basename(row["archive"])) if "archive" in row else 0, row["number"], row["match"]) for row in rows]


def key(game):
    return game["archive_number"], game["number"], game["match"]


def pages(server):
    """Pages of a stream contain the games of /find and of the command, and the numbers of count=1."""
    for fields, options in QUESTIONS:
        truth = found(["a.stamma", "b.stamma"], options)
        counted = server.ask("/find", count=1, **fields).json
        check.equal(counted["count"], len(truth), "games with %s" % fields)
        for offset, limit in ((0, 20), (0, 200), (3, 5), (len(truth), 10), (0, 0)):
            games, last = stream(server, offset=offset, limit=limit, **fields)
            page = server.ask("/find", offset=offset, limit=limit, **fields).json
            check.equal(games, page["games"], "the page %d, %d of %s" % (offset, limit, fields))
            check.equal([key(game) for game in games], truth[offset:offset + limit], "games that the command finds with %s" % fields)
            check.equal({name: last[name] for name in ("offset", "limit", "more", "next")},
                        {name: page[name] for name in ("offset", "limit", "more", "next")}, "what follows the page %d, %d" % (offset, limit))
            check.equal({name: last[name] for name in COUNTS}, counted, "numbers of %s" % fields)
    one, last = stream(server, archive=1, limit=3)
    check.equal(([game["archive_number"] for game in one], last["count"]), ([1, 1, 1], int(stamma("find", "b.stamma", "--count"))), "one archive")


def sorts(server):
    """Sorted games equal the games of `stamma find --sort`."""
    for name in ("rating", "-rating", "date", "-date", "plies", "-plies"):
        for fields, options in QUESTIONS:
            truth = found(["a.stamma", "b.stamma"], [*options, "--sort", name])
            for offset, limit in ((0, 7), (0, 200), (5, 6)):
                games, last = stream(server, sort=name, offset=offset, limit=limit, **fields)
                check.equal([key(game) for game in games], truth[offset:offset + limit], "%s by %s" % (fields, name))
                check.equal((last["count"], last["more"]), (len(truth), len(truth) > offset + limit), "%s: their number" % name)
                check.equal(last["next"], offset + limit if last["more"] else None, "%s: the next page" % name)


def counted_meanwhile():
    """If counting the games is slow, the search counts them. The next page contains their number from the first line
    on."""
    server = Server("-T", "2", "--time-limit", "120", "decoded.stamma", err="decoded.err")
    fields, options = {"query": '{"move": "O-O"}'}, ["--move", "O-O"]
    truth = found(["decoded.stamma"], options)
    wanted = json.loads(stamma("find", "decoded.stamma", *options, "--wdl", "--json"))
    for sort, limit in ((None, 7), ("-rating", 7), ("date", 200)):
        games, last = stream(server, sort=sort, limit=limit, **fields)
        order = found(["decoded.stamma"], [*options, "--sort", sort]) if sort else truth
        check.equal([key(game) for game in games], order[:limit], "games by %s" % sort)
        check.equal([last[name] for name in COUNTS], [wanted["games"]] + [wanted[name] for name in COUNTS[1:]], "results, by %s" % sort)
    before = server.metric("stamma_answers_remembered_total")
    lines = lines_of(server.ask("/find", stream=1, offset=7, limit=3, **fields))
    check.equal((lines[0]["count"], lines[0]["white_wins"]), (last["count"], last["white_wins"]), "the number from the first line on")
    check.equal([key(line["game"]) for line in lines if "game" in line], truth[7:10], "the next page")
    check.equal(server.metric("stamma_answers_remembered_total"), before + 1, "it is counted")
    check.equal(server.stop(), 0, "exit status")


def faults(server):
    for fields, word in (({"sort": "rating"}, "sort"), ({"sort": "elo", "stream": 1}, "sort"), ({"sort": "--date", "stream": 1}, "sort"),
                         ({"stream": 1, "count": 1}, "stream"), ({"stream": 1, "format": "pgn"}, "stream"), ({"stream": "often"}, "stream"),
                         ({"stream": 1, "sort": "date", "offset": 9990}, "offset"), ({"stream": 1, "query": "{"}, "query")):
        answer = server.ask("/find", **fields)
        check.that(answer.status == 400 and answer.json["error"].startswith(word), "a fault in %s" % fields, answer.body)
    check.equal(server.ask("/find", stream=1, archive=9).status, 404, "no such archive")
    check.equal(stream(server, sort="date", offset=9980)[0], [], "the last page that is sorted")
    head = server.ask("/find", method="HEAD", stream=1)
    check.equal((head.status, head.body), (200, b""), "HEAD")
    post = server.ask("/find", method="POST", body="stream=1&limit=2", headers={"Content-Type": "application/x-www-form-urlencoded"})
    check.equal(len([line for line in lines_of(post) if "game" in line]), 2, "POST")
    old = server.raw(b"GET /find?stream=1&limit=2 HTTP/1.0\r\n\r\n").split(b"\r\n\r\n", 1)[1].splitlines()
    check.equal([json.loads(line).get("done") for line in old[-1:]], [True], "HTTP/1.0 gets it whole")


def begin(server, **fields):
    """Returns a connection with a stream that has begun, and its answer."""
    connection = server.connect()
    connection.request("GET", "/find?stream=1&limit=0&query=%s%s" % (SLOW, "".join("&%s=%s" % pair for pair in fields.items())))
    return connection, connection.getresponse()


def long_searches():
    """A search that advances is not ended by the time limit. A search is ended if its client leaves or if it does not
    advance. Other searches can run at the same time."""
    server = Server("-T", "1", "--time-limit", str(LIMIT), "slow.stamma", "a.stamma")
    connection, answer = begin(server)
    began, before, late = time.monotonic(), 0, 0
    while time.monotonic() - began < LIMIT + 1 or not before:  # the server ends a search that does not advance
        line = json.loads(answer.readline())
        check.that("error" not in line and line["searched"] >= before, "it advances", line)
        before, late = line["searched"], line["searched"] - before
    check.that(0 < before < 1, "a search that is longer than the limit", before, late)
    check.equal(server.metric("stamma_searches_running"), 1, "it is running")
    check.equal(server.ask("/lichess", archive=1).status, 200, "another search has a place")
    check.equal(begin(server)[1].status, 503, "but another stream has none")
    connection.sock.close()
    answer.close()
    check.wait(lambda: server.metric("stamma_searches_running") == 0, "the search of a client that left ends")
    check.that(server.metric("stamma_searches_cancelled_total") >= 1, "it is counted")
    check.equal(server.metric("stamma_searches_late_total"), 0, "none took too long")

    connection, answer = begin(server)
    answer.readline()
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(LIMIT + 2)
    server.process.send_signal(signal.SIGCONT)
    last = [json.loads(line) for line in answer if line.strip()][-1]
    check.equal((last.get("status"), last.get("error")), (504, "the search made no progress for %d s" % LIMIT), "a search without progress")
    check.equal(answer.read(), b"", "the answer ends as it should")
    check.equal(server.metric("stamma_searches_late_total"), 1, "it is counted")
    connection, answer = begin(server)
    answer.readline()
    check.equal(server.stop(), 0, "it ends while a stream goes on")
    connection.close()


def damaged():
    """Streams of a damaged archive contain the games that can be read, like pages."""
    with open("two.stamma", "r+b") as file:
        file.seek(os.path.getsize("a.stamma") // 2)  # in the texts of the block of a.stamma
        file.write(bytes(64))
    server = Server("two.stamma", err="two.err")
    for fields in ({}, {"query": '{"move": "O-O"}'}):
        page = server.ask("/find", limit=200, **fields).json
        games, last = stream(server, limit=200, **fields)
        check.equal([game["number"] for game in games], [game["number"] for game in page["games"]], "the games that can be read")
        check.that(len(games) >= 100 and last["count"] >= len(games), "their number", last)
        listed, _ = stream(server, limit=200, sort="plies", **fields)
        check.that(len(listed) >= 100, "the same, sorted", len(listed))
    check.equal(server.stop(), 0, "exit status")


def main():
    server = Server("-T", "2", "a.stamma", "b.stamma")
    for part in (pages, sorts, faults):
        part(server)
    check.equal(server.stop(), 0, "exit status")
    counted_meanwhile()
    long_searches()
    damaged()
    check.end()


if __name__ == "__main__":
    main()
