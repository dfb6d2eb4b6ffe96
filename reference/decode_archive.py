#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Decodes a Stamma archive slowly and plainly, for comparison with the library. Follows doc/format/archive.md and
doc/format/block_columns.md, not the library's source.

usage: decode_archive.py [--games A..B] ARCHIVE      writes the packed bytes (of games A to B) to standard output
       decode_archive.py --inputs ARCHIVE            lists the recorded input files: offset, size, SHA-256, time, name

Checks every checksum, limit and MUST of the format. Exits with status 0 if the archive is valid. Otherwise prints a
message that begins with the number of the violated clause and exits with status 2; the complete blocks before the
violation are written first.
"""
import argparse
import contextlib
import os
import signal
import struct
import sys
from collections import Counter, namedtuple

from archive_fields import decode_fields
from archive_lines import LINE_COLUMNS, LINE_MOVES, CommentLines, count_lines
from archive_mixed import MixedTags
from archive_moves import Codes, GroupedLanes, Halves, Lanes, Predicted, Shared
from archive_records import COMMENTS, PIECE_END, RECORD_END, TAIL_END, Block, move_counts, read_events
from archive_search import check_search
from archive_tags import MappedTags, PlainTags, Tags, read_games
from archive_values import COLUMNS, SEARCH_COLUMNS, TAG, Cursor, Violation, check32, inside, need, unpacked, xxh64

MAGIC, FRAME_MAGIC, COMMIT_MAGIC, TABLE_MAGIC = b"\x8dStamma\n", b"sFrm", b"StEndCmt", b"StEndTbl"
HEADER_SIZE, FRAME_HEADER_SIZE = 16, 32
BLOCK, COMMIT, TABLE, SOURCE = 1, 2, 3, 4
COMMIT_BLOCKS_MAX = 1024
RECORDS_MAX, BYTES_MAX, GROUP_SIZES = 65536, 2 ** 24, (16, 32, 64)
NAME_MAX, TAG_COLUMNS_MAX, SOURCE_NAME_MAX = 255, 1024, 4096
PAYLOAD_MAX, PAYLOADS_MAX = 2 ** 29, {BLOCK: 2 ** 28, COMMIT: 30837, SOURCE: 4159}
TOTALS = ("games", "plies", "variation_plies", "bytes", "verbatim", "partly", "corrected", "verbatim_bytes", "blocks")
COUNTS = ("games", "plies", "variation_plies", "verbatim", "partly", "corrected", "verbatim_bytes")
MOVES = ("moves", "variation-moves", "line-moves")
CODED_MOVES = (4, 5, 6, 9, 11)  # codecs whose plain size does not limit the number of moves
LANES = {5: Halves, 9: Lanes}
# The flags of optional columns. All other columns are of class text and mandatory.
FLAGS = {"reasons": 0, "signatures": 2, "facts": 2}
BY_RECORD = ("comments", "tag") + MOVES  # columns that are decoded after the events of the records

Frame = namedtuple("Frame", "offset type identity blocks payload head_size head_check end")
Commit = namedtuple("Commit", "previous finished totals blocks")
Head = namedtuple("Head", ("bytes", "check", "records") + COUNTS + ("continues", "columns"))
Source = namedtuple("Source", "offset size sha256 time name")
Entry = namedtuple("Entry", "id codec mandatory name plain_size stored")


class Archive:
    def __init__(self, file):
        self.file = file
        self.size = os.fstat(file.fileno()).st_size
        self.sources = []  # those read so far
        self.flaw = None  # the reason why an archive with all blocks is invalid nevertheless
        header = self.read(0, HEADER_SIZE)
        need(len(header) == HEADER_SIZE and header.startswith(MAGIC), "1.2", "this is no Stamma archive")
        version, flags, check = struct.unpack("<HHI", header[8:])
        need(check == check32(header[:12]), "1.2", "the header's checksum differs")
        need((version == 0 or version >> 8 == 1) and flags == 0, "1.2",
             "unsupported version %d.%d, flags %#x" % (version >> 8, version & 255, flags))

    def read(self, offset, size):
        """Returns `size` bytes from `offset`, or fewer at the end of the file."""
        self.file.seek(offset)
        return self.file.read(size)

    def frame(self, offset):
        """Returns the frame at `offset` (2.1). The last 8 bytes of a commit may be damaged (7.4)."""
        header = self.read(offset, FRAME_HEADER_SIZE)
        need(len(header) == FRAME_HEADER_SIZE and header.startswith(FRAME_MAGIC), "2.1", "no frame magic")
        kind, flags, identity, size, head_size, head_check, blocks, check = struct.unpack("<BBHQIIII", header[4:])
        need(check == check32(header[:28]), "2.1", "the frame header's checksum differs")
        need(flags < 2, "2.1", "unsupported: bits that are 0 in this version are not")
        need(head_size <= size <= PAYLOADS_MAX.get(kind, PAYLOAD_MAX), "2.1", "the payload is too large, or the head")
        need(flags or kind not in (BLOCK, COMMIT), "2.2", "a block or commit that is not mandatory")
        need(not flags or kind not in (TABLE, SOURCE), "2.2", "a table or source that is mandatory")
        need(not flags or kind in (BLOCK, COMMIT), "2.2", "unsupported: mandatory frame of type %d" % kind)
        stored = payload = self.read(offset + FRAME_HEADER_SIZE, size)
        if kind == COMMIT and check32(stored[:head_size]) != head_check:
            payload = stored[:max(size - 8, 0)] + COMMIT_MAGIC
        need(len(payload) == size, "2.1", "the file ends too early (at %d)" % self.size)
        need(head_check == check32(payload[:head_size]), "2.1", "the head's checksum differs")
        if payload is not stored:
            self.flaw = "the end of the commit at %d is damaged; all that it counts is there" % offset
        end = min(offset + FRAME_HEADER_SIZE + size, self.size)
        return Frame(offset, kind, identity, blocks, payload, head_size, head_check, end)

    def frames(self, end):
        at = HEADER_SIZE
        while at < end:
            with inside("frame at %d" % at):
                frame = self.frame(at)
            yield frame
            at = frame.end

    def end(self):
        """Returns the offset of the archive's end (1.3): the end of the last finished commit or, if there is none, of
        the last complete frame. Uses the file's last 16 bytes if they are valid (7.3); otherwise reads frame by frame."""
        hint, magic = struct.unpack("<Q8s", self.read(self.size - 16, 16))
        if magic == COMMIT_MAGIC and hint < self.size:
            with contextlib.suppress(Violation):
                frame = self.frame(hint)
                if read_commit(frame).finished and frame.end == self.size:
                    return frame.end
        finished, at = None, HEADER_SIZE
        try:
            for frame in self.frames(self.size):
                if frame.type == COMMIT and read_commit(frame).finished:
                    finished = frame.end
                at = frame.end
        except Violation:
            need(magic != COMMIT_MAGIC, "7.3", "damage at %d, and a commit after it" % at)
        return finished or at


