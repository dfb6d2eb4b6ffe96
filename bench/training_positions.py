# SPDX-License-Identifier: MIT
"""Measures positions per second of stamma.training and stamma.torch: boards and moves in batches of 4,096.

usage: training_positions.py FILE...     archives or PGN; run by training.sh

Prints medians of five runs, each of at most 4 million positions.
"""
import importlib.util
import os
import statistics
import sys
import tempfile
import time

import stamma
import stamma.training

ROUNDS, MOST, BATCH = 5, 4_000_000, 4096


def rate(batches):
    """Returns the positions per second of an iterator of batches."""
    begin, rows = time.perf_counter(), 0
    for boards, _ in batches:
        rows += len(boards)
        if rows >= MOST:
            break
    return rows / (time.perf_counter() - begin)


def show(name, make):
    rates = [rate(make()) for _ in range(ROUNDS)]
    print(f"  {name:<50} {statistics.median(rates):12,.0f} positions/s")


def numbers(archive):
    """Reads the table itself, without batches of equal size."""
    for batch in archive.positions(["board", "move_index"], threads=1).batches():
        yield batch["board"], batch["move_index"]


def measure(path):
    show("Archive.positions().batches(), 1 thread", lambda: numbers(stamma.open(path)))
    for shuffle in (False, True):
        for workers in (1, 2):
            show(f"stamma.training, {workers} threads{', shuffled' if shuffle else ''}",
                 lambda: stamma.training.positions(path, batch=BATCH, workers=workers, shuffle=shuffle))
    if importlib.util.find_spec("torch") is None:
        print("  PyTorch is not installed")
        return
    import torch.utils.data
    data = stamma.torch.Positions(path, batch=BATCH, shuffle=True)
    for processes in (0, 2):
        show(f"DataLoader, {processes} processes, shuffled",
             lambda: torch.utils.data.DataLoader(data, batch_size=None, num_workers=processes))


for name in sys.argv[1:]:
    with tempfile.TemporaryDirectory() as folder:
        path = name
        with open(name, "rb") as file:
            packed = file.read(2) != b"[E"
        if not packed:
            path = os.path.join(folder, "games.stamma")
            stamma.pack(name, path)
        print(f"{os.path.basename(name)}: {len(stamma.open(path)):,} games")
        measure(path)
