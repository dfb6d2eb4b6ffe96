# SPDX-License-Identifier: MIT
"""Reads PGN of analyses with python-chess. Started by analysis_pgn.sh.

usage: analysis_pgn.py TREES OUT           compares trees of analysis_pgn.mjs with their PGN, and writes the PGN to OUT
       analysis_pgn.py --games GAMES OUT   writes the trees of the games of a PGN file, one per line
"""
import io
import json
import re
import sys

import chess.pgn

COMMAND = re.compile(r"\[%(\w+)\s+([^\]]*)\]")


def split(comment):
    """Returns the text, the other commands, and the arrows and circles of a comment."""
    marks, commands = [], []
    for name, value in COMMAND.findall(comment):
        if name in ("csl", "cal"):
            marks += value.split(",")
        else:
            commands.append("[%%%s %s]" % (name, value))
    return " ".join(COMMAND.sub(" ", comment).split()), " ".join(commands), sorted(marks)


def plain(node):
    text, commands, marks = split(node.comment)
    return [node.move.uci() if node.parent else None, text, commands, marks, sorted(node.nags), [plain(one) for one in node.variations]]


def merged(nodes):
    """Joins nodes with the same move, as analyses do: a variation may begin with a move that already exists."""
    found = {}
    for move, text, commands, marks, nags, children in nodes:
        one = found.setdefault(move, [move, "", "", [], [], []])
        one[1], one[2] = " ".join(filter(None, (one[1], text))), " ".join(filter(None, (one[2], commands)))
        one[3], one[4] = sorted(set(one[3] + marks)), sorted(set(one[4] + nags))
        one[5] += children
    return [one[:5] + [merged(one[5])] for one in found.values()]


def compare(trees, out):
    with open(trees, encoding="utf-8") as file, open(out, "w", encoding="utf-8") as written:
        for number, line in enumerate(file):
            one = json.loads(line)
            game = chess.pgn.read_game(io.StringIO(one["pgn"]))
            if game.errors or plain(game) != one["tree"]:
                sys.exit("tree %d: %s\n%s\n%s" % (number, game.errors, one["pgn"], plain(game)))
            written.write(one["pgn"] + "\n")
    if number < 29:
        sys.exit("only %d trees" % (number + 1))


def games(path, out):
    with open(path, encoding="utf-8") as file, open(out, "w", encoding="utf-8") as written:
        while game := chess.pgn.read_game(file):
            if game.headers.get("Variant") != "Chess960":
                written.write(json.dumps([game.headers["Result"], merged([plain(game)])[0]], ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    if sys.argv[1] == "--games":
        games(*sys.argv[2:])
    else:
        compare(*sys.argv[1:])
