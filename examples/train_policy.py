#!/usr/bin/env python3
"""Trains a small network that predicts the next move of a position, and prints how often its first guess is right.

usage: train_policy.py ARCHIVE... [--passes N]

A tenth of the positions, those of the last games, is not used for training. The network has one hidden layer. It needs
only NumPy; a model of PyTorch reads the same batches from stamma.torch.positions.
"""
import argparse

import numpy as np

import stamma
from stamma.training import MOVES, positions

HIDDEN, BATCH, RATE = 256, 256, 2e-3


def inputs(boards, sides):
    """One number for each square and piece, with the side to move: 64 * 13 + 1 columns of 0 and 1."""
    rows = np.zeros((len(boards), 64 * 13 + 1), np.float32)
    rows[np.arange(len(boards))[:, None], boards + 13 * np.arange(64)] = 1
    rows[:, -1] = sides
    return rows


class Network:
    def __init__(self):
        chance = np.random.default_rng(1)
        shapes = [(64 * 13 + 1, HIDDEN), (HIDDEN, MOVES)]
        self.weights = [chance.normal(0, shape[0] ** -0.5, shape).astype(np.float32) for shape in shapes]
        self.means = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.steps = 0

    def forward(self, rows):
        hidden = np.maximum(rows @ self.weights[0], 0)
        return hidden, hidden @ self.weights[1]

    def train(self, rows, moves):
        """Makes a step of Adam that reduces the cross-entropy of the moves that were played."""
        hidden, scores = self.forward(rows)
        error = np.exp(scores - scores.max(1, keepdims=True))
        error /= error.sum(1, keepdims=True)
        error[np.arange(len(moves)), moves] -= 1
        error /= len(moves)
        before = (error @ self.weights[1].T) * (hidden > 0)
        self.steps += 1
        for weight, (mean, square), slope in zip(self.weights, self.means, (rows.T @ before, hidden.T @ error)):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            scale = (1 - 0.999 ** self.steps) ** 0.5 / (1 - 0.9 ** self.steps)
            weight -= RATE * scale * mean / (np.sqrt(square) + 1e-8)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("archives", nargs="+")
    parser.add_argument("--passes", type=int, default=4)
    options = parser.parse_args()
    columns = ["board", "side", "move_index", "game"]
    limits = [0.9 * len(stamma.open(path)) for path in options.archives]
    network, right, tested = Network(), 0, 0
    for done in range(options.passes):
        for path, limit in zip(options.archives, limits):
            for boards, sides, moves, games in positions(path, columns=columns, batch=BATCH, shuffle=True, seed=done):
                used = games <= limit
                network.train(inputs(boards[used], sides[used]), moves[used])
    for path, limit in zip(options.archives, limits):
        for boards, sides, moves, games in positions(path, columns=columns, batch=64):
            kept = games > limit
            right += int((network.forward(inputs(boards, sides))[1].argmax(1) == moves)[kept].sum())
            tested += int(kept.sum())
    print(f"{100 * right / max(1, tested):.1f} % of {tested} moves predicted")


if __name__ == "__main__":
    main()
