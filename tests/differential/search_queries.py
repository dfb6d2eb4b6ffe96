#!/usr/bin/env python3
"""Prints queries of every kind for the search, derived from the games to be searched. Most queries find games, some
find none.

usage: search_queries.py [--kinds] GAMES.pgn [SEED [EACH]]

Prints one query a line. The output depends only on the games and the seed. --kinds prints the number of queries of each
kind. Needs python-chess."""
import collections
import json
import random
import re
import sys

import chess
from search_games import games_of

KINDS = []  # (name, function that makes a query from a Source)
FILES, RANKS = "abcdefgh", "12345678"
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
        """Returns a placement of `kept` of a position's pieces. `odd` percent of them are specified less exactly."""
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


# ---- exact positions ----

@kind
def fen_initial(s):
    return {"fen": chess.STARTING_FEN, **s.choice([{}, {"ply": 0}, {"ply": "1.."}])}


@kind
def fen_opening(s):
    return {"fen": s.position(None, 4, 12).fen()}


@kind
def fen_common(s):
    return {"fen": s.at(max((s.place(None, 10, 30) for _ in range(30)), key=lambda p: s.places[s.at(p).key()])).fen()}


@kind
def fen_middlegame(s):
    return {"fen": " ".join(s.position(None, 25, 60).fen().split()[:s.choice([4, 6])])}


@kind
def fen_endgame(s):
    return {"fen": s.position("endgame").fen()}


@kind
def fen_last(s):
    game = s.game()
    return {"fen": game.plies[-s.choice([1, 2])].fen() if len(game.plies) > 1 else chess.STARTING_FEN}


@kind
def fen_first(s):
    return {"fen": s.game().plies[0].fen()}


@kind
def fen_setup(s):
    return {"fen": s.position("setup").fen()}


@kind
def fen_absent(s):
    fields = s.position(None, 5, 60).fen().split()
    fields[1], fields[3] = {"w": "b", "b": "w"}[fields[1]], "-"
    return {"fen": " ".join(fields)} if s.chance(60) else {"fen": "8/8/3k4/8/1PP5/8/4K3/7r w - - 0 1"}


@kind
def fen_en_passant(s):
    fields = s.position("en-passant").fen().split()
    option = s.choice([0, 1, 2])
    if option:
        fields[3] = "-"
    return {"fen": " ".join(fields), **({"ignore-en-passant": True} if option == 2 else {})}


@kind
def fen_double_push(s):
    """An en passant square on which no pawn can capture makes no difference."""
    ply = s.position("double-push")
    return {"fen": s.choice([ply.board.fen(en_passant="fen"), ply.fen()])}


@kind
def fen_around_en_passant(s):
    place = s.place("took-en-passant", 1)
    return {"fen": s.choice([s.at(place), s.before(place)]).fen()}


@kind
def fen_castling(s):
    """After the loss of castling rights: the right FEN, and the FEN with the earlier rights."""
    place = s.place("lost-right", 1)
    fields, before = s.at(place).fen().split(), s.before(place).fen().split()
    option = s.choice([0, 1, 2, 3])
    if option and set(before[2]) > set(fields[2]):
        fields[2] = "-" if option == 3 else before[2]
    return {"fen": " ".join(fields), **({"ignore-castling": True} if option > 1 else {})}


@kind
def fen_ignoring_castling(s):
    fields = s.position(None, 4, 20).fen().split()
    return {"fen": " ".join([*fields[:2], "-", *fields[3:]]), "ignore-castling": s.chance(70), "ignore-en-passant": s.chance(50)}


@kind
def fen_around_castling(s):
    place = s.place("castling", 1)
    return {"fen": s.choice([s.at(place), s.before(place)]).fen()}


@kind
def fen_shredder(s):
    ply = s.position("setup", 0, 30)
    return {"fen": ply.board.fen(shredder=True)}


@kind
def fen_before_promotion(s):
    game, number = s.place("promotion", 1)
    return {"fen": game.plies[max(0, number - s.choice([1, 1, 2, 5]))].fen()}


@kind
def fen_after_promotion(s):
    game, number = s.place("promotion", 1)
    return {"fen": game.plies[min(number + s.choice([0, 0, 1, 3]), len(game.plies) - 1)].fen()}


@kind
def fen_queens(s):
    return {"fen": s.position("queens").fen()}


@kind
def fen_list(s):
    return {"fen": [s.position(None, 3, 10).fen() for _ in range(3)]}


@kind
def fen_neighbours(s):
    """A position and the position after it."""
    game, number = s.place(None, 6, 40)
    around = [game.plies[min(max(0, number + step), len(game.plies) - 1)].fen() for step in (0, 1)]
    return {"streak": [{"fen": fen} for fen in around]}


@kind
def fen_mirrored(s):
    """Reversed files, for games without castling rights or of Chess960."""
    board = s.position(*s.choice([("setup",), ("endgame",)])).board.transform(chess.flip_horizontal)
    return {"fen": board.fen(en_passant="fen"), "mirror": True, **({"flipcolor": True} if s.chance(40) else {})}


