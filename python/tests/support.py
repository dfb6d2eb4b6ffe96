# SPDX-License-Identifier: MIT
"""Functions and classes for the tests of the package, which run in a folder with games.pgn and games.stamma."""
import importlib.util
import os
import random
import shutil
import tempfile
import unittest

import stamma

GAMES = os.path.abspath("games.pgn")
ARCHIVE = os.path.abspath("games.stamma")
SHARED = os.environ.get("SHARED", "")
#: The first line of programs that Ctrl-C must stop. Background processes of a shell otherwise ignore Ctrl-C.
HEEDS_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"


def has(module):
    return importlib.util.find_spec(module) is not None


def corpus(name, size):
    """Returns the first complete games of a corpus, about `size` bytes of text, or skips the test."""
    path = os.path.join(SHARED, "corpora", name + ".pgn.zst")
    if not os.path.exists(path):
        raise unittest.SkipTest("there is no corpus " + name)
    data = b""
    for chunk in stamma.sources.chunks(path):
        data += chunk
        if len(data) >= size:
            break
    return data[:size][:data[:size].rfind(b"\n[Event ") + 1]


class InFolder(unittest.TestCase):
    """Runs each test in an empty folder."""

    def setUp(self):
        self.before = os.getcwd()
        self.folder = tempfile.mkdtemp()
        os.chdir(self.folder)
        self.addCleanup(self.leave)

    def leave(self):
        os.chdir(self.before)
        shutil.rmtree(self.folder)


_ODD = {
    "White": ["Tal, Mikhail", "tal, mikhail", "Tál, Mikhail", "Tal", "?", "A*b", "O\\\"x", " Tal ", None],
    "Black": ["Botvinnik", "Smyslov", None],
    "Event": ["Open", "Olympiad A", "olympiad", "Rated Blitz game", ""],
    "Date": ["2010.05.31", "2010.??.??", "201?.??.??", "????.??.??", "2010.02.31", "????.05.01", "1999.12.31", None, "x"],
    "UTCDate": [None, None, "2010.06.01", "2015.01.01", "????.??.??"],
    "WhiteElo": ["2500", "2500?", "2612", "?", "", "0", "10000", "1800", "999", None],
    "BlackElo": ["2400", "1500", "2900", "1850", "2550", "-", None],
    "Result": ["1-0", "0-1", "1/2-1/2", "*", "?", None],
    "TimeControl": ["300+3", "60+0", "15+0", "900+10", "5400+30", "-", "?", "1/86400", "40/7200:3600", None],
    "ECO": ["B90", "b90", "B9", "?", "", "A00", "E99x", "C41", None, None],
    "Termination": ["Normal", "Time forfeit", None],
}


def odd_games(count, seed=1):
    """Returns the text of random games with clocks and evaluations, whose tags have unusual values."""
    chance = random.Random(seed)
    texts = []
    for _ in range(count):
        position, moves, clock = stamma.Position(), [], [600, 600]
        for ply in range(chance.choice((0, 1, 2, 17, 18, 30, 44))):
            legal = position.legal_moves()
            if not legal:
                break
            move = chance.choice(legal[:3] if ply < 4 else legal)
            clock[ply % 2] = max(1, clock[ply % 2] - chance.randrange(90))
            number = f"{ply // 2 + 1}." + ("" if ply % 2 == 0 else "..")
            note = "" if chance.random() < 0.1 else f" {{ [%eval {chance.randrange(-900, 900) / 100}] [%clk 0:{clock[ply % 2] // 60:02}:{clock[ply % 2] % 60:02}] }}"
            moves.append(f"{number} {position.san(move)}{note}")
            position = position.make(move)
        tags = {name: chance.choice(values) for name, values in _ODD.items()}
        head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items() if value is not None)
        texts.append(f"{head}\n{' '.join([*moves, chance.choice(('1-0', '0-1', '1/2-1/2', '*'))])}\n\n")
    return "".join(texts).encode()
