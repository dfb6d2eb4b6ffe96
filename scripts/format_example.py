#!/usr/bin/env python3
"""Shows a whole archive in hexadecimal, field by field: the example of doc/format.md.

usage: format_example.py ARCHIVE                  prints it
       format_example.py --check FORMAT ARCHIVE   status 1 where the example in that file is another
       format_example.py --write FORMAT ARCHIVE   puts it there
"""
import sys

from archive_values import COLUMNS, Cursor
from decode_archive import (BLOCK, FRAME_HEADER_SIZE, HEADER_SIZE, TOTALS, Archive, read_head)

BEGIN, END = "<!-- example -->\n", "<!-- end of the example -->\n"


class Listing:
    """Fields of a piece of bytes, in their order."""

    def __init__(self, data, offset):
        self.cursor = Cursor(data, "example")
        self.offset = offset
        self.lines = []

    def line(self, begin, meaning):
        data = self.cursor.data[begin:self.cursor.at]
        for at in range(0, len(data), 16):
            self.lines.append("%04x  %-47s  %s" % (self.offset + begin + at, data[at:at + 16].hex(" "),
                                                   meaning if at == 0 else ""))

    def take(self, size, meaning):
        begin = self.cursor.at
        self.cursor.take(size)
        self.line(begin, meaning)

    def varint(self, meaning):
        begin = self.cursor.at
        value = self.cursor.varint()
        self.line(begin, "%s: %d" % (meaning, value))
        return value


def show_header(data):
    listing = Listing(data, 0)
    for size, meaning in ((8, "magic (1.2)"), (2, "version"), (2, "flags"), (4, "check32 of the 12 bytes before")):
        listing.take(size, meaning)
    return listing.lines


def show_frame_header(data, offset, name):
    listing = Listing(data, offset)
    for size, meaning in ((4, "magic of a frame (2.1)"), (1, "type: " + name), (1, "flags: mandatory"), (2, "the archive's id"),
                          (8, "payload size"), (4, "head size"), (4, "check32 of the head"), (4, "blocks before it"),
                          (4, "check32 of the 28 bytes before")):
        listing.take(size, meaning)
    return listing.lines


def show_block(frame):
    listing = Listing(frame.payload, frame.offset + FRAME_HEADER_SIZE)
    listing.take(8, "bytes of text (3.1)")
    listing.take(8, "check64 of the text")
    for name in ("records", "games", "plies", "plies in variations", "games verbatim", "games partly verbatim",
                 "games corrected", "bytes of verbatim text"):
        listing.varint(name)
    listing.take(1, "flags: continues no game")
    listing.varint("columns")
    columns = read_head(frame).columns
    for entry in columns:
        listing.take(1, "column id (3.2): " + column_name(entry))
        listing.take(1, "codec: " + ("stored", "zstd")[entry.codec])
        listing.take(1, "flags")
        size = listing.varint("size of the name")
        if size:
            listing.take(size, "name: " + entry.name.decode())
        listing.varint("plain size")
        listing.varint("stored size")
        listing.take(8, "check64 of the stored bytes")
    for entry in columns:
        listing.take(entry.stored_size, "column " + column_name(entry))
    return listing.lines


def column_name(entry):
    return COLUMNS[entry.id] + (" " + entry.name.decode() if entry.name else "")


def show_commit(frame):
    listing = Listing(frame.payload, frame.offset + FRAME_HEADER_SIZE)
    listing.take(8, "offset of the commit before it (7.1)")
    listing.take(1, "flags: finished")
    for name in TOTALS:
        listing.varint("total of " + name.replace("_", " "))
    for _ in range(listing.varint("blocks since the last commit")):
        listing.varint("offset of the block, behind 16")
        listing.varint("its games")
        listing.varint("its bytes of text")
    listing.take(8, "offset of this frame")
    listing.take(8, "magic of a commit's end")
    return listing.lines


def example(path):
    with open(path, "rb") as file:
        archive = Archive(file)
        lines = show_header(archive.read(0, HEADER_SIZE, "example"))
        for frame in archive.frames(archive.size):
            header = archive.read(frame.offset, FRAME_HEADER_SIZE, "example")
            block = frame.type == BLOCK
            lines += show_frame_header(header, frame.offset, "block" if block else "commit")
            lines += show_block(frame) if block else show_commit(frame)
    return "```\n%s\n```\n" % "\n".join(line.rstrip() for line in lines)


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
        sys.exit("the example in %s is not what is packed now; write it anew with --write" % mode[1])


if __name__ == "__main__":
    main()