@kind
def fen_flipped(s):
    board = s.position(None, 3, 30).board.copy(stack=False)
    return {"fen": board.mirror().fen(en_passant="fen"), "flipcolor": True}


# ---- parts of positions ----

@kind
def sub_fen(s):
    return {"sub-fen": s.mask(s.position(None, 1).text, s.choice([1, 3, 5, 8, 20]))}


@kind
def sub_fen_few(s):
    return {"sub-fen": s.mask(s.position(None, 30).text, s.choice([2, 3, 4]), s.choice([0, 50]))}


@kind
def sub_fen_pawns(s):
    text = s.position(None, 10, 60).text
    return {"sub-fen": placement([c if c in "Pp" else "1" for c in text])}


@kind
def sub_fen_all(s):
    text = s.position(None, 4, 30).text
    return {"sub-fen": placement([c if c != "." or s.chance(50) else "1" for c in text])}


@kind
def sub_fen_list(s):
    return {"sub-fen": [s.mask(s.position(None, 20).text, 6) for _ in range(3)]}


@kind
def sub_fen_flipcolor(s):
    return {"sub-fen": s.mask(s.position(None, 20).text, s.choice([3, 5, 7])), "flipcolor": True}


@kind
def sub_fen_mirror(s):
    return {"sub-fen": s.mask(s.position(None, 20).text, s.choice([3, 4, 5])), "mirror": True}


@kind
def sub_fen_all_turns(s):
    return {"sub-fen": s.mask(s.position(None, 20).text, s.choice([4, 5, 6])), "mirror": True, "flipcolor": True}


@kind
def sub_fen_shift(s):
    text, cells = s.position(None, 20).text, ["1"] * 64
    file, rank = s.random.randrange(6), s.random.randrange(6)
    for i in range(64):
        if file <= i % 8 < file + 3 and rank <= i // 8 < rank + 3 and text[i] != ".":
            cells[i] = text[i]
    return {"sub-fen": placement(cells), "shift": s.choice([True, "files", "ranks"]), **({"flipcolor": True} if s.chance(30) else {})}


@kind
def sub_fen_with_side(s):
    return {"sub-fen": s.mask(s.position(None, 20).text, 5), "stm": s.choice(["white", "black", "White", "BLACK"]), "flipcolor": s.chance(50)}


# ---- material ----

@kind
def material_exact(s):
    return {"material": material(s.position(None, 20).text)}


@kind
def material_endgame(s):
    return {"material": material(s.position("endgame").text), **s.choice([{}, {}, {"flipcolor": True}])}


@kind
def material_loose(s):
    text = material(s.position("endgame", 20).text)
    return {"material": "".join(c + s.choice(["", "", "?", "*", "+"]) if c != "K" else c for c in text)}


@kind
def material_any_number(s):
    return {"material": s.choice(["KR+P*KR+P*", "KQ+R*B*N*P*KQ+R*B*N*P*", "KP*KP*", "KR?P+KR?P+", "KBP*KBP*", "KBP*KNP*", "KRP+KBN?P*", "KQP*KRRP*"]),
            **({"flipcolor": True} if s.chance(50) else {})}


@kind
def material_list(s):
    return {"material": [material(s.position("endgame").text) for _ in range(4)]}


@kind
def material_before_promotion(s):
    game, number = s.place("promotion", 1)
    return {"material": material(game.plies[max(0, number - s.choice([1, 1, 3, 10]))].text)}


@kind
def material_after_promotion(s):
    game, number = s.place("promotion", 1)
    return {"material": material(game.plies[min(number + s.choice([0, 1, 4]), len(game.plies) - 1)].text)}


@kind
def material_queens(s):
    if s.chance(50):
        return {"material": material(s.position("queens").text)}
    return {"material": s.choice(["KQQQ*R*B*N*P*KQ*R*B*N*P*", "KQQ+R*B*N*P*KQ?R*B*N*P*", "KQQKQ", "KRRRR*B*N*P*KQ*R*B*N*P*"]), "flipcolor": True}


@kind
def imbalance(s):
    text = s.position(None, 15).text
    differences = [(c, text.count(c) - text.count(c.lower())) for c in "QRBNP"]
    left, right = "".join(c * n for c, n in differences if n > 0), "".join(c * -n for c, n in differences if n < 0)
    return {"imbalance": left + "v" + right, **({"flipcolor": True} if s.chance(40) else {})}


@kind
def imbalance_known(s):
    return {"imbalance": s.choice(["Nv", "RvB", "RvN", "BvN", "QvRR", "vP", "PPvN", "v", "PvP", "Bv", "QvRB"]), "flipcolor": s.chance(50)}


@kind
def material_for(s):
    return {"material": s.choice(["KR+P*KR+P*", "KP*KP*", material(s.position("endgame").text)]), "for": s.choice([1, 2, 4, 10])}


# ---- pawns ----

