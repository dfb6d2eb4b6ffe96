# SPDX-License-Identifier: MIT
"""The columns of moves of the Stamma archive format (doc/format/archive.md, doc/format/block_columns.md): move codes (clause 5.2),
codecs 4 and 5, which use the predictors of doc/format/predictor.md (clauses 16, 17), and codec 6, which stores codes with shared
beginnings (19)."""
import copy
import functools
import itertools
import re
from collections import namedtuple

import slow_adaptive
import slow_predictor
from archive_fields import LEVELS, RESIDUALS, Bits, Classes, Coded, read_streams, take_number, unfolded
from archive_records import move_of_code
from archive_values import TOTAL, Cursor, Decoder, bits_of, finish, need, xxh64

CONTEXTS, CLASSES_MAX, SCALE_MAX, UNIT, RATIO_MAX = 7, 8, 2 ** 24, 4, 256
PREFIX_NODES_MAX, PREFIX_GROUP, PREFIX_TABLES, PREFIX_STEP, PREFIX_BITS_MAX = 2 ** 24, 4, 8, 16, 11
LANE_MOVES, LANE_SHARES = 4096, 64
RESULTS = {b"1-0": 1, b"0-1": 2, b"1/2-1/2": 3}
CONTEXT_TAGS = (b"WhiteElo", b"BlackElo", b"TimeControl", b"Result", b"White", b"Black")


@functools.cache
def the_weights():
    data = slow_predictor.read_weights()[0]
    return xxh64(data), slow_predictor.Weights(data)


@functools.cache
def second_weights():
    data = slow_predictor.read_weights()[1]
    return xxh64(data), slow_adaptive.SecondWeights(data)


Place = namedtuple("Place", "position game")  # a point in a line of moves; `game` is the predictor's state, or None


def follow(place, move):
    """Returns the place after a move."""
    position, game = place.position.play(move), copy.copy(place.game)
    need(position is not None, "5.2", "a move that is not legal")
    if game:
        game.play(place.position, move)
    return Place(position, game)


class Moves:
    """A column of moves. The moves are read record by record."""
    is_predicted = False
    shared = itertools.repeat(0)  # how many of each record's moves are in a shared beginning
    begin = end = lambda self: None  # called before and after each record

    def step(self, place):
        """Returns the next move and the place after it."""
        move = self.move(place)
        return move, follow(place, move)

    def line(self, start, plies):
        """Reads the next record, of `plies` moves, as a list of (move, place after the move); the first is (None, start)."""
        line = [(None, start)]
        self.begin()
        for _ in range(plies):
            line.append(self.step(line[-1][1]))
        self.end()
        return line

    def finish(self):
        self.codes.finish()


class Codes(Moves):
    def __init__(self, plain):
        self.codes = Cursor(plain, "3.5")

    def move(self, place):
        return move_of_code(place.position, self.codes.byte())


def read_trie(children, codes):
    """Returns, for each node, the codes on the path to the node and whether the node has children (19.2)."""
    need(len(codes) < PREFIX_NODES_MAX, "19.2", "too many nodes")
    children, codes = Cursor(children, "19.2"), Cursor(codes, "19.2")
    nodes, open_nodes = [], []  # each as (path, number of children to come, the code of the previous child)
    while not nodes or open_nodes:
        way = b""
        if nodes:
            way, left, last = open_nodes.pop()
            code = codes.byte()
            need(code > last, "19.2", "children that do not ascend")
            if left > 1:
                open_nodes.append((way, left - 1, code))
            way += bytes([code])
        count = children.varint()
        need(count <= 256, "19.2", "a node of %d children" % count)
        nodes.append((way, count > 0))
        if count:
            open_nodes.append((way, count, -1))
    finish(children, codes)
    return nodes


