# SPDX-License-Identifier: MIT
"""Counts the games of an opening with python-chess, and compares the figures of `stamma report --opening --json`.

usage: opening_oracle.py REPORT PGN    exits with status 1 if a figure differs

REPORT contains the output of `stamma report ARCHIVE --opening ... --json --depth 6 --min-games 2`.
"""
import collections
import json
import sys

import chess
import chess.pgn

DEPTH, LEAST, STRUCTURE_PLIES, PLAN_PLIES = 6, 2, 20, 30
CHANGE_DEPTH, CHANGE_GAMES = 8, 20
RESULTS = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}
failures = 0


def same(what, got, wanted):
    global failures
    if got != wanted:
        failures += 1
        print("%s: %r, not %r" % (what, got, wanted))


class Tally:
    def __init__(self):
        self.games, self.results = 0, [0, 0, 0]

    def add(self, game):
        self.games += 1
        if game.result is not None:
            self.results[game.result] += 1

    def row(self):
        return [self.games, *self.results]


def row_of(row):
    return [row["games"], row["white_wins"], row["draws"], row["black_wins"]]


class Game:
    """A game from the position on."""

    def __init__(self, game, number, before, board, moves):
        tags = game.headers
        ratings = [int(tags.get(name, "0") or 0) if tags.get(name, "0").isdigit() else 0 for name in ("WhiteElo", "BlackElo")]
        self.number, self.before, self.board, self.moves = number, before, board, moves
        self.result = RESULTS.get(tags.get("Result"))
        self.rating = (sum(ratings) + 1) // 2 if all(ratings) else 0
        self.date = tuple(int(part) if part.isdigit() else 0 for part in tags.get("Date", "????.??.??").split("."))


def key_of(board):
    """A position as archives compare it: the en passant square counts only if a capture is legal."""
    return board.epd(en_passant="legal")


def read_games(path, fen):
    wanted, games = key_of(chess.Board(fen)), []
    with open(path, encoding="latin-1") as file:
        number = 0
        while (game := chess.pgn.read_game(file)) is not None:
            number += 1
            board, moves = game.board(), list(game.mainline_moves())
            for ply in range(len(moves) + 1):
                if key_of(board) == wanted:
                    games.append(Game(game, number, ply, board.copy(stack=False), moves[ply:]))
                    break
                if ply < len(moves):
                    board.push(moves[ply])
    return sorted(games, key=lambda one: (one.date, one.number))