@kind
def pawns(s):
    turn = s.choice([{}, {}, {"flipcolor": True}, {"mirror": True}, {"flipcolor": True, "mirror": True}])
    return {"pawns": placement([c if c in "Pp" else "1" for c in s.position(None, 3).text]), **turn}


def pawn_kind(name):
    @kind
    def query(s):
        sides = {side: s.choice(["1..", "2..", 0, 1, 2, "..1", "3..4"]) for side in s.choice([["white"], ["black"], ["white", "black"]])}
        return {name: sides, **({"flipcolor": True} if s.chance(25) else {})}
    KINDS[-1] = (name, query)


for pawns_so in ("passed", "isolated", "doubled", "connected"):
    pawn_kind(pawns_so)


@kind
def pawns_of_all_kinds(s):
    return {"passed": {"white": "1.."}, "isolated": {"black": s.choice([1, "1.."])}, "doubled": {"white": 0}, "connected": {"black": "2.."}}


@kind
def count(s):
    pieces = s.choice(["P", "p", "Pp", "A", "a", "Nn", "Qq", "RQrq", ".", "KQRBNP", "bn", "Aa"])
    return {"count": {"pieces": pieces, "squares": s.choice(["d4 e4 d5 e5", "e", "7", "c3-f6", "a1-h4", "a b g h", "e4 e 4 d3-f5", "2 7", "h8"]),
                      "n": s.choice([0, 1, "2..", "..1", "3..5", 4, [0, 2]])}}


@kind
def count_everywhere(s):
    return {"count": {"pieces": s.choice(["P", "Pp", "Qq", "N", ".", "Aa", "Rr"]), "n": s.choice([0, 1, "2..", "60..", "3..4", "16"])}}


@kind
def objects_listed(s):
    return s.choice([{"count": [{"pieces": "Q", "n": "2.."}, {"pieces": "q", "n": 2}]}, {"count": {"pieces": "n", "squares": s.choice(["e5", "d4-e4", "3"])}},
                     {"passed": [{"white": 2}, {"black": "2.."}]}, {"attacks": ["Nxq", {"from": "b", "to": "Q"}]}, {"doubled": [{"white": 2, "black": 0}, {"black": 3}]},
                     {"attacks": {"from": "R", "to": "c7-h7", "n": "5.."}}, {"attacks": ["Rxa7-c7", "rxh2 h4"]}])


@kind
def count_turned(s):
    return {"count": {"pieces": s.choice(["P", "n", "Q", "R", "PN"]), "squares": s.choice(["a7 b7 c7", "a1-d4", "g", "7 8", "b5-d8"]), "n": s.choice(["1..", "2..", "3.."])},
            **s.choice([{"flipcolor": True}, {"mirror": True}, {"flipcolor": True, "mirror": True}])}


@kind
def light_and_dark(s):
    return s.choice([{"count": {"pieces": s.choice("BbPp"), "squares": s.choice(["light", "dark", "light 8", "dark a1"]), "n": s.choice([0, 1, "4.."])}},
                     {"attacks": s.choice(["Bxlight", "bxdark"])}, {"attackers": {"of": "dark", "by": "A", "n": s.choice([4, "5.."])}}]) | turning(s)


@kind
def opposite_bishops(s):
    return {"opposite-bishops": s.chance(80), **s.choice([{}, {"for": 10}, {"count": {"pieces": "QRNqrn", "n": 0}}])}


@kind
def balance(s):
    return {"balance": s.choice([0, "1..3", "3..", "..-5", [2, -2], "9..", "-1..1"]), "ply": s.choice(["20..", "60.."]), **s.choice([{}, {"flipcolor": True}])}


@kind
def mover_balance(s):
    return {"mover-balance": s.choice([0, "1..3", "3..", "..-5", [2, -2], "9.."]), **s.choice([{}, {"by": "black"}, {"final": {"mover-balance": "..-1"}}])}


@kind
def points(s):
    return {"points": s.choice([{"white": "..10"}, {"black": "..13", "white": "14.."}, {"white": 9, "black": "0..9"}, [{"white": 5}, {"black": 5}], {"black": [3, 4]}]),
            **s.choice([{}, {"flipcolor": True}])}


@kind
def difference(s):
    return {"difference": s.choice([{"of": "N", "minus": "b"}, {"of": "Pp", "minus": "QRBNqrbn", "n": "5.."}, {"of": "A", "minus": "a", "n": "..-3"},
                                    {"of": {"pieces": "P", "squares": "light"}, "minus": {"pieces": "P", "squares": "dark"}, "n": s.choice(["3..", 4])},
                                    [{"of": "Q", "minus": "q"}, {"of": "R", "minus": {"pieces": "r"}, "n": 2}], {"of": "P", "minus": {"pieces": "p", "squares": "a-h 7"[2:]}}]),
            **s.choice([{}, {"flipcolor": True}, {"mirror": True}])}


# ---- lines ----

