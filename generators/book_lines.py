#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Chooses or compiles the opening lines of `gap-codes` (Forster 2015, "One Move in 4 Bits"; doc/reference/encodings.md).

usage: book_lines.py                 write src/encodings/book_lines.c from data/book_lines.txt
       book_lines.py --check         exit 1 if the file in the tree differs from the generated file
       book_lines.py --choose PGN... choose the lines from games and write data/book_lines.txt (minutes)

Each line of the text contains SAN moves from the initial position and a bar. The code stands for the moves after the
bar.
"""
import collections
import itertools
import math
import os
import re
import sys

from board_tables import ROOT

sys.path.insert(0, os.path.join(ROOT, "reference"))
import slow_chess

TEXT = os.path.join(ROOT, "data", "book_lines.txt")
TABLE = os.path.join(ROOT, "src", "encodings", "book_lines.c")
INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LINE_MAX, START_MAX = 20, 15  # largest number of plies of a line, and before its bar
LINES_MAX, SHARE_MIN = 600, 0.0003  # largest number of lines; smallest share of games that must follow a line
GAMES_MAX = 40000  # games read from each file
PIECES = "NBRQ"
DOUBLE_PUSH, KING_CASTLE, QUEEN_CASTLE, CAPTURE, EN_PASSANT, PROMOTION = 1, 2, 3, 4, 5, 8


# ---- choosing ----

def first_moves(text):
    """Returns the first moves of a movetext, without move numbers, comments and marks."""
    words = re.sub(r"\{[^}]*\}|\$\d+|\d+\.+|[?!+#]", " ", text[:4000]).split()
    return tuple(word for word in words if re.match(r"[a-hKQRBNO]", word))[:LINE_MAX]


def games_of(path):
    """Yields the first moves of each game that begins from the initial position."""
    set_up, text = False, ""
    for line in open(path, encoding="latin-1"):
        if line.startswith("["):
            if text and not set_up:
                yield first_moves(text)
            set_up = line.startswith("[FEN ") or set_up and not text
            text = ""
        else:
            text += line if len(text) < 4000 else ""
    if text and not set_up:
        yield first_moves(text)


def number_of_moves(line, numbers={}):
    if line not in numbers:
        position = slow_chess.read_fen(INITIAL)
        for san in line:
            position = play(position, san)[1]
        numbers[line] = len(list(position.legal_moves()))
    return numbers[line]


def choose_at(start, games, least):
    """Returns the best sequences after `start`. Repeatedly chooses the sequence with the largest product of its games
    and the bits that it saves."""
    room = 2 ** math.ceil(math.log2(number_of_moves(start))) - number_of_moves(start)
    left, chosen = list(games), []
    while len(chosen) < room:
        counts = collections.Counter(game[: size] for game in left for size in range(len(start) + 2, len(game) + 1))
        line = max(counts, key=lambda line: (counts[line] * (len(line) - len(start) - 1), line), default=None)
        if line is None or counts[line] < least:
            break
        chosen.append((counts[line] * (len(line) - len(start) - 1), line))
        left = [game for game in left if game[: len(line)] != line]
    return chosen


def choose(paths):
    games = [game for path in paths for game in itertools.islice(games_of(path), GAMES_MAX)]
    arrived, lines = {(): games}, []
    for ply in range(START_MAX + 1):
        for start in sorted(start for start in arrived if len(start) == ply):
            here = [game for game in arrived.pop(start) if len(game) > ply]
            if len(here) < 2 * SHARE_MIN * len(games):
                continue
            chosen = choose_at(start, here, SHARE_MIN * len(games))
            lines += [(gain, start, line) for gain, line in chosen]
            for game in here:
                fits = [line for gain, line in chosen if game[: len(line)] == line]
                arrived.setdefault(max(fits, key=len, default=game[: ply + 1]), []).append(game)
    lines.sort(reverse=True)
    with open(TEXT, "w") as file:
        for gain, start, line in sorted(lines[:LINES_MAX], key=lambda entry: (len(entry[1]), entry[1], -entry[0])):
            file.write(" ".join(start + ("|",) + line[len(start):]) + "\n")


# ---- the table ----

def play(position, san):
    """Returns the move of a SAN without marks, as the library's 16 bits, and the position after the move."""
    move = next(m for m in position.legal_moves() if position.san(m) == san)
    origin, target, extra = move
    flags = CAPTURE if position.board[target] != slow_chess.EMPTY and extra not in slow_chess.CASTLING else 0
    if extra in slow_chess.CASTLING:
        flags = KING_CASTLE if extra == "O-O" else QUEEN_CASTLE
    elif extra:
        flags |= PROMOTION | PIECES.index(extra)
    elif position.board[origin] in "Pp" and abs(target - origin) == 16:
        flags = DOUBLE_PUSH
    elif position.board[origin] in "Pp" and (target - origin) % 8 and not flags:
        flags = EN_PASSANT
    return flags << 12 | origin << 6 | target, position.play(move)


def lines_of_text():
    for text in open(TEXT):
        start, rest = (part.split() for part in text.split("|"))
        position, moves = slow_chess.read_fen(INITIAL), []
        for san in start + rest:
            move, position = play(position, san)
            moves.append(move)
        yield len(start), moves


def table():
    lines = list(lines_of_text())
    assert lines == sorted(lines, key=lambda line: line[0]) and max(start for start, _ in lines) <= START_MAX
    assert all(start + 2 <= len(moves) <= LINE_MAX for start, moves in lines)
    first = [sum(start < ply for start, _ in lines) for ply in range(START_MAX + 2)]
    out = ["/* SPDX-License-Identifier: MIT */",
           "/* Opening lines. Generated by generators/book_lines.py from data/book_lines.txt; do not edit. */",
           "/* clang-format off */", '#include "encodings/encodings.h"', "",
           "const uint16_t stamma_book_first[BOOK_PLIES + 1] = {%s};" % ", ".join("%d" % n for n in first), "",
           "const book_line stamma_book_lines[] = {"]
    out += ["    {%d, {%s}}," % (len(moves), ", ".join("0x%04X" % m for m in moves)) for _, moves in lines]
    return "\n".join(out + ["};"]) + "\n"


def main():
    if "--choose" in sys.argv[1:2]:
        choose(sys.argv[2:])
        return 0
    if "--check" not in sys.argv[1:]:
        with open(TABLE, "w") as file:
            file.write(table())
        return 0
    with open(TABLE) as file:
        same = file.read() == table()
    if not same:
        print("book_lines.c differs from what book_lines.py writes", file=sys.stderr)
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())
