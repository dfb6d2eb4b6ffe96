# SPDX-License-Identifier: MIT
"""The move predictor, implemented slowly and plainly from doc/format/predictor.md only. An independent implementation for
tests and decoders."""
import os
import struct

from slow_chess import CASTLING, EMPTY, LEAPS, PAWN_TARGETS, SLIDES, slide

MASK = (1 << 64) - 1
KINDS = "PNBRQK"
UNITS, PAIRS, OUTPUTS, INPUTS, VECTORS = 512, 256, 64, 6604, 3968
TABLES = (10368, 1024, 3072)  # numbers of exchanges, returns and distances
HASHED_BITS = (18, 19, 20)
LEFT_LIMITS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96)
LEFT_UNKNOWN = 15
CLASS_OF = {"P": 0, "N": 1, "B": 1, "R": 2, "Q": 3, "K": 4}  # classes of attackers, for the least attacker of a square
POWERS = [int(65535 * 2 ** (-n / 256) + 0.5) for n in range(256)]


def mix64(value):
    value = value * 0x9E3779B97F4A7C15 & MASK
    value = (value ^ value >> 32) * 0xD6E8FEB86659FD93 & MASK
    return value ^ value >> 32


def mix(value):
    return mix64(value) >> 32


WEIGHTS_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "model", "predict_weights.c.bin")


def read_weights():
    """Returns both parts of the file of weights (src/model/model.h), as bytes."""
    with open(WEIGHTS_FILE, "rb") as file:
        data = file.read()
    magic, version, first, first_size, second, second_size = struct.unpack_from("<8s5Q", data)
    assert (magic, version, second + second_size) == (b"StWeight", 1, len(data))
    return data[first:first + first_size], data[second:second + second_size]


class Weights:
    def __init__(self, data):
        self.data, self.at = data, 0
        self.first = self.take("b", INPUTS * UNITS)
        self.first_bias = self.take("h", UNITS)
        self.second = self.take("h", PAIRS * OUTPUTS)
        self.second_bias = self.take("i", OUTPUTS)
        self.vectors = self.take("b", 2 * VECTORS * OUTPUTS)
        self.vector_bias = self.take("h", 2 * VECTORS)
        self.tables = [self.take("h", count) for count in TABLES]
        self.hashed = [self.take("b", 1 << bits) for bits in HASHED_BITS]
        assert self.at == len(data)

    def take(self, form, count):
        values = struct.unpack_from("<%d%s" % (count, form), self.data, self.at)
        self.at += struct.calcsize("<%d%s" % (count, form))
        return values


def reach(kind, square):
    """Returns the squares that a piece of the side to move may reach in some position, ascending."""
    if kind != "P":
        table = SLIDES[kind][square] if kind in SLIDES else [LEAPS[kind][square]]
        return sorted({target for way in table for target in way} | ({2, 6} if kind == "K" and square == 4 else set()))
    if square >> 3 in (0, 7):
        return []
    return sorted(PAWN_TARGETS[True][square] + [square + 8] + ([square + 16] if square >> 3 == 1 else []))


VECTOR_OF = {key: number for number, key in enumerate(
    (kind, square, target) for kind in KINDS for square in range(64) for target in reach(kind, square))}
PROMOTED = len(VECTOR_OF)


def attacks(board, square, through=None):
    """Returns the squares that the piece on `square` attacks. `through` counts as empty."""
    kind = board[square].upper()
    if kind == "P":
        return set(PAWN_TARGETS[board[square] == "P"][square])
    return set(LEAPS[kind][square] if kind in LEAPS else slide(board, square, kind, through))


