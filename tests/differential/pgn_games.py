#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares how Stamma and pgn-extract read the same PGN: the number of games, and the plies and the last FEN of each
game.

usage: pgn_games.py LIST_GAMES FILE.pgn"""
import re
import subprocess
import sys

GAME = re.compile(r'(?s)(.*?)\{ "([^"]*)" \}')

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")  # pgn-extract prints them for games without moves


def stamma(program, path):
    text = subprocess.run([program, path], capture_output=True, text=True, check=True).stdout
    return [(int(plies), fen) for plies, fen in (line.split("\t") for line in text.splitlines())]


def pgn_extract(path):
    options = ["-s", "-C", "-N", "-V", "-F", "-w", "1000000", "--notags", "--nomovenumbers", "--noresults"]
    run = subprocess.run(["pgn-extract", *options, path], capture_output=True, encoding="latin-1", check=True)
    return [(len([word for word in moves.split() if word not in RESULTS]), fen) for moves, fen in GAME.findall(run.stdout)]


def main():
    ours, theirs = stamma(sys.argv[1], sys.argv[2]), pgn_extract(sys.argv[2])
    played = [game for game in ours if game[0]]  # pgn-extract prints no FEN for a game without moves
    if len(played) != len(theirs):
        sys.exit("stamma reads %d games with moves, pgn-extract %d" % (len(played), len(theirs)))
    for number, (our, their) in enumerate(zip(played, theirs), 1):
        if our != their:
            sys.exit("game %d: stamma %d plies to %s, pgn-extract %d plies to %s" % (number, *our, *their))
    print("%d games, %d plies: the same as pgn-extract reads" % (len(ours), sum(game[0] for game in ours)))


main()