def read_commit(frame):
    """Returns the contents of a commit frame (7.1). Each block is (difference of the offset, games, bytes)."""
    cursor = Cursor(frame.payload, "7.1")
    previous, flags = cursor.unpack("QB")
    totals = {name: cursor.varint() for name in TOTALS}
    blocks = [(cursor.varint(), cursor.varint(), cursor.varint()) for _ in range(cursor.varint())]
    offset, magic = cursor.unpack("Q8s")
    cursor.finish()
    need(frame.type == COMMIT and frame.head_size == len(frame.payload) and flags < 2, "7.1", "this is no commit")
    need(offset == frame.offset and magic == COMMIT_MAGIC, "7.1", "its end is wrong")
    need(len(blocks) <= COMMIT_BLOCKS_MAX, "7.2", "a commit of %d blocks" % len(blocks))
    return Commit(previous, bool(flags), totals, blocks)


def check_table(frame, listed, tables):
    """Checks a table (7.5). `listed`: all blocks so far, as (begin, payload size, games, bytes). `tables`: the tables
    so far that together list these blocks, as (offset, first block, end)."""
    cursor = Cursor(frame.payload, "7.5")
    previous, = cursor.unpack("Q")
    first = cursor.varint()
    blocks, end = [], 0
    for _ in range(cursor.varint()):
        begin = end + cursor.varint()
        blocks.append((begin, cursor.varint(), cursor.varint(), cursor.varint()))
        end = begin + FRAME_HEADER_SIZE + blocks[-1][1]
    offset, magic = cursor.unpack("Q8s")
    cursor.finish()
    need(frame.head_size == len(frame.payload) and offset == frame.offset and magic == TABLE_MAGIC, "7.5", "this is no table")
    while tables and tables[-1][1] >= first:
        tables.pop()
    need((previous, first) == ((tables[-1][0], tables[-1][2]) if tables else (0, 0)), "7.5", "the table before it differs")
    need(blocks == listed[first:], "7.5", "the list of blocks differs")
    tables.append((offset, first, len(listed)))


