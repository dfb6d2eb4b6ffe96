# SPDX-License-Identifier: MIT
"""Lines of moves in comments of the Stamma archive format (doc/format/block_columns.md, clause 18)."""
from itertools import accumulate

import slow_chess
from archive_moves import follow
from archive_values import Cursor, finish, need

MARK = b"\2"
LINE_MOVES = "line-moves"
LINE_COLUMNS = ("lines", "line-sizes", LINE_MOVES)
AFTER, PLAYED, BEFORE, REPLY = range(4)
BREAKS = (None, b"\n", b"\r\n")
KINDS, KNOWN_MAX, REPLY_PLIES, MOVES_MAX, TEXT_MAX = 121, 4, 3, 2 ** 22, 2 ** 24


def count_lines(columns, records):
    """Returns the number of moves that each record has in the column `line-moves`."""
    if "line-sizes" not in columns:
        return [0] * records
    sizes = Cursor(columns["line-sizes"], "3.5, column line-sizes")
    counts = [sum(sizes.varint() for _ in range(sizes.varint())) for _ in range(records)]
    need(all(count <= MOVES_MAX for count in counts), "18.2", "too many moves in lines")
    return counts


def spelt(place, move, after, coordinates):
    if not coordinates:
        return (place.position.san(move) + after.position.check_mark()).encode()
    return slow_chess.uci(move).encode()


class CommentLines:
    """The lines in the comments of a block's records."""

    def __init__(self, columns):
        self.kinds, self.sizes = (Cursor(columns.get(name, b""), "3.5, column " + name) for name in LINE_COLUMNS[:2])
        self.column = columns[LINE_MOVES]
        self.total = 0

    def begin(self):
        """Begins the next record."""
        self.marks = self.sizes.varint()
        self.forget()
        self.column.begin()

    def end(self):
        need(self.marks == 0, "18.2", "more marks than the comments have")
        self.column.end()

    def finish(self):
        finish(self.kinds, self.sizes, self.column)

    def play(self, move):
        """Updates the known lines and the expected replies after a move of the game."""
        self.known = [line[1:] for line in self.known if line[0] == move and len(line) > 1]
        self.replies = [None] + self.replies[:-1]

    def forget(self):
        self.known, self.replies = [], [None] * REPLY_PLIES

    def expand(self, text, line):
        """Returns a comment with its lines. `line`: the current place, the one before the last move, and that move."""
        plain, *others = text.split(MARK)
        pieces = [plain]
        for other in others:
            pieces += [self.mark(line), other]
        return b"".join(pieces)

    def mark(self, line):
        need(self.marks > 0, "18.2", "more marks than the record has")
        self.marks -= 1
        kind = self.kinds.byte()
        need(kind < KINDS, "18.2", "unknown kind %d" % kind)
        rest, begin = divmod(kind - 1, 4)
        known, breaks, coordinates = rest // 6, rest // 2 % 3, rest % 2
        shared = self.kinds.varint() if kind and known else 0
        places = self.breaks() if kind and breaks else []
        own = self.sizes.varint()
        if kind == 0:
            need(own == 0, "18.2", "a mark that stands for itself and moves")
            return MARK
        need(line, "18.2", "a line before the movetext")
        if begin == REPLY:
            need(self.replies[-1] and not known and not breaks and not own, "18.4", "a reply that was not expected")
            return self.text([spelt(*self.replies[-1], coordinates)], [], None)
        now, before, last = line
        need(begin == AFTER or last, "18.2", "a line at a move that there is not")
        need(begin == PLAYED or shared + own > 0, "18.2", "a line of no moves")
        need(not known or (known <= len(self.known) and begin != BEFORE), "18.3", "known line %d that there is not" % known)
        need(not known or 0 < shared <= len(self.known[known - 1]), "18.3", "%d moves of a known line" % shared)
        whole = known and shared == len(self.known[known - 1])
        played = self.moves(before if begin == BEFORE else now, self.known[known - 1][:shared] if known else [], own)
        words = [spelt(*step, coordinates) for step in played]
        if begin == PLAYED:
            words.insert(0, spelt(before, last, now, coordinates))
        if begin != BEFORE and played:
            self.replies[0] = played[0]
        if begin != BEFORE and own:
            if whole:
                del self.known[known - 1]
            self.known = [[move for _, move, _ in played]] + self.known[:KNOWN_MAX - 1]
        return self.text(words, places, BREAKS[breaks])

    def breaks(self):
        """Returns the numbers of the words that follow a line end instead of a blank."""
        steps = [self.kinds.varint() for _ in range(self.kinds.varint())]
        need(steps, "18.2", "no line ends where there should be some")
        need(0 not in steps, "18.2", "a line end twice")
        return list(accumulate(steps))

    def moves(self, place, shared, own):
        """Returns the moves of a line as (the place before the move, the move, the place after the move)."""
        played = []
        for number in range(len(shared) + own):
            move = shared[number] if number < len(shared) else self.column.move(place)
            need(move is not None, "18.2", "a null move in a line")
            played.append((place, move, follow(place, move)))
            place = played[-1][2]
        return played

    def text(self, words, places, end):
        need(not places or places[-1] < len(words), "18.2", "a line end after the last move")
        text = words[0]
        for number, word in enumerate(words[1:], 1):
            text += (end if number in places else b" ") + word
        self.total += len(text)
        need(self.total <= TEXT_MAX, "18.2", "too many bytes in lines")
        return text
