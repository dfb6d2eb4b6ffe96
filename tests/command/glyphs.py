# SPDX-License-Identifier: MIT
"""Makes games with annotators' marks in all places, and compares the command's output with these marks. python-chess
makes the moves; doc/format/games.md lists the marks.

usage: glyphs.py make SEED COUNT PGN WANTED    writes games, and a line of JSON for each: moves and glyphs of the main line
       glyphs.py json WANTED JSON              compares the output of cat --format json
       glyphs.py pgn WANTED PGN                compares the output of export --clean-pgn, read by python-chess
       glyphs.py moves WANTED PGN              compares the same, without glyphs
"""
import json
import random
import sys

sys.path.insert(0, "tests/differential")
import chess
import chess.pgn

from random_games import demand_same, wanted_of
from search_games import GLYPHS, SUFFIXES

NUMBERED = [glyph for glyph, number in GLYPHS.items() if number]
MARKS = [glyph for glyph, number in GLYPHS.items() if not number]
HYPHENS = ["-", "\u2010", "\u2011", "\u2013", "\u2212"]


def spelt(choose, glyph):
    """Returns a glyph with other hyphens, or with a variation selector after a symbol."""
    glyph = "".join(choose.choice(HYPHENS) if byte == "-" and choose.random() < 0.3 else byte for byte in glyph)
    return glyph + choose.choice(["", "", "", "\ufe0e", "\ufe0f"]) if not glyph.isascii() else glyph


def annotation(choose, glyphs, check, null):
    """Returns text to write after a move, and adds its numbers to `glyphs`. `check`: the move ends with +. `null`: the
    null move is legal instead of the move."""
    kind = choose.random()
    if kind < 0.6:
        glyph = choose.choice(NUMBERED)
        glyphs.append(GLYPHS[glyph])
        attached = choose.random() < 0.4 and not (check and glyph[0] == "=")  # Nf3+= is Nf3 and +=
        return ("" if attached else choose.choice([" ", "\n"])) + spelt(choose, glyph)
    if kind < 0.75:
        suffix = "".join(choose.choice("!?") for _ in range(choose.choice([1, 2, 2, 3, 4])))
        glyphs.append(SUFFIXES.index(suffix[:2]) + 1)
        return suffix
    if kind < 0.85:
        glyphs.append(choose.randrange(256))
        return f" ${glyphs[-1]}"
    return choose.choice([" " + choose.choice(MARKS), " {N = +-}"] + ([" (1. -- N (1. --) ±)"] if null else []))


def game(choose, number):
    board, words, moves = chess.Board(), [], []
    for ply in range(choose.randrange(1, 60)):
        legal = list(board.legal_moves)
        if not legal:
            break
        move, glyphs, null = choose.choice(legal), [], not board.is_check()
        word = f"{board.fullmove_number}. " if board.turn else ""
        word += board.san(move)
        board.push(move)
        last_size = -1
        while choose.random() < 0.3 and last_size != len(word):
            last_size = len(word)
            text = annotation(choose, glyphs, word[-1] == "+", null)
            word += text if text[0] in " \n" or not glyphs or len(glyphs) == 1 else " " + text
        words.append(word)
        moves.append([move.uci(), glyphs])
    end = choose.choice([" ", "\n"])
    return f'[Event "{number}"]\n[Result "*"]\n\n' + end.join(words) + " *\n\n", moves


def make(seed, count, pgn, wanted):
    choose = random.Random(int(seed))
    with open(pgn, "w", encoding="utf-8") as text, open(wanted, "w", encoding="utf-8") as lines:
        for number in range(int(count)):
            written, moves = game(choose, number)
            text.write(written)
            lines.write(json.dumps(moves) + "\n")


def of_json(path):
    games = []
    with open(path, encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            assert line["kept_as_text"] is None, line
            games.append([[move, []] for move in line["uci"]])
            for nag in line["nags"]:
                games[-1][nag["ply"] - 1][1].append(nag["nag"])
    return games


def of_pgn(path):
    games = []
    with open(path, encoding="utf-8") as text:
        while read := chess.pgn.read_game(text):
            assert not read.errors, read.errors
            games.append([[node.move.uci(), sorted(node.nags)] for node in read.mainline()])
    return games


def main(what, *arguments):
    if what == "make":
        make(*arguments)
        return
    wanted = wanted_of(arguments[0])
    found = of_json(arguments[1]) if what == "json" else of_pgn(arguments[1])
    if what == "pgn":  # python-chess reads a set of glyphs
        wanted = [[[move, sorted(set(glyphs))] for move, glyphs in moves] for moves in wanted]
    elif what == "moves":
        wanted, found = ([[move for move, _ in moves] for moves in games] for games in (wanted, found))
    demand_same(wanted, found)


main(*sys.argv[1:])
