# SPDX-License-Identifier: MIT
"""Compares reference/read_index.py with `stamma find` and `stamma tree` without an index, on archives of all levels: games
of random moves, sample games, and the development corpus of games over the board, if present. Run by index_reader.sh.

LONG=1: more positions of each archive, and more games at level 3.
"""
import contextlib
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "reference"))
import read_index
import slow_adaptive
import slow_chess
from archive_tags import read_openings
from archive_values import Violation
from decode_archive import Archive
from remember import remember

STAMMA = os.environ.get("STAMMA", "build/stamma")
SHARED = os.environ.get("SHARED", "../shared")
LONG = bool(os.environ.get("LONG"))
PLIES = (0, 2, 10, 20, 40, 1000)
POSITIONS = 20 if LONG else 12  # of each segment
GAMES = {1: 150, 2: 60, 3: 60 if LONG else 20}  # of the larger archive of each level
FEW = 8
ABSENT = "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1"
CODES = ("B20", "c42/07", "A", "?", "-", "E99", " D07", "Q12", "b2", "C\u00e9")
NAMED = ("Ruy Lopez", "?", "Spanish", "Italian Game")
TAGS = ('[Event "E"]', '[White "%s"]', '[Black "%s"]', '[Result "%s"]', '[WhiteElo "%s"]', '[Date "20%02d.0%d.%s"]')
NAMES = ("Ann", 'Bob \\"B\\" Lee', "M\u00fcller", "m\u00dcLLER", "Zo")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
SET_UP = "r3k2r/1P4p1/8/2pP4/8/8/P6p/R3K2R w KQkq c6 0 1"
OPENINGS = ("e2e4 e7e5 g1f3 b8c6 f1b5", "g1f3 b8c6 e2e4 e7e5 f1b5", "d2d4 g8f6 c2c4 e7e6", "c2c4 e7e6 d2d4 g8f6",
            "e2e4 c7c5 g1f3 d7d6 e1e2")


