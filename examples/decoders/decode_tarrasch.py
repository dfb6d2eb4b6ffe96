# SPDX-License-Identifier: MIT
"""Decodes `tarrasch`: a move in one byte; four bits for the piece, four for its move (doc/reference/encodings.md).

Input: a line for each move, its byte, the position before it as FEN, and the sorted legal moves, which are only used if there are
too many pieces of a kind; separated by tabs. Output: the move in UCI notation, castling as O-O or O-O-O. The null move is 0000.
"""
import re
import sys

STEPS = {"P": ((0, 1), (0, 2), (-1, 1), (1, 1)),
         "N": ((1, 2), (-1, 2), (-2, 1), (2, 1), (1, -2), (-1, -2), (2, -1), (-2, -1)),
         "K": ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1))}
OF_THE_KING = {0x88: "O-O", 0x89: "O-O-O", 0x8F: "0000"}


def own_pieces(placement, white):
    """Returns the squares (file, rank) of the side to move by letter, along the files: a1, a2 ... h8."""
    ranks = re.sub(r"\d", lambda digit: "." * int(digit[0]), placement).split("/")
    squares, letter = [(file, rank) for file in range(8) for rank in range(8)], str.upper if white else str.lower
    return {kind: [(file, rank) for file, rank in squares if ranks[7 - rank][file] == letter(kind)] for kind in "PNBRQK"}


def falls_back(own):
    dark = [(file + rank) % 2 == 0 for file, rank in own["B"]]
    return (len(own["Q"]) > 2 or len(own["Q"]) == 2 and len(own["P"]) > 6 or len(own["R"]) > 2 or len(own["N"]) > 2
            or dark.count(True) > 1 or dark.count(False) > 1)


def find_piece(own, piece, vector):
    """Returns the kind as which a piece moves, and its square."""
    if piece in (12, 15) or piece in (6, 7) and len(own["Q"]) == 2:
        return "B" if piece in (6, 12) else "R", own["Q"][0 if piece > 7 else 1]
    if piece in (10, 11):
        return "B", next(square for square in own["B"] if sum(square) % 2 == 11 - piece)
    kind, number = ("P", piece) if piece < 8 else {8: ("K", 0), 9: ("N", vector >> 3)}.get(piece, ("R", piece - 13))
    return kind, own[kind][number]


def decode(code, fen, legal):
    placement, side, vector, promotion = *fen.split()[:2], code & 15, ""
    own = own_pieces(placement, side == "w")
    if falls_back(own):
        return legal[code] if code < 255 else "0000"
    if code in OF_THE_KING:
        return OF_THE_KING[code]
    kind, (file, rank) = find_piece(own, code >> 4, vector)
    if kind == "P" and vector > 3:  # promotes ahead, to the left or to the right
        promotion, vector = "nbrq"[vector & 3], (0, 2, 3)[vector // 4 - 1]
    if kind == "B":  # the target's file, on the rising or the falling diagonal
        target = vector & 7, rank + ((vector & 7) - file) * (1 if vector < 8 else -1)
    elif kind == "R":  # the target's file on this rank, or its rank on this file
        target = (vector, rank) if vector < 8 else (file, vector - 8)
    else:
        x, y = STEPS[kind][vector & 7]
        target = file + x, rank + y * (-1 if kind == "P" and side == "b" else 1)
    return "".join("abcdefgh"[x] + "12345678"[y] for x, y in ((file, rank), target)) + promotion


for line in sys.stdin:
    byte, fen, legal = line.rstrip("\n").split("\t")
    print(decode(int(byte), fen, legal.split()))
