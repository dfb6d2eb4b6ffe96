#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints an archive in hexadecimal, one structure per line, with dots between fields: the example of doc/format/archive.md.

usage: format_example.py ARCHIVE                  prints the archive
       format_example.py --check FORMAT ARCHIVE   exits 1 if the example in the file FORMAT differs
       format_example.py --write FORMAT ARCHIVE   replaces the example in the file FORMAT
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))
from archive_values import COLUMNS, Cursor
from decode_archive import BLOCK, FRAME_HEADER_SIZE, HEADER_SIZE, TOTALS, Archive, read_head

BEGIN, END = "<!-- example -->\n", "<!-- end of the example -->\n"
WIDTH = 104  # columns before the description of a line


class Listing:
    """Formats the bytes at `offset` of the file as lines of fields."""

    def __init__(self, data, offset):
        self.cursor, self.offset = Cursor(data, "example"), offset
        self.fields, self.lines, self.begin = [], [], 0

    def take(self, *sizes):
        self.fields += [self.cursor.take(size).hex() for size in sizes if size]

    def varint(self):
        begin = self.cursor.at
        value = self.cursor.varint()
        self.fields.append(self.cursor.data[begin:self.cursor.at].hex())
        return value

    def line(self, meaning):
        """Ends a line that contains the fields since the previous line."""
        self.lines.append("%-*s  %s" % (WIDTH, "%04x  %s" % (self.offset + self.begin, ".".join(self.fields)), meaning))
        self.fields, self.begin = [], self.cursor.at


def show_file_header(data):
    listing = Listing(data, 0)
    listing.take(8, 1, 1, 2, 4)
    listing.line("header (1.2)")
    return listing.lines


def show_frame_header(data, offset, name):
    listing = Listing(data, offset)
    listing.take(4, 1, 1, 2, 8, 4, 4, 4, 4)
    listing.line(name + " (2.1)")
    return listing.lines


def show_block(frame):
    listing = Listing(frame.payload, frame.offset + FRAME_HEADER_SIZE)
    listing.take(8, 8)
    for _ in range(8):
        listing.varint()
    listing.take(1)
    listing.varint()
    listing.line("head (3.1)")
    columns = read_head(frame).columns
    for entry in columns:
        listing.take(1, 1, 1)
        listing.take(listing.varint())
        listing.varint()
        listing.varint()
        listing.take(8)
        listing.line(column_name(entry) + (" (3.2)" if entry is columns[0] else ""))
    for entry in columns:
        if COLUMNS[entry.id] == "style-list":
            listing.line("the columns")
            show_style(listing)
            listing.line("styles (6.1)")
        else:
            listing.take(len(entry.stored))
    listing.line("search columns, tag")
    return listing.lines


def show_style(listing):
    listing.take(1, 1, 1, 1, 1)
    listing.varint()
    for _ in range(listing.varint()):
        listing.take(1)
        listing.take(listing.varint())


def column_name(entry):
    return COLUMNS[entry.id] + (" " + entry.name.decode() if entry.name else "")


def show_commit(frame):
    listing = Listing(frame.payload, frame.offset + FRAME_HEADER_SIZE)
    listing.take(8, 1)
    for _ in TOTALS:
        listing.varint()
    for _ in range(3 * listing.varint()):
        listing.varint()
    listing.take(8, 8)
    listing.line("(7.1)")
    return listing.lines


def example(path):
    with open(path, "rb") as file:
        archive = Archive(file)
        lines = show_file_header(archive.read(0, HEADER_SIZE))
        for frame in archive.frames(archive.size):
            header = archive.read(frame.offset, FRAME_HEADER_SIZE)
            block = frame.type == BLOCK
            lines += show_frame_header(header, frame.offset, "block" if block else "commit")
            lines += show_block(frame) if block else show_commit(frame)
    return "```\n%s\n```\n" % "\n".join(lines)


def main():
    *mode, path = sys.argv[1:]
    if not mode:
        print(example(path), end="")
        return
    with open(mode[1], encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    new = example(path)
    if mode[0] == "--write":
        with open(mode[1], "w", encoding="utf-8") as file:
            file.write(before + BEGIN + new + END + after)
    elif old != new:
        sys.exit("the example in %s differs from the archive; replace it with --write" % mode[1])


if __name__ == "__main__":
    main()