def first_recent(games):
    dated = [game for game in games if game.date[0]]
    years = [game.date[0] for game in dated]
    return (years[-1] - 2, 0, 0) if years[-1] - years[0] >= 5 else dated[len(dated) - (len(dated) + 2) // 3].date


def positions_of(games):
    """The games in each position of the opening: each once, with the first move that it played there."""
    found = collections.defaultdict(list)
    for game in games:
        board, seen = game.board.copy(stack=False), set()
        for move in game.moves:
            key = key_of(board)
            if key not in seen:
                seen.add(key)
                found[key].append((game, move))
            board.push(move)
    return found


def check_moves(found, recent, board, nodes, depth, seen, changes):
    """Compares the moves of a position with a list of nodes, and collects the changes."""
    moves = collections.defaultdict(list)
    for game, move in found[key_of(board)]:
        moves[move].append(game)
    wanted = sorted((one for one in moves if len(moves[one]) >= LEAST), key=lambda one: (-len(moves[one]), one.uci()))
    same("moves of " + board.fen(), [node["uci"] for node in nodes], [move.uci() for move in wanted])
    everyone = [game for games in moves.values() for game in games if game.date[0]]
    late = sum(game.date >= recent for game in everyone)
    for node, move in zip(nodes, wanted):
        games, tally = moves[move], Tally()
        for game in games:
            tally.add(game)
        same(board.fen() + " " + node["san"], row_of(node), tally.row())
        rated = [game.rating for game in games if game.rating]
        mean = (sum(rated) + len(rated) // 2) // len(rated) if rated else None
        same(board.fen() + " " + node["san"] + ": rating", node["rating"], mean)
        if depth <= CHANGE_DEPTH and late >= CHANGE_GAMES and len(everyone) - late >= CHANGE_GAMES:
            dated = [game for game in games if game.date[0]]
            now = sum(game.date >= recent for game in dated)
            changes.append((round(100 * (len(dated) - now) / (len(everyone) - late), 2), round(100 * now / late, 2)))
        board.push(move)
        key = key_of(board)
        same("again", node["again"], key in seen and key in found)
        if not node["again"] and depth < DEPTH and key in found:
            seen.add(key)
            check_moves(found, recent, board, node["moves"], depth + 1, seen, changes)
        else:
            same("end of a line", node["moves"], [])
        board.pop()


# ---- plans ----

def structure(board):
    pawns = chess.BaseBoard.empty()
    for square, piece in board.piece_map().items():
        if piece.piece_type == chess.PAWN:
            pawns.set_piece_at(square, piece)
    return pawns.board_fen()


def endgame(board):
    sides = ["".join(letter * len(board.pieces(kind, color)) for letter, kind in
                     zip("QRBN", (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT))) for color in (True, False)]
    return " v ".join(side or "K" for side in sides) if max(map(len, sides)) <= 1 else None


def plans_of(game):
    """The squares and manoeuvres of a game, as (color, name)."""
    board, squares, manoeuvres, trails = game.board.copy(stack=False), set(), [], {}
    for move in game.moves[:PLAN_PLIES]:
        color, kind = ("white" if board.turn else "black"), board.piece_type_at(move.from_square)
        if board.is_castling(move):
            squares.add((color, "O-O" if chess.square_file(move.to_square) == 6 else "O-O-O"))
            board.push(move)
            continue
        letter = "" if kind == chess.PAWN else chess.piece_symbol(kind).upper()
        squares.add((color, letter + chess.square_name(move.to_square)))
        trail = trails.pop(move.from_square, [letter + chess.square_name(move.from_square)])
        if len(trail) < 4:
            trail = trail + [chess.square_name(move.to_square)]
            if len(trail) >= 3 and kind not in (chess.PAWN, chess.KING):
                manoeuvres.append((color, "-".join(trail)))
        trails[move.to_square] = trail
        if move.promotion:
            trails.pop(move.to_square)
        board.push(move)
    return squares, manoeuvres


def check_features(report, games):
    lists = {name: collections.defaultdict(Tally) for name in ("structures", "endgames", "squares", "manoeuvres")}
    for game in games:
        board, ended = game.board.copy(stack=False), endgame(game.board) is not None
        for ply, move in enumerate(game.moves):
            board.push(move)
            if ply + 1 == STRUCTURE_PLIES:
                lists["structures"][structure(board)].add(game)
            if not ended and endgame(board):
                ended = True
                lists["endgames"][endgame(board)].add(game)
        squares, manoeuvres = plans_of(game)
        for name in squares:
            lists["squares"][name].add(game)
        for name in manoeuvres:
            lists["manoeuvres"][name].add(game)
    for name, tallies in lists.items():
        rows = report[name]
        same(name, len(rows), min(100, len(tallies)))
        same(name + ": games", [row["games"] for row in rows], sorted((one.games for one in tallies.values()), reverse=True)[:100])
        for row in rows:
            same(name + " " + row["name"], row_of(row), tallies[(row["color"], row["name"]) if "color" in row else row["name"]].row())


def check_numbers(rows, key, numbers, games, filled):
    tallies = collections.defaultdict(Tally)
    for game, number in zip(games, numbers):
        if number:
            tallies[number].add(game)
    filled = filled and max(tallies) - min(tallies) <= 100
    wanted = range(min(tallies), max(tallies) + 1) if filled else sorted(tallies)
    same(key, [[row[key], *row_of(row)] for row in rows], [[number, *tallies[number].row()] for number in wanted])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    games, changes, everything = read_games(sys.argv[2], report["fen"]), [], Tally()
    for game in games:
        everything.add(game)
    same("games", row_of(report), everything.row())
    board, found = chess.Board(report["fen"]), positions_of(games)
    check_moves(found, first_recent(games), board, report["moves"], 1, set(), changes)
    same("changes", sorted((one["before_share"], one["recent_share"]) for one in report["changes"]), sorted(changes))
    check_numbers(report["years"], "year", [game.date[0] for game in games], games, True)
    check_numbers(report["ratings"], "from", [game.rating // 100 * 100 for game in games], games, False)
    lengths = [max(0, (game.before + len(game.moves) + 1) // 2 - 1) // 10 * 10 + 1 for game in games]
    check_numbers(report["lengths"], "from_move", lengths, games, False)
    check_features(report, games)
    best = [sorted((game.rating for game in games if game.result == n and game.rating), reverse=True)[:5] for n in range(3)]
    same("key games", [one["rating"] for one in report["key_games"]], sum(best, []))
    print("%d games, %d failures" % (len(games), failures))
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
