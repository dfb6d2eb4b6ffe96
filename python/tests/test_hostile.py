"""Damaged and hostile archives, read by other processes (read_hostile.py), which must not crash."""
import os
import subprocess
import sys
import time
import unittest

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "read_hostile.py")
AT_ONCE = 100
#: Seconds after which no more inputs are tried; by default only one process runs.
SECONDS = float(os.environ.get("STAMMA_FUZZ_SECONDS") or 0)


class HostileDamage(unittest.TestCase):
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
