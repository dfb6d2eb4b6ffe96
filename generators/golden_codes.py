#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes or checks golden codes, for tests of programs in any language that read or write an encoding of
doc/reference/encodings.md.

tests/data/golden_codes.tsv has a line for each position, move and encoding. Its fields are FEN, move, encoding, bits
and code. A move is in UCI; castling in Chess960 is king takes rook. Instead of a move there is "-" for an encoding of
positions, and all moves of a game from that FEN for an encoding of games. A code is a decimal number, a text, or
hexadecimal digits of a position or a game, padded with 0 bits. It is "-" if the encoding has no code.

usage: golden_codes.py STAMMA             writes the table, with `stamma encode --tsv`
       golden_codes.py --check TABLE      recomputes the simpler codes with slow_chess.py, from the text of doc/reference/encodings.md
"""
import collections
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))
import slow_chess
from slow_chess import CASTLING, EMPTY

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

# Positions and the moves that are encoded there, each separately.
POSITIONS = [
    (START, "e4 Nf3 a3 Z0"),
    ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", "Nf3 Ke2 d4"),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 4 9", "O-O O-O-O Bxa6 dxe6 Qxf6"),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 4 9", "O-O O-O-O bxc3 Qd8"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e6 Kd2"),
    ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "e3 Ka5"),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "gxh1=N gxf1=Q g1=R gxh1=B Kxc7"),
    ("5r1k/4P3/8/8/8/8/8/K7 w - - 0 1", "e8=Q exf8=N exf8=Q+"),
    ("k7/8/1K6/8/8/8/8/8 b - - 12 80", "Kb8"),
    ("k7/5Q2/8/2Q5/8/1N5N/2P5/1B2KR2 w - - 0 1", "Qff8+ Qcc8+ Na5 Kd2 c4"),
    ("6k1/8/8/8/8/8/6PP/Q1QQ2K1 w - - 0 1", "Qdd4 g4"),
    ("k7/5p2/8/8/7R/N1N1N3/6P1/R1QR2K1 w - - 0 1", "Nf5 Rh7 Ncd5 Qb2 g4"),
    ("k7/pppppppp/8/8/8/8/QQQQQ3/6K1 w - - 0 1", "Qba1 Qeh5 Qaa1"),
    ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "Qaxb2#"),
    ("bnrkqrbn/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRBN w KQkq - 0 1", "c4 Nc3"),
    ("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", "O-O O-O-O Kc2"),
    ("5rk1/8/8/8/8/8/8/5RK1 w - - 99 60", "Rxf8+ Kh1"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4"),
]
# Games from the initial position, for the encodings of games.
GAMES = ["e4 e5 Nf3 Nc6 Bb5", "d4 Z0 e4 Nf6 e5 Nd5 c4"]


def run(stamma, *arguments):
    return subprocess.run([stamma, "encode", "--tsv", *arguments], capture_output=True, text=True, check=True).stdout


def games(stamma):
    listing = subprocess.run([stamma, "encode", "--list", "--json"], capture_output=True, text=True, check=True).stdout
    return [line.split('"')[3] for line in listing.splitlines() if '"of":"game"' in line]


def write(stamma):
    print("fen\tmove\tencoding\tbits\tcode")
    for fen, moves in POSITIONS:
        print(run(stamma, "--fen", fen), end="")
        for move in moves.split():
            print(run(stamma, "--fen", fen, move), end="")
    for line in GAMES:
        rows = run(stamma, "--codec", ",".join(games(stamma)), line).splitlines()
        print("\n".join(rows[-len(games(stamma)):]))


# ---- independent implementations: functions of (position, move) that return (bits, code) ----

def move_of(position, uci):
    """Returns the legal move of a UCI text. Castling may be king takes rook."""
    if uci == "0000":
        return None
    for move in position.legal_moves():
        if uci in texts_of(position, move):
            return move
    raise ValueError("%s is not legal" % uci)


def texts_of(position, move):
    origin, target, extra = move
    texts = {slow_chess.name_of(origin) + slow_chess.name_of(target) + (extra.lower() if len(extra) == 1 else "")}
    if extra in CASTLING:
        texts.add(slow_chess.name_of(origin) + slow_chess.name_of(position.castling[position.white, extra]))
    return texts


def flags_of(position, move):
    origin, target, extra = move
    if extra in CASTLING:
        return 2 + CASTLING.index(extra)
    pawn = position.board[origin].upper() == "P"
    if pawn and target == position.en_passant and (target - origin) & 7:
        return 5
    if pawn and abs(target - origin) == 16:
        return 1
    return 4 * (position.board[target] != EMPTY) + (8 + "NBRQ".index(extra) if extra else 0)


def move16(position, move):
    return 16, 0 if move is None else flags_of(position, move) << 12 | move[0] << 6 | move[1]


def butterfly(position, move):
    return None if move is None else (12, move[0] << 6 | move[1])


def target_of(position, move):
    """Returns the target square. Castling goes to the king's destination if king and rook are where standard chess has
    them, and otherwise to the rook."""
    origin, target, extra = move
    if extra not in CASTLING:
        return target
    rook = position.castling[position.white, extra]
    return target if origin & 7 == 4 and rook & 7 == (7 if extra == "O-O" else 0) else rook


def move14(position, move):
    if move is None:
        return 14, 0
    promotion = "NBRQ".index(move[2]) if move[2] in ("N", "B", "R", "Q") else 0
    return 14, promotion << 12 | move[0] << 6 | target_of(position, move)


def move12(position, move):
    if move is None:
        return 12, 0
    target = target_of(position, move)
    if move[2] in ("N", "B", "R", "Q"):
        target += (-8 if position.white else 8) * "QRBN".index(move[2])
    return 12, move[0] << 6 | target


def uci(position, move):
    if move is None:
        return 32, "0000"
    text = slow_chess.name_of(move[0]) + slow_chess.name_of(target_of(position, move))
    text += move[2].lower() if len(move[2]) == 1 else ""
    return 8 * len(text), text


def san(position, move):
    text = position.san(move)
    if move is not None:
        text += position.after(move).check_mark()
    return 8 * len(text), text


def check_flag(position, move):
    return None if move is None else (1, int(position.after(move).in_check()))


def legal_index(position, move):
    return 8, 255 if move is None else position.canonical_moves().index(move)


def legal_index_bits(position, move):
    moves = position.canonical_moves()
    return None if move is None else (math.ceil(math.log2(len(moves))), moves.index(move))


BOUNDS = {"P": 12, "N": 8, "B": 13, "R": 14, "Q": 27, "K": 8}


def piece_index(position, move):
    origin, target, extra = move
    kind = position.board[origin].upper()
    if extra in CASTLING:
        return 6 + CASTLING.index(extra)
    if kind != "P":
        return slow_chess.REACH[kind][origin].index(target)
    way = (target & 7) - (origin & 7) + 1
    return 4 * way + ("NBRQ".index(extra) if extra else int(abs(target - origin) == 16))


def pieces_of(position):
    """Returns the pieces of the side to move as (square, letter), by square."""
    return [(square, piece.upper()) for square, piece in enumerate(position.board) if position.own(piece)]


def bcgn_square(position, move):
    pieces = pieces_of(position)
    if sum(BOUNDS[kind] for _, kind in pieces) > 255:
        return legal_index(position, move)
    if move is None:
        return 8, 255
    return 8, sum(BOUNDS[kind] for square, kind in pieces if square < move[0]) + piece_index(position, move)


def bcgn(position, move):
    if move is None:
        return None
    pieces = sorted(pieces_of(position), key=lambda piece: ("PNBRQK".index(piece[1]), piece[0]))
    before = [kind for _, kind in pieces[:[square for square, _ in pieces].index(move[0])]]
    bits = 8 if sum(BOUNDS[kind] for _, kind in pieces) <= 256 else 16
    return bits, sum(BOUNDS[kind] for kind in before) + piece_index(position, move)


KING_STEPS = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)]          # N S E W NE NW SE SW
KNIGHT_STEPS = [(1, 2), (-1, 2), (-2, 1), (2, 1), (1, -2), (-1, -2), (2, -1), (-2, -1)]      # NNE NNW WNW ENE SSE ...


def vector_of(kind, move):
    origin, target, extra = move
    step = (target & 7) - (origin & 7), (target >> 3) - (origin >> 3)
    if kind == "P":
        way = {0: 0, -1: 2, 1: 3}[step[0]]
        if extra:
            return 4 * (1 if way == 0 else way) + "NBRQ".index(extra)
        return 1 if abs(step[1]) == 2 else way
    if kind == "K":
        return 8 + CASTLING.index(extra) if extra in CASTLING else KING_STEPS.index(step)
    if kind == "N":
        return KNIGHT_STEPS.index(step)
    if 0 in step:
        return target & 7 if step[1] == 0 else 8 + (target >> 3)
    return (8 if step[0] * step[1] < 0 else 0) + (target & 7)


def along_files(squares):
    return sorted(squares, key=lambda square: (square & 7, square >> 3))


def is_dark(square):
    return (square + (square >> 3)) % 2 == 0


def tarrasch(position, move):
    of = collections.defaultdict(list)
    for square, kind in pieces_of(position):
        of[kind].append(square)
    queens, bishops = len(of["Q"]), [is_dark(square) for square in of["B"]]
    if queens > 2 or queens == 2 and len(of["P"]) > 6 or len(of["R"]) > 2 or len(of["N"]) > 2 or \
            bishops.count(True) > 1 or bishops.count(False) > 1:
        return legal_index(position, move)
    if move is None:
        return 8, 0x8F
    kind = position.board[move[0]].upper()
    number, vector = along_files(of[kind]).index(move[0]), vector_of(kind, move)
    straight = not (move[0] ^ move[1]) & 7 or move[0] >> 3 == move[1] >> 3
    code = {"P": number, "K": 8, "N": 9, "B": 10 + is_dark(move[0]), "R": 13 + number,
            "Q": (15 if straight else 12) if number == 0 else (7 if straight else 6)}[kind]
    return 8, code << 4 | (number << 3 if kind == "N" else 0) | vector


def fen(position):
    text = slow_chess.write_fen(position)
    return 8 * len(text), text


def hexadecimal(bits):
    return len(bits), "".join("%02x" % int(bits[at:at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8))


def seems_capturable(position):
    """Returns the en passant square if a pawn of the side to move is next to the pushed pawn."""
    if position.en_passant is None:
        return None
    pawn, rank = ("P", 4) if position.white else ("p", 3)
    file = position.en_passant & 7
    beside = [8 * rank + other for other in (file - 1, file + 1) if 0 <= other <= 7]
    return position.en_passant if any(position.board[square] == pawn for square in beside) else None


RIGHTS = [(True, "O-O"), (True, "O-O-O"), (False, "O-O"), (False, "O-O-O")]


def stream(position):
    square = seems_capturable(position)
    bits = "1" if position.white else "0"
    bits += format(min(position.halfmove, 100), "07b") + "".join("01"[right in position.castling] for right in RIGHTS)
    bits += format(8 if square is None else square & 7, "04b")
    gap = 0
    for piece in position.board + ["end"]:
        if piece == EMPTY:
            gap += 1
            continue
        while gap >= 4:
            bits += "1111" + format(min(gap, 19) - 4, "04b")
            gap -= min(gap, 19)
        bits += format(11 + gap, "04b") if gap else ""
        bits += "" if piece == "end" else format("PNBRQKpnbrqk".index(piece), "04b")
        gap = 0
    return hexadecimal(bits)


def packed(position):
    square, marks = seems_capturable(position), set(position.castling.values())
    if square is not None:
        marks.add(square + (-8 if position.white else 8))
    kinds = [10 if at in marks else "PNBRQpnbrq".index(piece) for at, piece in enumerate(position.board) if piece not in ".Kk"]
    bits = "".join("01"[piece != EMPTY] for piece in reversed(position.board)) + "01"[position.white]
    bits += format(min(position.halfmove, 100), "07b") + format(position.king(True), "06b") + format(position.king(False), "06b")
    bits += "".join(format(11 * a + b, "07b") for a, b in zip(kinds[::2], kinds[1::2]))
    return hexadecimal(bits + (format(kinds[-1], "04b") if len(kinds) % 2 else ""))


HUFFMAN = {"P": "10", "B": "1100", "N": "1101", "R": "1110", "Q": "11110", "K": "11111"}


def huffman(position):
    """Encodes positions with standard castling in which no en passant capture seems possible. Returns "left out" for
    others."""
    shown = [right for right, king, rook in zip(RIGHTS, "KKkk", "RRrr")
             if position.board[4 if right[0] else 60] == king and
             position.board[(7 if right[1] == "O-O" else 0) + (0 if right[0] else 56)] == rook]
    corners = {(7 if side == "O-O" else 0) + (0 if white else 56) for white, side in RIGHTS}
    if position.en_passant is not None or not set(position.castling) <= set(shown) or \
            not set(position.castling.values()) <= corners:
        return "left out"
    for white in (True, False):  # the encoding treats up to five pawns as open to capture; here there must be none
        rank, own, enemy = (4, "P", "p") if white else (3, "p", "P")
        for file in range(8) if white == position.white else ():
            beside = [8 * rank + other for other in (file - 1, file + 1) if 0 <= other <= 7]
            if position.board[8 * rank + file] == enemy and any(position.board[at] == own for at in beside):
                return "left out"
    bits = format(min(position.halfmove, 100), "07b") + "01"[position.white]
    board = "".join(position.board)
    if not shown:
        board = board.rstrip(EMPTY)
        board = board[:-1] if board[-1] in "Kk" else board
    bits += "".join("0" if piece == EMPTY else HUFFMAN[piece.upper()] + "01"[piece.isupper()] for piece in board)
    return hexadecimal(bits + "".join("01"[right in position.castling] for right in shown))


OF_MOVES = {"move16": move16, "butterfly": butterfly, "move14": move14, "move12": move12, "uci": uci, "san": san,
            "check-flag": check_flag, "legal-index": legal_index, "legal-index-bits": legal_index_bits,
            "bcgn": bcgn, "bcgn-square": bcgn_square, "tarrasch": tarrasch}
OF_POSITIONS = {"fen": fen, "stream": stream, "packed": packed, "huffman": huffman}


def expected(fen_text, move_text, encoding):
    """Returns the expected (bits, code) of a row, None if the encoding has no code, or "left out" if the encoding is
    not recomputed here."""
    position = slow_chess.read_fen(fen_text)
    if move_text == "-":
        return OF_POSITIONS[encoding](position) if encoding in OF_POSITIONS else "left out"
    if encoding not in OF_MOVES:
        return "left out"
    return OF_MOVES[encoding](position, move_of(position, move_text))


def check(table):
    rows = [line.rstrip("\n").split("\t") for line in open(table, encoding="ascii")][1:]
    checked, wrong = 0, 0
    for fen_text, move_text, encoding, bits, code in rows:
        wanted = expected(fen_text, move_text, encoding)
        if wanted == "left out":
            continue
        wanted = ("-", "-") if wanted is None else (str(wanted[0]), str(wanted[1]))
        checked += 1
        if wanted != (bits, code):
            wrong += 1
            print("%s %s %s: %s %s, not %s %s" % (fen_text, move_text, encoding, *wanted, bits, code))
    print("%d rows, %d recomputed, %d differ" % (len(rows), checked, wrong))
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        sys.exit(check(sys.argv[2]))
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write(sys.argv[1])
