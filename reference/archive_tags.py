# SPDX-License-Identifier: MIT
"""Codecs 3 and 10 of the Stamma archive format (doc/format/block_columns.md, clauses 15 and 22): tag values."""
import datetime
import functools
import os
from collections import namedtuple

import slow_chess
from archive_fields import REFERENCES, RESIDUALS, Bits, Classes, Coded, decode_fields, read_streams, take_number, unfolded
from archive_moves import CONTEXT_TAGS, Place, game_of
from archive_records import EXTRA_TAG, move_counts
from archive_spelt import SpeltTexts
from archive_values import Cursor, finish, need

ROSTERS_MAX = 65536
COLUMNS_MAX, NONE = 64, 255
SOURCES_MAX, RANKS, CONTEXTS, CLASSES_MAX, LITERAL, NUMBER_MAX = 4, 13, 7, 8, 239, 2 ** 24
NUMBERS, SHARED, INDEXED, PLUS, FIELDS, SPELT, DATES = 1, 2, 4, 4, 8, 16, 32
DAY_ZERO = datetime.date(1970, 1, 1).toordinal()
EQUAL, RECALL, BEGIN_WITH, MAP = range(4)
OPENING, CODE, NAME, FEN, FEN_FIELDS, PLIES, PLIES_LESS, FACTS_END = range(64, 72)
LEVEL_OLDER, LEVEL_DERIVED = 14, 15
OPENING_MOVES = 28
OPENINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "openings.tsv")

# tags: the tags of the record's roster as (name, value). is_playable: whether moves may follow them (4.7). line: the
# main line, as returned by Moves.line.
Game = namedtuple("Game", "tags is_playable line")


class Dictionary:
    """The texts of one column, or of several that share them (15.4), and their memories (15.5, 15.7)."""

    def __init__(self):
        self.texts, self.ranks, self.older = [None], [], []
        self.level = 0
        self.memories = [{} for _ in range(SOURCES_MAX)]

    def find(self, reference, literals, indexed):
        """Returns the index of the text that a reference names."""
        if reference == 0:
            self.texts.append(literals.text())
            index = len(self.texts) - 1
        elif indexed:
            need(reference < len(self.texts), "15.4", "a text that has not come")
            index = reference
        else:
            need(reference <= len(self.ranks) + len(self.older), "15.4", "a text that has not come")
            index = self.ranks.pop(reference - 1) if reference <= RANKS else self.older[RANKS - reference]
        if not indexed:
            if len(self.ranks) == RANKS:
                self.older.append(self.ranks.pop())
            self.ranks.insert(0, index)
        return index


class Record:
    """The tags of a record that are decoded so far, by column, and its game. `line` is the result of Moves.line."""

    def __init__(self, plies):
        self.plies, self.fen, self.line = plies, None, None
        self.texts, self.indices, self.numbers, self.levels = {}, {}, {}, {}


class PlainTags:
    """A tag column in a codec other than 3 and 8."""
    post_game = False

    def __init__(self, plain):
        self.literals = Cursor(plain, "3.5")

    def take(self, column, now):
        now.texts[column] = self.literals.text()
        return now.texts[column]

    def finish(self):
        self.literals.finish()


