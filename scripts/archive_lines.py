"""Lines of moves in comments of the Stamma archive format (doc/format.md, clause 16).

Plain Python for decode_archive.py, which says what it is for.
"""
import slow_chess
from archive_moves import play
from archive_values import Cursor, need

COLUMNS = ("lines", "line-sizes", "line-moves")
MARK = b"\2"
AFTER, PLAYED, BEFORE, REPLY = range(4)
BREAKS = (None, b"\n", b"\r\n")
KINDS, KNOWN_MAX, REPLY_PLIES = 121, 4, 3
MOVES_MAX, BYTES_MAX = 2 ** 22, 2 ** 24


def count_lines(sizes, records):
    """How many moves each record has in the column of moves."""
    cursor = Cursor(sizes, "16.2")
    counts = [sum(cursor.varint() for _ in range(cursor.varint())) for _ in range(records)]
    need(all(count <= MOVES_MAX for count in counts), "16.2", "too many moves in lines")
    return counts


def spelt(position, move, after, coordinates):
    if not coordinates:
        return (position.san(move) + after.check_mark()).encode()
    origin, target, extra = move
    promotion = "" if extra in slow_chess.CASTLING else extra.lower()
    return (slow_chess.name_of(origin) + slow_chess.name_of(target) + promotion).encode()


class CommentLines:
    """The lines in the comments of a block. `entries`: the names of the columns that it has."""

    def __init__(self, columns, entries):
        self.kinds, self.sizes = (Cursor(columns.get(name, b""), "3.5, column " + name) for name in COLUMNS[:2])
        self.moves = columns["line-moves"]
        self.are_there = any(name in entries for name in COLUMNS)
        self.total = 0  # bytes of text

    def begin(self):
        """The next record begins."""
        self.marks = self.sizes.varint() if self.are_there else 0
        self.forget()
        self.moves.begin()

    def end(self):
        need(self.marks == 0, "16.2", "more marks than the comments have")
        self.moves.end()

    def finish(self):
        for source in (self.kinds, self.sizes, self.moves):
            source.finish()

    def play(self, move):
        """The game goes on with a move."""
        self.known = [line[1:] for line in self.known if line[0] == move and len(line) > 1]
        self.replies = [None] + self.replies[:-1]

    def forget(self):
        """A variation begins or ends."""
        self.known, self.replies = [], [None] * REPLY_PLIES

    def expand(self, text, line):
        """A comment's text. `line`: as archive_records.Record has it, None before the movetext."""
        if not self.are_there:
            return text
        plain, *others = text.split(MARK)
        return plain + b"".join(self.mark(line) + other for other in others)

    def mark(self, line):
        """What the next mark stands for."""
        need(self.marks > 0, "16.2", "more marks than the record has")
        self.marks -= 1
        kind = self.kinds.byte()
        need(kind < KINDS, "16.2", "unknown kind %d" % kind)
        form, begin = divmod(kind - 1, 4)
        known, breaks, coordinates = form // 6, form // 2 % 3, form % 2
        shared = self.kinds.varint() if kind and known else 0
        places = self.breaks() if kind and breaks else []
        own = self.sizes.varint()
        if kind == 0:
            need(own == 0, "16.2", "a mark that stands for itself and moves")
            return MARK
        need(line, "16.2", "a line before the movetext")
        now, before, last = line
        if begin == REPLY:
            need(self.replies[-1] and not known and not breaks and not own, "16.4", "a reply that was not expected")
            return self.text([spelt(*self.replies[-1], coordinates)], [], None)
        need(begin == AFTER or last, "16.2", "a line at a move that there is not")
        need(begin == PLAYED or shared + own > 0, "16.2", "a line of no moves")
        need(not known or (known <= len(self.known) and begin != BEFORE), "16.3", "known line %d that there is not" % known)
        need(not known or 0 < shared <= len(self.known[known - 1]), "16.3", "%d moves of a known line" % shared)
        line = self.known[known - 1] if known else []
        moves, words = self.line(before if begin == BEFORE else now, line[:shared], own, coordinates)
        if begin == PLAYED:
            words.insert(0, spelt(before.position, last, now.position, coordinates))
        if begin != BEFORE and moves:
            self.replies[0] = now.position, moves[0], now.position.play(moves[0])
        if begin != BEFORE and own:
            if known and shared == len(line):
                del self.known[known - 1]
            self.known = [moves] + self.known[:KNOWN_MAX - 1]
        return self.text(words, places, BREAKS[breaks])

    def breaks(self):
        """The numbers of the words that a line end stands before."""
        count, at, places = self.kinds.varint(), 0, []
        need(count > 0, "16.2", "no line ends where there should be some")
        for _ in range(count):
            more = self.kinds.varint()
            need(more > 0, "16.2", "a line end twice")
            at += more
            places.append(at)
        return places

    def line(self, place, shared, own, coordinates):
        """The moves of a line that begins at a place, and as words."""
        moves, words = [], []
        for number in range(len(shared) + own):
            move = shared[number] if number < len(shared) else self.moves.move(place)
            need(move, "16.2", "a null move")
            after = play(place, move)
            moves.append(move)
            words.append(spelt(place.position, move, after.position, coordinates))
            place = after
        return moves, words

    def text(self, words, places, end):
        need(not places or places[-1] < len(words), "16.2", "a line end behind the last move")
        text = words[0] + b"".join((end if number in places else b" ") + word for number, word in enumerate(words[1:], 1))
        self.total += len(text)
        need(self.total <= BYTES_MAX, "16.2", "too many bytes in lines")
        return text
