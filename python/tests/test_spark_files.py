# SPDX-License-Identifier: MIT
"""Archives of other file systems, without Spark. A file system of pyarrow stands for a remote one."""
import os
import unittest
from unittest import mock

import stamma
from stamma import spark_files
from support import InFolder, has, odd_games


class Watched:
    """A file that counts the bytes that are read."""

    def __init__(self, file):
        self.file = file
        self.bytes = 0

    def seek(self, offset):
        self.file.seek(offset)

    def read(self, count):
        data = self.file.read(count)
        self.bytes += len(data)
        return data


@unittest.skipUnless(has("pyarrow"), "there is no pyarrow")
class Files(InFolder):
    def setUp(self):
        super().setUp()
        import pyarrow.fs
        local = pyarrow.fs.SubTreeFileSystem(self.folder, pyarrow.fs.LocalFileSystem())
        patch = mock.patch.object(spark_files, "file_system", lambda path: (local, path[len("remote://"):]))
        patch.start()
        self.addCleanup(patch.stop)
        os.makedirs("a/b")
        for name in ("a/1.stamma", "a/2.stamma", "a/b/3.stamma", "x[1].stamma"):
            stamma.pack(odd_games(3), name)
        with open("a/notes.txt", "w"):
            pass

    def test_paths(self):
        for path, wanted in (("a", ["a/1.stamma", "a/2.stamma"]), ("a/*.stamma", ["a/1.stamma", "a/2.stamma"]),
                             ("a/**/*.stamma", ["a/1.stamma", "a/2.stamma", "a/b/3.stamma"]), ("?/[2-9].s*a", ["a/2.stamma"]),
                             ("a/b/3.stamma", ["a/b/3.stamma"]), ("a/*", ["a/1.stamma", "a/2.stamma", "a/notes.txt"])):
            with self.subTest(path):
                self.assertEqual(spark_files.expand(["remote://" + path]), ["remote://" + name for name in wanted])
                self.assertEqual(spark_files.expand([path]), [os.path.realpath(name) for name in wanted])
        self.assertEqual(spark_files.expand(["file://" + os.path.realpath("a/b")]), [os.path.realpath("a/b/3.stamma")])
        self.assertEqual(spark_files.expand(["x[1].stamma"]), [os.path.realpath("x[1].stamma")])
        for path in ("none", "a/*.pgn", "remote://none", "remote://a/*.pgn"):
            with self.assertRaisesRegex(FileNotFoundError, "there is no archive"):
                spark_files.expand([path])

    def test_files_are_read_by_ranges(self):
        parts, games = [], odd_games(790)
        for number in range(24):
            parts.append(f"{number}.stamma")
            stamma.pack(games + odd_games(10, number), parts[-1])
        stamma.merge(parts, "all.stamma")
        size = os.path.getsize("all.stamma")
        with mock.patch.object(spark_files, "_SMALL", 1 << 12), mock.patch.object(spark_files, "_LARGE", 1 << 16):
            opened = []
            plain = spark_files.Ranges.__init__

            def watching(ranges, file, size):
                plain(ranges, Watched(file), size)
                opened.append(ranges)

            with mock.patch.object(spark_files.Ranges, "__init__", watching):
                archive = spark_files.open_archive("remote://all.stamma")
            blocks = archive.blocks()
            self.assertEqual(len(blocks), 24)
            self.assertLessEqual(opened[0].reads, 3)
            rows = sum(len(batch["number"]) for batch in archive.games(["number", "white"], blocks=range(11, 12)).batches())
            self.assertEqual(rows, 800)
            self.assertLessEqual(opened[0].reads, 9)
            self.assertLess(opened[0]._file.bytes, size / 5)
        self.assertEqual(archive.tree("e4"), stamma.open("all.stamma").tree("e4"))
        self.assertFalse(archive.has_index())
        stamma.index("all.stamma")
        archive = spark_files.open_archive("remote://all.stamma")
        self.assertTrue(archive.has_index())
        self.assertEqual(archive.tree("e4"), stamma.open("all.stamma", index=False).tree("e4"))
        self.assertEqual(archive.find(white="Tal").indices(), stamma.open("all.stamma", index=False).find(white="Tal").indices())
        archive = spark_files.open_archive("remote://all.stamma")
        self.assertEqual(archive.text(), stamma.open("all.stamma").text())
        with open("damaged.stamma", "wb") as file:
            file.write(b"x" * 100)
        with self.assertRaisesRegex(stamma.NotAnArchiveError, "remote://damaged.stamma"):
            spark_files.open_archive("remote://damaged.stamma")
