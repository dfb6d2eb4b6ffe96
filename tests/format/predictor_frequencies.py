# SPDX-License-Identifier: MIT
"""Compares the predictor's frequencies of `stamma predict --json` and of reference/slow_predictor.py, for random games.

usage: PYTHONPATH=reference predictor_frequencies.py STAMMA
"""
import json
import random
import subprocess
import sys

import slow_chess
from slow_chess import uci
from slow_predictor import Game, Weights, predict, read_weights

STARTS = ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
          "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 4 9",
          "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 40",
          "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 31")


def compare(stamma, weights, start, seed):
    chance = random.Random(seed)
    ratings = (chance.choice((0, 800, 1500, 2799)), chance.choice((0, 1000, 2200, 2900)))
    control, time = chance.choice((("", 0), ("60+0", 2), ("180+2", 3), ("900+10", 4), ("5400+30", 6), ("-", 5)))
    game, position, played = Game(ratings, time), slow_chess.read_fen(start), []
    options = ["--fen", start, "--white-rating", str(ratings[0]), "--black-rating", str(ratings[1])]
    options += ["--time-control=" + control] if control else []
    for ply in range(60):
        predicted = predict(weights, position, game) if ply % 4 == seed % 4 else None
        if predicted:
            said = json.loads(subprocess.run([stamma, "predict", "--json", *options, "--", *played], capture_output=True,
                                             check=True).stdout)
            theirs = {move["uci"]: round(move["probability"] * 65536) for move in said["moves"]}
            ours = {uci(move): frequency for move, frequency in predicted}
            if theirs != ours:
                print("%s, moves %s:\n%s\n%s" % (start, " ".join(played), sorted(theirs.items()), sorted(ours.items())))
                sys.exit(1)
        moves = list(position.canonical_moves())
        if not moves:
            break
        move = chance.choice([move for move in moves if move[2]] or moves) if chance.random() < 0.3 else chance.choice(moves)
        game.play(position, move)
        played.append(uci(move))
        position = position.after(move)
    return len(played)


def main():
    weights = Weights(read_weights()[0])
    for seed in range(12):
        compare(sys.argv[1], weights, STARTS[seed % len(STARTS)], seed)
    print("frequencies of 12 games are the same")


if __name__ == "__main__":
    main()
