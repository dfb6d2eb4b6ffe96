# SPDX-License-Identifier: MIT
"""user_program.py uses every public name, runs, and has the types that it declares."""
import os
import re
import shutil
import subprocess
import sys
import unittest

import stamma
from support import ARCHIVE, GAMES, InFolder

CHECKS = os.environ.get("STAMMA_CHECKS", "")
PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "user_program.py")


class UserProgram(InFolder):
    def test_it_uses_every_name(self):
        with open(PROGRAM, encoding="utf-8") as file:
            used = set(re.findall(r"\bstamma\.(\w+)", file.read()))
        self.assertEqual(set(stamma.__all__) - used, set())

    def test_it_runs(self):
        shutil.copy(GAMES, "games.pgn")
        shutil.copy(ARCHIVE, "games.stamma")
        self.assertEqual(subprocess.run([sys.executable, PROGRAM], stdout=subprocess.PIPE, text=True, check=True).stdout, "done\n")

    @unittest.skipUnless(os.path.isdir(os.path.join(CHECKS, "mypy")), "there is no mypy (scripts/setup --test)")
    def test_mypy(self):
        shutil.copy(PROGRAM, "program.py")  # without the types of the tests
        environment = {**os.environ, "PYTHONPATH": CHECKS, "MYPYPATH": os.path.dirname(os.path.dirname(stamma.__file__))}
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", os.devnull,
                               "--no-error-summary", "--disable-error-code=import-not-found", "program.py"],
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
