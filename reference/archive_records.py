# SPDX-License-Identifier: MIT
"""Turns the columns of a block of a Stamma archive into the text of its records (doc/format/archive.md, clauses 4, 5, 6 and 8)."""
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from itertools import accumulate

import archive_search
import slow_chess
from archive_values import Cursor, finish, need

# The kinds of events (4.4). They are also the classes of gaps (6.2).
(INPUT_END, RECORD_END, PIECE_END, RESULT, COMMENT, LINE_COMMENT, ESCAPE, NAG, SUFFIX, BEGIN, END, TEXT, EXTRA_TAG,
 TAIL_END) = range(14)
REPEAT = 14  # only in the column `events`
COMMENTS = (COMMENT, LINE_COMMENT, ESCAPE)
REPEATED = (*COMMENTS, NAG, SUFFIX)
ENDS = (INPUT_END, RECORD_END, PIECE_END, TAIL_END)
BEFORE_MOVETEXT = (*COMMENTS, EXTRA_TAG)
WHITE_MOVE, BLACK_MOVE = 14, 15
BEFORE_ALL = 0
SUFFIXES = (b"!", b"?", b"!!", b"??", b"!?", b"?!")
RESULTS = (b"*", b"1-0", b"0-1", b"1/2-1/2")
RECORD_BYTES_MAX, RECORD_ITEMS_MAX, DEPTH_MAX, REASON_MAX = 2 ** 22, 2 ** 18, 255, 10
STYLES_MAX, TEMPLATE_MAX, LINE_LIMIT_MAX = 4096, 30, 2 ** 32 - 1


LINE_ENDS = (b"\n", b"\r\n", b"\r")
NO_WRAP, FIT, THRESHOLD = range(3)
NO_CHECK, NO_MATE, PLUS_MATE, PLUS_PLUS_MATE, ZEROS, NO_EQUALS, RANK_WITH_FILE = 1, 2, 4, 8, 16, 32, 64
NUMBER, BLANK, FIXED = object(), object(), object()  # parts of a gap that are not plain bytes


class Style:
    def __init__(self, cursor):
        line_end, self.wrap, self.breakable, self.wrap_comments, self.spelling = cursor.unpack("5B")
        need(line_end < 3 and self.wrap < 3 and self.breakable < 6 and self.wrap_comments < 2, "6.1", "unknown style")
        need(self.spelling < 128 and (self.spelling & 14).bit_count() < 2, "6.5", "unknown spelling of moves")
        self.line_end = LINE_ENDS[line_end]
        self.limit = cursor.varint()
        need(self.limit <= LINE_LIMIT_MAX, "6.1", "too large a limit")
        self.gaps = {}
        for _ in range(cursor.varint()):
            context, size = cursor.unpack("BB")
            need(context not in self.gaps and size <= TEMPLATE_MAX, "6.1", "a template twice, or of %d bytes" % size)
            self.gaps[context] = list(self.gap_parts(context, cursor.take(size)))

    def gap_parts(self, context, template):
        """Yields the parts of a template: bytes, NUMBER, BLANK (breakable) and FIXED (6.3, 6.4)."""
        before, after = divmod(context, 16)
        in_movetext = before not in (BEFORE_ALL, EXTRA_TAG) and after not in (INPUT_END, RECORD_END, EXTRA_TAG, TAIL_END)
        fixed = in_movetext and self.breakable == 4 and after == RESULT
        # The number of breakable blanks.
        left = in_movetext and (0, TEMPLATE_MAX, 1, after == WHITE_MOVE, 0 if fixed else TEMPLATE_MAX,
                                after in (WHITE_MOVE, BLACK_MOVE, RESULT))[self.breakable]
        for byte in template:
            if byte == 32 and left:
                yield BLANK
                left -= 1
            else:
                yield {1: NUMBER, 2: self.line_end, 32: FIXED if fixed else b" "}.get(byte, bytes([byte]))

    def spell(self, position, move, mark):
        """Returns the text of a legal move and its mark of check or mate in the spelling of the style (6.5)."""
        san = position.san(move, bool(self.spelling & RANK_WITH_FILE))
        if self.spelling & ZEROS and san[0] == "O":
            san = san.replace("O", "0")
        if self.spelling & NO_EQUALS:
            san = san.replace("=", "")
        if mark == "+" and self.spelling & NO_CHECK:
            mark = ""
        elif mark == "#":
            mark = {NO_MATE: "", PLUS_MATE: "+", PLUS_PLUS_MATE: "++"}.get(self.spelling & 14, mark)
        return (san + mark).encode()