class Tags:
    """A tag column in codec 3."""
    KINDS = {EQUAL: (CODE, FACTS_END), RECALL: (OPENING, CODE), BEGIN_WITH: (0, 0)}

    def __init__(self, plain_size, stored, columns):
        streams = self.streams(stored, plain_size + 4096)
        need(len(columns) < COLUMNS_MAX, "15.1", "a column past %d" % COLUMNS_MAX)
        parameters = Cursor(streams[0], "15.3")
        form, count = parameters.unpack("BB")
        self.check_form(form, len(streams))
        need(count <= SOURCES_MAX, "15.3", "%d sources" % count)
        self.numbers, self.indexed, self.plus = bool(form & NUMBERS), form & 5 == INDEXED, form & 5 == NUMBERS + PLUS
        self.sources = [self.read_source(parameters, len(columns)) for _ in range(count)]
        self.others = parameters.unpack("BB")
        need(all(other < COLUMNS_MAX or other == NONE for other in self.others), "15.3", "a column past %d" % COLUMNS_MAX)
        self.classes = Classes(parameters, CONTEXTS)
        need(self.classes.count <= CLASSES_MAX, "15.3", "too many classes")
        parameters.finish()
        self.symbols, self.bits = Coded(streams[1]), Bits(streams[2])
        self.literals = Cursor(decode_fields(streams[3], None, plain_size) if form & FIELDS else streams[3], "15.2")
        self.spelt, self.dates, self.dictionary = form & SPELT, form & DATES, Dictionary()
        if form & SHARED:
            before = columns[-1] if columns else None
            need(isinstance(before, Tags) and (before.numbers, before.indexed, before.spelt) ==
                 (self.numbers, self.indexed, self.spelt), "15.3", "no column before it to share a dictionary with")
            self.dictionary = before.dictionary
        self.post_game = not self.numbers and any(what >= OPENING for _, what in self.sources)
        self.left, self.last, self.second = plain_size, 0, 0
        self.read_more(streams[4:], form & SHARED, columns)

    def streams(self, stored, room):
        return read_streams(stored, room, "15.2", 4)

    def check_form(self, form, _):
        need(form < 16, "15.3", "form %d" % form)

    def read_more(self, streams, shared, columns):
        """Reads the streams that only codec 10 has."""

    def read_source(self, cursor, column):
        if self.numbers:
            key, base, factors = cursor.unpack("BBB")
            need((key < column or key in (OPENING, NONE)) and (base < column or base == NONE) and factors < 9, "15.7",
                 "an unknown source")
            return key, base, factors % 3 - 1, factors // 3 - 1
        kind, what = cursor.unpack("BB")
        allowed = kind in self.KINDS and (what in range(*self.KINDS[kind]) or (what < column and kind != MAP))
        need(allowed, "15.5", "an unknown source")
        return kind, what

    def symbol(self, column, now, known):
        """Returns the next symbol, decoded in its contexts (15.8)."""
        others = [now.levels.get(other, 0) for other in self.others]
        plies = 8 * (now.plies % 2) + min(now.plies // 32, 7)
        found = [self.last, self.second, *others, self.dictionary.level, plies, min(known, 15)]
        return self.symbols.take(self.classes.find(found))

    def note(self, column, now, level):
        self.second, self.last = self.last, level
        self.dictionary.level = now.levels[column] = level

    def key(self, source, now):
        """Returns the key of a source's memory in this record, or None."""
        what = source[0] if self.numbers else source[1] if source[0] == RECALL else NONE
        if what == OPENING:
            return 0 if self.numbers else opening(now)[0] or None
        return now.indices.get(what)

    def memories(self, now):
        return [(memory, self.key(source, now)) for memory, source in zip(self.dictionary.memories, self.sources)]

    def named(self, column, now):
        """Decodes a reference: returns (number of a source, 0) or (None, index of a text) (15.4)."""
        symbol = self.symbol(column, now, (len(self.dictionary.texts) - 1).bit_length())
        number = take_number(symbol, self.bits, REFERENCES)
        reference = number - len(self.sources)
        self.note(column, now, LEVEL_DERIVED if reference < 0 else min(reference, LEVEL_OLDER))
        if reference < 0:
            return number, 0
        return None, self.dictionary.find(reference, self.literals, self.indexed)

    def text(self, column, now):
        memories, texts = self.memories(now), self.dictionary.texts
        source, index = self.named(column, now)
        kind, what = (RECALL, None) if source is None else self.sources[source]
        if kind == RECALL:
            if source is not None:
                memory, key = memories[source]
                index = memory.get(key, 0)
            value = texts[index]
        elif kind == MAP:
            value = texts[self.map.get(opening(now)[0], 0)]
        else:
            value = now.texts.get(what) if what < OPENING else fact(now, what)
        need(value is not None, "15.5", "a source without a value")
        if kind == BEGIN_WITH:
            source, tail = self.named(column, now)
            need(source is None, "15.5", "a source where a text is to be")
            value += texts[tail]
        for memory, key in memories:
            if key is not None:
                memory[key] = index
        if what is None or what < FEN:
            now.texts[column] = value
        if index:
            now.indices[column] = index
        return value

    def number(self, column, now):
        """Decodes the value of a column of numbers (15.7)."""
        memories = self.memories(now)
        predicted, known = 0, len(self.sources)
        for place, (key, base, factor, _) in reversed(list(enumerate(self.sources))):
            memory, index = memories[place]
            remembered = 0 if key == NONE else memory.get(index)
            if remembered is not None:
                predicted, known = remembered + factor * now.numbers.get(base, 0), place
        symbol = self.symbol(column, now, known)
        if symbol == LITERAL:
            self.note(column, now, LEVEL_DERIVED)
            return self.literals.text()
        folded = take_number(symbol, self.bits, RESIDUALS)
        value = predicted + unfolded(folded)
        need(folded <= 2 ** 28 and abs(value) <= NUMBER_MAX, "15.7", "the number %d" % value)
        need(not self.dates or 1 <= value + DAY_ZERO <= datetime.date.max.toordinal(), "22.5", "day %d" % value)
        self.note(column, now, min(folded.bit_length(), LEVEL_OLDER))
        for (memory, index), (_, base, _, factor) in zip(memories, self.sources):
            if index is not None:
                memory[index] = value + factor * now.numbers.get(base, 0)
        now.numbers[column] = value
        if self.dates:
            day = datetime.date.fromordinal(value + DAY_ZERO)
            return b"%04d.%02d.%02d" % (day.year, day.month, day.day)
        return (b"%+d" if self.plus else b"%d") % value

    def take(self, column, now):
        if self.numbers:
            value = now.texts[column] = self.number(column, now)
        else:
            value = self.text(column, now)
        self.left -= len(value) + 1
        need(self.left >= 0, "3.2", "a tag column is longer than its plain size")
        return value

    def finish(self):
        finish(self.symbols, self.bits, self.literals)
        need(self.left == 0, "3.2", "the plain size of a tag column differs")


class MappedTags(Tags):
    """A tag column in codec 10."""
    KINDS = {EQUAL: (CODE, FACTS_END), RECALL: (0, 0), BEGIN_WITH: (0, 0), MAP: (OPENING, CODE)}

    def streams(self, stored, room):
        return read_streams(stored, room, "22.1", 6 if Cursor(stored, "14.1").varint() == 6 else 5)

    def check_form(self, form, count):
        need(form < 64 and not (form & SPELT and form & (NUMBERS + FIELDS)), "22.1", "form %d" % form)
        need(not form & DATES or form & (NUMBERS + PLUS) == NUMBERS, "22.5", "form %d" % form)
        need((count == 6) == bool(form & SPELT and not form & SHARED), "22.1", "%d streams" % count)

    def read_more(self, streams, shared, columns):
        if self.spelt:
            need(not self.literals.has_more(), "22.3", "literals beside spelt texts")
            self.literals = columns[-1].literals if shared else SpeltTexts(streams[1], slots_before(columns))
        entries, number, self.map = Cursor(streams[0], "22.2"), 0, {}
        mapped = not self.numbers and any(kind == MAP for kind, _ in self.sources)
        need(not mapped or not shared, "22.2", "a map in a column that shares a dictionary")
        while entries.has_more():
            step = entries.varint()
            number += step
            need(mapped and step > 0 and number <= len(read_openings()), "22.2", "an entry of a map")
            self.map[number] = self.dictionary.find(entries.varint(), self.literals, self.indexed)


def slots_before(columns):
    """Returns the number of slots of the models of columns."""
    texts = {id(tag.literals): tag.literals.slots for tag in columns if isinstance(tag, MappedTags) and tag.spelt}
    return sum(texts.values()) + sum(getattr(tag, "slots", 0) for tag in columns)


@functools.cache
def read_openings():
    """Returns a dictionary from placement and side to the number, code and name of an opening (B.1)."""
    with open(OPENINGS, "rb") as file:
        lines = [line.rstrip(b"\n").split(b"\t") for line in file if not line.startswith(b"#")]
    return {position.decode(): (number, code, name) for number, (position, code, name) in enumerate(lines, 1)}


def opening(now):
    """Returns the number, code and name of the game's opening (B.2)."""
    found = 0, None, None
    if now.fen is None:
        for _, (position, _) in now.line[1:OPENING_MOVES + 1]:
            found = read_openings().get(slow_chess.write_board(position), found)
    return found


def fact(now, what):
    """Returns the text that follows from the game (15.6), or None."""
    if what in (CODE, NAME):
        return opening(now)[what - OPENING]
    if what in (FEN, FEN_FIELDS):
        _, (position, _) = now.line[-1]
        return b" ".join(slow_chess.write_fen(position).encode().split(b" ")[:6 if what == FEN else 4])
    size = now.plies - (what == PLIES_LESS)
    return b"%d" % size if size >= 0 else None


def start_position(fen):
    """Returns the start position for the value of a FEN tag (None: no FEN tag), or None if the FEN is invalid (4.7)."""
    try:
        return slow_chess.START if fen is None else slow_chess.read_fen(fen.decode("latin-1"))
    except ValueError:
        return None


def read_rosters(cursor, tags):
    """Returns the rosters (5.3), each a list of numbers of tag columns."""
    rosters = []
    while cursor.has_more():
        rosters.append([cursor.varint() for _ in range(cursor.varint())])
        need(all(tag < tags for tag in rosters[-1]), "5.3", "a roster with a column that there is not")
        need(len(set(rosters[-1])) == len(rosters[-1]), "5.3", "a column twice in a roster")
    need(len(rosters) <= ROSTERS_MAX, "5.4", "too many rosters")
    return rosters


def read_games(columns, tags, names, events):
    """Yields a Game for each record. Tags are decoded in the order of their columns (15.1), some after the moves."""
    first = next((column for column, tag in enumerate(tags) if tag.post_game), len(tags))
    need(b"FEN" not in names[first:], "15.5", "the column FEN after a column that depends on the game")
    lists, numbers, extra_tags = (Cursor(columns.get(name, b""), "3.5, column " + name)
                                  for name in ("roster-list", "rosters", "extra-tags"))
    rosters, moves = read_rosters(lists, len(tags)), columns["moves"]
    is_predicted = any(columns[name].is_predicted for name in ("moves", "variation-moves", "line-moves"))
    for record_events in events:
        number = numbers.varint()
        need(number < len(rosters), "5.3", "roster %d of %d" % (number, len(rosters)))
        roster, (plies, _) = rosters[number], move_counts(record_events)
        outside = [(extra_tags.text(), extra_tags.text()) for kind, *_ in record_events if kind == EXTRA_TAG]
        now, values = Record(plies), dict.fromkeys(roster)
        for column in sorted(column for column in roster if column < first):
            values[column] = tags[column].take(column, now)
        known = dict(reversed(outside))  # the first value of each name; None if the tag is decoded after the moves
        known.update((names[column], value) for column, value in values.items())
        now.fen = known.get(b"FEN")
        start = start_position(now.fen)
        need(start is not None or plies == 0, "4.7", "moves after an invalid FEN tag")
        need(next(moves.shared) == 0 or now.fen is None, "19.2", "a game with a FEN tag that shares its beginning")
        game = game_of([known.get(name) for name in CONTEXT_TAGS], plies) if is_predicted else None
        now.line = moves.line(Place(start or slow_chess.START, game), plies)
        for column in sorted(column for column in roster if column >= first):
            values[column] = tags[column].take(column, now)
        yield Game([(names[column], values[column]) for column in roster], start is not None, now.line)
    finish(*tags, numbers, moves)
