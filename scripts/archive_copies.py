"""Codec 3 of the Stamma archive format (doc/format.md, clause 14): tag values that rules give.

Plain Python for decode_archive.py, which says what it is for.
"""
from archive_fields import decode_fields
from archive_records import BEGIN, END, ENDS, read_rosters
from archive_values import Cursor, need, unpacked, xxh64

COLUMNS_MAX = 64
RULES_MAX = 4
LITERALS_MAX = 4194304
SAME, BEFORE = 0, 1
NOTHING, LAST_COLUMN, LAST_PREFIX = 0, 64, 127


def unpack(stored, codec, size, clause):
    need(codec == 0 or len(stored) < size, clause, "a stored size that is not the smaller one")
    plain = unpacked(stored, size, clause) if codec == 1 else stored
    need(len(plain) == size, clause, "a plain size differs")
    return plain


class Copies:
    """A tag column (14.2); without rules where it has another codec."""

    def __init__(self, plain_size, plain=None, stored=None):
        self.rules, self.symbols = [], Cursor(b"", "14.2")
        self.plain_size = plain_size
        self.out = []
        if stored is None:
            self.literals = Cursor(plain, "3.5")
            return
        cursor = Cursor(stored, "14.2")
        count = cursor.byte()
        need(count <= RULES_MAX, "14.2", "%d rules" % count)
        self.rules = [(cursor.byte(), cursor.byte()) for _ in range(count)]
        for kind, what in self.rules:
            need(kind <= BEFORE and what <= LAST_PREFIX, "14.4", "rule %d of %d" % (kind, what))
            need(kind == BEFORE or NOTHING < what <= LAST_COLUMN, "14.4", "a rule that names no column")
        self.maps = [{} for _ in self.rules]
        size, packed_size = cursor.varint(), cursor.varint()
        self.symbols = Cursor(unpack(cursor.take(packed_size), int(packed_size != size), size, "14.2"), "14.2")
        self.literals = Cursor(self.read_literals(cursor), "14.2")

    def read_literals(self, cursor):
        codec, size = cursor.byte(), cursor.varint()
        need(codec <= 2 and size <= self.plain_size, "14.2", "literals of codec %d and size %d" % (codec, size))
        count = cursor.varint() if codec == 2 else 0
        need(count <= LITERALS_MAX, "14.2", "too many literals")
        stored = cursor.take(len(cursor.data) - cursor.at)
        if codec < 2:
            return unpack(stored, codec, size, "14.2")
        plain = decode_fields(stored, [1] * count, size)
        need(len(plain) == size, "14.2", "the literals' plain size differs")
        return plain

    def take(self, now, codes):
        """The next value (14.3, 14.4); `now` are the values of the record so far, by column."""
        keys = [key_of(what, now, codes) for _, what in self.rules]
        symbol = self.symbols.byte() if self.rules else 0
        need(symbol <= len(self.rules), "14.3", "rule %d of %d" % (symbol, len(self.rules)))
        if symbol == 0:
            value = self.literals.text()
        else:
            kind, what = self.rules[symbol - 1]
            value = now.get(what - 1) if kind == SAME else self.maps[symbol - 1].get(keys[symbol - 1])
            need(value is not None, "14.3", "a rule that gives no value")
        for number, key in enumerate(keys):
            self.maps[number][key] = value
        self.out.append(value + b"\0")
        return value

    def finish(self):
        self.symbols.finish()
        self.literals.finish()
        plain = b"".join(self.out)
        need(len(plain) == self.plain_size, "3.2", "the plain size of a tag column differs")
        return plain


def key_of(what, now, codes):
    if what == NOTHING:
        return 0
    text = now.get(what - 1) if what <= LAST_COLUMN else codes[:what - LAST_COLUMN]
    return 0 if text is None else 1 + (xxh64(text) & 2 ** 31 - 1)


def main_line_sizes(events, records):
    """How many moves the main line of each record has (4.4)."""
    cursor, sizes = Cursor(events, "3.5, column events"), []
    for _ in range(records):
        size = depth = 0
        kind = None
        while kind not in ENDS:
            event = cursor.byte()
            kind, moves = event & 15, event >> 4
            if moves == 15:
                moves += cursor.varint()
            size += moves if depth == 0 else 0
            depth = depth + 1 if kind == BEGIN else max(depth - 1, 0) if kind == END else depth
        sizes.append(size)
    return sizes


def plain_tags(columns, tags, records):
    """The contents of the tag columns; `tags` are Copies, `columns` the other columns by name."""
    if not any(tag.rules for tag in tags):
        need(all(len(tag.literals.data) == tag.plain_size for tag in tags), "3.2", "a tag column's plain size differs")
        return [tag.literals.data for tag in tags]
    rosters = read_rosters(Cursor(columns.get("roster-list", b""), "3.5"), len(tags))
    numbers = Cursor(columns.get("rosters", b""), "3.5")
    codes = Cursor(columns.get("moves", b""), "3.5")
    for size in main_line_sizes(columns.get("events", b""), records):
        number = numbers.varint()
        need(number < len(rosters), "5.3", "roster %d of %d" % (number, len(rosters)))
        line, now = codes.take(size), {}
        for tag in rosters[number]:
            now[tag] = tags[tag].take(now, line)
    return [tag.finish() for tag in tags]
