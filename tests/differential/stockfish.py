#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the lines of dump_games on standard input with stockfish's perft: the legal moves in UCI_Chess960. Exits
with status 1 at the first difference."""
import re
import subprocess
import sys


def read_positions():
    for line in sys.stdin:
        if line != "game\n":
            fields = line.rstrip("\n").split("\t")
            yield fields[0], sorted(fields[5].split())


def stockfish(fens):
    commands = "".join("position fen %s\ngo perft 1\n" % fen for fen in fens)
    text = subprocess.run(["stockfish"], input="setoption name UCI_Chess960 value true\n%squit\n" % commands,
                          capture_output=True, text=True, check=True).stdout
    answers = text.split("Nodes searched")[:-1]
    return [sorted(re.findall(r"^(\S+): 1$", answer, re.M)) for answer in answers]


def main():
    positions = list(read_positions())
    answers = stockfish([fen for fen, _ in positions])
    if not positions or len(answers) != len(positions):
        sys.exit("%d positions, %d answers of stockfish" % (len(positions), len(answers)))
    for (fen, ours), theirs in zip(positions, answers):
        if ours != theirs:
            sys.exit("%s\n  stamma:    %s\n  stockfish: %s" % (fen, " ".join(ours), " ".join(theirs)))
    print("%d positions agree with stockfish" % len(positions))


main()
