"""Codec 3 of the Stamma archive format (doc/format.md, clause 11): tag values.

Plain Python for decode_archive.py, which says what it is for.
"""
import os

import slow_chess
from archive_fields import REFERENCES, RESIDUALS, Bits, Classes, Coded, decode_fields, read_streams, take_number, unfolded
from archive_moves import CONTEXT_TAGS, game_of
from archive_records import BEGIN, END, EXTRA_TAG, events_of, move_of_code, read_events, read_rosters
from archive_values import Cursor, need

COLUMNS_MAX, NONE = 64, 255
SOURCES_MAX, RANKS, CONTEXTS, CLASSES_MAX, LITERAL, NUMBER_MAX = 4, 13, 7, 8, 239, 2 ** 24
NUMBERS, SHARED, INDEXED, PLUS, FIELDS = 1, 2, 4, 4, 8
EQUAL, RECALL, BEGIN_WITH = range(3)
OPENING, CODE, NAME, FEN, FEN_FIELDS, PLIES, PLIES_LESS, FACTS_END = range(64, 72)
ONE_CELL = 64
LEVEL_OLDER, LEVEL_DERIVED = 14, 15
OPENING_MOVES = 28
OPENINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "openings.tsv")


class Dictionary:
    """The texts of one column, or of several (11.4), and what they remember (11.5, 11.7)."""

    def __init__(self):
        self.texts, self.ranks, self.older = [None], [], []
        self.level = 0
        self.memories = [{} for _ in range(SOURCES_MAX)]

    def use(self, index):
        if len(self.ranks) == RANKS:
            self.older.append(self.ranks.pop())
        self.ranks.insert(0, index)
        return index

    def add(self, text, indexed):
        self.texts.append(text)
        return len(self.texts) - 1 if indexed else self.use(len(self.texts) - 1)

    def find(self, reference, indexed):
        """The index of the text that a reference above 0 names."""
        if indexed:
            need(reference < len(self.texts), "11.4", "a text that has not come")
            return reference
        if reference <= RANKS:
            need(reference <= len(self.ranks), "11.4", "a text that has not come")
            return self.use(self.ranks.pop(reference - 1))
        need(reference - RANKS <= len(self.older), "11.4", "a text that has not come")
        return self.use(self.older[RANKS - reference])


class PlainTags:
    """A tag column that another codec gives."""
    post_game = False

    def __init__(self, plain):
        self.literals, self.plain_size = Cursor(plain, "3.5"), len(plain)

    def take(self, column, now):
        now.texts[column] = self.literals.text()
        return now.texts[column]

    def finish(self):
        self.literals.finish()


class Record:
    """What is known of a record's tags so far, by column, and of its game: of the main line codes, or moves that were
    predicted."""

    def __init__(self, codes):
        self.texts, self.indices, self.numbers, self.levels, self.codes, self.fen = {}, {}, {}, {}, codes, None
        self.moves = None


