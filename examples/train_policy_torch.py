#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains a small network of PyTorch that predicts the next move of a position. Prints the positions per second that
were used, and how often its first guess is right.

usage: train_policy_torch.py ARCHIVE [--epochs N] [--processes N] [--seed N]

The last tenth of the games is only used for the final figure. With the same seed and number of processes, the order of
the positions is the same.
"""
import argparse
import time

import torch
from torch.nn.functional import cross_entropy, one_hot

import stamma.torch

COLUMNS = ["board", "side_to_move", "move_index", "game"]

parser = argparse.ArgumentParser()
parser.add_argument("archive")
parser.add_argument("--epochs", type=int, default=4)
parser.add_argument("--processes", type=int, default=0, help="that read the archive besides this one")
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()
torch.manual_seed(options.seed)
device = "cuda" if torch.cuda.is_available() else "cpu"
last = int(0.9 * len(stamma.open(options.archive)))
model = torch.nn.Sequential(torch.nn.Linear(64 * 13 + 1, 256), torch.nn.ReLU(), torch.nn.Linear(256, stamma.torch.MOVES))
model.to(device)


def inputs(boards, sides):
    """Returns one number for each square and piece, and one for the side to move."""
    squares = one_hot(boards.to(device).long(), 13).flatten(1).float()
    return torch.cat([squares, sides.to(device).float()[:, None]], 1)


optimizer = torch.optim.Adam(model.parameters(), 3e-3)
data = stamma.torch.Positions(options.archive, columns=COLUMNS, batch=256, shuffle=True, seed=options.seed)
loader = torch.utils.data.DataLoader(data, batch_size=None, num_workers=options.processes)
begin, used = time.perf_counter(), 0
for epoch in range(options.epochs):
    data.set_epoch(epoch)
    for boards, sides, moves, games in loader:
        kept = games <= last
        loss = cross_entropy(model(inputs(boards[kept], sides[kept])), moves[kept].to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        used += int(kept.sum())
print(f"{used / (time.perf_counter() - begin):,.0f} positions/s")
right = tested = 0
with torch.no_grad():
    for boards, sides, moves, games in stamma.torch.positions(options.archive, columns=COLUMNS, batch=64):
        kept = games > last
        if kept.any():
            guesses = model(inputs(boards[kept], sides[kept])).argmax(1).cpu()
            right, tested = right + int((guesses == moves[kept]).sum()), tested + len(guesses)
print(f"{100 * right / max(1, tested):.1f} % of {tested} moves predicted")
