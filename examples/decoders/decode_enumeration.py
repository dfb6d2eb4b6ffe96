# SPDX-License-Identifier: MIT
"""Decodes `enumeration`: a number for every possible move, without a position (doc/reference/encodings.md).

Input: a line for each move, its number. Output: the move in UCI notation, castling as O-O or O-O-O. The null move is 0000.
"""
import sys

SIDE = 22678  # numbers of each side
LINES = ((1, 1), (-1, 1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1))  # diagonals first
JUMPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
# The first number of each piece; its steps, and how often they can be repeated.
PIECES = (("Q", 13942, LINES, 7), ("R", 8566, LINES[4:], 7), ("B", 5206, LINES[:4], 7), ("N", 3190, JUMPS, 1), ("K", 670, LINES, 1))


def pairs(steps, length):
    """Returns all pairs of an origin and a target on the empty board, in ascending order."""
    targets = [(x, y, x + n * dx, y + n * dy) for y in range(8) for x in range(8) for dx, dy in steps for n in range(1, length + 1)]
    return sorted((8 * y + x, 8 * v + u) for x, y, u, v in targets if 0 <= u < 8 and 0 <= v < 8)


def capture(rank, way):
    """Returns the squares of a pawn's capture: way 0 is axb, 1 is bxa, 2 is bxc ... 13 is hxg."""
    origin = 8 * rank + (way + 1) // 2
    return origin, origin + (7 if way & 1 else 9)


def pawn_move(number):
    """Returns origin, target, promotion and captured piece of a pawn's move, as White sees them."""
    if number < 32:
        return 48 + number // 4, 56 + number // 4, "nbrq"[number % 4], ""
    if number < 256:
        return *capture(6, (number - 32) // 16), "nbrq"[(number - 32) // 4 % 4], "NBRQ"[number % 4]
    if number < 304:  # eight double pushes, then forty pushes
        origin = number - 256 + 8 if number < 264 else number - 264 + 8
        return origin, origin + (16 if number < 264 else 8), "", ""
    if number < 654:
        return *capture(1 + (number - 304) // 70, (number - 304) // 5 % 14), "", "PNBRQ"[(number - 304) % 5]
    return *capture(4, number - 654), "", "P"  # en passant


def decode(number):
    """Returns the moving piece, the move in UCI notation, and the captured piece."""
    if number == 2 * SIDE:
        return "", "0000", ""
    black, number = divmod(number, SIDE)
    if number in (668, 669):
        return "K", "O-O" if number == 668 else "O-O-O", ""
    if number < 668:
        piece, (origin, target, promotion, captured) = "P", pawn_move(number)
        origin, target = origin ^ 56 * black, target ^ 56 * black
    else:
        piece, first, steps, length = next(entry for entry in PIECES if number >= entry[1])
        (origin, target), promotion = pairs(steps, length)[(number - first) // 6], ""
        captured = ("", *"PNBRQ")[(number - first) % 6]
    return piece, "".join("abcdefgh"[at & 7] + "12345678"[at >> 3] for at in (origin, target)) + promotion, captured


for line in sys.stdin:
    print(decode(int(line))[1])
