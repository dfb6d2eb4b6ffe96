# SPDX-License-Identifier: MIT
"""Builds small .stamma archives from doc/format/archive.md, without the library, to test reference/decode_archive.py.

This module renders no text. A test specifies the items and styles of each record, and the text that they must decode
to.
"""
import os
import subprocess
import sys
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "reference"))
import slow_chess
from archive_values import COLUMNS, TAG, xxh64

COLUMN_IDS = {name: number for number, name in COLUMNS.items()}
PIECES_BOUNDS = {"P": 12, "N": 8, "B": 13, "R": 14, "Q": 27, "K": 8}


def number(value, size):
    return value.to_bytes(size, "little")


def varint(value):
    text = b""
    while value > 127:
        text += bytes([value & 127 | 128])
        value >>= 7
    return text + bytes([value])


def zstd(data):
    return subprocess.run(["zstd", "-cq", "--stream-size=%d" % len(data)], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def check32(data):
    return number(xxh64(data) & 0xFFFFFFFF, 4)


def code_of(position, move):
    """Returns the code of a legal move (5.2), computed piece by piece."""
    if move is None:
        return 255
    own = [(square, piece.upper()) for square, piece in enumerate(position.board) if position.own(piece)]
    if sum(PIECES_BOUNDS[kind] for _, kind in own) > 255:
        return position.canonical_moves().index(move)
    origin, target, extra = move
    before = sum(PIECES_BOUNDS[kind] for square, kind in own if square < origin)
    kind = position.board[origin].upper()
    if extra in slow_chess.CASTLING:
        return before + 6 + slow_chess.CASTLING.index(extra)
    if kind != "P":
        return before + slow_chess.REACH[kind][origin].index(target)
    step = (target & 7) - (origin & 7) + 1
    return before + 4 * step + (abs(target - origin) == 16) + ("NBRQ".index(extra) if extra else 0)


def move_of_san(position, san):
    """Returns the move of a SAN without its mark; None for the null move."""
    moves = [None] if san == "--" else [m for m in position.legal_moves() if position.san(m) == san]
    assert len(moves) == 1, san
    return moves[0]


def style(templates, line_end=0, wrap=0, breakable=0, flags=0, spelling=0, limit=0):
    text = bytes([line_end, wrap, breakable, flags, spelling]) + varint(limit) + varint(len(templates))
    return text + b"".join(bytes([context, len(template)]) + template for context, template in templates.items())


class Block:
    """A block under construction: columns by name (tag columns by ("tag", name)) and the counts of its head. Tests may
    change all of them."""

    def __init__(self, text=b""):
        self.columns = {}
        self.rules = {}  # codec and stored bytes, by name, of columns in codecs other than 0 and 1
        self.text = text
        self.counts = dict.fromkeys(("records", "games", "plies", "variation_plies", "verbatim", "partly", "corrected",
                                     "verbatim_bytes"), 0)
        self.continues = False
        self.codec = 0

    def add(self, column, data):
        self.columns[column] = self.columns.get(column, b"") + data

    def moves(self, sans, position=slow_chess.START, column="moves"):
        """Plays moves and appends their codes to a column. Returns the position after the moves."""
        for san in sans.split():
            move = move_of_san(position, san)
            self.add(column, bytes([code_of(position, move)]))
            self.counts["plies" if column == "moves" else "variation_plies"] += 1
            position = position.play(move)
        return position

    @staticmethod
    def moves_to(sans, position=slow_chess.START):
        """Returns the position after the moves."""
        for san in sans.split():
            position = position.play(move_of_san(position, san))
        return position

    @staticmethod
    def codes(sans, position):
        """Returns the codes of the moves."""
        codes = b""
        for san in sans.split():
            move = move_of_san(position, san)
            codes, position = codes + bytes([code_of(position, move)]), position.play(move)
        return codes

    def check_groups(self, texts, size=64):
        """Adds the column of checks for records with these texts, in groups of `size` (3.6)."""
        for at in range(0, len(texts), size):
            if len(texts) > size:
                self.add("checks", number(xxh64(b"".join(texts[at:at + size])) & 0xFFFFFFFF, 4))

    def totals(self):
        """Returns the totals that a commit stores for this block (7.1)."""
        counts = self.counts
        return [counts["games"], counts["plies"], counts["variation_plies"], len(self.text), counts["verbatim"],
                counts["partly"], counts["corrected"], counts["verbatim_bytes"], 1]

    def head(self, entries):
        counts = b"".join(varint(self.counts[name]) for name in self.counts)
        return (number(len(self.text), 8) + number(xxh64(self.text), 8) + counts + bytes([self.continues])
                + varint(len(entries)) + b"".join(entries))

    def entries(self):
        """Returns the columns as (directory entry, stored bytes)."""
        entries = []
        for column, data in sorted(self.columns.items(), key=lambda item: identity_of(item[0])):
            codec, stored = self.codec, data
            if codec == 1:
                stored = zstd(data)
                if len(stored) >= len(data):
                    codec, stored = 0, data
            name = column[1] if isinstance(column, tuple) else b""
            if (name or column) in self.rules:
                codec, stored = self.rules[name or column]
            entries.append(entry(identity_of(column), len(data), stored, codec, column != "reasons", name))
        return entries

    def payload(self):
        """Returns (payload, head size)."""
        entries = self.entries()
        head = self.head([directory for directory, _ in entries])
        return head + b"".join(stored for _, stored in entries), len(head)


def symbol_of(number, direct):
    """Returns the symbol and the bits of a number (14.7)."""
    if number < 2 ** direct:
        return number, ""
    last = number.bit_length() - 1
    return 2 ** direct + 2 * (last - direct) + (number >> last - 1 & 1), format(number, "b")[2:]


def bit_stream(bits):
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[at:at + 8], 2) for at in range(0, len(bits), 8))


