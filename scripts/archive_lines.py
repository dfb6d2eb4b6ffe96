"""Lines of moves in comments of the Stamma archive format (doc/format.md, clause 16).

Plain Python for decode_archive.py, which says what it is for.
"""
import copy

import slow_chess
from archive_values import BYTES_MAX, RECORD_BYTES_MAX, Cursor, need

MARK = b"\2"
COLUMNS = ("lines", "line-sizes", "line-moves")
AFTER, PLAYED, BEFORE, REPLY = range(4)
BREAKS = (None, b"\n", b"\r\n")
KINDS, KNOWN_MAX, REPLY_PLIES = 121, 4, 3


def count_lines(columns, records):
    """How many moves each record has in the column."""
    sizes = Cursor(columns.get("line-sizes", b""), "16.2")
    counts = [sum(sizes.varint() for _ in range(sizes.varint())) for _ in range(records)]
    need(all(count <= RECORD_BYTES_MAX for count in counts), "16.2", "too many moves in lines")
    return counts


def spelt(position, move, after, coordinates):
    if not coordinates:
        return (position.san(move) + after.check_mark()).encode()
    origin, target, extra = move
    return (slow_chess.name_of(origin) + slow_chess.name_of(target)
            + ("" if extra in slow_chess.CASTLING else extra.lower())).encode()


class CommentLines:
    """The lines in the comments of a block's records. `move_of_code`: as archive_records.py has it."""

    def __init__(self, cursors, predicted, move_of_code):
        self.kinds, self.sizes, self.codes = cursors
        self.predicted, self.move_of_code = predicted, move_of_code
        self.total = self.marks = 0
        self.inside = None

    def begin(self, number):
        """Begins a record. Whether its moves in lines are predicted."""
        self.marks = self.sizes.varint()
        self.forget()
        self.inside = self.predicted.begin(number) if self.predicted else None
        return self.inside is not None

    def end(self):
        need(self.marks == 0, "16.2", "more marks than the comments have")
        if self.predicted:
            self.predicted.end()

    def play(self, move):
        """The game goes on with a move."""
        self.known = [line[1:] for line in self.known if line[0] == move and len(line) > 1]
        self.replies = [None] + self.replies[:-1]

    def forget(self):
        self.known, self.replies = [], [None] * REPLY_PLIES

    def expand(self, text, line, games):
        """A comment's text. `line`: where the game stands, [position, the one before the last move, that move]; `games`: the
        same to the predictor."""
        plain, *others = text.split(MARK)
        pieces = [plain]
        for other in others:
            pieces += [self.mark(line, games), other]
        return b"".join(pieces)

    def mark(self, line, games):
        need(self.marks > 0, "16.2", "more marks than the record has")
        self.marks -= 1
        kind = self.kinds.byte()
        need(kind < KINDS, "16.2", "unknown kind %d" % kind)
        rest, begin = divmod(kind - 1, 4)
        known, breaks, coordinates = rest // 6, rest // 2 % 3, rest % 2
        shared = self.kinds.varint() if kind and known else 0
        places = self.breaks() if kind and breaks else []
        own = self.sizes.varint()
        if kind == 0:
            need(own == 0, "16.2", "a mark that stands for itself and moves")
            return MARK
        need(line, "16.2", "a line before the movetext")
        if begin == REPLY:
            need(self.replies[-1] and not known and not breaks and not own, "16.4", "a reply that was not expected")
            return self.text([spelt(*self.replies[-1], coordinates)], [], None)
        need(begin == AFTER or line[2], "16.2", "a line at a move that there is not")
        need(begin == PLAYED or shared + own > 0, "16.2", "a line of no moves")
        need(not known or (known <= len(self.known) and begin != BEFORE), "16.3", "known line %d that there is not" % known)
        need(not known or 0 < shared <= len(self.known[known - 1]), "16.3", "%d moves of a known line" % shared)
        moves, words = self.moves(line[begin == BEFORE], games and games[begin == BEFORE], self.known[known - 1][:shared]
                                  if known else [], own, coordinates)
        if begin == PLAYED:
            before, last, after = line[1], line[2], line[0]
            words.insert(0, spelt(before, last, after, coordinates))
        if begin != BEFORE and moves:
            self.replies[0] = line[0], moves[0], line[0].play(moves[0])
        if begin != BEFORE and own:
            self.know(moves, known - 1 if known and shared == len(self.known[known - 1]) else None)
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

    def moves(self, position, game, shared, own, coordinates):
        """A line's moves, and as words."""
        moves, words = [], []
        for number in range(len(shared) + own):
            if number < len(shared):
                move = shared[number]
            elif self.inside:
                move = self.predicted.move(position, game)
            else:
                codes = self.predicted.codes if self.predicted else self.codes
                move = self.move_of_code(position, codes.byte())
            after = position.play(move) if move else None
            need(after is not None, "16.2", "a move of a line is not legal")
            if game:
                game = copy.copy(game)
                game.played = list(game.played)
                game.play(position, move)
            moves.append(move)
            words.append(spelt(position, move, after, coordinates))
            position = after
        return moves, words

    def know(self, moves, continued):
        if continued is not None:
            del self.known[continued]
        self.known = [moves] + self.known[:KNOWN_MAX - 1]

    def text(self, words, places, end):
        need(not places or places[-1] < len(words), "16.2", "a line end behind the last move")
        text = words[0]
        for number, word in enumerate(words[1:], 1):
            text += (end if number in places else b" ") + word
        self.total += len(text)
        need(self.total <= BYTES_MAX, "16.2", "too many bytes in lines")
        return text
