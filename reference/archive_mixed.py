# SPDX-License-Identifier: MIT
"""Codec 8 of the Stamma archive format (doc/format/block_columns.md, clause 21): mixed tag values."""
import functools

from archive_mixer import MASK, Slots, mixed_hash
from archive_values import Cursor, Decoder, bits_of, need

COLUMNS_MAX, SOURCES, EXPANSION, SLOT_BITS, MODELS_MAX, SLOTS_MAX = 64, 3, 1024, range(12, 23), 8, 12 * 2 ** 20
SPELT, VALUE_MAX = 32, 2 ** 16  # spelt bytes for each stored byte; bytes of a spelt value, with its zero
LIKELY, BYTE = 0, 1
OWN, OTHER = SOURCES, SOURCES + 1  # numbers of the likely values that are the last value of the column and of the other column
LIKE, BELOW, ABOVE = 1, 2, 3
LEVEL_SPELT, LEVEL_LIKELY = 14, 15


def hash_of(text):
    return 0 if text is None else functools.reduce(mixed_hash, (byte + 1 for byte in text), 0) | 1


class Likely:
    """A likely value, and the result of comparing the spelt bytes with it so far (21.8)."""

    def __init__(self, text):
        self.text, self.state = text, LIKE if text is not None else 0

    def byte(self, at):
        return self.text[at] if self.text is not None and at < len(self.text) else 0

    def go_on(self, at, byte):
        if self.state == LIKE and self.byte(at) != byte:
            self.state = BELOW if byte < self.byte(at) else ABOVE


class Texts:
    """The state of a column, or of two columns that share it (21.2)."""

    def __init__(self, slot_bits):
        self.model = Slots(slot_bits)
        self.numbers = {}
        self.memories = [{} for _ in range(SOURCES)]
        self.last, self.histories = [None, None], [0, 0]

    def take(self, decoder, side, sources, most):
        """Returns the next value, and whether it is spelt."""
        hashes = [hash_of(source) for source in sources]
        likely = [memory.get(key >> 16) if key else None for memory, key in zip(self.memories, hashes)]
        likely += [self.last[side], self.last[1 - side]]
        value = self.likely(decoder, side, hashes, likely)
        spelt = value is None
        if spelt:
            value = self.spell(decoder, hashes, likely, most)
        for memory, key in zip(self.memories, hashes):
            if key:
                memory[key >> 16] = value
        self.last[side] = value
        return value, spelt

    def likely(self, decoder, side, hashes, likely):
        """Returns the likely value that the decoder selects, or None (21.7)."""
        a, b, _ = hashes
        for n, text in enumerate(likely):
            if text is None or text in likely[:n]:
                continue
            history, found = self.histories[side], hash_of(text)
            agree = sum((other == text) << m for m, other in enumerate(likely))
            keys = [history & 255, agree << 4 | history & 15, found, mixed_hash(found, a), a, b, mixed_hash(a, b + 1)]
            contexts = [mixed_hash(key, 32 * (2 * n + side) + m) for m, key in enumerate(keys, 1)]
            bit = self.model.bit(decoder, LIKELY, contexts, 0, 64 * side + 8 * n + (history & 7))
            self.histories[side] = history << 1 & 255 | bit
            if bit:
                return text
        return None

    def spell(self, decoder, hashes, likely, most):
        """Decodes a spelt value (21.8)."""
        likely = [Likely(text) for text in likely]
        value, prefix, word = b"", 0, 0
        while True:
            at, byte = len(value), 1
            need(at < most, "21.8", "a value that is longer than its column may spell")
            before = int.from_bytes(value[-6:], "big")
            last = before & MASK
            place = min(at, 255)
            keys = [0, last & 0xFFFF, last & 0xFFFFFF, last, mixed_hash(last, before >> 32), prefix,
                    *(mixed_hash(prefix, found) for found in hashes), word,
                    place << 16 | likely[OWN].byte(at) << 8 | likely[OWN].state,
                    place << 24 | (last & 255) << 16 | likely[0].byte(at) << 8 | likely[0].state]
            contexts = [mixed_hash(key, n * 0x10000001) for n, key in enumerate(keys, 1)]
            for left in range(7, -1, -1):
                like = sum((other.state == LIKE and (other.byte(at) | 256) >> left + 1 == byte) << m
                           for m, other in enumerate((likely[0], likely[1], likely[OWN])))
                number = 128 + 64 * like + 8 * min(at, 7) + left
                byte = 2 * byte + self.model.bit(decoder, BYTE, contexts, byte, number)
            byte &= 255
            if byte == 0:
                return value
            for other in likely:
                other.go_on(at, byte)
            prefix = mixed_hash(prefix, byte + 1)
            letter = byte >= 128 or bytes([byte]).isalnum()
            word = mixed_hash(word, byte + 1) if letter else 0
            value += bytes([byte])


class MixedTags:
    """A tag column in codec 8."""
    post_game = False

    def __init__(self, plain_size, stored, columns):
        cursor = Cursor(stored, "21.2")
        slot_bits, count = cursor.unpack("BB")
        self.sources = [cursor.byte() for _ in range(count)]
        need(plain_size // EXPANSION <= len(stored), "21.1", "too large a plain size")
        need(len(columns) < COLUMNS_MAX and count <= SOURCES, "21.2", "%d sources" % count)
        need(all(source < len(columns) for source in self.sources), "21.2", "a source that is not before the column")
        need(slot_bits == 0 or slot_bits in SLOT_BITS, "21.2", "slots")
        self.is_second, self.slots = slot_bits == 0, 1 << slot_bits if slot_bits else 0
        before = columns[-1] if columns else None
        if self.is_second:
            need(isinstance(before, MixedTags) and not before.is_second, "21.2", "no column before it to share a model with")
        models = [tag for tag in columns if isinstance(tag, MixedTags) and tag.slots] + [self]
        need(sum(tag.slots for tag in models) <= SLOTS_MAX and sum(tag.slots > 0 for tag in models) <= MODELS_MAX, "21.2",
             "too many slots")
        self.texts = before.texts if self.is_second else Texts(slot_bits)
        self.decoder = Decoder(bits_of(stored[cursor.at:]))
        self.left, self.spelt_left = plain_size, SPELT * len(stored) + 4096

    def take(self, column, now):
        sources = [now.texts.get(source) for source in self.sources] + [None] * (SOURCES - len(self.sources))
        most = min(self.left, self.spelt_left, VALUE_MAX)
        value, spelt = self.texts.take(self.decoder, self.is_second, sources, most)
        self.spelt_left -= (len(value) + 1) * spelt
        numbers = self.texts.numbers
        now.levels[column] = LEVEL_LIKELY if not spelt else LEVEL_SPELT if value in numbers else 0
        now.indices[column] = numbers.setdefault(value, len(numbers) + 1)
        now.texts[column] = value
        self.left -= len(value) + 1
        need(self.left >= 0, "3.2", "a tag column is longer than its plain size")
        return value

    def finish(self):
        self.decoder.end_bytes()
        need(self.left == 0, "3.2", "the plain size of a tag column differs")
