# SPDX-License-Identifier: MIT
"""Builds the data of columns of predicted moves (doc/format/block_columns.md, clauses 16 and 17), for hand-made archives: a
range encoder, and pairs of strings. archive_builder.py puts the results into blocks.
"""
import copy
import functools

import archive_builder as build
import slow_adaptive
import slow_chess
import slow_predictor
from archive_moves import game_of, second_weights, the_weights, weight

FLAG = (65535, 1)


class Line:
    """The current place of a line of moves, and the place before its last move."""

    def __init__(self, position, game):
        self.now = self.before = (position, game)

    def play(self, move):
        position, game = self.now
        after = copy.copy(game)
        after.played = list(game.played)
        after.play(position, move)
        self.before, self.now = self.now, (position.play(move), after)


@functools.lru_cache(maxsize=None)
def symbols_of(words, inside, values, plies, fen=None):
    """Returns the symbols, as (frequencies, number), of the moves in the main line, or of the moves in variations."""
    start = slow_chess.read_fen(fen) if fen else slow_chess.START
    line, outer, symbols = Line(start, game_of(values, plies)), [], [(FLAG, 0)]
    for word in words.split():
        if word == "(":
            outer.append(line)
            line = Line(*line.before)
        elif word == ")":
            line = outer.pop()
        else:
            position, game = line.now
            move = None if word == "--" else build.move_of_san(position, word)
            if bool(outer) == inside:
                predicted = slow_predictor.predict(the_weights()[1], position, game)
                symbols.append((tuple(frequency for _, frequency in predicted), [one for one, _ in predicted].index(move)))
            line.play(move)
    return tuple(symbols)


def line_symbols(lines, values, plies):
    """Returns the symbols of the lines in a game's comments. Each line is (the moves before it, its own moves)."""
    symbols = [(FLAG, 0)]
    for before, own in lines:
        line = Line(slow_chess.START, game_of(values, plies))
        for word in before.split():
            line.play(build.move_of_san(line.now[0], word))
        for word in own.split():
            position, game = line.now
            move = build.move_of_san(position, word)
            predicted = slow_predictor.predict(the_weights()[1], position, game)
            symbols.append((tuple(frequency for _, frequency in predicted), [one for one, _ in predicted].index(move)))
            line.play(move)
    return tuple(symbols)


def interval_of(symbols):
    """Returns the smallest number that encodes the symbols, the size of the interval of these numbers, and their size
    in bits."""
    low, wide, size = 0, 2 ** 32 - 1, 32
    for frequencies, number in symbols:
        unit, start = wide >> 16, sum(frequencies[:number])
        last = start + frequencies[number] == 65536
        low, wide = low + start * unit, wide - start * unit if last else frequencies[number] * unit
        while wide < 2 ** 24:
            low, wide, size = low << 8, wide << 8, size + 8
    return low, wide, size


def string_of(symbols, step=0):
    """Returns the bits that the range coder writes (16.2). With `step`, returns the same number of bits of a number
    that is larger by `step`, or None if that number encodes other symbols."""
    low, wide, size = interval_of(symbols)
    for kept in range(size - 31, size + 1):
        least = -(-low >> size - kept)
        if (least + 1 << size - kept) <= low + wide:
            fits = (least + step + 1 << size - kept) <= low + wide
            return format(least + step, "0%db" % kept) if fits else None
    raise AssertionError


def pairs_of(strings, gap="0"):
    """Yields the areas of pairs (16.3), as bits. `gap` fills the bits between two strings."""
    for n in range(0, len(strings), 2):
        first, second = (strings[n:n + 2] + [""])[:2]
        size = len(first) + len(second)
        yield first + gap * (-size % 4) + second[::-1]


