"""Turns the columns of a block of a Stamma archive into the text of its records (doc/format.md, clauses 4, 5, 6 and 8).

Plain Python for decode_archive.py, which says what it is for.
"""
import copy
import re
from bisect import bisect_right
from collections import Counter
from itertools import accumulate

import archive_lines
import archive_moves
import slow_chess
from archive_values import (LINE_LIMIT_MAX, RECORD_BYTES_MAX, RECORD_ITEMS_MAX, ROSTERS_MAX, STYLES_MAX, TEMPLATE_MAX, Cursor,
                            Violation, need)

# The kinds of events (4.4), which are the classes of gaps too (6.2).
(INPUT_END, RECORD_END, PIECE_END, RESULT, COMMENT, LINE_COMMENT, ESCAPE, NAG, SUFFIX, BEGIN, END, TEXT, EXTRA_TAG,
 TAIL_END) = range(14)
REPEAT = 14  # in the column alone
REPEATED = (COMMENT, LINE_COMMENT, ESCAPE, NAG, SUFFIX)
ENDS = (INPUT_END, RECORD_END, PIECE_END, TAIL_END)
BEFORE_MOVETEXT = (COMMENT, LINE_COMMENT, ESCAPE, EXTRA_TAG)
WHITE_MOVE, BLACK_MOVE = 14, 15
BEFORE_ALL = 0
SUFFIXES = (b"!", b"?", b"!!", b"??", b"!?", b"?!")
RESULTS = (b"*", b"1-0", b"0-1", b"1/2-1/2")
DEPTH_MAX = 255
REASON_MAX = 10


# ---- styles (6) ----

LINE_ENDS = (b"\n", b"\r\n", b"\r")
NO_WRAP, FIT, THRESHOLD = range(3)
NO_CHECK, NO_MATE, PLUS_MATE, PLUS_PLUS_MATE, ZEROS, NO_EQUALS, RANK_WITH_FILE = 1, 2, 4, 8, 16, 32, 64
NUMBER, BLANK, FIXED = object(), object(), object()  # parts of a gap that are no plain bytes


class Style:
    def __init__(self, cursor):
        line_end, self.wrap, self.breakable = cursor.byte(), cursor.byte(), cursor.byte()
        flags, self.spelling = cursor.byte(), cursor.byte()
        need(line_end < 3 and self.wrap < 3 and self.breakable < 6 and flags < 2, "6.1", "unknown style")
        need(self.spelling < 128, "6.5", "unknown spelling of moves")
        need((self.spelling & 14).bit_count() < 2, "6.5", "two spellings of mate")
        self.line_end = LINE_ENDS[line_end]
        self.wrap_comments = bool(flags)
        self.limit = cursor.varint()
        need(self.limit <= LINE_LIMIT_MAX, "6.1", "too large a limit")
        self.gaps = {}
        for _ in range(cursor.varint()):
            context = cursor.byte()
            need(context not in self.gaps, "6.1", "two templates for context %d" % context)
            size = cursor.byte()
            need(size <= TEMPLATE_MAX, "6.1", "a template of %d bytes" % size)
            self.gaps[context] = self.gap_parts(context, cursor.take(size))

    def gap_parts(self, context, template):
        """A template as a list of bytes, NUMBER, BLANK (breakable) and FIXED (6.3, 6.4)."""
        before, after = divmod(context, 16)
        in_movetext = before not in (BEFORE_ALL, EXTRA_TAG) and after not in (INPUT_END, RECORD_END, EXTRA_TAG, TAIL_END)
        fixed = in_movetext and self.breakable == 4 and after == RESULT
        every = in_movetext and self.breakable in (1, 4) and not fixed
        first = in_movetext and (False, False, True, after == WHITE_MOVE, False,
                                 after in (WHITE_MOVE, BLACK_MOVE, RESULT))[self.breakable]
        parts = []
        for byte in template:
            if byte == 1:
                parts.append(NUMBER)
            elif byte == 2:
                parts.append(self.line_end)
            elif byte == 32 and (every or first):
                parts.append(BLANK)
                first = False
            elif byte == 32 and fixed:
                parts.append(FIXED)
            else:
                parts.append(bytes([byte]))
        return parts

    def spell(self, position, move, mark):
        """A legal move and the mark of check or mate behind it as the style has them (6.5)."""
        san = position.san(move, bool(self.spelling & RANK_WITH_FILE))
        if self.spelling & ZEROS and san[0] == "O":
            san = san.replace("O", "0")
        if self.spelling & NO_EQUALS:
            san = san.replace("=", "")
        if mark == "+" and self.spelling & NO_CHECK or mark == "#" and self.spelling & NO_MATE:
            mark = ""
        elif mark == "#" and self.spelling & PLUS_MATE:
            mark = "+"
        elif mark == "#" and self.spelling & PLUS_PLUS_MATE:
            mark = "++"
        return (san + mark).encode()