@kind
def attackers(s):
    return {"attackers": {"of": s.choice(["k", "K", "q", "f7", "e4 d4", "Rr", "h2-h7", "A", "p"]), "by": s.choice(["A", "a", "QRB", "pn", "Aa", "N"]),
                          **s.choice([{}, {"n": 2}, {"n": 0}, {"n": "2.."}, {"n": "3.."}])}, **s.choice([{}, {"flipcolor": True}, {"mirror": True}])}


@kind
def double_check(s):
    return {"attackers": {"of": "k", "by": "A", "n": "2.."}, "stm": "black", "flipcolor": True}


@kind
def ray(s):
    return {"ray": s.choice(["B n k", "QRB n q", "R R q", "Q B p k", "r N K", "BQ a r", "Q Q", "R Q R", "b Aa Aa K", ["R r k", "q P R"], "A n a"]),
            **s.choice([{}, {"flipcolor": True}, {"mirror": True}, {"flipcolor": True, "mirror": True}])}


@kind
def battery(s):
    return {"battery": s.choice(["R", "QB", "QR", "rq", "RQrq", "B", "Q", ["QB", "r"], "A"]), **s.choice([{}, {"flipcolor": True}])}


# ---- courses of games ----

@kind
def repetition(s):
    return {"repetition": s.choice([2, "2..", 3, "3..", "4.."]), **s.choice([{}, {"by": "white"}, {"result": "1/2-1/2"}, {"final": {"repetition": "2.."}}])}


@kind
def halfmove_clock(s):
    return {"halfmove-clock": s.choice(["20..", "30..40", 0, "99..", 15, "50.."]), **s.choice([{}, {"stm": "white"}, {"ply": "60.."}])}


@kind
def path(s):
    return {"path": s.choice(["N g1 f3 e5", "n g8 f6 d5", "Nn 1 3 5", "R a1-h1 a7-h7", "P e2 e4 e5", "P e 8 1", "B light dark", "K e1 g1", "R h1 f1 e1", "Q d1 h5", "R a1 d1",
                              "p 7 1", "N 1-8"[:1] + " a1-h8 c3 d5", ["B f1 c4 b3", "b f8 b4"], "A e4 e5", "Pp 4 6"]),
            **s.choice([{}, {"flipcolor": True}, {"mirror": True}, {"flipcolor": True, "mirror": True}, {"ply": "1.."}])}


@kind
def path_of_a_game(s):
    game, number = s.place(None, 1, 20)
    move = game.plies[number].move
    if move.null:
        return {"path": "K e1 e2"}
    squares = [chess.square_name(move.origin), chess.square_name(move.target)]
    for ply in game.plies[number + 1:]:
        if not ply.move.null and chess.square_name(ply.move.origin) == squares[-1]:
            squares.append(chess.square_name(ply.move.target))
    return {"path": " ".join(["A" if move.white else "a", *squares[:s.choice([2, 3, 4])]])}


# ---- attacks, pins, ends ----

@kind
def attacks(s):
    return {"attacks": s.choice(["BNxq", "Rxe4", "Nxe4 d4", "Pxa", "axK", "Qxq", "nxQR", "Axk", "pxA", "Kxp", "bxf2 f7", "RxR", "AxA"])}


@kind
def attacks_number(s):
    return {"attacks": {"from": s.choice(["N", "Bb", "A", "q", "RQ"]), "to": s.choice(["a", "qr", "d4 e4 d5 e5", "p", "f7", "h1 a8", "RQrq"]), "n": s.choice([0, "2..", 1, "3.."])}}


@kind
def attacks_turned(s):
    return {"attacks": s.choice(["Nxq", "Rxb7", "Bxh7", "Pxn", "Qxg7 h7"]), **s.choice([{"flipcolor": True}, {"mirror": True}, {"flipcolor": True, "mirror": True}])}


@kind
def attacks_material(s):
    return {"attacks": "Nxq", "imbalance": "v", "stm": "black", "flipcolor": s.chance(50)}


@kind
def pinned(s):
    return {"pinned": s.choice(["n", "N", "q", "Q", "Rr", "b", "P", "A", "a", ["N", "b"]]), **({"flipcolor": True} if s.chance(25) else {})}


@kind
def check(s):
    return {"check": s.chance(70), **s.choice([{}, {"stm": "white"}, {"ply": "..10"}, {"captured": "Q"}, {"for": 3}])}


@kind
def mate(s):
    return s.choice([{"mate": True}, {"mate": True, "moved": s.choice("QRBNP")}, {"mate": True, "by": "black"}, {"mate": False, "final": {"mate": True}},
                     {"mate": True, "ply": "..60"}, {"result-type": "mate"}, {"result-type": ["stalemate", "mate"]}])


@kind
def stalemate(s):
    return s.choice([{"stalemate": True}, {"result-type": "stalemate"}, {"stalemate": False, "final": {"stalemate": True}}])


@kind
def side_to_move(s):
    return {"stm": s.choice(["white", "black", "BLACK"]), "ply": s.around(s.random.randrange(80), 0)}


@kind
def ply(s):
    return {"ply": s.around(s.choice([0, 1, 40, 100, 150, 400]))}


