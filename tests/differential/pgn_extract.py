#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the lines of dump_games on standard input with pgn-extract, which reads the moves in UCI and prints SAN,
long algebraic notation and the FEN after every move. Exits with status 1 at the first difference."""
import re
import subprocess
import sys
import tempfile


def read_games():
    games = []
    for line in sys.stdin:
        if line == "game\n":
            games.append([])
        else:
            games[-1].append(line.rstrip("\n").split("\t")[:4])
    return games


def as_pgn(games):
    text = '[Event "?"]\n[Result "*"]\n[SetUp "1"]\n[FEN "%s"]\n\n%s *\n\n'
    return "".join(text % (game[0][0], "\n".join(ply[1] for ply in game[:-1])) for game in games)


def pgn_extract(path, *options):
    """Returns the movetext of every game as a list of words. Blanks in FEN comments are replaced."""
    command = ["pgn-extract", "-s", "-w", "1000000", "--notags", "--nomovenumbers", "--noresults", *options, path]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    text = re.sub(r"\{ (\S+) (\S+) (\S+) (\S+) (\S+) (\S+) \}", r"\1_\2_\3_\4_\5_\6", text)
    return [line.split() for line in text.splitlines() if line.strip()]


def compare(what, game, ours, theirs):
    for number, (our, their) in enumerate(zip(ours, theirs)):
        if our != their:
            sys.exit("%s, game %d, ply %d: stamma %s, pgn-extract %s" % (what, game, number, our, their))
    if len(ours) != len(theirs):
        sys.exit("%s, game %d: stamma %d plies, pgn-extract %d" % (what, game, len(ours), len(theirs)))


def main():
    games = [game for game in read_games() if len(game) > 1]
    with tempfile.NamedTemporaryFile("w", suffix=".pgn") as pgn:
        pgn.write(as_pgn(games))
        pgn.flush()
        short = pgn_extract(pgn.name, "-Wsan", "--fencomments")
        long = pgn_extract(pgn.name, "-Wxolalg")
    if not games or len(short) != len(games) or len(long) != len(games):
        sys.exit("%d games, of which pgn-extract gives %d and %d" % (len(games), len(short), len(long)))
    for number, (game, san_and_fen, lan) in enumerate(zip(games, short, long)):
        compare("SAN", number, [ply[2] for ply in game[:-1]], san_and_fen[0::2])
        compare("FEN", number, [ply[0].replace(" ", "_") for ply in game[1:]], san_and_fen[1::2])
        # pgn-extract omits the = here, and marks castling with check twice.
        compare("LAN", number, [ply[3].replace("=", "") for ply in game[:-1]],
                [move.replace("++", "+") for move in lan])
    print("%d plies of %d games agree with pgn-extract" % (sum(len(game) - 1 for game in games), len(games)))


main()
