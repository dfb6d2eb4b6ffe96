#!/usr/bin/env python3
"""Writes the constant tables of the board room: attack_tables.c, pext_tables.c and key_numbers.c in src/board.

usage: board_tables.py          write the files
       board_tables.py --check  exit 1 when a file in the tree differs from what would be written

Everything is computed here, from the geometry of the board alone; Python's standard library is enough.
"""
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SQUARES = range(64)
LINES = ((1, 0), (0, 1), (1, 1), (1, -1))  # rank, file, diagonal (a1-h8), anti-diagonal: steps of (file, rank)
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
KING = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
MASK64 = (1 << 64) - 1


def step(square, df, dr):
    """The square (df, dr) away, or None off the board."""
    file, rank = square % 8 + df, square // 8 + dr
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else None


def ray(square, df, dr):
    """The squares from `square`, exclusive, to the edge."""
    squares = []
    while (square := step(square, df, dr)) is not None:
        squares.append(square)
    return squares


def bits(squares):
    return sum(1 << s for s in squares if s is not None)


def leaper(steps):
    return [bits(step(s, *d) for d in steps) for s in SQUARES]


def line(square, df, dr):
    """The whole line through a square, without the square."""
    return ray(square, df, dr) + ray(square, -df, -dr)


def between(a, b):
    """The squares strictly between two squares on one line; 0 for others."""
    for df, dr in KING:
        squares = ray(a, df, dr)
        if b in squares:
            return bits(squares[: squares.index(b)])
    return 0


def fill_row(file, inner):
    """Attacks along a rank from `file` with occupancy `inner` of files b to g, repeated on every rank."""
    occupied, attacked = inner << 1, 0
    for direction in (1, -1):
        at = file + direction
        while 0 <= at < 8:
            attacked |= 1 << at
            if occupied >> at & 1:
                break
            at += direction
    return attacked * 0x0101010101010101


def fill_column(rank, index):
    """Attacks along file a from `rank`; bit n of `index` says that rank 7 - n (7 to 2) of the file is occupied."""
    occupied, attacked = {6 - n for n in range(6) if index >> n & 1}, 0
    for direction in (1, -1):
        at = rank + direction
        while 0 <= at < 8:
            attacked |= 1 << 8 * at
            if at in occupied:
                break
            at += direction
    return attacked


def slide(square, occupied, directions):
    """Attacks of a slider: up to and including the first occupied square of each ray."""
    attacked = 0
    for direction in directions:
        for target in ray(square, *direction):
            attacked |= 1 << target
            if occupied >> target & 1:
                break
    return attacked


def relevant(square, directions):
    """The squares whose occupancy decides where a slider may go: its rays without their last squares."""
    return bits(target for direction in directions for target in ray(square, *direction)[:-1])


def deposit(number, mask):
    """Spreads the bits of `number` over the ones of `mask`, lowest first."""
    spread = 0
    for square in SQUARES:
        if mask >> square & 1:
            spread |= (number & 1) << square
            number >>= 1
    return spread


def split_mix(count):
    """`count` numbers of Vigna's SplitMix64 from seed 0: keys need well-mixed numbers, nothing more."""
    state, numbers = 0, []
    for _ in range(count):
        state = state + 0x9E3779B97F4A7C15 & MASK64
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK64
        numbers.append(z ^ z >> 31)
    return numbers


def rows(numbers):
    for at in range(0, len(numbers), 5):
        yield "    " + ", ".join("0x%016X" % n for n in numbers[at : at + 5]) + ","


def table(name, dimensions, numbers):
    """A C definition; `dimensions` is the text between name and '='. All but one-dimensional ones are grouped."""
    inner = int(dimensions[1:-1].split("][")[-1])
    lines = ["", "const uint64_t stamma_%s%s = {" % (name, dimensions)]
    if len(numbers) == inner:
        lines += rows(numbers)
    else:
        for at in range(0, len(numbers), inner):
            group = list(rows(numbers[at : at + inner]))
            group[0] = "    {" + group[0][4:]
            group[-1] = group[-1][:-1] + "},"
            lines += [group[0]] + ["    " + text[3:] for text in group[1:]]
    return lines + ["};"]


def head(what):
    return [
        "/* %s Written by scripts/board_tables.py; do not edit. */" % what,
        "/* clang-format off */",
        '#include "board/board.h"',
    ]


def attack_tables():
    out = head("Attacks and lines on the empty board, and the first-rank attacks that sliders are looked up in.")
    out += table("knight_attacks", "[64]", leaper(KNIGHT))
    out += table("king_attacks", "[64]", leaper(KING))
    pawns = leaper(((-1, 1), (1, 1))) + leaper(((-1, -1), (1, -1)))
    out += table("pawn_attacks", "[2][64]", pawns)
    out += table("line_masks", "[64][4]", [bits(line(s, *d)) for s in SQUARES for d in LINES])
    out += table("row_attacks", "[8][64]", [fill_row(f, n) for f in range(8) for n in range(64)])
    out += table("column_attacks", "[8][64]", [fill_column(r, n) for r in range(8) for n in range(64)])
    out += table("between", "[64][64]", [between(a, b) for a in SQUARES for b in SQUARES])
    return out


def pext_tables():
    """For each kind of line: all attacks, and where those of each square begin."""
    diagonal, row, column = [KING[n] for n in (1, 3, 5, 7)], [KING[n] for n in (2, 6)], [KING[n] for n in (0, 4)]
    attacks, entries = [], [[], [], []]
    for kind, directions in enumerate((diagonal, row, column)):
        for square in SQUARES:
            mask = relevant(square, directions)
            entries[kind].append((mask, len(attacks)))
            attacks += [slide(square, deposit(n, mask), directions) for n in range(1 << bin(mask).count("1"))]
    out = head("What sliders attack, by the occupied squares that matter, packed into an index by pext.")
    out += ["", "#if STAMMA_HAVE_BMI2", "const pext_lines stamma_pext_lines[64] = {"]
    for square in SQUARES:
        out.append("    {%s}," % ", ".join("{0x%016X, %d}" % entries[kind][square] for kind in range(3)))
    out.append("};")
    assert len(attacks) == 10368
    return out + table("pext_attacks", "[10368]", attacks) + ["#endif"]


def key_numbers():
    numbers = split_mix(768 + 64 + 8 + 1)
    out = head("The numbers that position keys are made of.")
    out += table("key_men", "[12][64]", numbers[:768])
    out += table("key_castling", "[64]", numbers[768:832])
    out += table("key_en_passant", "[8]", numbers[832:840])
    out += ["", "const uint64_t stamma_key_black = 0x%016X;" % numbers[840]]
    return out


def main():
    differs = False
    for write in (attack_tables, pext_tables, key_numbers):
        path = os.path.join(ROOT, "src", "board", write.__name__ + ".c")
        text = "\n".join(write()) + "\n"
        if "--check" in sys.argv[1:]:
            with open(path) as file:
                if file.read() != text:
                    print("%s differs from what board_tables.py writes" % path, file=sys.stderr)
                    differs = True
        else:
            with open(path, "w") as file:
                file.write(text)
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
