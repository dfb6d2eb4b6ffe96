#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads files of pages slowly and plainly, for comparison with the library. Follows doc/format/pages.md, not the library's source.

usage: read_pages.py PAGES tree MOVES...    prints a JSON object for the position after each line of moves in UCI; null
                                            if the file does not contain the answer
       read_pages.py PAGES check            reads all buckets and lines, and checks all that the file itself shows

Exits with status 0 if the file is valid. Otherwise prints a message that begins with the number of the violated clause and
exits with status 2.
"""
import argparse
import json
import sys
from collections import namedtuple

import slow_chess
from archive_moves import huffman_codes
from archive_values import Cursor, Violation, check32, need
from read_index import rights

MAGIC, VERSION, UNIT, KEYS = b"STAMMAPG", 1, 4096, 841
ORDERS, WEIGHTS, PLIES_MAX, LISTED = 3, 2304, 62, 4
OTHER, WITHOUT_LINES, WITH_LINES = range(3)
PIECES = "PNBRQKpnbrqk"
MASK = 2 ** 64 - 1

Game = namedtuple("Game", "number ratings month result speed mode")
Place = namedtuple("Place", "unit span index")
Sums = namedtuple("Sums", "games results rated ratings sides month")  # results: White's wins, Black's, draws, others
Entry = namedtuple("Entry", "references popular place moves ended games")
Line = namedtuple("Line", "moves ended game")


def split_mix(count):
    """Returns the first numbers of SplitMix64 from state 0."""
    state, numbers = 0, []
    for _ in range(count):
        state = state + 0x9E3779B97F4A7C15 & MASK
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK
        numbers.append(mixed ^ mixed >> 31)
    return numbers


NUMBERS = split_mix(KEYS)


def key_of(position):
    """Returns the key of a position (3.1)."""
    castling, en_passant = rights(position)
    key = 0 if position.white else NUMBERS[840]
    for square, piece in enumerate(position.board):
        if piece in PIECES:
            key ^= NUMBERS[64 * PIECES.index(piece) + square]
    for rook in castling.values():
        key ^= NUMBERS[768 + rook]
    return key ^ (NUMBERS[832 + (en_passant & 7)] if en_passant is not None else 0)


def width(limit):
    """Returns the number of bits that numbers below the limit need: W."""
    return max(limit - 1, 0).bit_length()


# ---- numbers of moves (3.2) ----

def class_of(position, move, last):
    origin, target, extra = move
    piece = position.board[origin].upper()
    capture = extra not in slow_chess.CASTLING and (position.board[target] != slow_chess.EMPTY or
                                                    piece == "P" and (target - origin) & 7 != 0)
    order = 0 if not capture else 2 if target == last else 1
    pawn = "p" if position.white else "P"
    attacked = any(position.board[square] == pawn for square in slow_chess.PAWN_ORIGINS[not position.white][target])
    square = target if position.white else target ^ 56
    return (("PNBRQK".index(piece) * 64 + square) * ORDERS + order) * 2 + attacked


def numbered_moves(position, weights, last):
    """Returns the legal moves in the order of their numbers, and the null move if it is possible."""
    def order(move):
        origin, target, extra = move
        return -weights[class_of(position, move, last)], origin * 64 + target, " QRBN".find(extra) if extra else 0
    return sorted(position.legal_moves(), key=order) + ([] if position.in_check() else [None])


# ---- bits ----

class Bits:
    """Reads a string of bits, the lowest of each byte first."""

    def __init__(self, data, clause):
        self.value, self.size, self.at, self.clause = int.from_bytes(data, "little"), 8 * len(data), 0, clause

    def take(self, count):
        need(self.at + count <= self.size, self.clause, "too few bits")
        self.at += count
        return self.value >> self.at - count & (1 << count) - 1

    def ones(self, most):
        count = 0
        while count < most and self.take(1):
            count += 1
        return count

    def end(self):
        """Checks that less than a byte is left, without bits that are set."""
        need(self.size - self.at < 8 and self.value >> self.at == 0, self.clause, "unused bits")


# ---- the file ----

class Pages:
    def __init__(self, data):
        need(len(data) >= UNIT and data[:8] == MAGIC, "1.2", "not a file of pages")
        head = Cursor(data[8:UNIT], "1.2")
        version, self.min_games, size, _, _, self.games, self.plies = head.unpack("IIQQQQI")
        need(version == VERSION, "1.6", "version %d" % version)
        need(check32(data[:UNIT - 4]) == int.from_bytes(data[UNIT - 4:UNIT], "little"), "1.3", "the check of the header")
        self.positions, buckets, self.units = head.unpack("III")
        (self.number_bits, self.rating_bits, self.month_bits, self.kind_bits, self.kind, self.index_bits, _,
         zero) = head.unpack("8B")
        self.first_month, self.last_month, self.mean, zeros, sizes_check = head.unpack("HHHHI")
        need(size == len(data), "1.2", "the size of the file")
        need(self.min_games >= 2 and 1 <= self.plies <= PLIES_MAX and 1 <= buckets <= 2 ** 24, "1.2", "a limit")
        need(self.kind_bits in (0, 5) and zero == zeros == 0, "1.2", "a width")
        need(not any(data[84:128]) and not any(data[256 + WEIGHTS:UNIT - 4]), "1.2", "bytes that are not 0")
        lengths = [length for byte in data[128:256] for length in (byte & 15, byte >> 4)]
        self.codes, self.weights, self.data = huffman_codes(lengths), data[256:256 + WEIGHTS], data
        sizes = Cursor(data[UNIT:], "1.4").take(2 * buckets)
        need(check32(sizes) == sizes_check, "1.3", "the check of the sizes")
        self.starts = [UNIT + 2 * buckets]
        for at in range(0, len(sizes), 2):
            self.starts.append(self.starts[-1] + int.from_bytes(sizes[at:at + 2], "little"))
        self.units_at = -(-self.starts[-1] // UNIT) * UNIT
        need(self.units_at + UNIT * self.units == len(data), "1.4", "the size of the file")
        need(not any(data[self.starts[-1]:self.units_at]), "1.1", "bytes between buckets and units")

    def part(self, begin, end):
        """Returns the bytes of a part, which ends with its check (1.3)."""
        need(check32(self.data[begin:end - 4]) == int.from_bytes(self.data[end - 4:end], "little"), "1.3",
             "the check of bytes %d to %d" % (begin, end))
        return self.data[begin:end - 4]

    # ---- places and games ----

    def read_place(self, bits):
        unit = bits.take(width(self.units))
        place = Place(unit, bits.take(4) + 1, 0) if bits.take(1) else Place(unit, 1, bits.take(self.index_bits))
        need(place.unit + place.span <= self.units, "3.4", "unit %d" % unit)
        return place

    def read_places(self, cursor, count):
        bits = Bits(cursor.data[cursor.at:], "3.4")
        places = [self.read_place(bits) for _ in range(count)]
        cursor.take(-(-bits.at // 8))
        return places

    def read_rating(self, bits):
        ones = bits.ones(7)
        if ones == 7:
            return bits.take(self.rating_bits)
        distance = 128 * ones + bits.take(7)
        return self.mean - (distance + 1) // 2 if distance & 1 else self.mean + distance // 2

    def read_game(self, bits):
        number = bits.take(self.number_bits) + 1
        ratings = self.read_rating(bits), self.read_rating(bits)
        month, result = bits.take(self.month_bits), bits.take(2)
        kind = bits.take(5) if self.kind_bits else self.kind
        need(number <= self.games and all(0 <= rating <= 9999 for rating in ratings), "3.5", "game %d" % number)
        return Game(number, ratings, month and month + self.first_month - 1, result, kind & 7, kind >> 3)

    # ---- buckets (4) ----

    def entries(self, bucket):
        """Returns the low bits of the keys and the bytes after all keys."""
        cursor = Cursor(self.part(self.starts[bucket], self.starts[bucket + 1]), "4.1")
        keys = [int.from_bytes(cursor.take(6), "little") for _ in range(cursor.unpack("H")[0])]
        need(keys == sorted(set(keys)), "4.1", "keys that do not ascend")
        return keys, cursor

    def read_entry(self, cursor):
        head = cursor.varint()
        need(head > 0, "4.2", "a head of 0")
        if head <= 3:
            return self.read_places(cursor, head), None
        return [], cursor.take(head - 4)

    def read_sums(self, cursor):
        games = cursor.varint()
        if games < 2:
            return Sums(games, None, 0, 0, None, 0)
        first, draws, black, months = [cursor.varint() for _ in range(4)]
        results = first >> 1, black, draws, games - (first >> 1) - black - draws
        need(results[3] >= 0 and months <= self.last_month + 1, "4.4", "results or a month")
        month = months and self.last_month + 1 - months
        if first & 1:
            sums = [games * self.mean + (-(number >> 1) if number & 1 else number >> 1)
                    for number in (cursor.varint(), cursor.varint())]
            sides = [(games, sums[1], 2 * results[0] + draws), (games, sums[0], 2 * black + draws)]
            return Sums(games, results, games, sum(sums), sides, month)
        rated, ratings = cursor.varint(), cursor.varint()
        sides = [tuple(cursor.varint() for _ in range(3)) for _ in range(2)]
        return Sums(games, results, rated, ratings, sides, month)

    def read_body(self, data, position):
        """Returns an entry. `position` is None if the moves are not needed: they are then numbers."""
        cursor = Cursor(data, "4.3")
        kind = cursor.byte()
        need(kind <= WITH_LINES, "4.3", "kind %d" % kind)
        place = self.read_places(cursor, 1)[0] if kind == WITH_LINES else None
        numbers, sums = [], []
        for _ in range(cursor.varint()):
            numbers.append(cursor.byte())
            sums.append(self.read_sums(cursor))
        need(numbers == sorted(set(numbers)) and all(one.games for one in sums), "4.3", "the moves")
        ended = self.read_sums(cursor)
        count = cursor.varint()
        bits = Bits(cursor.data[cursor.at:], "4.3")
        listed = [(self.read_game(bits), bits.take(width(len(numbers) + 1))) for _ in range(count)]
        bits.end()
        need([game.number for game, _ in listed] == sorted({game.number for game, _ in listed}), "4.3", "listed games")
        for at, one in enumerate(sums + [ended]):
            need(one.games != 1 or [move for _, move in listed].count(at) == 1, "4.4", "the game of a move")
        moves = numbers
        if position:
            legal = numbered_moves(position, self.weights, None)
            need(not numbers or numbers[-1] < len(legal), "3.2", "a number without a move")
            moves = [legal[number] for number in numbers]
        return Entry([], kind > OTHER, place, dict(zip(moves, sums)), ended,
                     [(game, moves[move] if move < len(moves) else "ended") for game, move in listed])

    def find(self, position):
        """Returns the entry of a position, or None."""
        key = key_of(position)
        keys, cursor = self.entries((key >> 32) * (len(self.starts) - 1) >> 32)
        for low in keys:
            references, body = self.read_entry(cursor)
            if low == key & 2 ** 48 - 1:
                if references:
                    return Entry(references, False, None, None, None, None)
                return self.read_body(body, position)
        return None

    # ---- lines (5) ----

    def unit(self, place):
        """Returns the lines of all positions of a place's units."""
        begin = self.units_at + UNIT * place.unit
        cursor = Cursor(self.part(begin, begin + UNIT * place.span), "5.1")
        count = cursor.byte()
        need(count > 0 and (place.span == 1 or count == 1), "5.1", "%d positions" % count)
        sizes = cursor.unpack("%dH" % count)
        lines = [cursor.take(size) for size in sizes]
        need(not any(cursor.data[cursor.at:]), "5.1", "bytes after the lines")
        return lines

    def read_moves(self, bits, position, moves, count):
        """Returns moves with `count` more moves. Begins after the position."""
        for move in moves:
            position = position.after(move)
        for _ in range(count):
            code = ""
            while code not in self.codes:
                need(len(code) < 11, "3.3", "no code")
                code += str(bits.take(1))
            last = (moves[-1][1] if moves[-1] else 0) if moves else None
            legal = numbered_moves(position, self.weights, last)
            need(self.codes[code] < len(legal), "3.2", "a number without a move")
            moves = moves + [legal[self.codes[code]]]
            position = position.after(moves[-1])
        return moves

    def read_lines(self, place):
        """Returns the position in which the lines begin, and the lines."""
        lines = self.unit(place)
        need(place.index < len(lines), "5.1", "index %d" % place.index)
        bits, start = Bits(lines[place.index], "5.2"), slow_chess.START
        path = self.read_moves(bits, start, [], bits.take(6))
        for move in path:
            start = start.after(move)
        found, before = [], []
        for _ in range(bits.take(16)):
            shared = 4 * bits.ones(15) + bits.take(2)
            usual = bits.take(1)
            length = self.plies + 1 - len(path) if usual else bits.take(6)
            ended = not usual and bits.take(1) == 1
            need(shared <= len(before) and 0 < length <= PLIES_MAX + 1 and shared <= length, "5.2", "a length")
            before = self.read_moves(bits, start, before[:shared], length - shared)
            found.append(Line(before, ended, self.read_game(bits)))
        need(found, "5.2", "no lines")
        bits.end()
        return start, found

    def games_of(self, place, target, before=None):
        """Returns the games of lines that reach a position, with their next moves."""
        start, lines = self.read_lines(place)
        need(before is None or key_of(start) == key_of(before), "6.3", "the path to a popular position")
        games, key = [], key_of(target)
        for line in lines:
            position = start
            for ply, move in enumerate(line.moves[:len(line.moves) if line.ended else -1], 1):
                position = position.after(move)
                if key_of(position) == key:
                    games.append((line.game, line.moves[ply] if ply < len(line.moves) else "ended"))
                    break
        return games

    # ---- answers (6) ----

    def answer(self, position, before):
        """Returns sums by move, sums of ended games, and games with their moves; None: the archive must be asked."""
        entry = self.find(position)
        if entry and not entry.references:
            return entry.moves, entry.ended, entry.games
        games = []
        for place in entry.references if entry else ():
            more = self.games_of(place, position)
            need(more, "6.3", "a reference that does not reach the position")
            games += more
        for earlier in () if entry else reversed(before):
            popular = self.find(earlier)
            if popular and popular.popular:
                games = self.games_of(popular.place, position, earlier) if popular.place else []
                break
        return (None, None, games) if games else None


