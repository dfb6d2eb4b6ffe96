# SPDX-License-Identifier: MIT
"""Decodes the golden games with the programs of examples/decoders, in C, Python and JavaScript, and compares moves and positions.

usage: decoders.py FOLDER GAME...     FOLDER contains the compiled programs in C
"""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, "reference")
import slow_chess

DECODERS = "examples/decoders"


def stored(fen):
    """Returns the part of a position that `packed` stores, and the kind of text that the decoder writes."""
    position = slow_chess.read_fen(fen)
    pawn, rank = ("P", 4) if position.white else ("p", 3)
    if position.en_passant is not None:
        file = position.en_passant & 7
        if not any(position.board[8 * rank + other] == pawn for other in (file - 1, file + 1) if 0 <= other < 8):
            position.en_passant = None
    position.fullmove, position.halfmove = 1, min(position.halfmove, 100)
    return position


def cases(game):
    """Yields a decoder, its input, and what its output must be: a list of lines, each with the right answers."""
    codes, positions = game["codes"], game["positions"]
    moves, san = codes["uci"]["texts"], codes["san"]["texts"]
    castling = [re.sub("[+#]", "", text) if text.startswith("O") else move for move, text in zip(moves, san)]
    answers = [{move, castled} for move, castled in zip(moves, castling)]
    for name in ("move16", "enumeration"):
        yield name, ["%d" % value for value in codes[name]["values"]], answers
    for name in ("bcgn-square", "tarrasch"):
        lines = zip(codes[name]["values"], positions["fen"], game["legal"])
        yield name, ["%d\t%s\t%s" % line for line in lines], answers
    yield "legal-index-bits", [game["games"]["legal-index-bits"] + "\t" + ",".join(game["legal"])], [{game["moves"]}]
    yield "packed", [code.split(":")[1] for code in positions["packed"]], [stored(fen) for fen in positions["fen"]]


def differs(name, line, answer):
    if name == "packed":
        return slow_chess.read_fen(line) != answer
    return line not in answer


def commands(folder, name):
    """Yields the commands of a decoder in the languages of this machine."""
    stem = "decode_" + name.replace("-", "_")
    yield [os.path.join(folder, stem)]
    yield [sys.executable, os.path.join(DECODERS, stem + ".py")]
    if shutil.which("node"):
        yield ["node", os.path.join(DECODERS, stem + ".mjs")]


def main(folder, paths):
    inputs = {}  # all games in one run of each decoder
    for path in paths:
        with open(path, encoding="ascii") as file:
            for name, lines, answers in cases(json.load(file)):
                entry = inputs.setdefault(name, ([], []))
                entry[0].extend(lines)
                entry[1].extend(answers)
    status = 0
    for name, (lines, answers) in inputs.items():
        for command in commands(folder, name):
            output = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True).stdout
            decoded = output.splitlines()
            wrong = [n for n, answer in enumerate(answers) if n >= len(decoded) or differs(name, decoded[n], answer)]
            if wrong or len(decoded) != len(answers):
                print("%s: %d lines of %d are wrong, first: %s" % (command[-1], len(wrong), len(answers), lines[wrong[0]] if wrong else ""))
                status = 1
        print("%s: %d lines" % (name, len(lines)))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
