#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/encodings/position_number_tables.c, the counts of positions that src/encodings/position_number.c uses for
ranking.

usage: position_number_tables.py          write the file, and print how many positions have a number
       position_number_tables.py --check  exit 1 if the file in the tree differs from the generated file

position_number.c explains what is counted, and why. The side to move counts as White here. Needs only Python's standard
library.
"""
import collections
import itertools
import math
import os
import sys

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "encodings", "position_number_tables.c")
PAWNS, PIECES, PIECES = 8, 16, 16
# Numbers of fixed pieces in a castling state: none, king and rook, king and two rooks; and the number of Chess960
# castling states with each.
FIXED = (0, 2, 3)
CASTLINGS = {0: 1, 2: 56, 3: 56}
EN_PASSANTS = 14
SIDES, CLOCKS = 2, 101


def file_class(code):
    """Returns the numbers of White's pawns, Black's pawns and opposed pairs on the six squares of a file. `code` has a
    base-3 digit for each square, from the second rank on."""
    white = black = free = pairs = 0
    for _ in range(6):
        code, digit = divmod(code, 3)
        white += digit == 1
        black += digit == 2
        if digit == 1:
            free += 1
        elif digit == 2 and free:
            free -= 1
            pairs += 1
    return white, black, pairs


CODES = sorted(range(3**6), key=lambda code: (file_class(code), code))
CLASSES = sorted(set(map(file_class, CODES)))
PAWN_CLASSES = [(w, b, p) for w in range(PAWNS + 1) for b in range(PAWNS + 1) for p in range(min(w, b) + 1)]


def digit(code, rank):
    return code // 3 ** (rank - 2) % 3


def times(ways, codes):
    """Returns the numbers of ways, by class, after one more file is filled with one of the codes."""
    more = collections.Counter()
    sizes = collections.Counter(map(file_class, codes))
    for (w, b, p), count in ways.items():
        for (x, y, z), size in sizes.items():
            if w + x <= PAWNS and b + y <= PAWNS:
                more[w + x, b + y, p + z] += count * size
    return more


def file_ways():
    """Returns, for 0 to 8 files, the numbers of ways to place pawns, by class."""
    ways = [collections.Counter({(0, 0, 0): 1})]
    for _ in range(8):
        ways.append(times(ways[-1], CODES))
    return ways


def en_passant_ways(ways):
    """Returns the numbers of ways, by class, on a board where Black has just made a double push and a white pawn is on
    a given side of the pushed pawn."""
    pushed = [c for c in CODES if digit(c, 5) == 2 and digit(c, 6) == 0 and digit(c, 7) == 0]
    beside = [c for c in CODES if digit(c, 5) == 1]
    return times(times(ways[6], pushed), beside)


def strings():
    """Returns, by number of fixed pieces, length and excess, the number of sequences of knights, bishops, rooks, queens
    and, unless it is fixed, the king."""
    table = {}
    for fixed, length in itertools.product(FIXED, range(PIECES + 1)):
        row = [0] * (PAWNS + 1)
        pieces = length - (fixed == 0)
        for n in range(pieces + 1):
            for b in range(pieces + 1 - n):
                for r in range(pieces + 1 - n - b):
                    q = pieces - n - b - r
                    excess = max(n - 2, 0) + max(b - 2, 0) + max(r + max(fixed - 1, 0) - 2, 0) + max(q - 1, 0)
                    if excess <= PAWNS:
                        row[excess] += math.factorial(length) // math.prod(map(math.factorial, (n, b, r, q)))
        table[fixed, length] = row
    return table


def piece_ways(table, white_fixed, black_fixed, pawn_class, squares):
    """Returns the number of ways to place all pieces except pawns and fixed pieces on `squares` squares."""
    w, b, pairs = pawn_class
    total = 0
    for m in range(PIECES + 1 - w - white_fixed):
        for k in range(PIECES + 1 - b - black_fixed):
            captures = 2 * PIECES - (m + k + w + b + white_fixed + black_fixed)
            pawns_taken = max(0, PAWNS - pairs - captures)
            if pawns_taken > captures:
                continue
            promotions = 2 * PAWNS - w - b - pawns_taken
            kinds = sum(x * y for ex, x in enumerate(table[white_fixed, m]) for ey, y in enumerate(table[black_fixed, k])
                        if ex <= PAWNS - w and ey <= PAWNS - b and ex + ey <= promotions)
            total += math.comb(squares, m) * math.comb(squares - m, k) * kinds
    return total


def position_ways(ways, table):
    """Returns, for each pair of fixed pieces, the number of positions before each class of pawns, followed by the
    total."""
    pushed = en_passant_ways(ways)
    before = {}
    for pair in itertools.product(FIXED, FIXED):
        rows, total = [], 0
        for pawn_class in PAWN_CLASSES:
            rows.append(total)
            squares = 64 - pawn_class[0] - pawn_class[1] - sum(pair)
            total += ways[8][pawn_class] * piece_ways(table, *pair, pawn_class, squares)
            if pushed[pawn_class]:
                total += EN_PASSANTS * pushed[pawn_class] * piece_ways(table, *pair, pawn_class, squares - 2)
        before[pair] = rows + [total]
    return before


def numbers(values, form="%d", width=114):
    lines, line = [], "   "
    for text in (form % value + "," for value in values):
        if len(line) + 1 + len(text) > width:
            lines.append(line)
            line = "   "
        line += " " + text
    return lines + [line]


def wide(value):
    return "{{%s}}" % ", ".join("0x%Xu" % (value >> 32 * n & 0xFFFFFFFF) for n in range(6))


def main():
    ways, table = file_ways(), strings()
    pushed = en_passant_ways(ways)
    before = position_ways(ways, table)
    total = SIDES * CLOCKS * sum(CASTLINGS[f] * CASTLINGS[g] * before[f, g][-1] for f in FIXED for g in FIXED)
    out = ["/* SPDX-License-Identifier: MIT */",
           "/* Tables for position_number.c. Generated by generators/position_number_tables.py; do not edit. */",
           "/* clang-format off */", '#include "encodings/position_number.h"', "", "const uint64_t stamma_binomials[65][17] = {"]
    for n in range(65):
        out += ["    {" + ", ".join(str(math.comb(n, k)) for k in range(17)) + "},"]
    out += ["};", "", "const uint16_t stamma_pawn_classes[9][9] = {"]
    for w in range(PAWNS + 1):
        out += ["    {" + ", ".join(str(PAWN_CLASSES.index((w, b, 0))) for b in range(PAWNS + 1)) + "},"]
    out += ["};", "", "const uint16_t stamma_file_codes[729] = {"] + numbers(CODES) + ["};", "",
            "const file_class stamma_file_classes[%d] = {" % (len(CLASSES) + 1)]
    starts = [sum(file_class(c) < k for c in CODES) for k in CLASSES] + [len(CODES)]
    out += numbers([k + (start,) for k, start in zip(CLASSES + [(0, 0, 0)], starts)], "{%d, %d, %d, %d}") + ["};", "",
            "const uint64_t stamma_file_ways[9][%d] = {" % len(PAWN_CLASSES)]
    for row in ways:
        out += ["    {"] + numbers([row[k] for k in PAWN_CLASSES]) + ["    },"]
    out += ["};", "", "const uint64_t stamma_en_passant_ways[%d] = {" % len(PAWN_CLASSES)]
    out += numbers([pushed[k] for k in PAWN_CLASSES]) + ["};", "", "const uint64_t stamma_piece_strings[3][17][9] = {"]
    for fixed in FIXED:
        out += ["    {"] + ["        {" + ", ".join(map(str, itertools.accumulate(table[fixed, m]))) + "},"
                            for m in range(PIECES + 1)] + ["    },"]
    out += ["};", "", "const wide stamma_positions_before[3][3][%d] = {" % (len(PAWN_CLASSES) + 1)]
    for f in FIXED:
        out += ["    {"]
        for g in FIXED:
            out += ["    {"] + ["        %s," % wide(value) for value in before[f, g]] + ["    },"]
        out += ["    },"]
    text = "\n".join(out + ["};"]) + "\n"
    if "--check" in sys.argv[1:]:
        with open(PATH) as file:
            if file.read() == text:
                return 0
        print("%s differs from what position_number_tables.py writes" % os.path.basename(PATH), file=sys.stderr)
        return 1
    with open(PATH, "w") as file:
        file.write(text)
    print("%d positions: %.3f bits; without the clock %.3f" % (total, math.log2(total), math.log2(total // CLOCKS)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
