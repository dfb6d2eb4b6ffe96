# SPDX-License-Identifier: MIT
"""Decodes `packed`: a position in at most 24 bytes, which also serve as a key (doc/reference/encodings.md).

Input: a line for each position, its bytes in hexadecimal digits. Output: the FEN. Castling rights are the files of the rooks, as
Shredder writes them. The number of the move is not stored; it is 1.
"""
import sys


def placement_of(board):
    text = "/".join("".join(board[rank:rank + 8]) for rank in range(56, -8, -8))
    for empty in range(8, 0, -1):
        text = text.replace("." * empty, str(empty))
    return text


def decode(data):
    bits, at = int.from_bytes(data, "big"), 8 * len(data)

    def read(count):
        nonlocal at
        at -= count
        return bits >> at & (1 << count) - 1

    occupied, white, clock, *kings = read(64), read(1), read(7), read(6), read(6)
    squares = [square for square in range(64) if occupied >> square & 1 and square not in kings]
    kinds = []
    for _ in range(len(squares) // 2):
        kinds += divmod(read(7), 11)  # two pieces
    if len(squares) % 2:
        kinds.append(read(4))
    board, rights, en_passant = ["."] * 64, [], "-"
    board[kings[0]], board[kings[1]] = "K", "k"
    for square, kind in zip(squares, kinds):
        rank = square >> 3
        if kind < 10:
            board[square] = "PNBRQpnbrq"[kind]
        elif rank in (0, 7):  # a rook that may castle
            board[square] = "R" if rank == 0 else "r"
            rights.append("ABCDEFGHabcdefgh"[(square & 7) + 8 * (rank == 7)])
        else:  # a pawn that may be captured en passant
            board[square] = "P" if rank == 3 else "p"
            en_passant = "abcdefgh"[square & 7] + ("3" if rank == 3 else "6")
    return " ".join([placement_of(board), "w" if white else "b", "".join(rights) or "-", en_passant, str(clock), "1"])


for line in sys.stdin:
    print(decode(bytes.fromhex(line)))
