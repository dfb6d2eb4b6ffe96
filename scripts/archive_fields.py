"""Codec 2 of the Stamma archive format (doc/format.md, clause 10): columns of texts as templates and fields.

Plain Python for decode_archive.py, which says what it is for.
"""
from archive_values import Cursor, need, unpacked

STREAMS_MAX = 512
PLAIN_MAX = 2 ** 28
TEMPLATES_MAX = 4096
TEMPLATE_MAX = 250
FIELDS_MAX = 32
KEYS_MAX = 254
KEY_BYTES = 12
DIVISOR_MAX = 1000000
MAGNITUDE_MAX = 2 ** 53
FIELD = 1
NATURAL, DECIMAL, WORD = b"nptu", b"ABCDEF", b"w"
ZERO, LAST, SECOND, SPENT, PRODUCT, OTHER = range(6)
CONTEXTS, USED, LEVELS = 5, 3, 16
CLASSES_MAX, COLUMN_CLASSES_MAX = 32, 512
SYMBOLS_MAX, SLOTS, STATE_LEAST = 240, 2048, 2 ** 16
RESIDUALS, REFERENCES = 7, 5


def read_streams(data, plain_max=PLAIN_MAX):
    """The streams of a column (10.1)."""
    cursor = Cursor(data, "10.1")
    count = cursor.varint()
    need(count <= STREAMS_MAX, "10.1", "%d streams" % count)
    sizes = [(cursor.varint(), cursor.varint()) for _ in range(count)]
    need(sum(plain for plain, _ in sizes) <= plain_max, "10.1", "too large streams")
    streams = []
    for plain, stored in sizes:
        need(stored <= plain, "10.1", "a stream that is larger as stored")
        data = cursor.take(stored)
        streams.append(data if stored == plain else unpacked(data, plain, "10.1"))
        need(len(streams[-1]) == plain, "10.1", "a stream's plain size differs")
    cursor.finish()
    return streams


# ---- templates (10.2) and keys (10.4) ----

class Field:
    def __init__(self, kind, key):
        self.kind = kind
        self.key = key


def read_template(data, keys):
    """A template as a list of bytes and Fields; `keys` are the Keys found so far."""
    need(len(data) <= TEMPLATE_MAX, "10.2", "too long a template")
    parts, at = [], 0
    while at < len(data):
        if data[at] != FIELD:
            parts.append(data[at:at + 1])
            at += 1
            continue
        need(at + 1 < len(data) and data[at + 1] in NATURAL + DECIMAL + WORD, "10.2", "an unknown type of field")
        parts.append(Field(data[at + 1:at + 2], find_key(data, at, keys)))
        at += 2
    need(sum(isinstance(part, Field) for part in parts) <= FIELDS_MAX, "10.2", "too many fields")
    return parts


def find_key(data, at, keys):
    begin = at
    while begin > 0 and at - begin < KEY_BYTES and data[begin - 1] not in b" ,{[(;" and not (
            begin > 1 and data[begin - 2] == FIELD):
        begin -= 1
    kind = data[at + 1:at + 2]
    name = kind.translate(bytes.maketrans(b"DEF", b"ABC")) + data[begin:at]
    for key in keys:
        if key.name == name:
            return key
    need(len(keys) < KEYS_MAX, "10.4", "too many keys")
    keys.append(Key(name))
    return keys[-1]


