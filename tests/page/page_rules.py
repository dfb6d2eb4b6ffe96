# SPDX-License-Identifier: MIT
"""Prints positions with their legal moves, as python-chess computes them: one JSON object per line, {fen, check, moves},
where each move is [UCI, SAN, FEN after the move]. Started by page_rules.sh.

usage: page_rules.py GAMES     positions of the games of a PGN file, of random games, and of Chess960
"""
import json
import random
import sys

import chess
import chess.pgn

SPECIAL = ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
           "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "7k/8/8/8/8/8/8/QQ4QK w - - 0 1",
           "6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1", "2r1kr2/8/8/8/8/8/8/1R2KR2 w FBfc - 0 1", "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1", "1k6/8/8/8/8/8/8/RRK4R w HA - 0 1")


def written(board, move):
    """Returns a move in UCI. Castling from the e-file with a rook in the corner is written as the king's two squares."""
    if board.is_castling(move) and chess.square_file(move.from_square) == 4:
        rook = move.to_square if board.piece_type_at(move.to_square) == chess.ROOK else None
        if rook is None or chess.square_file(rook) in (0, 7):
            return chess.square_name(move.from_square) + ("g" if board.is_kingside_castling(move) else "c") + chess.square_name(move.from_square)[1]
    return board.uci(move, chess960=True)


def after(board, move):
    board.push(move)
    fen = board.fen(en_passant="fen")
    board.pop()
    return fen


def show(board):
    moves = [[written(board, move), board.san(move), after(board, move)] for move in board.legal_moves]
    print(json.dumps({"fen": board.fen(en_passant="fen"), "check": board.is_check(), "moves": sorted(moves)}))


def wander(board, number, plies):
    for _ in range(plies):
        show(board)
        moves = sorted(board.legal_moves, key=str)
        castling = [move for move in moves if board.is_castling(move)]
        if not moves:
            return
        board.push(number.choice(castling or moves))


def main():
    number = random.Random(48)
    for fen in SPECIAL:
        for _ in range(2):
            wander(chess.Board(fen, chess960=True), number, 12)
    for start in range(0, 960, 60):
        wander(chess.Board.from_chess960_pos(start), number, 24)
    for _ in range(6):
        wander(chess.Board(), number, 60)
    with open(sys.argv[1], encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            board = game.board()
            for ply, move in enumerate(game.mainline_moves()):
                if ply % 24 == 0:
                    show(board)
                board.push(move)


if __name__ == "__main__":
    main()
