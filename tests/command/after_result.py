# SPDX-License-Identifier: MIT
"""Makes games with text after their results (doc/format/games.md), and compares the command's output with their parts.
python-chess makes the moves.

usage: after_result.py make SEED COUNT PGN WANTED    writes games, and a line of JSON for each
       after_result.py json WANTED JSON              compares the output of cat --format json
       after_result.py pgn WANTED PGN                compares the output of export --clean-pgn, read by python-chess
"""
import json
import random
import sys

sys.path.insert(0, "tests/differential")
import chess
import chess.pgn

from random_games import demand_same, wanted_of
from search_games import Game

REMARKS = ["Black resigned", "lost on time,", "resigns.", "(see", "agreed", "-- adjourned", "White's flag fell", "x" * 40]


def followers(choose, before, last, wanted, number):
    """Returns text after a result. Adds its parts to `wanted`. `before` is the board before the last move."""
    text, in_line, line_end = "", True, False
    for part in range(choose.choice([0, 1, 1, 2, 3, 6])):
        gap = "\n" if line_end or choose.random() < 0.3 else choose.choice(["", " ", "  "])
        in_line, ends_line = in_line and gap != "\n", False
        kind = choose.random()
        comment = choose.choice(["{%s}", "{%s\n}", "{\n\n%s}", '{a\n[Event "x"]\n\n1. d4 %s *}'])
        if kind < 0.3:
            words = comment.replace("%s", f"after {number}.{part}")
            wanted["comments"].append(" ".join(words[1:-1].split()))
        elif kind < 0.4:
            words, ends_line = f";line {number}.{part}", True
            wanted["comments"].append(words[1:])
        elif kind < 0.5:
            wanted["nags"].append(choose.randrange(1, 140))
            words = f"${wanted['nags'][-1]}"
            gap = gap or " "
        elif kind < 0.6:
            words, nag = choose.choice([("!", 1), ("??", 4), ("+-", 18), ("±", 16), ("N", 146)])
            wanted["nags"].append(nag)
            gap = gap or " "
        elif kind < 0.75:
            moves = [move for move in before.legal_moves if move.uci() not in [last.uci(), *wanted["variations"]]]
            if not moves:
                continue
            move = choose.choice(moves)
            wanted["variations"].append(move.uci())
            words = f"({before.san(move)}" + choose.choice([")", "\n)", " {x} )", "\n\n {\n} )"])
        elif kind < 0.85 and in_line:
            words, gap = choose.choice(REMARKS), gap or " "
            words += choose.choice(["", " 12", " after 35. moves"]) + " " if words[0] != "(" else " x)"
        elif kind < 0.9:
            gap, words, in_line, ends_line = "\n", f"%escape {number}.{part}", False, True
        else:
            continue
        text += gap + words + (" " if words[0] in "$!?+±N" else "")
        line_end = ends_line
    return text


def game(choose, number, tags):
    board, words = chess.Board(), []
    wanted = {"uci": [], "comments": [], "nags": [], "variations": []}
    for _ in range(choose.randrange(1, 12)):
        legal = list(board.legal_moves)
        if not legal:
            break
        before, last = board.copy(), choose.choice(legal)
        words.append((f"{board.fullmove_number}. " if board.turn else "") + board.san(last))
        board.push(last)
        wanted["uci"].append(last.uci())
    result = choose.choice(["*", "1-0", "0-1", "1/2-1/2"])
    head = f'[Event "{number}"]\n[Result "{result}"]\n\n' if tags else ""
    after = followers(choose, before, last, wanted, number)
    return head + " ".join(words) + " " + result + after, wanted


def check_slow_search(read, wanted):
    """Checks that the slow search reads the same comments and NAGs at the ends of games."""
    last = read.plies[-1]
    assert [" ".join(comment.split()) for comment in last.comments] == wanted["comments"], (last.comments, wanted)
    assert last.nags == wanted["nags"], (last.nags, wanted)


def make(seed, count, pgn, wanted):
    choose = random.Random(int(seed))
    with open(pgn, "w", encoding="utf-8", newline="") as text, open(wanted, "w", encoding="utf-8") as lines:
        gap = ""
        for number in range(int(count)):
            tags = choose.random() < 0.6
            written, parts = game(choose, number, tags)
            if tags:
                check_slow_search(Game(number, written), parts)
            text.write(gap + written)
            lines.write(json.dumps(parts) + "\n")
            gap = choose.choice(["\n\n", "\r\n\r\n", "\n \n", "\n"])


def of_json(path):
    games = []
    with open(path, encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            last = len(line["uci"])
            assert all(note["ply"] == last for note in line["comments"] + line["nags"]), line
            games.append({"uci": line["uci"], "comments": [" ".join(note["text"].split()) for note in line["comments"]],
                          "nags": [note["nag"] for note in line["nags"]],
                          "variations": [v["uci"][0] for v in line["variations"] if v["uci"]]})
    return games


def of_pgn(path):
    games = []
    with open(path, encoding="utf-8") as text:
        while read := chess.pgn.read_game(text):
            assert not read.errors, read.errors
            end = read.end()
            comment = end.comment if isinstance(end.comment, str) else " ".join(end.comment)
            games.append({"uci": [node.move.uci() for node in read.mainline()], "comments": " ".join(comment.split()),
                          "nags": sorted(end.nags),
                          "variations": [node.move.uci() for node in end.parent.variations[1:]]})
    return games


def main(what, *arguments):
    if what == "make":
        make(*arguments)
        return
    wanted = wanted_of(arguments[0])
    found = of_json(arguments[1]) if what == "json" else of_pgn(arguments[1])
    if what == "pgn":  # python-chess joins comments, and reads a set of NAGs
        for one in wanted:
            one["comments"], one["nags"] = " ".join(one["comments"]), sorted(set(one["nags"]))
    demand_same(wanted, found)


main(*sys.argv[1:])
