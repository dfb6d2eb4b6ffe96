"""Codec 4 of the Stamma archive format (doc/format.md, clause 15): tag values that are numbers.

Plain Python for decode_archive.py, which says what it is for.
"""
from archive_fields import Bits, read_streams, take_folded, unfolded
from archive_values import Cursor, need, xxh64

COLUMNS_MAX = 64
PREDICTORS_MAX = 4
TURNS = 4
NUMBER_MAX = 2 ** 24
KEYS = 2 ** 31
LITERAL = 255


def text_key(text):
    """The key of a text (14.4), None where there is none."""
    return None if text is None else 1 + xxh64(text) % KEYS


class Predictor:
    """One predictor (15.2); `memory` may be another column's too (15.4)."""

    def __init__(self, cursor):
        self.keys = [cursor.byte(), cursor.byte()]
        self.base, self.way = cursor.byte(), cursor.byte()
        need(max(self.keys) <= COLUMNS_MAX and self.base & 127 <= COLUMNS_MAX, "15.2", "a column past %d" % COLUMNS_MAX)
        need(self.way & 3 < 3, "15.4", "way %d" % self.way)
        self.foretold, self.slowness = (self.way & 3) - 1, self.way >> 5
        self.remembered = (self.way >> 2 & 3) - 1 if self.way >> 2 & 3 < 3 else None
        self.shared = bool(self.way & 16)
        self.memory = {}

    def apply(self, keys, numbers):
        """The key and the base in this record, or None where one is not known."""
        parts = [keys.get(key - 1) if key else 0 for key in self.keys]
        base = numbers.get((self.base & 127) - 1, 0 if self.base in (0, *range(128, 256)) else None)
        return None if None in parts or base is None else ((31 * parts[0] + parts[1]) % KEYS, base)

    def foretell(self, applied):
        """The number, or None."""
        if applied is None:
            return None
        key, base = applied
        memory = 0 if self.remembered is None else self.memory.get(key)
        return None if memory is None else (memory + 8) // 16 + self.foretold * base

    def learn(self, applied, value):
        if applied is None or self.remembered is None:
            return
        key, base = applied
        now = 16 * (value + self.remembered * base)
        last = self.memory.get(key, now)
        self.memory[key] = last + (now - last) // 2 ** self.slowness


class Numbers:
    """A tag column in codec 4."""

    def __init__(self, plain_size, stored):
        cursor = Cursor(stored, "15.2")
        form, count = cursor.byte(), cursor.byte()
        need(form < 2 * TURNS and count <= PREDICTORS_MAX, "15.2", "form %d, %d predictors" % (form, count))
        self.turn, self.plus = form % TURNS, form >= TURNS
        self.predictors = [Predictor(cursor) for _ in range(count)]
        streams = read_streams(cursor.take(len(stored) - cursor.at))
        need(len(streams) == 2 * count + 3, "15.2", "%d streams" % len(streams))
        need(sum(map(len, streams)) <= plain_size, "15.2", "streams larger than the column")
        self.symbols = [Cursor(stream, "15.2") for stream in streams[:-1:2]]
        self.bits = [Bits(stream) for stream in streams[1::2]]
        self.literals = Cursor(streams[-1], "15.2")
        self.plain_size, self.out = plain_size, []

    def join(self, twin):
        """Gives predictors that share it the memory of the twin that stands before (15.4)."""
        for own, other in zip(self.predictors, twin.predictors):
            own.memory = other.memory if own.shared else own.memory

    def foretells_first(self, keys, numbers):
        return bool(self.predictors) and self.predictors[0].foretell(self.predictors[0].apply(keys, numbers)) is not None

    def take(self, column, keys, numbers):
        """The next value; what is known of it goes into the two dictionaries."""
        applied = [predictor.apply(keys, numbers) for predictor in self.predictors]
        foretold = [predictor.foretell(each) for predictor, each in zip(self.predictors, applied)]
        which = next((i for i, value in enumerate(foretold) if value is not None), len(foretold))
        symbol = self.symbols[which].byte()
        if symbol == LITERAL:
            text = self.literals.text()
        else:
            value = (foretold + [0])[which] + unfolded(take_folded(symbol, self.bits[which]))
            need(abs(value) <= NUMBER_MAX, "15.4", "the number %d" % value)
            text = (b"%+d" if self.plus else b"%d") % value
            for predictor, each in zip(self.predictors, applied):
                predictor.learn(each, value)
            keys[column], numbers[column] = 1 + value % KEYS, value
        self.out.append(text + b"\0")

    def finish(self):
        for source in self.symbols + self.bits + [self.literals]:
            source.finish()
        plain = b"".join(self.out)
        need(len(plain) == self.plain_size, "3.2", "the plain size of a tag column differs")
        return plain


def take_numbers(roster, tags, now):
    """Takes the numbers of a record (15.3); `now` is remembered of its other values, by column."""
    waiting = sorted(tag for tag in roster if isinstance(tags[tag], Numbers))
    need(len(set(waiting)) == len(waiting), "15.1", "a column of numbers twice in a roster")
    keys = {column: text_key(text) for column, text in now.items()}
    numbers = {}
    for turn in range(TURNS):
        for foretold in True, False:
            for tag in [tag for tag in waiting if tags[tag].turn == turn]:
                if not foretold or tags[tag].foretells_first(keys, numbers):
                    tags[tag].take(tag, keys, numbers)
                    waiting.remove(tag)
