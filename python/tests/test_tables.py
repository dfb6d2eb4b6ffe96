# SPDX-License-Identifier: MIT
"""Tables as Arrow streams, read by pyarrow, pandas, Polars, DuckDB and NumPy, have the same values as the games."""
import io
import random
import subprocess
import sys
import threading
import unittest

import stamma
from support import ARCHIVE, HEEDS_CTRL_C, InFolder, corpus, has


@unittest.skipUnless(has("pyarrow"), "there is no pyarrow")
class Streams(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.archive = stamma.open(stamma.pack(corpus("lichess_dump_dev", 150_000)))

    def test_games_equal_the_objects(self):
        import pyarrow
        columns = ["number", "white", "result", "date", "date_precision", "white_rating", "eco", "opening",
                   "plies", "moves", "uci", "san", "clock_ms", "eval_cp", "mate", "comments", "nags", "text"]
        table = pyarrow.table(self.archive.games(columns))
        table.validate(full=True)
        self.assertEqual(table.num_rows, len(self.archive))
        for game, row in zip(self.archive, table.to_pylist()):
            self.assertEqual(row["number"], game.number)
            for name in ("white", "result", "white_rating", "eco", "opening", "moves", "uci", "san"):
                self.assertEqual(row[name], getattr(game, name), name)
            known = {"day": 10, "month": 7, "year": 4}.get(row["date_precision"])
            self.assertEqual(str(row["date"])[:known] if known else None, game.date)
            self.assertEqual((row["plies"], row["text"]), (len(game), bytes(game)))
            self.assertEqual(row["clock_ms"] or [None] * len(game), game.clock_ms)
            self.assertEqual([tuple(comment.values()) for comment in row["comments"] or []], game.comments)
            self.assertEqual([tuple(nag.values()) for nag in row["nags"] or []], game.nags)
            for name in ("eval_cp", "mate"):
                self.assertEqual(row[name] or [None] * len(game), getattr(game, name))

    def test_queries_ranges_and_sources(self):
        import pyarrow
        archive = stamma.open(ARCHIVE)
        white = lambda table: pyarrow.table(table)["white"].to_pylist()
        self.assertEqual(white(archive.games(["white"], player="Tal")), [game.white for game in archive.find(player="Tal")])
        self.assertEqual(white(archive.games(["white"], {"player": "Tal"}, result="1-0")), ["Tal, Mikhail"] * 3)
        self.assertEqual(white(archive.games(["white"], games=range(3, 9))), [game.white for game in archive[3:9]])
        with open(ARCHIVE, "rb") as file:
            self.assertEqual(white(stamma.open(file).games(["white"])), white(archive.games(["white"])))
        for wrong in (range(3, 3), range(0, 9, 2)):
            with self.assertRaises(ValueError):
                archive.games(games=wrong)
        with self.assertRaises(stamma.TextError):
            archive.games(["white", "white"])
        with self.assertRaises(TypeError):
            archive.games("white")
        with self.assertRaises(stamma.ArgumentError):
            pyarrow.table(archive.positions(shuffle=1 << 30))

    def test_progress_ends_with_everything(self):
        import pyarrow
        calls = []
        pyarrow.table(self.archive.plies(["game"], progress=lambda *call: calls.append(call)))
        self.assertEqual((calls[-1][0], calls), (calls[-1][1], sorted(calls)))

    def test_numbers_of_rows(self):
        import pyarrow
        archive = stamma.open(ARCHIVE)
        for table in (archive.games(), archive.games(["white"], games=range(3, 9)), archive.games(player="Tal"), archive.plies(),
                      archive.games(player="No Such"), archive.plies(player="Tal"), archive.positions(sample=3, skip_plies=9)):
            self.assertEqual(len(table), pyarrow.table(table).num_rows)
            self.assertTrue(table)

    def test_blocks(self):
        import pyarrow
        with open(ARCHIVE, "rb") as file:
            data = file.read()
        archive = stamma.open(stamma.merge([data] * 3))
        count = len(archive) // 3
        self.assertEqual([block.games for block in archive.blocks()],
                         [range(i * count, (i + 1) * count) for i in range(3)])
        numbers = lambda **options: pyarrow.table(archive.games(["number"], **options))["number"].to_pylist()
        self.assertEqual(numbers(blocks=range(1, 2)), list(range(count + 1, 2 * count + 1)))
        self.assertEqual(numbers(blocks=range(1, 3)), list(range(count + 1, 3 * count + 1)))
        self.assertEqual(pyarrow.table(archive.plies(["game"], blocks=range(2, 3)))["game"][0].as_py(), 2 * count + 1)
        for wrong in ({"blocks": range(1, 1)}, {"blocks": range(2, 4)}, {"blocks": range(0, 3, 2)},
                      {"blocks": range(0, 1), "games": range(0, 1)}):
            with self.assertRaises(ValueError):
                archive.games(**wrong)

    def test_sizes_of_blocks(self):
        class Counted(io.BytesIO):
            read_bytes = 0

            def readinto(self, into):
                count = super().readinto(into)
                self.read_bytes += count
                return count

            def read(self, size=-1):
                data = super().read(size)
                self.read_bytes += len(data)
                return data

        texts = [corpus("lichess_dump_dev", size) for size in (3_000_000, 1_000_000, 20_000)]
        for copies in (2, 8):  # an archive of at least eight blocks contains tables of its blocks
            data = stamma.merge([stamma.pack(text) for text in texts] * copies)
            file = Counted(data)
            blocks = stamma.open(file).blocks()
            # Opened twice, each time reading the end of the archive, 64 KiB, and headers.
            self.assertLess(file.read_bytes, 140_000)
            self.assertGreater(len(data), 280_000)
            self.assertEqual([block.text_size for block in blocks], [len(text) for text in texts] * copies)
            # Everything else is small: the headers of the file and of frames, and commits and tables.
            self.assertLess(sum(block.size for block in blocks), len(data))
            self.assertGreater(sum(block.size for block in blocks), 0.99 * len(data))

    def test_plies_and_batches(self):
        import pyarrow
        archive = stamma.open(ARCHIVE)
        table = pyarrow.table(archive.plies(["game", "ply", "uci", "fen"], batch_rows=500))
        self.assertEqual(table["uci"].to_pylist(), [move for game in archive for move in game.uci])
        last = [game.positions()[-1].fen() for game in archive]
        by_game = {row["game"]: row["fen"] for row in table.to_pylist()}
        self.assertEqual([by_game[i + 1] for i in range(len(archive))], last)
        self.assertLessEqual(max(batch.num_rows for batch in archive.plies(batch_rows=500)), 500)

    def test_streams_outlive_the_archive(self):
        import pyarrow
        with stamma.open(ARCHIVE) as archive:
            reader = pyarrow.RecordBatchReader.from_stream(archive.games(["white"]))
            expected = [game.white for game in archive]
        del archive
        self.assertEqual(reader.read_all()["white"].to_pylist(), expected)
        reader = pyarrow.RecordBatchReader.from_stream(stamma.open(ARCHIVE).plies(batch_rows=10))
        first = reader.read_next_batch()
        reader.close()
        first.validate(full=True)

    def test_errors_of_streams(self):
        import pyarrow
        with open(ARCHIVE, "rb") as file:
            data = bytearray(file.read())
        data[len(data) // 3] ^= 255
        archive = stamma.open(bytes(data))
        with self.assertRaisesRegex(OSError, r"\(byte \d+"):
            pyarrow.table(archive.games(["text", "san"]))
        with open("damaged.stamma", "wb") as file:
            file.write(data)
        with self.assertRaisesRegex(OSError, r"damaged\.stamma: .*\(byte \d+"):
            pyarrow.table(stamma.open("damaged.stamma").games(["text", "san"]))
        self.assertEqual(pyarrow.table(archive.games(["text", "san"], sound_only=True)).num_rows, 0)

        class Failing(io.BytesIO):
            fail = False

            def read(self, size=-1):
                if self.fail:
                    raise ZeroDivisionError
                return super().read(size)

        with open(ARCHIVE, "rb") as file:
            source = Failing(file.read())
        table = stamma.open(source).games(["text"])
        source.fail = True
        with self.assertRaises((OSError, ZeroDivisionError)):
            pyarrow.table(table)

    def test_a_stream_stops_at_ctrl_c(self):
        with open(ARCHIVE, "rb") as file:
            data = file.read()
        stamma.merge([data] * 400, "a.stamma")
        code = """
import os, signal, stamma, pyarrow
def stop(done, total):
    if done < total:
        os.kill(os.getpid(), signal.SIGINT)
try:
    pyarrow.table(stamma.open("a.stamma").plies(progress=stop, threads=1))
except OSError as error:
    assert "ancel" in str(error), error
"""
        done = subprocess.run([sys.executable, "-c", HEEDS_CTRL_C + code], stderr=subprocess.PIPE)
        self.assertIn(b"KeyboardInterrupt", done.stderr)

    @unittest.skipUnless(has("pandas"), "there is no pandas")
    def test_pandas(self):
        import pandas
        if not hasattr(pandas.DataFrame, "from_arrow"):
            raise unittest.SkipTest("this pandas reads no Arrow streams")
        frame = pandas.DataFrame.from_arrow(self.archive.games(["white", "plies"]))
        self.assertEqual(frame["plies"].sum(), sum(len(game) for game in self.archive))


class Threads(InFolder):
    def test_threads_share_an_archive(self):
        """Also with a file object: its reads need the GIL, and Polars does not release the GIL."""
        with open(ARCHIVE, "rb") as file:
            archives = [stamma.open(ARCHIVE), stamma.open(io.BytesIO(file.read()))]
        for archive in archives:
            expected = sum(len(game) for game in archive)
            counts = []

            def read():
                table = archive.plies(["game", "ply"], batch_rows=700)
                for _ in range(3):
                    counts.append(sum(batch[2] for batch in raw_batches(table)))
                    if has("polars"):
                        import polars
                        counts.append(len(polars.DataFrame(table)))

            threads = [threading.Thread(target=read) for _ in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(set(counts), {expected})

    def test_references_are_released(self):
        archive = stamma.open(ARCHIVE)
        raw, columns = archive._raw, ["game", "ply"]
        query = stamma.Query(player="Tal")
        objects = [raw, query._raw, columns, None]
        counts = []
        for _ in range(3):
            for _ in range(20):
                table = archive.plies(columns, query)
                table.__arrow_c_stream__()
                list(raw_batches(table))
                next(raw_batches(table))
                raw.blocks()
                archive.table_columns()
                for wrong in ({"columns": ["ply", "ply"]}, {"columns": [1]}, {"batch_rows": -1}):
                    with self.assertRaises((TypeError, ValueError, OverflowError)):
                        list(raw_batches(archive.plies(**{"columns": columns, **wrong})))
            del table
            counts.append([sys.getrefcount(value) for value in objects[:3]])
        self.assertEqual(counts[0], counts[2])


class DamagedTables(unittest.TestCase):
    def test_damaged_archives_raise_exceptions(self):
        """Each table of archives with a changed byte, or cut off, is read, or raises an exception of the package."""
        with open(ARCHIVE, "rb") as file:
            data = file.read()
        chance = random.Random(1)
        raised = 0
        for _ in range(150):
            damaged = bytearray(data)
            damaged[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            damaged = damaged[:chance.choice([len(data), chance.randrange(len(data))])]
            try:
                archive = stamma.open(bytes(damaged))
                list(raw_batches(archive.games(["plies", "white_rating"], threads=1)))
                list(raw_batches(archive.plies(["game", "clock_ms", "key", "piece_counts"], threads=1, sound_only=True)))
                list(raw_batches(archive.positions(sample=3, shuffle=100, threads=1)))
            except stamma.StammaError:
                raised += 1
        self.assertGreater(raised, 100)

    def test_numbers_out_of_range(self):
        archive = stamma.open(ARCHIVE)
        for options in ({"batch_rows": 1 << 40}, {"sample": -1}, {"shuffle": -1}, {"threads": -1}, {"columns": ["a\0"]},
                        {"columns": [None]}, {"columns": ["no_such"]}, {"columns": ["tag:"]}, {"columns": ["\udc80"]}):
            with self.assertRaises((ValueError, TypeError, OverflowError), msg=options):
                list(raw_batches(archive.positions(**{"columns": ["board"], **options})))


def raw_batches(table):
    """Yields the batches of a table as bytes, without NumPy."""
    reader = table._batches(None)
    return iter(reader.next, None)


class Programs(unittest.TestCase):
    @unittest.skipUnless(has("polars"), "there is no Polars")
    def test_polars(self):
        import polars
        archive = stamma.open(ARCHIVE)
        frame = polars.DataFrame(archive.games(["white", "result", "plies", "san"]))
        self.assertEqual(frame["plies"].to_list(), [len(game) for game in archive])
        self.assertEqual(frame["san"].to_list(), [game.san for game in archive])

    @unittest.skipUnless(has("duckdb"), "there is no DuckDB")
    def test_duckdb(self):
        import duckdb
        archive = stamma.open(ARCHIVE)
        games = archive.games(["result", "plies"])  # noqa: F841
        rows = duckdb.sql("select result, count(*), sum(plies) from games group by 1 order by 1").fetchall()
        self.assertEqual([row[:2] for row in rows], [("*", 1), ("0-1", 31), ("1-0", 51), ("1/2-1/2", 3)])
        self.assertEqual(sum(row[2] for row in rows), archive.stats().plies)


@unittest.skipUnless(has("numpy"), "there is no NumPy")
class Batches(unittest.TestCase):
    def columns(self, archive, table, names):
        """Returns the values of columns as lists, with None for missing values."""
        import numpy
        columns = {name: [] for name in names}
        for batch in getattr(archive, table)(names, batch_rows=30).batches():
            self.assertEqual({len(array) for array in batch.values()}, {len(batch[names[0]])})
            for name in names:
                valid = batch.get(name + "_valid", numpy.ones(len(batch[name]), bool))
                columns[name] += [self.value(*pair) for pair in zip(batch[name], valid)]
        return columns

    def value(self, value, valid):
        import numpy
        if isinstance(valid, numpy.ndarray):  # of the elements of a list
            return [self.value(*pair) for pair in zip(value, valid)]
        if isinstance(value, numpy.ndarray) and value.dtype.names:
            return [dict(zip(value.dtype.names, row)) for row in value.tolist()]
        return None if not valid else value.tolist() if isinstance(value, (numpy.ndarray, numpy.generic)) else value

    @unittest.skipUnless(has("pyarrow"), "there is no pyarrow")
    def test_all_columns_equal_those_of_pyarrow(self):
        import pyarrow
        odd = b'[Event "x"]\n[Date "2001.??.??"]\n[TimeControl "180+0.5"]\n\n1. e4 {[%clk 0:03:00] [%eval #3]} e5 *\n\n*\n'
        for archive in (stamma.open(ARCHIVE), stamma.open(stamma.pack(odd))):
            for table in ("games", "plies", "positions"):
                names = [column.name for column in archive.table_columns(table)]
                expected = pyarrow.table(getattr(archive, table)(names)).to_pydict()
                found = self.columns(archive, table, names)
                for name in names:
                    self.assertEqual(found[name], expected[name], (table, name))

    def test_missing_values(self):
        import numpy
        text = b'[Event "x"]\n[Date "2001.??.??"]\n[ECO "C20"]\n\n1. e4 {[%clk 0:03:00]} e5 *\n\n*\n'
        archive = stamma.open(stamma.pack(text))
        batch = next(archive.games(["date", "event", "eco_derived", "clock_ms", "san"]).batches())
        self.assertEqual(batch["date"].dtype, "datetime64[D]")
        self.assertEqual(batch["date"][0], numpy.datetime64("2001-01-01"))
        self.assertTrue(numpy.isnat(batch["date"][1]))
        self.assertEqual(batch["event"].tolist(), ["x", None])
        self.assertEqual((batch["eco_derived"].dtype, batch["eco_derived_valid"].tolist()), (bool, [True, False]))
        self.assertEqual([row.tolist() for row in batch["clock_ms"]], [[180000, 0], []])
        self.assertEqual([row.tolist() for row in batch["clock_ms_valid"]], [[True, False], []])
        self.assertEqual([row.tolist() for row in batch["san"]], [["e4", "e5"], []])


@unittest.skipUnless(has("numpy"), "there is no NumPy")
class Training(InFolder):
    def setUp(self):
        super().setUp()
        with open(ARCHIVE, "rb") as file:
            data = file.read()
        stamma.merge([data] * 3, "a.stamma")

    def rows(self, **options):
        import stamma.training
        columns = ["game", "ply", "board", "move_index"]
        for batch in stamma.training.positions("*.stamma", columns=columns, batch=256, **options):
            self.assertEqual([len(array) for array in batch], [256] * 4)
            yield from zip(*(array.tolist() for array in batch))

    def test_boards_and_moves(self):
        archive = stamma.open("a.stamma")
        code = {"PNBRQK"[i]: i + 1 for i in range(6)}
        code.update({"pnbrqk"[i]: i + 7 for i in range(6)})
        rows = list(self.rows(workers=1))
        self.assertEqual(len(rows), 256 * (3 * 4812 // 256))
        for game, ply, board, move in rows[:3000:7]:
            position = archive[game - 1].positions()[ply - 1]
            pieces = [position.piece_at(square) for square in range(64)]
            self.assertEqual(board, [code[piece] if piece else 0 for piece in pieces])
            played = stamma._stamma.vocabulary_move(position._raw, move)
            self.assertEqual(played, archive[game - 1].moves[ply - 1])

    def test_shuffling(self):
        plain = [row[:2] for row in self.rows()]
        shuffled = [row[:2] for row in self.rows(shuffle=True, seed=1)]
        again = [row[:2] for row in self.rows(shuffle=True, seed=1)]
        other = [row[:2] for row in self.rows(shuffle=True, seed=2)]
        self.assertEqual(shuffled, again)
        self.assertEqual(len({*shuffled}), len(plain))
        self.assertNotEqual(shuffled, plain)
        self.assertNotEqual(shuffled, other)

    def test_options_and_errors(self):
        import stamma.training
        self.assertTrue(all(ply > 20 for _, ply, *_ in self.rows(skip_plies=20)))
        self.assertLess(len(list(self.rows(sample=4))), 3 * 4812 // 3)
        with self.assertRaises(FileNotFoundError):
            next(stamma.training.positions("no*.stamma"))
        with self.assertRaises(stamma.TextError):
            next(stamma.training.positions("a.stamma", columns=["board", "no_such"]))
        for _ in stamma.training.positions("a.stamma", batch=16):
            break  # the threads end

    @unittest.skipUnless(has("torch"), "there is no PyTorch")
    def test_torch(self):
        import torch.utils.data
        boards, moves = next(stamma.torch.positions("a.stamma", batch=64))
        self.assertEqual((tuple(boards.shape), tuple(moves.shape)), ((64, 64), (64,)))
        data = stamma.torch.Positions("a.stamma", columns=["game", "ply"], batch=64, shuffle=True, seed=3)

        def rows(processes, epoch=0):
            data.set_epoch(epoch)
            loader = torch.utils.data.DataLoader(data, batch_size=None, num_workers=processes)
            return [row for batch in loader for row in zip(*(column.tolist() for column in batch))]

        for processes in (0, 2):
            first = rows(processes)
            self.assertEqual(first, rows(processes))
            self.assertNotEqual(first, rows(processes, 1))
            self.assertEqual(len({*first}), len(first))
            self.assertGreater(len(first), 3 * 4812 - 64 * max(1, processes))

    def test_shares_are_disjoint_and_complete(self):
        import stamma.training

        def rows(**options):
            batches = stamma.training.positions("a.stamma", columns=["game", "ply"], batch=12, **options)
            return [row for games, plies in batches for row in zip(games.tolist(), plies.tolist())]

        self.assertEqual(len(rows()), 3 * 4812)
        shares = [rows(share=(i, 3), shuffle=True, seed=5) for i in range(3)]
        together = [row for share in shares for row in share]
        self.assertEqual(sorted(together), sorted(rows()))
        self.assertEqual(len({*together}), len(together))
        with self.assertRaises(ValueError):
            rows(share=(3, 3))


if __name__ == "__main__":
    unittest.main()
