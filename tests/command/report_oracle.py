# SPDX-License-Identifier: MIT
"""Counts a player's games with python-chess, and compares the figures of `stamma report --json`.

usage: report_oracle.py PLAYER REPORT OPENINGS PGN...    exits with status 1 if a figure differs

PLAYER is the beginning of a name. REPORT contains the output of `stamma report --json --depth 8 --novelties 12
--min-games 2`. Each PGN file has its archive; the games count in the order of the files.
"""
import collections
import json
import math
import sys

import chess
import chess.pgn

DEPTH, NOVELTY_PLY, LEAST = 8, 12, 2
POINTS = {"won": 2, "drawn": 1, "lost": 0}
failures = 0


def same(got, wanted, what):
    global failures
    if got != wanted:
        failures += 1
        print("FAILED: %s: %r, not %r" % (what, got, wanted))


def placed(board):
    """Returns the parts of the position that tables of openings compare."""
    return board.board_fen(), "w" if board.turn else "b"


def read_openings(path):
    rows = (line.split("\t") for line in open(path, encoding="utf-8").read().splitlines() if not line.startswith("#"))
    return {tuple(place.split()): (eco, name) for place, eco, name in rows}


def number(text):
    text = (text or "").rstrip("?").strip()
    return int(text) if text.isdigit() and 0 < int(text) <= 9999 else 0


class Game:
    """The data of one game, from the side of `color`."""

    def __init__(self, archive, index, game, player, names):
        tags = game.headers
        self.archive, self.number, self.tags = archive, index, tags
        self.is_player = [tags.get(side, "").lower().startswith(player.lower()) for side in ("White", "Black")]
        self.standard = game.board().fen() == chess.STARTING_FEN
        self.moves, self.clocks, self.keys, self.opening = [], [], [], ("", "")
        board = game.board()
        for ply, node in enumerate(game.mainline()):
            self.keys.append(board._transposition_key())
            board.push(node.move)
            self.moves.append(node.move)
            self.clocks.append(node.clock())
            if ply < 60 and self.standard:
                self.opening = names.get(placed(board), self.opening)
        self.keys.append(board._transposition_key())
        parts = tags.get("Date", "").split(".")
        known = [int(part) if part.isdigit() else 0 for part in parts] if len(parts) == 3 else [0, 0, 0]
        self.year, self.complete = known[0], all(known)
        self.day = known[0] * 10000 + (known[1] or 1) * 100 + (known[2] or 1) if known[0] else 0

    def see_from(self, color):
        mine, other = ("White", "Black") if color == chess.WHITE else ("Black", "White")
        self.color, self.name, self.opponent = color, self.tags.get(mine, "?"), self.tags.get(other, "?")
        self.rating, self.opponent_rating = number(self.tags.get(mine + "Elo")), number(self.tags.get(other + "Elo"))
        won = "1-0" if color == chess.WHITE else "0-1"
        result = self.tags.get("Result")
        self.outcome = {"*": "unfinished", "1/2-1/2": "drawn", won: "won"}.get(result, "lost")
        return self


def tally(games):
    count = collections.Counter(game.outcome for game in games)
    finished = count["won"] + count["drawn"] + count["lost"]
    rated = [game for game in games if game.outcome in POINTS and game.opponent_rating]
    mean = sum(game.opponent_rating for game in rated) / len(rated) if rated else None
    row = {"games": len(games), "wins": count["won"], "draws": count["drawn"], "losses": count["lost"],
           "plies": sum(len(game.moves) for game in games)}
    row["score"] = round(100 * (count["won"] + count["drawn"] / 2) / finished, 2) if finished else None
    row["opponents_rating"] = math.floor(mean + 0.5) if rated else None
    row["performance"] = None
    if rated:
        share = sum(POINTS[game.outcome] for game in rated) / (2 * len(rated))
        difference = 400 * math.log10(share / (1 - share)) if 0 < share < 1 else 800 * (1 if share else -1)
        row["performance"] = mean + max(-800, min(800, difference))
    return row


