# SPDX-License-Identifier: MIT
"""Compares the answers of `stamma tablebase` with python-chess, which reads the same tables with other code.

usage: tablebase_oracle.py STAMMA TABLES [NUMBER]     prints the number of positions that were compared
"""
import json
import random
import subprocess
import sys

import chess
import chess.syzygy

NAMES = {2: "win", 1: "cursed-win", 0: "draw", -1: "blessed-loss", -2: "loss"}


def positions(number):
    """Legal positions of two to four pieces, with and without plies since the last capture or pawn move."""
    chosen = random.Random(48)
    while number > 0:
        board = chess.Board(None)
        squares = chosen.sample(range(64), chosen.choice((2, 3, 3, 4, 4, 4, 4)))
        for i, square in enumerate(squares):
            piece = chess.KING if i < 2 else chosen.choice((1, 1, 2, 3, 4, 5))
            board.set_piece_at(square, chess.Piece(piece, i % 2 == 0 if i < 2 else chosen.random() < 0.5))
        board.turn = chosen.random() < 0.5
        board.halfmove_clock = chosen.choice((0, 0, 0, 1, 40, 84, 90, 99))
        pushed = [one for one in board.pieces(chess.PAWN, not board.turn) if chess.square_rank(one) == (4 if board.turn else 3)]
        if pushed and chosen.random() < 0.5:
            board.ep_square = pushed[0] + (8 if board.turn else -8)
            board.halfmove_clock = 0
        if board.is_valid():
            number -= 1
            yield board


def expected(tables, board):
    """Returns the category and the distance of a position."""
    if board.is_checkmate():
        return "loss", 0
    if board.is_stalemate() or board.is_insufficient_material():
        return "draw", 0
    wdl, dtz = tables.probe_wdl(board), tables.probe_dtz(board)
    plies = abs(dtz) + board.halfmove_clock
    if wdl in (2, -2) and board.halfmove_clock > 0:
        name = "win" if plies < 100 else "maybe-win" if plies == 100 else "cursed-win"
        return name if wdl > 0 else {"win": "loss", "maybe-win": "maybe-loss", "cursed-win": "blessed-loss"}[name], dtz
    return NAMES[wdl], dtz


def main():
    stamma, folder = sys.argv[1:3]
    boards = list(positions(int(sys.argv[3]) if len(sys.argv) > 3 else 400))
    text = "".join(board.fen(en_passant="fen") + "\n" for board in boards)
    answers = subprocess.run([stamma, "tablebase", "--syzygy", folder], input=text, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    assert len(answers) == len(boards), (len(answers), len(boards))
    seen = set()
    with chess.syzygy.open_tablebase(folder) as tables:
        for board, line in zip(boards, answers):
            answer = json.loads(line)
            assert (answer["category"], answer["dtz"]) == expected(tables, board), (board.fen(), answer, expected(tables, board))
            assert sorted(move["uci"] for move in answer["moves"]) == sorted(move.uci() for move in board.legal_moves), board.fen()
            for move in answer["moves"]:
                assert move["san"] == board.san(chess.Move.from_uci(move["uci"])), (board.fen(), move)
                assert move["zeroing"] == board.is_zeroing(chess.Move.from_uci(move["uci"])), (board.fen(), move)
                board.push_uci(move["uci"])
                facts = move["category"], move["dtz"], move["checkmate"], move["stalemate"], move["insufficient_material"]
                wanted = (*expected(tables, board), board.is_checkmate(), board.is_stalemate(), board.is_insufficient_material())
                assert facts == wanted, (board.fen(), move, wanted)
                seen.add(move["category"])
                board.pop()
    assert seen >= {"win", "loss", "draw", "cursed-win", "blessed-loss"}, seen
    print(len(boards))


if __name__ == "__main__":
    main()
