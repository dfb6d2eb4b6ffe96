# SPDX-License-Identifier: MIT
"""Compares the names of /players, and the results from a player's side of /lichess, with python-chess.

usage: serve_players.py    in a folder with games.pgn, more.pgn, archives of both, and slow.stamma
"""
import math
import os
import subprocess
import time

import chess.pgn

from serve_client import Checks, Server

check = Checks()


def read(name):
    games = []
    with open(name, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            games.append(game)
    return games


def rating(game, side):
    text = game.headers.get(side + "Elo", "")
    return int(text) if text.isdigit() else 0


# ---- names ----

def row_of(games, name):
    """Returns the expected answer of /players for a name."""
    white = [game for game in games if game.headers["White"] == name]
    black = [game for game in games if game.headers["Black"] == name]
    ratings = [rating(game, "White") for game in white] + [rating(game, "Black") for game in black]
    known = [one for one in ratings if one]
    return {"name": name, "games": len(white) + len(black), "white_games": len(white), "black_games": len(black),
            "rating_min": min(known, default=None), "rating_max": max(known, default=None)}


def names(server, games):
    rows = {name: row_of(games, name) for game in games for name in (game.headers["White"], game.headers["Black"])}
    every = server.ask("/players", limit=100).json["players"]
    check.equal({row["name"]: row for row in every}, rows, "all names")
    check.equal([server.ask("/stats", player="=" + row["name"]).json["games"] for row in every], [row["games"] for row in every], "games of a chosen name")
    check.equal([row["games"] for row in every], sorted((row["games"] for row in rows.values()), reverse=True), "most games first")
    kramniks = sorted(("Kramnik,V", "Kramnik, Vladimir"), key=lambda name: -rows[name]["games"])
    for text, wanted in (("Vladimir Kramnik", kramniks), ("KRAMNIK vladimir", kramniks), ("kramnik", kramniks + ["Kramnikov, Oleg"]),
                         ("polgar", ["Polgár, Judit"]), ("judit polgár", ["Polgár, Judit"]), ("zoe ohara", ["O'Hara, Zoë"]), ("oh", ["O'Hara, Zoë"]),
                         ("v ivanchuk", ["Ivanchuk, Vassily"]), ("nobody", []), ("chao li", ["Li Chao"])):
        found = server.ask("/players", q=text).json["players"]
        check.equal([row["name"] for row in found], wanted, "names for " + text)
        check.equal(found, [rows[name] for name in wanted], "rows for " + text)
    for text, wanted in (("Cramnik, Vladimir", kramniks), ("Iwanchuk", ["Ivanchuk, Vassily"])):
        check.equal(server.ask("/players", q=text).json["players"], [{**rows[name], "similar": True} for name in wanted], "similar to " + text)
    check.equal(len(server.ask("/players", limit=3).json["players"]), 3, "limit")
    check.equal(server.ask("/players", limit=0).json, {"players": []}, "no names")


# ---- results ----

def performance(opponents, points):
    """Returns the performance rating and the mean of the opponents' ratings."""
    if not opponents:
        return None, None
    mean, share = sum(opponents) / len(opponents), points / len(opponents)
    bound = 800 if share == 1 else -800 if share == 0 else max(-800, min(800, 400 * math.log10(share / (1 - share))))
    return mean + bound, mean


class Side:
    """Results from a player's side."""

    def __init__(self):
        self.won = self.drawn = self.lost = self.points = 0
        self.opponents = []

    def add(self, game, white):
        result = game.headers["Result"]
        if result == "*":
            return
        half = {"1-0": 2, "0-1": 0}.get(result, 1)
        half = half if white else 2 - half
        self.won, self.drawn, self.lost = self.won + (half == 2), self.drawn + (half == 1), self.lost + (half == 0)
        opponent = rating(game, "Black" if white else "White")
        if opponent:
            self.opponents.append(opponent)
            self.points += half / 2


def steps(game):
    """Returns the positions of a game, each with the next move: [epd, uci or None]."""
    if not hasattr(game, "steps"):
        board = game.board()
        game.steps = []
        for move in game.mainline_moves():
            game.steps.append((board.epd(), move.uci()))
            board.push(move)
        game.steps.append((board.epd(), None))
    return game.steps


def sides(games, player, color, board):
    """Returns the results of the games with a position, by move, and of all (None)."""
    found, wanted = {None: Side()}, board.epd()
    for game in games:
        white, black = game.headers["White"] == player, game.headers["Black"] == player
        if not (white if color == "white" else black if color == "black" else white or black):
            continue
        move = next((move for epd, move in steps(game) if epd == wanted), "")
        if move != "":
            found[None].add(game, white)
        if move:
            found.setdefault(move, Side()).add(game, white)
    return found


def same_side(got, wanted, what):
    check.equal([got["wins"], got["draws"], got["losses"]], [wanted.won, wanted.drawn, wanted.lost], what)
    rated, mean = performance(wanted.opponents, wanted.points)
    for name, value in (("performance", rated), ("opponents", mean)):
        right = got[name] is None if value is None else got[name] is not None and abs(got[name] - value) <= 0.51
        check.that(right, "%s: %s %r, not %r" % (what, name, got[name], value))


def results(server, games):
    for line in ("", "e2e4", "e2e4,e7e5,g1f3", "d2d4,g8f6,c2c4,e7e6", "g1f3,d7d5", "e2e4,a7a6"):
        board = chess.Board()
        for move in filter(None, line.split(",")):
            board.push_uci(move)
        for player in ("Kramnik,V", "Leko,P", "O'Hara"):
            for color in (None, "white", "black"):
                full = {"O'Hara": "O'Hara, Zoë"}.get(player, player)
                wanted = sides(games, full, color, board)
                answer = server.ask("/lichess", player=player, color=color, play=line).json
                what = "%s, %s, %s" % (player, color, line)
                check.equal({move["uci"] for move in answer["moves"]}, set(wanted) - {None}, what + ": moves")
                same_side(answer["player"], wanted[None], what)
                for move in answer["moves"]:
                    same_side(move["player"], wanted[move["uci"]], what + ": " + move["uci"])
    for more in ({}, {"player": ["Kramnik,V", "Leko,P"]}, {"player": "Kramnik,V", "white": "Leko,P"}):
        check.that("player" not in server.ask("/lichess", **more).json, "no player's side: %r" % more)


# ---- reports ----

def nodes(moves, line=()):
    """Yields the nodes of a repertoire, each with its line in UCI."""
    for move in moves:
        at = line + (move["uci"],)
        yield move, at
        yield from nodes(move["moves"], at)


def latest(games, player, color, line):
    """Returns the latest date of the games in which a player with this colour played the last move of a line, as far as it is known."""
    board, found = chess.Board(), ""
    for move in line[:-1]:
        board.push_uci(move)
    for game in games:
        if game.headers[color.capitalize()] == player and next((move for epd, move in steps(game) if epd == board.epd()), None) == line[-1]:
            found = max(found, game.headers["Date"].replace(".??", "").replace("????", "").replace(".", "-"))
    return found or None


def reports(server, archive, games):
    for fields, options in (({"player": "Kramnik,V"}, ["Kramnik,V"]), ({"player": "=kramnik,v"}, ["=kramnik,v"]), ({"player": "kramnik"}, ["kramnik"]), ({"player": "Polg\u00e1r", "color": "black"}, ["Polg\u00e1r", "--color", "black"]),
                            ({"player": "Leko", "depth": 6, "min_games": 1, "since": 2000, "until": "2006-03"},
                             ["Leko", "--depth", "6", "--min-games", "1", "--since", "2000", "--until", "2006.03"]), ({"player": "nobody"}, None)):
        answer = server.ask("/report", **fields)
        if options:
            printed = subprocess.run([os.environ["STAMMA"], "report", options[0], archive, "--json", "--no-novelties", *options[1:]], capture_output=True, check=True)
            check.equal(answer.body.strip(), printed.stdout.strip(), "report of %r" % fields)
        else:
            check.equal(answer.json["all"]["games"], 0, "report of nobody")
    for color in ("white", "black"):
        report = server.ask("/report", player="Leko,P", color=color, min_games=3, bits=1).json["repertoire"]["as_" + color]
        seen = 0
        for move, line in nodes(report["moves"]):
            own = (len(line) % 2 == 1) == (color == "white")
            check.equal("bits" in move, own, "bits of %s" % (line,))
            check.equal(move["last_date"], latest(games, "Leko,P", color, line), "latest date of %s" % (line,))
            if own and seen < 12:
                seen += 1
                tree = server.ask("/lichess", play=",".join(line[:-1]), bits=1, moves=500).json["moves"]
                check.equal(move["bits"], next(one["bits"] for one in tree if one["uci"] == line[-1]), "bits of %s" % (line,))
        check.that(seen > 5, "own moves")


# ---- persons ----

def persons(games):
    """A person is listed before names, with the games of all names, and filters accept the id."""
    with open("some.persons", "w", encoding="utf-8") as file:
        file.write("[vlad]\nname = Kramnik, Vladimir\naccount = Kramnik,V\n[leko]\nname = Leko,P @ 99\n[none]\ntitle = GM\n")
    server = Server("games.stamma", "--persons", "some.persons", err="persons.err")
    names = ("Kramnik, Vladimir", "Kramnik,V")
    white = sum(game.headers["White"] in names for game in games)
    black = sum(game.headers["Black"] in names for game in games)
    either = sum(game.headers["White"] in names or game.headers["Black"] in names for game in games)
    wanted = {"name": names[0], "person": "vlad", "games": either, "white_games": white, "black_games": black, "rating_min": None, "rating_max": None}
    for text in ("kramnik v", "vlad", "@VLAD"):
        check.equal(server.ask("/players", q=text).json["players"][0], wanted, "the person for " + text)
    check.that(all("person" not in row for row in server.ask("/players").json["players"]), "no persons without words")
    check.equal([row.get("person") for row in server.ask("/players", q="leko").json["players"]], ["leko", None], "a person with a limit")
    check.equal(server.ask("/stats", player="@vlad").json["games"], either, "games of a person")
    check.equal(server.ask("/stats", player="@vlad", color="black").json["games"], black, "games of a person with Black")
    check.equal(server.ask("/stats", player="@none").json["games"], 0, "a person without names")
    more = sum({game.headers["White"], game.headers["Black"]} & {*names, "Leko,P"} != set() for game in games)
    check.equal(server.ask("/stats", player="@vlad|=Leko,P|@none").json["games"], more, "persons and a name")
    check.equal(server.ask("/stats", query='{"not": {"player": "@vlad"}}').json["games"], len(games) - either, "a person in a query")
    printed = subprocess.run([os.environ["STAMMA"], "report", "--person", "vlad", "--persons", "some.persons", "games.stamma", "--json", "--no-novelties"], capture_output=True, check=True)
    check.equal(server.ask("/report", player="@vlad").body.strip(), printed.stdout.strip(), "the report of a person")
    for path in ("/stats", "/report", "/lichess"):
        answer = server.ask(path, player="@vlat")
        check.equal([answer.status, answer.json["error"]], [400, 'there is no person "vlat"; did you mean vlad (Kramnik, Vladimir)?'], "no person: " + path)
    server.stop()


# ---- several names ----

def several(server, archive, games):
    """A value with several names finds the games of any of them."""
    names = ("Kramnik, Vladimir", "Kramnik,V", "O'Hara, Zo\u00eb")
    value = "|".join("=" + name for name in names)
    own = {side: [game for game in games if game.headers[side] in names] for side in ("White", "Black")}
    either = [game for game in games if {game.headers["White"], game.headers["Black"]} & set(names)]
    for fields, wanted in (({}, either), ({"color": "white"}, own["White"]), ({"color": "black"}, own["Black"]), ({"result": "1-0"}, [game for game in either if game.headers["Result"] == "1-0"])):
        check.equal(server.ask("/stats", player=value, **fields).json["games"], len(wanted), "statistics of several names: %r" % fields)
        check.equal(len(server.ask("/find", player=value, limit=200, **fields).json["games"]), min(200, len(wanted)), "games of several names: %r" % fields)
    check.equal(server.ask("/stats", white=value).json["games"], len(own["White"]), "several names of White")
    leko = [game for game in either if "Leko,P" in (game.headers["White"], game.headers["Black"])]
    check.equal(server.ask("/stats", player=[value, "=Leko,P"]).json["games"], len(leko), "several names and an opponent")
    answer = server.ask("/lichess", player=value).json["player"]
    won = sum(game.headers["Result"] == ("1-0" if game.headers["White"] in names else "0-1") for game in either)
    check.equal(answer["wins"], won, "won by one of several names")
    printed = subprocess.run([os.environ["STAMMA"], "report", value, archive, "--json", "--no-novelties"], capture_output=True, check=True)
    check.equal(server.ask("/report", player=value).body.strip(), printed.stdout.strip(), "the report of several names")
    check.equal(server.ask("/report", player=value).json["player"], " + ".join(names), "the heading of several names")


# ---- bad input, cancelled requests ----

def bad(server):
    for fields in ({"limit": "x"}, {"limit": "-1"}, {"archive": "x"}):
        check.equal(server.ask("/players", q="a", **fields).status, 400, "bad field %r" % fields)
    for fields in ({}, {"player": "a", "depth": "x"}, {"player": "a", "color": "red"}, {"player": "a", "min_games": "-1"}, {"player": "a", "bits": "2"}, {"player": "a", "since": "x"}):
        check.equal(server.ask("/report", **fields).status, 400, "bad report %r" % fields)
    check.equal(server.ask("/players", q="a", archive=7).status, 404, "no such archive")
    check.equal(server.ask("/players?q=%00").status, 400, "a zero byte")
    for text in ("\u0130\u202e", "," * 3000, "a " * 2000):
        check.equal(server.ask("/players", q=text).status, 200, "unusual text")
    check.equal(server.ask("/players?q=%FF%FEkramnik").json, {"players": []}, "not UTF-8")
    check.equal(server.ask("/players?q=polg%E1r").json["players"][0]["name"], "Polgár, Judit", "Latin-1")


def cancelled():
    """A request ends if its client leaves while the list is made, and the next request is answered."""
    server = Server("slow.stamma", "-T", "1", "--time-limit", "0", err="slow.err")
    connection = server.connect()
    connection.request("GET", "/players?q=leko")
    time.sleep(0.05)
    connection.close()
    answer = server.ask("/players", q="leko")
    check.equal([answer.status, [row["name"] for row in answer.json["players"]]], [200, ["Leko,P"]], "after a cancelled request")
    server.stop()


def main():
    games, more = read("games.pgn"), read("more.pgn")
    for archive in ("games.stamma", "plain.stamma", "slow3.stamma"):
        server = Server(archive)
        names(server, games)
        bad(server)
        if archive != "slow3.stamma":
            results(server, games)
            reports(server, archive, games)
            several(server, archive, games)
        server.stop()
    both = Server("games.stamma", "more.stamma", err="both.err")
    names(both, games + more)
    check.equal(both.ask("/players", q="leko", archive=1).json["players"], [row_of(more, "Leko,P")], "one archive")
    check.equal(both.ask("/players", q="leko", archive=0).json["players"], [row_of(games, "Leko,P")], "the other archive")
    results(both, games + more)
    both.stop()
    persons(games)
    cancelled()
    check.end()


main()