def huffman_codes(lengths):
    """Returns the symbols by their Huffman codes, strings of bits, which RFC 1951 (3.2.2) assigns to lengths (19.4)."""
    need(max(lengths) <= PREFIX_BITS_MAX, "19.4", "a Huffman code of more bits")
    need(sum(2 ** (PREFIX_BITS_MAX - length) for length in lengths if length) <= 2 ** PREFIX_BITS_MAX, "19.4",
         "more Huffman codes than there are")
    codes, code, last = {}, 0, 0
    for length, symbol in sorted((length, symbol) for symbol, length in enumerate(lengths) if length):
        code <<= length - last
        codes["{:0{}b}".format(code, length)] = symbol
        code, last = code + 1, length
    return codes


class Rests:
    """Decodes a group of codes (19.3)."""

    def __init__(self, data, tables):
        self.bits, self.at, self.tables = "".join("{:08b}".format(byte)[::-1] for byte in data), 0, tables

    def take(self, place, count):
        """Returns `count` codes of a game whose first code is at index `place` of the game."""
        codes = []
        for at in range(place, place + count):
            table, end = self.tables[min(at // PREFIX_STEP, PREFIX_TABLES - 1)], self.at + 1
            while self.bits[self.at:end] not in table:
                need(end < min(len(self.bits), self.at + PREFIX_BITS_MAX), "19.3", "bits that are no Huffman code")
                end += 1
            codes.append(table[self.bits[self.at:end]])
            self.at = end
        return bytes(codes)

    def finish(self):
        left = self.bits[self.at:]
        need(len(left) < 8 and "1" not in left, "19.3", "bits are left over")


def read_tables(lengths):
    need(len(lengths) == 128 * PREFIX_TABLES, "19.4", "%d bytes of lengths" % len(lengths))
    lengths = [length for byte in lengths for length in (byte & 15, byte >> 4)]
    return [huffman_codes(lengths[at:at + 256]) for at in range(0, len(lengths), 256)]


def read_shared(stored, plain_size, counts):
    """Returns the codes of each record's main line, and the length of the beginning that the record has in the trie."""
    cursor = Cursor(stored, "19.1")
    head = cursor.take(cursor.varint())
    need(sum(counts) == plain_size, "19.1", "the events have another number of moves")
    streams = read_streams(head, plain_size + 4 * len(counts) + 4096, "19.1", 7)
    nodes = read_trie(*streams[:2])
    need(all(len(stream) == len(counts) for stream in streams[2:5]), "19.2", "not a node for each record")
    numbers = [low + (middle << 8) + (high << 16) for low, middle, high in zip(*streams[2:5])]
    need(max(numbers) < len(nodes), "19.2", "a node that there is not")
    reached = set(numbers)
    need(all(inner or number == 0 or number in reached for number, (_, inner) in enumerate(nodes)), "19.2",
         "a node that no record needs")
    ways = [nodes[number][0] for number in numbers]
    need(all(len(way) <= count for way, count in zip(ways, counts)), "19.2", "a beginning that is longer than the game")
    tables, sizes, strings = read_tables(streams[6]), Cursor(streams[5], "19.3"), []
    for at in range(0, len(counts), PREFIX_GROUP):
        group = Rests(cursor.take(sizes.varint()), tables)
        strings += [way + group.take(len(way), count - len(way))
                    for way, count in zip(ways[at:at + PREFIX_GROUP], counts[at:])]
        group.finish()
    finish(cursor, sizes)
    return strings, [len(way) for way in ways]


class Shared(Codes):
    """A column in codec 6."""

    def __init__(self, stored, plain_size, counts):
        strings, shared = read_shared(stored, plain_size, counts)
        super().__init__(b"".join(strings))
        self.shared = iter(shared)


def rating(value):
    return int(value) if value is not None and re.fullmatch(rb"[0-9]{1,4}", value) else 0


def time_class(value):
    """Returns the class of a TimeControl tag (doc/format/predictor.md)."""
    if not value or value[:1] == b"?":
        return 0
    if value[:1] == b"-" or b"/" in value:
        return 5
    base = re.match(rb"[0-9]*", value).group()
    increment = re.match(rb"[0-9]*", value[len(base):].partition(b"+")[2]).group()
    seconds = min(int(base or 0), 65535) + 40 * min(int(increment or 0), 65535)
    return 0 if seconds == 0 else 1 if seconds < 60 else 2 if seconds < 180 else 3 if seconds < 480 else 4 if seconds < 1500 else 6


def game_of(values, plies):
    """Returns the predictor's game. `values` are the values of CONTEXT_TAGS; None: no tag, or a tag not decoded yet."""
    white, black, control, result, *players = values
    game = slow_predictor.Game((rating(white), rating(black)), time_class(control), RESULTS.get(result, 0), plies)
    game.players = tuple(xxh64(player) if player else 0 for player in players)
    return game


class Strings(Moves):
    """A column of predicted moves. `counts` contains the number of moves of each record."""
    is_predicted, clause = True, "16.2"

    def __init__(self, stored, plain_size, counts, streams, clause):
        need(plain_size <= RATIO_MAX * len(stored), clause, "too many moves")
        need(sum(counts) == plain_size, clause, "the events, or the sizes of lines, have another number of moves")
        self.streams = read_streams(stored, plain_size + 4096, clause, streams)
        self.parameters = Cursor(self.streams[0], clause)

    def move(self, place):
        if self.are_codes:
            return move_of_code(place.position, self.codes.byte())
        predicted = self.predict(place)
        need(predicted, self.clause, "a move where there is none")
        return predicted[self.decoder.take([frequency for _, frequency in predicted])][0]


class Predicted(Strings):
    """A column in codec 4."""

    def __init__(self, stored, plain_size, counts):
        super().__init__(stored, plain_size, counts, 5, "16.1")
        streams, parameters = self.streams, self.parameters
        name, self.weights = the_weights()
        need(parameters.unpack("Q") == (name,), "16.1", "unsupported: other weights")
        self.codes = Cursor(streams[4], "16.2")
        self.counts = iter(counts)
        weights = [weight(count) for count in counts if count]
        self.areas = list(self.read_areas(parameters, streams, [sum(weights[n:n + 2]) for n in range(0, len(weights), 2)]))
        self.strings = len(weights)
        self.next, self.first = 0, None

    def read_areas(self, parameters, streams, weights):
        """Yields the bits of each pair's area (16.3, 16.4)."""
        scale, coded = parameters.varint(), parameters.byte()
        need(scale <= SCALE_MAX and coded <= 1, "16.4", "scale %d, %d" % (scale, coded))
        classes = Classes(parameters, CONTEXTS) if coded else None
        need(not coded or classes.count <= CLASSES_MAX, "16.4", "too many classes")
        parameters.finish()
        symbols, bits = (Coded if coded else lambda data: Cursor(data, "16.4"))(streams[1]), Bits(streams[2])
        areas = bits_of(streams[3])
        at, folded = 0, [0, 0]
        for total in weights:
            value = 2 * total + 2
            top = value.bit_length() - 1
            levels = [max(2 * top + (value >> top - 1 & 1) - 16, 0), folded[0].bit_length(), folded[1].bit_length(), 0, 0, 0, 0]
            slots = classes.find([min(level, LEVELS - 1) for level in levels]) if coded else None
            folded = [take_number(symbols.take(slots) if coded else symbols.byte(), bits, RESIDUALS), folded[0]]
            units = (total * scale + 2 ** 15 >> 16) + unfolded(folded[0])
            need(0 <= units * UNIT <= len(areas) - at, "16.4", "an area that extends past the end")
            yield areas[at:at + units * UNIT]
            at += units * UNIT
        finish(symbols, bits)
        need(len(areas) - at < 8 and not any(areas[at:]), "16.3", "bits after the last area")

    def begin(self):
        self.decoder = None  # stays None if the record has no moves
        if next(self.counts) > 0:
            area, odd = self.areas[self.next // 2], self.next % 2
            self.next += 1
            self.decoder = Decoder(area[::-1] if odd else area)
            self.are_codes = self.decoder.take((TOTAL - 1, 1))

    def end(self):
        if self.decoder is None:
            return
        size, number = self.decoder.end(), self.next - 1
        area = self.areas[number // 2]
        if number % 2 == 0 and number + 1 < self.strings:
            self.first = size
            return
        used = size + (self.first if number % 2 else 0)
        begin = self.first if number % 2 else size
        need(0 <= len(area) - used < UNIT and not any(area[begin:begin + len(area) - used]), "16.3", "a pair with a gap")

    def predict(self, place):
        return slow_predictor.predict(self.weights, *place)


class Adaptive(Strings):
    """A column whose moves are stored in lanes."""
    clause = "17.2"

    def __init__(self, stored, plain_size, counts, streams, clause):
        super().__init__(stored, plain_size, counts, streams, clause)
        (first, self.weights), (second, self.more) = the_weights(), second_weights()
        need(self.parameters.unpack("QQ") == (first, second), clause, "unsupported: other weights")
        self.moves, self.before, self.decoder, self.record = plain_size, 0, None, -1

    def begin_lane(self, string, codes):
        self.end_lane()
        self.decoder, self.codes = Decoder(bits_of(string)), Cursor(codes, "17.2")
        self.adaptive = slow_adaptive.Adaptive(self.weights, self.more)

    def end_lane(self):
        if self.decoder:
            self.decoder.end_bytes()
            self.codes.finish()

    def line(self, start, plies):
        self.record += 1
        if plies > 0:
            self.turn()
            self.before += plies
        self.are_codes = plies > 0 and self.decoder.take((TOTAL - 1, 1))
        if plies > 0 and not self.are_codes:
            self.adaptive.begin_game(copy.copy(start.game), start.game.players)
        return super().line(start, plies)

    def predict(self, place):
        return self.adaptive.frequencies(place.position)

    def move(self, place):
        move = super().move(place)
        if not self.are_codes:
            self.adaptive.learn(move)
            self.adaptive.play(place.position, move)
        return move

    def finish(self):
        self.end_lane()
        super().finish()


class Halves(Adaptive):
    """A column in codec 5: two lanes, whose codes are in one stream."""

    def __init__(self, stored, plain_size, counts):
        super().__init__(stored, plain_size, counts, 4, "17.1")
        self.parameters.finish()
        self.all_codes = Cursor(self.streams[3], "17.2")
        self.strings = self.streams[1:3]

    def turn(self):
        if not self.decoder or (len(self.strings) == 1 and 2 * self.before >= self.moves):
            self.begin_lane(self.strings.pop(0), b"")
            self.codes = self.all_codes

    def end_lane(self):
        if self.decoder:
            self.decoder.end_bytes()

    def finish(self):
        need(not any(self.strings), "17.2", "a string of no record")
        self.all_codes.finish()
        super().finish()


class Lanes(Adaptive):
    """A column in codec 9."""

    def __init__(self, stored, plain_size, counts):
        super().__init__(stored, plain_size, counts, 3, "17.3")
        self.strings, self.all_codes = (Cursor(stream, "17.3") for stream in self.streams[1:])
        self.left = 0

    def turn(self):
        if self.before >= self.left:
            self.begin_lane(self.strings.take(self.parameters.varint()), self.all_codes.take(self.parameters.varint()))
            self.left = self.before + max(LANE_MOVES, self.moves // LANE_SHARES)

    def finish(self):
        finish(self.parameters, self.strings, self.all_codes)
        super().finish()


class GroupedLanes(Lanes):
    """A column in codec 11."""

    def __init__(self, stored, plain_size, counts, group_size):
        super().__init__(stored, plain_size, counts)
        self.least, self.group, self.group_size = self.parameters.varint(), None, group_size
        need(self.least >= LANE_MOVES, "17.4", "lanes of %d moves" % self.least)

    def turn(self):
        group = self.record // self.group_size
        if self.before >= self.left and group != self.group:
            self.begin_lane(self.strings.take(self.parameters.varint()), self.all_codes.take(self.parameters.varint()))
            self.left = self.before + self.least
        self.group = group


def weight(moves):
    return 16 + 22 * min(moves, 10) + 34 * min(max(moves - 10, 0), 10) + 46 * max(moves - 20, 0)
