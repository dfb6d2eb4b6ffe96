# SPDX-License-Identifier: MIT
"""Computes with python-chess the positions that a repertoire asks for, and its gaps, from PGN: by walking each line of the
repertoire, not position by position as the page does."""
import io

import chess
import chess.pgn


def key(board):
    return board.board_fen(), board.turn, board.castling_xfen()


class Repertoire:
    """The moves of a color in the variations of a PGN: by position, all own moves; and the positions with own moves."""

    def __init__(self, text, color):
        self.own, self.answers, self.color = color == "white", {}, color
        self.add(chess.pgn.read_game(io.StringIO(text)))

    def add(self, node):
        for child in node.variations:
            if node.board().turn == self.own:
                self.answers.setdefault(key(node.board()), set()).add(child.move.uci())
            self.add(child)


def gaps(repertoire, replies, least=0.5, games=100):
    """Returns {(position, move): expected games} of replies without an answer. replies(board) returns {move: games}."""
    found, counts = {}, {}

    def walk(board, reach, plies):
        here = key(board)
        if plies == 0:
            return
        if board.turn == repertoire.own:
            moves = repertoire.answers[here]
            for move in moves:
                board.push_uci(move)
                walk(board, reach / len(moves), plies - 1)
                board.pop()
            return
        rows = replies(board)
        whole = sum(rows.values())
        for move, number in rows.items():
            board.push_uci(move)
            if key(board) in repertoire.answers:
                walk(board, reach * number / whole, plies - 1)
            else:
                found[here, move] = found.get((here, move), 0) + reach * number / whole
                counts[here, move] = number
            board.pop()

    walk(chess.Board(), games, 80)
    return {gap: value for gap, value in found.items() if value >= least and counts[gap] >= 3}