@kind
def move_number(s):
    return {"move-number": s.around(s.choice([1, 2, 20, 60, 100]), 2), "stm": s.choice(["white", "black"])}


# ---- moves ----

@kind
def move(s):
    return {"move": san(s.move(), s.choice([0, 1, 2])) + s.choice(["", "", "+", "!", "#", "?!"])}


@kind
def move_uci(s):
    return {"move": min(s.move(s.choice([None, None, "castling", "promotion"])).uci)}


@kind
def move_promotion(s):
    return {"move": san(s.move("promotion"), s.choice([0, 1, 2]))}


@kind
def move_of_side(s):
    made = s.move()
    return {s.choice(["white-move", "black-move"]): san(made, s.choice([0, 1])), **s.choice([{}, {"flipcolor": True}, {"ply": "..30"}])}


@kind
def move_turned(s):
    made = s.move(s.choice([None, "promotion"]))
    return {s.choice(["move", "move", "white-move"]): s.choice([san(made, 1), min(made.uci)]), "ply": s.choice(["..40", "20.."]),
            **s.choice([{"mirror": True}, {"flipcolor": True}, {"mirror": True, "flipcolor": True}])}


@kind
def move_list(s):
    return {"move": [san(s.move(), 1) for _ in range(3)], "ply": "20.."}


@kind
def move_castles(s):
    return {"move": s.choice(["O-O", "O-O-O"]), "ply": s.choice(["..12", "30..", "17"])}


@kind
def move_from(s):
    return {"move": s.choice(["Nbd2", "Rad1", "R1e2", "exd5", "cxd4", "Nge2", "R8c7", "Rfd8", "N5f3", "fxe6"])}


@kind
def moved(s):
    return {"moved": s.choice(["P", "k", "Q", "NB", "r"]), "captured": s.choice(["Q", "p", "", "NB", "R"]), "ply": s.choice(["..20", "30..40", "60.."])}


@kind
def captured(s):
    return {"captured": s.choice(["q", "R", "", "BN", ["Q", "R"]]), "by": s.choice(["white", "black"]), "ply": s.choice(["..12", "80..", "20..25"])}


@kind
def promoted(s):
    return {"promoted": s.choice(["Q", "N", "R", "b", "QRBN", "", "nrb"]), "by": s.choice(["white", "black"]), "ply": s.choice(["..80", "80..", "100.."])}


@kind
def castling(s):
    return {"castling": s.choice(["short", "long", "any", ["short", "long"]]), **s.choice([{}, {"by": "black"}, {"ply": "..8"}, {"check": True}])}


@kind
def en_passant(s):
    return {"en-passant": s.chance(80), **s.choice([{}, {"by": "white"}, {"ply": "..24"}, {"check": True}])}


@kind
def by(s):
    return {"by": s.choice(["white", "black"]), "captured": "P", "moved": s.choice("KQRBNP"), "ply": s.around(s.random.randrange(10, 90))}


# ---- conditions inside a condition that is transformed ----

@kind
def gift_turned(s):
    """A sacrifice of either side is one query."""
    return {"streak": [{"white-move": s.choice(["Bxh7", "Bxf7", "Nxf7"])}, {"black-move": s.choice(["Kxh7", "Kxf7", "K"][:2])}], **turning(s)}


@kind
def nested_turned(s):
    game, number = s.place(None, 6, 60)
    moves = [{"white-move" if ply.move.white else "black-move": san(ply.move, 1)} for ply in game.plies[number:number + 2]
             if ply.move and not ply.move.null]
    return {s.choice(["streak", "sequence"]): moves or [{"by": "white"}], **turning(s)}


@kind
def composed_turned(s):
    return {s.choice(["all", "any", "sequence"]): [simple(s), {"by": "white"}, simple(s)][:s.choice([2, 3])], **turning(s)}


@kind
def denied_turned(s):
    return {s.choice(["not", "never", "final"]): {**simple(s), "stm": "white"}, "imbalance": s.choice(["v", "Pv"]), **turning(s)}


@kind
def turned_twice(s):
    """A transformation inside another one."""
    return {"any": [{"all": [simple(s), {"stm": "white"}], **turning(s)}, {**simple(s), "by": "white"}], "ply": "10..", **turning(s)}


# ---- moments ----

def cents(s, value, spread=50):
    low, high = value - s.random.randrange(spread) / 100, value + s.random.randrange(spread) / 100
    return s.choice(["%.2f..%.2f" % (low, high), "%.2f.." % low, "..%.2f" % high, "%.2f" % value])


@kind
def evaluation(s):
    value = s.position("evaluated").evaluation or 0
    return {"evaluation": cents(s, float(value)), **s.choice([{}, {"by": "white"}, {"ply": "60.."}])}


@kind
def evaluation_known(s):
    return {"evaluation": s.choice(["100..", "..-100", 0, "-0.1..0.1", "3..", "..-5.5", 100, "-99..-10"])}


@kind
def swing(s):
    return {"swing": s.choice(["2..", "1..1.5", "0.5..", 0, "100..", "5..50", "0.01"]), **s.choice([{}, {"by": "black"}, {"ply": "40.."}])}