class Tags:
    """A tag column in codec 3."""

    def __init__(self, plain_size, stored, columns):
        streams = read_streams(stored, plain_size + 4096)
        need(len(streams) == 4 and len(columns) < COLUMNS_MAX, "11.2", "%d streams" % len(streams))
        parameters = Cursor(streams[0], "11.3")
        form, count = parameters.byte(), parameters.byte()
        need(form < 16 and count <= SOURCES_MAX, "11.3", "form %d, %d sources" % (form, count))
        self.numbers, self.indexed, self.plus = bool(form & NUMBERS), form & 5 == INDEXED, form & 5 == NUMBERS + PLUS
        self.sources = [self.read_source(parameters, len(columns)) for _ in range(count)]
        self.others = parameters.byte(), parameters.byte()
        need(all(other < COLUMNS_MAX or other == NONE for other in self.others), "11.3", "a column past %d" % COLUMNS_MAX)
        self.classes = Classes(parameters, CONTEXTS)
        need(self.classes.count <= CLASSES_MAX, "11.3", "too many classes")
        parameters.finish()
        self.symbols, self.bits = Coded(streams[1]), Bits(streams[2])
        self.literals = Cursor(decode_fields(streams[3], None, plain_size) if form & FIELDS else streams[3], "11.2")
        self.dictionary = Dictionary()
        if form & SHARED:
            before = columns[-1] if columns else None
            need(isinstance(before, Tags) and (before.numbers, before.indexed) == (self.numbers, self.indexed), "11.3",
                 "nothing to go on with")
            self.dictionary = before.dictionary
        self.post_game = not self.numbers and any(what >= OPENING for _, what in self.sources)
        self.left, self.last, self.second = plain_size, 0, 0

    def read_source(self, cursor, column):
        if self.numbers:
            key, base, factors = cursor.byte(), cursor.byte(), cursor.byte()
            need((key < column or key in (ONE_CELL, NONE)) and (base < column or base == NONE) and factors < 9, "11.7",
                 "an unknown source")
            return key, base, factors % 3 - 1, factors // 3 - 1
        kind, what = cursor.byte(), cursor.byte()
        need(kind <= BEGIN_WITH and (what < column or OPENING <= what < FACTS_END), "11.5", "an unknown source")
        need(what < OPENING or kind == EQUAL and what > OPENING or kind == RECALL and what == OPENING, "11.5",
             "a source that gives no value")
        return kind, what

    def symbol(self, column, now, known):
        others = [now.levels.get(other, 0) for other in self.others]
        moves = len(now.codes)
        found = [self.last, self.second, *others, self.dictionary.level, 8 * (moves % 2) + min(moves // 32, 7), min(known, 15)]
        return self.symbols.take(self.classes.find(found))

    def note(self, column, now, level):
        self.second, self.last = self.last, level
        self.dictionary.level = now.levels[column] = level

    def cells(self, now):
        """For each source its memory and its key in this record; None where it has none."""
        found = []
        for memory, source in zip(self.dictionary.memories, self.sources):
            key = source[0] if self.numbers else source[1] if source[0] == RECALL else NONE
            if key == OPENING:
                place = -1 if self.numbers else opening(now)[0] or None
            else:
                place = now.indices.get(key)
            found.append((memory, place) if place is not None and key != NONE else None)
        return found

    def named(self, column, now):
        """A source's number, or None, and the index of a text (11.4)."""
        symbol = self.symbol(column, now, (len(self.dictionary.texts) - 1).bit_length())
        number = take_number(symbol, self.bits, REFERENCES)
        reference = number - len(self.sources)
        self.note(column, now, LEVEL_DERIVED if reference < 0 else reference if reference <= RANKS else LEVEL_OLDER)
        if reference < 0:
            return number, None
        if reference > 0:
            return None, self.dictionary.find(reference, self.indexed)
        return None, self.dictionary.add(self.literals.text(), self.indexed)

    def text(self, column, now):
        cells = self.cells(now)
        source, index = self.named(column, now)
        kept = True
        if source is None:
            value = self.dictionary.texts[index]
        else:
            kind, what = self.sources[source]
            if kind == RECALL:
                index = cells[source] and cells[source][0].get(cells[source][1])
                value = index and self.dictionary.texts[index]
            else:
                value = fact(now, what) if what > OPENING else now.texts.get(what)
                kept = what < FEN
            need(value is not None, "11.5", "a source that gives no value")
            if kind == BEGIN_WITH:
                source, tail = self.named(column, now)
                need(source is None, "11.5", "a source where a text is to be")
                value += self.dictionary.texts[tail]
        for memory, key in filter(None, cells):
            memory[key] = index
        if kept:
            now.texts[column] = value
        if index is not None:
            now.indices[column] = index
        return value

    def number(self, column, now):
        """14.7."""
        cells = self.cells(now)
        predicted, known = 0, len(self.sources)
        for place, (key, base, factor, _) in reversed(list(enumerate(self.sources))):
            memory = 0 if key == NONE else cells[place] and cells[place][0].get(cells[place][1])
            if memory is not None:
                predicted, known = memory + factor * now.numbers.get(base, 0), place
        symbol = self.symbol(column, now, known)
        if symbol == LITERAL:
            self.note(column, now, LEVEL_DERIVED)
            now.texts[column] = self.literals.text()
            return now.texts[column]
        folded = take_number(symbol, self.bits, RESIDUALS)
        value = predicted + unfolded(folded)
        need(folded <= 2 ** 28 and abs(value) <= NUMBER_MAX, "11.7", "the number %d" % value)
        self.note(column, now, min(folded.bit_length(), LEVEL_OLDER))
        for cell, (_, base, _, factor) in zip(cells, self.sources):
            if cell:
                cell[0][cell[1]] = value + factor * now.numbers.get(base, 0)
        now.numbers[column] = value
        now.texts[column] = (b"%+d" if self.plus else b"%d") % value
        return now.texts[column]

    def take(self, column, now):
        value = self.number(column, now) if self.numbers else self.text(column, now)
        self.left -= len(value) + 1
        need(self.left >= 0, "3.2", "a tag column is longer than its plain size")
        return value

    def finish(self):
        for source in self.symbols, self.bits, self.literals:
            source.finish()
        need(self.left == 0, "3.2", "the plain size of a tag column differs")


# ---- what follows from the game (11.6, Annex B) ----

def read_openings(table={}):
    """Number, code and name by placement and side (B.1)."""
    if not table:
        with open(OPENINGS, "rb") as file:
            lines = [line.rstrip(b"\n").split(b"\t") for line in file if not line.startswith(b"#")]
        table.update((position.decode(), (number, code, name)) for number, (position, code, name) in enumerate(lines, 1))
    return table


def positions(now):
    """The one that a record's game begins in, and one behind each move."""
    position = slow_chess.START
    if now.fen is not None:
        try:
            position = slow_chess.read_fen(now.fen.decode("latin-1"))
        except ValueError:
            need(not now.codes and not now.moves, "4.7", "moves behind a bad FEN tag")
    yield position
    for move in now.moves or []:
        position = position.play(move)
        yield position
    for code in now.codes if now.moves is None else []:
        position = position.play(move_of_code(position, code))
        need(position is not None, "5.2", "code %d is no legal move" % code)
        yield position


def opening(now):
    """Number, code and name (B.2)."""
    found = 0, None, None
    if now.fen is None:
        for _, position in zip(range(OPENING_MOVES + 1), positions(now)):
            text = slow_chess.write_placement(position.board) + " " + slow_chess.write_side(position)
            found = read_openings().get(text, found) if position is not slow_chess.START else found
    return found


def fact(now, what):
    """The text that follows from the game, or None."""
    if what in (CODE, NAME):
        return opening(now)[what - OPENING]
    if what in (FEN, FEN_FIELDS):
        *_, last = positions(now)
        return b" ".join(slow_chess.write_fen(last).encode().split(b" ")[:6 if what == FEN else 4])
    size = len(now.codes if now.moves is None else now.moves) - (what == PLIES_LESS)
    return b"%d" % size if size >= 0 else None


def main_lines(columns, records):
    """How many moves the main line of each record has and how many are in variations (4.4), and the first tag of each name
    outside its roster."""
    events, lines = events_of(columns, "3.5"), []
    extra_tags = Cursor(columns.get("extra-tags", b""), "3.5, column extra-tags")
    for _ in range(records):
        size, inside, depth, odd = 0, 0, 0, {}
        for kind, moves in read_events(*events):
            size += moves if depth == 0 else 0
            inside += moves if depth > 0 else 0
            depth = depth + 1 if kind == BEGIN else max(depth - 1, 0) if kind == END else depth
            if kind == EXTRA_TAG:
                name, value = extra_tags.text(), extra_tags.text()
                odd.setdefault(name, value)
        lines.append((size, inside, odd))
    return lines


def is_start(fen):
    try:
        return fen is None or slow_chess.read_fen(fen.decode("latin-1")) is not None
    except ValueError:
        return False


def predicted_line(column, record, now, values):
    """The moves of a record's main line (15.2), and what its string ends with is checked."""
    start = next(positions(now))
    game, position, moves = game_of(values, column.counts[record]), start, []
    predicted = column.begin(record) is not None
    for _ in range(column.counts[record]):
        if predicted:
            moves.append(column.move(position, game))
        else:
            moves.append(move_of_code(position, column.codes.byte()))
        game.play(position, moves[-1])
        position = position.play(moves[-1])
        need(position is not None, "5.2", "a code is no legal move")
    column.end()
    return moves


def record_tags(columns, tags, names, records, lines=None, predicted=None):
    """The values of each record's roster, as (name, value); they are read column by column (11.1). `lines`: main_lines;
    `predicted`: the column of moves in codec 4. Then each record's moves and its context follow, else None."""
    first = next((column for column, tag in enumerate(tags) if tag.post_game), len(tags))
    need(b"FEN" not in names[first:], "11.5", "the column FEN behind one that looks at the game")
    rosters = read_rosters(Cursor(columns.get("roster-list", b""), "3.5"), len(tags))
    numbers, codes = Cursor(columns.get("rosters", b""), "3.5"), Cursor(columns.get("moves", b""), "3.5")
    found = []
    for record, (size, _, odd) in enumerate(lines or main_lines(columns, records)):
        number = numbers.varint()
        need(number < len(rosters), "5.3", "roster %d of %d" % (number, len(rosters)))
        now, values = Record(codes.take(size) if not predicted else b"\0" * size), {}
        ordered = sorted(rosters[number])
        ahead = [column for column in ordered if column < first]
        for column in ordered[:len(ahead)]:
            values[column] = tags[column].take(column, now)
        known = dict(odd)
        known.update((names[column], values.get(column)) for column in ordered)
        now.fen = known.get(b"FEN")
        context = [known.get(name) for name in CONTEXT_TAGS]
        if predicted:
            now.codes = b""
            need(size == 0 or is_start(now.fen), "4.7", "moves behind a bad FEN tag")
            now.moves = predicted_line(predicted, record, now, context) if size else []
        for column in ordered[len(ahead):]:
            values[column] = tags[column].take(column, now)
        found.append(([(names[column], values[column]) for column in rosters[number]], now.moves, context))
    for tag in tags:
        tag.finish()
    numbers.finish()
    return found
