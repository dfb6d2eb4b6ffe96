# SPDX-License-Identifier: MIT
"""Counts with python-chess the moves that players choose in the games of a PGN file. Positions are compared, not orders
of moves. A game counts once in each position, with its first move in the position."""
import chess.pgn


class Games:
    """The games of a file: for each position, the games with their next move."""

    def __init__(self, path):
        self.games, self.after = [], {}
        with open(path, encoding="utf-8") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                self.add(game)

    def add(self, game):
        number, board, seen = len(self.games), game.board(), set()
        self.games.append(game)
        for move in list(game.mainline_moves()) + [None]:
            if board.epd() not in seen:
                seen.add(board.epd())
                self.after.setdefault(board.epd(), []).append((number, move.uci() if move else None))
            if move:
                board.push(move)

    def moves(self, line, player=None, color=None):
        """Returns {move in UCI: [games, won, drawn, lost]} in the position after a line in UCI, from the side of the player."""
        board, found = chess.Board(), {}
        for move in line:
            board.push_uci(move)
        for number, move in self.after.get(board.epd(), []):
            headers = self.games[number].headers
            if move is None or (player and headers[color.capitalize()] != player):
                continue
            row = found.setdefault(move, [0, 0, 0, 0])
            row[0] += 1
            if headers["Result"] != "*":
                half = {"1-0": 2, "0-1": 0}.get(headers["Result"], 1)
                row[{2: 1, 1: 2, 0: 3}[half if color != "black" else 2 - half]] += 1
        return found

    def reached(self, line, player, color):
        """Returns the number of a player's games with a move in the position after a line."""
        return sum(row[0] for row in self.moves(line, player, color).values())


def score(row):
    finished = sum(row[1:])
    return None if finished == 0 else 100 * (row[1] + row[2] / 2) / finished


def tree(games, player, color, least=3, depth=16):
    """Returns {line: [games, won, drawn, lost]} of the repertoire: moves of at least `least` games, without the moves
    after a position that is already in the tree. Moves are in the order of their games."""
    found, walked = {}, {chess.Board().epd()}

    def walk(line):
        rows = games.moves(line, player, color)
        for move, row in sorted(rows.items(), key=lambda one: (-one[1][0], one[0])):
            if row[0] < least:
                continue
            after, board = line + (move,), chess.Board()
            found[after] = row
            for one in after:
                board.push_uci(one)
            if board.epd() not in walked and len(after) < depth:
                if games.moves(after, player, color):
                    walked.add(board.epd())
                walk(after)
            elif board.epd() in walked:
                again.add(after)

    again = set()
    walk(())
    return found, again


def gaps(games, player, color):
    """Returns {line: number of the player's games} of the replies that the player has never met, or against which the
    player scores less than 40 %."""
    moves, again = tree(games, player, color)
    turns = [(games.reached(line, player, color), line) for line in moves if (len(line) % 2 == 1) == (color == "white") and line not in again]
    if color == "black":
        turns.append((sum(1 for game in games.games if game.headers["Black"] == player), ()))
    turns.sort(key=lambda one: -one[0])
    found = {}
    for _, line in turns[:16]:
        field, own = games.moves(line), games.moves(line, player, color)
        whole = sum(row[0] for row in field.values())
        for move, row in field.items():
            if row[0] < 3 or row[0] / whole < 0.05:
                continue
            mine = own.get(move, [0, 0, 0, 0])
            if mine[0] == 0 or (mine[0] >= 3 and score(mine) is not None and score(mine) < 40):
                found[line + (move,)] = mine[0]
    return found