class Lines:
    """Text that is wrapped as it grows (6.4)."""
    LINE_END = re.compile(rb"[\r\n]")

    def __init__(self, style):
        self.style, self.pieces, self.size = style, [], 0
        self.length = 0  # L: characters since the start of the line
        self.blank_piece, self.after_blank = None, 0  # the last breakable blank on the line: index in `pieces`, L after it

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
        """Appends a fixed blank, or the exception of a gap. Blanks before it cannot become line ends any more."""
        self.end_unit()
        self.blank_piece = None
        self.text(data)

    def blank(self):
        """Appends a breakable blank."""
        if self.style.wrap == THRESHOLD and self.length >= self.style.limit:
            self.text(self.style.line_end)
            return
        self.end_unit()
        self.text(b" ")
        self.blank_piece, self.after_blank = len(self.pieces) - 1, self.length

    def end_unit(self):
        if self.style.wrap == FIT and self.length >= self.style.limit and self.blank_piece is not None:
            self.pieces[self.blank_piece] = self.style.line_end
            self.size += len(self.style.line_end) - 1
            self.length -= self.after_blank
            self.blank_piece = None

    def words(self, data):
        """Appends text whose blanks are breakable."""
        first, *others = data.split(b" ")
        self.text(first)
        for word in others:
            self.blank()
            self.text(word)


WHITE_BOUNDS = defaultdict(int, zip("PNBRQK", (12, 8, 13, 14, 27, 8)))
BLACK_BOUNDS = defaultdict(int, zip("pnbrqk", (12, 8, 13, 14, 27, 8)))
NULL_CODE = 255


def move_of_code(position, code):
    """Returns the move that a code encodes (None: the null move). The move may be illegal."""
    bounds = WHITE_BOUNDS if position.white else BLACK_BOUNDS
    sums = list(accumulate(map(bounds.__getitem__, position.board)))
    if sums[63] > 255:
        moves = position.canonical_moves()
        need(len(moves) <= 255, "5.2", "a code where there are %d legal moves" % len(moves))
        need(code < len(moves) or code == NULL_CODE, "5.2", "code %d of %d legal moves" % (code, len(moves)))
        return None if code == NULL_CODE else moves[code]
    if code == NULL_CODE:
        return None
    need(code < sums[63], "5.2", "code %d, and the bounds sum to %d" % (code, sums[63]))
    origin = bisect_right(sums, code)
    index = code - (sums[origin - 1] if origin else 0)
    kind = position.board[origin].upper()
    if kind == "P":
        direction, rest = divmod(index, 4)
        forward = 8 if position.white else -8
        target = origin + forward + direction - 1
        if target >> 3 in (0, 7):
            return origin, target, "NBRQ"[rest]
        need(rest == 0 or rest == 1 and direction == 1, "5.2", "a pawn move that there is not")
        return origin, target + forward * rest, ""
    reach = slow_chess.REACH[kind][origin]
    if index < len(reach):
        return origin, reach[index], ""
    need(kind == "K" and index in (6, 7), "5.2", "code %d goes off the board" % code)
    side = slow_chess.CASTLING[index - 6]
    return origin, position.castled_king(side), side


def read_events(columns, records):
    """Returns the events of each record as a list of (kind, moves before the event, times)."""
    cursor, counts = (Cursor(columns.get(name, b""), "3.5, column " + name) for name in ("events", "event-counts"))
    found = []
    for _ in range(records):
        events, kind = [], None
        while kind not in ENDS:
            number, event = divmod(cursor.byte(), 16)
            if number == 15:
                number += counts.varint()
            need(number <= RECORD_ITEMS_MAX, "4.6", "a record of too many items")
            if event == REPEAT:
                need(number > 0 and kind in REPEATED, "4.4", "nothing to repeat")
                _, moves, times = events.pop()
                events.append((kind, moves, times + number))
            else:
                kind = event
                need(kind <= TAIL_END, "4.4", "unknown event %d" % kind)
                events.append((kind, number, 1))
        found.append(events)
    finish(cursor, counts)
    return found


def move_counts(events):
    """Returns the number of moves in the main line of a record and the number of moves in its variations."""
    counts, depth = [0, 0], 0
    for kind, moves, times in events:
        counts[depth > 0] += moves * times
        depth = depth + 1 if kind == BEGIN else max(depth - 1, 0) if kind == END else depth
    return counts