# ---- printing ----

def sum_games(games):
    """Returns the sums of games."""
    results = [sum(game.result == result for game in games) for result in range(4)]
    rated = [game for game in games if all(game.ratings)]
    sides = []
    for side in range(2):
        opposed = [game for game in games if game.result < 3 and game.ratings[1 - side]]
        points = sum(2 if game.result == side else game.result == 2 for game in opposed)
        sides.append((len(opposed), sum(game.ratings[1 - side] for game in opposed), points))
    return Sums(len(games), tuple(results), len(rated), sum(sum(game.ratings) for game in rated), sides,
                max(game.month for game in games))


def top_order(game):
    return -(sum(game.ratings) if all(game.ratings) else 0), -game.month, game.number


def describe(answer):
    """Returns an answer as JSON, with members of `stamma tree --json`."""
    moves, ended, games = answer
    by_move = {}
    for game, move in games:
        by_move.setdefault(move, []).append(game)
    sums = {move: sum_games(some) for move, some in by_move.items() if moves is None or
            (ended if move == "ended" else moves[move]).games == 1}
    if moves is not None:
        sums.update({move: one for move, one in moves.items() if one.games > 1})
        if ended.games > 1:
            sums["ended"] = ended
    total = [sum(one.results[n] for one in sums.values()) for n in range(4)]
    listed = [game for game, _ in games]
    rows = {}
    for move, one in sums.items():
        if move != "ended":
            uci = slow_chess.uci(move) if move else "0000"
            rows[uci] = {"white": one.results[0], "black": one.results[1], "draws": one.results[2], "games": one.games,
                         "rated": one.rated, "ratings": one.ratings, "sides": one.sides, "month": one.month,
                         "game": by_move[move][0].number if one.games == 1 else None}
    return {"white": total[0], "black": total[1], "draws": total[2], "games": sum(total), "moves": rows,
            "top": [game.number for game in sorted(listed, key=top_order)[:LISTED]],
            "recent": [game.number for game in sorted(listed, key=lambda game: (-game.month, -game.number))[:LISTED]]}


