#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the slow search with answers that were worked out by hand on the games of search_cases.pgn, and with
python-chess's PGN reader and pgn-extract where they support the same queries.

usage: search_oracle_test.py [GAMES.pgn]"""
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile

import chess.pgn
import query_source
import search_oracle
from search_games import games_of, texts_of

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "search_cases.pgn")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w "
AFTER_D5 = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq "
OPEN_KING = "8/8/8/KPp4r/8/8/8/4k3 w - "

# (reason, query, games found: {game: plies})
ANSWERS = [
    ("the initial position, ply 0 of games without a set-up; in game 6 its rights are lost at the end",
     {"fen": START + "KQkq - 0 1"}, {1: [0], 2: [0], 6: [0], 9: [0], 10: [0], 11: [0], 12: [0], 13: [0], 14: [0]}),
    ("clocks do not matter", {"fen": START + "KQkq - 7 33", "result": "1-0"}, {1: [0], 12: [0], 14: [0]}),
    ("the kings' sides are lost, the queens' are not", {"fen": START + "Qq - 0 1"}, {6: [8]}),
    ("nobody may castle", {"fen": START + "- - 0 1"}, {}),
    ("without rights, the first place counts", {"fen": START + "- -", "ignore-castling": True, "player": "Dan"}, {6: [0], 10: [0]}),
    ("and the second, later on", {"fen": START + "-", "ignore-castling": True, "ply": "1.."}, {6: [8]}),
    ("a legal capture on d6 belongs to the position", {"fen": AFTER_D5 + "d6 0 3"}, {2: [4]}),
    ("without it it is another", {"fen": AFTER_D5 + "- 0 3"}, {}),
    ("unless it is ignored", {"fen": AFTER_D5 + "- 0 3", "ignore-en-passant": True}, {2: [4]}),
    ("exd6 would be legal, bxc6 would open the fifth rank: stated or not, the same", {"fen": OPEN_KING + "c6 0 2"}, {3: [1]}),
    ("so without the square", {"fen": OPEN_KING + "- 0 2"}, {3: [1]}),
    ("the other side to move", {"fen": OPEN_KING.replace(" w", " b") + "- 0 2"}, {}),
    ("after 1. e4 there is no capture, whatever the square says", {"fen": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"},
     {1: [1], 2: [1], 11: [1], 12: [1]}),
    ("Chess960: rights as Shredder writes them", {"fen": "rkr5/ppp5/8/8/8/8/PPP5/RKR5 w CAca - 0 1"}, {7: [0]}),
    ("and as X-FEN does", {"fen": "rkr5/ppp5/8/8/8/8/PPP5/RKR5 w KQkq - 0 1"}, {7: [0]}),
    ("castled: king g1, rook f1; Black keeps both rights", {"fen": "rkr5/ppp5/8/8/8/8/PPP5/R4RK1 b kq - 0 1"}, {7: [1]}),
    ("before the promotion: less material than at the game's end", {"material": "KPKPP"}, {4: [0]}),
    ("between the promotions", {"material": "KQKPP"}, {4: [1]}),
    ("after both", {"material": "KQKQP"}, {4: [2]}),
    ("either colour's", {"material": "KPPKP", "flipcolor": True}, {4: [0]}),
    ("two queens of White", {"material": "KQQK"}, {}),
    ("two queens of White, and any pawns", {"material": "KQQ+P*KP*"}, {5: [1]}),
    ("a queen, perhaps a second, perhaps a pawn", {"material": "KQQ?P?KP"}, {5: [0]}),
    ("two queens for a pawn", {"imbalance": "QQvP"}, {5: [1]}),
    ("a queen each, a pawn more of Black", {"imbalance": "vP"}, {4: [0], 10: [4]}),
    ("a pawn taken, either colour", {"imbalance": "Pv", "flipcolor": True, "result": "1-0"}, {1: [7], 4: [0], 14: [5]}),
    ("mate by a queen that took a pawn", {"mate": True, "moved": "q", "captured": "p"}, {1: [7]}),
    ("mates", {"mate": True}, {1: [7], 9: [4]}),
    ("games that end so", {"result-type": "mate"}, {1: [0], 9: [0]}),
    ("stalemate, not mate", {"stalemate": True}, {8: [1]}),
    ("the last position", {"final": {"stalemate": True}}, {8: [0]}),
    ("checks of games from set-ups", {"check": True, "has": "setup"}, {4: [2], 5: [1], 7: [4]}),
    ("an en passant capture: a pawn takes a pawn", {"en-passant": True, "captured": "P", "moved": "P"}, {14: [5]}),
    ("no square of its own says that", {"move": "dxc6"}, {14: [5]}),
    ("a pawn to c6, taking or not", {"move": "c6"}, {10: [8], 14: [5]}),
    ("by Black", {"black-move": "c6"}, {10: [8], 14: [6]}),
    ("turned: White's to c3 or Black's to c6", {"white-move": "c3", "flipcolor": True}, {10: [8], 14: [6]}),
    ("the file says which pawn", {"move": "bxc6"}, {14: [6]}),
    ("as from and to", {"move": "e2e4", "player": "A 1"}, {11: [1]}),
    ("castling as from and to", {"move": "e1c1"}, {14: [13]}),
    ("castling is named by O-O, in Chess960 too", {"move": "O-O"}, {7: [1]}),
    ("long castling of Black", {"castling": "long", "by": "black"}, {7: [6]}),
    ("any promotion on g1", {"move": "g1"}, {4: [2]}),
    ("promotion to a queen, by Black", {"promoted": "Q", "by": "black"}, {4: [2]}),
    ("this promotion, with check", {"move": "a8=Q+"}, {4: [1], 5: [1]}),
    ("promotion to a knight", {"move": "a8=N"}, {}),
    ("no capture at ply 0", {"captured": "", "ply": 0}, {}),
    ("the rook takes twice", {"streak": [{"move": "Rxe1"}, {"move": "Rxe1", "by": "white"}]}, {7: [4, 5]}),
    ("the number of the next move", {"move-number": 61}, {4: [2]}),
    ("after the last move too", {"move-number": "62..", "stm": "black"}, {4: [5]}),
    ("accents and case, in UTF-8 and Latin-1", {"white": "MULLER"}, {1: [0], 2: [0]}),
    ("accents asked for where there are some", {"player": "novák"}, {1: [0]}),
    ("accents asked for where there are none", {"player": "Ännä"}, {9: [0]}),
    ("a beginning, with any letter", {"player": "Carls?on"}, {5: [0]}),
    ("a beginning is no middle", {"player": "Eva"}, {}),
    ("any text", {"player": "*Eva"}, {5: [0]}),
    ("two players, each way", {"players": ["Ann", "Carl"]}, {4: [0], 7: [0], 8: [0]}),
    ("the other way round", {"players": ["Ann", "Ben"]}, {14: [0]}),
    ("a pattern is the whole", {"site": "Koln"}, {1: [0]}),
    ("or not found", {"event": "Case"}, {}),
    ("two tags", {"tag": {"Annotator": "JORG", "Event": "*glyphs"}}, {10: [0]}),
    ("may lie in May", {"date": "2010.05"}, {1: [0]}),
    ("May of 2011 begins before the 31st", {"date": "2011.05.31.."  , "plies": 4, "player": "Bob"}, {2: [0], 9: [0]}),
    ("UTCDate where Date is unknown", {"date": "2012.02"}, {3: [0], 4: [0]}),
    ("any month of 2020, on the second", {"date": "2020.11.02..2020.11.30"}, {12: [0]}),
    ("and each day from the first second to the last", {"date": "2020.11.03..2020.11.30"}, {12: [0]}),
    ("but not after the last", {"date": "2020.12.03..2020.12.31"}, {}),
    ("the end of a range is in it", {"date": "..2011"}, {1: [0], 2: [0], 10: [0]}),
    ("unfinished games are no draws", {"result": "*"}, {2: [0], 3: [0], 11: [0]}),
    ("a result that says nothing: the movetext's", {"result": "1/2-1/2", "plies": 0}, {13: [0]}),
    ("the mean of both", {"rating": "2350..2351"}, {1: [0]}),
    ("only where both are known", {"rating": "1.."}, {1: [0]}),
    ("of one side", {"white-rating": "2401"}, {1: [0], 2: [0]}),
    ("a letter of ECO", {"eco": "A"}, {6: [0]}),
    ("a range of ECO", {"eco": "A05..C2"}, {1: [0]}),
    ("as far as it is legal", {"plies": 2}, {3: [0], 12: [0]}),
    ("mate is a hundred pawns, Cute Chess states it for who moved", {"evaluation": "..-100"}, {9: [3], 11: [4]}),
    ("fifty cents", {"evaluation": -0.5}, {9: [1]}),
    ("so other scores", {"evaluation": "..-0.1", "player": "B 2"}, {11: [2]}),
    ("TCEC for White", {"evaluation": "1.5"}, {11: [3]}),
    ("up or down", {"swing": "1..2"}, {11: [3]}),
    ("from -0.4 to a mate", {"swing": "99.6"}, {9: [3]}),
    ("less than a minute", {"clock": "..59.5", "by": "black"}, {9: [2]}),
    ("a minute", {"clock": 60}, {9: [1]}),
    ("comments of variations", {"comment": "TRES BIEN"}, {10: [0]}),
    ("has variations", {"has": "variations"}, {10: [0]}),
    ("has clocks", {"has": "clocks"}, {9: [0]}),
    ("has glyphs", {"has": ["nags", "evaluations"]}, {9: [0], 10: [0], 11: [0]}),
    ("part of the board", {"sub-fen": "8/8/8/8/8/8/8/RKR5"}, {7: [0]}),
    ("the same two files on, by no more than fits", {"sub-fen": "8/8/8/8/8/8/8/5RKR", "shift": "files"}, {7: [0]}),
    ("not up the board", {"sub-fen": "8/8/8/8/8/8/RKR5/8", "shift": "files"}, {}),
    ("up the board", {"sub-fen": "8/8/8/8/8/8/RKR5/8", "shift": "ranks"}, {7: [0]}),
    ("a side of squares that are empty", {"sub-fen": "...5/8/8/8/8/8/8/8", "has": "setup", "result": "*"}, {3: [0]}),
    ("any of White's next to any of Black's", {"sub-fen": "8/8/8/3aA3/8/8/8/8", "stm": "white"}, {2: [4]}),
    ("a rook or nothing", {"sub-fen": "8/8/8/8/8/8/8/[R.]K[R.]5", "ply": 0}, {7: [0]}),
    ("either wing", {"sub-fen": "8/8/8/8/8/8/8/5RKR", "mirror": True}, {7: [0]}),
    ("Black's queen on White's h4 square", {"sub-fen": "8/8/8/7Q/8/8/8/8", "flipcolor": True}, {1: [3], 9: [4]}),
    ("all pawns", {"pawns": "8/ppp5/8/8/8/8/PPP5/8"}, {7: [0]}),
    ("two on the four squares", {"count": {"pieces": "Pp", "squares": "d4-e5", "n": "2.."}, "result": "1-0"}, {1: [2], 12: [2]}),
    ("no passed pawn is White's that one stands before, beside", {"passed": {"white": 1, "black": 2}}, {4: [0]}),
    ("doubled, of Black", {"doubled": {"black": 1}}, {4: [0], 10: [4], 14: [14]}),
    ("a pawn alone", {"isolated": {"white": 1, "black": 1}}, {3: [0], 5: [0]}),
    ("next to one another", {"connected": {"white": 3, "black": 3}}, {7: [0]}),
    ("the queen attacks f7", {"attacks": "Qxf7", "player": "novak"}, {1: [3]}),
    ("a rook is attacked by a rook", {"attacks": "Rxr"}, {7: [3]}),
    ("one piece of Black's is attacked by the queen", {"attacks": {"from": "Q", "to": "qp", "n": 1}, "has": "setup"}, {4: [1]}),
    ("nothing is pinned before, then the pawn f7 by the queen", {"pinned": "p", "player": "novak"}, {1: [3]}),
    ("the queen took f7, which the bishop protects", {"battery": "QB", "player": "novak"}, {1: [7]}),
    ("two attackers of a square", {"attackers": {"of": "f7", "by": "QB", "n": 2}, "player": "novak"}, {1: [5]}),
    ("a queen on its way", {"path": "Q d1 h5 f7", "player": "novak"}, {1: [0]}),
    ("and from the second square", {"path": "Q h5 f7", "player": "novak"}, {1: [3]}),
    ("a pawn more", {"balance": 1, "player": "novak"}, {1: [7]}),
    ("for the side that moved", {"mover-balance": 1, "player": "novak"}, {1: [7]}),
    ("from -0.4 to a mate, by a move of White", {"mover-swing": "..-99"}, {9: [3]}),
    ("a pawn is between queen and king", {"ray": "Q p k", "player": "novak"}, {1: [3]}),
    ("white rating minus black", {"rating-difference": "101"}, {1: [0]}),
    ("in order", {"sequence": [{"moved": "Q"}, {"moved": "B"}, {"moved": "Q"}]}, {1: [3, 5, 7]}),
    ("within so many plies", {"sequence": [{"moved": "Q"}, {"moved": "Q"}], "gap": 4}, {1: [3, 7]}),
    ("and not fewer", {"sequence": [{"moved": "Q"}, {"moved": "Q"}], "gap": 3}, {}),
    ("at once", {"sequence": [{"moved": "K"}, {"moved": "Q"}], "gap": 1}, {4: [3, 4], 5: [2, 3]}),
    ("never", {"never": {"moved": "P"}, "ply": "1", "result": "1/2-1/2"}, {6: [1], 7: [1], 8: [1]}),
    ("not at this ply", {"not": {"stm": "white"}, "has": "clocks"}, {9: [1]}),
    ("for so many plies", {"check": False, "ply": "1..", "for": 6, "result": "1-0"}, {1: [1], 14: [1]}),
    ("a streak ends before what follows", {"sequence": [{"streak": [{"moved": "P"}, {"moved": "P"}]}, {"moved": "P"}], "player": "Eve"},
     {10: [1, 2, 3]}),
    ("the first two", {"has": "setup", "skip": 1, "limit": 2}, {4: [0], 5: [0]}),
]


def check_answers(games):
    faults = 0
    for why, query, wanted in ANSWERS:
        found = {number: plies for number, plies in search_oracle.search(query, games)}
        if found != wanted:
            faults += 1
            print("%s: %s\n    finds %s, not %s" % (why, query, found, wanted))
    print("%d answers, %d of them wrong" % (len(ANSWERS), faults))
    return faults


def check_reader(path, games):
    """Compares main lines with the main lines that chess.pgn reads."""
    faults = 0
    for game, text in zip(games, texts_of(path)):
        read = chess.pgn.read_game(io.StringIO(text))
        if read.errors:
            continue  # chess.pgn loses the moves after an illegal move of a variation
        ended = read.end().board().board_fen(), read.end().ply() - read.ply()
        if ended != (game.plies[-1].board.board_fen(), len(game.plies) - 1):
            faults += 1
            print("game %d: %d plies, chess.pgn reads %d" % (game.number, len(game.plies) - 1, ended[1]))
    print("%d games, %d read otherwise than by chess.pgn" % (len(games), faults))
    return faults


def pgn_extract(path, option, text):
    """Returns the games that pgn-extract finds, by the Event tag, which contains their number."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as wanted:
        wanted.write(text)
        wanted.flush()
        run = subprocess.run(["pgn-extract", "-s", option + wanted.name, path], capture_output=True, encoding="latin-1", check=True)
    return [int(number) for number in re.findall(r'^\[Event "(\d+)"\]', run.stdout, re.M)]


