# SPDX-License-Identifier: MIT
"""The games from which search_queries.py derives queries, and the kinds of queries."""
import collections
import random

import chess

KINDS = []  # (name, function that makes a query from a Source)
PIECES = "KQRBNPkqrbnp"


def kind(function):
    KINDS.append((function.__name__.replace("_", "-"), function))
    return function


class Source:
    """The games from which queries are derived."""

    def __init__(self, games, seed):
        self.random, self.games = random.Random(seed), games
        self.plies = [(game, number) for game in games for number in range(len(game.plies))]
        self.places = collections.Counter(game.plies[number].key() for game, number in self.plies)
        self.special = {
            "en-passant": [p for p in self.plies if self.at(p).en_passant is not None],
            "double-push": [p for p in self.plies if self.at(p).board.ep_square is not None and self.at(p).en_passant is None],
            "took-en-passant": [p for p in self.plies if self.at(p).move and self.at(p).move.en_passant],
            "promotion": [p for p in self.plies if self.at(p).move and self.at(p).move.promoted],
            "castling": [p for p in self.plies if self.at(p).move and self.at(p).move.castling],
            "lost-right": [p for p in self.plies if p[1] and self.at(p).castling != self.before(p).castling],
            "check": [p for p in self.plies if self.at(p).board.is_check()],
            "queens": [p for p in self.plies if "QQ" in "".join(sorted(self.at(p).text)) or "qq" in "".join(sorted(self.at(p).text))],
            "endgame": [p for p in self.plies if self.at(p).text.count(".") > 53],
            "setup": [p for p in self.plies if "setup" in p[0].has],
            "unfinished": [p for p in self.plies if p[0].result == "*"],
            "evaluated": [p for p in self.plies if self.at(p).evaluation is not None],
            "timed": [p for p in self.plies if self.at(p).clock is not None],
            "pinned": [p for p in self.plies if any(self.at(p).board.is_pinned(c, s) for c in chess.COLORS
                                                    for s in chess.scan_forward(self.at(p).board.occupied_co[c]))]
            if len(games) < 1000 else [],
        }

    @staticmethod
    def at(place):
        return place[0].plies[place[1]]

    @staticmethod
    def before(place):
        return place[0].plies[place[1] - 1]

    def choice(self, values):
        return self.random.choice(values)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def place(self, name=None, low=0, high=10000):
        places = self.special[name] if name else self.plies
        return self.choice([p for p in places if low <= p[1] <= high] or places or self.plies)

    def position(self, *arguments):
        return self.at(self.place(*arguments))

    def move(self, name=None, low=1):
        return self.position(name, low).move or next(ply.move for ply in self.games[0].plies if ply.move)

    def game(self):
        return self.choice(self.games)

    def value(self, tag):
        return self.choice([game.tag(tag) for game in self.games if game.tag(tag)] or ["?"])

    def around(self, number, most=3):
        """Returns a range that contains a number, or the number."""
        low, high = number - self.random.randrange(most + 1), number + self.random.randrange(most + 1)
        return self.choice([number, "%d..%d" % (low, high), "%d.." % low, "..%d" % high, [number, high + 5], "%d" % number])

    def mask(self, text, kept, odd=20):
        """Returns a placement of `kept` of a position's pieces. `odd` percent of the pieces are specified less
        exactly."""
        occupied = [i for i in range(64) if text[i] != "."]
        shown = set(self.random.sample(occupied, min(kept, len(occupied))))
        cells = ["1"] * 64
        for i in range(64):
            if i in shown:
                cells[i] = self.loose(text[i]) if self.chance(odd) else text[i]
            elif text[i] == "." and odd and self.chance(6):
                cells[i] = "."
        return placement(cells)

    def loose(self, piece):
        others = "".join(self.random.sample(PIECES, 2))
        return self.choice(["A" if piece.isupper() else "a", "?", "[" + piece + others + "]", "[." + piece + "]"])


def placement(cells):
    """Returns the text of a placement of 64 cells; `1` means any contents."""
    rows = []
    for begin in range(0, 64, 8):
        row, run = "", 0
        for cell in cells[begin:begin + 8] + ["/"]:
            if cell == "1":
                run += 1
                continue
            row, run = row + (str(run) if run else "") + cell, 0
        rows.append(row[:-1])
    return "/".join(rows)


def material(text):
    return "".join(c * text.count(c) for c in "KQRBNP") + "".join(c.upper() * text.count(c) for c in "kqrbnp")


def san(move, full=0):
    """Returns a short SAN of a move; `full` adds details."""
    if move.castling:
        return "O-O" if move.castling == "short" else "O-O-O"
    if move.null:
        return "e4"
    origin, target = chess.square_name(move.origin), chess.square_name(move.target)
    text = move.piece.replace("P", "")
    if full >= 1 and (move.piece != "P" or move.captured):
        text += origin[0]
    if full >= 2 and move.captured:
        text += "x"
    return text + target + ("=" + move.promoted if full >= 1 and move.promoted else "")


def turning(s):
    return s.choice([{"flipcolor": True}, {"mirror": True}, {"flipcolor": True, "mirror": True}])
