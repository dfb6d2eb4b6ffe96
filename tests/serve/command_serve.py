# SPDX-License-Identifier: MIT
"""Tests stamma serve: the shapes of its answers, answers compared with the command's output, limits, broken clients,
load.

usage: command_serve.py    in a folder with a.stamma (data/games.pgn), b.stamma (the sample games), both.stamma and slow.stamma
"""
import json
import os
import re
import select
import socket
import threading
import time

from serve_client import SLOW, START, Checks, Server, slow_search, stamma

SANITIZED = bool(os.environ.get("SANITIZE"))
check = Checks()
COPIES = 40  # copies of a3.stamma in grows3.stamma
LICHESS_SITE = "https://lichess.org"


# ---- shapes: names and types from the description of the API ----

NUMBER, TEXT, BOOL = int, str, bool
OPENING = {"eco": TEXT, "name": TEXT}
PLAYER = {"name": TEXT, "rating": NUMBER}
GAME = {"id": TEXT, "winner": (TEXT, None), "white": PLAYER, "black": PLAYER, "year": NUMBER, "month": (TEXT, None)}
LISTED = dict(GAME, uci=TEXT)
MONTH = {"month": TEXT, "white": NUMBER, "draws": NUMBER, "black": NUMBER}
MOVE = {"uci": TEXT, "san": TEXT, "averageRating": NUMBER, "white": NUMBER, "draws": NUMBER, "black": NUMBER,
        "game": (GAME, None), "opening": (OPENING, None)}
SUM = {"white": NUMBER, "draws": NUMBER, "black": NUMBER, "opening": (OPENING, None)}
MASTERS = dict(SUM, moves=[MOVE], topGames=[LISTED])
LICHESS = dict(SUM, moves=[MOVE], topGames=[LISTED], recentGames=[LISTED])
PLAYERS_MOVE = {name: kind for name, kind in MOVE.items() if name != "averageRating"}
PLAYERS_MOVE.update(averageOpponentRating=NUMBER, performance=NUMBER)
PLAYERS = dict(SUM, moves=[PLAYERS_MOVE], recentGames=[LISTED], queuePosition=NUMBER)
FOUND = {"id": TEXT, "archive": TEXT, "archive_number": NUMBER, "number": NUMBER, "white": (TEXT, None), "black": (TEXT, None),
         "white_rating": (NUMBER, None), "black_rating": (NUMBER, None), "result": TEXT, "winner": (TEXT, None),
         "date": (TEXT, None), "event": (TEXT, None), "site": (TEXT, None),
         "round": (TEXT, None), "eco": (TEXT, None), "opening": (TEXT, None), "plies": NUMBER, "match": [NUMBER]}
PAGE = {"games": [FOUND], "offset": NUMBER, "limit": NUMBER, "more": BOOL, "next": (NUMBER, None)}
ARCHIVE = {"number": NUMBER, "name": TEXT, "games": NUMBER, "plies": NUMBER, "archive_size": NUMBER, "levels": [NUMBER],
           "index": (TEXT, None)}


def misfits(value, shape, place=""):
    """Returns the places where a value does not match a shape. Additional members are permitted."""
    if isinstance(shape, tuple):
        tries = [list(misfits(value, one, place)) if one is not None else ([] if value is None else [place])
                 for one in shape]
        return [] if [] in tries else [place + ": none of its kinds"]
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return [place + ": no object"]
        return [fault for name, kind in shape.items()
                for fault in (misfits(value[name], kind, place + "." + name) if name in value else [place + "." + name + " is missing"])]
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [place + ": no list"]
        return [fault for i, one in enumerate(value) for fault in misfits(one, shape[0], "%s[%d]" % (place, i))]
    right = type(value) is shape
    return [] if right else ["%s: %r is no %s" % (place, value, shape.__name__)]


def shaped(server, shape, path, **fields):
    answer = server.ask(path, **fields)
    check.equal(answer.status, 200, "%s %s" % (path, fields))
    check.that(answer.headers.get("content-type", "").startswith("application/json"), path + ": its type", answer.headers)
    value = answer.json
    check.equal(misfits(value, shape), [], "%s %s: its shape" % (path, fields))
    return value


def shapes(server):
    for path in ("/masters", "/master"):
        value = shaped(server, MASTERS, path, play="e2e4")
        check.that("recentGames" not in value, path + " has no recent games")
    for path in ("/lichess", "/lichess/history"):
        shaped(server, LICHESS, path, play="e2e4,e7e5")
    shaped(server, LICHESS, "/lichess", fen="8/8/8/4k3/8/8/3KP3/8 w - - 0 1")
    for path, fields in (("/lichess", {"history": "true"}), ("/lichess/history", {})):
        value = shaped(server, dict(LICHESS, history=[MONTH]), path, **fields)
        check.that(value["history"] == sorted(value["history"], key=lambda m: m["month"]), "months in order")
    check.that("history" not in server.ask("/lichess").json, "no history where it is not asked for")
    check.that("history" in server.ask("/lichess", history="True").json, "as berserk asks for it")
    check.that("history" not in server.ask("/lichess", history="False").json, "or not")
    value = shaped(server, LICHESS, "/lichess", variant="crazyhouse", fen="something/else")
    check.equal((value["white"], value["moves"]), (0, []), "a variant without games")
    check.that("fen" not in value, "nor is there a position that was not read", value.get("fen"))
    check.equal(server.ask("/find", limit=0).json["next"], None, "a page of none has no next")
    shaped(server, PAGE, "/find", player="Kasparov")
    shaped(server, PAGE, "/find", archive=1)
    shaped(server, {"status": TEXT, "version": TEXT, "archives": NUMBER, "indexed": NUMBER, "index_files": NUMBER, "games": NUMBER},
           "/health")
    archives = shaped(server, [ARCHIVE], "/archives")
    check.equal([a["name"] for a in archives], ["a.stamma", "b.stamma"], "names of archives")
    check.equal(server.ask("/health").json["games"], sum(a["games"] for a in archives), "games of all archives")
    answer = server.ask("/player", player="Kasparov", color="white")
    check.equal(answer.headers.get("content-type"), "application/x-ndjson; charset=utf-8", "/player: its type")
    lines = [json.loads(line) for line in answer.body.decode().splitlines() if line]
    check.that(lines, "/player: a body")
    check.equal(misfits(lines[-1], PLAYERS), [], "/player: its shape")


