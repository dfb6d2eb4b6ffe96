# SPDX-License-Identifier: MIT
"""Codec 2 of the Stamma archive format (doc/format/block_columns.md, clause 14): columns of texts stored as templates and
fields."""
import re

from archive_mixer import Direct, mixed_hash
from archive_values import Cursor, Decoder, bits_of, divided, finish, need, unpacked

STREAMS_MAX = 512
TEMPLATES_MAX, TEMPLATE_MAX, FIELDS_MAX, KEYS_MAX = 4096, 250, 32, 254
DIVISOR_MAX, MAGNITUDE_MAX = 1000000, 2 ** 53
FIELD = re.compile(rb"\x01(.)", re.S)
KEY_BYTES = re.compile(rb"[^ ,{\[(;]{0,12}\Z")
WORD = b"w"
ZERO, LAST, SECOND, SPENT, PRODUCT, OTHER = range(6)
CONTEXTS, USED, LEVELS = 5, 3, 16
CLASSES_MAX, COLUMN_CLASSES_MAX = 32, 512
SYMBOLS_MAX, SLOTS, STATE_LEAST = 240, 2048, 2 ** 16
RESIDUALS, REFERENCES = 7, 5  # log2(N)
CODED, MIXED = 1, 2
MIXED_KEYS_MAX, MAP_BITS, SIZES = 8, range(12, 21), 54


def read_streams(data, plain_max, clause="14.1", expected=None):
    """Returns the streams of a column, unpacked (14.1). `clause` specifies the number of streams, if it is fixed."""
    cursor = Cursor(data, "14.1")
    count = cursor.varint()
    need(count <= STREAMS_MAX, "14.1", "%d streams" % count)
    need(expected in (None, count), clause, "%d streams" % count)
    sizes = [(cursor.varint(), cursor.varint()) for _ in range(count)]
    need(sum(plain for plain, _ in sizes) <= plain_max, "14.1", "too large streams")
    streams = []
    for plain, stored in sizes:
        data = cursor.take(stored)
        streams.append(unpacked(data, plain, "14.1") if stored < plain else data)
        need(len(streams[-1]) == plain, "14.1", "a stream's plain size differs")
    cursor.finish()
    return streams


def read_template(data, keys):
    """Returns the parts of a template, as (text, kind of the field after it, Key). `keys`, by name, receives new keys."""
    *parts, end = FIELD.split(data)
    texts, kinds = parts[::2], parts[1::2]
    need(len(data) <= TEMPLATE_MAX and len(kinds) <= FIELDS_MAX, "14.2", "too long a template")
    need(all(kind in b"nptuABCDEFw" for kind in kinds) and b"\1" not in end, "14.2", "an unknown type of field")
    fields = []
    for text, kind in zip(texts, kinds):
        name = kind.translate(bytes.maketrans(b"DEF", b"ABC")) + KEY_BYTES.search(text)[0]
        fields.append((text, kind, keys.setdefault(name, Key(kind == WORD))))
    need(len(keys) <= KEYS_MAX, "14.4", "too many keys")
    return fields + [(end, None, None)]