class Record:
    """Renders one record, reading the columns in the order of its items. `game` is an archive_tags.Game."""

    def __init__(self, columns, style, exceptions, game):
        self.columns, self.style, self.exceptions = columns, style, exceptions
        self.lines = Lines(style)
        self.items, self.before, self.in_movetext = 0, BEFORE_ALL, False
        self.first_odd = None  # index in `lines.pieces` of the first exception or text item
        self.comment_lines = columns.get("comment-lines")
        self.roster, self.is_playable = game.tags, game.is_playable
        self.whole_line = game.line
        (_, start), *main_line = game.line
        self.main_line = iter(main_line)
        # The place in the current line, the place before its last move, and that move (None at the start of the line).
        self.line = start, start, None
        self.outer = []  # the lines that contain the current variation
        self.tags = {}  # the first value of each tag name
        self.termination = None  # the result after the main line
        self.counts = Counter()

    def decode(self, events):
        """Renders the record into self.lines and returns the kind of its end."""
        for name, value in self.roster:
            self.tag(name, value)
        for kind, moves, times in events:
            for _ in range(times):
                self.in_movetext = self.in_movetext or moves > 0 or kind not in BEFORE_MOVETEXT
                for _ in range(moves):
                    self.move()
                if kind == EXTRA_TAG:
                    self.tag(self.columns["extra-tags"].text(), self.columns["extra-tags"].text())
                else:
                    self.item(kind, lambda: self.text(kind), kind == COMMENT and self.style.wrap_comments)
        self.lines.end_unit()
        need(not self.exceptions, "4.5", "an exception for a slot that there is not")
        return kind

    def item(self, after, text, breakable=False):
        """Renders the gap before an item of class `after`, and the item, whose text `text()` then returns."""
        self.items += 1
        need(self.items <= RECORD_ITEMS_MAX, "4.6", "a record of too many items")
        if after == PIECE_END:
            return
        exception = self.exception(2 * self.items - 2)
        if exception is not None:
            self.lines.fixed(exception)
        else:
            self.template(self.before << 4 | after)
        self.before = min(after, WHITE_MOVE)
        text = text()
        exception = self.exception(2 * self.items - 1)
        if exception is None and breakable:
            self.lines.words(text)
        else:
            self.lines.text(text if exception is None else exception)

    def exception(self, slot):
        found = self.exceptions.pop(slot, None)
        if found is not None:
            self.mark_odd()
        return found

    def mark_odd(self):
        if self.first_odd is None:
            self.first_odd = len(self.lines.pieces)

    def template(self, context):
        need(context in self.style.gaps, "6.3", "no template for context %d" % context)
        for part in self.style.gaps[context]:
            if part is BLANK:
                self.lines.blank()
            elif part is FIXED:
                self.lines.fixed(b" ")
            else:
                self.lines.text(b"%d" % self.line[0].position.fullmove if part is NUMBER else part)

    def tag(self, name, value):
        need(not self.in_movetext, "4.7", "a tag in the movetext")
        self.tags.setdefault(name, value)
        self.item(EXTRA_TAG, lambda: b'[%b "%b"]' % (name, value))

    def move(self):
        need(self.is_playable, "4.7", "a move after an invalid FEN tag")
        before = self.line[0]
        move, after = self.columns["variation-moves"].step(before) if self.outer else next(self.main_line)
        self.item(WHITE_MOVE if before.position.white else BLACK_MOVE,
                  lambda: self.style.spell(before.position, move, after.position.check_mark()))
        self.line = after, before, move
        if self.comment_lines:
            self.comment_lines.play(move)
        self.counts["variation_plies" if self.outer else "plies"] += 1

    def comment(self):
        text = self.columns["comments"].text()
        return self.comment_lines.expand(text, self.line if self.in_movetext else None) if self.comment_lines else text

    def text(self, kind):
        """Returns the text of an item that is not a tag or a move (4.3)."""
        columns = self.columns
        if kind in COMMENTS:
            return (b"{%b}", b";%b", b"%%%b")[COMMENTS.index(kind)] % self.comment()
        if kind == RESULT:
            code = columns["results"].byte()
            text = RESULTS[code] if code < 4 else self.tags.get(b"Result")
            need(code <= 4 and text in RESULTS, "5", "unknown result %d, or a Result tag that is none" % code)
            if not self.outer:
                self.termination = text
            return text
        if kind == NAG:
            return b"$%d" % columns["nags"].byte()
        if kind == SUFFIX:
            number = columns["nags"].byte()
            need(1 <= number <= 6, "4.3", "unknown suffix %d" % number)
            return SUFFIXES[number - 1]
        if kind == TEXT:
            self.mark_odd()
            text = columns["verbatim"].take(columns["verbatim-sizes"].varint())
            self.counts.update(texts=1, verbatim_bytes=len(text))
            return text
        if kind in (BEGIN, END) and self.comment_lines:
            self.comment_lines.forget()
        if kind == BEGIN:
            need(len(self.outer) < DEPTH_MAX, "4.8", "variations too deep")
            self.outer.append(self.line)
            self.line = self.line[1], self.line[1], None
            return b"("
        if kind == END:
            need(self.outer, "4.8", "the end of a variation that has not begun")
            self.line = self.outer.pop()
            return b")"
        return b""  # the end of a record