class Key:
    """The fields of one key: their parameters (10.5), streams (10.6) and history (10.8)."""

    def __init__(self, name):
        self.name = name
        self.is_word = name[:1] == WORD
        self.predictor, self.other, self.another, self.divisor = ZERO, None, None, 1
        self.classes = None
        self.symbols = self.bits = None
        self.last = self.second = 0
        self.first_values = [0, 0]
        self.game = self.seen = 0
        self.folded = [0, 0]

    def read_parameters(self, cursor, keys):
        self.predictor, other, another = cursor.byte(), cursor.byte(), cursor.byte()
        self.divisor = cursor.varint()
        coded = cursor.byte()
        need(self.predictor <= OTHER and 1 <= self.divisor <= DIVISOR_MAX and coded <= 1, "10.5", "unknown parameters")
        need(other < len(keys) and another < len(keys), "10.5", "a key that there is not")
        self.other, self.another = keys[other], keys[another]
        if coded:
            self.classes = Classes(cursor, CONTEXTS)

    def prediction(self):
        if self.predictor == PRODUCT:
            factors = self.other.last, self.another.last
            return factors[0] * factors[1] // 1000 if all(0 <= factor < 2 ** 31 - 1 for factor in factors) else 0
        return {ZERO: lambda: 0, LAST: lambda: self.last, SECOND: lambda: self.second,
                SPENT: lambda: self.second - self.other.last, OTHER: lambda: self.other.last}[self.predictor]()

    def value(self, game):
        if self.game != game:
            self.game, self.seen = game, 0
            self.second, self.last = self.first_values
            self.folded = [0, 0]
        prediction = self.prediction()
        symbol = self.symbols.take(self.classes.find(levels(self))) if self.classes else self.symbols.byte()
        folded = take_number(symbol, self.bits, RESIDUALS)
        difference = unfolded(folded)
        value = prediction + difference * self.divisor
        need(abs(difference) <= MAGNITUDE_MAX // self.divisor and abs(value) <= MAGNITUDE_MAX, "10.8", "too large a value")
        if self.seen < 2:
            self.first_values[self.seen] = value
        self.seen += 1
        self.second, self.last = self.last, value
        self.folded = [folded, self.folded[0]]
        return value


def take_number(symbol, bits, direct):
    """10.7: the number that a symbol and its bits stand for."""
    if symbol < 2 ** direct:
        return symbol
    pair, odd = divmod(symbol - 2 ** direct, 2)
    need(direct - 1 + pair <= 61 and symbol < SYMBOLS_MAX, "10.7", "symbol %d" % symbol)
    return (2 + odd << direct - 1 + pair) + bits.take(direct - 1 + pair)


def unfolded(folded):
    return -(folded // 2) - 1 if folded % 2 else folded // 2


# ---- symbols coded by class (10.9 to 10.12) ----

def levels(key):
    """The level of each context (10.10)."""
    position = key.seen + 1
    top = position.bit_length() - 1
    bucket = 2 * top + (position >> top - 1 & 1) if top > 0 else 0
    numbers = *key.folded, abs(key.first_values[0]), abs(key.other.last)
    return [min(level, LEVELS - 1) for level in (bucket, *(number.bit_length() for number in numbers))]


class Classes:
    """A key's contexts, the tree of its classes (10.11) and their frequencies (10.12)."""

    def __init__(self, cursor, contexts):
        self.contexts = [cursor.byte() for _ in range(USED)]
        need(max(self.contexts) < contexts, "10.11", "an unknown context")
        self.count = 0
        self.tree = self.read_node(cursor, [(0, LEVELS)] * USED)
        self.slots = [read_slots(cursor) for _ in range(self.count)]

    def read_node(self, cursor, ranges):
        """A class's number, or a context's place, a cut, and the trees below and from it on."""
        place, cut = divmod(cursor.byte(), LEVELS)
        if (place, cut) == (0, 0):
            self.count += 1
            need(self.count <= CLASSES_MAX, "10.11", "too many classes")
            return self.count - 1
        need(place < USED and ranges[place][0] < cut < ranges[place][1], "10.11", "a cut at the wrong place")
        below, above = list(ranges), list(ranges)
        below[place], above[place] = (ranges[place][0], cut), (cut, ranges[place][1])
        return place, cut, self.read_node(cursor, below), self.read_node(cursor, above)

    def find(self, levels):
        """The slots of the class that the next symbol is of, by the level of each context."""
        found = [levels[context] for context in self.contexts]
        node = self.tree
        while isinstance(node, tuple):
            place, cut, below, above = node
            node = below if found[place] < cut else above
        return self.slots[node]


def read_slots(cursor):
    """What each slot of a class stands for: a symbol, its frequency, and how far in its slots this one is (10.12)."""
    frequencies = [cursor.varint() for _ in range(cursor.byte())]
    need(len(frequencies) <= SYMBOLS_MAX and sum(frequencies) == SLOTS, "10.12", "frequencies that do not sum to %d" % SLOTS)
    return [(symbol, frequency, i) for symbol, frequency in enumerate(frequencies) for i in range(frequency)]


class Coded:
    """Symbols coded by class (10.9)."""

    def __init__(self, data):
        self.cursor = Cursor(data, "10.9")
        self.state = int.from_bytes(self.cursor.take(4), "little")
        need(self.state >= STATE_LEAST, "10.9", "too small a state")

    def take(self, slots):
        symbol, frequency, offset = slots[self.state % SLOTS]
        self.state = frequency * (self.state // SLOTS) + offset
        if self.state < STATE_LEAST:
            self.state = self.state << 16 | int.from_bytes(self.cursor.take(2), "little")
        return symbol

    def finish(self):
        self.cursor.finish()
        need(self.state == STATE_LEAST, "10.9", "the last state is wrong")


class Bits:
    """A string of bits, the most significant of a byte first."""

    def __init__(self, data):
        self.value = int.from_bytes(data, "big")
        self.left = 8 * len(data)

    def take(self, count):
        need(count <= self.left, "10.7", "too few bits")
        self.left -= count
        return self.value >> self.left & (1 << count) - 1

    def finish(self):
        need(self.left < 8 and self.value & (1 << self.left) - 1 == 0, "10.6", "bits are left over")


# ---- the column ----

def field_text(kind, value):
    """A number as a field of that kind writes it (10.2)."""
    if kind in NATURAL:
        need(value >= 0, "10.2", "a number below 0")
    if kind in (b"n", b"p"):
        return b"%0*d" % (1 + (kind == b"p"), value)
    if kind in (b"t", b"u"):
        seconds, tenth = divmod(value, 10)
        text = b"%0*d:%02d:%02d" % (1 + (kind == b"u"), seconds // 3600, seconds // 60 % 60, seconds % 60)
        return text + (b".%d" % tenth if tenth else b"")
    place = DECIMAL.index(kind)
    decimals = place % 3 + 1
    whole, rest = divmod(abs(value), 10 ** decimals)
    sign = b"-" if value < 0 else b"+" if value > 0 and place >= 3 else b""
    return sign + b"%d.%0*d" % (whole, decimals, rest)


def decode_fields(data, texts_of_games, size_max):
    """The column that `data` stands for; `texts_of_games` says how many texts each game has, or None: one."""
    streams = read_streams(data)
    need(len(streams) >= 4, "10.1", "%d streams" % len(streams))
    keys = []
    cursor = Cursor(streams[0], "10.2")
    templates = []
    while cursor.at < len(cursor.data):
        templates.append(read_template(cursor.text(), keys))
    need(len(templates) <= TEMPLATES_MAX, "10.2", "too many templates")
    give_streams(keys, streams)
    numbers, others = Cursor(streams[1], "10.3"), Cursor(streams[2], "10.3")
    column, size = [], 0
    if texts_of_games is None:
        texts_of_games = iter(lambda: int(numbers.at < len(numbers.data)), 0)
    for game, texts in enumerate(texts_of_games, 1):
        for _ in range(texts):
            number = numbers.varint()
            need(number <= len(templates), "10.3", "template %d of %d" % (number, len(templates)))
            text = others.text() if number == 0 else fill(templates[number - 1], game)
            column.append(text + b"\0")
            size += len(column[-1])
            need(size <= size_max, "10.1", "the column is larger than its entry says")
    for source in [numbers, others] + [source for key in keys for source in (key.symbols, key.bits) if source]:
        source.finish()
    return b"".join(column)


def give_streams(keys, streams):
    parameters = Cursor(streams[3], "10.5")
    at = 4
    for key in keys:
        need(at + (not key.is_word) < len(streams), "10.6", "too few streams")
        if not key.is_word:
            key.read_parameters(parameters, keys)
        key.symbols = Coded(streams[at]) if key.classes else Cursor(streams[at], "10.6")
        at += 1
        if not key.is_word:
            key.bits = Bits(streams[at])
            at += 1
    need(sum(key.classes.count for key in keys if key.classes) <= COLUMN_CLASSES_MAX, "10.11", "too many classes")
    parameters.finish()
    need(at == len(streams), "10.6", "too many streams")


def fill(template, game):
    text = b""
    for part in template:
        if not isinstance(part, Field):
            text += part
        elif part.key.is_word:
            text += part.key.symbols.text()
        else:
            text += field_text(part.kind, part.key.value(game))
    return text