def predicted(strings, counts, codes=b"", gap="0", scale=2 ** 10, flag=0, name=None, less=0, tail="", count=5):
    """Returns the stored bytes of a column in codec 4 (16.1). `counts` are the moves of the strings. Sizes are stored
    without classes."""
    areas = list(pairs_of(strings, gap))
    weights = [weight(moves) for moves in counts]
    sums = [sum(weights[n:n + 2]) for n in range(0, len(weights), 2)]
    residuals = [len(area) // 4 - (total * scale + 2 ** 15 >> 16) for area, total in zip(areas, sums)]
    residuals[-1] -= less
    symbols, bits = build.residual_streams(residuals)
    parameters = build.number(the_weights()[0] if name is None else name, 8) + build.varint(scale) + bytes([flag])
    streams = [parameters, symbols, bits, build.bit_stream("".join(areas) + tail), codes][:count]
    return build.varint(count) + b"".join(2 * build.varint(len(stream)) for stream in streams) + b"".join(streams)


# ---- codec 5 ----

@functools.lru_cache(maxsize=None)
def adaptive_symbols(lines, values, lacking=0):
    """Returns the symbols of the moves of all records. `lines` are lists of SAN; `values` are the values of
    CONTEXT_TAGS. `lacking` is added to the predictor's number of plies of each game."""
    predictor, symbols = slow_adaptive.Adaptive(the_weights()[1], second_weights()[1]), []
    for words in lines:
        symbols.append((FLAG, int("--" in words)))
        game, position = game_of(values, len(words) + lacking), slow_chess.START
        predictor.begin_game(game, game.players)
        for word in words if "--" not in words else ():
            move, predicted = build.move_of_san(position, word), predictor.frequencies(position)
            symbols.append((tuple(frequency for _, frequency in predicted), [one for one, _ in predicted].index(move)))
            predictor.learn(move)
            predictor.play(position, move)
            position = position.play(move)
    return tuple(symbols)


def bytes_of(symbols):
    """Returns the shortest string of bytes that encodes the symbols if zeros follow it (17.2)."""
    low, wide, size = interval_of(symbols)
    for kept in range(0, size + 1, 8):
        least = -(-low >> size - kept)
        if least << size - kept < low + wide:
            return least.to_bytes(kept // 8, "big")
    raise AssertionError


def lanes_of(lines, lacking=0):
    """Returns the lines of both lanes (17.2)."""
    moves, before, lanes = sum(map(len, lines)) + lacking, 0, ([], [])
    for words in lines:
        lanes[2 * before >= moves].append(tuple(words))
        before += len(words)
    return tuple(map(tuple, lanes))


def adaptive(lines, values, codes=b"", change=lambda string: string, names=None, tail=b"", count=4, lacking=0, lane=0):
    """Returns the stored bytes of a column in codec 5 (17.1). `change` is applied to the string of `lane`."""
    names = (the_weights()[0], second_weights()[0]) if names is None else names
    parameters = b"".join(build.number(name, 8) for name in names) + tail
    strings = [bytes_of(adaptive_symbols(of_lane, values, lacking)) if of_lane else b"" for of_lane in lanes_of(lines, lacking)]
    strings[lane] = change(strings[lane])
    streams = [parameters, *strings, codes][:count]
    return build.varint(count) + b"".join(2 * build.varint(len(stream)) for stream in streams) + b"".join(streams)


def lanes(parts, values, names=None, tail=b"", count=3, moved=(0, 0), least=None):
    """Returns the stored bytes of a column in codec 9 (17.3) or, with lanes of `least` moves, in codec 11 (17.4). `parts` has for each lane its lines, its codes, and bytes
    that are added to its string. `moved` is added to the sizes of the first lane's string and codes, and subtracted
    from the second lane's sizes."""
    names = (the_weights()[0], second_weights()[0]) if names is None else names
    strings = [bytes_of(adaptive_symbols(tuple(map(tuple, lines)), values)) + more for lines, _, more in parts]
    codes = [of_lane for _, of_lane, _ in parts]
    sizes = [[len(string), len(of_lane)] for string, of_lane in zip(strings, codes)]
    for n, size in enumerate(moved):
        sizes[0][n] += size
        sizes[-1][n] -= size
    parameters = b"".join(build.number(name, 8) for name in names) + (build.varint(least) if least else b"")
    parameters += b"".join(map(build.varint, sum(sizes, []))) + tail
    streams = [parameters, b"".join(strings), b"".join(codes), b""][:count]
    return build.varint(count) + b"".join(2 * build.varint(len(stream)) for stream in streams) + b"".join(streams)
