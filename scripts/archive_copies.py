"""Codec 3 of the Stamma archive format (doc/format.md, clause 14): tag values that rules give.

Plain Python for decode_archive.py, which says what it is for.
"""
import os

import slow_chess
from archive_fields import Bits, Classes, Coded, decode_fields
from archive_records import BEGIN, END, EXTRA_TAG, events_of, move_of_code, read_events, read_rosters
from archive_numbers import Numbers, take_numbers
from archive_values import Cursor, need, unpacked, xxh64

COLUMNS_MAX = 64
RULES_MAX = 4
LITERALS_MAX = 4194304
SAME, BEFORE, BEGIN_WITH, TWIN = range(4)
BYTES, ANEW, LISTED, RECENT = range(4)
SHARED = 4
RECENTS, DIRECT, REFERENCE_BITS, CHOICE_CLASSES_MAX = 13, 32, 28, 8
LEVEL_OLDER, LEVEL_RULE = 14, 15
NOTHING, LAST_COLUMN, LAST_PREFIX = 0, 64, 127
OPENING, CODE, NAME, FEN, FEN_FIELDS, MOVES, MOVES_LESS = range(128, 135)
OPENING_MOVES = 28
OPENINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "openings.tsv")


def unpack(stored, codec, size, clause):
    need(codec == 0 or len(stored) < size, clause, "a stored size that is not the smaller one")
    plain = unpacked(stored, size, clause) if codec == 1 else stored
    need(len(plain) == size, clause, "a plain size differs")
    return plain


class Memory:
    """The texts that one column, or two, had (14.8)."""

    def __init__(self, form):
        self.form, self.recent, self.older, self.new, self.last = form % SHARED, [], [], 0, 0

    def take(self, reference):
        """The text that a reference above 0 stands for."""
        if self.form == LISTED:
            need(reference <= len(self.older), "14.8", "a text that has not come")
            return self.older[reference - 1]
        need(self.form == RECENT, "14.8", "a text that is not remembered")
        if reference <= RECENTS:
            need(reference <= len(self.recent), "14.8", "a text that has not come")
            self.recent.insert(0, self.recent.pop(reference - 1))
            return self.recent[0]
        need(reference - RECENTS <= len(self.older), "14.8", "a text that has not come")
        self.push(self.older[RECENTS - reference])
        return self.recent[0]

    def push(self, text):
        if len(self.recent) == RECENTS:
            self.older.append(self.recent.pop())
        self.recent.insert(0, text)

    def add(self, text):
        self.new += 1
        if self.form == LISTED:
            self.older.append(text)
        elif self.form == RECENT:
            self.push(text)