def stamma(*arguments):
    done = subprocess.run([STAMMA, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode > 1:
        sys.exit("stamma %s: %s" % (" ".join(arguments), done.stderr.decode()))
    return done.stdout.decode()


# ---- archives ----

def endgame(number, plies=100):
    """Returns a game that reaches endgames soon, because the side to move captures if it can."""
    choice, position, moves = random.Random(number), slow_chess.START, []
    for _ in range(plies):
        legal = position.canonical_moves()
        if not legal:
            break
        move = choice.choice([move for move in legal if position.board[move[1]] != slow_chess.EMPTY] or legal)
        moves.append(position.san(move))
        position = position.play(move)
    return "%s *\n\n" % " ".join(moves)


def random_game(number, set_ups):
    """Returns a game that begins with an opening, or with a set-up position, and has random moves."""
    position, moves = slow_chess.START, []
    set_up = set_ups and number % 17 == 5
    if set_up:
        position = slow_chess.read_fen(SET_UP)
    opening = [] if set_up else OPENINGS[random.randrange(len(OPENINGS))].split()
    for ply in range(random.randrange(30)):
        legal = position.canonical_moves()
        if not legal:
            break
        move = random.choice(legal)
        if ply < len(opening):
            move = next(move for move in legal if read_index.write_move(move) == opening[ply])
        moves.append(position.san(move))
        position = position.play(move)
    names, result = random.choices(NAMES, k=2), RESULTS[number % 4]
    rating = "1801?" if number % 11 == 3 else str(1500 + number)
    tags = "\n".join(TAGS) % (*names, result, rating, number % 30, number % 9 + 1,
                              "??" if number % 5 == 0 else "%02d" % (number % 31 + 1))
    if number % 3 == 0:
        tags += '\n[ECO "%s"]' % CODES[number // 3 % len(CODES)]
    if number % 5 == 0:
        tags += '\n[Opening "%s"]' % NAMED[number // 5 % len(NAMED)]
    if set_up:
        tags += '\n[SetUp "1"]\n[FEN "%s"]' % SET_UP
    return "%s\n\n%s %s\n\n" % (tags, " ".join(moves), result)


def random_games(count, set_ups=True):
    """At levels 2 and 3, the slow reader decodes games with set-ups with the predictor, so there must be few games."""
    random.seed(count)
    last = "1. e4 e5 2. Ke3 *\n\n; no game follows\n" if set_ups else ""
    if count > FEW:  # three games that share more plies than the entry of a record can store, and a game after them
        last = ("Nf3 Nf6 Ng1 Ng8 " * 66 + "e4 *\n\n") * 3 + "f4 e5 fxe5 d6 *\n\n" + last
        last = "".join(map(endgame, range(8))) + "".join(endgame(0, plies) for plies in (60, 70, 80)) + last
    return "".join(random_game(number, set_ups) for number in range(count)) + last


def pack(text, level, archive):
    """Returns whether the text was packed: without weights of the predictor, there are no levels 2 and 3."""
    with open(archive + ".pgn", "w", encoding="utf-8") as file:
        file.write(text)
    command = [STAMMA, "pack", "-q", "-f", "--level", str(level), "-o", archive, archive + ".pgn"]
    return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0 or level == 1


# ---- comparisons ----

def positions_of(reader):
    """Returns the FENs of positions of some games."""
    fens = [ABSENT]
    for segment in reader.index.segments:
        typed = segment.counts["typed"]
        count = min(typed, POSITIONS)
        for number in range(count):
            node, codes = segment.codes(reader.archive, number * typed // count)
            position, last = slow_chess.START, min(PLIES[number % len(PLIES)], len(codes))
            for code in codes[:last]:
                position = read_index.play(position, code)
            fens.append(slow_chess.write_fen(position))
    return sorted(set(fens))


def found(archive, fen):
    lines = stamma("find", "--no-index", "--matches", "--fen", fen, archive).splitlines()
    return [tuple(int(field) for field in line.split()[:2]) for line in lines]


def tree(archive, fen):
    rows = json.loads(stamma("tree", "--no-index", "--json", "--fen", fen, archive))["moves"]
    return sorted((row["uci"], row["sums"]["games"], row["white"], row["draws"], row["black"]) for row in rows)


def stats(archive):
    """Returns the number of games, and the results of each row by table and name, as White and then as Black."""
    answer = json.loads(stamma("stats", "--no-index", "--json", archive))
    counts = lambda side: [side[name] for name in ("games", "white_wins", "draws", "black_wins")]
    rows = {}
    for table, key in (("lengths", "from"), ("years", "year"), ("ratings", "from"), ("players", "name"), ("first_moves", "moves"),
                       ("eco", "code"), ("openings", "name"), ("time_controls", "name"), ("terminations", "name")):
        for row in answer[table]:
            sides = counts(row["as_white"]) + counts(row["as_black"]) if "as_white" in row else counts(row) + [0] * 4
            rows[table, str(row[key])] = sides + [row["plies"]]
    return answer["games"], rows


def own_stats(reader):
    tables, games = reader.stats()
    return games, {(table, name): row for table, rows in tables.items() for name, row in rows.items()}


def endgames(reader):
    """Returns some endgames of the archive, that of a set-up position, and one that no game has."""
    numbers = sorted({number for segment in reader.index.segments for number in segment.endgames()})
    found = []
    for number in numbers[::len(numbers) // 6 + 1]:
        counts = [(letter, number >> 8 + 3 * (7 - n) & 7) for n, letter in enumerate("NBRQNBRQ")]
        sides = [letters + [("P", number >> shift & 15)] for letters, shift in ((counts[:4], 4), (counts[4:], 0))]
        found.append("".join("K" + "".join(letter * count for letter, count in side) for side in sides))
    return found + ["KRRPPPKRRPPP", "KQQQKQ"]


def material(archive, text):
    lines = stamma("find", "--no-index", "--numbers", "--material", text, archive)
    return [int(line) for line in lines.split()]


def class_of_code(tag):
    """Returns the class of a tag ECO, as doc/format/index_files.md defines it."""
    code = re.match("[A-E]([0-9][0-9])?", (tag or "").strip().upper())
    return 0 if not code else 65535 if not code[1] else 1 + 100 * "ABCDE".index(code[0][0]) + int(code[1])


def classes(archive):
    """Returns the class of the tag ECO of each game, and the texts of the tag Opening."""
    rows = [json.loads(line) for line in stamma("ls", "--json", "--columns", "ECO,Opening", archive).splitlines()]
    return [class_of_code(row["ECO"]) for row in rows], [row["Opening"] for row in rows]


def compare_classes(reader, archive):
    codes, openings = classes(archive)
    names = {number: name.decode() for number, _, name in read_openings().values()}
    for segment in reader.index.segments:
        for rank, (code, opening) in enumerate(zip(segment.classes("codes"), segment.classes("openings"))):
            game = segment.game(rank) - 1
            equal("class of the code of game %d" % (game + 1), code, codes[game])
            if openings[game] in (None, "", "?"):
                equal("is the opening of game %d of its tag" % (game + 1), opening == 65535, False)
            elif opening != 65535:
                equal("opening of game %d" % (game + 1), names.get(opening), openings[game])


def own_tree(reader, fen):
    moves = reader.tree(slow_chess.read_fen(fen))
    return sorted((read_index.write_move(move), sum(counts), counts[0], counts[2], counts[1])
                  for move, counts in moves.items() if move != "end")


def player(archive, name):
    text = stamma("find", "--no-index", "--numbers", "--query", json.dumps({"player": name}), archive)
    return [int(line) for line in text.split()]


def days(archive):
    """Returns the day of each game's date, or 0."""
    dates = [json.loads(line)["Date"] or "" for line in stamma("ls", "--json", "--columns", "Date", archive).splitlines()]
    found = [re.fullmatch(r"[0-9]{4}\.(?:\?\?|0[1-9]|1[0-2])\.(0[1-9]|[12][0-9]|3[01])", date) for date in dates]
    return [int(date.group(1)) if date else 0 for date in found]


def own_days(reader):
    days_of = {segment.game(rank): segment.day(rank) for segment in reader.index.segments
               for rank in range(segment.counts["games"])}
    return [days_of[game] for game in sorted(days_of)]


def equal(what, got, wanted):
    if got != wanted:
        sys.exit("%s: %s instead of %s" % (what, got, wanted))


def compare(archive, checks, names, write=True):
    """Returns the number of positions. Writes a new index, unless `write` is false."""
    if write:
        stamma("index", "-q", "-f", archive)
    with open(archive, "rb") as packed, open(archive + ".index", "rb") as file:
        reader = read_index.Reader(Archive(packed), read_index.Index(file))
        if checks:
            read_index.check(reader)
        fens = positions_of(reader)
        for fen in fens:
            equal("find %s" % fen, reader.find(slow_chess.read_fen(fen)), found(archive, fen))
            equal("tree %s" % fen, own_tree(reader, fen), tree(archive, fen))
        for text in endgames(reader):
            equal("endgame %s" % text, reader.endgame(read_index.material_of(text)), material(archive, text))
        compare_classes(reader, archive)
        equal("days", own_days(reader), days(archive))
        equal("statistics", own_stats(reader), stats(archive))
        for name in names:
            equal("player %s" % name, reader.player(name.encode()), player(archive, name))
    return len(fens)


def refuses(archive, place):
    """Checks that a changed byte is noticed."""
    with open(archive + ".index", "rb") as file:
        data = bytearray(file.read())
    data[place] ^= 16
    with open(archive, "rb") as packed, contextlib.suppress(Violation):
        read_index.check(read_index.Reader(Archive(packed), read_index.Index(io.BytesIO(bytes(data)))))
        sys.exit("a changed byte at %d was not noticed" % place)


def appends(archive, names):
    """Appends in place, so that both slots have roots, and segments are merged. Returns the number of positions."""
    total, numbers = 0, []
    pack(random_games(30), 1, archive)
    stamma("index", "-q", "-f", archive)
    for games in (7, 5, 3, 4, 2):
        with open(archive + ".pgn", "w", encoding="utf-8") as file:
            file.write(random_games(games))
        stamma("append", "-q", archive, archive + ".pgn")
        with open(archive + ".index", "rb") as file:
            index = read_index.Index(file)
            numbers.append((index.root.number, len(index.segments)))
        total += compare(archive, True, names, False)
    # the fourth append merges the segments of the earlier appends; most of the file would be unused, so a new file replaces it
    equal("numbers of roots and segments", numbers, [(2, 2), (3, 3), (4, 4), (1, 2), (2, 3)])
    return total


def run(scratch):
    archive, total = os.path.join(scratch, "a.stamma"), 0
    names = ("Ann", "m\u00fcller", "MULLER", "Nobody")
    for level, games in GAMES.items():
        for text in random_games(games, level == 1), random_games(FEW):
            total += compare(archive, True, names) if pack(text, level, archive) else 0
    total += appends(archive, names)
    total += compare(archive, True, names)
    for place in (0, 13, 4100, os.path.getsize(archive + ".index") - 100, -30, -1):
        refuses(archive, place)
    stamma("pack", "-q", "-f", "-o", archive, "data/games.pgn")
    total += compare(archive, True, ())
    corpus = os.path.join(SHARED, "corpora", "otb_dev.pgn.zst")
    if os.path.exists(corpus):
        stamma("pack", "-q", "-f", "-o", archive, corpus)
        total += compare(archive, False, ())
    print("%d positions" % total)


remember(slow_adaptive, "fixed_logits", 2)
with tempfile.TemporaryDirectory() as folder:
    run(folder)
