#!/usr/bin/env python3
"""Decodes a Stamma archive: a plain, slow reader written from doc/format.md alone, to check the library against.

usage: decode_archive.py [--games A..B] ARCHIVE      writes the packed bytes (of games A to B) to standard output
       decode_archive.py --info ARCHIVE              prints the commits, blocks and columns

Every checksum, limit and MUST of the format is checked. Status 0 when all is well; 2 after a message that begins with the
number of the clause that the archive violates. What stands before the violation, in whole blocks, has been written then.
"""
import argparse
import os
import signal
import sys
from collections import namedtuple

from archive_fields import decode_fields
from archive_lines import count_lines
from archive_moves import Column
from archive_records import PIECE_END, RECORD_END, TAIL_END, RecordDecoder, count_comments
from archive_tags import PlainTags, Tags, main_lines, record_tags
from archive_values import (BYTES_MAX, COLUMNS, COMMIT_BLOCKS_MAX, GROUP_RECORDS, NAME_MAX, PAYLOAD_MAX, PLAIN_MAX, RECORDS_MAX,
                            TAG, TAG_COLUMNS_MAX, Cursor, Violation, need, unpacked, xxh64)

MAGIC = b"\x8dStamma\n"
FRAME_MAGIC = b"sFrm"
COMMIT_MAGIC = b"StEndCmt"
HEADER_SIZE = 16
FRAME_HEADER_SIZE = 32
BLOCK, COMMIT = 1, 2
TOTALS = ("games", "plies", "variation_plies", "bytes", "verbatim", "partly", "corrected", "verbatim_bytes", "blocks")

Frame = namedtuple("Frame", "offset type mandatory identity blocks payload head_size head_check end")
Commit = namedtuple("Commit", "offset end previous finished totals blocks")
Head = namedtuple("Head", "bytes check records games plies variation_plies verbatim partly corrected verbatim_bytes"
                          " continues columns")
Entry = namedtuple("Entry", "id codec mandatory search name plain_size stored_size check stored")


def check32(data):
    return xxh64(data) & 0xFFFFFFFF


# ---- the file (1) and its frames (2) ----

