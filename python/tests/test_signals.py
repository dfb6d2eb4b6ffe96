# SPDX-License-Identifier: MIT
"""Ctrl-C ends long calls within a second at level 2, and leaves no incomplete file."""
import os
import signal
import subprocess
import sys
import time
import unittest

import stamma
from support import GAMES, HEEDS_CTRL_C, InFolder

LONGEST = 1.0  # seconds until the exception
WAITING = 0.15  # seconds until the signal
COPIES = 200
BEGIN = HEEDS_CTRL_C + """
import os, stamma
print("ready", flush=True)
try:
    %s
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
CALLS = {
    "pack": 'stamma.pack([open("games.pgn", "rb").read()] * 400, "new.stamma", level=2, threads=1)',
    "pack at level 3": 'stamma.pack([open("games.pgn", "rb").read()] * 400, "new.stamma", level=3)',
    "append": 'stamma.append("one.stamma", [open("games.pgn", "rb").read()] * 400, level=2)',
    "unpack": 'stamma.unpack("many.stamma", "new.pgn")',
    "verify": 'stamma.verify("many.stamma")',
    "find": 'stamma.open("many.stamma").find(comment="no such comment").count()',
    "table": 'reader = stamma.open("many.stamma").plies()._batches(None); [0 for _ in iter(reader.next, None)]',
}


@unittest.skipUnless(hasattr(signal, "SIGINT") and os.name == "posix", "there is no SIGINT to send")
class CtrlC(InFolder):
    def setUp(self):
        super().setUp()
        with open(GAMES, "rb") as file, open("games.pgn", "wb") as copy:
            copy.write(file.read())
        self.one = stamma.pack("games.pgn", level=2)
        with open("one.stamma", "wb") as file:
            file.write(self.one)
        stamma.merge([self.one] * COPIES, "many.stamma")

    def interrupt(self, call):
        """Interrupts a call in another process. Returns its output, and the seconds until it ends."""
        process = subprocess.Popen([sys.executable, "-c", BEGIN % call], stdout=subprocess.PIPE, text=True)
        with process:
            process.stdout.readline()
            time.sleep(WAITING)
            process.send_signal(signal.SIGINT)
            sent = time.monotonic()
            text = process.stdout.readline()
            return text.strip(), time.monotonic() - sent

    def test_calls_end_soon(self):
        for name, call in CALLS.items():
            with self.subTest(name):
                text, seconds = self.interrupt(call)
                self.assertEqual(text, "interrupted")
                if seconds > LONGEST:  # another program may have used the processors
                    text, seconds = self.interrupt(call)
                self.assertLess(seconds, LONGEST)
        self.assertEqual(sorted(os.listdir()), ["games.pgn", "many.stamma", "one.stamma"])
        with open("one.stamma", "rb") as file:
            self.assertEqual(file.read(), self.one)


if __name__ == "__main__":
    unittest.main()