# ---- values: compared with the command ----

def values(server):
    for moves, sans in (("", ""), ("e2e4", "e4"), ("e2e4,e7e5,g1f3", "e4 e5 Nf3"), ("d2d4,d7d5,c2c4", "d4 d5 c4")):
        ours = server.ask("/lichess", play=moves, moves=300).json
        theirs = json.loads(stamma("tree", "a.stamma", "b.stamma", "--moves", sans, "--json"))
        for name in ("white", "draws", "black", "opening"):
            check.equal(ours[name], theirs[name], "%s of %s" % (name, sans))
        for name in ("uci", "san", "white", "draws", "black", "averageRating", "opening", "performance"):
            check.equal([m[name] for m in ours["moves"]], [m[name] for m in theirs["moves"]], "%s after %s" % (name, sans))
        for list_name, most in (("topGames", 4), ("recentGames", 4)):
            check.equal([g["white"]["name"] for g in ours[list_name]], [g["white"]["name"] for g in theirs[list_name][:most]],
                        list_name + " after " + sans)
    check.equal(server.ask("/lichess", moves=3, topGames=1, recentGames=0).json["recentGames"], [], "no recent games")
    for play, clocks in (("g1f3,g8f6,f3g1,f6g8", "4 3"), ("", "0 1")):
        check.equal(server.ask("/lichess", play=play, moves=7).json["fen"], START[:-3] + clocks, "the FEN of what was asked, not of an answer before")
    few = server.ask("/masters", moves=3, topGames=2).json
    check.equal((len(few["moves"]), len(few["topGames"])), (3, 2), "so many moves and games")
    one = server.ask("/lichess", archive=0).json
    both = server.ask("/lichess").json
    other = server.ask("/lichess", archive=1).json
    check.equal(one["white"] + other["white"], both["white"], "archives add up")
    check.equal([server.ask("/lichess", archive_number=numbers).json["white"] for numbers in ("0,1", "1,0,1", "1,1")], [both["white"]] * 2 + [other["white"]], "several archives")
    for numbers, message in (("0,", "archive_number: expected a whole number, or several separated by commas"), ("0;1", "archive_number: expected a whole number, or several separated by commas"),
                             (",".join(map(str, range(65))), "archive_number: more than 64 archives")):
        answer = server.ask("/lichess", archive_number=numbers)
        check.equal((answer.status, answer.json["error"]), (400, message), "archives " + numbers)
    check.equal([server.ask("/lichess", archive_number="0,7").status, server.ask("/game/1", archive_number="0,1").status], [404, 400], "no such archives")
    stats = server.ask("/stats", archive_number=0, limit=3).json
    theirs = json.loads(stamma("stats", "a.stamma", "--json", "--limit", "3"))
    check.equal(stats, theirs, "/stats")


def filters(server):
    total = int(stamma("find", "a.stamma", "b.stamma", "--player", "Kasparov", "--count"))
    counted = server.ask("/find", player="Kasparov", count=1).json
    check.equal(counted["count"], total, "games counted")
    check.equal(sum(counted[n] for n in ("white_wins", "draws", "black_wins", "unfinished")), total, "results of them")
    found, offset = [], 0
    while offset is not None:
        page = server.ask("/find", player="Kasparov", limit=3, offset=offset).json
        found += page["games"]
        offset = page["next"]
    check.equal(len({g["id"] for g in found}), total, "all pages together")
    for fields, options in (({"white": "Morphy"}, ["--white", "Morphy"]), ({"result": "0-1"}, ["--result", "0-1"]),
                            ({"since": "1990", "until": "1999-12"}, ["--date", "1990..1999.12"]),
                            ({"player": ["Kasparov", "Anand"]}, ["--player", "Kasparov", "--player", "Anand"]),
                            ({"player": "Kasparov", "color": "black"}, ["--black", "Kasparov"]),
                            ({"eco": "C20..C99"}, ["--eco", "C20..C99"]), ({"event": "*Open*"}, ["--event", "*Open*"]),
                            ({"play": "e2e4,c7c5"}, ["--moves", "e4 c5"]),
                            ({"query": '{"mate": true}'}, ["--mate"]), ({"white": "M\u00fcller"}, ["--white", "Muller"])):
        count = server.ask("/find", count=1, **fields).json["count"]
        check.equal(count, int(stamma("find", "a.stamma", "b.stamma", *options, "--count")), "count of %s" % fields)
        games = server.ask("/find", limit=200, **fields).json["games"]
        check.equal(len(games), count, "games of %s" % fields)
    body = server.ask("/find", method="POST", body='{"mate": true}', headers={"Content-Type": "application/json"}).json
    check.equal(body["games"], server.ask("/find", query='{"mate": true}').json["games"], "a query as a body")
    body = server.ask("/find", method="POST", body='{"mate": true}', headers={"Content-Type": "Application/JSON;charset=utf-8"}).json
    check.equal(body["games"], server.ask("/find", query='{"mate": true}').json["games"], "its type in capitals")
    body = server.ask("/find", method="POST", body="player=Kasparov&limit=2",
                      headers={"Content-Type": "application/x-www-form-urlencoded"}).json
    check.equal(len(body["games"]), 2, "a form as a body")
    for fields in ({"unknown": "1", "source": "analysis"}, {"speeds": "", "ratings": "", "since": ""},
                   {"ratings": "0,1000,1200,1400,1600,1800,2000,2200,2500"},
                   {"speeds[]": ["bullet", "blitz", "rapid", "classical", "ultraBullet", "correspondence"]}):
        check.equal(server.ask("/lichess", **fields).body, server.ask("/lichess").body, "%s changes nothing" % fields)


