#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the golden games: whole games with all their codes, to test other implementations. doc/reference/encodings.md describes the files.

usage: golden_games.py STAMMA [FOLDER]     writes FOLDER/NAME.json for each game; default: tests/data/golden
       golden_games.py STAMMA --check      exits 1 if the files differ from what STAMMA makes
       golden_games.py --uci FILE...       prints the games as `stamma cat --format uci` does

The codes are those of STAMMA, the command. Positions and legal moves are those of reference/slow_chess.py, which shares no code
with the library. The strings of games are put together here, and STAMMA must decode each to the moves.
"""
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "reference"))
import slow_chess
from slow_chess import CASTLING

FOLDER = os.path.join(HERE, "..", "tests", "data", "golden")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
# Name, description, start, moves.
GAMES = [
    ("opera", "Morphy against the Duke of Brunswick and Count Isouard, Paris 1858", START,
     "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 "
     "Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"),
    ("chess960", "Chess960: both sides castle, with kings and rooks that are not on e, a and h",
     "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1",
     "d3 e5 h4 g6 c3 Nb6 Ba4 h6 O-O-O Qg7 Rd2 a6 Ng3 Be7 Ne4 Nc4 h5 O-O-O Bxd7+ Bxd7 a3 Nd6 g4 Ne8 Rh1 c5 Nb3 Ba4 f4 Rd4"),
    ("promotions", "promotions to all pieces, with and without captures, in an ending with few pieces",
     "1n2k3/P1P3P1/8/8/7K/8/2p3p1/3R1N2 w - - 0 1",
     "cxb8=R+ Ke7 a8=N cxd1=B g8=R g1=Q Rg7+ Qxg7 Re8+ Kf7 Re2 Qd4+ Re4 Qd5 Re7+ Kg6 Nb6 Kh6 Re5 Qd3"),
    ("en-passant", "captures en passant by both sides, many double pushes", START,
     "g4 g6 c4 b5 e3 d5 h4 c6 d3 f5 g5 e5 a4 h5 gxh6 dxc4 h5 Rh7 e4 Kd7 b4 cxb3 exf5 a5 f4 b4 Ne2 Rf7 h7 Nh6 h8=B Qg5"),
    ("queens", "many queens and rooks of both sides: encodings of one byte use their fall-backs", "4k3/PPP5/5PPP/8/8/ppp5/5ppp/3K4 w - - 0 1",
     "a8=Q+ Kd7 b8=Q f1=R+ Ke2 g1=Q Qf8 h1=Q Qf3 Rf2+ Ke3 Qgg2 g7 Qd1 c8=R b2 g8=R b1=Q Qf7+ Kd6 Qg6 Rd2 Rcf8 Qg4 Ra8 Qa2 h7 "
     "Qh3 h8=Q Qc1 Rab8 Qcf1 Qhh6 Qg3"),
    ("forced", "a perpetual check: most moves of Black are forced, and need no bits in some encodings",
     "6k1/6p1/8/7Q/8/6PP/q7/7K w - - 0 1",
     "Qe8+ Kh7 Qh5+ Kg8 Qe8+ Kh7 Qh5+ Kg8 Qe8+ Kh7 Qe4+ g6 Qe7+ Kg8 Qe8+ Kg7 Qd7+ Kg8"),
    ("null-moves", "null moves of both sides, also the first and the last move", START,
     "Z0 e5 Nf3 Z0 Nxe5 d6 Nf3 Z0 Z0 Nf6 d4 Z0"),
]


def moves_of(position, texts):
    """Yields the position before each move and the move; None is the null move."""
    for text in texts.split():
        move = None
        if text != "Z0":
            move = next(move for move in position.legal_moves() if position.san(move) == text.rstrip("+#"))
        yield position, move
        position = position.after(move)
    yield position, None


def uci(position, move):
    """Returns the text of a move as in the encoding `uci`."""
    if move is None:
        return "0000"
    text = slow_chess.uci(move)
    if move[2] in CASTLING:
        rook = position.castling[position.white, move[2]]
        if move[0] & 7 != 4 or rook & 7 != (7 if move[2] == "O-O" else 0):
            text = slow_chess.name_of(move[0]) + slow_chess.name_of(rook)
    return text


def run(stamma, *arguments):
    output = subprocess.run([stamma, "encode", "--json", *arguments], capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in output.splitlines()]


def encodings(stamma):
    """Returns the names of the encodings of moves, of games and of positions, and the texts among them."""
    of = {"move": [], "move in position": [], "game": [], "position": []}
    texts = set()
    for line in run(stamma, "--list"):
        of[line["of"]].append(line["encoding"])
        if line["text"]:
            texts.add(line["encoding"])
    return of["move"] + of["move in position"], of["game"], of["position"], texts


# ---- the string of a game ----

def varint(value):
    return bytes([value & 127 | 128]) + varint(value >> 7) if value > 127 else bytes([value])


def front(moves, lists_nulls):
    """Returns the number of plies and, if they have no codes, the list of null moves."""
    nulls = [n for n, move in enumerate(moves) if move == "0000"] if lists_nulls else []
    string = varint(2 * len(moves) + bool(nulls))
    if nulls:
        string += varint(len(nulls)) + b"".join(varint(n - before - 1) for before, n in zip([-1] + nulls, nulls))
    return string


def game_string(moves, codes, is_text):
    """Returns a game's string from the codes (bits, value) of its moves; a code is None if the null move has none."""
    if is_text:
        return front(moves, False) + "".join(text + " " for _, text in codes).encode()
    bits = "".join(format(value, "0%db" % size) if size else "" for size, value in (code for code in codes if code))
    codes_bytes = bytes(int(bits[at:at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8))
    return front(moves, None in codes) + codes_bytes


# ---- the files ----

def codes_entry(codes, is_text):
    if is_text:
        return {"texts": [code[1] for code in codes]}
    bits = [code[0] if code else None for code in codes]
    return {"bits": bits[0] if len(set(bits)) == 1 else bits, "values": [code[1] if code else None for code in codes]}


def golden_game(stamma, name, description, fen, san):
    steps = list(moves_of(slow_chess.read_fen(fen), san))
    positions, moves = [position for position, _ in steps], [uci(position, move) for position, move in steps[:-1]]
    of_moves, of_games, of_positions, texts = encodings(stamma)
    rows = run(stamma, "--fen", fen, *san.split())
    codes = {}
    for encoding in of_moves:
        codes[encoding] = [None if row[encoding] is None else (row["bits"][encoding], row[encoding]) for row in rows]
    if [text for _, text in codes["uci"]] != moves:
        sys.exit("%s: the command has other moves" % name)
    games = {encoding: rows[-1][encoding] for encoding in of_games}
    for encoding in of_moves:
        if encoding not in ("butterfly", "check-flag"):  # they do not determine the move
            games[encoding] = game_string(moves, codes[encoding], encoding in texts).hex()
    for encoding, string in games.items():
        if [row["uci"] for row in run(stamma, "--fen", fen, "--decode", encoding, "--game", string)] != moves:
            sys.exit("%s: %s decodes to other moves" % (name, encoding))
    of_each = [run(stamma, "--fen", slow_chess.write_fen(position))[0] for position in positions]
    return {
        "name": name, "description": description, "fen": fen, "moves": " ".join(moves),
        "legal": [" ".join(uci(position, move) for move in position.canonical_moves()) for position in positions[:-1]],
        "codes": {encoding: codes_entry(codes[encoding], encoding in texts) for encoding in of_moves},
        "games": {encoding: games[encoding] for encoding in of_moves + of_games if encoding in games},
        "positions": {encoding: [row[encoding] for row in of_each] for encoding in of_positions},
    }


def written(game):
    """Returns a game as JSON. Each encoding is a line, and each position's legal moves are one."""
    lines = []
    for key, value in game.items():
        if isinstance(value, dict):
            members = ["    %s: %s" % (json.dumps(name), json.dumps(entry, separators=(",", ":"))) for name, entry in value.items()]
            lines.append("  %s: {\n%s\n  }" % (json.dumps(key), ",\n".join(members)))
        elif isinstance(value, list):
            lines.append("  %s: [\n%s\n  ]" % (json.dumps(key), ",\n".join("    " + json.dumps(entry) for entry in value)))
        else:
            lines.append("  %s: %s" % (json.dumps(key), json.dumps(value)))
    return "{\n%s\n}\n" % ",\n".join(lines)


def uci_line(path):
    with open(path, encoding="ascii") as file:
        game = json.load(file)
    return game["moves"] if game["fen"] == START else "fen %s moves %s" % (game["fen"], game["moves"])


def check(stamma):
    differ = False
    for game in GAMES:
        with open(os.path.join(FOLDER, game[0] + ".json"), encoding="ascii") as file:
            if file.read() != written(golden_game(stamma, *game)):
                print("%s: the file differs" % game[0])
                differ = True
    names = sorted(name for name in os.listdir(FOLDER) if name.endswith(".json"))
    if names != sorted(game[0] + ".json" for game in GAMES):
        print("%s has other files" % FOLDER)
        differ = True
    return differ


def main(arguments):
    if arguments[:1] == ["--uci"]:
        print("\n".join(uci_line(path) for path in arguments[1:]))
    elif len(arguments) == 2 and arguments[1] == "--check":
        sys.exit(check(arguments[0]))
    elif 1 <= len(arguments) <= 2:
        folder = arguments[1] if len(arguments) == 2 else FOLDER
        os.makedirs(folder, exist_ok=True)
        for game in GAMES:
            with open(os.path.join(folder, game[0] + ".json"), "w", encoding="ascii") as file:
                file.write(written(golden_game(arguments[0], *game)))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