def read_source(frame, end):
    """Returns a source (7.6). `end` is the end of the text of the source before it."""
    cursor = Cursor(frame.payload, "7.6")
    offset, size = cursor.varint(), cursor.varint()
    source = Source(offset, size, cursor.take(32).hex(), cursor.varint(), cursor.text())
    cursor.finish()
    need(frame.head_size == len(frame.payload), "7.6", "a source that is not all head")
    need(len(source.name) <= SOURCE_NAME_MAX, "7.6", "its name is too long")
    need(offset >= end and offset + size < 2 ** 64, "7.6", "its text overlaps another, or is too large")
    return source


def read_head(frame):
    cursor = Cursor(frame.payload[:frame.head_size], "3.1")
    stored = Cursor(frame.payload[frame.head_size:], "3.3")
    text_size, check = cursor.unpack("QQ")
    records, *counts = [cursor.varint() for _ in range(8)]
    flags = cursor.byte()
    columns = [read_entry(cursor, stored) for _ in range(cursor.varint())]
    cursor.finish()
    stored.finish()
    need(records > 0 and flags < 2, "3.1", "no records, or unknown flags")
    need(records <= RECORDS_MAX and text_size <= BYTES_MAX, "3.4", "too many records or bytes")
    plain = sum(entry.plain_size for entry in columns)
    need(plain <= 8 * text_size + 64 * records + 65536, "3.7", "the columns are too large for the text")
    plain = sum(entry.plain_size for entry in columns if entry.id == TAG)
    need(plain <= text_size, "3.7", "the tag columns are larger than the text")
    need(all(before.id < after.id or before.id == after.id == TAG for before, after in zip(columns, columns[1:])), "3.3",
         "the columns are out of order")
    names = [entry.name for entry in columns if entry.id == TAG]
    need(len(set(names)) == len(names), "3.3", "two columns for one tag")
    need(len(names) <= TAG_COLUMNS_MAX, "5.4", "too many tag columns")
    return Head(text_size, check, records, *counts, bool(flags), columns)


def read_entry(cursor, stored):
    """Reads a directory entry (3.2) and its column as stored."""
    number, codec, flags = cursor.unpack("BBB")
    name = cursor.take(cursor.varint())
    plain_size, data = cursor.varint(), stored.take(cursor.varint())
    check, = cursor.unpack("Q")
    entry = Entry(number, codec, bool(flags & 1), name, plain_size, data)
    with inside(place(entry)):
        need(flags < 4 and number > 0, "3.2", "unknown flags, or column 0")
        need(len(name) <= NAME_MAX and (number == TAG or not name), "3.2", "a name that cannot be")
        need(b"\0" not in name, "5.1", "a zero byte in a tag's name")
        need(plain_size > 0, "3.3", "it is empty")
        need(len(data) <= plain_size, "3.2", "it is larger as stored")
        need(number not in COLUMNS or flags == FLAGS.get(COLUMNS[number], 1), "3.3", "a flag is wrong")
        need(number not in COLUMNS or xxh64(data) == check, "3.2", "the checksum differs")
    return entry


def place(entry):
    return "column %d %s" % (entry.id, entry.name.decode("latin-1"))