def timed():
    """Checks speeds, modes, ratings and a player's performance, with games that contain this data."""
    with open("timed.pgn", "w", encoding="utf-8") as file:
        for n, (event, control, white, black, result) in enumerate((
                ("Rated Blitz game", "180+2", 1599, 1600, "1-0"), ("Casual Rapid game", "600+0", 1600, 1600, "0-1"),
                ("rated bullet game", "60+0", 1799, 1800, "1/2-1/2"), ("Rated Correspondence game", "-", 2500, 2700, "1-0"),
                ("Open", "?", 2000, 1000, "*"))):
            file.write('[Event "%s"]\n[Site "?"]\n[Date "2020.0%d.02"]\n[Round "-"]\n[White "Ann"]\n[Black "B%d"]\n[Result "%s"]\n'
                       '[WhiteElo "%d"]\n[BlackElo "%d"]\n[TimeControl "%s"]\n\n1. e4 e5 %s\n\n'
                       % (event, n + 1, n, result, white, black, control, result))
    stamma("pack", "-q", "timed.pgn")
    server = Server("timed.stamma")
    for fields, wanted in (({}, 5), ({"speeds": "blitz,bullet"}, 2), ({"speeds[]": ["rapid", "correspondence"]}, 2),
                           ({"ratings": "1400"}, 2), ({"ratings": "1600"}, 2), ({"ratings": "1400,1600"}, 4), ({"ratings": "2500"}, 1),
                           ({"ratings": "1400,2500", "speeds": "blitz"}, 1), ({"ratings": "2800,3200"}, 0),
                           ({"since": "2020-02", "until": "2020-03"}, 2), ({"rating": "1600..1800"}, 2)):
        check.equal(server.ask("/lichess", **fields).json["games"], wanted, "games with %s" % fields)
        check.equal(server.ask("/find", count=1, **fields).json["count"], wanted, "found with %s" % fields)
    value = server.ask("/lichess", play="e2e4").json
    check.equal([(g.get("speed"), g.get("mode")) for g in value["recentGames"]],
                [(None, None), ("correspondence", "rated"), ("bullet", "rated"), ("rapid", "casual")], "speeds and modes")
    check.that("speed" not in value["recentGames"][0] and "mode" not in value["recentGames"][0], "unknown ones are left out, as Lichess does")
    one = server.ask("/lichess", speeds="blitz").json["moves"][0]["game"]
    check.equal((one["speed"], one["white"]), ("blitz", {"name": "Ann", "rating": 1599}), "the one game")
    check.equal(server.ask("/lichess", history=1).json["history"][0], {"month": "2020-01", "white": 1, "draws": 0, "black": 0}, "a month")

    def player(**fields):
        body = server.ask("/player", player="Ann", color="white", **fields).body.decode()
        return json.loads([line for line in body.splitlines() if line][-1])

    for play in ("", "e2e4"):  # for either side to move: 2.5 of 4 against 1600, 1600, 1800, 2700
        move = player(play=play or None)["moves"][0]
        check.equal((move["averageOpponentRating"], move["performance"]), (1925, 2014), "the player's opponents")
    check.equal(player(modes="casual")["games"], 1, "casual games")
    check.equal(player(modes="rated")["games"], 3, "rated games")
    check.equal(player(modes="rated,casual")["games"], 5, "games of either mode, or none")
    check.equal(server.stop(), 0, "exit status")