class Lines:
    """Text that is wrapped as it grows (6.4)."""
    LINE_END = re.compile(rb"[\r\n]")

    def __init__(self, style):
        self.style = style
        self.pieces = []
        self.size = 0  # of all pieces
        self.length = 0  # L: from the line's start
        self.blank_piece = None  # the last breakable blank on the line: its place in pieces
        self.behind_blank = 0  # and the length behind it

    def text(self, data):
        found = self.LINE_END.search(data)
        if found:
            self.length += found.start()
            self.end_unit()
            self.length = len(data) - max(data.rfind(b"\r"), data.rfind(b"\n")) - 1
            self.blank_piece = None
        else:
            self.length += len(data)
        self.pieces.append(data)
        self.size += len(data)
        need(self.size <= RECORD_BYTES_MAX, "4.6", "a record of too many bytes")

    def fixed(self, data):
        """A fixed blank, or the text of an exception of a gap: what stands before it breaks no more."""
        self.end_unit()
        self.blank_piece = None
        self.text(data)

    def blank(self):
        """A breakable blank."""
        if self.style.wrap == THRESHOLD and self.length >= self.style.limit:
            self.text(self.style.line_end)
            return
        self.end_unit()
        self.text(b" ")
        self.blank_piece, self.behind_blank = len(self.pieces) - 1, self.length

    def end_unit(self):
        if self.style.wrap == FIT and self.length >= self.style.limit and self.blank_piece is not None:
            self.pieces[self.blank_piece] = self.style.line_end
            self.size += len(self.style.line_end) - 1
            self.length -= self.behind_blank
            self.blank_piece = None

    def words(self, data):
        """Text whose blanks are breakable."""
        first, *others = data.split(b" ")
        self.text(first)
        for word in others:
            self.blank()
            self.text(word)


# ---- move codes (5.2) ----

PIECES_BOUNDS = dict(zip("PNBRQK", (12, 8, 13, 14, 27, 8)))
BOUNDS = {True: dict.fromkeys(".pnbrqk", 0) | PIECES_BOUNDS,
          False: dict.fromkeys(".PNBRQK", 0) | {piece.lower(): bound for piece, bound in PIECES_BOUNDS.items()}}
NULL_CODE = 255


def move_of_code(position, code):
    """The move (None: the null move) that a code stands for, which may yet be illegal."""
    sums = list(accumulate(map(BOUNDS[position.white].__getitem__, position.board)))
    if sums[63] > 255:
        moves = position.canonical_moves()
        need(len(moves) <= 255, "5.2", "a code where there are %d legal moves" % len(moves))
    if code == NULL_CODE:
        return None
    if sums[63] > 255:
        need(code < len(moves), "5.2", "code %d of %d legal moves" % (code, len(moves)))
        return moves[code]
    need(code < sums[63], "5.2", "code %d, and the bounds sum to %d" % (code, sums[63]))
    origin = bisect_right(sums, code)
    index = code - (sums[origin - 1] if origin else 0)
    kind = position.board[origin].upper()
    if kind == "P":
        return pawn_move(position, origin, index)
    reach = slow_chess.REACH[kind][origin]
    if index < len(reach):
        return origin, reach[index], ""
    need(kind == "K" and index in (6, 7), "5.2", "code %d goes off the board" % code)
    side = "O-O" if index == 6 else "O-O-O"
    return origin, position.castled_king(side), side


def pawn_move(position, origin, index):
    direction, rest = divmod(index, 4)
    forward = 8 if position.white else -8
    target = origin + forward + direction - 1
    if target >> 3 in (0, 7):
        return origin, target, "NBRQ"[rest]
    need(rest == 0 or rest == 1 and direction == 1, "5.2", "a pawn move that there is not")
    return origin, target + forward * rest, ""


# ---- records (4) ----

