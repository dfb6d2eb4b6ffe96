# SPDX-License-Identifier: MIT
"""Prints games for the tests of the page, in PGN:

1. the moves of a game, with clocks and evaluations;
2. the same moves with the comments of an engine tournament, as TCEC writes them;
3. the same moves with comments, a variation and a glyph.

usage: page_games.py GAME.json     the file contains a game as `stamma cat --json` prints it
"""
import json
import sys

TAGS = (("Event", "Rated blitz game"), ("Site", "https://lichess.org/abcdefgh"), ("Date", "2023.11.05"), ("Round", "-"),
        ("White", "Ann-Kathrin Lindqvist-Montgomery"), ("Black", "Bo"), ("Result", "1-0"), ("WhiteElo", "2310"), ("BlackElo", "2288"),
        ("TimeControl", "180+2"))


def clocks(ply):
    """The time left and an evaluation after a ply."""
    left = 180 - ply * 1.4
    return "[%%clk 0:%02d:%02d] [%%eval %.2f]" % (left // 60, left % 60, (ply * 37 % 101 - 40) / 50)


def engine(ply):
    return ("d=%d, sd=%d, mt=%d, tl=%d, s=%d, n=%d, pv=Nf3 Nf6 c4 e6 g3 d5 Bg2 Be7 O-O O-O Qc2 a6, tb=0, h=12.3, ph=0.0, wv=%.2f, "
            "R50=49, Rd=-11, Rr=-11, mb=+0+0+0+0+0," % (28 + ply % 9, 40 + ply % 13, 9000 + ply, 1700000 - 9000 * ply, 61000000, 550000000, ply / 40))


def remarks(ply):
    return {3: "A quiet start.", 12: "Black takes over the long diagonal, which decides the middlegame."}.get(ply)


def movetext(sans, comment):
    parts = []
    for ply, san in enumerate(sans, 1):
        text = comment(ply)
        parts.append("%d. %s" % ((ply + 1) // 2, san) if ply % 2 else "%d... %s" % (ply // 2, san))
        if text:
            parts.append("{ %s }" % text)
    return "\n".join(parts)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        sans = json.load(file)["san"]
    print()
    for comment in (clocks, engine, remarks):
        print("\n".join('[%s "%s"]' % tag for tag in TAGS) + "\n\n" + movetext(sans, comment) + " 1-0\n")


if __name__ == "__main__":
    main()
