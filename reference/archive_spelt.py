# SPDX-License-Identifier: MIT
"""Spelt texts of codec 10 of the Stamma archive format (doc/format/block_columns.md, clauses 22.3 and 22.4)."""
from archive_mixed import LIKE, SLOTS_MAX, Likely
from archive_mixer import MASK, Slots, mixed_hash
from archive_values import Cursor, Decoder, bits_of, need

RATIO, MORE, TEXT_MAX = 32, 4096, 2 ** 16


class SpeltTexts:
    """Texts that are read one after another."""

    def __init__(self, stored, slots_before):
        cursor = Cursor(stored, "22.3")
        self.left = cursor.varint()
        coded = stored[cursor.at:]
        need(self.left <= RATIO * len(coded) + MORE, "22.3", "too many bytes of texts")
        bits = min(max((8 * self.left).bit_length(), 12), 22)
        self.slots = 1 << bits
        need(self.slots + slots_before <= SLOTS_MAX, "21.2", "too many slots")
        self.model, self.decoder, self.last = Slots(bits), Decoder(bits_of(coded)), None

    def has_more(self):
        return self.left > 0

    def text(self):
        last, text, prefix, word = Likely(self.last), b"", 0, 0
        while True:
            need(self.left > 0 and len(text) < TEXT_MAX, "22.3", "a text that is too long")
            at, node, before = len(text), 1, int.from_bytes(text[-4:], "big") & MASK
            place = min(at, 255)
            keys = [0, before & 0xFFFF, before & 0xFFFFFF, before, prefix, word,
                    place << 16 | last.byte(at) << 8 | last.state, place << 24 | (before & 255) << 16]
            contexts = [mixed_hash(key, n * 0x10000001) for n, key in enumerate(keys, 1)]
            for rest in range(7, -1, -1):
                like = last.state == LIKE and (last.byte(at) | 256) >> rest + 1 == node
                node = 2 * node + self.model.bit(self.decoder, 0, contexts, node, 64 * like + 8 * min(at, 7) + rest)
            byte = node & 255
            self.left -= 1
            if byte == 0:
                self.last = text
                return text
            last.go_on(at, byte)
            prefix = mixed_hash(prefix, byte + 1)
            word = mixed_hash(word, byte + 1) if byte >= 128 or bytes([byte]).isalnum() else 0
            text += bytes([byte])

    def finish(self):
        need(self.left == 0, "22.3", "texts that are not used")
        self.decoder.end_bytes()