def games(server):
    for id_of, n in (("a.stamma", 0), ("b.stamma", 1)):
        row = server.ask("/find", archive=n, offset=2, limit=1).json["games"][0]
        pgn = stamma("cat", id_of, str(row["number"]))
        for path in ("/game/%s?format=pgn" % row["id"], "/masters/pgn/" + row["id"], "/lichess/pgn/" + row["id"],
                     "/game/%d?archive=%d&format=pgn" % (row["number"], n)):
            answer = server.ask(path)
            check.equal(answer.body, pgn, path)
            check.equal(answer.headers.get("content-type"), "application/x-chess-pgn", path + ": its type")
        ours, theirs = server.ask("/game/" + row["id"]).json, json.loads(stamma("cat", "--json", id_of, str(row["number"])))
        check.equal({name: ours.get(name) for name in theirs}, theirs, "/game/" + row["id"])
        check.equal((ours["id"], ours["archive_number"], len(ours["fens"])), (row["id"], n, len(ours["uci"])), "its own members")
    check.equal(server.ask("/find", archive=0, format="pgn", limit=10000).body, stamma("find", "a.stamma", "--pgn"), "PGN of all games")
    rows = server.ask("/find", archive=0, format="csv", limit=10000).body.decode().splitlines()
    check.equal(len(rows), 1 + server.ask("/archives").json[0]["games"], "rows of CSV")
    for path in ("/game/0", "/game/999999", "/game/AAAAAAAA", "/game/99999999", "/game/x", "/game/", "/masters/pgn/zz"):
        check.equal(server.ask(path).status, 404, path)


def identities():
    """A listed game equals the game that its id selects, with any number of archives."""
    server = Server("-T", "2", *["a.stamma", "b.stamma"] * 6)
    while server.ask("/health").json["indexed"] < 12:
        time.sleep(0.05)
    listed = 0
    for path, fields in (("/masters", {}), ("/lichess", {}), ("/lichess", {"play": "e2e4,c7c5"}), ("/lichess", {"archive": 11}), ("/masters", {"play": "d2d4"}),
                         ("/lichess", {"archive": 1, "play": "e2e4,e7e5,g1f3,b8c6"})):
        answer = server.ask(path, moves=50, **fields).json
        for game in answer["topGames"] + answer.get("recentGames", []) + [m["game"] for m in answer["moves"] if m["game"]]:
            own = server.ask("/game/" + game["id"])
            listed += 1
            check.equal(own.status, 200, "%s %s: the game %s" % (path, fields, game["id"]))
            if own.status == 200:
                check.equal((own.json["tags"].get("White"), own.json["archive_number"], own.json["number"]),
                            (game["white"]["name"], game["archive_number"], game["number"]), "%s %s: the game %s" % (path, fields, game["id"]))
    check.that(listed > 20, "games that are listed", listed)
    check.equal(server.stop(), 0, "exit status")


def castling(server):
    two = "e2e4,e7e5,g1f3,b8c6,f1b5,a7a6,b5a4,g8f6,"
    check.equal(server.ask("/lichess", play=two + "e1g1").body, server.ask("/lichess", play=two + "e1h1").body, "either spelling")
    ours = [m["uci"] for m in server.ask("/lichess", play=two[:-1], moves=50).json["moves"]]
    check.that("e1g1" in ours and "e1h1" not in ours, "/lichess writes the king's squares", ours)
    line = server.ask("/player", player="W", color="white", play=two[:-1], moves=50).body.decode().splitlines()[-1]
    theirs = [m["uci"] for m in json.loads(line)["moves"]]
    check.that("e1h1" in theirs and "e1g1" not in theirs, "/player writes the rook's square", theirs)
    answer = server.ask("/lichess", fen="rkr5/ppp5/8/8/8/8/PPP5/RKR5 w CAca - 0 9").json
    check.equal([m["uci"] for m in answer["moves"]], ["b1c1"], "castling of Chess960")
    answer = server.ask("/line", fen="rkr5/ppp5/8/8/8/8/PPP5/RKR5 w CAca - 0 9", play="b1c1,c8e8").json
    check.equal(answer, {"san": ["O-O", "Re8"], "fens": ["rkr5/ppp5/8/8/8/8/PPP5/RKR5 w KQkq - 0 9", "rkr5/ppp5/8/8/8/8/PPP5/R4RK1 b kq - 1 9",
                                                                "rk2r3/ppp5/8/8/8/8/PPP5/R4RK1 w q - 2 10"]}, "a line")
    check.equal(server.ask("/line").json, {"san": [], "fens": [START]}, "the line without moves")


