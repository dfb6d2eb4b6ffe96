# SPDX-License-Identifier: MIT
"""Shows a Chess960 game whose variations castle, and compares the positions with python-chess.

usage: page_variations_driver.py ADDRESS ARCHIVE SCREENSHOTS     exits with status 1 if a check fails
       page_variations_driver.py --games                         prints the game as PGN
"""
import random
import sys

import chess
import chess.pgn

from page_driver import POSITION, Page, run_all

START = 718  # number of the Chess960 position


def line(board, number):
    """Returns moves that end some plies after castling."""
    while True:
        end, moves = board.copy(), []
        for _ in range(40):
            castling = [move for move in end.legal_moves if end.is_castling(move)]
            move = (castling or number.sample(sorted(end.legal_moves, key=str), 1) or [None])[0]
            if not move or end.is_game_over():
                break
            moves.append(move)
            end.push(move)
            if castling:
                break
        if moves and end.move_stack and not end.is_game_over() and castling:
            return moves + [next(iter(end.legal_moves))]


def game():
    """Returns a game with a variation that castles, and a nested variation that castles."""
    board, number = chess.Board.from_chess960_pos(START), random.Random(960)
    one = chess.pgn.Game()
    one.setup(board)
    one.headers.update({"Variant": "Chess960", "White": "A", "Black": "B", "Result": "*"})
    add_line(one, number)
    add_line(one.variations[0], number)
    add_line(list(main_line(one.variations[0].variations[1]))[5], number)
    return one


def add_line(node, number):
    for move in line(node.board(), number):
        node = node.add_variation(move)


def main_line(node):
    while node:
        yield node
        node = node.variations[0] if node.variations else None


def variations(p):
    one = game()
    ends = [node for node in lines(one) if not node.variations]
    assert len(ends) == 3
    p.open("#/game/1", "document.querySelector('.notation') !== null")
    links = p.b.evaluate("document.querySelectorAll('.variation a.move').length")
    assert links > 10, links
    for end in ends:
        board = end.board()
        san = end.parent.board().san(end.move)
        at = p.b.evaluate("[...document.querySelectorAll('.notation a.move')].filter(one => one.firstChild.data === %r).map(one => one.dataset.at)" % san)
        wanted = words(board)
        found = []
        for place in at:
            p.b.evaluate("document.querySelector('[data-at=\"%s\"]').click()" % place)
            p.settle()
            p.settle()
            found.append(p.b.evaluate(POSITION))
        assert wanted in found, (san, at, wanted, found)


def other_move(node):
    """Returns the SAN of a quiet move that does not follow a node, and is not ambiguous."""
    board = node.board()
    played = {one.move for one in node.variations}
    moves = [move for move in board.legal_moves if move not in played and not board.is_castling(move) and not move.promotion]
    return min((board.san(move) for move in moves), key=lambda san: (len(san), san))


def own_variations(p):
    """Your move begins a variation, before and after castling."""
    one = game()
    nodes = list(main_line(one))
    castled = next(i for i, node in enumerate(nodes) if node.parent and node.parent.board().is_castling(node.move))
    for ply in (1, castled):
        san = other_move(nodes[ply])
        p.open("#/game/1?ply=%d" % ply, "document.querySelector('.notation [aria-current]') !== null")
        p.b.wait(POSITION, words(nodes[ply].board()))
        p.b.click("#typed-move")
        p.b.type(san)
        p.b.press("Enter")
        p.b.wait("[...document.querySelectorAll('.variation.own a.move')].some(one => one.firstChild.data === %r)" % san)


def lines(node):
    yield node
    for child in node.variations:
        yield from lines(child)


def words(board):
    """The position as the page describes it."""
    names = dict(zip("kqrbnp", ("king", "queen", "rook", "bishop", "knight", "pawn")))

    def side(color):
        squares = sorted(chess.SQUARES, key=lambda one: (-chess.square_rank(one), one))
        return ", ".join("%s %s" % (names[letter], chess.square_name(one)) for letter in "kqrbnp" for one in squares
                         if board.piece_at(one) == chess.Piece.from_symbol(letter.upper() if color else letter))
    return "%s to move. White: %s. Black: %s." % ("White" if board.turn else "Black", side(True), side(False))


if __name__ == "__main__":
    if sys.argv[1:] == ["--games"]:
        print(game())
        sys.exit(0)
    sys.exit(run_all(Page(*sys.argv[1:]), [variations, own_variations]))
