# SPDX-License-Identifier: MIT
"""Compares the adaptive predictor's frequencies in the library and in reference/slow_adaptive.py, for random games.

usage: PYTHONPATH=reference adaptive_frequencies.py PROGRAM      PROGRAM: adaptive_frequencies.c
"""
import random
import subprocess
import sys

import slow_chess
from predictor_frequencies import STARTS
from slow_adaptive import Adaptive, SecondWeights
from slow_chess import CASTLING, uci
from slow_predictor import Game, Weights, read_weights

CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
KINGS = "4k3/8/8/8/8/8/8/4K3 b - - 0 0"  # no captures are possible: positions are kept


def make_games(chance):
    """Yields games as (Game, players, start, plies). The games from the initial position have the same players."""
    for number, start in enumerate([STARTS[0]] * 6 + [*STARTS[1:], CHESS960, KINGS]):
        plies = 170 if start == KINGS else 40 if number < 6 else 24
        game = Game((chance.choice((0, 1500, 2799)), chance.choice((0, 2200))), chance.choice((0, 3)), number % 4,
                    chance.choice((0, plies)))
        yield game, (7, 8 if number % 3 else 0), start, plies


def choose(chance, position, predicted, before):
    """Returns a move: usually chosen by its frequency, sometimes any move, the null move, or the reverse of `before`,
    the side's previous move."""
    back = [move for move, _ in predicted if before and move == (before[1], before[0], "")]
    kind = chance.random()
    if kind < 0.04 and not position.in_check():
        return None
    if kind < 0.3 and back:
        return back[0]
    weights = [frequency if kind < 0.8 else 1 for _, frequency in predicted]
    return chance.choices([move for move, _ in predicted], weights)[0]


def written(position, move):
    """Returns a move in the format that the program reads: castling is king takes rook."""
    castles = move and move[2] in CASTLING
    return "0000" if not move else uci((move[0], position.castling[position.white, move[2]], "") if castles else move)


def play_games(adaptive, chance):
    """Yields the lines for the program and the expected answers."""
    for game, players, start, plies in make_games(chance):
        numbers = *game.ratings, game.time, game.result, game.plies, *players
        yield "game %s %s" % (" ".join(map(str, numbers)), start), None
        adaptive.begin_game(game, players)
        position, line = slow_chess.read_fen(start), [None, None]
        for _ in range(plies):
            predicted = adaptive.frequencies(position)
            if not predicted:
                break
            move = choose(chance, position, predicted, line[-2])
            yield written(position, move), " ".join(str(frequency) for _, frequency in predicted)
            if move:
                adaptive.learn(move)
            adaptive.play(position, move)
            position, line = position.after(move), line + [move]


def main():
    weights = read_weights()
    asked = list(play_games(Adaptive(Weights(weights[0]), SecondWeights(weights[1])), random.Random(1)))
    said = subprocess.run([sys.argv[1]], input="".join(line + "\n" for line, _ in asked), capture_output=True, check=True,
                          text=True).stdout.splitlines()
    expected = [answer for _, answer in asked if answer is not None]
    for number, (theirs, ours) in enumerate(zip(said, expected)):
        if theirs != ours:
            sys.exit("prediction %d:\n%s\n%s" % (number, theirs, ours))
    if len(said) != len(expected):
        sys.exit("%d predictions of %d" % (len(said), len(expected)))
    print("frequencies of %d positions are the same" % len(expected))


if __name__ == "__main__":
    main()
