#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Searches PGN slowly and plainly, following the text of doc/reference/search.md. Shares no code with the library.

usage: search_oracle.py QUERIES.jsonl GAMES.pgn

Prints a line for each query: the JSON list of the games found, each as [number, [ply, ...]]. Each condition is
evaluated to a set of plies of each game, as the page describes, without any pruning. Needs python-chess."""
import calendar
import functools
import json
import os
import re
import sys
import unicodedata
from fractions import Fraction

import chess
from search_games import SUFFIXES, Ply, games_of

LETTERS = "KQRBNPkqrbnp"
OPTIONS = {"flipcolor", "mirror", "shift", "ignore-castling", "ignore-en-passant", "gap", "for", "skip", "limit", "all-matches", "variations"}
DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]


# ---- values: texts, ranges, squares ----

LIGATURES = {"\u00e6": "ae", "\u0153": "oe", "\u00fe": "th", "\u00f8": "o", "\u0142": "l", "\u0111": "d", "\u00f0": "d", "\u0131": "i"}


def listed(value):
    """Returns a value as a list. A list of values matches if one of them does."""
    return value if isinstance(value, list) else [value]


def bounds(value):
    """Returns the ends of a range as texts; an open end is None."""
    low, dots, high = str(value).partition("..")
    return (low or None, high or None) if dots else (low, low)


def in_ranges(value, ranges):
    return in_range_texts(value, tuple(map(str, listed(ranges))))


@functools.cache
def in_range_texts(value, ranges):
    for low, high in map(bounds, ranges):
        if (low is None or value >= Fraction(low)) and (high is None or value <= Fraction(high)):
            return True
    return False


def fold(text):
    """Returns the text without case and accents."""
    text = "".join(LIGATURES.get(c, c) for c in text.casefold())
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def wild(pattern):
    return re.escape(fold(pattern)).replace(r"\*", ".*").replace(r"\?", ".")


def matches_pattern(value, patterns):
    return value is not None and any(re.fullmatch(wild(p), fold(value), re.S) for p in listed(patterns))


LATIN = dict(zip("абвгдежзиіклмнопрстуфхцчшщъыьэюя",
                 "a b v g d e zh z i i k l m n o p r s t u f kh ts ch sh shch  y  e yu ya".split(" ")))
LATIN |= dict(zip("αβγδεζηθικλμνξοπρστυφχψω", "a v g d e z i th i k l m n x o p r s t y f ch ps o".split()))


def name_key(folded):
    """Returns a folded name or pattern with Latin letters, and without each `e` of an umlaut that is written out."""
    text = "".join(LATIN.get(c, c) for c in folded.replace("ου", "ou"))
    return re.sub(r"(?<![aeiouq])([aou])e(?=[a-z])(?!l(?![a-z]))", r"\1", text)


def matches_name(value, names):
    """Returns whether a value begins with a name, or their keys do; or is exactly the name after `=`."""
    exact = [name[1:] for name in listed(names) if name.startswith("=")]
    if value is not None and fold(value) in map(fold, exact):
        return True
    names = [name for name in listed(names) if not name.startswith("=")]
    def key_pattern(name):
        return re.escape(name_key(fold(name) + "*")).replace(r"\*", ".*").replace(r"\?", ".")
    return value is not None and any(re.match(wild(name), fold(value), re.S) or
                                     re.match(key_pattern(name), name_key(fold(value)), re.S) for name in listed(names))


def rating_of(game, side):
    value = game.tag(side + "Elo") or ""
    value = value[:-1] if value.endswith("?") else value
    return int(value) if re.fullmatch(r"\d+", value) and int(value) > 0 else None


def square_of(name):
    """Returns the index of a square in the 64 letters of a position; a8 is the first."""
    return (8 - int(name[1])) * 8 + "abcdefgh".index(name[0])


def squares_of(text):
    squares = set()
    for word in text.split():
        if re.fullmatch("[a-h]", word):
            squares |= {i for i in range(64) if "abcdefgh"[i % 8] == word}
        elif re.fullmatch("[1-8]", word):
            squares |= {i for i in range(64) if str(8 - i // 8) == word}
        elif word in ("light", "dark"):
            squares |= {i for i in range(64) if ((i % 8 + i // 8) % 2 == 0) == (word == "light")}
        elif "-" in word:
            one, other = map(square_of, word.split("-"))
            files, ranks = sorted((one % 8, other % 8)), sorted((one // 8, other // 8))
            squares |= {i for i in range(64) if files[0] <= i % 8 <= files[1] and ranks[0] <= i // 8 <= ranks[1]}
        else:
            squares.add(square_of(word))
    return squares


def pieces_of(letters):
    return set(letters.replace("A", "KQRBNP").replace("a", "kqrbnp"))


class Turn:
    """How a condition is transformed: colours exchanged (flip), files reversed (mirror)."""

    def __init__(self, flip=False, mirror=False):
        self.flip, self.mirror = flip, mirror

    def then(self, other):
        return Turn(self.flip != other.flip, self.mirror != other.mirror)

    def squares(self, squares):
        return {square ^ (56 if self.flip else 0) ^ (7 if self.mirror else 0) for square in squares}

    def pieces(self, letters):
        return letters.swapcase() if self.flip else letters

    def side(self, name):
        name = name.lower()
        return {"white": "black", "black": "white"}[name] if self.flip else name

    def placement(self, cells):
        """Transforms a list of 64 sets of pieces; None means any piece."""
        turned = [None] * 64
        for square, cell in enumerate(cells):
            if cell is not None:
                turned[min(self.squares({square}))] = {self.pieces(piece) for piece in cell}
        return turned

    def key(self, key):
        """Transforms a Ply.key."""
        text, white, castling, en_passant = key
        turned = [""] * 64
        for square, piece in enumerate(text):
            turned[min(self.squares({square}))] = self.pieces(piece)
        castling = self.squares(chess.scan_forward(castling))
        en_passant = en_passant if en_passant is None else min(self.squares({en_passant}))
        return "".join(turned), white != self.flip, sum(1 << square for square in castling), en_passant

    def move(self, text):
        """Transforms a move. The letter of a promotion is not a file."""
        kept = text[4:] if re.match("[a-h][1-8][a-h][1-8]", text) else ""
        text = text[:len(text) - len(kept)]
        text = text.translate(str.maketrans("12345678", "87654321")) if self.flip else text
        return (text.translate(str.maketrans("abcdefgh", "hgfedcba")) if self.mirror else text) + kept


# ---- rules of the position: each returns a function of a ply ----

def fen_rule(values, turn, condition):
    castling, en_passant = not condition.get("ignore-castling", False), not condition.get("ignore-en-passant", False)
    keys = [turn.key(key_of_fen(value, castling, en_passant)) for value in listed(values)]
    texts = {key[0] for key in keys}
    return lambda ply: ply.text in texts and any(
        (ply.text, ply.white) == key[:2] and (not castling or ply.castling == key[2]) and
        (not en_passant or ply.en_passant == key[3]) for key in keys)


def key_of_fen(fen, castling, en_passant):
    fields = (fen.split() + ["w", "-", "-"][len(fen.split()) - 1:])[:4]
    board = chess.Board(" ".join(fields) + " 0 1", chess960=True)
    board.castling_rights = board.clean_castling_rights() if castling else 0
    if not en_passant:
        board.ep_square = None
    return Ply(board, None).key()


def cells_of(placement):
    """Returns 64 sets of pieces, or None for squares that may contain anything."""
    cells = []
    for part in re.findall(r"\[[^]]*\]|.", placement.replace("/", "")):
        if part.isdigit():
            cells += [None] * int(part)
        elif part == "?":
            cells.append(set(LETTERS))
        else:
            cells.append(pieces_of(part.strip("[]")))
    if len(cells) != 64:
        raise ValueError("sub-fen: %d squares in %s" % (len(cells), placement))
    return cells


def shifted(cells, how):
    """Yields the placement shifted in all ways that keep its pieces on the board, or only the placement itself."""
    files = range(-7, 8) if how in (True, "files") else (0,)
    ranks = range(-7, 8) if how in (True, "ranks") else (0,)
    for by_file in files:
        for by_rank in ranks:
            moved = [None] * 64
            for square, cell in enumerate(cells):
                if cell is None:
                    continue
                file, rank = square % 8 + by_file, square // 8 + by_rank
                if 0 <= file < 8 and 0 <= rank < 8:
                    moved[rank * 8 + file] = cell
                elif cell != {"."}:
                    break
            else:
                yield moved


def sub_fen_rule(values, turn, condition):
    patterns = []
    for value in listed(values):
        for cells in shifted(turn.placement(cells_of(value)), condition.get("shift", False)):
            patterns.append("".join("." if c is None else "[" + "".join(sorted(c)) + "]" for c in cells))
    pattern = re.compile("|".join(dict.fromkeys(patterns)))
    return lambda ply: pattern.fullmatch(ply.text) is not None


def counts_of(ply):
    if not hasattr(ply, "counts"):
        ply.counts = tuple(map(ply.text.count, LETTERS))
    return ply.counts


def of_counts(holds):
    holds = functools.cache(holds)
    return lambda ply: holds(counts_of(ply))


def side_material(text):
    """Returns the smallest and the largest number of each of KQRBNP."""
    least, most = [0] * 6, [0] * 6
    for letter, mark in re.findall(r"([KQRBNP])([?*+]?)", text):
        i = "KQRBNP".index(letter)
        least[i] += mark in ("", "+")
        most[i] += 1 if mark in ("", "?") else 99
    return least, most


def material_rule(values, turn, _):
    wanted = []
    for value in listed(values):
        second = value.index("K", 1)
        white, black = side_material(value[:second]), side_material(value[second:])
        white, black = (black, white) if turn.flip else (white, black)
        wanted.append((white[0] + black[0], white[1] + black[1]))
    return of_counts(lambda counts: any(all(map(int.__le__, least, counts)) and all(map(int.__ge__, most, counts))
                           for least, most in wanted))


def imbalance_rule(values, turn, _):
    wanted = []
    for value in listed(values):
        left, right = value.split("v")
        left, right = (right, left) if turn.flip else (left, right)
        wanted.append(tuple(left.count(c) - right.count(c) for c in "KQRBNP"))
    return of_counts(lambda counts: tuple(w - b for w, b in zip(counts[:6], counts[6:])) in wanted)


def pawns_rule(values, turn, _):
    wanted = [turn.placement(cells_of(value)) for value in listed(values)]
    patterns = ["".join("." if c is None else "".join(c) for c in cells) for cells in wanted]
    return lambda ply: ply.text.translate(PAWNS_ALONE) in patterns


def any_of_objects(rule):
    """Makes a rule that matches if one of a list of objects matches."""
    def of_list(values, turn, condition):
        rules = [rule(value, turn, condition) for value in listed(values)]
        return lambda ply: any(holds(ply) for holds in rules)
    return of_list


@any_of_objects
def count_rule(value, turn, _):
    pieces = {turn.pieces(c) for c in pieces_of(value["pieces"])}
    squares = turn.squares(squares_of(value["squares"])) if "squares" in value else range(64)
    return lambda ply: in_ranges(sum(ply.text[square] in pieces for square in squares), value.get("n", "1.."))


PAWNS_ALONE = str.maketrans("KQRBNkqrbn", "." * 10)


# Returns (file, rank) of the side's pawns and of the enemy pawns. For Black, the colours are exchanged.
def pawns_of(pawns, side):
    text = pawns if side == "white" else "".join(pawns[i ^ 56] for i in range(64)).swapcase()
    return [[(i % 8, 8 - i // 8) for i in range(64) if text[i] == c] for c in "Pp"]


def passed(pawn, own, enemy):
    return not any(abs(file - pawn[0]) <= 1 and rank > pawn[1] for file, rank in enemy)


def isolated(pawn, own, enemy):
    return not any(abs(file - pawn[0]) == 1 for file, rank in own)


def doubled(pawn, own, enemy):
    return any(file == pawn[0] and rank > pawn[1] for file, rank in own)


def connected(pawn, own, enemy):
    return any(abs(file - pawn[0]) == 1 and abs(rank - pawn[1]) <= 1 for file, rank in own)


def pawn_rule(is_so):
    @functools.cache
    def number(pawns, side):
        own, enemy = pawns_of(pawns, side)
        return sum(is_so(pawn, own, enemy) for pawn in own)

    @any_of_objects
    def rule(value, turn, _):
        return lambda ply: all(in_ranges(number(ply.text.translate(PAWNS_ALONE), turn.side(side)), ranges)
                               for side, ranges in value.items())
    return rule


def attacked_from(ply, pieces):
    """Returns the squares that at least one of these pieces attacks."""
    mask = 0
    for i, piece in enumerate(ply.text):
        if piece in pieces:
            mask |= ply.board.attacks_mask(i ^ 56)
    return {square ^ 56 for square in chess.scan_forward(mask)}


def attacks_rule(values, turn, _):
    wanted = []
    for value in listed(values):
        if isinstance(value, str):
            left, _x, right = value.partition("x")
            value = {"from": left, "to": right, "n": "1.."}
        to = value["to"]
        squares = turn.squares(squares_of(to)) if re.search("[1-8]|light|dark", to) else None
        pieces = None if squares else {turn.pieces(c) for c in pieces_of(to)}
        wanted.append(({turn.pieces(c) for c in pieces_of(value["from"])}, squares, pieces, value.get("n", "1..")))

    def holds(ply):
        for attackers, squares, pieces, n in wanted:
            attacked = attacked_from(ply, attackers)
            number = len(attacked & squares) if squares else sum(ply.text[square] in pieces for square in attacked)
            if in_ranges(number, n):
                return True
        return False
    return holds


# ---- material as numbers ----

POINTS = {"K": 0, "Q": 9, "R": 5, "B": 3, "N": 3, "P": 1}


def points_of(ply, side):
    return sum(POINTS[c.upper()] for c in ply.text if c != "." and c.isupper() == (side == "white"))


def balance_rule(values, turn, _):
    sides = [turn.side(side) for side in ("white", "black")]
    return lambda ply: in_ranges(points_of(ply, sides[0]) - points_of(ply, sides[1]), values)


def mover_balance_rule(values, turn, _):
    def holds(ply):
        if ply.move is None:
            return False
        points = points_of(ply, "white") - points_of(ply, "black")
        return in_ranges(points if ply.move.white else -points, values)
    return holds


@any_of_objects
def points_rule(value, turn, _):
    return lambda ply: all(in_ranges(points_of(ply, turn.side(side)), ranges) for side, ranges in value.items())


def number_of(ply, counted, turn):
    counted = counted if isinstance(counted, dict) else {"pieces": counted}
    pieces = {turn.pieces(c) for c in pieces_of(counted["pieces"])}
    squares = turn.squares(squares_of(counted["squares"])) if "squares" in counted else range(64)
    return sum(ply.text[square] in pieces for square in squares)


@any_of_objects
def difference_rule(value, turn, _):
    return lambda ply: in_ranges(number_of(ply, value["of"], turn) - number_of(ply, value["minus"], turn), value.get("n", "1.."))


def opposite_bishops_rule(value, turn, _):
    def opposite(text):
        places = [[i for i in range(64) if text[i] == bishop] for bishop in "Bb"]
        return list(map(len, places)) == [1, 1] and sum(i // 8 + i % 8 for (i,) in places) % 2 == 1
    return lambda ply: any(opposite(ply.text) == wanted for wanted in listed(value))


# ---- lines ----

@any_of_objects
def attackers_rule(value, turn, _):
    by = {turn.pieces(c) for c in pieces_of(value["by"])}
    squares = turn.squares(squares_of(value["of"])) if re.search("[1-8]|light|dark", value["of"]) else None
    pieces = None if squares else {turn.pieces(c) for c in pieces_of(value["of"])}

    def holds(ply):
        attacks = [ply.board.attacks_mask(i ^ 56) for i in range(64) if ply.text[i] in by]
        targets = squares if squares else [i for i in range(64) if ply.text[i] in pieces]
        return any(in_ranges(sum(mask >> (square ^ 56) & 1 for mask in attacks), value.get("n", "1.."))
                   for square in targets)
    return holds


def seen_from(text, square, step):
    """Yields the squares of the pieces in a direction, nearest first."""
    file, rank = square % 8 + step[0], square // 8 + step[1]
    while 0 <= file < 8 and 0 <= rank < 8:
        if text[rank * 8 + file] != ".":
            yield rank * 8 + file
        file, rank = file + step[0], rank + step[1]


def slides(piece, step):
    return piece.upper() in ("QR" if 0 in step else "QB")


def ray_rule(values, turn, _):
    wanted = [[{turn.pieces(c) for c in pieces_of(word)} for word in value.split()] for value in listed(values)]

    def holds(ply):
        for sets in wanted:
            for square in (i for i in range(64) if ply.text[i] in sets[0]):
                for step in DIRECTIONS:
                    seen = [ply.text[i] for i in seen_from(ply.text, square, step)][:len(sets) - 1]
                    if slides(ply.text[square], step) and len(seen) == len(sets) - 1 and \
                            all(piece in pieces for piece, pieces in zip(seen, sets[1:])):
                        return True
        return False
    return holds


def battery_rule(values, turn, _):
    wanted = [{turn.pieces(c) for c in pieces_of(value)} for value in listed(values)]

    def holds(ply):
        for pieces in wanted:
            for square in (i for i in range(64) if ply.text[i] in pieces):
                for step in DIRECTIONS:
                    first = next((ply.text[i] for i in seen_from(ply.text, square, step)), None)
                    if first in pieces and first.isupper() == ply.text[square].isupper() and slides(first, step) and \
                            slides(ply.text[square], step):
                        return True
        return False
    return holds


# ---- a piece that visits squares ----

def follows(game, start, square, visits):
    """Returns whether the piece on a square at a ply moves to the squares of each set, in order, at later plies."""
    for ply in game.plies[start + 1:]:
        if not visits:
            return True
        move = ply.move
        if move.null:
            continue
        if move.rook and move.rook[0] == square and move.origin != square:
            arrived = move.rook[1]
        elif move.origin == square:
            arrived = move.target
        elif move.target == square or (move.en_passant and (move.origin & 56) + (move.target & 7) == square):
            return False
        else:
            continue
        square = arrived
        if square ^ 56 in visits[0]:
            visits = visits[1:]
    return not visits


def path_plies(game, values, turn):
    found = set()
    for value in listed(values):
        letters, *words = value.split()
        pieces, visits = {turn.pieces(c) for c in pieces_of(letters)}, [turn.squares(squares_of(word)) for word in words]
        for number, ply in enumerate(game.plies):
            if any(ply.text[i] in pieces and follows(game, number, i ^ 56, visits[1:]) for i in visits[0]):
                found.add(number)
    return found


@functools.cache
def pinned_pieces(text):
    """Returns the letters of pinned pieces: those that are the only piece between their king and an enemy slider."""
    found = set()
    for king in "Kk":
        if king not in text:
            continue
        file, rank = text.index(king) % 8, text.index(king) // 8
        for step in DIRECTIONS:
            sliders = "rq" if 0 in step else "bq"
            sliders = sliders if king == "K" else sliders.upper()
            seen = [text[(rank + n * step[1]) * 8 + file + n * step[0]] for n in range(1, 8)
                    if 0 <= rank + n * step[1] < 8 and 0 <= file + n * step[0] < 8]
            seen = [piece for piece in seen if piece != "."]
            if len(seen) >= 2 and seen[0].isupper() == (king == "K") and seen[1] in sliders:
                found.add(seen[0])
    return found


def pinned_rule(values, turn, _):
    pieces = {turn.pieces(c) for value in listed(values) for c in pieces_of(value)}
    return lambda ply: bool(pinned_pieces(ply.text) & pieces)


def is_over(ply):
    """Returns whether the side to move is in check, and whether it has no legal move."""
    if not hasattr(ply, "over"):
        ply.over = ply.board.is_check(), not any(True for _ in ply.board.legal_moves)
    return ply.over


def over_rule(holds):
    return lambda value, turn, _: lambda ply: holds(*is_over(ply)) == value


def stm_rule(values, turn, _):
    sides = [turn.side(value) for value in listed(values)]
    return lambda ply: ("white" if ply.white else "black") in sides


# ---- rules of the move ----

def of_move(make):
    """Makes a rule that does not match at plies without a move."""
    def rule(value, turn, condition):
        holds = make(value, turn)
        return lambda ply: ply.move is not None and holds(ply.move)
    return rule


SAN = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)(x?)([a-h][1-8])(?:=?([QRBN]))?")


def written_so(move, text):
    text = re.sub(r"[+#!?]+$", "", text)
    if text == "--":
        return move.null
    if re.fullmatch("[a-h][1-8][a-h][1-8][qrbn]?", text):
        return text in move.uci
    if text in ("O-O", "O-O-O"):
        return move.castling == ("short" if text == "O-O" else "long")
    match = SAN.fullmatch(text)
    if not match:
        raise ValueError("move: " + text)
    piece, file, rank, takes, target, promoted = match.groups()
    if move.null or move.castling or move.piece != (piece or "P") or chess.square_name(move.target) != target:
        return False
    origin = chess.square_name(move.origin)
    return (not file or origin[0] == file) and (not rank or origin[1] == rank) and \
        (not takes or move.captured != "") and (not promoted or move.promoted == promoted)


def move_rule(values, turn):
    texts = [turn.move(value) for value in listed(values)]
    return lambda move: any(written_so(move, text) for text in texts)


def side_move_rule(side):
    def make(values, turn):
        texts = [turn.move(value) for value in listed(values)]
        return lambda move: move.white == (turn.side(side) == "white") and any(written_so(move, text) for text in texts)
    return make


def letters_rule(name):
    def make(values, turn):
        def one(letter, letters):
            return letter in letters.upper() if letter and letters else letter == letters
        return lambda move: any(one(getattr(move, name), letters) for letters in listed(values))
    return make


def castling_rule(values, turn):
    return lambda move: move.castling != "" and any(value in ("any", move.castling) for value in listed(values))


def by_rule(values, turn):
    sides = [turn.side(value) for value in listed(values)]
    return lambda move: ("white" if move.white else "black") in sides


def moment_rule(name):
    return lambda value, turn, _: lambda ply: getattr(ply, name) is not None and in_ranges(getattr(ply, name), value)


def has_nag(ply, values):
    wanted = [SUFFIXES.index(value) + 1 if value in SUFFIXES else value for value in listed(values)]
    return any(in_ranges(nag, wanted) for nag in ply.nags)


PLY_RULES = {
    "fen": fen_rule, "sub-fen": sub_fen_rule, "material": material_rule, "imbalance": imbalance_rule, "pawns": pawns_rule,
    "count": count_rule, "passed": pawn_rule(passed), "isolated": pawn_rule(isolated), "doubled": pawn_rule(doubled),
    "connected": pawn_rule(connected), "attacks": attacks_rule, "pinned": pinned_rule, "stm": stm_rule,
    "balance": balance_rule, "mover-balance": mover_balance_rule, "points": points_rule, "difference": difference_rule,
    "opposite-bishops": opposite_bishops_rule, "attackers": attackers_rule, "ray": ray_rule, "battery": battery_rule,
    "halfmove-clock": lambda value, turn, _: lambda ply: in_ranges(ply.board.halfmove_clock, value),
    "repetition": lambda value, turn, _: lambda ply: in_ranges(ply.occurrences, value),
    "mover-swing": moment_rule("mover_swing"), "nag": lambda values, turn, _: lambda ply: has_nag(ply, values),
    "ply-comment": lambda values, turn, _: lambda ply: any(fold(text) in fold(c) for text in listed(values) for c in ply.comments),
    "check": over_rule(lambda check, stuck: check), "mate": over_rule(lambda check, stuck: check and stuck),
    "stalemate": over_rule(lambda check, stuck: stuck and not check),
    "move-number": lambda value, turn, _: lambda ply: in_ranges(ply.board.fullmove_number, value),
    "move": of_move(move_rule),
    "white-move": of_move(side_move_rule("white")), "black-move": of_move(side_move_rule("black")),
    "moved": of_move(letters_rule("piece")), "captured": of_move(letters_rule("captured")),
    "promoted": of_move(letters_rule("promoted")), "castling": of_move(castling_rule), "by": of_move(by_rule),
    "en-passant": of_move(lambda value, turn: lambda move: move.en_passant == value),
    "evaluation": moment_rule("evaluation"), "swing": moment_rule("swing"), "clock": moment_rule("clock"),
    "pass": lambda value, turn, _: lambda ply: True,
}


# ---- rules of the game: each is a function of a game and the value ----

def players_rule(game, value):
    white, black = game.tag("White"), game.tag("Black")
    return any(matches_name(white, a) and matches_name(black, b) for a, b in (value, value[::-1]))


def eco_rule(game, values):
    code = (game.tag("ECO") or "").upper()
    if not re.match(r"[A-E]\d\d", code):
        return False
    for low, high in map(bounds, map(str.upper, listed(values))):
        if (low is None or code >= low) and (high is None or code[:len(high)] <= high):
            return True
    return False


@functools.cache
def openings():
    """Returns a dictionary from placement and side to move to the name of an opening."""
    with open(os.path.join(os.path.dirname(__file__), "..", "..", "data", "openings.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return {position: name for position, _, name in rows}


def opening_played(game):
    """Returns the name of the last opening within 28 plies of a game from the initial position, or None."""
    name = None
    for ply in game.plies[1:29] if game.plies[0].board.fen() == chess.STARTING_FEN else ():
        name = openings().get("%s %s" % (ply.board.board_fen(), "w" if ply.white else "b"), name)
    return name


def opening_rule(game, values):
    name = game.tag("Opening")
    name = opening_played(game) if name in (None, "", "?") else name
    return name is not None and any(re.search(wild(text), fold(name), re.S) for text in listed(values))


def result_rule(game, values):
    stated = game.tag("Result")
    if stated not in ("1-0", "0-1", "1/2-1/2", "*"):
        draw = game.result in ("", "*") and stated in ("1/2", "0.5-0.5", "\xBD-\xBD", "\xBD")
        stated = "1/2-1/2" if draw else game.result
    return stated in listed(values)


def result_type_rule(game, values):
    check, stuck = is_over(game.plies[-1])
    return stuck and ("mate" if check else "stalemate") in listed(values)


def mean_rating_rule(game, value):
    ratings = rating_of(game, "White"), rating_of(game, "Black")
    return None not in ratings and in_ranges(Fraction(sum(ratings), 2), value)


def rating_rule(*sides):
    def rule(game, value):
        return all(rating_of(game, side) is not None and in_ranges(rating_of(game, side), value) for side in sides)
    return rule


def rating_difference_rule(game, value):
    ratings = rating_of(game, "White"), rating_of(game, "Black")
    return None not in ratings and in_ranges(ratings[0] - ratings[1], value)


def may_be(part, numbers):
    """Returns the numbers that match a text of digits and `?`."""
    if part.isdigit():
        return [n for n in numbers if n == int(part)]
    return [n for n in numbers if re.fullmatch(part.replace("?", r"\d"), "%0*d" % (len(part), n))]


@functools.cache
def days_of(date):
    """Returns all days that match a date, ascending; none if the date is invalid."""
    parts = re.fullmatch(r"([\d?]{4})(?:[.-]([\d?]{2}))?(?:[.-]([\d?]{2}))?", date)
    if not parts or parts[1] == "????":
        return []
    years, months, days = map(may_be, parts.groups("??"), (range(10000), range(1, 13), range(1, 32)))
    if "?" not in parts[1] + (parts[2] or "?") and months:  # a day after the end of its month is unknown
        last = calendar.monthrange(years[0] or 4, months[0])[1]
        days = [day for day in days if day <= last] or range(1, last + 1)
    return [(year, month, day) for year in years for month in months for day in days]


def date_rule(game, values):
    date = game.tag("Date") or ""
    if not re.search(r"\d", date):
        date = game.tag("UTCDate") or ""
    if not re.search(r"\d", date):
        return False
    for low, high in map(bounds, listed(values)):
        low, high = ([int(part) for part in end.split(".")] if end else [] for end in (low, high))
        days = days_of(date)
        if days and list(days[-1][:len(low)]) >= low and list(days[0][:len(high)]) <= high:
            return True
    return False


def speed_rule(game, values):
    stated, seconds, increments = (game.tag("TimeControl") or "").split(":"), Fraction(0), [Fraction(0)]
    if stated == ["-"]:
        return "correspondence" in listed(values)
    for period in stated:
        parts = re.fullmatch(r"(?:(?:\d{1,9}(?:\.\d*)?)/)?(\d{1,9}(?:\.\d*)?)(?:\+(\d{1,9}(?:\.\d*)?))?", period)
        if not parts:
            return False
        if Fraction(parts[1].rstrip(".")) >= 86400:
            return "correspondence" in listed(values)
        seconds += Fraction(parts[1].rstrip("."))
        increments.append(Fraction((parts[2] or "0").rstrip(".")))
    estimate = seconds + 40 * max(increments)
    names = ((30, "ultraBullet"), (180, "bullet"), (480, "blitz"), (1500, "rapid"))
    return next((name for bound, name in names if estimate < bound), "classical") in listed(values)


def tag_rule(name):
    return lambda game, value: matches_pattern(game.tag(name), value)


GAME_RULES = {
    "player": lambda game, value: matches_name(game.tag("White"), value) or matches_name(game.tag("Black"), value),
    "white": lambda game, value: matches_name(game.tag("White"), value),
    "black": lambda game, value: matches_name(game.tag("Black"), value),
    "players": players_rule, "event": tag_rule("Event"), "site": tag_rule("Site"), "round": tag_rule("Round"),
    "time-control": tag_rule("TimeControl"), "termination": tag_rule("Termination"),
    "tag": lambda game, value: all(matches_pattern(game.tag(name), pattern) for name, pattern in value.items()),
    "speed": speed_rule, "eco": eco_rule, "opening": opening_rule, "result": result_rule, "result-type": result_type_rule, "rating": mean_rating_rule,
    "white-rating": rating_rule("White"), "black-rating": rating_rule("Black"), "each-rating": rating_rule("White", "Black"),
    "rating-difference": rating_difference_rule, "date": date_rule, "plies": lambda game, value: in_ranges(len(game.plies) - 1, value),
    "comment": lambda game, values: any(fold(text) in fold(comment) for text in listed(values) for comment in game.comments),
    "has": lambda game, values: any(value in game.has for value in listed(values)),
}


# ---- conditions ----

COMPOSED = ("all", "any", "not", "never", "final", "sequence", "streak")


class Condition:
    """A query's condition, transformed by the conditions around it. plies() returns the set of plies of a game at which
    the condition holds."""

    def __init__(self, text, outer=None):
        self.text = text
        unknown = set(text) - OPTIONS - set(GAME_RULES) - set(PLY_RULES) - {"ply", "path", *COMPOSED}
        if unknown:
            raise ValueError("unknown: " + ", ".join(unknown))
        # all rules must hold with the same one of these turns
        self.turned = [Turned(text, (outer or Turn()).then(turn)) for turn in turns_of(text)]
        self.game = self.found = None

    def plies(self, game):
        if self.game is not game:
            self.game, self.found = game, self.search(game)
        return self.found

    def search(self, game):
        if not all(rule(game.whole, self.text[name]) for name, rule in GAME_RULES.items() if name in self.text):
            return set()
        found = set(range(len(game.plies)))
        if "ply" in self.text:
            found = {p for p in found if in_ranges(game.base + p, self.text["ply"])}
        found = found.intersection(set().union(*(turned.plies(game) for turned in self.turned)))
        return {p for p in found if found.issuperset(range(p, p + self.text.get("for", 1)))}

    def streak(self, game, ply):
        """Returns the plies of the condition's streak that begins at a ply, or only this ply if it has no streak."""
        length = len(self.text.get("streak", [0]))
        return list(range(ply, ply + length))

    def match(self, game, ply):
        """Returns the plies to report for a match at this ply, at which the condition holds."""
        turned = next(turned for turned in self.turned if ply in turned.plies(game))
        for name in ("sequence", "streak"):
            if name in turned.parts:
                return turned.path(name, game, ply)
        return [ply]


