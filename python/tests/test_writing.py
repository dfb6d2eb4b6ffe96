# SPDX-License-Identifier: MIT
"""Writing archives: pack, append, merge, recompress, index; interrupted calls leave nothing."""
import bz2
import gzip
import io
import lzma
import os
import signal
import subprocess
import sys
import unittest
import warnings

import stamma
from support import ARCHIVE, GAMES, HEEDS_CTRL_C, InFolder, has
from test_reading import read_bytes


class Packing(InFolder):
    def test_all_levels_and_sources(self):
        text = read_bytes(GAMES)
        for level in (1, 2, 3):
            self.assertEqual(stamma.unpack(stamma.pack(GAMES, level=level)), text)
        archive = stamma.open(ARCHIVE)
        for source in (text, bytearray(text), io.BytesIO(text), [text[:100], text[100:]], archive, archive.find(),
                       (bytes(game) for game in archive)):
            self.assertEqual(stamma.pack(source), stamma.pack(GAMES))
        for wrong in (5, None, [5]):
            with self.assertRaises(TypeError):
                stamma.pack(wrong)

    def test_compressed_files(self):
        text = read_bytes(GAMES)
        for module, name in ((gzip, "a.gz"), (bz2, "a.bz2"), (lzma, "a.xz")):
            with module.open(name, "wb") as file:
                file.write(text)
            self.assertEqual(stamma.unpack(stamma.pack(name)), text)
            self.assertEqual(stamma.unpack(stamma.pack(name, raw=True)), read_bytes(name))

    def test_zstd(self):
        try:
            packed = subprocess.run(["zstd", "-qc", GAMES], stdout=subprocess.PIPE, check=True).stdout
        except FileNotFoundError:
            raise unittest.SkipTest("there is no zstd") from None
        with open("two.zst", "wb") as file:
            file.write(packed + packed)
        self.assertEqual(stamma.unpack(stamma.pack("two.zst")), 2 * read_bytes(GAMES))
        with open("cut.zst", "wb") as file:
            file.write(packed[:-9])
        with self.assertRaises(stamma.CorruptError):
            stamma.pack("cut.zst")

    def test_files_are_not_replaced_unless_wanted(self):
        stamma.pack(GAMES, "a.stamma")
        before = read_bytes("a.stamma")
        with self.assertRaises(FileExistsError):
            stamma.pack(b"1. e4 *", "a.stamma")
        self.assertEqual(read_bytes("a.stamma"), before)
        stamma.recompress("a.stamma", "a.stamma", level=2, overwrite=True)
        self.assertEqual(stamma.unpack("a.stamma"), read_bytes(GAMES))
        with self.assertRaises(ValueError):
            stamma.pack("a.stamma", "a.stamma", overwrite=True)

    def test_an_error_leaves_no_file(self):
        def source():
            yield read_bytes(GAMES)
            raise RuntimeError("no more")

        with self.assertRaisesRegex(RuntimeError, "no more"):
            stamma.pack(source(), "a.stamma")
        with self.assertRaises(stamma.StammaError):
            stamma.pack(GAMES, "a.stamma", level=9)
        self.assertEqual(os.listdir("."), [])

    def test_a_target_that_fails(self):
        class Full(io.BytesIO):
            def write(self, data):
                raise OSError("the disk is full")

        with self.assertRaisesRegex(OSError, "the disk is full"):
            stamma.pack(GAMES, Full())

    def test_notices(self):
        notices = []
        counts = stamma.pack(b"1. e4 e5 2. Ke3 *\n\n", io.BytesIO(), notices=notices)
        self.assertEqual(counts.games, 1)
        self.assertEqual([(notice.game, notice.reason) for notice in notices], [(0, "illegal move")])

    def test_progress(self):
        calls = []
        stamma.pack(GAMES, progress=lambda done, total: calls.append((done, total)))
        self.assertEqual(calls[-1], (os.path.getsize(GAMES),) * 2)
        with self.assertRaises(ZeroDivisionError):
            stamma.pack(GAMES, progress=lambda done, total: 1 // 0)


class Appending(InFolder):
    def setUp(self):
        super().setUp()
        stamma.pack(GAMES, "a.stamma")

    def test_append_and_index(self):
        stamma.index("a.stamma")
        stamma.append("a.stamma", b"1. c4 *\n", level=2)
        self.assertEqual(stamma.unpack("a.stamma"), read_bytes(GAMES) + b"1. c4 *\n")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            archive = stamma.open("a.stamma", index=True)
            self.assertEqual(archive.find(moves="c4").indices(), stamma.open("a.stamma", index=False).find(moves="c4").indices())
        self.assertFalse(stamma.index("a.stamma"))

    def test_an_old_index_is_not_used(self):
        stamma.index("a.stamma")
        stamma.append("a.stamma", b"1. c4 *\n", index=False)
        with self.assertWarns(UserWarning):
            self.assertEqual(stamma.open("a.stamma").find().count(), 87)
        with self.assertRaises(stamma.MismatchError):
            stamma.open("a.stamma", index=True).find().count()

    def test_an_index_of_a_file_object(self):
        stamma.index("a.stamma")
        data, index = read_bytes("a.stamma"), read_bytes("a.stamma.index")
        plain = stamma.open(data)
        for file in (io.BytesIO(index), index, "a.stamma.index"):
            archive = stamma.open(io.BytesIO(data), index=file)
            self.assertTrue(archive.has_index())
            for sound_only in (False, True):
                self.assertEqual(archive.find(white="Tal", sound_only=sound_only).indices(), plain.find(white="Tal").indices())
                self.assertEqual(archive.tree("e4", sound_only=sound_only), plain.tree("e4"))
            self.assertEqual(archive.stats(), plain.stats())
        self.assertFalse(stamma.open(io.BytesIO(data)).has_index())
        archive = stamma.open(data, index=index[:-1])
        with self.assertWarns(UserWarning):
            self.assertEqual(archive.tree("e4"), plain.tree("e4"))
        self.assertFalse(archive.has_index())

    def test_an_append_that_fails_changes_nothing(self):
        before = read_bytes("a.stamma")

        def source():
            yield read_bytes(GAMES)
            raise RuntimeError("no more")

        with self.assertRaises(RuntimeError):
            stamma.append("a.stamma", source())
        self.assertEqual(read_bytes("a.stamma"), before)

    def test_only_one_process_appends(self):
        code = "import stamma; stamma.append('a.stamma', b'1. e4 *')"

        def source():
            done = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE)
            self.assertIn(b"is being written by another process", done.stderr)
            yield b"1. d4 *\n"

        stamma.append("a.stamma", source())
        self.assertEqual(len(stamma.open("a.stamma")), 87)

    def test_merge_keeps_the_index(self):
        stamma.index("a.stamma")
        stamma.merge(["a.stamma", ARCHIVE], "b.stamma")
        self.assertEqual(stamma.unpack("b.stamma"), 2 * read_bytes(GAMES))
        self.assertEqual(stamma.open("b.stamma", index=True).find(white="Tal").count(), 6)

    def test_against_the_command(self):
        command = os.environ.get("STAMMA")
        if not command or not os.path.exists(command):
            raise unittest.SkipTest("there is no command")
        subprocess.run([command, "pack", "-q", GAMES, "-o", "c.stamma"], check=True)
        self.assertEqual(read_bytes("c.stamma"), read_bytes("a.stamma"))
        subprocess.run([command, "append", "-q", "c.stamma", GAMES], check=True)
        stamma.append("a.stamma", GAMES)
        self.assertEqual(read_bytes("c.stamma"), read_bytes("a.stamma"))
        subprocess.run([command, "index", "-q", "c.stamma"], check=True)
        stamma.index("a.stamma")
        self.assertEqual(read_bytes("c.stamma.index"), read_bytes("a.stamma.index"))