@kind
def mover_swing(s):
    return {"mover-swing": s.choice(["..-2", "1..", "-0.5..0.5", 0, "..-50", "50.."]), **s.choice([{}, {"by": "black"}, {"ply": "40.."}])}


@kind
def nag(s):
    return {"nag": s.choice(["!", "?", "!!", "??", "!?", "?!", 1, "1..6", "7..", [10, 14], 6]), **s.choice([{}, {"by": "white"}, {"not": {"nag": "?"}}])}


@kind
def ply_comment(s):
    comments = [(ply, c) for game in s.games for ply in game.plies for c in ply.comments]
    ply, comment = s.choice(comments) if comments else (None, "a")
    words = [w for w in comment.split() if w.isalpha() and len(w) > 1] or ["a"]
    return {"ply-comment": s.choice(words), **s.choice([{}, {"ply": 0}, {"by": "white"}, {"for": 1}])}


@kind
def clock(s):
    value = s.position("timed").clock or 0
    return {"clock": cents(s, float(value), 900), **s.choice([{}, {"by": "white"}, {"ply": "60.."}])}


@kind
def clock_known(s):
    return {"clock": s.choice(["..5", "..0", "600..", 30, "10..12.5", "..0.5"])}


@kind
def passing(s):
    return {"pass": s.choice([True, None, "", 1]), **s.choice([{}, {"ply": "200.."}])}


# ---- games ----

def name_query(s, name):
    """Returns a name or the beginning of a name, also in other case or with a wildcard."""
    cut = name[:s.random.randrange(1, len(name) + 1)] if s.chance(50) else name.split(",")[0]
    return s.choice([name, cut, cut.upper(), cut.lower(), cut[:2] + "*" + cut[4:] if len(cut) > 4 else cut, cut[:1] + "?" + cut[2:], "*" + cut[1:]])


@kind
def player(s):
    return {"player": name_query(s, s.value(s.choice(["White", "Black"])))}


@kind
def accents(s):
    names = [v for game in s.games for v in (game.tag("White"), game.tag("Black")) if v and not v.isascii()]
    name = s.choice(names or ["M\u00fcller"])
    plain = "".join(c for c in __import__("unicodedata").normalize("NFKD", name) if ord(c) < 0x300)
    return {"player": s.choice([name, plain, plain.upper(), name.upper(), name.lower()])}


@kind
def accents_asked(s):
    """A query with accents for a name without accents."""
    return {"player": s.value("White").translate(str.maketrans("aeouncz", "\u00e4\u00e9\u00f6\u00fc\u00f1\u00e7\u017e"))}


@kind
def white_or_black(s):
    return {s.choice(["white", "black"]): name_query(s, s.value(s.choice(["White", "Black"])))}


@kind
def players(s):
    game = s.game()
    both = [name_query(s, game.tag("White") or "x"), name_query(s, game.tag("Black") or "x")]
    return {"players": both if s.chance(60) else both[::-1]}


@kind
def player_list(s):
    return {"player": [s.value("White"), s.value("Black"), "Nobody at all"]}


@kind
def same_player_twice(s):
    return {"white": s.value("White"), "result": s.choice(["1-0", "0-1", "1/2-1/2", "*"])}