class Turned:
    """The rules of a condition that depend on the ply, with one turn."""

    def __init__(self, text, turn):
        self.text, self.turn = text, turn
        self.rules = [rule(text[name], turn, text) for name, rule in PLY_RULES.items() if name in text]
        self.parts = {name: [Condition(part, turn) for part in listed(text[name])] for name in COMPOSED if name in text}
        self.game = self.found = None
        self.dead = set()  # (ply, part) of sequences for which no match of this part at this ply can be continued

    def plies(self, game):
        if self.game is not game:
            self.dead.clear()
            self.game, self.found = game, self.search(game)
        return self.found

    def search(self, game):
        found = everywhere = set(range(len(game.plies)))
        for name, parts in self.parts.items():
            found = found & self.combined(name, parts, game, everywhere)
        if "path" in self.text:
            found = found & path_plies(game, self.text["path"], self.turn)
        for rule in self.rules:
            found = {p for p in found if rule(game.plies[p])}
        return found

    def combined(self, name, parts, game, everywhere):
        if name in ("all", "any"):
            sets = [part.plies(game) for part in parts]
            return everywhere.intersection(*sets) if name == "all" else set().union(*sets)
        found = parts[0].plies(game)
        if name == "not":
            return everywhere - found
        if name == "never":
            return set() if found else everywhere
        if name == "final":
            return everywhere if len(everywhere) - 1 in found else set()
        return {p for p in found if self.path(name, game, p) is not None}

    def path(self, name, game, ply):
        """Returns the plies of the earliest match of a sequence or streak that begins at a ply, or None."""
        parts = self.parts[name]
        if name == "streak":
            return list(range(ply, ply + len(parts))) if all(ply + i in part.plies(game) for i, part in enumerate(parts)) \
                else None
        gap = self.text.get("gap", len(game.plies))

        def onward(at, i):
            if (at, i) in self.dead or at not in parts[i].plies(game):
                return None
            own = parts[i].streak(game, at)
            if i + 1 == len(parts):
                return own
            for following in range(own[-1] + 1, min(own[-1] + gap, len(game.plies) - 1) + 1):
                rest = onward(following, i + 1)
                if rest is not None:
                    return own + rest
            self.dead.add((at, i))
            return None
        return onward(ply, 0)


def turns_of(text):
    flip, mirror = text.get("flipcolor", False), text.get("mirror", False)
    turns = [Turn()]
    turns += [Turn(True, False)] if flip else []
    turns += [Turn(False, True)] if mirror else []
    turns += [Turn(True, True)] if flip and mirror else []
    return turns


def search(query, games):
    """Returns [number, [ply, ...]] of each game found."""
    condition = Condition(query)
    found = []
    for game in games:
        plies = condition.plies(game)
        lines = game.lines if query.get("variations") else []
        tops = {line.top for line in lines if condition.plies(line)}
        if query.get("all-matches") and (plies or tops):
            found.append([game.number, sorted(plies | tops)])
        elif plies:
            found.append([game.number, condition.match(game, min(plies))])
        elif tops:
            found.append([game.number, [min(tops)]])
    skip = query.get("skip", 0)
    return found[skip:skip + query["limit"]] if "limit" in query else found[skip:]


def main():
    games = games_of(sys.argv[2])
    with open(sys.argv[1], encoding="utf-8") as queries:
        for line in queries:
            print(json.dumps(search(json.loads(line), games), separators=(",", ":")))


if __name__ == "__main__":
    main()