def faults(server):
    for status, path, fields in ((404, "/nothing", {}), (404, "/../etc/passwd", {}), (404, "/lichess/x", {}), (400, "/lichess", {"fen": "x"}),
                                 (400, "/lichess", {"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}), (400, "/lichess", {"play": "e2e5"}),
                                 (400, "/lichess", {"play": "e2e4,,e7e5"}), (400, "/line", {"play": "e2e5"}), (400, "/line", {"fen": "x"}), (400, "/lichess", {"moves": "many"}),
                                 (400, "/lichess", {"ratings": "1700"}), (400, "/lichess", {"speeds": "slow"}),
                                 (400, "/lichess", {"variant": "go"}), (400, "/lichess", {"since": "soon"}),
                                 (400, "/player", {"player": "A"}), (400, "/player", {"color": "white"}),
                                 (400, "/player", {"player": "A", "color": "green"}), (400, "/find", {"query": "{"}),
                                 (400, "/find", {"query": '{"materal": "K"}'}), (400, "/find", {"query": '{}],"any":['}),
                                 (400, "/find", {"eco": "?"}), (400, "/find", {"rating": "high"}), (400, "/find", {"format": "xml"}),
                                 (400, "/find?a=%zz", {}), (400, "/find?player=%00", {}), (404, "/lichess", {"archive": 7}),
                                 (400, "/find", {"x%d" % i: 1 for i in range(70)}), (400, "/lichess", {"player": ["a", "b", "c"]})):
        answer = server.ask(path, **fields)
        check.equal(answer.status, status, "status of %s %s" % (path, fields))
        check.that(isinstance(answer.json.get("error"), str) and answer.json["error"], "a message of %s" % path, answer.body)
    for fields, begin in (({"rating": "3000..2000"}, "rating: "), ({"eco": "Z99", "rating": "1..2"}, "eco: "), ({"until": "1990", "since": "2000"}, "date: "),
                          ({"query": '{"white": "a\\":{,", "move-number": "zz"}'}, "query, byte 36: move-number: "),
                          ({"query": '{"white": "a", "materal": 5}'}, "query, byte 15: unknown"), ({"query": '{"any": [{"side-to-move": "x"}]}'}, "query, byte 26: side-to-move: ")):
        answer = server.ask("/find", **fields)
        check.that(answer.status == 400 and answer.json["error"].startswith(begin), "the field is named", fields, answer.body)
    message = server.ask("/find", query='{"materal": "K"}').json["error"]
    check.that('did you mean "material"' in message, "the query's fault is reported", message)


def protocol(server):
    for path in ("/lichess", "/health", "/nothing"):
        whole, head = server.ask(path), server.ask(path, method="HEAD")
        check.equal((head.status, head.body), (whole.status, b""), "HEAD " + path)
        check.equal(head.headers.get("content-length"), str(len(whole.body)), "length of HEAD " + path)
        check.equal(whole.headers.get("access-control-allow-origin"), None, "CORS of " + path)
    answer = server.ask("/lichess", method="OPTIONS", headers={"Origin": "https://lichess.org", "Access-Control-Request-Method": "GET",
                                                                "Access-Control-Request-Headers": "authorization"})
    check.equal((answer.status, answer.headers.get("access-control-allow-origin")), (204, LICHESS_SITE), "OPTIONS")
    check.that("GET" in answer.headers.get("access-control-allow-methods", ""), "methods that are allowed", answer.headers)
    for method in ("PUT", "DELETE", "PATCH"):
        check.equal(server.ask("/lichess", method=method).status, 405, method)
    check.equal(server.ask("/nothing", method="POST", body="").status, 405, "POST to the page")
    for kind in ("text/xml", "application/jsonx"):
        check.equal(server.ask("/find", method="POST", body="<a/>", headers={"Content-Type": kind}).status, 415, "a body of " + kind)
    upgrade = server.raw(b"GET /health HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                         b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    check.that(upgrade.startswith(b"HTTP/1.1 400 ") and b'{"error":' in upgrade, "a websocket is refused", upgrade[:300])
    # The sum of the sizes of head and body would overflow.
    for size in 2**63 - 1, 2**63 - 100, 10**30:
        endless = server.raw(b"GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\nabcdef" % size)
        check.that(endless.startswith(b"HTTP/1.1 413 "), "a body of %d bytes is refused" % size, endless[:300])
    check.equal(server.ask("/health").status, 200, "the server answers after bodies that are too large")
    check.equal(server.ask("/lichess", headers={"Authorization": "Bearer x"}).status, 200, "Authorization is ignored")
    check.equal(server.ask("/lichess", method="POST", body="", headers={"Content-Type": "application/json"}).body,
                server.ask("/lichess").body, "a body of JSON that is empty is passed over")
    page = server.ask("/")
    if page.status == 200:
        check.equal(server.ask("/", headers={"If-None-Match": page.headers["etag"]}).status, 304, "a page that is known")
        check.that("default-src 'self'" in page.headers["content-security-policy"], "the page's policy", page.headers)
    connection = server.connect()
    for _ in range(3):
        connection.request("GET", "/health")
        check.equal(connection.getresponse().read()[:12], b'{"status":"o', "a connection that is kept")
    connection.close()
    old = server.raw(b"GET /find?format=pgn&archive=0 HTTP/1.0\r\n\r\n")
    check.equal(old.split(b"\r\n\r\n", 1)[1], stamma("find", "a.stamma", "--pgn", "--limit", "20"), "HTTP/1.0 gets it whole")


def access(server):
    """Pages of other sites, and foreign names that resolve to this machine, cannot read the archives."""
    for host, status in (("localhost", 200), ("127.0.0.1", 200), ("127.1.2.3:80", 200), ("127.example", 403), ("[::1]:80", 200), ("a.localhost:1", 200), ("evil.example", 403),
                         ("127.0.0.1.evil.example", 403), ("localhost.evil.example:9002", 403), ("10.0.0.1", 403), ("", 403),
                         ("[::1]", 200), ("localhost:", 200), ("LOCALHOST:65535", 200), ("[::2]", 403), ("[::1].evil.example", 400),
                         ("[localhost]evil.example", 400), ("[localhost]", 400), ("[127.0.0.1]", 400), ("[::1", 400), ("[::1]]", 400),
                         ("[::1%1]", 400), ("localhost/evil.example", 400), ("localhost:80.evil.example", 400), ("localhost:80:80", 400),
                         ("localhost:65536", 400), ("localhost:+80", 400), ("localhost?", 400), ("localhost#", 400), ("localhost, a", 400),
                         ("evil.example@localhost", 400), ("localhost%2eevil.example", 400), ("127.0.0.1\\evil.example", 400)):
        for path in ("/lichess", "/", "/health"):
            check.equal(server.ask(path, headers={"Host": host}).status in (status, 404 if status == 200 else status), True,
                        "Host: %s, %s" % (host, path))
    own = "http://127.0.0.1:%d" % server.port
    for path in ("/lichess", "/masters", "/player?player=Kasparov&color=white", "/lichess/history"):
        answer = server.ask(path, headers={"Origin": LICHESS_SITE})
        check.equal((answer.status, answer.headers.get("access-control-allow-origin")), (200, LICHESS_SITE), "Lichess asks " + path)
        check.equal(answer.headers.get("vary"), "Origin", "the answer depends on who asks")
    for path in ("/find", "/stats", "/archives", "/health", "/metrics", "/game/1", "/"):
        check.equal(server.ask(path, headers={"Origin": LICHESS_SITE}).status, 403, "Lichess asks " + path)
    for origin in ("https://evil.example", "null", "http://lichess.org", "https://lichess.org.evil.example", "http://localhost:1",
                   "x" + own, "ftp" + own[4:], own + "/", own + " ", own + ".evil.example", own + "@evil.example", "evil.example " + own,
                   own[7:], "://" + own[7:], own + "0", "http://[%s]" % own[7:], "http://", ""):
        for path in ("/lichess", "/find"):
            answer = server.ask(path, headers={"Origin": origin})
            check.equal((answer.status, answer.headers.get("access-control-allow-origin")), (403, None), origin + " asks " + path)
    for host, origin in ((own[7:], own), (own[7:], own.upper()), ("localhost", "http://localhost:80"), ("localhost:443", "https://localhost"),
                         ("[::1]:9", "http://[::1]:9")):
        check.equal(server.ask("/find", headers={"Host": host, "Origin": origin}).status, 200, "its own page asks: " + origin)
    check.equal(server.ask("/find", headers={"Host": "localhost:81", "Origin": "http://localhost"}).status, 403, "another port asks")
    other = Server("a.stamma", "--cors", "https://club.example", err="cors.err")
    answer = other.ask("/find", headers={"Origin": "https://club.example"})
    check.equal((answer.status, answer.headers.get("access-control-allow-origin")), (200, "https://club.example"), "--cors")
    check.equal(other.ask("/find", headers={"Origin": "https://evil.example"}).status, 403, "--cors names one site")
    other.stop()
    other = Server("a.stamma", "--host", "127.0.0.2", err="loopback.err")
    for host, status in (("127.0.0.2", 200), ("localhost", 200), ("evil.example", 403)):
        answer = other.raw(b"GET /health HTTP/1.1\r\nHost: %s\r\n\r\n" % host.encode(), address="127.0.0.2")
        check.equal(answer.split(b" ")[1:2], [b"%d" % status], "Host: %s, at another loopback address" % host)
    other.stop()


def heads(server):
    """Requests that a proxy might interpret differently than the server are rejected."""
    begin = b"POST /find HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    check.that(b" 200 " in server.raw(begin + b"Content-Length: 7\r\n\r\nlimit=1")[:20], "a body")
    for more in (b"Content-Length: 7\r\nContent-Length: 7\r\n", b"Content-Length: 7\r\nTransfer-Encoding: chunked\r\n",
                 b"Content-Length: +7\r\n", b"Content-Length: 7 7\r\n", b"Content-Length:\r\n", b"Transfer-Encoding : chunked\r\n", b"Content-Length : 7\r\n",
                 b"Host: localhost\r\nContent-Length: 7\r\n"):
        answer = server.raw(begin + more + b"\r\nlimit=1")
        empty = more == b"Content-Length:\r\n"  # rejected by the HTTP library
        check.equal(answer.split(b" ")[1:2], [b"411" if empty else b"400"], "%s" % more)
    line, host, end = b"GET /health HTTP/1.1\r\n", b"Host: localhost\r\n", b"\r\n"
    inner = line + host + end  # the body, or a part of the head, as a second request
    many = b"".join(b"A%d: b\r\n" % n for n in range(63))
    hidden = (b"Content-Length: %d\r\n" % len(inner), b"Transfer-Encoding: chunked\r\n", b"Host: evil.example\r\n",
              b"Origin: http://evil.example\r\n", b"A: b\r\n")
    check.equal(server.raw(line + host + many + end)[:12], b"HTTP/1.1 200", "64 lines")
    for head, status in ([(line + host + many + one, b"431") for one in hidden] +
                         [(line + host + fold + one, b"400") for one in hidden
                          for fold in (b"A: b\r\n c\r\n", b"A: b\r\n\tc\r\n", b": b\r\n", b"\xe9: b\r\n", b"A: b\n\r\n", b"A: b\n")] +
                         [(line[:-2] + gap + host + one, b"400") for one in hidden for gap in (b"\n", b"\n\r\n", b"\r\n ")] +
                         [(b"GET" + first + b"/health" + last + b"HTTP/1.1\r\n" + host, b"400")
                          for first, last in ((b"  ", b" "), (b" ", b"  "), (b" \r\n", b" "), (b" ", b" \r\n"))] +
                         [(line + one + one, b"400") for one in (host, host + b"Origin: http://localhost\r\n", host + b"Sec-Fetch-Site: none\r\n")]):
        answers = server.raw(head + end + inner).split(b"HTTP/1.1 ")[1:]
        check.equal([answer[:3] for answer in answers], [status], "one answer, and the connection is closed: %s" % head)
    for first in (b"\xe9: b\r\n", b": b\r\n"):
        answer = server.raw(b"GET /health HTTP/1.0\r\n" + first + hidden[0] + end + inner)
        check.equal(answer.split(b" ")[1:2], [b"400"], "the first line has no name: %s" % first)
    for target in (b"http://evil.example/health", b"http://mydomain.com/health", b"http://localhost/health"):  # the HTTP library's domain
        answer = server.raw(line.replace(b"/health", target) + host + end)
        check.that(answer[:12] in (b"", b"HTTP/1.1 400"), "a target with another host: %s" % target, answer)
    for version, status in ((b"1.0", b"200"), (b"1.1", b"400")):
        answer = server.raw(b"GET /health HTTP/" + version + b"\r\n\r\n")
        check.equal(answer.split(b" ")[1:2], [status], "HTTP/%s without Host" % version.decode())


def silent():
    """Idle connections do not prevent answers to other clients."""
    server = Server("a.stamma", "--connections", "16", err="silent.err")
    sockets = [socket.create_connection(("127.0.0.1", server.port), timeout=60) for _ in range(150)]
    for _ in range(5):
        check.equal(server.ask("/health").status, 200, "an answer beside 150 silent connections")
    kept = server.connect()
    kept.request("GET", "/health")
    check.equal(kept.getresponse().read()[:12], b'{"status":"o', "a connection that is used")
    for connection in sockets:
        connection.close()
    check.equal(server.stop(), 0, "exit status")


def crowd():
    """Each of many simultaneous clients is answered. A client is not treated as idle before its request has arrived."""
    server = Server("a.stamma", "--connections", "4", err="crowd.err")
    for _ in range(5):
        clients = []
        for _ in range(60):
            clients.append(socket.create_connection(("127.0.0.1", server.port), timeout=60))
            clients[-1].sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        statuses = {client.recv(12)[9:] for client in clients}
        check.equal(statuses - {b"429"}, {b"200"}, "a crowd is answered")
        for client in clients:
            client.close()
    check.equal(server.stop(), 0, "exit status")


def busy():
    """A client that waits for an answer does not count as idle, even if another client with the same port is active."""
    server = Server("-T", "1", "--time-limit", "2", "--connections", "4", "slow.stamma", err="busy.err")
    waiting = slow_search(server)
    while server.metric("stamma_searches_running") < 1:
        time.sleep(0.02)
    source = ("127.0.0.2", waiting.getsockname()[1])
    with socket.create_connection(("127.0.0.1", server.port), source_address=source) as other:
        other.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        check.that(other.recv(100).startswith(b"HTTP/1.1 200"), "a client with the same port")
        sockets = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
        check.that(waiting.recv(100).startswith(b"HTTP/1.1 504"), "the client that waited is answered")
    for connection in [waiting, *sockets]:
        connection.close()
    check.equal(server.stop(), 0, "exit status")


# ---- limits and broken clients ----

def limits(server):
    check.equal(server.ask("/find?player=" + "x" * 13000).status, 414, "a long address")
    check.that(server.ask("/health", headers={"X": "y" * 20000}).status in (400, 431), "a long header")
    check.equal(server.ask("/find", method="POST", body="player=" + "x" * 70000).status, 413, "a long body")
    for data in (b"\x00\x01\x02\x03\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\xff" * 300,
                 b"GET /find?%ff%fe HTTP/1.1\r\nHost: localhost\r\n\r\n", b"POST /find HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
                 b"POST /find HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\nx", b"POST /find HTTP/1.1\r\nContent-Length: 50\r\n\r\nx",
                 b"POST /find HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"HEAD /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n\r\n",
                 b"G" * 40000, b"", b"GET /lichess HTTP/1.1\r\n" + b"A: b\r\n" * 5000 + b"\r\n"):
        answer = server.raw(data)
        check.that(b" 200 " not in answer.split(b"\r\n")[0] or b"/find?%ff" in data, "bytes that are no request", data[:60], answer[:200])
    for _ in range(20):  # clients that disconnect without reading
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(b"GET /find?limit=200 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    check.equal(server.ask("/health").status, 200, "it is still there")


def slow_client(server, result):
    """Sends a byte now and then, but never a complete request. Records the seconds until the server closes the
    connection."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\n")
        connection.settimeout(1)
        while time.monotonic() - began < 55:
            try:
                connection.sendall(b"a")
                if connection.recv(1) == b"":
                    break
                break
            except socket.timeout:
                continue
            except OSError:
                break
    result.append(time.monotonic() - began)


def leaving():
    """A search ends if its client disconnects, or if it exceeds the time limit."""
    server = Server("-T", "1", "--time-limit", "1", "slow.stamma")
    answer = server.ask("/find", query=SLOW, limit=200, offset=10 ** 9)
    check.equal(answer.status, 504, "a search that takes too long")
    check.equal(server.metric("stamma_searches_late_total"), 1, "it is counted")
    check.equal(server.ask("/lichess", moves=1).status in (200, 504), True, "others go on")
    check.equal(server.stop(), 0, "exit status")
    server = Server("-T", "1", "--time-limit", "300", "--connections", "4", "slow.stamma")
    connections = [slow_search(server) for _ in range(3)]
    until = time.monotonic() + 60
    while time.monotonic() < until:
        answer = server.ask("/health")
        if answer.status == 429:
            break
        for one in select.select(connections, [], [], 0.05)[0]:  # its request waited for ten seconds and was answered
            one.close()
            connections[connections.index(one)] = slow_search(server)
    check.equal((answer.status, answer.headers.get("retry-after")), (429, "1"), "one client with too many requests")
    for connection in connections:
        connection.close()
    until = time.monotonic() + 60
    while server.ask("/health").status != 200 and time.monotonic() < until:
        time.sleep(0.05)
    while server.metric("stamma_searches_cancelled_total") < 1 and time.monotonic() < until:
        time.sleep(0.05)
    check.that(server.metric("stamma_searches_cancelled_total") >= 1, "searches whose clients left are ended")
    connection = slow_search(server)
    time.sleep(0.2)
    check.equal(server.stop(), 0, "it ends while a search goes on")
    connection.close()


# ---- answers that grow ----

def growing():
    """/player sends several lines for an archive whose games are decoded during the request. Each line is a complete
    answer, with at least as many games as the line before."""
    server = Server("-T", "1", "--time-limit", "0", "grows3.stamma")
    for play in ("", "e2e4"):
        began = time.monotonic()
        answer = server.ask("/player", player="*", color="white", play=play or None)
        took = time.monotonic() - began
        lines = [json.loads(line) for line in answer.body.decode().splitlines() if line]
        for line in lines:
            check.equal(misfits(line, PLAYERS), [], "the shape of a line")
        for before, after in zip(lines, lines[1:]):
            counts = {m["uci"]: m["games"] for m in after["moves"]}
            check.that(all(before[n] <= after[n] for n in ("games", "white", "draws", "black")), "counts do not shrink", before, after)
            check.that(all(m["games"] <= counts.get(m["uci"], 0) for m in before["moves"]), "nor do those of moves", before, after)
        print("%d lines in %.1f s" % (len(lines), took))
        if took > 2:  # the shortest time that requires several lines
            check.that(len(lines) > 2 and lines[0]["games"] < lines[-1]["games"], "lines as it grows", len(lines), took)
        check.that(len(lines) <= 2 + took / 0.3, "not too many lines", len(lines), took)
        again = server.ask("/player", player="*", color="white", play=play or None).body.decode().splitlines()
        check.equal([json.loads(line) for line in again if line], lines[-1:], "the last line is the answer")
        theirs = json.loads(stamma("tree", "a.stamma", "--player", "*", "--json", "--moves", "e4" if play else ""))
        check.equal(lines[-1]["white"], COPIES * theirs["white"], "games of all blocks")
    check.equal(server.stop(), 0, "exit status")


# ---- load ----

def load(server):
    """Memory does not grow over many requests from eight connections."""
    paths = ["/lichess", "/lichess?play=e2e4", "/masters?play=d2d4,d7d5", "/player?player=Kasparov&color=white", "/find?player=Kasparov&limit=5",
             "/stats?limit=3", "/game/3", "/health", "/lichess?fen=bad", "/find?format=pgn&limit=3", "/metrics", "/archives"]
    each = 60 if SANITIZED else 400
    bad = []

    def client(first):
        connection = server.connect()
        for i in range(each):
            connection.request("GET", paths[(first + i) % len(paths)])
            response = connection.getresponse()
            response.read()
            if response.status != (400 if "bad" in paths[(first + i) % len(paths)] else 200):
                bad.append((paths[(first + i) % len(paths)], response.status))
        connection.close()

    def run():
        began = time.monotonic()
        threads = [threading.Thread(target=client, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return 8 * each / (time.monotonic() - began)

    run()
    before = server.anonymous()
    rate = run()
    after = server.anonymous()
    check.equal(bad[:5], [], "all requests are answered")
    print("load: %.0f requests a second, anonymous memory %s -> %s" % (rate, before, after))
    if before and not SANITIZED:
        check.that(after - before < 8 << 20, "memory stays", before, after)
    check.that(server.metric("stamma_answers_remembered_total") > 0, "answers are remembered")
    text = server.ask("/metrics").body.decode()
    check.that(re.search(r'stamma_requests_total\{endpoint="lichess",status="200"\} \d+', text), "requests are counted", text)
    check.that(re.search(r'stamma_request_seconds_bucket\{endpoint="find",le="\+Inf"\} \d+', text), "durations are printed", text)


def main():
    server = Server("-T", "2", "a.stamma", "b.stamma")
    seconds = []
    slow = [threading.Thread(target=slow_client, args=(server, seconds)) for _ in range(2)]
    for thread in slow:
        thread.start()
    for part in (shapes, values, filters, games, castling, faults, protocol, access, heads, limits, load):
        part(server)
    for thread in slow:
        thread.join()
    print("slow clients were shut out after %s s" % seconds)
    check.that(max(seconds) < 50, "slow clients are shut out", seconds)
    check.equal(server.stop(), 0, "exit status")
    with open(server.err, encoding="utf-8") as messages:
        check.equal(len(messages.read().splitlines()), 1, "nothing is printed about requests")
    identities()
    timed()
    silent()
    crowd()
    busy()
    growing()
    leaving()
    check.end()


if __name__ == "__main__":
    main()
