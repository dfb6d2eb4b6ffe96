#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes games without annotations, and checks that annotations were merged, with python-chess.

usage: dedupe_merge.py strip SOURCE.pgn FULL.pgn BARE.pgn     games, and copies with seven tags and no annotations
       dedupe_merge.py compare FULL.pgn MERGED.pgn            fails if MERGED lacks something of FULL
"""
import sys

import chess.pgn

TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Result")


def games(path):
    with open(path, encoding="latin-1", newline="") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield game


def content(game):
    """Returns the set of all tags, moves, comments and NAGs, each with the line that leads to it."""
    # Unknown values and tags that belong to the moves are not merged. python-chess does not read escapes.
    found = {("tag", name, value) for name, value in game.headers.items()
             if value.strip("?.-") and "\\" not in value and name.lower() not in ("plycount", "eco", "opening", "variation")}

    def walk(node, line):
        for child in node.variations:
            there = line + (child.move.uci(),)
            found.add(("move", there, child.is_main_variation()) if node.is_mainline() else ("move", there))
            found.update(("nag", there, nag) for nag in child.nags)
            found.update(("comment", there, " ".join(c.split())) for c in (child.comment, child.starting_comment) if c)
            walk(child, there)

    if game.comment:
        found.add(("comment", (), " ".join(game.comment.split())))
    walk(game, ())
    return found


def strip(source, full, bare):
    seen = set()
    with open(full, "w", encoding="latin-1") as one, open(bare, "w", encoding="latin-1") as other:
        for game in games(source):
            moves = tuple(move.uci() for move in game.mainline_moves())
            if game.errors or len(moves) < 40 or moves[:40] in seen:
                continue
            seen.add(moves[:40])
            copy = chess.pgn.Game.from_board(game.end().board())
            for tag in list(copy.headers):
                del copy.headers[tag]
            copy.headers.update({tag: game.headers[tag] for tag in TAGS})
            one.write(str(game) + "\n\n")
            other.write(str(copy) + "\n\n")


def compare(full, merged):
    pairs = list(zip(games(full), games(merged), strict=True))
    lost = 0
    for game, other in pairs:
        missing = content(game) - content(other)
        lost += bool(missing)
        if missing:
            print(game.headers["White"], game.headers["Black"], sorted(missing, key=str)[:3])
        if list(game.mainline_moves()) != list(other.mainline_moves()):
            sys.exit("another main line: %s" % game.headers)
    print("%d games" % len(pairs))
    sys.exit(lost > 0)


{"strip": strip, "compare": compare}[sys.argv[1]](*sys.argv[2:])