class Archive:
    def __init__(self, file):
        self.file = file
        self.size = os.fstat(file.fileno()).st_size
        self.flaw = None  # what is wrong though nothing is missing
        header = Cursor(self.read(0, HEADER_SIZE, "1.2"), "1.2")
        need(header.take(8) == MAGIC, "1.2", "this is no Stamma archive")
        version, flags = header.number(2), header.number(2)
        need(header.number(4) == check32(header.data[:12]), "1.2", "the header's checksum differs")
        need(version == 0, "1.2", "unsupported version %d" % version)
        need(flags == 0, "1.2", "unsupported flags %#x" % flags)

    def read(self, offset, size, clause):
        need(0 <= offset and offset + size <= self.size, clause, "the file ends too early (at %d)" % self.size)
        self.file.seek(offset)
        return self.file.read(size)

    def frame(self, offset):
        """The frame at `offset`, its checksums checked (2.1)."""
        clause = "2.1, frame at %d" % offset
        data = self.read(offset, FRAME_HEADER_SIZE, clause)
        try:
            return self.parse_frame(offset, data, self.read)
        except Violation:
            try:
                frame = self.mended(offset)
            except Violation:
                frame = None
            if frame is None:
                raise
            self.flaw = "the end of the commit at %d is damaged; all that it counts is there" % offset
            return frame

    def parse_frame(self, offset, data, read):
        clause = "2.1, frame at %d" % offset
        header = Cursor(data, clause)
        need(header.take(4) == FRAME_MAGIC, clause, "no frame magic")
        kind, flags, identity = header.byte(), header.byte(), header.number(2)
        size, head_size, head_check, blocks = header.number(8), header.number(4), header.number(4), header.number(4)
        need(header.number(4) == check32(header.data[:28]), clause, "the frame header's checksum differs")
        need(flags < 2, clause, "unsupported: bits that are 0 in this version are not")
        need(size <= PAYLOAD_MAX, clause, "the payload is too large")
        need(head_size <= size, clause, "the head is larger than the payload")
        payload = read(offset + FRAME_HEADER_SIZE, size, clause)
        need(head_check == check32(payload[:head_size]), clause, "the head's checksum differs")
        need(kind not in (BLOCK, COMMIT) or flags, "2.2", "a block or commit that is not mandatory")
        need(kind in (BLOCK, COMMIT) or not flags, "2.2", "unsupported: mandatory frame of type %d" % kind)
        return Frame(offset, kind, bool(flags), identity, blocks, payload, head_size, head_check,
                     offset + FRAME_HEADER_SIZE + size)

    def commit(self, frame):
        """What a commit frame says (7.1). The blocks are (offset, games, bytes)."""
        clause = "7.1, commit at %d" % frame.offset
        need(frame.type == COMMIT, clause, "this is no commit")
        need(frame.head_size == len(frame.payload), clause, "not all of it is head")
        cursor = Cursor(frame.payload, clause)
        previous, flags = cursor.number(8), cursor.byte()
        need(flags < 2, clause, "unknown flags")
        totals = dict((name, cursor.varint()) for name in TOTALS)
        blocks = []
        at = 0  # the differences are summed here; audit() knows the offset they start from
        count = cursor.varint()
        need(count <= COMMIT_BLOCKS_MAX, "7.2", "a commit of %d blocks" % count)
        for _ in range(count):
            at += cursor.varint()
            blocks.append((at, cursor.varint(), cursor.varint()))
        need(cursor.number(8) == frame.offset, clause, "its own offset differs")
        need(cursor.take(8) == COMMIT_MAGIC, clause, "no commit magic at its end")
        cursor.finish()
        return Commit(frame.offset, frame.end, previous, bool(flags), totals, blocks)

    def mended(self, offset):
        """The commit at `offset` whose last 8 bytes are other than they were, or missing, and nothing else is wrong (7.3)."""
        clause = "7.3, commit at %d" % offset
        header = Cursor(self.read(offset, FRAME_HEADER_SIZE, clause), clause)
        need(header.data[:5] == FRAME_MAGIC + bytes([COMMIT]), clause, "no commit")
        size = int.from_bytes(header.data[8:16], "little")
        need(8 <= size <= PAYLOAD_MAX, clause, "no commit's size")
        end = offset + FRAME_HEADER_SIZE + size
        payload = self.read(offset + FRAME_HEADER_SIZE, size - 8, clause) + COMMIT_MAGIC
        self.file.seek(offset)
        frame = self.parse_frame(offset, header.data, lambda *_: payload)
        return frame._replace(end=min(end, self.size))

    def end(self):
        """Where what is decoded ends (1.3): behind the last finished commit, or, where there is none, the last frame that is
        whole. Frame by frame, unless the file's last 16 bytes tell (7.3)."""
        tail = self.read(self.size - 16, 16, "1.3")
        if tail[8:] == COMMIT_MAGIC:
            try:
                commit = self.commit(self.frame(int.from_bytes(tail[:8], "little")))
                if commit.end == self.size and commit.finished:
                    return commit.end
            except Violation:
                pass
        finished = None
        at = HEADER_SIZE
        try:
            while at < self.size:
                frame = self.frame(at)
                if frame.type == COMMIT:
                    commit = self.commit(frame)
                    finished = commit.end if commit.finished else finished
                at = frame.end
        except Violation:
            need(tail[8:] != COMMIT_MAGIC, "7.3", "damage at %d, and a commit behind it" % at)
        return finished or at

    def frames(self, end):
        at = HEADER_SIZE
        while at < end:
            frame = self.frame(at)
            yield frame
            at = frame.end


# ---- blocks (3) ----

def read_head(frame):
    clause = "3.1, block at %d" % frame.offset
    cursor = Cursor(frame.payload[:frame.head_size], clause)
    text_size, check = cursor.number(8), cursor.number(8)
    counts = [cursor.varint() for _ in range(8)]
    need(counts[0] > 0, clause, "no records")
    need(counts[0] <= RECORDS_MAX, "3.4, block at %d" % frame.offset, "too many records")
    need(text_size <= BYTES_MAX, "3.4, block at %d" % frame.offset, "too many bytes")
    flags = cursor.byte()
    need(flags < 2, clause, "unknown flags")
    columns = []
    at = frame.head_size
    for _ in range(cursor.varint()):
        columns.append(read_entry(cursor, frame, at))
        at += columns[-1].stored_size
    cursor.finish()
    need(at == len(frame.payload), "3.3, block at %d" % frame.offset, "the columns do not fill the payload")
    need(sum(entry.plain_size for entry in columns) <= PLAIN_MAX, "3.2", "the columns are too large")
    for before, after in zip(columns, columns[1:]):
        need(before.id < after.id or before.id == after.id == TAG, "3.3", "the columns are out of order")
    names = [entry.name for entry in columns if entry.id == TAG]
    need(len(set(names)) == len(names), "3.3", "two columns for one tag")
    need(sum(entry.id == TAG for entry in columns) <= TAG_COLUMNS_MAX, "5.4", "too many tag columns")
    return Head(text_size, check, *counts, bool(flags), columns)


