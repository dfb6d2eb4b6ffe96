# SPDX-License-Identifier: MIT
"""Decodes `move16`: a move in 16 bits, as engines keep it in memory (doc/reference/encodings.md).

Input: a line for each move, its number. Output: the move in UCI notation, castling as O-O or O-O-O. The null move is 0000.
"""
import sys


def square(number):
    return "abcdefgh"[number & 7] + "12345678"[number >> 3]


def decode(code):
    if code == 0:
        return "0000"
    flags, origin, target = code >> 12, code >> 6 & 63, code & 63
    if flags in (6, 7):
        raise ValueError("flags that no move has")
    if flags in (2, 3):
        return "O-O" if flags == 2 else "O-O-O"
    promotion = "nbrq"[flags & 3] if flags & 8 else ""
    return square(origin) + square(target) + promotion


for line in sys.stdin:
    print(decode(int(line)))