def play(text):
    """Returns the positions of a line of moves in UCI."""
    positions = [slow_chess.START]
    for word in text.split():
        moves = {slow_chess.uci(move): move for move in positions[-1].legal_moves()}
        positions.append(positions[-1].after(moves[word] if word != "0000" else None))
    return positions


def check(pages):
    """Reads everything. Returns the number of entries."""
    entries, places = 0, set()
    for bucket in range(len(pages.starts) - 1):
        keys, cursor = pages.entries(bucket)
        for _ in keys:
            references, body = pages.read_entry(cursor)
            entry = None if references else pages.read_body(body, None)
            places.update(references or ([entry.place] if entry.place else []))
        need(not cursor.has_more(), "4.1", "bytes after the entries of bucket %d" % bucket)
        entries += len(keys)
    need(entries == pages.positions, "1.2", "%d positions" % entries)
    for place in sorted(places):
        pages.read_lines(place)
    return entries


def run(options):
    with open(options.pages, "rb") as file:
        pages = Pages(file.read())
    if options.what == "check":
        print(check(pages), "positions")
    for text in options.moves:
        positions = play(text)
        answer = pages.answer(positions[-1], positions[:-1])
        print(json.dumps(answer and describe(answer), sort_keys=True))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("pages")
    parser.add_argument("what", choices=("tree", "check"))
    parser.add_argument("moves", nargs="*")
    try:
        run(parser.parse_args())
    except Violation as violation:
        print(violation)
        sys.exit(2)


if __name__ == "__main__":
    main()
