# SPDX-License-Identifier: MIT
"""Decodes `bcgn-square`: a move in one byte, as level 1 of Stamma's archives stores it (doc/reference/encodings.md).

Input: a line for each move, its byte, the position before it as FEN, and the sorted legal moves, which are only used in positions
with very many queens; separated by tabs. Output: the move in UCI notation, castling as O-O or O-O-O. The null move is 0000.
"""
import sys

BOUNDS = {"P": 12, "N": 8, "B": 13, "R": 14, "Q": 27, "K": 8}  # the most moves of a piece from one square
ALL = [(x, y) for x in range(-2, 3) for y in range(-2, 3)]
STEPS = {"N": [s for s in ALL if abs(s[0] * s[1]) == 2], "K": [s for s in ALL if 0 < s[0] ** 2 + s[1] ** 2 < 3]}
STEPS.update(Q=STEPS["K"], R=[s for s in STEPS["K"] if 0 in s], B=[s for s in STEPS["K"] if 0 not in s])


def name(square):
    return "abcdefgh"[square & 7] + "12345678"[square >> 3]


def own_pieces(fen):
    """Returns the pieces of the side to move as (square, capital letter), from a1 to h8; and whether White is to move."""
    placement, white = fen.split()[0], fen.split()[1] == "w"
    for digit in "12345678":
        placement = placement.replace(digit, "." * int(digit))
    board = "".join(reversed(placement.split("/")))
    return [(at, piece.upper()) for at, piece in enumerate(board) if piece != "." and piece.isupper() == white], white


def targets(kind, square):
    """Returns the squares that a piece attacks on the empty board, in ascending order."""
    file, rank, length = square & 7, square >> 3, 1 if kind in "NK" else 7
    reached = [(file + n * x, rank + n * y) for x, y in STEPS[kind] for n in range(1, length + 1)]
    return sorted(8 * y + x for x, y in reached if 0 <= x < 8 and 0 <= y < 8)


def pawn_move(square, index, white):
    way, extra = divmod(index, 4)  # way 0 captures towards the a-file, 1 advances, 2 captures towards the h-file
    forward, promotes = (8, square >> 3 == 6) if white else (-8, square >> 3 == 1)
    target = square + forward * (2 if way == 1 and extra == 1 and not promotes else 1) + way - 1
    return name(square) + name(target) + ("nbrq"[extra] if promotes else "")


def decode(code, fen, legal):
    pieces, white = own_pieces(fen)
    if code == 255 or sum(BOUNDS[kind] for _, kind in pieces) > 255:
        return legal[code] if code < 255 else "0000"
    for square, kind in pieces:
        if code < BOUNDS[kind]:
            break
        code -= BOUNDS[kind]
    if kind == "P":
        return pawn_move(square, code, white)
    found = targets(kind, square)
    if code >= len(found):  # a king on the edge has at most five steps
        return "O-O" if code == 6 else "O-O-O"
    return name(square) + name(found[code])


for line in sys.stdin:
    byte, fen, legal = line.rstrip("\n").split("\t")
    print(decode(int(byte), fen, legal.split()))