def folded(residual):
    return 2 * residual if residual >= 0 else -2 * residual - 1


def residual_streams(residuals):
    """Returns the symbols and the bits of residuals (14.7)."""
    found = [symbol_of(folded(residual), 7) for residual in residuals]
    return bytes(symbol for symbol, _ in found), bit_stream("".join(bits for _, bits in found))


def frequencies(of):
    """Returns the stored form of a class's frequencies (14.12). `of` maps symbols to frequencies."""
    return bytes([max(of) + 1]) + b"".join(varint(of.get(symbol, 0)) for symbol in range(max(of) + 1))


def slots_of(of):
    """Returns the slots of a class in the form of reference/archive_fields.py."""
    return [(symbol, of[symbol], at) for symbol in sorted(of) for at in range(of[symbol])]


def even(symbols):
    """Returns equal frequencies for the symbols."""
    kinds = sorted(set(symbols)) or [0]
    of = dict.fromkeys(kinds, 2048 // len(kinds))
    of[kinds[0]] += 2048 - sum(of.values())
    return of


def tags(form, sources, numbers, *literals, others=(255, 255), tree=b"\0\0\0\0", classes=1, state=2 ** 16, bits=None, more=()):
    """Returns the stored bytes of a tag column in codec 3 (15.2) or, with the streams `more`, in codec 10 (22.1). `numbers` are
    references or residuals; None is a literal. Streams are not compressed."""
    found = [(239, "") if number is None else symbol_of(folded(number), 7) if form & 1 else symbol_of(number, 5)
             for number in numbers]
    symbols = [symbol for symbol, _ in found]
    of = even(symbols)
    parameters = bytes([form, len(sources)]) + bytes(sum(sources, ())) + bytes(others) + tree + frequencies(of) * classes
    bits = bit_stream("".join(more for _, more in found)) if bits is None else bits
    streams = [parameters, coded(symbols, [slots_of(of)] * len(symbols), state), bits,
               b"".join(literal + b"\0" for literal in literals), *more]
    return varint(len(streams)) + b"".join(2 * varint(len(stream)) for stream in streams) + b"".join(streams)


def fields(streams):
    """Returns the stored bytes of a column in codec 2 (14.1)."""
    packed = [min(stream, zstd(stream), key=len) for stream in streams]
    sizes = [varint(len(stream)) + varint(len(stored)) for stream, stored in zip(streams, packed)]
    return varint(len(streams)) + b"".join(sizes) + b"".join(packed)


def trie_of(strings):
    """Returns the empty beginning and the beginnings that at least three of the strings share, in preorder."""
    counts = Counter(string[:size] for string in strings for size in range(1, len(string) + 1))
    return [b""] + sorted(begin for begin, count in counts.items() if count > 2)


def huffman_lengths(counts):
    """Returns the lengths of the Huffman codes for symbols with these counts. A single symbol has a code of one bit."""
    groups = [(count, [symbol]) for symbol, count in sorted(counts.items())]
    lengths = dict.fromkeys(counts, int(len(groups) == 1))
    while len(groups) > 1:
        groups.sort(key=lambda group: group[0])
        (first, some), (second, others) = groups[:2]
        groups[:2] = [(first + second, some + others)]
        for symbol in some + others:
            lengths[symbol] += 1
    return lengths


def huffman_codes(lengths):
    """Returns the string of bits of each symbol, assigned from the lengths as in RFC 1951 (3.2.2)."""
    codes, code, last = {}, 0, 0
    for length, symbol in sorted((length, symbol) for symbol, length in lengths.items()):
        code <<= length - last
        codes[symbol] = "{:0{}b}".format(code, length)
        code, last = code + 1, length
    return codes


def shared(strings, apart=(), change=lambda streams, groups: None, tail=b""):
    """Returns the stored bytes of a column in codec 6 (19.1). Strings whose numbers are in `apart` share no beginning.
    `change` may alter the seven streams and the groups."""
    nodes = trie_of([string for number, string in enumerate(strings) if number not in apart])
    ways = [b"" if number in apart else max(node for node in nodes if string.startswith(node))
            for number, string in enumerate(strings)]
    rests = [[(min(place // 16, 7), string[place]) for place in range(len(way), len(string))]
             for string, way in zip(strings, ways)]
    counts = Counter(code for rest in rests for code in rest)
    lengths = [huffman_lengths({code: count for (at, code), count in counts.items() if at == table}) for table in range(8)]
    tables = [huffman_codes(of) for of in lengths]
    groups = ["".join(tables[table][code] for rest in rests[at:at + 4] for table, code in rest)
              for at in range(0, len(rests), 4)]
    groups = [number(int("0" + group[::-1], 2), (len(group) + 7) // 8) for group in groups]
    numbers = [number(nodes.index(way), 3) for way in ways]
    streams = [b"".join(varint(sum(other[:-1] == node for other in nodes[1:])) for node in nodes),
               b"".join(node[-1:] for node in nodes)] + [bytes(one[place] for one in numbers) for place in range(3)]
    streams += [b"".join(varint(len(group)) for group in groups),
                bytes(of.get(code, 0) | of.get(code + 1, 0) << 4 for of in lengths for code in range(0, 256, 2))]
    change(streams, groups)
    head = fields(streams)
    return varint(len(head)) + head + b"".join(groups) + tail


def coded(symbols, classes, state=2 ** 16):
    """Encodes symbols (14.9). `classes` contains, for each symbol, the slots of its class. `state` is the decoder's
    last state."""
    words = b""
    for symbol, slots in reversed(list(zip(symbols, classes))):
        frequency = sum(slot[0] == symbol for slot in slots)
        if state >> 21 >= frequency:
            words, state = number(state & 0xFFFF, 2) + words, state >> 16
        state = state // frequency * 2048 + slots.index((symbol, frequency, state % frequency))
    return number(state, 4) + words


def identity_of(column):
    return TAG if isinstance(column, tuple) else COLUMN_IDS.get(column, column)


def entry(identity, plain_size, stored, codec=0, flags=1, name=b""):
    """Returns a directory entry (3.2) and the stored bytes of its column."""
    return (bytes([identity, codec, flags]) + varint(len(name)) + name + varint(plain_size) + varint(len(stored))
            + number(xxh64(stored), 8), stored)


def frame(kind, payload, head_size, flags=1, blocks=0, identity=None):
    """Returns a frame after `blocks` blocks. The frame of the archive's first block needs no `identity`."""
    if identity is None:
        identity = check32(payload[:head_size])[:2] if kind == 1 and blocks == 0 else bytes(2)
    header = (b"sFrm" + bytes([kind, flags]) + identity + number(len(payload), 8) + number(head_size, 4)
              + check32(payload[:head_size]) + number(blocks, 4))
    return header + check32(header) + payload


def identity_of_archive(data):
    """Returns the identity of an archive's frames (2.1), which its first block defines. Returns two zero bytes if it
    has no block."""
    at = data.find(b"sFrm\1")
    return data[at + 6:at + 8] if at == 16 else bytes(2)


def archive(blocks, finished=True, more=()):
    """Returns an archive with the blocks and one commit. `more` contains further lists of blocks; a commit follows
    each."""
    header = b"\x8dStamma\n" + b"\0\1" + bytes(2)
    text = header + check32(header)
    totals = [0] * 9
    previous = 0
    for part in (blocks, *more):
        start = len(text)
        places = []
        for block in part:
            places.append(len(text))
            text += frame(1, *block.payload(), blocks=totals[8], identity=identity_of_archive(text) if totals[8] else None)
            totals = list(map(sum, zip(totals, block.totals())))
        text, previous = text + commit(places, part, start, len(text), previous, totals, finished, identity_of_archive(text)), len(text)
    return text


def commit(places, blocks, start, offset, previous, totals, finished=True, identity=bytes(2)):
    """Returns the frame of a commit at `offset`."""
    listed = b""
    for place, block in zip(places, blocks):
        listed += varint(place - start) + varint(block.counts["games"]) + varint(len(block.text))
        start = place
    payload = (number(previous, 8) + bytes([finished]) + b"".join(map(varint, totals)) + varint(len(blocks)) + listed
               + number(offset, 8) + b"StEndCmt")
    return frame(2, payload, len(payload), blocks=totals[8], identity=identity)


def source(offset, size, name, time=0, digest=bytes(32), **of_frame):
    """Returns the frame of a source (7.6)."""
    payload = varint(offset) + varint(size) + digest + varint(time) + name
    return frame(4, payload, of_frame.pop("head_size", len(payload)), of_frame.pop("flags", 0), **of_frame)


def table(blocks, first, previous, offset, number_of_blocks, identity, flags=0, magic=b"StEndTbl", head_size=None):
    """Returns the frame of a table (7.5) at `offset`. `blocks` are its blocks, as (offset, payload size, games, bytes)."""
    end, listed = 0, b""
    for begin, size, games, text in blocks:
        listed += varint(begin - end) + varint(size) + varint(games) + varint(text)
        end = begin + 32 + size
    payload = number(previous, 8) + varint(first) + varint(len(blocks)) + listed + number(offset, 8) + magic
    return frame(3, payload, len(payload) if head_size is None else head_size, flags, number_of_blocks, identity)