def check_pgn_extract(games, path):
    """Compares FEN patterns, and material over several plies. pgn-extract also searches variations, and does not
    support Chess960, so games with variations and Chess960 games are omitted."""
    plain = [game for game in games if not game.has & {"variations", "setup", "text"}]
    source, faults = query_source.Source(plain, 5), 0
    with tempfile.TemporaryDirectory() as work:
        numbered = os.path.join(work, "numbered.pgn")
        with open(numbered, "wb") as out:
            for number, text in enumerate(texts_of(path), 1):
                if games[number - 1] in plain:
                    out.write(re.sub(r'^\[Event "[^\n]*"\]', '[Event "%d"]' % number, text, count=1).encode("latin-1"))
        for _ in range(25):
            query = {"sub-fen": source.mask(source.position(None, 1).text, source.choice([3, 6, 10]), 0)}
            pattern = re.sub(r"\d", lambda m: "?" * int(m[0]), query["sub-fen"])
            theirs = pgn_extract(numbered, "-t", 'FENPattern "%s"\n' % pattern)
            faults += differ(query, found_in(query, plain), theirs, found_in(query, plain))
        # pgn-extract cannot match exact numbers of bishops or knights, and misses balances that last few plies or
        # follow a promotion.
        for _ in range(25):
            text = re.sub("[BN]", "", query_source.material(source.position("endgame").text))
            second = text.index("K", 1)
            query = {"material": text, "flipcolor": True}
            theirs = pgn_extract(numbered, "-z", "2 %s %s\n" % (counted(text[:second]), counted(text[second:])))
            faults += differ(query, found_in(query, plain), theirs, set())
    print("50 searches of %d games, %d answered otherwise by pgn-extract" % (len(plain), faults))
    return faults


def counted(side):
    return "".join("%s%d" % (c, side.count(c)) for c in "QRBNP")


def found_in(query, games):
    return {number for number, _ in search_oracle.search(query, games)}


def differ(query, most, theirs, least):
    """Returns whether `theirs` contains games outside `most`, or lacks games of `least`."""
    wrong = (set(theirs) - most) | (least - set(theirs))
    if wrong:
        print("%s: pgn-extract answers otherwise for %s" % (query, sorted(wrong)))
    return bool(wrong)


def main():
    faults = check_answers(games_of(CASES))
    if len(sys.argv) > 1:
        games = games_of(sys.argv[1])
        faults += check_reader(sys.argv[1], games)
        if shutil.which("pgn-extract"):
            faults += check_pgn_extract(games, sys.argv[1])
    sys.exit(faults > 0)


main()