class Block:
    def __init__(self, columns, bytes_max):
        """`columns` maps names to contents. `bytes_max` is the largest size of the text."""
        self.reasons = columns.get("reasons")
        self.columns = {name: Cursor(columns.get(name, b""), "3.5, column " + name) for name in (
            "comments", "nags", "results", "styles", "layout", "layout-text", "verbatim-sizes", "verbatim", "extra-tags")}
        by_record = ("variation-moves", "comment-lines")
        self.columns.update((name, columns[name]) for name in by_record if name in columns)
        self.by_record = [self.columns[name] for name in by_record if name in columns]
        styles = Cursor(columns.get("style-list", b""), "3.5, column style-list")
        self.styles = list(iter(lambda: Style(styles) if styles.has_more() else None, None))
        need(len(self.styles) <= STYLES_MAX, "6.1", "too many styles")
        self.bytes_max = bytes_max
        self.counts = Counter()  # the counts of a block's head (3.1)
        self.signatures, self.facts = [], []  # the expected contents of the search columns (20)

    def decode(self, games, events, continues):
        """Returns all records as (text, continues, end kind). `games` is the result of archive_tags.read_games."""
        done, odd, size = [], [], 0
        for number, (game, record_events) in enumerate(zip(games, events)):
            style, exceptions = self.style_and_exceptions()
            for column in self.by_record:
                column.begin()
            record = Record(self.columns, style, exceptions, game)
            kind = record.decode(record_events)
            for column in self.by_record:
                column.end()
            text = b"".join(record.lines.pieces)
            size += len(text)
            need(size <= self.bytes_max, "3.1", "the records have more bytes than the head says")
            self.count(record, continues, kind)
            if not continues and kind != TAIL_END and (record.first_odd is not None or kind == PIECE_END):
                odd.append((number, sum(map(len, record.lines.pieces[:record.first_odd]))))
            done.append((text, continues, kind))
            self.signatures.append(archive_search.signature(record.whole_line))
            self.facts.append(archive_search.facts(record.tags, record.termination))
            continues = kind == PIECE_END
        finish(*self.columns.values())
        self.check_reasons(odd)
        return done

    def style_and_exceptions(self):
        """Returns the style of the next record and its exceptions by slot (4.5)."""
        number, has_exceptions = divmod(self.columns["styles"].varint(), 2)
        need(number < len(self.styles), "5", "style %d of %d" % (number, len(self.styles)))
        found, slot, layout = {}, -1, self.columns["layout"]
        for _ in range(layout.varint() if has_exceptions else 0):
            slot += layout.varint() + 1
            found[slot] = self.columns["layout-text"].take(layout.varint())
        need(found or not has_exceptions, "4.5", "no exceptions where there should be some")
        return self.styles[number], found

    def count(self, record, continues, kind):
        """Adds the counts of a record (3.1). A game that continues in another record contains text items there (4.6)."""
        texts = record.counts.pop("texts", 0)
        self.counts += record.counts
        if continues or kind == TAIL_END:
            need(record.items == 2 and texts == 1, "4.6", "a continuation that is not one text item")
            need(not (continues and kind == TAIL_END), "4.6", "a piece of a game that is no game")
            return
        self.counts["games"] += 1
        if texts or kind == PIECE_END:
            self.counts["partly" if record.counts["plies"] + record.counts["variation_plies"] else "verbatim"] += 1
        elif record.first_odd is not None:
            self.counts["corrected"] += 1

    def check_reasons(self, odd):
        """Checks the column `reasons` (8.2). `odd`: each game with text items or exceptions, and the offset of the first."""
        if self.reasons is None:
            return
        cursor, last = Cursor(self.reasons, "8.2"), -1
        for number, offset in odd:
            last += cursor.varint() + 1
            need(last == number, "8.2", "record %d where %d is the next with a reason" % (last, number))
            need(1 <= cursor.byte() <= REASON_MAX, "8.2", "unknown reason")
            need(cursor.varint() == offset, "8.2", "record %d: the offset is not %d" % (number, offset))
        cursor.finish()
