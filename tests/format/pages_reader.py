# SPDX-License-Identifier: MIT
"""Compares reference/read_pages.py with `stamma tree` without pages, and, if python-chess is present, with moves that
python-chess counts in the PGN. Run by pages_reader.sh."""
import io
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "reference"))
import read_pages
import slow_chess
from archive_values import Violation

try:
    import chess
    import chess.pgn
except ImportError:
    chess = None

STAMMA = os.environ.get("STAMMA", "build/stamma")
SAMPLE = os.path.join(os.environ.get("BUILD", "build"), "generators", "sample_games")
OPENINGS = ("e4 e5 Nf3 Nc6 Bb5", "Nf3 Nc6 e4 e5 Bb5", "d4 Nf6 c4 e6", "c4 Nf6 d4 e6", "c4 e6 d4 Nf6", "Nf3 Nf6 Ng1 Ng8 e4 e5")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
POSITIONS, LISTED = 80, 4


def stamma(*arguments):
    done = subprocess.run([STAMMA, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode > 1:
        sys.exit("stamma %s: %s" % (" ".join(arguments), done.stderr.decode()))
    return done.stdout.decode()


# ---- games ----

def random_game(number):
    """Returns a game that often transposes into another."""
    position, words = slow_chess.START, random.choice(OPENINGS).split()
    moves = []
    for ply in range(random.randrange(24)):
        legal = position.canonical_moves()
        if not legal:
            break
        move = next((move for move in legal if ply < len(words) and position.san(move) == words[ply]),
                    legal[random.randrange(min(2, len(legal)))] if random.random() < 0.9 else random.choice(legal))
        moves.append(position.san(move))
        position = position.after(move)
    tags = '[Date "%d.%02d.01"]\n[Result "%s"]\n' % (1990 + number % 30, number % 12 + 1, RESULTS[number % 4])
    for player, rating in (("White", 1500 + number * 7 % 1200), ("Black", number % 13 and 1700 + number * 11 % 900)):
        tags += '[%sElo "%d"]\n' % (player, rating) if rating else ""
    return "%s\n%s %s\n\n" % (tags, " ".join(moves), RESULTS[number % 4])


def make_text():
    random.seed(46)
    sampled = subprocess.run([SAMPLE, "--games", "150"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return sampled + "".join(random_game(number) for number in range(400))


# ---- answers ----

def wanted_of(archive, line):
    """Returns the answer of the archive in the form of read_pages."""
    tree = json.loads(stamma("tree", archive, "--no-index", "--json", "--moves", san_of(line)))
    moves = {}
    for move in tree["moves"]:
        sums = move["sums"]
        sides = [[sums[side][name] for name in ("opponents", "opponentRatings", "halfPoints")]
                 for side in ("white", "black")]
        moves[move["uci"]] = [move["white"], move["black"], move["draws"], sums["games"], sums["rated"],
                              sums["ratings"], sides, move["game"] and number_of(move["game"])]
    lists = [[number_of(game) for game in tree[name][:LISTED]] for name in ("topGames", "recentGames")]
    return tree["white"], tree["black"], tree["draws"], tree["sums"]["games"], moves, lists


def number_of(game):
    return int(game["id"].rpartition(":")[2])


def san_of(line):
    position, words = slow_chess.START, []
    for word in line.split():
        move = next(move for move in position.legal_moves() if slow_chess.uci(move) == word)
        words.append(position.san(move))
        position = position.after(move)
    return " ".join(words)


def found_of(answer):
    found = json.loads(json.dumps(read_pages.describe(answer)))
    moves = {uci: [row[name] for name in ("white", "black", "draws", "games", "rated", "ratings", "sides", "game")]
             for uci, row in found["moves"].items()}
    return found["white"], found["black"], found["draws"], found["games"], moves, [found["top"], found["recent"]]


def count_moves(text):
    """Returns for each position the games by next move, counted by python-chess."""
    counts, file = {}, io.StringIO(text)
    while game := chess.pgn.read_game(file):
        board, seen = game.board(), set()
        for move in [*game.mainline_moves(), None]:
            key = board.epd(en_passant="legal")
            if key not in seen:
                by_move = counts.setdefault(key, {})
                by_move[str(move)] = by_move.get(str(move), 0) + 1
            seen.add(key)
            if move:
                board.push(move)
    return counts


def lines_of(archive):
    """Returns random beginnings of games, as moves in UCI."""
    games = [line.split() for line in stamma("cat", "--format", "uci", archive).splitlines()]
    lines = {"", "e2e4", "a2a3 h7h6 a3a4"}
    while len(lines) < POSITIONS:
        moves = random.choice(games)
        lines.add(" ".join(moves[:random.randrange(min(len(moves), 18) + 1)]))
    return sorted(lines)


def compare(archive, pages, line, counts):
    """Returns whether the pages have an answer, which must be that of the archive and of python-chess."""
    positions = read_pages.play(line)
    answer = pages.answer(positions[-1], positions[:-1])
    if answer is None:
        return False
    found, wanted = found_of(answer), wanted_of(archive, line)
    assert found == wanted, "%s\n%s\n%s" % (line, found, wanted)
    if counts:
        board = chess.Board()
        for word in line.split():
            board.push_uci(word)
        by_move = dict(counts[board.epd(en_passant="legal")])
        ended = by_move.pop("None", 0)
        assert by_move == {uci: row[3] for uci, row in found[4].items()}, line
        assert ended == found[3] - sum(by_move.values()), line
    return True


def check_damage(data):
    """Every part that the reader reads has a check."""
    for at in random.sample(range(len(data)), 40):
        changed = bytearray(data)
        changed[at] ^= 1 << random.randrange(8)
        try:
            read_pages.check(read_pages.Pages(bytes(changed)))
        except Violation:
            continue
        raise AssertionError("a changed byte at %d was not found" % at)


def main():
    text = make_text()
    with tempfile.TemporaryDirectory() as folder:
        archive = os.path.join(folder, "games.stamma")
        with open(archive + ".pgn", "w") as file:
            file.write(text)
        stamma("pack", "-q", "-o", archive, archive + ".pgn")
        stamma("pages", "-q", "--min-games", "4", "--plies", "16", archive)
        with open(archive + ".pages", "rb") as file:
            data = file.read()
        pages = read_pages.Pages(data)
        assert read_pages.key_of(slow_chess.START) == 0xCD1B21E5221C0E3D  # clause 3.1
        entries = read_pages.check(pages)
        counts = count_moves(text) if chess else None
        lines = lines_of(archive)
        found = sum(compare(archive, pages, line, counts) for line in lines)
        check_damage(data)
    assert found > len(lines) / 2, found
    print("%d positions stored, %d of %d lines answered%s" % (entries, found, len(lines),
                                                            "" if chess else "; without python-chess"))


main()
