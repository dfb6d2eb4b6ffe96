# SPDX-License-Identifier: MIT
"""Damaged and hostile archives, read by other processes (read_hostile.py), which must not crash."""
import os
import subprocess
import sys
import time
import unittest

import stamma

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "read_hostile.py")
AT_ONCE = 100
#: Seconds after which no more inputs are tried; by default only one process runs.
SECONDS = float(os.environ.get("STAMMA_FUZZ_SECONDS") or 0)


class HostileDamage(unittest.TestCase):
    def test_damaged_tags_with_names_of_any_bytes(self):
        data = stamma.pack(b'[Event "a"]\n[Wh\xe6 "b"]\n[Result "*"]\n\n1. e4 *\n\n' * 9)
        found = set()
        for at in range(40, len(data) - 60):
            damaged = bytearray(data)
            damaged[at] ^= 16
            try:
                found.update(damage.column for damage in stamma.verify(bytes(damaged)).damages)
            except stamma.StammaError:
                pass
        self.assertIn("tag:Wh\udce6", found)

    def read(self, first, last):
        """Returns the number of exceptions of the package."""
        done = subprocess.run([sys.executable, "-X", "faulthandler", PROGRAM, str(first), str(last)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
        lines = done.stdout.decode().splitlines()
        self.assertEqual(done.returncode, 0, "input %s of %d to %d:\n%s" % (lines[-1:], first, last, done.stderr.decode()))
        return int(lines[-1].split()[1])

    def test_hostile_archives_raise_exceptions(self):
        begin, first = time.monotonic(), 0
        while first == 0 or time.monotonic() - begin < SECONDS:
            self.assertGreater(self.read(first, first + AT_ONCE), AT_ONCE)
            first += AT_ONCE
        if SECONDS:
            print("%d hostile archives" % first)


if __name__ == "__main__":
    unittest.main()
