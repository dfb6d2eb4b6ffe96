# SPDX-License-Identifier: MIT
"""Failures of allocators. Each allocation of the extension module and of the library fails in turn, and each allocation of
Python's objects by the module. Calls raise MemoryError or succeed, and leak nothing. Needs a module that is linked with
failing_allocator.c (tests/python/python.sh)."""
import ctypes
import gc
import io
import os
import struct
import unittest

import stamma
from support import InFolder, has

LIBRARY = ctypes.CDLL(stamma._stamma.__file__)
#: The first failures are all tried, later ones in steps; with LONG=1, all.
ALL_UP_TO = 1 << 60 if os.environ.get("LONG") else 40
TEXT = b"""[Event "One"]
[White "Tal, M"]
[Black "B"]
[Date "2001.02.03"]
[Result "1-0"]
[WhiteElo "2500"]
[TimeControl "180+2"]

1. e4 {[%clk 0:03:00] [%eval 0.2]} e5 {[%clk 0:03:00] good} 2. Nf3 $1 (2. f4 exf4 {x}) Nc6 1-0

[Event "Two"]
[White "A"]
[Result "*"]

1. d4 d5 2. c4 *
"""


def setUpModule():
    if not hasattr(LIBRARY, "failing_begin"):
        raise unittest.SkipTest("the module has no failing allocator")
    LIBRARY.failing_end.restype = ctypes.c_uint64
    LIBRARY.failing_alive.restype = ctypes.c_int64


def table_rows(table):
    reader = table._batches(None)
    return list(iter(reader.next, None))


class Sweep(InFolder):
    def attempt(self, call, n, lasting=False):
        """Calls while the n-th allocation fails. Returns the result or None, and the number of allocations."""
        LIBRARY.failing_begin(ctypes.c_uint64(n), ctypes.c_bool(lasting))
        try:
            return call(), LIBRARY.failing_end()
        except MemoryError:
            return None, LIBRARY.failing_end()
        finally:
            LIBRARY.failing_end()

    def sweep(self, call):
        """Lets each allocation of a call fail in turn: first only this allocation, then also all later ones."""
        expected, _ = self.attempt(call, 0)
        self.assertIsNotNone(expected)
        _, total = self.attempt(call, 0)
        self.assertGreater(total, 0)
        gc.collect()
        alive = LIBRARY.failing_alive()
        for lasting in (False, True):
            n, raised = 1, 0
            while n <= total:
                result, _ = self.attempt(call, n, lasting)
                raised += result is None
                self.assertIn(result, (None, expected), "allocation %d of %d" % (n, total))
                del result
                if LIBRARY.failing_alive() != alive:
                    gc.collect()
                self.assertEqual(LIBRARY.failing_alive(), alive, "allocation %d of %d leaks" % (n, total))
                n += 1 if n < ALL_UP_TO else 1 + n // 8
            self.assertGreater(raised, 0)


