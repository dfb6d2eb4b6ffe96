# SPDX-License-Identifier: MIT
"""Builds the data that the mixed coder stores (doc/format/block_columns.md), for hand-made archives: tag columns in codec 8
(clause 21), spelt texts (22.3) and numbers of fields (14.13). Uses the decoder's models, with decisions that are known in advance.
archive_builder.py puts the results into blocks.
"""
from collections import namedtuple

import archive_fields
import archive_mixed
import archive_mixer
import archive_spelt
from archive_mixed import BYTE, hash_of
from archive_mixer import mixed_hash
from archive_builder import varint
from predicted_builder import bytes_of

Column = namedtuple("Column", "name sources")  # sources: numbers of columns before this column


class Symbols(list):
    """Replaces a decoder: returns `bit` and records it."""

    def take(self, frequencies):
        self.append((frequencies, 1 - self.bit))
        return 1 - self.bit


class Model(archive_mixer.Slots):
    """A model that makes the decisions for `value`."""

    def bit(self, symbols, kind, contexts, node, number):
        if kind == BYTE:
            left = (number - 128) % 8
            symbols.bit = (self.value + b"\0")[self.at] >> left & 1
            self.at += left == 0
        else:
            side, place = divmod(number, 64)
            salt = 32 * (2 * (place // 8) + side) + 3
            symbols.bit = int(contexts[2] == mixed_hash(hash_of(self.value), salt))
        return super().bit(symbols, kind, contexts, node, number)


def mixed(table, *columns, slot_bits=12, change=lambda string: string, sources=None, shared=False):
    """Returns the stored bytes of a column, or of two columns that share a model, by name. `table` is a list of games,
    each a dictionary of the values of all columns. `change` is applied to the first column's string. `sources` and
    `shared` replace the first column's parameters."""
    texts, names = archive_mixed.Texts(slot_bits), list(table[0])
    texts.model, symbols = Model(slot_bits), [Symbols() for _ in columns]
    for game in table:
        for side, column in enumerate(columns):
            value = game[column.name]
            if value is None:
                continue
            values = [game[names[source]] for source in column.sources]
            texts.model.value, texts.model.at = value, 0
            found, _ = texts.take(symbols[side], side, values + [None] * (3 - len(values)), 2 ** 24)
            assert found == value
    stored = {}
    for side, column in enumerate(columns):
        given = bytes(column.sources if sources is None else sources)
        parameters = bytes([0 if side or shared else slot_bits, len(given)]) + given
        string = bytes_of(symbols[side])
        stored[column.name] = 8, parameters + (string if side else change(string))
    return stored


class Letters(archive_mixer.Slots):
    """A model that makes the decisions for the texts."""

    def bit(self, symbols, kind, contexts, node, number):
        symbols.bit = self.bytes[0] >> number % 8 & 1
        self.bytes = self.bytes[number % 8 == 0:]
        return super().bit(symbols, kind, contexts, node, number)


def spelt(*texts, change=lambda size, string: (size, string)):
    """Returns the stream of spelt texts. `change` is applied to the size of the texts and to their string."""
    data = b"".join(text + b"\0" for text in texts)
    reader = archive_spelt.SpeltTexts(varint(len(data)) + data, 0)
    reader.model, reader.decoder = Letters(reader.slots.bit_length() - 1), Symbols()
    reader.model.bytes = data
    assert tuple(reader.text() for _ in texts) == texts
    size, string = change(len(data), bytes_of(reader.decoder))
    return varint(size) + string


class Cells(archive_mixer.Direct):
    """A model that makes the decisions in `bits`."""

    def bit(self, symbols, kind, contexts, node, number):
        symbols.bit = self.bits.pop(0)
        return super().bit(symbols, kind, contexts, node, number)


class Numbers(archive_fields.Mixer):
    """A mixer that encodes the given residuals."""

    def __init__(self, map_bits, residuals):
        super().__init__(map_bits)
        self.model, self.decoder, self.left, self.most = Cells(map_bits), Symbols(), list(residuals), len(residuals)

    def take(self, key):
        residual = self.left.pop(0)
        size = abs(residual).bit_length()
        below = [0] * (size - 1) + [1] + list(map(int, format(abs(residual), "b")[1:]))
        self.model.bits = [0, int(residual < 0)] + below if residual else [1]
        assert super().take(key) == residual
        return residual


def numbers(residuals, map_bits=12, predictor=2, divisor=1):
    """Returns the string of the residuals of a key in one game."""
    key = archive_fields.Key(False)
    key.predictor, key.divisor, key.other, key.another = predictor, divisor, key, key
    key.mixer = Numbers(map_bits, residuals)
    for _ in residuals:
        key.value(1)
    return bytes_of(key.mixer.decoder)