def steps(a, b):
    return max(abs(a % 8 - b % 8), abs(a // 8 - b // 8))


class Game:
    """The metadata of a game, and its moves as (kind after the move, origin, target, took); None: a null move."""

    def __init__(self, ratings=(0, 0), time=0, result=0, plies=0):
        self.ratings, self.time, self.result, self.plies = ratings, time, result, plies
        self.played, self.ply_of_start = (), None

    def ply(self, position):
        """Returns the moves played, plus the plies before the start by its fullmove number."""
        if self.ply_of_start is None:
            self.ply_of_start = max(position.fullmove - 1, 0) * 2 + (not position.white)
        return self.ply_of_start + len(self.played)

    def play(self, position, move):
        self.ply(position)
        if move is None:
            self.played += None,
            return
        origin, target, extra = move
        kind = position.board[origin].upper()
        castles = extra in CASTLING
        took = not castles and (position.board[target] != EMPTY or kind == "P" and target == position.en_passant)
        self.played += (KINDS.index(extra if extra and not castles else kind), origin, target, int(took)),

    def last(self, number):
        return self.played[-1 - number] if number < len(self.played) else None


class View:
    """A position from the side to move's point of view: that side is White, and squares are flipped for Black."""

    def __init__(self, position, game):
        self.flip = flip = 0 if position.white else 56
        self.position, self.game = position, game
        self.board = [position.board[square ^ flip] for square in range(64)]
        if not position.white:
            self.board = [piece.swapcase() for piece in self.board]
        board = self.board
        self.king, self.enemy_king = board.index("K"), board.index("k")
        self.own, self.enemy, self.twice = {}, {}, set()
        every = set()
        for square, piece in enumerate(board):
            if piece == EMPTY:
                continue
            side = self.own if piece.isupper() else self.enemy
            squares = attacks(board, square, None if piece.isupper() else self.king)
            if piece.isupper() and piece != "P":
                self.twice |= every & squares
                every |= squares
            side.setdefault(CLASS_OF[piece.upper()], set()).update(squares)
        pawns = [target for square, piece in enumerate(board) if piece == "P" for target in PAWN_TARGETS[True][square]]
        self.twice |= {target for target in pawns if pawns.count(target) > 1} | every & set(pawns)
        self.own_all, self.enemy_all = set().union(*self.own.values()), set().union(*self.enemy.values())
        left = game.plies - len(game.played) if game.plies else 0
        self.left = LEFT_UNKNOWN if left <= 0 else next((n for n, most in enumerate(LEFT_LIMITS) if left <= most), 13)
        wins = 1 if position.white else 2
        self.result = game.result if game.result in (0, 3) else 1 if game.result == wins else 2

    def least_attacker(self, square):
        return min((kind for kind, squares in self.enemy.items() if square in squares), default=5)

    def by_lesser(self, side, kind, square):
        return any(square in squares for number, squares in side.items() if number < CLASS_OF[kind])

    def inputs(self):
        board, game, position, flip = self.board, self.game, self.position, self.flip
        for square, piece in enumerate(board):
            if piece != EMPTY:
                ours, kind = piece.isupper(), piece.upper()
                others, others_all = (self.enemy, self.enemy_all) if ours else (self.own, self.own_all)
                friends = self.own_all if ours else self.enemy_all
                lesser = piece != "k" and self.by_lesser(others, kind, square)
                yield ((KINDS.index(kind) + 6 * (not ours)) * 64 + square) * 6 + 2 * ((square in others_all) + lesser) + (
                    square in friends)
        for k in range(4):
            if game.last(k):
                kind, origin, target, _ = game.last(k)
                yield 4608 + 448 * k + kind * 64 + (target ^ flip)
                yield 4608 + 448 * k + 384 + (origin ^ flip)
        if game.last(0) and game.last(0)[3]:
            yield 6400 + (game.last(0)[2] ^ flip)
        for n, (white, side) in enumerate((w, s) for w in (position.white, not position.white) for s in CASTLING):
            if (white, side) in position.castling:
                yield 6464 + n
        if position.en_passant is not None:
            yield 6468 + (position.en_passant & 7)
        ratings = game.ratings if position.white else game.ratings[::-1]
        for n, rating in enumerate(ratings):
            bucket = 0 if rating == 0 else 1 if rating < 1000 else 15 if rating >= 2800 else 1 + (rating - 1000) // 129
            yield 6476 + 16 * n + bucket
        yield 6508 + game.time
        ply = game.ply(position)
        yield 6516 + (ply // 2 if ply < 8 else 4 + (ply - 8) // 4 if ply < 16 else 6 + (ply - 16) // 8 if ply < 32 else
                      8 + (ply - 32) // 8 if ply < 64 else 12 + (ply - 64) // 16 if ply < 96 else 14 + (ply >= 128))
        clock = position.halfmove
        yield 6532 + (clock if clock < 4 else 4 if clock < 8 else 5 if clock < 16 else 6 if clock < 40 else 7)
        yield 6540 + 16 * self.result + self.left

    def contexts(self):
        flip, last, before = self.flip, self.game.last(0), self.game.last(1)
        pawns = [sum(1 << square for square, piece in enumerate(self.board) if piece == pawn) for pawn in "Pp"]
        return (mix((1 << 40) + (0 if not last else 1 + (last[0] * 64 + (last[2] ^ flip)) * 2 + last[3])),
                mix((1 << 41) + (0 if not before else 1 + (before[0] * 64 + (before[2] ^ flip)) * 64 + (before[1] ^ flip))),
                mix(pawns[0] * 0x9E3779B97F4A7C15 & MASK ^ (pawns[1] * 0xC2B2AE3D27D4EB4F & MASK) >> 7 ^ pawns[1]))

    def moves(self):
        """Returns all legal moves in the predictor's order."""
        def order(move):
            origin, target, extra = move
            kind = KINDS.index(self.position.board[origin].upper())
            if extra in CASTLING:
                return kind, 1, CASTLING.index(extra)
            return kind, 0, origin ^ self.flip, target ^ self.flip, "QNBR".index(extra or "Q")
        return sorted(self.position.legal_moves(), key=order)

    def parts(self, move):
        """Returns the squares of a move, its kind of piece before and after, and the captured kind, or EMPTY."""
        origin, target, extra = move[0] ^ self.flip, move[1] ^ self.flip, move[2]
        kind, taken = self.board[origin], EMPTY if extra in CASTLING else self.board[target].upper()
        if kind == "P" and (target - origin) % 8 and taken == EMPTY:
            taken = "P"
        return origin, target, kind, kind if not extra or extra in CASTLING else extra, taken

    def places(self, move):
        """Returns the indices of a move's weights: vector, exchange, return, distance."""
        board, extra, castles = self.board, move[2], move[2] in CASTLING
        origin, target, kind, becomes, taken = self.parts(move)
        victim = KINDS.index(taken) if taken != EMPTY else 5
        push = kind == "P" and (target - origin) % 8 == 0
        defended = target in (self.own_all if push or castles else self.twice)
        worth = {"P": "pnbrqk", "N": "nbrq", "B": "nbrq", "R": "rq", "Q": "q"}.get(kind, "")
        # the piece on the target; none in an en passant capture
        worth_it = not castles and board[target] != EMPTY and board[target] in worth
        lost = kind != "K" and not worth_it and (self.by_lesser(self.enemy, kind, target) or
                                                 target in self.enemy_all and not defended)
        return (self.vector(kind, origin, target, extra, castles) + VECTORS * lost,
                (((((KINDS.index(kind) * 6 + self.least_attacker(origin)) * 2 + (origin in self.own_all)) * 6 + victim) * 6 +
                  self.least_attacker(target)) * 2 + defended) * 2 + self.checks(becomes, target),
                self.back(origin, target, victim),
                (((KINDS.index(kind) * 8 + steps(origin, self.enemy_king)) * 8 + steps(target, self.enemy_king)) * 3 +
                 self.phase()) * 2 + (steps(target, self.king) < steps(origin, self.king)))

    def vector(self, kind, origin, target, extra, castles):
        if castles:
            return VECTOR_OF["K", 4, target]
        if extra and extra != "Q":
            return PROMOTED + "NBR".index(extra) * 24 + origin % 8 * 3 + target % 8 - origin % 8 + 1
        return VECTOR_OF[kind, origin, target]

    def checks(self, kind, target):
        """Returns whether a piece of this kind on `target` attacks the enemy king, on the board before the move."""
        if kind == "K":
            return False
        if kind == "P":
            return self.enemy_king in PAWN_TARGETS[True][target]
        return target in (LEAPS["N"][self.enemy_king] if kind == "N" else slide(self.board, self.enemy_king, kind))

    def phase(self):
        pieces = 64 - self.board.count(EMPTY)
        return 0 if pieces > 24 else 1 if pieces > 12 else 2

    def back(self, origin, target, victim):
        game, flip = self.game, self.flip
        theirs, ours, earlier = (game.last(n) for n in range(3))
        went_back = bool(theirs and earlier and (theirs[1], theirs[2]) == (earlier[2], earlier[1]))
        takes_back = bool(ours and (origin ^ flip, target ^ flip) == (ours[2], ours[1]) and victim == 5)
        end = 7 if self.left == LEFT_UNKNOWN else self.left // 2 if self.left < 7 else 4 if self.left < 11 else 5
        return takes_back + 2 * went_back + 4 * (self.position.halfmove >= 6) + 8 * self.result + 32 * end


def outputs(weights, inputs):
    rows = [weights.first[number * UNITS : (number + 1) * UNITS] for number in inputs]
    sums = [min(max(sum(column), 0), 128) for column in zip(weights.first_bias, *rows)]
    products = [a * b for a, b in zip(sums[:PAIRS], sums[PAIRS:])]
    totals = list(weights.second_bias)
    for n, product in enumerate(products):
        if product:
            begin = n // 2 * OUTPUTS * 2 + n % 2
            row = weights.second[begin : begin + 2 * OUTPUTS : 2]
            totals = [total + product * weight for total, weight in zip(totals, row)]
    return [(min(max(total, 0), 1 << 20) >> 10) ** 2 >> 10 for total in totals]


def logits_of(weights, view, moves):
    """Returns the logit and the places of each move, and the network's outputs."""
    out, contexts, found = outputs(weights, view.inputs()), view.contexts(), []
    for move in moves:
        places = view.places(move)
        vector = weights.vectors[places[0] * OUTPUTS : (places[0] + 1) * OUTPUTS]
        logit = (sum(a * b for a, b in zip(out, vector)) + (1 << 27) >> 7) + weights.vector_bias[places[0]]
        logit += sum(table[place] for table, place in zip(weights.tables, places[1:]))
        spread = mix(places[0] % VECTORS + 77777)
        for context, bits, table in zip(contexts, HASHED_BITS, weights.hashed):
            logit += 16 * table[(context >> 32 - bits & ~255) + (spread >> context % 16 & 255)]
        found.append((logit, places))
    return found, out


def frequencies_of(below):
    """Returns the frequencies of moves. `below` contains the distance of each logit to the best."""
    powers = [POWERS[d % 256] >> d // 256 if d < 4096 else 0 for d in below]
    scale = (65536 - len(below) << 16) // sum(powers)
    frequencies = [1 + (power * scale >> 16) for power in powers]
    frequencies[below.index(0)] += 65536 - sum(frequencies)
    return frequencies


def predict(weights, position, game):
    """Returns all legal moves of a position with their frequencies, in the predictor's order."""
    view = View(position, game)
    moves = view.moves()
    if len(moves) < 2:
        return [(move, 65536) for move in moves]
    logits = [logit for logit, _ in logits_of(weights, view, moves)[0]]
    return list(zip(moves, frequencies_of([max(logits) - logit for logit in logits])))
