# SPDX-License-Identifier: MIT
"""A type checker accepts programs that use the package."""
import os
import subprocess
import sys
import unittest

import stamma
from support import InFolder

CHECKS = os.environ.get("STAMMA_CHECKS", "")
PROGRAM = """
import datetime
from typing import Dict, List, Optional
import stamma

archive: stamma.Archive = stamma.open("games.stamma")
names: List[Optional[str]] = [game.white for game in archive.find(player="Tal", date=datetime.date(1965, 8, 8))]
moves: List[str] = archive[0].san
counts: stamma.Counts = stamma.pack("games.pgn", "games.stamma", overwrite=True)
tree: stamma.Tree = archive.tree("e4 e5")
code: stamma.Code = stamma.encode("e4", "san")
codes: Dict[str, stamma.Code] = stamma.encode("e4")
move: stamma.Move = stamma.decode(65, "tarrasch", stamma.Position())
parts: List[stamma.CodePart] = [*stamma.explain("e4", "tarrasch"), *stamma.explain_game(archive[0], "tarrasch")]
data: bytes = stamma.encode_game(archive[0], "arithmetic")
sizes: List[float] = [row.bits_per_ply for row in stamma.survey(archive.find(player="Tal"))]
bits: List[int] = [row.bits_most for row in stamma.survey_positions(["e4 e5"], "fen")]
nodes: List[int] = [board.perft(stamma.Position(), 2) for board in stamma.boards()]
number: int = stamma.enumeration_rank(stamma.enumeration_unrank(260))
games: stamma.Table = archive.games(["white"])
try:
    stamma.verify("games.stamma")
except stamma.StammaError as error:
    print(error.message, error.file)
"""


@unittest.skipUnless(os.path.isdir(os.path.join(CHECKS, "mypy")), "there is no mypy (scripts/setup --test)")
class Typing(InFolder):
    def test_program_of_a_user(self):
        with open("program.py", "w", encoding="utf-8") as file:
            file.write(PROGRAM + "".join("stamma.%s\n" % name for name in stamma.__all__))
        environment = {**os.environ, "PYTHONPATH": CHECKS, "MYPYPATH": os.path.dirname(os.path.dirname(stamma.__file__))}
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", os.devnull,
                               "--no-error-summary", "program.py"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