class Record:
    """One record: its parts are taken from the columns as its items come."""

    def __init__(self, block, style, exceptions):
        self.block = block
        self.style = style
        self.exceptions = exceptions
        self.lines = Lines(style)
        self.items = 0  # rendered so far
        self.before = BEFORE_ALL
        self.first_odd = None  # the piece where the first exception or text item begins
        self.waiting = []  # items before the movetext, which are rendered when all tags are known (4.7)
        self.line = None  # [the position, the position before the last move, that move] of the line that is played
        self.bad_start = None  # why the FEN tag gives no position
        self.outer = []  # the lines that it stands in
        self.fen = self.result = None  # the values of the first such tags
        self.counts = Counter()
        self.main = None  # the moves of the main line, where they were predicted
        self.game = None  # [the predictor's game, the one before the last move] where variations may be predicted
        self.inside = None  # the decoder of variations, where they are

    def decode(self, number, roster, main, context):
        """The kind of its end; the text is in self.lines. `main` and `context`: see record_tags."""
        self.main = iter(main) if main is not None else None
        branches, lines = self.block.predicted.get("variation-moves"), self.block.comment_lines
        if branches:
            self.inside = branches.begin(number)
        if (lines and lines.begin(number)) or branches:
            self.game = [archive_moves.game_of(context, self.block.main_counts[number])] * 2
        kind = self.decode_items(roster)
        if branches:
            branches.end()
        if lines:
            lines.end()
        return kind

    def decode_items(self, roster):
        for name, value in roster:
            self.tag(name, value)
        for kind, moves in read_events(self.block.events, self.block.event_counts):
            if self.line is None and (moves or kind not in BEFORE_MOVETEXT):
                self.begin_movetext()
            for _ in range(moves):
                self.move()
            if kind in ENDS:
                self.end(kind)
                return kind
            self.item(kind)
        return None

    # ---- gaps and exceptions ----

    def mark_odd(self):
        if self.first_odd is None:
            self.first_odd = len(self.lines.pieces)

    def gap(self, after):
        self.items += 1
        need(self.items <= RECORD_ITEMS_MAX, "4.6", "a record of too many items")
        exception = self.exceptions.pop(2 * self.items - 2, None) if self.exceptions else None
        if exception is not None:
            self.mark_odd()
            self.lines.fixed(exception)
        else:
            self.template(self.before << 4 | after)
        self.before = after if after < WHITE_MOVE else WHITE_MOVE

    def template(self, context):
        parts = self.style.gaps.get(context)
        need(parts is not None, "6.3", "no template for context %d" % context)
        for part in parts:
            if part is BLANK:
                self.lines.blank()
            elif part is FIXED:
                self.lines.fixed(b" ")
            elif part is NUMBER:
                self.lines.text(b"%d" % self.line[0].fullmove)
            else:
                self.lines.text(part)

    def spelling(self, text, breakable=False):
        exception = self.exceptions.pop(2 * self.items - 1, None) if self.exceptions else None
        if exception is not None:
            self.mark_odd()
            self.lines.text(exception)
        elif breakable:
            self.lines.words(text)
        else:
            self.lines.text(text)

    # ---- items ----

    def tag(self, name, value):
        need(self.line is None, "4.7", "a tag in the movetext")
        if name == b"FEN" and self.fen is None:
            self.fen = value
        if name == b"Result" and self.result is None:
            self.result = value
        self.simple_item(EXTRA_TAG, b'[%b "%b"]' % (name, value))

    def begin_movetext(self):
        """The tags are over: they give the position that the game begins from, and can be rendered."""
        start = slow_chess.START
        try:
            if self.fen is not None:
                start = slow_chess.read_fen(self.fen.decode("latin-1"))
        except ValueError as error:
            self.bad_start = error
        self.line = [start, start, None]
        for item in self.waiting:
            self.simple_item(*item)

    def move(self):
        need(self.bad_start is None, "4.7", "a move behind a bad FEN tag: %s" % self.bad_start)
        position = self.line[0]
        move = self.next_move(position)
        after = position.play(move)
        need(after is not None, "5.2", "a code is no legal move")
        if self.game:
            self.game = [self.follow(position, move), self.game[0]]
        self.gap(WHITE_MOVE if position.white else BLACK_MOVE)
        self.spelling(self.style.spell(position, move, after.check_mark()))
        self.line = [after, position, move]
        if self.block.comment_lines:
            self.block.comment_lines.play(move)
        self.counts["variation_plies" if self.outer else "plies"] += 1

    def next_move(self, position):
        """From the predictor, or a code."""
        block = self.block
        if not self.outer and self.main is not None:
            return next(self.main)
        if self.outer and self.inside:
            return block.predicted["variation-moves"].move(position, self.game[0])
        if self.outer and "variation-moves" in block.predicted:
            return move_of_code(position, block.predicted["variation-moves"].codes.byte())
        return move_of_code(position, (block.variation_moves if self.outer else block.moves).byte())

    def follow(self, position, move):
        """The predictor's game behind a move."""
        game = copy.copy(self.game[0])
        game.played = list(game.played)
        game.play(position, move)
        return game

    def item(self, kind):
        block = self.block
        if kind == EXTRA_TAG:
            return self.tag(block.extra_tags.text(), block.extra_tags.text())
        if kind == COMMENT:
            return self.simple_item(kind, b"{%b}" % self.comment(), self.style.wrap_comments)
        if kind in (LINE_COMMENT, ESCAPE):
            return self.simple_item(kind, (b";" if kind == LINE_COMMENT else b"%") + self.comment())
        self.gap(kind)
        if kind == RESULT:
            self.spelling(self.result_text(block.results.byte()))
        elif kind == NAG:
            self.spelling(b"$%d" % block.nags.byte())
        elif kind == SUFFIX:
            number = block.nags.byte()
            need(1 <= number <= 6, "4.3", "unknown suffix %d" % number)
            self.spelling(SUFFIXES[number - 1])
        elif kind == TEXT:
            self.text_item()
        else:
            self.variation(kind)

    def comment(self):
        text, lines = self.block.comments.text(), self.block.comment_lines
        return lines.expand(text, self.line, self.game) if lines else text

    def simple_item(self, kind, text, breakable=False):
        if self.line is None:
            self.waiting.append((kind, text, breakable))
        else:
            self.gap(kind)
            self.spelling(text, breakable)

    def result_text(self, code):
        need(code <= 4, "5", "unknown result %d" % code)
        text = RESULTS[code] if code < 4 else self.result
        need(text in RESULTS, "5", "the Result tag has no result to take over")
        return text

    def text_item(self):
        size = self.block.verbatim_sizes.varint()
        self.mark_odd()
        self.spelling(self.block.verbatim.take(size))
        self.counts["texts"] += 1
        self.counts["verbatim_bytes"] += size

    def variation(self, kind):
        if kind == BEGIN:
            need(len(self.outer) < DEPTH_MAX, "4.8", "variations too deep")
            before = self.line[1]
            self.outer.append((self.line, self.game))
            self.line = [before, before, None]
            self.game = [self.game[1]] * 2 if self.game else None
        else:
            need(self.outer, "4.8", "the end of a variation that has not begun")
            self.line, self.game = self.outer.pop()
        if self.block.comment_lines:
            self.block.comment_lines.forget()
        self.spelling(b"(" if kind == BEGIN else b")")

    def end(self, kind):
        if kind == PIECE_END:
            self.items += 1
            need(self.items <= RECORD_ITEMS_MAX, "4.6", "a record of too many items")
        else:
            self.gap(kind)
            self.spelling(b"")
        self.lines.end_unit()
        need(not self.exceptions, "4.5", "an exception for a slot that there is not")