def read_entry(cursor, frame, at):
    """A directory entry (3.2) and its column as stored, which begins at `at` in the payload."""
    clause = "3.2, block at %d" % frame.offset
    number, codec, flags = cursor.byte(), cursor.byte(), cursor.byte()
    name = cursor.take(cursor.varint())
    plain_size, stored_size, check = cursor.varint(), cursor.varint(), cursor.number(8)
    need(flags < 4, clause, "unknown flags")
    need(number > 0, clause, "column 0")
    need(len(name) <= NAME_MAX, clause, "a name of %d bytes" % len(name))
    need(number == TAG or not name, clause, "a name for column %d" % number)
    need(b"\0" not in name, "5.1", "a zero byte in a tag's name")
    need(plain_size > 0, "3.3", "column %d is empty" % number)
    need(stored_size <= plain_size, clause, "column %d is larger as stored" % number)
    need(number not in COLUMNS or bool(flags & 1) == (COLUMNS[number] != "reasons"), clause,
         "the mandatory bit of column %d is wrong" % number)
    need(number not in COLUMNS or not flags & 2, clause, "column %d is of class search" % number)
    stored = frame.payload[at:at + stored_size]
    need(len(stored) == stored_size, "3.3, block at %d" % frame.offset, "a column reaches behind the payload")
    return Entry(number, codec, bool(flags & 1), bool(flags & 2), name, plain_size, stored_size, check, stored)


def plain_column(entry, columns, records):
    """The content of a column that is needed, checked (3.2, 3.3). `columns` are those before it."""
    clause = "3.2, column %d %s" % (entry.id, entry.name.decode("latin-1"))
    need(xxh64(entry.stored) == entry.check, clause, "the checksum differs")
    if entry.codec == 0:
        plain = entry.stored
    elif entry.codec == 2 and COLUMNS[entry.id] in ("comments", "tag"):
        texts = count_comments(columns, records) if entry.id != TAG else None
        plain = decode_fields(entry.stored, texts, entry.plain_size)
    else:
        need(entry.codec == 1, "3.3", "unsupported codec %d of column %d" % (entry.codec, entry.id))
        plain = unpacked(entry.stored, entry.plain_size, clause)
    need(len(plain) == entry.plain_size, clause, "the plain size differs")
    return plain


def tag_column(entry, columns, records, tags):
    """A tag column behind the columns `tags` (11)."""
    if entry.codec != 3:
        return PlainTags(plain_column(entry, columns, records))
    need(xxh64(entry.stored) == entry.check, "3.2, column %d %s" % (entry.id, entry.name.decode("latin-1")),
         "the checksum differs")
    return Tags(entry.plain_size, entry.stored, tags)


def check_groups(checks, texts):
    """Holds the records' texts against the column of checks, which is missing where there is one group (3.6)."""
    groups = [b"".join(texts[at:at + GROUP_RECORDS]) for at in range(0, len(texts), GROUP_RECORDS)]
    if len(groups) == 1:
        groups = []
    need(len(checks) == 4 * len(groups), "3.6", "%d bytes of checks for %d groups" % (len(checks), len(groups)))
    for number, text in enumerate(groups):
        need(int.from_bytes(checks[4 * number:4 * number + 4], "little") == check32(text), "3.6",
             "the check of group %d differs" % number)


def decode_block(head, offset):
    """The records of a block as (text, continues, end kind)."""
    columns, tags, predicted = {}, [], {}
    for entry in sorted(head.columns, key=lambda entry: COLUMNS.get(entry.id) == "comments"):  # it asks for the others
        if entry.id == TAG:
            tags.append(tag_column(entry, columns, head.records, tags))
        elif entry.codec == 4 and COLUMNS.get(entry.id) in ("moves", "variation-moves", "line-moves"):
            need(xxh64(entry.stored) == entry.check, "3.2, column %d" % entry.id, "the checksum differs")
            predicted[COLUMNS[entry.id]] = entry
        elif entry.id in COLUMNS and (entry.mandatory or entry.codec < 2):
            columns[COLUMNS[entry.id]] = plain_column(entry, columns, head.records)
        else:
            need(not entry.mandatory, "3.3", "unsupported: mandatory column %d" % entry.id)
    names = [entry.name for entry in head.columns if entry.id == TAG]
    lines = main_lines(columns, head.records)
    for inside, name in enumerate(("moves", "variation-moves", "line-moves")):
        if name in predicted:
            entry = predicted[name]
            counts = [line[inside] for line in lines] if inside < 2 else count_lines(columns, head.records)
            predicted[name] = Column(entry.stored, entry.plain_size, counts)
            predicted[name].main_counts = [line[0] for line in lines]
    values = record_tags(columns, tags, names, head.records, lines, predicted.get("moves"))
    decoder = RecordDecoder(columns, values, head.records, head.bytes, predicted)
    records = decoder.decode(head.continues)
    clause = "3.1, block at %d" % offset
    found = decoder.counts
    for name in ("games", "plies", "variation_plies", "verbatim", "partly", "corrected", "verbatim_bytes"):
        need(found[name] == getattr(head, name), clause, "%s: %d in the head, %d found" % (name, getattr(head, name),
                                                                                         found[name]))
    check_groups(columns.get("checks", b""), [text for text, _, _ in records])
    text = b"".join(text for text, _, _ in records)
    need(len(text) == head.bytes, clause, "the text has %d bytes, not %d" % (len(text), head.bytes))
    need(xxh64(text) == head.check, clause, "the text's checksum differs")
    return records


