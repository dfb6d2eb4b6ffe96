# SPDX-License-Identifier: MIT
"""Examines the pictures of `stamma board`. Started by command_board.sh.

usage: board_picture.py pieces                     50 random positions, with python-chess; the command is $STAMMA
       board_picture.py drawings PIECES SCREENSHOT the file marks.svg in Chromium; PIECES are the page's drawings
"""
import os
import random
import subprocess
import sys
import xml.etree.ElementTree as xml

import browser

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
COLORS = {"#15781b": "G", "#882020": "R", "#e68f00": "Y", "#003088": "B"}
NAMES = ["pawn", "knight", "bishop", "rook", "queen", "king"]


def same(found, wanted, what):
    if found != wanted:
        sys.exit("%s: %r, not %r" % (what, found, wanted))


def square_at(x, y, flip):
    """Returns the name of the square with its upper left corner at x, y."""
    column, row = int(x // 40), int(y // 40)
    return "abcdefgh"[7 - column if flip else column] + str(row + 1 if flip else 8 - row)


def numbers(text):
    return [float(one) for one in text.replace("M", " ").replace("L", " ").replace("z", " ").split()]


def group(picture, name):
    return next((one for one in picture.iter(SVG + "g") if one.get("class") == name), [])


def pieces_of(picture, flip):
    found = {}
    for one in group(picture, "pieces"):
        name = one.get(LINK)[1:]
        if picture.find(".//*[@id='%s']" % name) is None:
            sys.exit("there is no drawing of " + name)
        place = square_at(float(one.get("x")), float(one.get("y")), flip)
        same(place in found, False, "two pieces on " + place)
        found[place] = name[1].upper() if name[0] == "w" else name[1]
    return found


def marks_of(picture, flip):
    """Returns arrows as Ge2e4. Checks that the tip is within the target, and that the shaft begins within the
    origin."""
    marks = []
    for one in group(picture, "circles"):
        marks.append(COLORS[one.get("stroke")] + square_at(float(one.get("cx")), float(one.get("cy")), flip))
    for one in group(picture, "arrows"):
        points = numbers(one.get("d"))
        tip, tail = points[6:8], [(points[0] + points[12]) / 2, (points[1] + points[13]) / 2]
        marks.append(COLORS[one.get("fill")] + square_at(*tail, flip) + square_at(*tip, flip))
    return marks


def random_marks(chance):
    squares = ["abcdefgh"[i % 8] + str(i // 8 + 1) for i in range(64)]
    arrows = [chance.choice(["", "G", "R", "Y", "B"]) + "".join(chance.sample(squares, 2)) for _ in range(chance.randrange(5))]
    circles = [chance.choice(["", "G", "R", "Y", "B"]) + one for one in chance.sample(squares, chance.randrange(5))]
    return circles, arrows


def title_of(board, chess):
    """Returns the pieces in the words of the picture's title."""
    def side(color):
        return ", ".join("%s %s" % (NAMES[kind - 1], chess.square_name(square)) for kind in range(6, 0, -1) for square in sorted(board.pieces(kind, color)))
    return "%s to move. White: %s. Black: %s." % ("White" if board.turn else "Black", side(True), side(False))


def examine(board, last, chance, chess):
    flip = chance.random() < 0.5
    circles, arrows = random_marks(chance)
    command = [os.environ["STAMMA"], "board", "--fen", board.fen(), "--circles", ",".join(circles), "--arrows", ",".join(arrows)]
    command += ["--flip"] * flip + (["--last", last] if last else [])
    picture = xml.fromstring(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    same(pieces_of(picture, flip), {chess.square_name(square): piece.symbol() for square, piece in board.piece_map().items()}, board.fen())
    same(marks_of(picture, flip), [one if one[0].isupper() else "G" + one for one in circles + arrows], " ".join(command))
    same([square_at(float(one.get("x")), float(one.get("y")), flip) for one in group(picture, "last")], [last[:2], last[2:4]] if last else [], "last move")
    title = picture.find(SVG + "title").text
    same(title.startswith(title_of(board, chess)), True, title)
    coordinates = [one.text for one in group(picture, "coordinates")]
    same("".join(coordinates), "12345678hgfedcba" if flip else "87654321abcdefgh", "coordinates")


def pieces():
    import chess
    chance = random.Random(28)
    for _ in range(50):
        board, last = chess.Board(), None
        for _ in range(chance.randrange(120)):
            moves = list(board.legal_moves)
            if not moves:
                break
            last = chance.choice(moves).uci()
            board.push_uci(last)
        examine(board, last, chance, chess)


BOXES = "Object.fromEntries(%s.map(one => { const { x, y, width, height } = one.getBBox(); return [one.%s, [x, y, width, height].map(Math.round)]; }))"


def drawings(originals, screenshot):
    """Checks that the drawings have the sizes of the originals, and that each piece is within its square."""
    window = browser.Browser()
    try:
        window.size(400, 400)
        window.open("file://" + os.path.abspath(originals))
        window.wait("document.querySelectorAll('svg > g').length > 11")
        wanted = window.evaluate(BOXES % ("[...document.querySelectorAll('svg > g')]", "id"))
        window.open("file://" + os.path.abspath("marks.svg"))
        window.wait("document.querySelectorAll('.pieces use').length", 32)
        found = window.evaluate(BOXES % ("[...document.querySelectorAll('defs > g')]", "id"))
        same(found, {name: wanted[name] for name in found}, "sizes of the drawings")
        same(len(found), 12, "number of drawings")
        outside = window.evaluate("[...document.querySelectorAll('.pieces use')].filter(one => { const box = one.getBBox(), x = one.x.baseVal.value, y = one.y.baseVal.value;"
                                  "return !(box.width > 12 && box.height > 18 && box.x >= x && box.y >= y && box.x + box.width <= x + 40 && box.y + box.height <= y + 40); }).length")
        same(outside, 0, "pieces that are not within their squares")
        window.screenshot(screenshot)
        same(window.logged, [], "messages of the browser")
    finally:
        window.close()


if __name__ == "__main__":
    if sys.argv[1] == "pieces":
        pieces()
    else:
        drawings(*sys.argv[2:])
