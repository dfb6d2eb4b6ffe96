# SPDX-License-Identifier: MIT
"""The adaptive predictor, implemented slowly and plainly from doc/format/predictor.md only. An independent implementation for
tests and decoders."""
import math
import struct

from archive_values import divided, within
from slow_chess import CASTLING, EMPTY, LEAPS, PAWN_ORIGINS, PAWN_TARGETS, SLIDES, slide
from slow_predictor import (KINDS, LEFT_UNKNOWN, MASK, OUTPUTS, POWERS, TABLES, VECTORS, View, Weights, attacks,
                            frequencies_of, logits_of, mix64, steps)

OWN_SIZES = (3456, 2592, 2304, 2592, 768, 2016, 768, 5832, 2304)
ROW_SIZES = OWN_SIZES + (VECTORS, TABLES[2], TABLES[0], TABLES[1])
UNITS = 32
WORTH = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9, "K": 50, EMPTY: 0}
FALLS = (0, 1, 2, 4)
MOVE_LIMITS = (6, 12, 20, 28, 36, 44)
LOG2 = [round(4096 * math.log2(1 + (m + 0.5) / 256)) for m in range(256)]
SIZES = [round(65536 * 0.1 / math.log(2) / math.sqrt((8.5 + q % 8) / 8 * 2 ** (q // 8) / 2)) for q in range(80)]
LIMIT, KEPT_MAX = 1 << 20, 128


def log2(x):
    top = x.bit_length() - 1
    return 4096 * top + LOG2[(x << 8 >> top) & 255]


class SecondWeights:
    """The weights of the second stage, and the book."""

    def __init__(self, data):
        self.data, self.at, rows = data, 0, sum(ROW_SIZES)
        self.own = self.take("h", sum(OWN_SIZES))
        self.embedding = self.take("b", rows * UNITS)
        self.context = self.take("h", UNITS * OUTPUTS)
        self.output = self.take("h", UNITS)
        self.book = data[self.at:]

    take = Weights.take

    def units(self, outputs):
        return [sum(a * b for a, b in zip(self.context[n * OUTPUTS:(n + 1) * OUTPUTS], outputs)) >> 16 for n in range(UNITS)]

    def logit(self, units, rows):
        for row in rows:
            units = [a + b for a, b in zip(units, self.embedding[row * UNITS:(row + 1) * UNITS])]
        own = sum(self.own[row] for row in rows[:len(OWN_SIZES)])
        return own + (sum(max(a, 0) * b for a, b in zip(units, self.output)) >> 6)

    def shares(self, position_hash):
        """Returns the count of a position in the book (0: none), its bucket, and the shares of moves by number."""
        at, end = struct.unpack_from("<2I", self.book, 4 * (position_hash >> 52))
        while at < end:
            tag, sizes = struct.unpack_from("<HB", self.book, at)
            moves, shares, fallen = self.book[at + 3:at + 4 + (sizes >> 4)], {}, 0
            if tag == position_hash >> 36 & 0xFFFF:
                for byte in moves:
                    fallen += FALLS[byte >> 6]
                    shares[byte & 63] = POWERS[128 * (fallen % 2)] >> fallen // 2
                return 1 << (sizes & 15) + 3, sizes & 15, shares
            at += 3 + len(moves)
        return 0, 0, {}


def emptied(board, square):
    return board[:square] + [EMPTY] + board[square + 1:]


def least_taker(board, target, ours):
    for kind in KINDS:
        squares = (PAWN_ORIGINS[ours][target] if kind == "P" else
                   LEAPS[kind][target] if kind in LEAPS else slide(board, target, kind))
        for square in sorted(squares):
            if board[square] == (kind if ours else kind.lower()):
                return square
    return None


def exchanged(board, target, stands, ours):
    """Returns the value that a side can win by captures on the target. `stands` is the value of the piece there."""
    origin = least_taker(board, target, ours)
    if origin is None:
        return 0
    return max(0, stands - exchanged(emptied(board, origin), target, WORTH[board[origin].upper()], not ours))


def index(*digits):
    """Returns a mixed-radix number. `digits` are pairs of a digit and its radix."""
    value = 0
    for digit, size in digits:
        assert 0 <= digit < size
        value = value * size + digit
    return value


class SecondView:
    """The inputs of the second stage for a position. `view` is the first stage's view."""

    def __init__(self, view, memory):
        self.view, self.memory, self.board = view, memory, view.board
        board, flip, game = view.board, view.flip, view.game
        self.seen_by_enemy = {target for square, piece in enumerate(board) if piece.islower()
                              for target in attacks(board, square)}
        self.hanging = {square for square, piece in enumerate(board) if piece in "PNBRQ" and (
            piece != "P" and square in view.enemy.get(0, ()) or
            square in self.seen_by_enemy and square not in view.own_all)}
        self.last = [last and (last[0], last[1] ^ flip, last[2] ^ flip, last[3]) for last in map(game.last, range(4))]
        self.left = 7 if view.left == LEFT_UNKNOWN else view.left if view.left < 2 else min(view.left // 2 + 1, 6)

    def rows(self, move, places):
        """Returns the row numbers of a move. `places` are the first stage's places."""
        view, board, last, castles = self.view, self.board, self.last[0], move[2] in CASTLING
        origin, target, kind, becomes, taken = view.parts(move)
        victim = KINDS.index(taken) if taken != EMPTY else 5
        after = board if castles else emptied(board, origin)
        hit = attacks(after[:target] + [becomes] + after[target + 1:], target)
        number, phase = KINDS.index(kind), view.phase()
        value = 0 if castles else WORTH[taken] - exchanged(after, target, WORTH[kind], False)
        worth = sum(value >= limit for limit in (-5, -2, -1, 0, 1, 2, 4))
        safe = worth >= 4
        check = not castles and (view.checks(becomes, target) or self.uncovers(origin, target))
        threats = self.threats(becomes, hit)
        ring = sum(steps(square, view.enemy_king) < 2 for square in hit)
        others = [KINDS.index(board[square]) for square in self.hanging if square != origin]
        near = (steps(target, last[2]), steps(origin, last[2]), last[2] in hit) if last else (8, 8, False)
        retakes, took = bool(last and last[3] and last[2] == target), last[3] if last else 0
        mates = check and self.left == 0 and next(view.position.after(move).legal_moves(), None) is None
        own = (
            index((number, 6), (victim, 6), (worth, 8), (check, 2), (retakes, 2), (phase, 3)),
            index((KINDS.index(becomes), 6), (max(threats, default=-1) + 1, 6), (min(len(threats), 2), 3), (safe, 2),
                  (min(ring, 3), 4), (phase, 3)),
            index((number, 6), (self.free(hit), 8), (self.free(attacks(board, origin)), 8), (phase, 3), (safe, 2)),
            index((max(others, default=-1) + 1, 6), (min(len(others), 2), 3), (origin in self.hanging, 2), (number, 6),
                  (0 if victim == 5 else 1 + (victim > 0), 3), (check, 2), (safe, 2)),
            index(*self.pawn(origin, target), (phase, 3)) if kind == "P" else
            384 + index((number, 6), (steps(target, view.enemy_king), 8), (steps(target, view.king), 8)),
            index((places[0] % VECTORS in self.memory.possible[view.position.white], 2), (number, 6), (victim, 6), (safe, 2),
                  (last[0] if last else 6, 7), (took, 2)),
            index((self.repeats(move, taken), 3), (view.result, 4), (self.left, 8), (len(self.memory.kept) > 8, 2), (mates, 2),
                  (check, 2)),
            index((number, 6), (near[0], 9), (near[1], 9), (near[2], 2), (victim, 6)),
            index((self.came(1, origin), 2), (self.came(3, origin), 2), (number, 6), (victim, 6), (worth, 8), (check, 2)))
        rows, begin = [], 0
        for row, size in zip(own + (places[0] % VECTORS, places[3], places[1], places[2]), ROW_SIZES):
            rows.append(begin + row)
            begin += size
        return rows

    def threats(self, becomes, hit):
        """Returns the types of enemy pieces that a piece threatens on the squares `hit`, which it attacks."""
        least = 0 if becomes == "K" else WORTH[becomes]
        pieces = [(square, self.board[square].upper()) for square in hit if self.board[square] in "pnbrq"]
        return {KINDS.index(kind) for square, kind in pieces if WORTH[kind] > least or square not in self.seen_by_enemy}

    def free(self, squares):
        return min(sum(not self.board[square].isupper() for square in squares) // 2, 7)

    def uncovers(self, origin, target):
        for kind in "BR":
            for way in SLIDES[kind][self.view.enemy_king]:
                if origin in way and target not in way:
                    pieces = [square for square in way if self.board[square] != EMPTY]
                    return pieces[0] == origin and len(pieces) > 1 and self.board[pieces[1]] in (kind, "Q")
        return False

    def pawn(self, origin, target):
        board = self.board
        beside = [file for file in (target % 8 - 1, target % 8 + 1) if 0 <= file < 8]
        passed = not any(board[square] == "p" for square in range((target | 7) + 1, 64) if square % 8 in beside + [target % 8])
        supported = any(board[square] == "P" for square in PAWN_ORIGINS[True][target] if square != origin)
        isolated = not any(board[square] == "P" for square in range(64) if square % 8 in beside)
        lever = any(board[square] == "p" for square in PAWN_TARGETS[True][target])
        return (target // 8, 8), (passed, 2), (supported, 2), (isolated, 2), (lever, 2)

    def repeats(self, move, taken):
        position, kept = self.view.position, self.memory.kept
        if taken != EMPTY or position.board[move[0]] in "Pp" or move[2] or position.halfmove < 3 or len(kept) < 4:
            return 0
        return min(kept.count(identity(position.after(move))), 2)

    def came(self, number, origin):
        return bool(self.last[number] and self.last[number][2] == origin)


def identity(position):
    return position.board, position.castling, position.white


class Memory:
    """The second stage's memory of a game: the vectors of the moves that were possible, by side, and the positions."""

    def __init__(self):
        self.possible, self.kept = {True: set(), False: set()}, []

    def keep(self, position):
        self.kept = ((self.kept if position.halfmove else []) + [identity(position)])[:KEPT_MAX]


def fixed_logits(weights, second, position, game, memory):
    """Returns the moves in the predictor's order, their logits and first places, and the context of the last but one."""
    view = View(position, game)
    moves = view.moves()
    (found, outputs), own = logits_of(weights, view, moves), SecondView(view, memory)
    units = second.units(outputs)
    logits = [16 * logit + second.logit(units, own.rows(move, places)) for move, (logit, places) in zip(moves, found)]
    return moves, logits, [places for _, places in found], view.contexts()[1]


class Counts:
    """Counts of a player's positions and moves, by hash."""

    def __init__(self):
        self.fours = {}  # hash bits to four [tag, count] pairs

    def find(self, of):
        """Returns the entry of a hash, or None."""
        four = self.fours.get(of >> 48, ())
        return next((place for place in four if place[1] and place[0] == of & 0xFFFFF), None)

    def count(self, of):
        place = self.find(of)
        return place[1] if place else 0

    def add(self, of):
        place = self.find(of)
        if place:
            place[1] = min(place[1] + 1, 4095)
            return
        four = self.fours.setdefault(of >> 48, [[0, 0] for _ in range(4)])
        least = min(place[1] for place in four)
        next(place for place in four if place[1] == least)[:] = of & 0xFFFFF, 1


def position_hash(position):
    sets = [sum(1 << square for square, piece in enumerate(position.board) if piece != EMPTY and piece in pieces)
            for pieces in [kind + kind.lower() for kind in KINDS] + [KINDS]]
    rights = sum(2 << n for n, right in enumerate((white, side) for white in (True, False) for side in CASTLING)
                 if right in position.castling)
    value = 0
    for number in sets + [rights + (not position.white)]:
        value = mix64(value + number & MASK)
    return value


class Adaptive:
    """The adaptive predictor of a lane. Call for each game begin_game, and for each move frequencies, learn and play."""

    def __init__(self, weights, second):
        self.weights, self.second = weights, second
        self.cells = {}  # (kind of row, row): [weight, squares]
        self.temperature, self.surprise_temperature = [65536] * 64, [0] * 256
        self.count_weights = {}  # by (player or book, whether there is a time control, bucket)
        self.counts, self.last_random = Counts(), 0

    def begin_game(self, game, players=(0, 0)):
        """Begins a Game. `players` are hashes of the names of White and Black; 0 is unknown."""
        self.game, self.players, self.memory = game, players, Memory()
        self.surprise = {True: 0, False: 0}  # by whether the side is White

    def play(self, position, move):
        self.game.play(position, move)

    def random(self):
        self.last_random = (1664525 * self.last_random + 1013904223) & 0xFFFFFFFF
        return self.last_random >> 16

    def frequencies(self, position):
        """Returns all legal moves of a position with their frequencies, in the predictor's order."""
        self.memory.keep(position)
        self.white, self.ply = position.white, self.game.ply(position)
        self.moves, logits, places, context = fixed_logits(self.weights, self.second, position, self.game, self.memory)
        self.vectors = [place[0] % VECTORS for place in places]
        self.coded = [65536] * len(self.moves)
        if len(self.moves) > 1:
            self.player = self.players[not self.white]
            self.hash = position_hash(position)
            self.player_hash = mix64(self.hash + self.player & MASK)
            self.find_places(places, context)
            self.cool([logit + 2 * self.learnt_for(of) for logit, of in zip(logits, self.places)])
            self.add_counts()
        self.memory.possible[self.white] = set(self.vectors)
        return list(zip(self.moves, self.coded))

    def find_places(self, places, context):
        """Finds the cells of each move. The first four cells belong to the places of the first stage."""
        own, player = 4096 * context, 4096 * mix64(self.player)
        contexts = own, player + (1 << 62), 4096 * mix64(player + own & MASK)
        slots = [[mix64(one + vector & MASK) >> 44 for one in contexts] for vector in self.vectors]
        self.places = [list(enumerate(list(first) + more)) for first, more in zip(places, slots)]

    def learnt_for(self, places):
        return sum(self.cells[place][0] for place in places if place in self.cells)

    def cool(self, logits):
        """Computes the distances to the best logit, multiplied by the temperature."""
        self.below = [min(max(logits) - logit, 1 << 18) for logit in logits]
        self.place = 8 * min(self.ply // 8, 7) + sum(len(logits) >= limit for limit in MOVE_LIMITS)
        digits = [within(divided(self.surprise[side] + 16384, 2048), 0, 15) for side in (self.white, not self.white)]
        self.surprise_place = 16 * digits[0] + digits[1]
        temperature = self.temperature[self.place] + self.surprise_temperature[self.surprise_place]
        self.cooled = [d * within(temperature, 1 << 14, 1 << 18) >> 16 for d in self.below]
        self.learnt = frequencies_of([(e + 8) // 16 for e in self.cooled])

    def add_counts(self):
        """Adds the logits that follow from counts."""
        timed, self.added = self.game.time > 0, []  # `added`: places and first values of weights, numbers of the moves
        n = self.counts.count(self.player_hash) if self.player else 0
        if n:
            counts = [self.counts.count(mix64(self.player_hash + 1 + vector & MASK)) for vector in self.vectors]
            numbers = [log2((k << 17) + p) - log2((2 * n + 1) * p) for k, p in zip(counts, self.learnt)]
            self.added.append((("player", timed, min(n.bit_length(), 15)), 26214, numbers))
        n, bucket, shares = self.second.shares(self.hash)
        if n:
            numbers = [log2(shares.get(m, 0) * n + 2 * p) - log2((n + 2) * p) for m, p in enumerate(self.learnt)]
            self.added.append((("book", timed, bucket), 19661 if timed else 58982, numbers))
        weighted = [(self.count_weights.setdefault(place, first), numbers) for place, first, numbers in self.added]
        sums = [sum(weight * numbers[m] for weight, numbers in weighted) for m in range(len(self.moves))]
        logits = [divided(total, 65536) - e for total, e in zip(sums, self.cooled)]
        self.coded = frequencies_of([(max(logits) - logit + 8) // 16 for logit in logits])

    def learn(self, move):
        """Learns that `move` was played in the position of the last call of frequencies."""
        if len(self.moves) < 2:
            return
        played = self.moves.index(move)
        for number, places in enumerate(self.places):
            self.learn_cells(places, self.learnt[number] - 65536 * (number == played))
        by = mean(self.below, self.learnt) - self.below[played]
        step(self.temperature, self.place, by, 32)
        step(self.surprise_temperature, self.surprise_place, by, 64)
        step(self.surprise, self.white, self.cooled[played] - mean(self.cooled, self.learnt) - self.surprise[self.white], 16)
        for place, _, numbers in self.added:
            step(self.count_weights, place, numbers[played] - mean(numbers, self.coded), 8)
        if self.ply < 60 and self.player:
            self.counts.add(self.player_hash)
            self.counts.add(mix64(self.player_hash + 1 + self.vectors[played] & MASK))

    def learn_cells(self, places, gradient):
        size = abs(gradient)
        if size < 512:
            size = 512 if self.random() * 512 >> 16 < size else 0
        for place in places if size else ():
            hashed, cell = place[0] >= 4, self.cells.setdefault(place, [0, 0])
            cell[1] = min(cell[1] + (size * size + (self.random() << 8) >> 24), 65535)
            x = cell[1] + (128 if hashed else 25600)
            top = x.bit_length() - 1
            by = size * SIZES[8 * (top - 7) + (x >> top - 3 & 7)] >> (0 if hashed else 1)
            by = by + (self.random() << 5) >> 21
            cell[0] = within(cell[0] - by if gradient > 0 else cell[0] + by, -32767, 32767)


def mean(numbers, frequencies):
    return divided(sum(a * b for a, b in zip(numbers, frequencies)), 65536)


def step(numbers, place, by, part):
    numbers[place] = within(numbers[place] + divided(by, part), -LIMIT, LIMIT)
