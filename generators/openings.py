#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/openings/openings_table.c, the table of openings, from data/openings.tsv.

usage: openings.py          write the file
       openings.py --check  exit 1 if the file in the tree differs from the generated file

The openings are stored in the order of the file, which defines their numbers (doc/format/archive.md, Annex B).

The keys of their positions depend only on the pieces and the side to move. They are stored in ascending order, with an
index by their first 12 bits.

The names are stored as one text, in chunks that a C string can hold. A name that is the beginning of another name
shares its bytes.

Pawns that have left their home squares do not return, nor do captured pieces. For each home square that a pawn has
left, and for each number of captures, the table therefore stores a bit for each set of pawns of the openings: whether
an opening with this set may still be reached.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "data", "openings.tsv")
PATH = os.path.join(HERE, "..", "src", "openings", "openings_table.c")
PIECES = "PNBRQKpnbrqk"
BUCKETS = 4096
SEEN_BITS = 15
WORDS = 2
CHUNK = 4064
MASK64 = (1 << 64) - 1


def split_mix(index):
    """Returns the number with that index, from 0, of the sequence of Vigna's SplitMix64 from seed 0."""
    z = (index + 1) * 0x9E3779B97F4A7C15 & MASK64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK64
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK64
    return z ^ z >> 31


BLACK_TO_MOVE = split_mix(840)


def key_of(text):
    """Returns the key of a text `placement side`."""
    placement, side = text.split()
    key = BLACK_TO_MOVE if side == "b" else 0
    for rank, row in zip(range(7, -1, -1), placement.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                key ^= split_mix(64 * PIECES.index(letter) + 8 * rank + file)
                file += 1
    return key


def pawns_of(placement):
    """Returns the home squares that pawns have left, White's in the lowest byte and Black's in the second byte (file a
    in the lowest bit of each), and the number of captured pieces in the third byte."""
    rows = ["".join("." * int(c) if c.isdigit() else c for c in row) for row in placement.split("/")]
    left = sum(1 << file for file in range(8) if rows[6][file] != "P")
    left |= sum(256 << file for file in range(8) if rows[1][file] != "p")
    return left | 32 - sum(c.isalpha() for c in placement) << 16


def is_after(a, b):
    """Returns whether pawns `a` may be reached from pawns `b` and differ from them."""
    return a != b and a & b & 0xFFFF == b & 0xFFFF and a >> 16 >= b >> 16


def read_table():
    """Returns the entries (key, ECO code, name), and the values of pawns_of from which no other value can be reached."""
    entries, pawns = [], set()
    with open(DATA, encoding="latin-1") as file:  # Latin-1 keeps the bytes
        for line in file:
            if not line.startswith("#"):
                position, code, name = line.rstrip("\n").split("\t")
                entries.append((key_of(position), code, name))
                pawns.add(pawns_of(position.split()[0]))
    assert len({key for key, _, _ in entries}) == len(entries), "two openings for one position"
    return entries, sorted(b for b in pawns if not any(is_after(a, b) for a in pawns))


def place_names(names):
    """Returns chunks of text and the offset of each name in them."""
    chunks, places, last = [""], {}, ""
    for name in sorted(names, reverse=True):
        if last.startswith(name):
            places[name] = places[last]
            continue
        if len(chunks[-1]) + len(name) > CHUNK:
            chunks.append("")
        places[name] = (len(chunks) - 1) * CHUNK + len(chunks[-1])
        chunks[-1] += name
        last = name
    return chunks, places


def string_rows(text):
    for at in range(0, len(text), 110):
        row = text[at:at + 110].replace("\\", "\\\\").replace('"', '\\"')
        yield '     "%s"' % "".join(c if c < "\x7f" else "\\%03o" % ord(c) for c in row)


def home_bits():
    """Yields, for each square, its bit in pawns_of and whether the square has a bit."""
    for square in range(64):
        rank, file = divmod(square, 8)
        yield file + 8 * (rank == 6), rank in (1, 6)


def set_rows(sets):
    for numbers in sets:
        words = [sum(1 << n % 64 for n in numbers if n // 64 == word) for word in range(WORDS)]
        yield "    {" + ", ".join("0x%016X" % word for word in words) + "},"


def number_rows(numbers):
    for at in range(0, len(numbers), 20):
        yield "    " + ", ".join("%d" % n for n in numbers[at:at + 20]) + ","


def table_text():
    entries, pawns = read_table()
    assert len(pawns) <= 64 * WORDS, "more sets of pawns than OPENING_WORDS hold"
    chunks, places = place_names({name for _, _, name in entries})
    keys = sorted((key, number) for number, (key, _, _) in enumerate(entries, 1))
    first = [sum(key >> 52 < bucket for key, _ in keys) for bucket in range(BUCKETS + 1)]
    out = ["/* SPDX-License-Identifier: MIT */",
           "/* Openings. Generated by generators/openings.py from data/openings.tsv; do not edit. */", "/* clang-format off */",
           '#include "openings/openings.h"', "", "const opening stamma_openings[OPENINGS] = {"]
    for _, code, name in entries:
        out.append("    {%d, %d, {%s}}," % (places[name], len(name), ", ".join("'%s'" % c for c in code)))
    out += ["};", "", "const uint64_t stamma_opening_keys[OPENINGS] = {"]
    out += ["    " + ", ".join("0x%016X" % key for key, _ in keys[at:at + 5]) + "," for at in range(0, len(keys), 5)]
    out += ["};", "", "const uint16_t stamma_opening_numbers[OPENINGS] = {"]
    out += number_rows([number for _, number in keys])
    out += ["};", "", "const uint16_t stamma_opening_buckets[OPENING_BUCKETS + 1] = {"]
    out += number_rows(first)
    out += ["};", "", "const uint64_t stamma_opening_seen[1 << OPENING_SEEN_BITS >> 6] = {"]
    seen = [sum(1 << bit for bit in {key >> 64 - SEEN_BITS & 63 for key, _ in keys if key >> 70 - SEEN_BITS == word})
            for word in range(1 << SEEN_BITS - 6)]
    out += ["    " + ", ".join("0x%016X" % word for word in seen[at:at + 5]) + "," for at in range(0, len(seen), 5)]
    out += ["};", "", "const uint64_t stamma_opening_pawns[64][OPENING_WORDS] = {"]
    out += set_rows({n for n, p in enumerate(pawns) if p >> bit & 1 or not bit_counts} for bit, bit_counts in home_bits())
    out += ["};", "", "const uint64_t stamma_opening_captures[33][OPENING_WORDS] = {"]
    out += set_rows({n for n, p in enumerate(pawns) if p >> 16 >= captures} for captures in range(33))
    out += ["};", "", "const char stamma_opening_names[%d][OPENING_NAMES_CHUNK] = {" % len(chunks)]
    for chunk in chunks:
        out += ["    {"] + list(string_rows(chunk)) + ["    },"]
    return "\n".join(out + ["};", ""])


def main():
    text = table_text()
    if sys.argv[1:] == ["--check"]:
        with open(PATH) as file:
            if file.read() != text:
                sys.exit("src/openings/openings_table.c is not what generators/openings.py writes")
        return
    with open(PATH, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
