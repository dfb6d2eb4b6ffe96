# SPDX-License-Identifier: MIT
"""Finds with python-chess the first new move of a game, and the orders of moves that lead to a position."""
import calendar

import chess.pgn


def span(text):
    """Returns the first and the last day of a date tag as numbers; None if the year is unknown."""
    year, month, day = text.split(".")
    if not year.isdigit():
        return None
    first = int(month) if month.isdigit() else 1
    last = int(month) if month.isdigit() else 12
    return (int(year) * 10000 + first * 100 + (int(day) if day.isdigit() else 1),
            int(year) * 10000 + last * 100 + (int(day) if day.isdigit() else calendar.monthrange(int(year), last)[1]))


class Archive:
    """The games of PGN files in the order of their archives."""

    def __init__(self, *paths):
        self.games = []  # (date, [(epd, uci of the move that led there)])
        for path in paths:
            with open(path, encoding="utf-8") as file:
                while (game := chess.pgn.read_game(file)) is not None:
                    board, steps = game.board(), [(game.board().epd(), None)]
                    for move in game.mainline_moves():
                        board.push(move)
                        steps.append((board.epd(), move.uci()))
                    self.games.append((span(game.headers["Date"]), steps, game.headers))

    def having(self, epd):
        return [n for n, (_, steps, _) in enumerate(self.games) if any(one == epd for one, _ in steps)]

    def novelty(self, number):
        """Returns the expected answer of /novelty for a game, numbered from 0."""
        date, steps, _ = self.games[number]
        if date is None:
            return {"dated": False, "ply": None, "earlier_games": 0, "later_games": 0}
        month = date[0] // 100 * 100
        before_month = lambda n: self.games[n][0] is not None and self.games[n][0][0] < month
        earlier = lambda n: n != number and (self.games[n][0] is None or before_month(n) or self.games[n][0][1] < date[0]
                                             or (self.games[n][0][0] <= date[1] and n < number))
        for ply in range(1, len(steps)):
            if not any(earlier(n) for n in self.having(steps[ply][0])):
                return {"dated": True, "ply": ply, "earlier_games": sum(1 for n in self.having(steps[ply - 1][0]) if before_month(n)),
                        "later_games": len(self.having(steps[ply][0])) - 1}
        return {"dated": True, "ply": None, "earlier_games": 0, "later_games": 0}

    def orders(self, line, keep=lambda headers: True):
        """Returns {moves: number of games} of the games that reach the position after a line in UCI."""
        board, found = chess.Board(), {}
        for move in line:
            board.push_uci(move)
        for _, steps, headers in self.games:
            at = next((n for n, (epd, _) in enumerate(steps) if epd == board.epd()), None)
            if at is not None and keep(headers):
                moves = tuple(move for _, move in steps[1:at + 1])
                found[moves] = found.get(moves, 0) + 1
        return found