def plain_column(entry, comments=None):
    """Returns the plain content of a column. `comments`: for comments, the number of comments in each record (14.1)."""
    if entry.codec == 0:
        plain = entry.stored
    elif entry.codec == 2 and COLUMNS[entry.id] in ("comments", "tag"):
        plain = decode_fields(entry.stored, comments, entry.plain_size)
    else:
        need(entry.codec == 1, "3.3", "unsupported codec %d" % entry.codec)
        plain = unpacked(entry.stored, entry.plain_size, "3.2")
    need(len(plain) == entry.plain_size, "3.2", "the plain size differs")
    return plain


def read_columns(head):
    """Returns the columns by name (moves as Moves objects), the tag columns (15), and the events of each record."""
    columns, tags = {}, []
    for entry in head.columns:
        with inside(place(entry)):
            need(entry.id in COLUMNS or not entry.mandatory, "3.3", "unsupported: a mandatory column")
            if entry.id in COLUMNS and COLUMNS[entry.id] not in BY_RECORD + SEARCH_COLUMNS and (entry.mandatory or entry.codec < 2):
                columns[COLUMNS[entry.id]] = plain_column(entry)
    events = read_events(columns, head.records)
    comments = [sum(times for kind, _, times in record if kind in COMMENTS) for record in events]
    columns.update((name, Codes(b"")) for name in MOVES)
    counts = dict(zip(MOVES, zip(*map(move_counts, events))))
    counts[LINE_MOVES] = count_lines(columns, head.records)
    if any(COLUMNS.get(entry.id) in MOVES and entry.codec in CODED_MOVES for entry in head.columns):
        need(sum(map(sum, counts.values())) <= head.bytes // 2, "3.7", "more moves than the text can have")
    for entry in head.columns:
        with inside(place(entry)):
            name = COLUMNS.get(entry.id)
            if name == "comments":
                columns[name] = plain_column(entry, comments)
            elif name in MOVES and entry.codec == 4:
                columns[name] = Predicted(entry.stored, entry.plain_size, counts[name])
            elif name == "moves" and entry.codec in LANES:
                columns[name] = LANES[entry.codec](entry.stored, entry.plain_size, counts[name])
            elif name == "moves" and entry.codec == 11:
                columns[name] = GroupedLanes(entry.stored, entry.plain_size, counts[name], group_size(head))
            elif name == "moves" and entry.codec == 6:
                columns[name] = Shared(entry.stored, entry.plain_size, counts[name])
            elif name in MOVES:
                columns[name] = Codes(plain_column(entry))
            elif name == "tag":
                kind = {3: Tags, 8: MixedTags, 10: MappedTags}.get(entry.codec)
                tags.append(kind(entry.plain_size, entry.stored, tags) if kind else PlainTags(plain_column(entry)))
    if any(COLUMNS.get(entry.id) in LINE_COLUMNS for entry in head.columns):
        columns["comment-lines"] = CommentLines(columns)
    return columns, tags, events


def group_size(head):
    """Returns the number of records of a group (3.6): the least with which the column of checks has its size."""
    checks = sum(entry.plain_size for entry in head.columns if COLUMNS.get(entry.id) == "checks") // 4
    sizes = [size for size in GROUP_SIZES if checks == (-(-head.records // size) if head.records > size else 0)]
    need(sizes, "3.6", "%d checks for %d records" % (checks, head.records))
    return sizes[0]


def check_groups(checks, texts, size):
    """Compares the checks of groups with the records' texts (3.6). A block with one group has no column of checks."""
    groups = [b"".join(texts[at:at + size]) for at in range(0, len(texts), size)]
    expected = b"".join(check32(group).to_bytes(4, "little") for group in groups) if len(groups) > 1 else b""
    need(checks == expected, "3.6", "the checks of the groups differ")


def decode_block(head):
    """Returns the records of a block as (text, continues, end kind)."""
    columns, tags, events = read_columns(head)
    names = [entry.name for entry in head.columns if entry.id == TAG]
    block = Block(columns, head.bytes)
    records = block.decode(read_games(columns, tags, names, events), events, head.continues)
    for name in COUNTS:
        expected, found = getattr(head, name), block.counts[name]
        need(expected == found, "3.1", "%s: %d in the head, %d found" % (name, expected, found))
    check_search(head.columns, block.signatures, block.facts)
    texts = [text for text, _, _ in records]
    check_groups(columns.get("checks", b""), texts, group_size(head))
    text = b"".join(texts)
    need(len(text) == head.bytes and xxh64(text) == head.check, "3.1", "the text's size or checksum differs")
    return records


def read_records(archive, end):
    """Yields the records as (text, continues, end kind). Checks the frames' numbers (2.1) and the commits (7.1)."""
    totals = Counter(dict.fromkeys(TOTALS, 0))
    # `blocks`: the blocks since the last commit, as in the list of a commit. `last`: the offset of the last block,
    # or the end of the last commit.
    blocks, last = [], HEADER_SIZE
    previous = identity = 0
    finished, kind = False, RECORD_END
    listed, tables, before = [], [], None  # as in check_table; the type of the frame before
    for frame in archive.frames(end):
        need(before != TABLE or frame.type == COMMIT, "7.5", "no commit follows the table before %d" % frame.offset)
        before = frame.type
        if frame.type not in (BLOCK, COMMIT, TABLE, SOURCE):
            continue
        with inside("frame at %d" % frame.offset):
            if frame.type == BLOCK and totals["blocks"] == 0:
                identity = frame.head_check & 0xFFFF
            need(frame.blocks == totals["blocks"] & 0xFFFFFFFF, "2.1", "the number of blocks before it differs")
            need(frame.identity == identity, "2.1", "it belongs to another archive")
            if frame.type == TABLE:
                check_table(frame, listed, tables)
            elif frame.type == SOURCE:
                archive.sources.append(read_source(frame, sum(archive.sources[-1][:2]) if archive.sources else 0))
            elif frame.type == COMMIT:
                commit = read_commit(frame)
                need(commit.previous == previous, "7.1", "the offset of the commit before it differs")
                need(commit.totals == totals, "7.1", "the totals differ")
                need(commit.blocks == blocks, "7.1", "the list of blocks differs")
                previous, finished, blocks, last = frame.offset, commit.finished, [], frame.end
            if frame.type != BLOCK:
                continue
            head = read_head(frame)
            need(head.continues == (kind == PIECE_END), "3.1", "continuation bit differs")
            records = decode_block(head)
        totals.update({name: getattr(head, name) for name in TOTALS[:-1]}, blocks=1)
        blocks.append((frame.offset - last, head.games, head.bytes))
        listed.append((frame.offset, len(frame.payload), head.games, head.bytes))
        last, finished, kind = frame.offset, False, records[-1][2]
        yield from records
    need(finished, "1.3", "cut short: the last commit is not a finished one")
    need(kind != PIECE_END, "4.6", "the last game continues after the last block")


def unpack(archive, first, last, write):
    """Writes the games from `first` to `last`. 1 and None select the complete archive."""
    end = archive.end()
    number = 0  # number of the last game begun
    for text, continues, kind in read_records(archive, end):
        number += not continues and kind != TAIL_END
        if number >= first and (last is None or number <= last):
            write(text)
    need(archive.flaw is None, "7.4", archive.flaw)
    need(end == archive.size, "1.3", "%d bytes after the archive's end" % (archive.size - end))


def game_range(text):
    first, dots, last = text.partition("..")
    return int(first or 1), int(last) if last else None if dots else int(first)


def main():
    parser = argparse.ArgumentParser(description="decodes a Stamma archive, slowly and plainly")
    parser.add_argument("--games", type=game_range, default=(1, None), metavar="A..B")
    parser.add_argument("--inputs", action="store_true")
    parser.add_argument("archive", type=argparse.FileType("rb"))
    options = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `decode_archive.py ... | head` ends without a message
    try:
        archive = Archive(options.archive)
        unpack(archive, *options.games, (lambda text: None) if options.inputs else sys.stdout.buffer.write)
        for source in archive.sources if options.inputs else ():
            print("%d %d %s %d %s" % (*source[:4], source.name.decode("utf-8", "replace")))
    except Violation as violation:
        sys.stdout.flush()
        print("decode_archive: %s" % violation, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
