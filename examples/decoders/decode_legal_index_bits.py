# SPDX-License-Identifier: MIT
"""Decodes a game of `legal-index-bits`: each move is its number among the n legal moves, in ceil(log2 n) bits (doc/reference/encodings.md).

Input: a line for each game, its bytes in hexadecimal digits, and after a tab the legal moves before each ply. The moves of a ply
are sorted and separated by blanks, the plies by commas. A program with a move generator makes the lists while it plays the moves.
Output: the moves of each game. The null move is 0000.
"""
import sys


def read_varint(data, at):
    """Returns a number of seven bits per byte, the lowest first, and the place of the next byte."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def read_front(data):
    """Returns the number of plies, the plies that are null moves, and the place of the first code."""
    count, at = read_varint(data, 0)
    nulls, ply = set(), 0
    if count & 1:
        listed, at = read_varint(data, at)
        for _ in range(listed):
            since, at = read_varint(data, at)
            ply += since
            nulls.add(ply)
            ply += 1
    return count >> 1, nulls, at


def decode(data, legal_moves):
    """Returns the moves. legal_moves(moves) returns the sorted legal moves after these moves."""
    plies, nulls, at = read_front(data)
    bits, bit = int.from_bytes(data[at:], "big"), 8 * len(data[at:])
    moves = []
    for ply in range(plies):
        if ply in nulls:
            moves.append("0000")
            continue
        legal = legal_moves(moves)
        size = (len(legal) - 1).bit_length()
        bit -= size
        moves.append(legal[bits >> bit & (1 << size) - 1])
    return moves


for line in sys.stdin:
    code, lists = line.split("\t")
    lists = [text.split() for text in lists.split(",")]
    print(*decode(bytes.fromhex(code), lambda moves: lists[len(moves)]))