class Calls(Sweep):
    @classmethod
    def setUpClass(cls):
        cls.data = stamma.pack(TEXT)

    def test_reading(self):
        def read():
            games = [(str(g), g.tags, g.san, g.clocks, g.items, g.comments, g.nags) for g in stamma.open(self.data)]
            return games, len(stamma.open(io.BytesIO(self.data)))
        self.sweep(read)
        self.sweep(lambda: stamma.open(self.data)[1].uci)

    def test_searches(self):
        archive = stamma.open(self.data)
        for threads in (1, 2):
            self.sweep(lambda: archive.find(player="Tal", comment="good", threads=threads).indices())
            self.sweep(lambda: archive.find({"any": [{"eco": "C"}, {"white": "A"}]}, threads=threads).count())
            self.sweep(lambda: archive.tree("e4", threads=threads, history=True).to_dict())
            self.sweep(lambda: archive.stats(threads=threads).to_dict())

    def test_columns(self):
        archive = stamma.open(self.data)
        for table, columns in (("games", None), ("games", ["san", "clock_ms", "comments", "nags", "text", "eval_cp"]),
                               ("plies", ["uci", "san", "fen", "key", "clock_ms"]), ("positions", None)):
            for threads in (1, 2):
                self.sweep(lambda: table_rows(getattr(archive, table)(columns, threads=threads, batch_rows=3)))
        self.sweep(lambda: table_rows(archive.positions(shuffle=2, sample=2, white="Tal")))
        self.sweep(lambda: archive.table_columns())
        self.sweep(lambda: archive._raw.blocks())

    @unittest.skipUnless(has("pyarrow"), "there is no pyarrow")
    def test_arrow_streams(self):
        import pyarrow
        archive = stamma.open(self.data)

        def read():
            try:
                return pyarrow.table(archive.games(["white", "san", "date"], threads=1)).to_pylist()
            except OSError as error:
                if "memory" not in str(error):
                    raise
                raise MemoryError
        self.sweep(read)

    def test_writing(self):
        for level in (1, 2, 3):
            self.sweep(lambda: stamma.pack(TEXT, level=level, threads=1))
        self.sweep(lambda: stamma.pack(TEXT, threads=2))
        self.sweep(lambda: stamma.merge([self.data, self.data]))
        self.sweep(lambda: stamma.recompress(self.data, level=2, threads=1))
        self.sweep(lambda: stamma.unpack(self.data))

    def test_checking(self):
        damaged = self.data[:len(self.data) // 2] + b"?" + self.data[len(self.data) // 2 + 1:]
        for data in (self.data, damaged):
            self.sweep(lambda: stamma.verify(data, threads=1).to_dict())
            self.sweep(lambda: stamma.repair(data, threads=1))
        self.sweep(lambda: stamma.open(self.data).info(threads=1).to_dict())

    def test_indexes(self):
        def index():
            with open("a.stamma", "wb") as file:
                file.write(self.data)
            if os.path.exists("a.stamma.index"):
                os.remove("a.stamma.index")
            stamma.index("a.stamma", threads=1)
            return stamma.open("a.stamma", index=True).find(player="Tal", threads=1).indices()
        self.sweep(index)

    def test_chess(self):
        self.sweep(lambda: [game.san for game in stamma.parse_pgn(TEXT)])


class Objects(Sweep):
    """Allocations of objects by the extension module. Only functions of the module are called: CPython itself crashes if
    some allocations of its interpreter fail."""

    def attempt(self, call, n, lasting=False):
        if lasting:
            return None, 0
        LIBRARY.failing_python(ctypes.c_bool(True))
        try:
            return super().attempt(call, n)
        finally:
            LIBRARY.failing_python(ctypes.c_bool(False))

    def test_functions_of_the_module(self):
        module = stamma._stamma
        data = stamma.pack(TEXT)
        source, start = module.source_of_bytes(data), module.position_start()
        archive = module.Archive(source)
        question = (archive, module.Query(b'{"white": "Tal"}'), 1, 0, False, 0, None)
        write = bytearray().extend
        moves = struct.pack("=2H", 0x131C, 0x1D24)  # e4 e5

        def drain(reader):
            return list(iter(reader.next, None))

        def tree():
            made = module.Tree(start, True)
            made.add("a", *question)
            return made.json(-1, -1), made.months()

        def stats():
            made = module.Stats()
            made.add(*question)
            return made.json(-1)

        for call in (lambda: module.Reader(module.Archive(source)).read([1, 2], 255, True), lambda: module.Search(*question).next(10),
                     tree, stats, lambda: drain(module.PgnReader(TEXT)),
                     lambda: drain(module.Batches(0, ["white", "san", "date", "comments", "clock_ms"], *OPTIONS, question, None)),
                     lambda: drain(module.Batches(1, None, *OPTIONS, question, None)),
                     lambda: module.columns_stream(2, None, *OPTIONS, question, b"a.stamma") is not None,
                     lambda: module.columns_list(0, archive), archive.blocks,
                     lambda: module.info(archive, 1, 0, None), lambda: module.verify(archive, False, 1, 0, None),
                     lambda: module.repair(source, write, 1, 0, None), module.encodings, module.position_encodings,
                     lambda: module.predict(start, moves, 0, 0, "", "*", 0), start.legal_moves,
                     lambda: (start.state(), start.pieces(), start.fen(), start.uci_list(moves), start.san_list(moves)),
                     lambda: module.encode_game("arithmetic", start, moves),
                     lambda: module.encode_all(start, 0x131C), lambda: module.explain_game("tarrasch", start, moves),
                     lambda: module.explain_position("huffman-gaps", start), lambda: module.survey_game("tarrasch", start, moves),
                     lambda: module.survey_positions("packed", start, moves), lambda: start.read_moves(["e4", 0x1D24]),
                     module.boards, lambda: module.board_legal_moves("x88", start),
                     lambda: len(module.ZstdDecompressor().decompress(ZSTD))):
            self.sweep(call)


#: first, last, rows, unordered, plain, skip, sample, shuffle, seed
OPTIONS = (1, 0, 0, False, False, 0, 0, 0, 0)
#: "stamma" in a zstd frame without compression
ZSTD = bytes.fromhex("28b52ffd2006310000") + b"stamma"


if __name__ == "__main__":
    unittest.main()