class Key:
    """The fields of one key: their parameters (14.5), streams (14.6) and history (14.8)."""

    def __init__(self, is_word):
        self.is_word = is_word
        self.classes = self.mixer = self.symbols = self.bits = None
        self.last = self.second = self.game = self.seen = 0
        self.first_values, self.folded = [0, 0], [0, 0]

    def read_parameters(self, cursor, keys):
        self.predictor, other, another = cursor.unpack("BBB")
        self.divisor, coded = cursor.varint(), cursor.byte()
        need(self.predictor <= OTHER and 1 <= self.divisor <= DIVISOR_MAX and coded <= MIXED, "14.5", "unknown parameters")
        need(other < len(keys) and another < len(keys), "14.5", "a key that there is not")
        self.other, self.another = keys[other], keys[another]
        if coded == CODED:
            self.classes = Classes(cursor, CONTEXTS)
        elif coded == MIXED:
            self.mixer = Mixer(cursor.byte())

    def prediction(self):
        other, another = self.other.last, self.another.last
        product = other * another // 1000 if 0 <= min(other, another) and max(other, another) < 2 ** 31 - 1 else 0
        return (0, self.last, self.second, self.second - other, product, other)[self.predictor]

    def levels(self):
        """Returns the level of each context (14.10)."""
        position = self.seen + 1
        top = position.bit_length() - 1
        bucket = 2 * top + (position >> top - 1 & 1) if top > 0 else 0
        numbers = *self.folded, abs(self.first_values[0]), abs(self.other.last)
        return [min(level, LEVELS - 1) for level in (bucket, *(number.bit_length() for number in numbers))]

    def value(self, game):
        if self.game != game:
            self.game, self.seen = game, 0
            self.second, self.last = self.first_values
            self.folded = [0, 0]
        folded, residual = None, self.mixer.take(self) if self.mixer else None
        if residual is None:
            symbol = self.symbols.take(self.classes.find(self.levels())) if self.classes else self.symbols.byte()
            folded = take_number(symbol, self.bits, RESIDUALS)
            residual = unfolded(folded)
        value = self.prediction() + residual * self.divisor
        need(abs(residual) <= MAGNITUDE_MAX // self.divisor and abs(value) <= MAGNITUDE_MAX, "14.8", "too large a value")
        if self.seen < 2:
            self.first_values[self.seen] = value
        self.seen += 1
        self.second, self.last = self.last, value
        self.folded = [folded, self.folded[0]]
        return value

    def give(self, stream):
        """Sets the stream from which the key's symbols are read (14.6)."""
        if self.mixer:
            self.mixer.begin(stream)
        self.symbols = self.mixer or (Coded(stream) if self.classes else Cursor(stream, "14.6"))


class Mixer:
    """Residuals of a key by the mixed coder (14.13, 14.14)."""

    def __init__(self, bits):
        need(bits in MAP_BITS, "14.13", "2^%d maps" % bits)
        self.model, self.residuals, self.means = Direct(bits), [0] * 6, [0, 0]

    def begin(self, data):
        self.decoder, self.most = Decoder(bits_of(data)), 512 * len(data) + 4096

    def finish(self):
        self.decoder.end_bytes()

    def contexts(self, key):
        r, level = self.residuals, quarter_octave(key.second)
        first = abs(key.first_values[0]) + 2
        size = first.bit_length()
        first = first if size <= 5 else (first >> size - 5) + 32 * size
        octaves = 0
        for residual in (r[1], r[3], r[5], r[0]):
            octaves = 64 * octaves + 2 * residual.bit_length() + (residual > 0)
        mean = quarter_octave(divided(self.means[key.seen % 2], 16))
        keys = level << 16 | first, min(key.seen, 255) << 16 | first, mean << 16 | level, octaves
        return [mixed_hash(found, n) for n, found in enumerate(keys, 1)]

    def take(self, key):
        need(self.most > 0, "14.13", "more values than the string may have")
        self.most -= 1
        if key.seen == 0:
            self.residuals, self.means = [0] * 6, [0, 0]
        contexts = self.contexts(key)

        def decide(node, number):
            return self.model.bit(self.decoder, 0, contexts, node % 2 ** 32, number)

        residual = 0
        if not decide(0, 0):
            below, size, residual = decide(1, 1), 0, 1
            while not decide(2 + 2 * size + below, 2 + size):
                size += 1
                need(size < SIZES, "14.14", "too large a residual")
            for n in range(size):
                residual = 2 * residual + decide(128 * residual + 2 * size + below, 64 + 16 * size + min(n, 15))
            residual = -residual if below else residual
        self.residuals = [residual] + self.residuals[:5]
        mean, place = self.means, key.seen % 2
        mean[place] += divided(16 * residual - mean[place], min(5, key.seen // 2 + 1))
        return residual


def quarter_octave(x):
    size = abs(x).bit_length()
    level = abs(x) if size < 3 else 4 * size - 8 + (abs(x) >> size - 3 & 3)
    return 2 * level + (x >= 0)


def take_number(symbol, bits, direct):
    """Returns the number that a symbol and its bits encode (14.7); N is 2 ** direct."""
    if symbol < 2 ** direct:
        return symbol
    pair, odd = divmod(symbol - 2 ** direct, 2)
    count = direct - 1 + pair
    need(count <= 61 and symbol < SYMBOLS_MAX, "14.7", "symbol %d" % symbol)
    return (2 + odd << count) + bits.take(count)


def unfolded(folded):
    return -(folded // 2) - 1 if folded % 2 else folded // 2


class Classes:
    """The contexts, the decision tree of the classes (14.11) and the frequencies of each class (14.12)."""

    def __init__(self, cursor, contexts):
        self.contexts = cursor.unpack("%dB" % USED)
        need(max(self.contexts) < contexts, "14.11", "an unknown context")
        self.count = 0
        self.tree = self.read_node(cursor, [range(LEVELS)] * USED)
        self.slots = [read_slots(cursor) for _ in range(self.count)]

    def read_node(self, cursor, levels):
        """Returns the number of a class, or the context's place, the cut, and the nodes below and from the cut on."""
        place, cut = divmod(cursor.byte(), LEVELS)
        if (place, cut) == (0, 0):
            self.count += 1
            need(self.count <= CLASSES_MAX, "14.11", "too many classes")
            return self.count - 1
        need(place < USED and cut in levels[place][1:], "14.11", "a cut at the wrong place")
        before, after = levels[:place], levels[place + 1:]
        lower, higher = range(levels[place][0], cut), range(cut, levels[place][-1] + 1)
        return (place, cut, self.read_node(cursor, before + [lower] + after),
                self.read_node(cursor, before + [higher] + after))

    def find(self, levels):
        """Returns the slots of the class of the next symbol. `levels` has the level of each context."""
        node = self.tree
        while isinstance(node, tuple):
            place, cut, below, above = node
            node = below if levels[self.contexts[place]] < cut else above
        return self.slots[node]


def read_slots(cursor):
    """Returns for each slot of a class (14.12) the symbol, its frequency, and the slot's number in the symbol's slots."""
    frequencies = [cursor.varint() for _ in range(cursor.byte())]
    need(len(frequencies) <= SYMBOLS_MAX and sum(frequencies) == SLOTS, "14.12", "frequencies that do not sum to %d" % SLOTS)
    return [(symbol, frequency, i) for symbol, frequency in enumerate(frequencies) for i in range(frequency)]


class Coded:
    """Decodes symbols coded by class (14.9)."""

    def __init__(self, data):
        self.cursor = Cursor(data, "14.9")
        self.state, = self.cursor.unpack("I")
        need(self.state >= STATE_LEAST, "14.9", "too small a state")

    def take(self, slots):
        symbol, frequency, offset = slots[self.state % SLOTS]
        self.state = frequency * (self.state // SLOTS) + offset
        if self.state < STATE_LEAST:
            self.state = self.state << 16 | self.cursor.unpack("H")[0]
        return symbol

    def finish(self):
        self.cursor.finish()
        need(self.state == STATE_LEAST, "14.9", "the last state is wrong")


class Bits:
    """A string of bits; the most significant bit of a byte is first."""

    def __init__(self, data):
        self.value, self.left = int.from_bytes(data, "big"), 8 * len(data)

    def take(self, count):
        need(count <= self.left, "14.7", "too few bits")
        self.left -= count
        return self.value >> self.left & (1 << count) - 1

    def finish(self):
        need(self.left < 8 and self.value & (1 << self.left) - 1 == 0, "14.6", "bits are left over")


def field_text(kind, value):
    """Returns a number as a field of this kind writes it (14.2)."""
    digits = 2 if kind in b"pu" else 1
    if kind in b"nptu":
        need(value >= 0, "14.2", "a number below 0")
    if kind in b"np":
        return b"%0*d" % (digits, value)
    if kind in b"tu":
        seconds, tenth = divmod(value, 10)
        text = b"%0*d:%02d:%02d" % (digits, seconds // 3600, seconds // 60 % 60, seconds % 60)
        return text + (b".%d" % tenth if tenth else b"")
    place = b"ABCDEF".index(kind)
    decimals = place % 3 + 1
    whole, rest = divmod(abs(value), 10 ** decimals)
    sign = b"-" if value < 0 else b"+" if value > 0 and place >= 3 else b""
    return sign + b"%d.%0*d" % (whole, decimals, rest)


def give_streams(keys, parameters, streams):
    """Assigns its parameters (14.5) and streams (14.6) to each key."""
    need(len(streams) == sum(2 - key.is_word for key in keys), "14.6", "%d streams of keys" % len(streams))
    streams = iter(streams)
    for key in keys:
        if not key.is_word:
            key.read_parameters(parameters, keys)
        key.give(next(streams))
        key.bits = Bits(b"" if key.is_word else next(streams))
        need(not key.mixer or key.bits.left == 0, "14.13", "bits of a mixed key")
    need(sum(key.mixer is not None for key in keys) <= MIXED_KEYS_MAX, "14.13", "too many mixed keys")
    need(sum(key.classes.count for key in keys if key.classes) <= COLUMN_CLASSES_MAX, "14.11", "too many classes")
    parameters.finish()


def fill(template, game):
    filled = b""
    for text, kind, key in template:
        filled += text
        if key:
            filled += key.symbols.text() if key.is_word else field_text(kind, key.value(game))
    return filled


def decode_fields(data, texts_of_games, size_max):
    """Decodes a column in codec 2. `texts_of_games`: the number of texts of each game; None: one text per game."""
    streams = read_streams(data, 2 * size_max + 65536)
    need(len(streams) >= 4, "14.1", "%d streams" % len(streams))
    templates, numbers, others, parameters = (Cursor(stream, "14") for stream in streams[:4])
    keys, filled = {}, []
    while templates.has_more():
        filled.append(read_template(templates.text(), keys))
    need(len(filled) <= TEMPLATES_MAX, "14.2", "too many templates")
    give_streams(list(keys.values()), parameters, streams[4:])
    column, size = [], 0
    if texts_of_games is None:
        texts_of_games = iter(lambda: int(numbers.has_more()), 0)
    for game, texts in enumerate(texts_of_games, 1):
        for _ in range(texts):
            number = numbers.varint()
            need(number <= len(filled), "14.3", "template %d of %d" % (number, len(filled)))
            column.append((fill(filled[number - 1], game) if number else others.text()) + b"\0")
            size += len(column[-1])
            need(size <= size_max, "14.1", "the column is larger than its entry says")
    finish(numbers, others, *(source for key in keys.values() for source in (key.symbols, key.bits)))
    return b"".join(column)
