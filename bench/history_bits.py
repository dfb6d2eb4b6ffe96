#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how much the bits of moves depend on the moves before a position.

Uses positions that games of a collection reach by different last moves. For each likely move (below 6 bits after the moves
of one of these games), prints the mean, median and largest difference of its bits: if only the position is known, and after
the moves of another of these games. Needs python-chess and zstd.

usage: history_bits.py STAMMA GAMES.pgn.zst [POSITIONS]      default: 200 positions among 3,000 games
"""
import json
import random
import statistics
import subprocess
import sys

import chess
import chess.pgn

GAMES, FIRST, LAST, LIKELY = 3000, 4, 24, 6.0


def read_games(path):
    """Returns the moves of the first games, in UCI."""
    with subprocess.Popen(["zstd", "-dcq", path], stdout=subprocess.PIPE, text=True, errors="replace") as source:
        games = [chess.pgn.read_game(source.stdout) for _ in range(GAMES)]
        source.kill()
    return [[move.uci() for move in game.mainline_moves()] for game in games if game and "FEN" not in game.headers]


def shared_positions(games):
    """Returns lists of (moves before the position, FEN), for positions that are reached by different last moves."""
    found = {}
    for moves in games:
        board = chess.Board()
        for ply, move in enumerate(moves[:LAST]):
            if ply >= FIRST:
                found.setdefault(board.epd(), []).append((moves[:ply], board.fen()))
            board.push_uci(move)
    return [ways for ways in found.values() if len({tuple(moves[-4:]) for moves, _ in ways}) > 1]


def bits(stamma, *arguments):
    answer = subprocess.run([stamma, "predict", "--json", *arguments], stdout=subprocess.PIPE, check=True).stdout
    return {one["uci"]: one["bits"] for one in json.loads(answer)["moves"]}


def main():
    stamma, path, *rest = sys.argv[1:]
    random.seed(1)
    positions = shared_positions(read_games(path))
    random.shuffle(positions)
    alone, other = [], []
    for ways in positions[:int(rest[0]) if rest else 200]:
        own, fen = random.choice(ways)
        another = random.choice([moves for moves, _ in ways if moves[-4:] != own[-4:]])
        truth, without, beside = bits(stamma, *own), bits(stamma, "--fen", fen), bits(stamma, *another)
        for move, value in truth.items():
            if value < LIKELY:
                alone.append(abs(without[move] - value))
                other.append(abs(beside[move] - value))
    for name, values in ("only the position", alone), ("moves of another game", other):
        print("%-22s %5d moves: mean %.2f, median %.2f, largest %.2f bits" % (
            name, len(values), statistics.mean(values), statistics.median(values), max(values)))


if __name__ == "__main__":
    main()
