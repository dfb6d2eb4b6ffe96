#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads index files slowly and plainly, for comparison with the library. Follows doc/format/index_files.md, not the library's source.

usage: read_index.py ARCHIVE INDEX find FEN       prints `GAME PLY` for each game that reaches the position
       read_index.py ARCHIVE INDEX tree FEN       prints `MOVE GAMES WHITE DRAWS BLACK` for each move played there
       read_index.py ARCHIVE INDEX player NAME    prints the games of a player; the complete name, in any case
       read_index.py ARCHIVE INDEX endgame KRPKR  prints the games that have an endgame with exactly these pieces
       read_index.py ARCHIVE INDEX stats          prints the rows of the statistics as JSON
       read_index.py ARCHIVE INDEX check          checks all that can be checked without the games' tags
       read_index.py --sizes INDEX                prints the size of each section

Several FENs, names or endgames may follow; a line `= FEN` is then printed before each answer. Exits with status 0 if the index is
valid. Otherwise prints a message that begins with the number of the violated clause and exits with status 2.
"""
import argparse
import json
import re
import struct
import sys
import unicodedata
from collections import Counter, defaultdict, namedtuple

import slow_chess
from archive_moves import Rests, read_tables
from archive_records import TAIL_END, Block, move_of_code
from archive_tags import read_games, read_openings
from archive_values import TAG, Cursor, Violation, check32, inside, need, xxh64
from decode_archive import BLOCK, Archive, read_columns, read_head

MAGIC, VERSION, SLOTS = b"STAMMAIX", 3, (512, 1024)
PAGE, ROOT_SIZE, ENTRY_SIZE, FRAME_HEADER_SIZE, SECTIONS_MAX = 4096, 64, 32, 32, 64
DEPTH_MAX, SPAN, MARK_SPAN, SUMMED, EXAMPLES, ENDED = 250, 64, 32, 4096, 15, 256
OPENING_PLIES = 28
GROUP, LENGTHS_SIZE, ODD_RATING, ODD_MONTH, DAY_BITS = 4, 1024, 4095, 65535, 5
SECTIONS_LEAST, ENDGAME_PIECES, OTHER_CLASS, LARGEST_CLASS = 28, 4, 65535, {"openings": 3607, "codes": 500}
PLACEMENT, MULTIPLIER, MASK = 4, 0xF1357AEA2E62A9C5, 2 ** 64 - 1
COUNTS = ("games", "typed", "records", "nodes", "names", "groups", "lists", "node_lists", "plies", "depths",
          "bits")
SECTIONS = ("node depths", "node codes", "node firsts", "depth minima", "minima of minima", "node starts", "node lists",
            "node prints", "games", "facts", "non-games", "blocks", "group starts", "lengths", "own moves", "crowded",
            "list starts", "lists", "name starts", "names", "name list starts", "name lists", "players", "odd",
            "sum nodes", "sums", "statistics", "days", "endgames", "endgame lists", "openings", "codes", "results")
TABLES = ("lengths", "years", "ratings", "first_moves", "eco", "openings", "time_controls", "terminations")

BlockEntry = namedtuple("BlockEntry", "offset end frame head_check games bytes")
Facts = namedtuple("Facts", "ratings month result speed mode")
Sum = namedtuple("Sum", "code results rated rating_sum sides last_month top recent")


# ---- keys (3.4) ----

def board_of(board, pieces):
    return sum(1 << square for square, piece in enumerate(board) if piece in pieces)


def mix(key, word):
    return (key ^ key >> 32 ^ word) * MULTIPLIER & MASK


def pawn_files(pawns):
    files = sum(1 << file for file in range(8) if pawns & 0x0101010101010101 << file)
    return files + 256 * bin(pawns).count("1")


def piece_counts(board):
    counts = 0
    for white, black in ("Nn", "Bb", "Rr", "Qq"):
        counts = 1024 * counts + 32 * board.count(white) + board.count(black)
    return counts


def key_of(position, level):
    board = position.board
    white, black = board_of(board, "P"), board_of(board, "p")
    key = mix(level + 1, pawn_files(white) << 32 | pawn_files(black))
    words = [white, black][:level]
    if level == 3:
        words += [piece_counts(board), board_of(board, "K"), board_of(board, "k")]
    if level == PLACEMENT:
        words += [board_of(board, "PNBRQK")] + [board_of(board, pieces) for pieces in ("Nn", "Bb", "Rr", "Qq", "Kk")]
        words.append(0 if position.white else 1)
    for word in words:
        key = mix(key, word)
    return ((key ^ key >> 29) * MULTIPLIER & MASK) >> 32 & ~7 | level


def list_of(key, lists):
    return key * lists >> 32


# ---- endgames (9.7) ----

def endgame_of(pieces):
    """Returns the number of an endgame, given the letters of its pieces; None if there are too many pieces."""
    if sum(pieces.count(letter) for letter in "NBRQnbrq") > ENDGAME_PIECES:
        return None
    number = 0
    for letter in "NBRQnbrq":
        number = 8 * number + pieces.count(letter)
    return 256 * number + 16 * pieces.count("P") + pieces.count("p")


def material_of(text):
    """Returns the letters of the pieces of both sides, given text such as KRPKR."""
    black = text.rindex("K")
    return text[:black] + text[black:].lower()


# ---- numbers and lists (3.1, 3.2) ----

def width(limit):
    """Returns the number of bits that numbers below the limit need: W in 2.4."""
    return max(limit - 1, 0).bit_length()


def packed_size(count, bits):
    return (count * bits + 7) // 8 + 8


def rice_shift(count, limit):
    """Returns the number s of 3.2 and 3.7."""
    return (limit // count).bit_length() - 1 if limit // count >= 2 else 0


def read_ascending(data, count):
    """Returns ascending numbers (3.7)."""
    marks = -(-count // MARK_SPAN)
    shift, *marked = struct.unpack_from("<%dI" % (1 + marks), data)
    need(shift <= 32, "3.7", "numbers of %d low bits" % shift)
    low_at = 4 + 4 * marks
    high_at = low_at + packed_size(count, shift)
    low, high = int.from_bytes(data[low_at:high_at], "little"), int.from_bytes(data[high_at:], "little")
    places = [place for place, bit in enumerate(bin(high)[:1:-1]) if bit == "1"]
    need(len(places) == count, "3.7", "%d numbers instead of %d" % (len(places), count))
    need(marked == places[::MARK_SPAN], "3.7", "the marks")
    numbers = [place - n << shift | low >> n * shift & (1 << shift) - 1 for n, place in enumerate(places)]
    need(numbers == sorted(numbers), "3.7", "numbers that descend")
    need(shift == rice_shift(count, numbers[-1]), "3.7", "the number of low bits")
    need(len(data) == high_at + packed_size((numbers[-1] >> shift) + count, 1), "3.7", "the size")
    return numbers


def read_list(data, universe):
    """Returns the numbers of a list."""
    if not data:
        return []
    cursor = Cursor(data, "3.2")
    count = cursor.varint()
    need(0 < count <= universe, "3.2", "a list of %d numbers below %d" % (count, universe))
    shift = rice_shift(count, universe)
    bits = "".join("{:08b}".format(byte)[::-1] for byte in data[cursor.at:])
    numbers, at, following = [], 0, 0
    for _ in range(count):
        zero = bits.find("0", at)
        need(zero >= 0 and zero + shift < len(bits), "3.2", "a list that ends too early")
        low = int(bits[zero + 1:zero + 1 + shift][::-1] or "0", 2)
        numbers.append(following + (zero - at << shift) + low)
        need(numbers[-1] < universe, "3.2", "a number that is too large")
        at, following = zero + 1 + shift, numbers[-1] + 1
    need(len(bits) - at < 8 and "1" not in bits[at:], "3.2", "bits after a list")
    return numbers


# ---- the file (1) ----

Root = namedtuple("Root", "number archive_size archive_check directory size check")


class Index:
    def __init__(self, file):
        self.file, self.size = file, file.seek(0, 2)
        self.header = self.read(0, PAGE)
        need(self.header.startswith(MAGIC), "1.2", "this is no index file")
        need(self.size >= PAGE + ROOT_SIZE, "1.1", "too short")
        version, = struct.unpack_from("<I", self.header, 8)
        need(version == VERSION, "1.2", "unsupported version %d" % version)
        roots = [self.read_root(at) for at in (*SLOTS, self.size - ROOT_SIZE)]
        need(any(roots), "1.3", "no valid root")
        self.root = max(root for root in roots if root)
        directory = self.read(self.root.directory, self.root.size)
        need(xxh64(directory) == self.root.check, "1.4", "the directory's checksum differs")
        self.read_directory(Cursor(directory, "1.4"))

    def read(self, offset, size):
        self.file.seek(offset)
        return self.file.read(size)

    def read_root(self, offset):
        """Returns the root at an offset, or None if there is no valid root (1.3)."""
        data = self.read(offset, ROOT_SIZE)
        magic, *numbers, _, check = struct.unpack("<8s6Q2I", data)
        root = Root(*numbers)
        valid = (magic == MAGIC and check == check32(data[:60]) and root.number > 0 and root.directory >= PAGE and
                 root.directory + root.size <= self.size)
        return root if valid else None

    def read_directory(self, cursor):
        need(self.root.size % ENTRY_SIZE == 0, "1.4", "the size of the directory")
        self.blocks, self.segments, end = [], [], PAGE
        for number in range(self.root.size // ENTRY_SIZE):
            with inside("segment %d" % number):
                segment = Segment(self, cursor, end)
            self.segments.append(segment)
            end = segment.end_of_table
        need(end <= self.root.directory, "1.7", "a segment after the directory")

    def need_archive(self, archive):
        end = archive.read(max(archive.size - PAGE, 0), PAGE)
        need(archive.size == self.root.archive_size and xxh64(end) == self.root.archive_check, "1.6",
             "the index is of another archive or state")


# ---- segments (2) ----

class Segment:
    def __init__(self, index, cursor, end):
        self.index, self.first_block = index, len(index.blocks)
        self.first_game = sum(block.games for block in index.blocks)
        self.offset, self.size, table_size, check = cursor.unpack("4Q")
        self.end_of_table = self.offset + self.size + table_size
        need(self.offset % PAGE == 0 and self.size % PAGE == 0 and self.offset >= end, "1.7", "its place")
        need(self.end_of_table <= index.root.directory, "1.7", "its end")
        table = index.read(self.offset + self.size, table_size)
        need(xxh64(table) == check, "1.4", "the checksum of its table differs")
        self.read_table(Cursor(table, "2.1"))
        need(sum(block.games for block in index.blocks[self.first_block:]) == self.counts["games"], "1.7",
             "other games than in its blocks")
        self.check_counts()
        for name, size in self.sizes().items():
            need(self.parts[name][1] == size, "2.4", "the size of %s" % name)
        self.checked = set()
        self.paths, self.tables, self.positions, self.sequences = {0: b""}, {}, {0: slow_chess.START}, {}

    def read_table(self, cursor):
        self.block_count, sections = cursor.unpack("2I")
        need(self.block_count > 0, "1.7", "no blocks")
        need(SECTIONS_LEAST <= sections <= SECTIONS_MAX, "2.4", "%d sections" % sections)
        self.counts = dict(zip(COUNTS, cursor.unpack("11I")))
        parts, end = [cursor.unpack("QQ") for _ in range(sections)], 0
        for at, size in parts:
            need(at % 8 == 0 and end <= at and at + size <= self.size, "2.4", "the place of a section")
            end = at + size
        self.section_count = sections
        self.parts = dict.fromkeys(SECTIONS, (0, 0))
        self.parts.update(zip(SECTIONS, parts))
        self.index.blocks += [BlockEntry(*cursor.unpack("6Q")) for _ in range(self.block_count)]
        self.checks = cursor.unpack("%dI" % (self.size // PAGE))
        cursor.finish()

    def check_counts(self):
        count = self.counts
        need(count["typed"] <= count["games"] <= count["records"] < 2 ** 28, "2.3", "the number of games")
        need(0 < count["nodes"] < 2 ** 28 and count["names"] < 2 ** 30, "2.3", "the number of nodes or names")
        need(count["lists"] > 0 and count["node_lists"] > 0, "2.3", "the number of lists")
        need(count["plies"] <= 65536 and count["depths"] <= 256 and count["bits"] <= 65536, "2.3", "the limits of games")

    def sizes(self):
        """Returns the prescribed sizes of sections (2.4)."""
        games, records, nodes, names = (self.counts[name] for name in ("games", "records", "nodes", "names"))
        spans = -(-nodes // SPAN)
        return {"node depths": nodes, "node codes": nodes, "depth minima": spans, "minima of minima": -(-spans // SPAN),
                "node lists": packed_size(nodes, width(nodes)), "node prints": nodes,
                "games": packed_size(games, sum(self.widths())), "facts": 6 * games, "non-games": 4 * (records - games),
                "blocks": 32 * self.block_count, "lengths": LENGTHS_SIZE * self.block_count,
                "players": packed_size(2 * records, width(names + 1)), "days": packed_size(games, DAY_BITS),
                **({"results": packed_size(games, 2)} if self.section_count > SECTIONS.index("results") else {})}

    def widths(self):
        """Returns the numbers of bits of an entry of games (7.2)."""
        return [width(self.counts[name]) for name in ("records", "plies", "depths", "bits")]

    # ---- values ----

    def bytes(self, name, at=0, size=None):
        begin, whole = self.parts[name]
        size = whole - at if size is None else size
        need(0 <= at and 0 <= size and at + size <= whole, "11.1", "a place outside of %s" % name)
        return self.read(begin + at, size)

    def read(self, at, size):
        """Returns bytes of the segment, after checking their pages (1.5)."""
        for page in range(at // PAGE, -(-(at + size) // PAGE)):
            if page not in self.checked:
                data = self.index.read(self.offset + page * PAGE, PAGE)
                need(check32(data) == self.checks[page], "1.5", "page %d is damaged" % page)
                self.checked.add(page)
        return self.index.read(self.offset + at, size)

    def packed(self, name, place, bits):
        at, data = place * bits, self.bytes(name, place * bits // 8, 8)
        return int.from_bytes(data, "little") >> at % 8 & (1 << bits) - 1

    def ascending(self, name):
        """Returns a section of ascending numbers."""
        if name not in self.sequences:
            count = {"node firsts": self.counts["nodes"] + 1, "node starts": self.counts["node_lists"] + 1,
                     "group starts": self.counts["groups"] + 1, "list starts": self.counts["lists"] + 1,
                     "name starts": self.counts["names"] + 2, "name list starts": self.counts["names"] + 2}[name]
            with inside(name):
                self.sequences[name] = read_ascending(self.bytes(name), count)
        return self.sequences[name]

    def between(self, name, starts, place):
        """Returns the bytes of a section from one start to the next."""
        begin, end = self.ascending(starts)[place:place + 2]
        return self.bytes(name, begin, end - begin)

    # ---- games (4) ----

    def record(self, rank):
        record = self.entry(rank)[0]
        need(record < self.counts["records"], "4.4", "record %d" % record)
        return record

    def entry(self, rank):
        """Returns the numbers of a game (7.2)."""
        widths, numbers = self.widths(), []
        at, end = rank * sum(widths), (rank + 1) * sum(widths)
        data = int.from_bytes(self.bytes("games", at // 8, (end + 7) // 8 - at // 8), "little") >> at % 8
        for bits in widths:
            numbers.append(data & (1 << bits) - 1)
            data >>= bits
        return numbers

    def non_games(self):
        return struct.unpack("<%dI" % (self.parts["non-games"][1] // 4), self.bytes("non-games"))

    def game(self, rank):
        record = self.record(rank)
        return self.first_game + record - sum(other < record for other in self.non_games()) + 1

    def facts(self, rank):
        bits = int.from_bytes(self.bytes("facts", 6 * rank, 6), "little")
        need(bits < 2 ** 47, "4.5", "bits that are not 0")
        return Facts((bits & 4095, bits >> 12 & 4095), bits >> 24 & 65535, bits >> 40 & 3, bits >> 42 & 7, bits >> 45)

    def day(self, rank):
        """Returns the day of the month, or 0 if it is unknown (4.6)."""
        return self.packed("days", rank, DAY_BITS)

    def odd(self):
        """Returns the entries of odd games by rank: both ratings, and the first and last day (4.5)."""
        need(self.parts["odd"][1] % 16 == 0, "4.5", "the size of odd")
        return {rank: entry for rank, *entry in struct.iter_unpack("<IHHII", self.bytes("odd"))}

    # ---- the trie (5) ----

    def first(self, node):
        return self.ascending("node firsts")[node]

    def depths(self):
        if not hasattr(self, "all_depths"):
            self.all_depths = self.bytes("node depths")
            need(self.all_depths[0] == 0 and max(self.all_depths) <= DEPTH_MAX, "5.2", "the depth of a node")
        return self.all_depths

    def end(self, node):
        depths, end = self.depths(), node + 1
        while end < len(depths) and depths[end] > depths[node]:
            end += 1
        return end

    def path(self, node):
        if node not in self.paths:
            depths, parent = self.depths(), node - 1
            while depths[parent] >= depths[node]:
                parent -= 1
            need(depths[parent] == depths[node] - 1, "5.2", "a node without parent")
            self.paths[node] = self.path(parent) + self.bytes("node codes", node, 1)
            self.positions[node] = play(self.positions[parent], self.paths[node][-1])
        return self.paths[node]

    def position(self, node):
        self.path(node)
        return self.positions[node]

    def node_of(self, rank):
        low, high = 0, self.counts["nodes"] - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.first(middle) <= rank else (low, middle - 1)
        return low

    # ---- moves (7) ----

    def block_of(self, record):
        entries = list(struct.iter_unpack("<IIQQII", self.bytes("blocks")))
        number = max(n for n, entry in enumerate(entries) if entry[0] <= record)
        return number, entries[number]

    def codes(self, archive, rank):
        """Returns the node of a game, and all codes of the game."""
        node, record = self.node_of(rank), self.record(rank)
        number, (first_record, first_group, at, size, owned, start) = self.block_of(record)
        group = first_group + (record - first_record) // GROUP
        begin, end = (place - start for place in self.ascending("group starts")[group:group + 2])
        need(0 <= begin and end <= size, "7.3", "a group outside of its block")
        if owned:
            data = self.bytes("own moves", at + begin, end - begin)
        else:
            data = archive.read(self.index.blocks[self.first_block + number].offset + FRAME_HEADER_SIZE + at + begin,
                                end - begin)
        if number not in self.tables:
            self.tables[number] = read_tables(self.bytes("lengths", LENGTHS_SIZE * number, LENGTHS_SIZE))
        _, plies, depth, bit = self.entry(rank)
        need(depth <= plies and bit <= 8 * len(data), "7.2", "the entry of record %d" % record)
        rests = Rests(data, self.tables[number])
        rests.at = bit
        codes = rests.take(depth, plies - depth)
        path = self.path(node)
        need(depth <= len(path) <= plies, "7.5", "a game that is shorter than its beginning")
        return node, path + codes[len(path) - depth:]

    # ---- names (9) ----

    def name(self, number):
        return self.between("names", "name starts", number)

    def games_of(self, number):
        return read_list(self.between("name lists", "name list starts", number), self.counts["games"])

    # ---- endgames (9.7) ----

    def endgames(self):
        """Returns the ranks of each endgame by its numbers of pieces, or None if the segment has no endgames."""
        if self.section_count <= SECTIONS.index("endgame lists"):
            return None
        cursor, number, at, found = Cursor(self.bytes("endgames"), "9.7"), 0, 0, {}
        while cursor.has_more():
            more, size = cursor.varint(), cursor.varint()
            need(size > 0 and (more > 0 or not found), "9.7", "endgames out of order")
            number, at = number + more, at + size
            found[number] = read_list(self.bytes("endgame lists", at - size, size), self.counts["games"])
        need(at == self.parts["endgame lists"][1], "9.7", "lists of no endgame")
        return found

    # ---- openings and codes (9.8) ----

    def classes(self, name):
        """Returns the class of each rank, or None if the segment has no classes."""
        if self.section_count <= SECTIONS.index("codes"):
            return None
        cursor, classes = Cursor(self.bytes(name), "9.8"), []
        while cursor.has_more():
            games, number = cursor.varint(), cursor.varint()
            need(games > 0 and (not classes or number != classes[-1]), "9.8", "a run")
            need(number <= LARGEST_CLASS[name] or number == OTHER_CLASS, "9.8", "class %d" % number)
            need(len(classes) + games <= self.counts["games"], "9.8", "more games than ranks")
            classes += games * [number]
        need(len(classes) == self.counts["games"], "9.8", "the number of games")
        return classes

    # ---- statistics (9.6) ----

    def stats(self):
        """Returns the totals, the rows by table, and a row for each name. A row is nine numbers."""
        cursor = Cursor(self.bytes("statistics"), "9.6")
        row = lambda: [cursor.varint() for _ in range(9)]
        totals = [cursor.varint() for _ in range(8)]
        tables = {}
        for table in TABLES:
            rows = ((cursor.take(cursor.varint()).decode(), row()) for _ in range(cursor.varint()))
            tables[table] = dict(rows)
        players = [row() for _ in range(self.counts["names"])]
        need(not cursor.has_more(), "9.6", "bytes after the statistics")
        return totals, tables, players

    # ---- sums (9.4) ----

    def sums(self, node):
        """Returns the sums of a node, or None."""
        entries = list(struct.iter_unpack("<II", self.bytes("sum nodes")))
        places = [at for number, at in entries if number == node]
        if not places:
            return None
        end = min([at for _, at in entries if at > places[0]] + [self.parts["sums"][1]])
        cursor = Cursor(self.bytes("sums", places[0], end - places[0]), "9.4")
        sums = [read_sum(cursor) for _ in range(cursor.varint())]
        for _ in ("top", "recent"):
            count = cursor.varint()
            need(count <= EXAMPLES, "9.4", "%d examples" % count)
            for _ in range(count):
                need(cursor.varint() < self.counts["typed"] and cursor.varint() <= ENDED, "9.4", "an example")
        for _ in range(cursor.varint()):
            need(cursor.varint() < 65536, "9.4", "a month")
            sum(cursor.varint() for _ in range(3))
        cursor.finish()
        need([entry.code for entry in sums] == sorted({entry.code for entry in sums}), "9.4", "moves out of order")
        return sums


def read_sum(cursor):
    code, *numbers = [cursor.varint() for _ in range(16)]
    need(code <= ENDED, "9.4", "code %d" % code)
    return Sum(code, numbers[:4], *numbers[4:6], numbers[6:12], *numbers[12:])


# ---- chess ----

def play(position, code):
    move = move_of_code(position, code)
    after = position.play(move)
    need(after is not None, "11.1", "a code of no legal move")
    return after


def rights(position):
    """Returns the castling rights, and the en passant square if there is a legal capture (10.1)."""
    square = position.en_passant
    captures = square is not None and any(
        target == square and position.board[origin] in "Pp" and origin & 7 != square & 7
        for origin, target, _ in position.legal_moves())
    return position.castling, square if captures else None


def is_same(one, other):
    return one.board == other.board and one.white == other.white and rights(one) == rights(other)


# ---- games that are not typed (10.1, step 3) ----

class Lines(Block):
    """Decodes a block and keeps the main line of each record that begins a game."""

    def count(self, record, continues, kind):
        if not hasattr(self, "lines"):
            self.lines = []
        if not continues and kind != TAIL_END:
            self.lines.append([entry if number else (None, entry[1]) for number, entry in enumerate(record.whole_line)])
        else:
            self.lines.append(None)
        super().count(record, continues, kind)


def read_lines(archive, entry):
    frame = archive.frame(entry.offset)
    need(frame.type == BLOCK and xxh64(frame.payload[:frame.head_size]) == entry.head_check, "1.4", "another block")
    head = read_head(frame)
    columns, tags, events = read_columns(head)
    names = [column.name for column in head.columns if column.id == TAG]
    block = Lines(columns, head.bytes)
    block.decode(read_games(columns, tags, names, events), events, head.continues)
    return block.lines


# ---- answers (10) ----

Hit = namedtuple("Hit", "game ply next result")  # `next`: the next move, or None at the end of the game


class Reader:
    def __init__(self, archive, index):
        self.archive, self.index, self.lines = archive, index, {}
        index.need_archive(archive)

    def line(self, segment, rank):
        record = segment.record(rank)
        number, entry = segment.block_of(record)
        number += segment.first_block
        if number not in self.lines:
            self.lines[number] = read_lines(self.archive, self.index.blocks[number])
        return self.lines[number][record - entry[0]]

    def places(self, segment, target):
        """Returns the nodes with the position that are not within another (10.1, step 1)."""
        key, found, end = key_of(target, PLACEMENT), [], 0
        list_number = list_of(key, segment.counts["node_lists"])
        first, last = segment.ascending("node starts")[list_number:list_number + 2]
        nodes = sorted(segment.packed("node lists", place, width(segment.counts["nodes"])) for place in range(first, last)
                       if segment.bytes("node prints", place, 1)[0] == key >> 3 & 255)
        for node in nodes:
            if node >= end and is_same(segment.position(node), target):
                found.append(node)
                end = segment.end(node)
        return found

    def strays(self, segment, target, ranges):
        """Yields (rank, ply, next code) of games that reach the position after they leave the trie (10.1, step 2)."""
        crowded = struct.unpack("<%dI" % (segment.parts["crowded"][1] // 4), segment.bytes("crowded"))
        key = next(key for key in (key_of(target, level) for level in range(5)) if key not in crowded)
        candidates = segment.between("lists", "list starts", list_of(key, segment.counts["lists"]))
        for rank in read_list(candidates, segment.counts["games"]):
            need(rank < segment.counts["typed"], "8.1", "a game that is not typed")
            if any(begin <= rank < end for begin, end in ranges):
                continue
            node, codes = segment.codes(self.archive, rank)
            position = segment.position(node)
            for ply in range(len(segment.path(node)), len(codes)):
                position = play(position, codes[ply])
                if is_same(position, target):
                    yield rank, ply + 1, codes[ply + 1] if ply + 1 < len(codes) else None
                    break

    def others(self, segment, target):
        """Yields (rank, ply, next move) of games that are not typed (10.1, step 3)."""
        for rank in range(segment.counts["typed"], segment.counts["games"]):
            line = self.line(segment, rank)
            for ply, (_, place) in enumerate(line):
                if is_same(place.position, target):
                    yield rank, ply, line[ply + 1][0] if ply + 1 < len(line) else "end"
                    break

    def find(self, target):
        games = []
        for segment in self.index.segments:
            places = self.places(segment, target)
            ranges = [(segment.first(node), segment.first(segment.end(node))) for node in places]
            for node, (begin, end) in zip(places, ranges):
                games += [(segment.game(rank), segment.depths()[node]) for rank in range(begin, end)]
            games += [(segment.game(rank), ply) for rank, ply, _ in self.strays(segment, target, ranges)]
            games += [(segment.game(rank), ply) for rank, ply, _ in self.others(segment, target)]
        return sorted(games)

    # ---- trees (10.3) ----

    def next_moves(self, segment, node):
        """Yields (rank, code) for all games that pass a node; the code is None at the end of the game."""
        depth, end, child = segment.depths()[node], segment.end(node), node + 1
        for rank in range(segment.first(node), segment.first(node + 1)):
            codes = segment.codes(self.archive, rank)[1]
            yield rank, codes[depth] if depth < len(codes) else None
        while child < end:
            code = segment.bytes("node codes", child, 1)[0]
            for rank in range(segment.first(child), segment.first(segment.end(child))):
                yield rank, code
            child = segment.end(child)

    def add_node(self, segment, node, tree):
        sums = segment.sums(node)
        counted = Counter()
        for rank, code in self.next_moves(segment, node):
            facts = segment.facts(rank)
            tree[code][facts.result] += 1
            counted[code, facts.result] += 1
        count = segment.first(segment.end(node)) - segment.first(node)
        need((sums is not None) == (count > SUMMED), "9.4", "%d games" % count)
        if sums is not None:
            stored = {(None if entry.code == ENDED else entry.code, result): games
                      for entry in sums for result, games in enumerate(entry.results) if games}
            need(stored == counted, "9.5", "the sums of node %d" % node)

    def tree(self, target):
        """Returns the results by move: (white, black, draws, others)."""
        tree, moves = defaultdict(lambda: [0] * 4), defaultdict(lambda: [0] * 4)
        for segment in self.index.segments:
            places = self.places(segment, target)
            ranges = [(segment.first(node), segment.first(segment.end(node))) for node in places]
            for node in places:
                self.add_node(segment, node, tree)
            for rank, _, code in self.strays(segment, target, ranges):
                tree[code][segment.facts(rank).result] += 1
            for rank, _, move in self.others(segment, target):
                moves[move][segment.facts(rank).result] += 1
        for code, results in tree.items():
            move = "end" if code is None else move_of_code(target, code)
            moves[move] = [one + other for one, other in zip(moves[move], results)]
        return moves

    def stats(self):
        """Returns the sums of all rows by table and name (10.4), and the total of games."""
        sums, games = defaultdict(lambda: defaultdict(lambda: [0] * 9)), 0
        for segment in self.index.segments:
            totals, tables, players = segment.stats()
            tables["players"] = {}
            for number, row in enumerate(players, 1):
                if any(row):
                    tables["players"][plain(segment.name(number))] = row
            for table, rows in tables.items():
                for name, row in rows.items():
                    sums[table][name] = [one + other for one, other in zip(sums[table][name], row)]
            games += totals[0]
        return sums, games

    def player(self, name):
        games = set()
        for segment in self.index.segments:
            for number in range(1, segment.counts["names"] + 1):
                if fold(segment.name(number)) == fold(name):
                    games.update(map(segment.game, segment.games_of(number)))
        return sorted(games)


    def endgame(self, pieces):
        """Returns the games that have a position with exactly these pieces."""
        number, games = endgame_of(pieces), set()
        for segment in self.index.segments:
            games.update(map(segment.game, segment.endgames().get(number, ())))
            for rank in range(segment.counts["typed"], segment.counts["games"]):
                if any(endgame_of("".join(place.position.board)) == number
                       for _, place in self.line(segment, rank)):
                    games.add(segment.game(rank))
        return sorted(games)


def plain(name):
    """Returns the text of a name, without escapes."""
    try:
        text = name.decode("utf-8")
    except UnicodeDecodeError:
        text = name.decode("latin-1")
    return re.sub(r'\\(["\\])', r"\1", text)


def fold(name):
    """Folds most names like the library: without escapes, case and accents."""
    text = plain(name)
    return "".join(letter for letter in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(letter))


# ---- checks ----

def check_nodes(segment):
    """Checks the trie and its look-up (5, 6)."""
    nodes, depths = segment.counts["nodes"], segment.depths()
    firsts = [segment.first(node) for node in range(nodes + 1)]
    need(firsts == sorted(firsts) and firsts[-1] == segment.counts["typed"], "5.4", "the first ranks")
    for name, of in (("depth minima", "node depths"), ("minima of minima", "depth minima")):
        data = segment.bytes(of)
        need(segment.bytes(name) == bytes(min(data[at:at + SPAN]) for at in range(0, len(data), SPAN)), "5.5", name)
    need(segment.bytes("node codes", 0, 1) == b"\0", "5.2", "the root's code")
    listed = sorted((key_of(segment.position(node), PLACEMENT), node) for node in range(nodes))
    bits = width(nodes)
    need([segment.packed("node lists", n, bits) for n in range(nodes)] == [node for _, node in listed], "6.1", "node lists")
    need(segment.bytes("node prints") == bytes(key >> 3 & 255 for key, _ in listed), "6.2", "node prints")
    lists = [list_of(key, segment.counts["node_lists"]) for key, _ in listed]
    starts = [sum(number < n for number in lists) for n in range(segment.counts["node_lists"] + 1)]
    need(segment.ascending("node starts") == starts, "6.1", "node starts")


def check_games(segment):
    """Checks the limits of the numbers of games (2.3, 7.2)."""
    entries = [segment.entry(rank)[1:] for rank in range(segment.counts["games"])]
    typed = segment.counts["typed"]
    limits = [max((entry[n] + 1 for entry in entries[:typed]), default=0) for n in range(3)]
    need(limits == [segment.counts[name] for name in ("plies", "depths", "bits")], "2.3", "the limits of games")
    need(not any(map(any, entries[typed:])), "7.2", "numbers of a game that is not typed")


def check_lists(reader, segment):
    """Plays all typed games, and checks that the lists contain exactly their keys (8)."""
    crowded = set(struct.unpack("<%dI" % (segment.parts["crowded"][1] // 4), segment.bytes("crowded")))
    lists = segment.counts["lists"]
    expected, last = defaultdict(set), None
    for rank in range(segment.counts["typed"]):
        node, codes = segment.codes(reader.archive, rank)
        depth, position = len(segment.path(node)), segment.position(node)
        order = (node, codes[depth:], segment.record(rank))
        need(last is None or last < order, "4.1", "rank %d is out of order" % rank)
        last = order
        for code in codes[depth:]:
            position = play(position, code)
            key = next(key for key in (key_of(position, level) for level in range(5)) if key not in crowded)
            expected[list_of(key, lists)].add(rank)
    for number in range(lists):
        found = read_list(segment.between("lists", "list starts", number), segment.counts["games"])
        need(found == sorted(expected[number]), "8.3", "list %d" % number)


def check_endgames(reader, segment):
    """Plays all typed games, and checks that the lists of endgames contain exactly their games (9.7)."""
    found, expected = segment.endgames(), defaultdict(list)
    if found is None:
        return
    for rank in range(segment.counts["typed"]):
        position, numbers = slow_chess.START, set()
        for code in segment.codes(reader.archive, rank)[1]:
            position = play(position, code)
            numbers.add(endgame_of("".join(position.board)))
        for number in numbers - {None}:
            expected[number].append(rank)
    need(found == expected, "9.7", "the games of endgames")


def check_classes(reader, segment):
    """Checks that openings are those of the moves, unless the tag is another, and the form of codes (9.8)."""
    openings, _ = segment.classes("openings"), segment.classes("codes")
    for rank in range(segment.counts["typed"] if openings else 0):
        position, found = slow_chess.START, 0
        for code in segment.codes(reader.archive, rank)[1][:OPENING_PLIES]:
            position = play(position, code)
            found = read_openings().get(slow_chess.write_board(position), (found,))[0]
        need(openings[rank] in (found, OTHER_CLASS), "9.8", "opening %d of rank %d" % (openings[rank], rank))


def check_results(segment):
    """Checks that results are those of the facts (4.7)."""
    if segment.section_count > SECTIONS.index("results"):
        results = [segment.packed("results", rank, 2) for rank in range(segment.counts["games"])]
        need(results == [segment.facts(rank).result for rank in range(segment.counts["games"])], "4.7", "a result")


def check_names(segment):
    """Checks that the lists of names and the names of games agree (9)."""
    names, records = segment.counts["names"], segment.counts["records"]
    players = [segment.packed("players", n, width(names + 1)) for n in range(2 * records)]
    need(max(players, default=0) <= names, "4.4", "a name that there is not")
    ranks = {segment.record(rank): rank for rank in range(segment.counts["games"])}
    need(len(ranks) == segment.counts["games"] and not ranks.keys() & set(segment.non_games()), "4.1", "records")
    expected = defaultdict(set)
    for place, name in enumerate(players):
        if name and place // 2 in ranks:
            expected[name].add(ranks[place // 2])
    for name in range(1, names + 1):
        need(segment.games_of(name) == sorted(expected[name]), "9.2", "the games of name %d" % name)


def check_stats(segment):
    """Checks the totals of the statistics against the facts, and the results of each player against the lists (9.6)."""
    totals, tables, players = segment.stats()
    facts = [segment.facts(rank) for rank in range(segment.counts["games"])]
    results = Counter(entry.result for entry in facts)
    need(totals[:4] == [len(facts), results[0], results[2], results[1]], "9.6", "the total results")
    need(totals[7] == sum(0 not in entry.ratings for entry in facts), "9.6", "the number of rated games")
    for table in ("lengths", "first_moves"):
        need(sum(row[0] for row in tables[table].values()) <= len(facts), "9.6", "the games of " + table)
    by_text, sums = Counter(), Counter()
    for name, row in enumerate(players, 1):
        text = plain(segment.name(name))
        by_text[text] += row[0] + row[4]
        sides = [segment.packed("players", 2 * segment.record(rank) + color, width(len(players) + 1))
                 for rank in segment.games_of(name) for color in range(2)]
        sums[text] += 0 if segment.name(name) in (b"?", b"") else sides.count(name)
    need(+by_text == +sums, "9.6", "the games of players")


def check_odd(segment):
    """Checks that exactly the odd games have entries, and that these agree with the facts (4.5)."""
    entries, ranks = segment.odd(), []
    for rank in range(segment.counts["games"]):
        facts = segment.facts(rank)
        if ODD_RATING not in facts.ratings and facts.month != ODD_MONTH:
            continue
        ranks.append(rank)
        need(rank in entries, "4.5", "an odd game without entry")
        need(all(own in (rating, ODD_RATING) for own, rating in zip(facts.ratings, entries[rank])), "4.5", "other ratings")
        need(entries[rank][2] <= entries[rank][3], "4.5", "the last day is before the first")
        need(facts.month != ODD_MONTH or segment.day(rank) == 0, "4.6", "a day of an odd month")
    need(list(entries) == ranks, "4.5", "entries of other games")


def check_blocks(reader):
    """Compares the entries of blocks with the archive (1.4)."""
    frames = enumerate(reader.archive.frames(reader.archive.end()), 1)
    blocks = [(number, frame) for number, frame in frames if frame.type == BLOCK]
    for (number, frame), entry in zip(blocks, reader.index.blocks):
        head = read_head(frame)
        need(entry == (frame.offset, frame.end, number, xxh64(frame.payload[:frame.head_size]), head.games, head.bytes), "1.4",
             "the block at %d: %s" % (frame.offset, entry))
    need(len(blocks) == len(reader.index.blocks), "1.4", "the number of blocks")


def check(reader):
    index = reader.index
    check_blocks(reader)
    header = bytearray(index.header[12:])
    for at in SLOTS:
        header[at - 12:at - 12 + ROOT_SIZE] = bytes(ROOT_SIZE)
    need(not any(header), "1.2", "bytes of the header that are not 0")
    for number, segment in enumerate(index.segments):
        with inside("segment %d" % number):
            segment.read(0, segment.size)
            check_nodes(segment)
            check_games(segment)
            check_lists(reader, segment)
            check_endgames(reader, segment)
            check_classes(reader, segment)
            check_results(segment)
            check_names(segment)
            check_odd(segment)
            check_stats(segment)


# ---- output ----

def write_move(move):
    return "0000" if move is None else slow_chess.uci(move)


def print_sizes(index):
    games = sum(segment.counts["games"] for segment in index.segments)
    rows = [(name, sum(segment.parts[name][1] for segment in index.segments)) for name in SECTIONS]
    reached = PAGE + index.root.size + sum(segment.end_of_table - segment.offset for segment in index.segments)
    rows.append(("tables and rest", reached - sum(size for _, size in rows)))
    rows.append(("unused", index.size - reached))
    for name, size in rows + [("file", index.size)]:
        print("%-19s %12d bytes %8.2f a game" % (name, size, size / max(games, 1)))
    print("%d games, %d segments" % (games, len(index.segments)))


def print_stats(reader):
    sums, games = reader.stats()
    print(json.dumps({"games": games, **sums}))


def answer(reader, what, text):
    if what == "player":
        for game in reader.player(text.encode("utf-8", "surrogateescape")):
            print(game)
        return
    if what == "endgame":
        for game in reader.endgame(material_of(text)):
            print(game)
        return
    target = slow_chess.read_fen(text)
    if what == "find":
        for game, ply in reader.find(target):
            print(game, ply)
        return
    tree = reader.tree(target)
    for name, results in sorted((write_move(move), results) for move, results in tree.items() if move != "end"):
        print(name, sum(results), results[0], results[2], results[1])


def run(options):
    index = Index(options.files[-1])
    if options.sizes:
        return print_sizes(index)
    reader = Reader(Archive(options.files[0]), index)
    if options.what == "check":
        return check(reader)
    if options.what == "stats":
        return print_stats(reader)
    for text in options.texts:
        if len(options.texts) > 1:
            print("=", text)
        answer(reader, options.what, text)


def main():
    parser = argparse.ArgumentParser(description="reads an index file, slowly and plainly")
    if "--sizes" in sys.argv[1:]:
        parser.add_argument("--sizes", action="store_true")
        parser.add_argument("files", nargs=1, type=argparse.FileType("rb"), metavar="INDEX")
        options = parser.parse_args()
    else:
        parser.add_argument("files", nargs=2, type=argparse.FileType("rb"), metavar="FILE")
        parser.add_argument("what", choices=("find", "tree", "player", "endgame", "stats", "check"))
        parser.add_argument("texts", nargs="*", metavar="FEN-OR-NAME-OR-ENDGAME")
        options = parser.parse_args()
        options.sizes = False
    try:
        run(options)
    except Violation as violation:
        sys.stdout.flush()
        print("read_index: %s" % violation, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
