"""What the tests of the package share. They run in a folder with games.pgn and games.stamma."""
import importlib.util
import os
import shutil
import tempfile
import unittest

import stamma

GAMES = os.path.abspath("games.pgn")
ARCHIVE = os.path.abspath("games.stamma")
SHARED = os.environ.get("SHARED", "")
#: The beginning of programs that are stopped by Ctrl-C, which processes in the background of a shell ignore.
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