def pattern(s, value):
    cut = value[:max(1, len(value) // 2)]
    return s.choice([value, value.upper(), cut + "*", "*" + value[len(cut):], cut, "?" + value[1:], "*" + value[1:-1] + "*"])


@kind
def tag_patterns(s):
    name, tag = s.choice([("event", "Event"), ("site", "Site"), ("round", "Round"), ("time-control", "TimeControl"), ("termination", "Termination")])
    return {name: pattern(s, s.value(tag))}


@kind
def speed(s):
    return {"speed": s.choice(["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence", ["bullet", "blitz"]])}


@kind
def tag(s):
    tags = [t for t in s.game().tags if t[1].strip()]
    chosen = s.random.sample(tags, min(len(tags), s.choice([1, 1, 2])))
    return {"tag": {name: pattern(s, value) for name, value in chosen}}


@kind
def eco(s):
    code = s.value("ECO")
    code = code if re.match("[A-E][0-9][0-9]", code) else "B90"
    return {"eco": s.choice([code, code[:2], code[:1], "%s..%s" % (min(code, "B50"), max(code, "B50")), "%s.." % code, "..%s" % code, [code, "A00"], "C..D1"])}


@kind
def opening(s):
    name = s.value("Opening")
    return {"opening": s.choice([name, name.upper(), name[3:9], name[:4] + "*" + name[-3:], "defen", "Sicilian", "gambit", ["Q?een", "King"]])}


@kind
def result(s):
    return {"result": s.choice(["1-0", "0-1", "1/2-1/2", "*", ["*", "1/2-1/2"]]), **s.choice([{}, {"plies": "..20"}, {"ply": "200.."}])}


@kind
def unfinished(s):
    game, number = s.place("unfinished")
    return {"result": s.choice(["*", "*", "1/2-1/2"]), "fen": game.plies[number].fen()}


@kind
def rating(s):
    value = s.choice([1500, 2000, 2200, 2400, 2600, 3200])
    return {s.choice(["rating", "white-rating", "black-rating", "each-rating"]): s.choice(["%d.." % value, "..%d" % value, "%d..%d" % (value, value + 300)])}


@kind
def rating_exact(s):
    game = s.game()
    ratings = [int(v) for v in (game.tag("WhiteElo"), game.tag("BlackElo")) if v and v.isdigit() and int(v)] or [2000]
    mean = sum(ratings) // len(ratings)
    return s.choice([{"white-rating": ratings[0]}, {"rating": mean}, {"rating": "%d..%d" % (mean, mean + 1)}, {"each-rating": "%d..%d" % (min(ratings), max(ratings))}])


@kind
def rating_difference(s):
    return {"rating-difference": s.choice(["0", "100..", "..-100", "-50..50", "300.."])}


@kind
def date(s):
    value = s.value(s.choice(["Date", "Date", "UTCDate"]))
    known = [part for part in value.split(".") if part.isdigit()]
    text = ".".join(known) if known and len(known[0]) == 4 else "2010"
    year = text[:4]
    return {"date": s.choice([text, year, year + ".01.." + year + ".06", text + "..", ".." + text, "..%s" % year, "%s..%d" % (year, int(year) + 2), [year, "1999"], year + ".05.31"])}


@kind
def date_partial(s):
    values = [game.tag("Date") for game in s.games if "?" in (game.tag("Date") or "") and (game.tag("Date") or "?")[0] != "?"]
    year = s.choice(values or ["2010.??.??"])[:4]
    return {"date": s.choice([year + ".05.31", year + ".02", "%s.12.31.." % year, "..%s.01.01" % year, "%d.12.31" % (int(year) - 1), year])}


@kind
def plies(s):
    return {"plies": s.around(len(s.game().plies) - 1, 20)}


@kind
def comment(s):
    words = [w for game in s.games for c in game.comments[:20] for w in c.split() if w.isalpha() and len(w) > 2]
    word = s.choice(words or ["move"])
    return {"comment": s.choice([word, word.upper(), word[1:], word.lower()])}


@kind
def has(s):
    what = s.choice(["clocks", "evaluations", "comments", "variations", "nags", "setup", ["nags", "clocks"]])
    return s.choice([{"has": what}, {"not": {"has": what}}, {"has": what, "result": "1-0"}])


# ---- conditions of conditions ----

SIMPLE = []


def simple(s):
    """Returns a condition that holds at some plies of many games."""
    return s.choice(SIMPLE)(s)


SIMPLE += [
    lambda s: {"moved": s.choice("KQRBNP")}, lambda s: {"captured": s.choice("QRBNP")}, lambda s: {"check": True},
    lambda s: {"move": san(s.move())}, lambda s: {"stm": s.choice(["white", "black"])}, lambda s: {"castling": s.choice(["short", "long", "any"])},
    lambda s: {"material": material(s.position(None, 20).text)}, lambda s: {"imbalance": s.choice(["v", "Pv", "vP", "BvN"])},
    lambda s: {"sub-fen": s.mask(s.position(None, 10, 60).text, s.choice([2, 3]))}, lambda s: {"ply": "%d.." % s.random.randrange(60)},
    lambda s: {"attacks": s.choice(["Nxq", "bxQ", "Rxe8", "Pxa"])}, lambda s: {"pinned": s.choice("NnBbQq")},
    lambda s: {"passed": {s.choice(["white", "black"]): "1.."}}, lambda s: {"count": {"pieces": s.choice("Pp"), "squares": "d4 e4 d5 e5", "n": "1.."}},
    lambda s: {"moved": "P", "captured": "P", "by": s.choice(["white", "black"])}, lambda s: {"fen": s.position(None, 2, 14).fen()},
]


@kind
def all_of(s):
    return {"all": [simple(s) for _ in range(2)]}


@kind
def any_of(s):
    return {"any": [{**simple(s), "ply": "30..50"} for _ in range(2)]}


@kind
def not_so(s):
    return {"not": simple(s), "all": [simple(s)]}


@kind
def never(s):
    return {"never": simple(s), **s.choice([{}, {"result": "1-0"}, {"ply": "50.."}])}


@kind
def final(s):
    return {"final": simple(s), **s.choice([{}, {"result": "1-0"}, {"ply": "30"}])}


@kind
def sequence(s):
    return {"sequence": [simple(s) for _ in range(s.choice([2, 2, 3, 4]))]}


@kind
def sequence_gap(s):
    return {"sequence": [simple(s) for _ in range(s.choice([2, 3]))], "gap": s.choice([1, 2, 3, 5, 20])}


@kind
def sequence_of_a_game(s):
    """Moves of a game in their order."""
    game = s.choice([game for game in s.games if len(game.plies) > 20] or s.games)
    numbers = sorted(s.random.sample(range(1, len(game.plies)), min(3, len(game.plies) - 1)))
    gaps = [b - a for a, b in zip(numbers, numbers[1:])]
    return {"sequence": [{"move": san(game.plies[n].move)} for n in numbers], **({"gap": max(gaps)} if gaps and s.chance(40) else {})}


@kind
def sequence_wrong_order(s):
    return {"sequence": [{"captured": "Q"}, {"ply": "..40", "castling": "any"}]}


@kind
def sequence_backtracks(s):
    """The first match of the first part is not always the one that the rest follows."""
    return {"sequence": [{"moved": "N"}, {"captured": "P"}, {"moved": "N", "by": s.choice(["white", "black"])}], "gap": s.choice([1, 2, 3])}


@kind
def streak(s):
    game = s.choice([game for game in s.games if len(game.plies) > 10] or s.games)
    number = s.random.randrange(1, max(2, len(game.plies) - 3))
    return {"streak": [{"move": san(ply.move)} if s.chance(60) else {"moved": ply.move.piece} for ply in game.plies[number:number + 3] if not ply.move.null]
            or [{"pass": True}]}


@kind
def streak_passing(s):
    return {"streak": [{"captured": "Q"}, {"captured": "Q"}, {"pass": True}, {"stm": s.choice(["white", "black"])}]}


@kind
def streak_in_sequence(s):
    streaks = {"streak": [{"moved": s.choice("PNBQ")}, {"captured": s.choice(["", "P", "N"])}]}
    return {"sequence": s.choice([[streaks, simple(s)], [simple(s), streaks], [streaks, streaks]]), **({"gap": s.choice([1, 4, 10])} if s.chance(40) else {})}


@kind
def for_plies(s):
    return {**simple(s), "for": s.choice([1, 2, 3, 6])}


@kind
def nested(s):
    return {"any": [{"all": [simple(s), {"not": simple(s)}]}, {"sequence": [simple(s), {"any": [simple(s), simple(s)]}]}], "stm": s.choice(["white", "black"])}


@kind
def never_for(s):
    return {"never": {"check": True, "for": s.choice([1, 3])}, "final": {"not": {"imbalance": "v"}}}


@kind
def not_sequence(s):
    return {"not": {"sequence": [simple(s), simple(s)]}, "result": ["1-0", "0-1"]}


@kind
def combined(s):
    return {**simple(s), **s.choice([{"result": "1-0"}, {"plies": "60.."}, {"rating": "2300.."}, {"eco": "B"}, {"date": "2010.."}, {"not": {"check": True}}])}


@kind
def skip_limit(s):
    return {**simple(s), "skip": s.choice([0, 1, 5]), "limit": s.choice([1, 3, 10])}


@kind
def all_matches(s):
    return {**s.choice([simple(s), {"sequence": [simple(s), simple(s)]}, {"result": "1-0"}, {"material": "KR+P*KR+P*"}, {"any": [simple(s), {"fen": s.position(None, 2, 14).fen()}]}]),
            "all-matches": s.chance(90)}


@kind
def variations(s):
    return {**s.choice([simple(s), {"sequence": [simple(s), simple(s)]}, {"move": san(s.move()), "ply": "..%d" % s.random.randrange(40)}, {"nag": "1..6"},
                        {"fen": s.position(None, 4, 14).fen()}, {"mate": True}, {"never": simple(s)}, {"ply-comment": "e"}, {"balance": "3..", "result": "1-0"},
                        {"material": material(s.position("endgame").text)}, {"all": [simple(s), {"plies": "..60"}]}, {"streak": [{"captured": "Q"}, {"captured": "Q"}]}]),
            "variations": True, **s.choice([{}, {"all-matches": True}])}


@kind
def variation_of_a_game(s):
    lines = [line for game in s.games for line in game.lines if len(line.plies) > 1]
    if not lines:
        return {"variations": True, "mate": True}
    plies = s.choice(lines).plies[1:]
    begin = s.random.randrange(len(plies))
    moves = [{"move": san(ply.move, 1)} for ply in plies[begin:begin + 3] if not ply.move.null] or [{}]
    return {s.choice(["streak", "sequence"]): moves, "variations": s.chance(90)}


@kind
def everything(s):
    return {}


def queries_of(games, seed=1, each=6):
    """Returns (kind, query), with up to `each` different queries of a kind."""
    source = Source(games, seed)
    made = []
    for name, function in KINDS:
        found = {}
        for _ in range(each * 4):
            if len(found) == each:
                break
            query = function(source)
            found[json.dumps(query, sort_keys=True)] = query
        made += [(name, query) for query in found.values()]
    return made


def main():
    arguments = [a for a in sys.argv[1:] if a != "--kinds"]
    queries = queries_of(games_of(arguments[0]), *map(int, arguments[1:]))
    if "--kinds" in sys.argv:
        for name, number in collections.Counter(name for name, _ in queries).items():
            print("%-26s %d" % (name, number))
        return
    for _, query in queries:
        print(json.dumps(query))


if __name__ == "__main__":
    main()
