#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains a small network that predicts the next move of a position, and prints how often its first guess is right.

usage: train_policy.py ARCHIVE... [--passes N]

The last tenth of the games of each archive is only used for the final figure. Needs NumPy.
"""
import argparse

import numpy as np

import stamma
from stamma.training import MOVES, positions

HIDDEN, BATCH, RATE = 256, 256, 0.02
COLUMNS = ["board", "side_to_move", "move_index", "game"]


def inputs(boards, sides):
    """Returns one number for each square and piece, and one for the side to move: 64 * 13 + 1 columns of 0 and 1."""
    rows = np.zeros((len(boards), 64 * 13 + 1), np.float32)
    rows[np.arange(len(boards))[:, None], boards + 13 * np.arange(64)] = 1
    rows[:, -1] = sides
    return rows


class Network:
    def __init__(self):
        chance, shapes = np.random.default_rng(1), [(64 * 13 + 1, HIDDEN), (HIDDEN, MOVES)]
        self.weights = [chance.normal(0, shape[0] ** -0.5, shape).astype(np.float32) for shape in shapes]
        self.squares = [np.full_like(weight, 1e-6) for weight in self.weights]

    def forward(self, rows):
        hidden = np.maximum(rows @ self.weights[0], 0)
        return hidden, hidden @ self.weights[1]

    def train(self, rows, moves):
        """Makes a step of AdaGrad that reduces the cross-entropy of the moves that were played."""
        hidden, scores = self.forward(rows)
        error = np.exp(scores - scores.max(1, keepdims=True))
        error /= error.sum(1, keepdims=True)
        error[np.arange(len(moves)), moves] -= 1
        before = (error @ self.weights[1].T) * (hidden > 0)
        for weight, square, slope in zip(self.weights, self.squares, (rows.T @ before, hidden.T @ error)):
            square += slope * slope
            weight -= RATE * slope / np.sqrt(square)


parser = argparse.ArgumentParser()
parser.add_argument("archives", nargs="+")
parser.add_argument("--passes", type=int, default=4)
options = parser.parse_args()
limits = [(path, 0.9 * len(stamma.open(path))) for path in options.archives]
network, right, tested = Network(), 0, 0
for done in range(options.passes):
    for path, limit in limits:
        for boards, sides, moves, games in positions(path, columns=COLUMNS, batch=BATCH, shuffle=True, seed=done):
            network.train(inputs(boards, sides)[games <= limit], moves[games <= limit])
for path, limit in limits:
    for boards, sides, moves, games in positions(path, columns=COLUMNS, batch=64):
        guesses = network.forward(inputs(boards, sides)[games > limit])[1].argmax(1)
        right += int((guesses == moves[games > limit]).sum())
        tested += len(guesses)
print(f"{100 * right / max(1, tested):.1f} % of {tested} moves predicted")