@unittest.skipUnless(os.name == "posix", "signals of POSIX")
class Interrupting(InFolder):
    def interrupt(self, code):
        """Runs code that sends itself SIGINT and must end with KeyboardInterrupt in a call of the library."""
        done = subprocess.run([sys.executable, "-c", HEEDS_CTRL_C + code], stderr=subprocess.PIPE, timeout=300)
        self.assertIn(b"KeyboardInterrupt", done.stderr)
        self.assertEqual(done.returncode, -signal.SIGINT, done.stderr)

    def test_packing_stops(self):
        self.interrupt("""
import itertools, os, signal, stamma
text = b"1. e4 {%s} *\\n\\n" % (b"x" * 10000)  # long comments fill a block fastest
def stop(done, total):
    os.kill(os.getpid(), signal.SIGINT)
stamma.pack(itertools.repeat(text), "a.stamma", progress=stop)
""")
        self.assertEqual(os.listdir("."), [])

    def test_searches_and_answers_stop(self):
        stamma.merge([read_bytes(ARCHIVE)] * 400, "a.stamma")
        for call in ("list(a.find(comment='zzz', progress=stop))", "a.tree(progress=stop)", "a.stats(progress=stop)",
                     "a.unpack(progress=stop)", "stamma.verify('a.stamma', progress=stop)"):
            self.interrupt(f"""
import os, signal, stamma
def stop(done, total):
    if done < total:
        os.kill(os.getpid(), signal.SIGINT)
a = stamma.open("a.stamma")
{call}
""")


class Optional(unittest.TestCase):
    @unittest.skipUnless(has("numpy"), "there is no NumPy")
    def test_numpy_reads_moves(self):
        import numpy
        game = stamma.open(ARCHIVE)[0]
        moves = numpy.asarray(game.move16)
        self.assertEqual((moves.dtype, len(moves)), (numpy.dtype("uint16"), 45))
        self.assertEqual(moves.tolist(), game.moves)


if __name__ == "__main__":
    unittest.main()
