#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the explorer's answers for positions of games with the results that python-chess computes from the same PGN:
results, and moves with their results. A game counts once, at its first occurrence of the position. Also compares the
moves and positions of games that /line returns, and the openings along games with data/openings.tsv.

usage: serve_chess.py FILE.pgn POSITIONS    in a writable folder, with STAMMA and PYTHONPATH (chess, serve_client) set
"""
import collections
import io
import os
import random
import subprocess
import sys

import chess.pgn

from serve_client import Checks, Server

WINNERS = {"1-0": "white", "0-1": "black", "1/2-1/2": "draws"}


def key(board):
    """Returns the board, the side to move, the castling rights and a legal en passant capture."""
    return (board.board_fen(promoted=False), board.turn, board.clean_castling_rights(), board.ep_square if board.has_legal_en_passant() else None)


def result(game):
    return WINNERS.get(game.headers.get("Result"))


def spelled(board, move):
    """Returns a move in the format of /lichess: castling as the king's two squares, in Chess960 as king takes rook."""
    if board.is_castling(move):
        usual = board.king(board.turn) in (chess.E1, chess.E8) and not board.clean_castling_rights() & ~(
            chess.BB_A1 | chess.BB_H1 | chess.BB_A8 | chess.BB_H8)
        right = chess.square_file(move.to_square) > chess.square_file(move.from_square)
        target = chess.square(6 if right else 2, chess.square_rank(move.from_square)) if usual else board_rook(board, move, right)
        return chess.square_name(move.from_square) + chess.square_name(target)
    return move.uci()


def board_rook(board, move, right):
    """Returns the square of the castling rook. python-chess may have written the king's target instead."""
    if board.piece_type_at(move.to_square) == chess.ROOK and board.color_at(move.to_square) == board.turn:
        return move.to_square
    rank = chess.BB_RANKS[chess.square_rank(move.from_square)]
    rooks = list(chess.SquareSet(board.clean_castling_rights() & rank))
    return max(rooks) if right else min(rooks)


def count(games):
    """Returns, by key, all results, the results by move, and a FEN of the position."""
    positions = {}
    for game in games:
        board, seen, won = game.board(), set(), result(game)
        for move in list(game.mainline_moves()) + [None]:
            at = key(board)
            if at not in seen:
                seen.add(at)
                fen, total, moves = positions.setdefault(at, (board.fen(), collections.Counter(), collections.defaultdict(collections.Counter)))
                total[won] += 1
                if move:
                    moves[spelled(board, move)][won] += 1
            if move:
                board.push(move)
    return positions


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    stream, games = io.StringIO(text), []
    while True:
        game = chess.pgn.read_game(stream)
        if not game:
            return games
        if game.errors or game.headers.get("Variant", "Standard").lower() not in ("standard", "chess960", "fischerandom", "from position"):
            continue
        games.append(game)


def compare(server, checks, position):
    fen, total, moves = position
    answer = server.ask("/lichess", fen=fen, moves=400, topGames=0, recentGames=0).json
    sums = {name: answer[name] for name in ("white", "draws", "black")}
    checks.equal(sums, {name: total[name] for name in sums}, "results of " + fen)
    ours = {m["uci"]: {name: m[name] for name in sums} for m in answer["moves"]}
    theirs = {uci: {name: counts[name] for name in sums} for uci, counts in moves.items()}
    checks.equal(ours, theirs, "moves of " + fen)


def compare_line(server, checks, game):
    board = game.board()
    fens, ucis, sans = [board.fen()], [], []
    for move in list(game.mainline_moves())[:1000]:
        ucis.append(board.uci(move, chess960=board.chess960))
        sans.append(board.san(move))
        board.push(move)
        fens.append(board.fen())
    answer = server.ask("/line", fen=fens[0], play=",".join(ucis)).json
    fields = [fen.split()[:2] + fen.split()[4:] for fen in fens]  # castling rights and en passant have several spellings
    checks.equal((answer["san"], [fen.split()[:2] + fen.split()[4:] for fen in answer["fens"]]), (sans, fields), "line of " + game.headers.get("Site", ""))


def table_of_openings():
    """Returns [ECO code, name] by placement and side to move."""
    table = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "openings.tsv")
    with open(table, encoding="utf-8") as file:
        return {line.split("\t")[0]: line.rstrip("\n").split("\t")[1:] for line in file if not line.startswith("#")}


def compare_openings(server, checks, number, game, table):
    """/lichess lists the openings of the line, and /game those of the game."""
    board, ucis, wanted = game.board(), [], []
    for ply, move in enumerate(list(game.mainline_moves())[:1000] + [None]):
        found = table.get(" ".join(board.fen().split()[:2]))
        wanted += [dict(zip(("ply", "eco", "name"), (ply, *found)))] if found else []
        if move:
            ucis.append(board.uci(move, chess960=board.chess960))
            board.push(move)
    line = server.ask("/lichess", fen=game.board().fen(), play=",".join(ucis[:40]), moves=0, openings=1).json
    checks.equal(line["openings"], [one for one in wanted if one["ply"] <= 40], "openings of the line of game %d" % number)
    checks.equal(server.ask("/game/%d" % number, openings=1).json["openings"], [one for one in wanted if one["ply"] <= len(ucis)], "openings of game %d" % number)


def main():
    path, wanted = sys.argv[1], int(sys.argv[2])
    games = read(path)
    with open("read.pgn", "w", encoding="utf-8") as file:  # PGN that both programs can read, written by python-chess
        for game in games:
            print(game, end="\n\n", file=file)
    subprocess.run([os.environ["STAMMA"], "pack", "-q", "-f", "read.pgn", "-o", "read.stamma"], check=True)
    positions = count(games)
    keys = sorted(positions, key=repr)
    common = sorted(keys, key=lambda k: -sum(positions[k][1].values()))[:wanted // 3]
    chosen = common + random.Random(1).sample(keys, min(len(keys), wanted - len(common)))
    server, checks = Server("read.stamma", err="read.err"), Checks()
    for at in chosen:
        compare(server, checks, positions[at])
    for game in random.Random(2).sample(games, min(len(games), 60)):
        compare_line(server, checks, game)
    checks.equal("openings" in server.ask("/lichess", play="e2e4").json, False, "openings that were not requested")
    table = table_of_openings()
    for number in range(1, min(len(games), 40) + 1):
        compare_openings(server, checks, number, games[number - 1], table)
    checks.equal(server.stop(), 0, "exit status")
    print("%s: %d games, %d of %d positions" % (os.path.basename(path), len(games), len(chosen), len(positions)))
    checks.end()


if __name__ == "__main__":
    main()