def compare_tally(got, games, what):
    wanted = tally(games)
    performance = wanted.pop("performance")
    same({name: got[name] for name in wanted}, wanted, what)
    if performance is None or got["performance"] is None:
        same(got["performance"], performance, what + ": performance")
    elif abs(got["performance"] - performance) > 1:
        same(got["performance"], performance, what + ": performance")


def compare_table(rows, games, key, of, what):
    groups = collections.defaultdict(list)
    for game in games:
        if of(game) is not None:
            groups[of(game)].append(game)
    same(sorted(row[key] for row in rows), sorted(groups), what)
    for row in rows:
        compare_tally(row, groups[row[key]], "%s %s" % (what, row[key]))


def compare_time(rows, games):
    totals = collections.defaultdict(lambda: [0, [0] * 5, [0.0] * 5, 0])
    for game in games:
        base, plus, increment = game.tags.get("TimeControl", "").partition("+")
        if not base.isdigit() or not plus:
            continue
        base, increment = int(base), int(increment)
        estimate, before, low, any_move = base + 40 * increment, float(base), False, False
        total = totals[next((name for name, limit in (("ultraBullet", 30), ("bullet", 180), ("blitz", 480), ("rapid", 1500))
                             if estimate < limit), "classical")]
        for ply in range(0 if game.color == chess.WHITE else 1, len(game.moves), 2):
            now = game.clocks[ply]
            if now is not None and before is not None and before + increment - now >= 0:
                span = min(4, ply // 2 // 10)
                total[1][span] += 1
                total[2][span] += before + increment - now
                any_move = True
            low |= now is not None and now * 10 <= base
            before = now
        total[0] += any_move
        total[3] += any_move and low
    same({row["speed"]: (row["games"], [one["count"] for one in row["spans"]], row["short_games"]) for row in rows},
         {speed: (total[0], total[1], total[3]) for speed, total in totals.items() if total[0]}, "clocks")
    for row in rows:
        for one, count, spent in zip(row["spans"], totals[row["speed"]][1], totals[row["speed"]][2]):
            if count and abs(one["seconds"] - spent / count) > 0.006:
                same(one["seconds"], spent / count, "seconds of %s, moves %s" % (row["speed"], one["moves"]))


def compare_tree(tree, games, what):
    """Compares each node with all games that reach its position, by any moves and at any ply."""
    moves = collections.defaultdict(lambda: collections.defaultdict(list))
    for game in games:
        seen = set()
        for key, move in zip(game.keys, game.moves):
            if key not in seen:
                seen.add(key)
                moves[key][move].append(game)
    expanded = {chess.Board()._transposition_key()}
    nodes = 0

    def compare(board, node, depth):
        nonlocal nodes
        wanted = [(-len(played), move.uci(), move) for move, played in moves[board._transposition_key()].items()
                  if len(played) >= LEAST]
        wanted.sort(key=lambda one: one[:2])
        same([one["uci"] for one in node["moves"]], [one[1] for one in wanted], "%s after %s" % (what, board.fen()))
        if [one["uci"] for one in node["moves"]] != [one[1] for one in wanted]:
            return
        for one, (_, uci, move) in zip(node["moves"], wanted):
            nodes += 1
            row = tally(moves[board._transposition_key()][move])
            same([one["san"]] + [one[name] for name in ("games", "wins", "draws", "losses", "score")],
                 [board.san(move)] + [row[name] for name in ("games", "wins", "draws", "losses", "score")], what + " " + uci)
            board.push(move)
            key = board._transposition_key()
            if depth < DEPTH:
                same(one["continued"], sum(map(len, moves[key].values())), "%s: games after %s" % (what, board.fen()))
            same(one["again"], key in expanded, "%s: %s occurred" % (what, board.fen()))
            if key not in expanded and depth < DEPTH:
                if moves[key]:
                    expanded.add(key)
                compare(board, one, depth + 1)
            else:
                same(one["moves"], [], "%s: no moves after %s" % (what, board.fen()))
            board.pop()

    same(tree["games"], len(games), what)
    compare(chess.Board(), tree, 1)
    return nodes


def compare_novelties(rows, games, everything):
    reached = collections.defaultdict(list)
    for game in everything:
        for key in set(game.keys[1:]):
            reached[key].append((game.day, game.archive, game.number))
    wanted = set()
    for game in games:
        mine = (game.day, game.archive, game.number)
        first = next((ply for ply in range(1, len(game.keys)) if min(reached[game.keys[ply]]) == mine), None)
        if game.standard and game.complete and first and first > NOVELTY_PLY and first % 2 == (game.color == chess.WHITE):
            wanted.add((game.archive, game.number, first, len(reached[game.keys[first]]) - 1))
    same({(row["archive"], row["game"], row["ply"], row["later_games"]) for row in rows}, wanted, "novelties")
    same([row["later_games"] for row in rows], sorted((row["later_games"] for row in rows), reverse=True), "order of novelties")
    return len(wanted)


def main():
    player, path, openings, *files = sys.argv[1:]
    report, names = json.load(open(path, encoding="utf-8")), read_openings(openings)
    everything = []
    for archive, name in zip(report["archives"], files, strict=True):
        with open(name, encoding="utf-8", errors="replace") as file:
            index = 0
            while (game := chess.pgn.read_game(file)) is not None:
                index += 1
                everything.append(Game(archive, index, game, player, names))
    # The order of the archives, not their names, decides between games of the same day.
    order = {archive: "%05d" % n for n, archive in enumerate(report["archives"])}
    for game in everything:
        game.archive = order[game.archive]
    for row in report["novelties"]:
        row["archive"] = order[row["archive"]]
    games = [game.see_from(chess.WHITE if game.is_player[0] else chess.BLACK) for game in everything if any(game.is_player)]
    sides = {"as_white": [game for game in games if game.color], "as_black": [game for game in games if not game.color]}
    compare_tally(report["all"], games, "all games")
    for side, played in sides.items():
        compare_tally(report[side], played, side)
        compare_table(report["openings"][side], played, "name", lambda game: "other start position" if not game.standard else
                      game.opening[1].split(":")[0] or "?", "openings as " + side)
    compare_table(report["names"], games, "name", lambda game: game.name, "names")
    compare_table(report["opponents"], games, "name", lambda game: game.opponent, "opponents")
    years = sorted({game.year for game in games if game.year})
    same([row["year"] for row in report["years"]], list(range(years[0], years[-1] + 1)), "years without gaps")
    compare_table([row for row in report["years"] if row["games"] > 0], games, "year", lambda game: game.year or None, "years")
    compare_table(report["opponents_ratings"], games, "from",
                  lambda game: game.opponent_rating // 100 * 100 if game.opponent_rating else None, "opponents' ratings")
    compare_table(report["lengths"], games, "from_move",
                  lambda game: (len(game.moves) + 1) // 2 and ((len(game.moves) + 1) // 2 - 1) // 10 * 10 + 1, "lengths")
    latest = sorted(games, key=lambda game: (game.day, game.archive, game.number), reverse=True)[:10]
    same([(row["game"], row["outcome"], row["opponent"]) for row in report["recent"]],
         [(game.number, game.outcome, game.opponent) for game in latest], "recent games")
    compare_tally(report["recent_games"], latest, "recent games")
    compare_time(report["time"], games)
    nodes = sum(compare_tree(report["repertoire"][side], [game for game in played if game.standard], "repertoire as " + side)
                for side, played in sides.items())
    novelties = compare_novelties(report["novelties"], games, everything)
    print("%s: %d games of %d, %d moves of the repertoire, %d novelties, %d speeds: %d figures differ" %
          (player, len(games), len(everything), nodes, novelties, len(report["time"]), failures))
    sys.exit(1 if failures or not games else 0)


if __name__ == "__main__":
    main()