# ---- the whole ----

class Audit:
    """Holds the commits against the blocks that stand before them (7.1)."""

    def __init__(self):
        self.totals = dict.fromkeys(TOTALS, 0)
        self.blocks = []  # since the last commit
        self.start = HEADER_SIZE
        self.previous = 0
        self.finished = False
        self.identity = 0

    def frame(self, frame):
        """Frames tell where they belong (2.1)."""
        clause = "2.1, frame at %d" % frame.offset
        if frame.type == BLOCK and self.totals["blocks"] == 0:
            self.identity = frame.head_check & 0xFFFF
        need(frame.blocks == self.totals["blocks"] & 0xFFFFFFFF, clause, "another number of blocks stands before it")
        need(frame.identity == self.identity, clause, "it belongs to another archive")

    def block(self, offset, head):
        self.finished = False
        self.blocks.append((offset, head.games, head.bytes))
        for name in TOTALS[:-1]:
            self.totals[name] += getattr(head, name)
        self.totals["blocks"] += 1

    def commit(self, commit):
        clause = "7.1, commit at %d" % commit.offset
        need(commit.previous == self.previous, clause, "the offset of the commit before it differs")
        need(commit.totals == self.totals, clause, "the totals differ")
        listed = [(offset + self.start, games, size) for offset, games, size in commit.blocks]
        need(listed == self.blocks, clause, "the list of blocks differs")
        self.previous, self.start, self.blocks, self.finished = commit.offset, commit.end, [], commit.finished


def unpack(archive, first, last, write):
    """Writes the games first to last (1 and None: all of it)."""
    end = archive.end()
    audit = Audit()
    number = 0  # of the last game begun
    kind = RECORD_END  # of the last record
    for frame in archive.frames(end):
        if frame.type in (COMMIT, BLOCK):
            audit.frame(frame)
        if frame.type == COMMIT:
            audit.commit(archive.commit(frame))
        elif frame.type == BLOCK:
            head = read_head(frame)
            audit.block(frame.offset, head)
            need(head.continues == (kind == PIECE_END), "3.1, block at %d" % frame.offset, "continuation bit differs")
            for text, continues, kind in decode_block(head, frame.offset):
                number += not continues and kind != TAIL_END
                if number >= first and (last is None or number <= last):
                    write(text)
    need(audit.finished, "1.3", "cut short: the last commit is not a finished one")
    need(kind != PIECE_END, "4.6", "the last game goes on behind the last block")
    need(archive.flaw is None, "7.3", archive.flaw)
    need(end == archive.size, "1.3", "%d bytes behind the archive's end" % (archive.size - end))


def print_info(archive):
    end = archive.end()
    for frame in archive.frames(end):
        if frame.type == COMMIT:
            commit = archive.commit(frame)
            totals = " ".join("%s %d" % total for total in commit.totals.items())
            print("commit at %d: %s%s" % (commit.offset, totals, ", finished" if commit.finished else ""))
        elif frame.type == BLOCK:
            head = read_head(frame)
            counts = " ".join("%s %d" % (name, getattr(head, name)) for name in Head._fields[2:-2])
            print("block at %d: bytes %d %s%s" % (frame.offset, head.bytes, counts, ", continues" * head.continues))
            for entry in head.columns:
                name = COLUMNS.get(entry.id, "unknown") + (":" + entry.name.decode("latin-1") if entry.name else "")
                print("  %3d %-24s codec %d %10d -> %10d%s%s" % (entry.id, name, entry.codec, entry.plain_size,
                      entry.stored_size, " search" * entry.search, "" if entry.mandatory else " optional"))


def game_range(text):
    first, dots, last = text.partition("..")
    return int(first or 1), int(last) if last else None if dots else int(first)


def main():
    parser = argparse.ArgumentParser(description="decodes a Stamma archive, slowly and plainly")
    parser.add_argument("--games", type=game_range, default=(1, None), metavar="A..B")
    parser.add_argument("--info", action="store_true")
    parser.add_argument("archive")
    options = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `decode_archive.py ... | head` ends quietly
    try:
        with open(options.archive, "rb") as file:
            if options.info:
                print_info(Archive(file))
            else:
                unpack(Archive(file), *options.games, sys.stdout.buffer.write)
    except Violation as violation:
        sys.stdout.flush()
        print("decode_archive: %s" % violation, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