# ---- the records of a block ----

def read_events(events, counts):
    """The events of a record as (kind, moves before it) (4.4)."""
    kind = moves = None
    while kind not in ENDS:
        event = events.byte()
        number = event >> 4
        if number == 15:
            number += counts.varint()
        need(number <= RECORD_ITEMS_MAX, "4.6", "a record of too many items")
        if event & 15 == REPEAT:
            need(number > 0 and kind in REPEATED, "4.4", "nothing to repeat")
            for _ in range(number):
                yield kind, moves
        else:
            kind, moves = event & 15, number
            need(kind <= TAIL_END, "4.4", "unknown event %d" % kind)
            yield kind, moves


def events_of(columns, clause):
    """The two columns that read_events reads."""
    return [Cursor(columns.get(name, b""), clause + ", column " + name) for name in ("events", "event-counts")]


def count_comments(columns, records):
    """How many texts of the column of comments each record takes, as its events say (10.1)."""
    events = events_of(columns, "10.1")
    return [sum(kind in (COMMENT, LINE_COMMENT, ESCAPE) for kind, _ in read_events(*events)) for _ in range(records)]


class RecordDecoder:
    """counts and items are of the records decoded."""

    def __init__(self, columns, tags, records, bytes_max, predicted=None):
        def cursor(name):
            made = Cursor(columns.get(name, b""), "3.5, column " + name)
            self.cursors.append(made)
            return made
        self.cursors = []
        self.events, self.event_counts = cursor("events"), cursor("event-counts")
        self.moves, self.variation_moves = cursor("moves"), cursor("variation-moves")
        self.comments, self.nags, self.results = cursor("comments"), cursor("nags"), cursor("results")
        self.styles = cursor("styles")
        self.layout, self.layout_text = cursor("layout"), cursor("layout-text")
        self.verbatim_sizes, self.verbatim = cursor("verbatim-sizes"), cursor("verbatim")
        self.extra_tags = cursor("extra-tags")
        self.tags = tags  # of each record, with the moves and the context of record_tags
        self.predicted = predicted or {}
        self.main_counts = next((column.main_counts for column in self.predicted.values()), None)
        self.comment_lines = None
        if any(name in columns or name in self.predicted for name in archive_lines.COLUMNS):
            self.comment_lines = archive_lines.CommentLines([cursor(name) for name in archive_lines.COLUMNS],
                                                            self.predicted.get("line-moves"), move_of_code)
        self.style_list = read_styles(cursor("style-list"))
        self.reasons = columns.get("reasons")
        self.records = records
        self.bytes_max = bytes_max
        self.counts = Counter()
        self.items = 0

    def decode(self, continues):
        """All records as (text, continues, end kind)."""
        done, odd, size = [], [], 0
        for number in range(self.records):
            record = self.record()
            kind = record.decode(number, *self.tags[number])
            text = b"".join(record.lines.pieces)
            size += len(text)
            need(size <= self.bytes_max, "3.1", "the records have more bytes than the head says")
            self.note_reason(odd, number, record, continues, kind)
            self.count(record, continues, kind)
            done.append((text, continues, kind))
            continues = kind == PIECE_END
        for cursor in (*self.cursors, *self.predicted.values()):
            cursor.finish()
        self.check_reasons(odd)
        return done

    def record(self):
        number, has_exceptions = divmod(self.styles.varint(), 2)
        need(number < len(self.style_list), "5", "style %d of %d" % (number, len(self.style_list)))
        return Record(self, self.style_list[number], self.exceptions() if has_exceptions else {})

    def exceptions(self):
        """The exceptions of a record by slot (4.5)."""
        found, slot = {}, -1
        count = self.layout.varint()
        need(count >= 1, "4.5", "no exceptions where there should be some")
        for _ in range(count):
            slot += self.layout.varint() + 1
            found[slot] = self.layout_text.take(self.layout.varint())
        return found

    @staticmethod
    def note_reason(odd, number, record, continues, kind):
        """Adds a record that needs a reason (8.2)."""
        if continues or kind == TAIL_END:
            return
        if record.first_odd is not None:
            odd.append((number, sum(map(len, record.lines.pieces[:record.first_odd]))))
        elif kind == PIECE_END:
            odd.append((number, record.lines.size))

    def count(self, record, continues, kind):
        """The counts of 3.1. A game that goes on in another record has text items there (4.6)."""
        counts = record.counts
        self.items += record.items
        for name in ("plies", "variation_plies", "verbatim_bytes"):
            self.counts[name] += counts[name]
        if continues or kind == TAIL_END:
            need(record.items == 2 and counts["texts"] == 1, "4.6", "a continuation that is not one text item")
            need(not (continues and kind == TAIL_END), "4.6", "a piece of a game that is no game")
            return
        self.counts["games"] += 1
        if counts["texts"] or kind == PIECE_END:
            self.counts["partly" if counts["plies"] + counts["variation_plies"] else "verbatim"] += 1
        elif record.first_odd is not None:
            self.counts["corrected"] += 1

    def check_reasons(self, odd):
        """Clause 8.2; `odd` are the (number, offset of the first text item or exception) of records that have some."""
        if self.reasons is None:
            return
        cursor = Cursor(self.reasons, "8.2")
        last = -1
        for number, offset in odd:
            last += cursor.varint() + 1
            need(last == number, "8.2", "record %d where %d is the next with a reason" % (last, number))
            need(1 <= cursor.byte() <= REASON_MAX, "8.2", "unknown reason")
            need(cursor.varint() == offset, "8.2", "record %d: the offset is not %d" % (number, offset))
        cursor.finish()


def read_rosters(cursor, tags):
    """The rosters (5.3) as lists of numbers of tag columns."""
    rosters = []
    while cursor.at < len(cursor.data):
        need(len(rosters) < ROSTERS_MAX, "5.4", "too many rosters")
        rosters.append([cursor.varint() for _ in range(cursor.varint())])
        need(all(tag < tags for tag in rosters[-1]), "5.3", "a roster with a column that there is not")
        need(len(set(rosters[-1])) == len(rosters[-1]), "5.3", "a column twice in a roster")
    return rosters


def read_styles(cursor):
    styles = []
    while cursor.at < len(cursor.data):
        need(len(styles) < STYLES_MAX, "6.1", "too many styles")
        styles.append(Style(cursor))
    return styles