class Choices:
    """Coded choices of a column (14.7, 14.9)."""

    def __init__(self, form, cursor, limit, rules):
        self.form, self.rules = form, rules
        self.others = cursor.byte(), cursor.byte()
        need(max(self.others) <= COLUMNS_MAX, "14.7", "a column past %d" % COLUMNS_MAX)
        parameters = Cursor(read_sized(cursor, limit), "14.7")
        self.classes = Classes(parameters)
        need(self.classes.count <= CHOICE_CLASSES_MAX, "14.7", "too many classes")
        parameters.finish()
        self.symbols, self.bits = Coded(read_sized(cursor, limit)), Bits(read_sized(cursor, limit))
        self.memory = Memory(form)
        self.last = self.second = 0

    def take(self, column, levels, moves):
        """The next one: a rule from 0, or as many more than a reference; `levels` are of the record, by column."""
        found = [self.last, self.second] + [levels.get(other - 1, 0) for other in self.others]
        found += [self.memory.last, 8 * (moves % 2) + min(moves // 32, 7), min(self.memory.new.bit_length(), 15)]
        choice = self.symbols.take(self.classes.find(found))
        if choice >= self.rules + DIRECT:
            pair = choice - self.rules - DIRECT
            count = 4 + pair // 2
            need(count <= REFERENCE_BITS - 2, "14.7", "symbol %d" % choice)
            choice = self.rules + (2 + pair % 2 << count) + self.bits.take(count)
        reference = choice - self.rules
        level = LEVEL_RULE if reference < 0 else reference if reference <= RECENTS else LEVEL_OLDER
        self.second, self.last = self.last, level
        self.memory.last = levels[column] = level
        return choice

    def text(self, choice, literals):
        """The text of a choice that is no rule."""
        need(choice >= self.rules, "14.7", "a rule where a text is to be")
        if choice > self.rules:
            return self.memory.take(choice - self.rules)
        text = literals.text()
        self.memory.add(text)
        return text


def read_sized(cursor, limit):
    """Bytes with their sizes, plain and stored, before them (14.2)."""
    size, stored_size = cursor.varint(), cursor.varint()
    need(size <= limit, "14.2", "a stream that is larger than the column")
    return unpack(cursor.take(stored_size), int(stored_size != size), size, "14.2")


class Copies:
    """A tag column (14.2); without rules where it has another codec."""

    def __init__(self, plain_size, plain=None, stored=None):
        self.rules, self.maps, self.symbols = [], [], Cursor(b"", "14.2")
        self.plain_size = self.left = plain_size
        self.out = []
        self.choices = None
        if stored is None:
            self.literals = Cursor(plain, "3.5")
            return
        cursor = Cursor(stored, "14.2")
        form, count = divmod(cursor.byte(), 8)
        need(count <= RULES_MAX and form < 2 * SHARED and form != SHARED, "14.2", "%d rules, form %d" % (count, form))
        self.rules = [(cursor.byte(), cursor.byte()) for _ in range(count)]
        for kind, what in self.rules:
            need(kind <= TWIN and what <= MOVES_LESS, "14.4", "rule %d of %d" % (kind, what))
            need(kind != BEFORE or what <= OPENING, "14.4", "a rule of kind 1 of %d" % what)
            need(kind == BEFORE or NOTHING < what <= LAST_COLUMN or kind == SAME and what > OPENING, "14.4",
                 "a rule that names no value")
        need([kind for kind, _ in self.rules].count(TWIN) <= 1, "14.4", "two rules of kind 3")
        self.maps = [{} for _ in self.rules]
        if form == BYTES:
            self.symbols = Cursor(read_sized(cursor, plain_size), "14.2")
        else:
            self.choices = Choices(form, cursor, plain_size, count)
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

    def join(self, twin):
        """Gives the rule of kind 3 of two twins one map (14.4)."""
        both = {}
        for tag in self, twin:
            tag.maps = [both if kind == TWIN else each for (kind, _), each in zip(tag.rules, tag.maps)]

    def share(self, twin):
        """Gives it the memory of its twin (14.8)."""
        if self.choices and twin.choices and self.choices.form == twin.choices.form >= SHARED:
            self.choices.memory = twin.choices.memory

    def is_late(self):
        """Whether it looks at the game (14.5)."""
        return any(what >= OPENING for _, what in self.rules)

    def choose(self, column, levels, moves):
        """The next rule, from 1, and None; or 0, and a function that gives the text."""
        if not self.choices:
            return self.symbols.byte() if self.rules else 0, self.literals.text
        choice = self.choices.take(column, levels, moves)
        return (choice + 1 if choice < len(self.rules) else 0), lambda: self.choices.text(choice, self.literals)

    def take(self, column, now, levels, game):
        """The next value (14.3, 14.4), and what is remembered of it; `now` is remembered of the record's so far, by column,
        and `levels` are those of its choices."""
        keys = [key_of(what, now, game) if kind in (BEFORE, TWIN) else None for kind, what in self.rules]
        moves = len(game.codes)
        symbol, text = self.choose(column, levels, moves)
        need(symbol <= len(self.rules), "14.3", "rule %d of %d" % (symbol, len(self.rules)))
        kept = True
        if symbol == 0:
            value = text()
        else:
            kind, what = self.rules[symbol - 1]
            if kind in (BEFORE, TWIN):
                value = self.maps[symbol - 1].get(keys[symbol - 1])
            else:
                value = game.text(what) if what >= OPENING else now.get(what - 1)
                kept = what < FEN
            need(value is not None, "14.3", "a rule that gives no value")
            if kind == BEGIN_WITH:
                _, text = self.choose(column, levels, moves) if self.choices else (0, self.literals.text)
                value += text()
        for number, key in enumerate(keys):
            self.maps[number][key] = value if kept else None
        self.out.append(value + b"\0")
        self.left -= len(value) + 1
        need(self.left >= 0, "3.2", "a tag column is longer than its plain size")
        return value, value if kept else None

    def finish(self):
        for source in (self.choices.symbols, self.choices.bits) if self.choices else (self.symbols,):
            source.finish()
        self.literals.finish()
        plain = b"".join(self.out)
        need(len(plain) == self.plain_size, "3.2", "the plain size of a tag column differs")
        return plain


def key_of(what, now, game):
    if what == NOTHING:
        return 0
    if what == OPENING:
        return game.opening()[0]
    text = now.get(what - 1) if what <= LAST_COLUMN else game.codes[:what - LAST_COLUMN]
    return 0 if text is None else 1 + (xxh64(text) & 2 ** 31 - 1)


# ---- what follows from the game (14.5, Annex B) ----

def read_openings(table={}):
    """Number, code and name by placement and side (B.1)."""
    if not table:
        with open(OPENINGS, "rb") as file:
            lines = [line.rstrip(b"\n").split(b"\t") for line in file if not line.startswith(b"#")]
        table.update((position.decode(), (number, code, name)) for number, (position, code, name) in enumerate(lines, 1))
    return table


class Game:
    """The main line of a record: its move codes, and its FEN tag or None."""

    def __init__(self, codes, fen):
        self.codes, self.fen = codes, fen

    def positions(self):
        """The one that it begins in, and one behind each move."""
        position = slow_chess.START
        if self.fen is not None:
            try:
                position = slow_chess.read_fen(self.fen.decode("latin-1"))
            except ValueError:
                need(not self.codes, "4.7", "moves behind a bad FEN tag")
        yield position
        for code in self.codes:
            position = position.play(move_of_code(position, code))
            need(position is not None, "5.2", "code %d is no legal move" % code)
            yield position

    def opening(self):
        """Number, code and name (B.2)."""
        found = 0, None, None
        if self.fen is None:
            for _, position in zip(range(OPENING_MOVES + 1), self.positions()):
                text = slow_chess.write_placement(position.board) + " " + slow_chess.write_side(position)
                found = read_openings().get(text, found) if position is not slow_chess.START else found
        return found

    def text(self, what):
        """The text that follows from the game, or None (14.4)."""
        if what in (CODE, NAME):
            return self.opening()[what - OPENING]
        if what in (FEN, FEN_FIELDS):
            *_, last = self.positions()
            return b" ".join(slow_chess.write_fen(last).encode().split(b" ")[:6 if what == FEN else 4])
        size = len(self.codes) - (what == MOVES_LESS)
        return b"%d" % size if size >= 0 else None


def main_lines(columns, records):
    """How many moves the main line of each record has (4.4), and the first FEN tag outside its roster."""
    events, lines = events_of(columns, "3.5"), []
    extra_tags = Cursor(columns.get("extra-tags", b""), "3.5, column extra-tags")
    for _ in range(records):
        size, depth, fen = 0, 0, None
        for kind, moves in read_events(*events):
            size += moves if depth == 0 else 0
            depth = depth + 1 if kind == BEGIN else max(depth - 1, 0) if kind == END else depth
            if kind == EXTRA_TAG:
                name, value = extra_tags.text(), extra_tags.text()
                fen = value if name == b"FEN" and fen is None else fen
        lines.append((size, fen))
    return lines


def record_tags(roster, tags, names, codes, odd_fen):
    """Takes the values of a record's roster: those of columns that look at the game behind the others (14.5)."""
    game, now, levels = Game(codes, None), {}, {}
    fens = []
    for late in (False, True):
        for tag in roster:
            if isinstance(tags[tag], Numbers) or tags[tag].is_late() != late:
                continue
            value, now[tag] = tags[tag].take(tag, now, levels, game)
            if names[tag] == b"FEN":
                fens.append(value)
        game.fen = fens[0] if fens else odd_fen
    take_numbers(roster, tags, now)


def plain_tags(columns, tags, names, records):
    """The contents of the tag columns; `tags` are Copies, `columns` the other columns by name."""
    if not any(isinstance(tag, Numbers) or tag.rules or tag.choices for tag in tags):
        need(all(len(tag.literals.data) == tag.plain_size for tag in tags), "3.2", "a tag column's plain size differs")
        return [tag.literals.data for tag in tags]
    need(not any(name == b"FEN" and (isinstance(tag, Numbers) or tag.is_late()) for name, tag in zip(names, tags)),
         "14.5", "the column FEN looks at the game")
    for number, name in enumerate(names):
        if name.startswith(b"White") and b"Black" + name[5:] in names:
            first, second = sorted((number, names.index(b"Black" + name[5:])))
            if type(tags[first]) is type(tags[second]):
                tags[second].join(tags[first])
                if isinstance(tags[first], Copies):
                    tags[second].share(tags[first])
    rosters = read_rosters(Cursor(columns.get("roster-list", b""), "3.5"), len(tags))
    numbers = Cursor(columns.get("rosters", b""), "3.5")
    codes = Cursor(columns.get("moves", b""), "3.5")
    for size, odd_fen in main_lines(columns, records):
        number = numbers.varint()
        need(number < len(rosters), "5.3", "roster %d of %d" % (number, len(rosters)))
        record_tags(rosters[number], tags, names, codes.take(size), odd_fen)
    return [tag.finish() for tag in tags]
