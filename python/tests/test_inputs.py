# SPDX-License-Identifier: MIT
"""File objects, lists of files, and objects of python-chess as arguments; progress; errors that name file and game."""
import bz2
import datetime
import gzip
import io
import lzma
import pathlib
import subprocess
import sys
import unittest

import stamma
from support import ARCHIVE, GAMES, InFolder, has


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


class Files(InFolder):
    def setUp(self):
        super().setUp()
        self.text = read_bytes(GAMES)
        with open("games.pgn.gz", "wb") as file:
            file.write(gzip.compress(self.text))

    def test_file_objects(self):
        text = self.text.decode()
        for source in (io.StringIO(text), io.BytesIO(self.text), [io.StringIO(text[:9000]), io.StringIO(text[9000:])],
                       open(GAMES, encoding="utf-8"), open(GAMES, "rb"), (part for part in [pathlib.Path(GAMES)])):
            self.assertEqual(stamma.open(stamma.pack(source)).text(), self.text)
            if hasattr(source, "close"):
                source.close()
        stamma.pack(b"", "new.stamma")
        stamma.append("new.stamma", io.StringIO(text))
        self.assertEqual(len(stamma.open("new.stamma")), 86)

    def test_lists_of_files(self):
        files = ["games.pgn.gz", pathlib.Path(GAMES)]
        self.assertEqual(stamma.open(stamma.pack(files)).text(), self.text * 2)
        self.assertEqual(len(stamma.parse_pgn([pathlib.Path(name) for name in files])), 172)
        self.assertEqual(len(stamma.parse_pgn(io.StringIO(self.text.decode()))), 86)
        for games in (files, [ARCHIVE, GAMES], [stamma.open(ARCHIVE)[0], *stamma.open(ARCHIVE)], [io.BytesIO(self.text)]):
            expected = {1: 86, 87: 87}.get(len(games), 172)
            self.assertEqual(stamma.survey(games, "tarrasch")[0].games, expected)

    def test_progress_ends_with_everything(self):
        for name, data in (("a.bz2", bz2.compress(self.text)), ("a.xz", lzma.compress(self.text))):
            with open(name, "wb") as file:
                file.write(data)
        compressed = ["games.pgn.gz", "a.bz2", "a.xz"]
        sizes = [pathlib.Path(name).stat().st_size for name in compressed]
        for source, total in ((compressed[0], sizes[0]), (compressed * 20, sum(sizes) * 20), (self.text * 300, len(self.text) * 300),
                              (io.BytesIO(self.text), len(self.text)), (GAMES, len(self.text))):
            calls = []
            stamma.pack(source, "new.stamma", overwrite=True, threads=1, progress=lambda *call: calls.append(call))
            self.assertEqual(calls[-1], (total, total))
            self.assertEqual(calls, sorted(calls))
            self.assertLessEqual(max(done for done, _ in calls), total)
        for call in (lambda show: stamma.unpack("new.stamma", progress=show), lambda show: stamma.repair(ARCHIVE, progress=show),
                     lambda show: stamma.open(ARCHIVE).find(player="Tal", progress=show).count(),
                     lambda show: stamma.open(ARCHIVE).stats(progress=show), lambda show: stamma.merge([ARCHIVE], progress=show),
                     lambda show: stamma.recompress(ARCHIVE, level=1, progress=show)):
            calls = []
            call(lambda *shown: calls.append(shown))
            self.assertEqual(calls[-1][0], calls[-1][1])
            self.assertGreater(calls[-1][1], 0)

    def test_progress_of_a_call_that_fails(self):
        calls = []
        with self.assertRaises(FileExistsError):
            stamma.pack(GAMES, "games.pgn.gz", progress=lambda *call: calls.append(call))
        self.assertEqual(calls, [])

    def test_compressed_files_that_are_damaged(self):
        broken = {"a.gz": gzip.compress(self.text)[:-9], "b.bz2": bz2.compress(self.text)[:-9], "c.xz": lzma.compress(self.text)[:-99],
                  "d.gz": gzip.compress(self.text)[:500] + b"x" * 50 + gzip.compress(self.text)[550:]}
        for name, data in broken.items():
            with open(name, "wb") as file:
                file.write(data)
            with self.assertRaises(stamma.CorruptError) as caught:
                stamma.pack([GAMES, name], "new.stamma")
            self.assertEqual(caught.exception.file, name)
            self.assertIn(name + ": ", str(caught.exception))
        with self.assertRaises(FileNotFoundError):
            stamma.pack(["missing.pgn"])


class Places(InFolder):
    def test_games_in_errors(self):
        with self.assertRaises(stamma.IllegalError) as caught:
            stamma.survey(["e4 e5", "d4 d5", "e4 e4"], "tarrasch")
        self.assertEqual((caught.exception.game, caught.exception.number), (2, 3))
        self.assertIn("game 3", str(caught.exception))
        with open("bad.pgn", "w") as file:
            file.write("1. e4 *\n\n1. e4 Ke4 *\n")
        errors = [game.error for game in stamma.read_pgn(pathlib.Path("bad.pgn"))]
        self.assertIsNone(errors[0])
        self.assertEqual((errors[1].file, errors[1].line), ("bad.pgn", 3))

    def test_files_and_games_in_errors_of_archives(self):
        data = bytearray(stamma.merge([read_bytes(ARCHIVE)] * 3))
        data[len(data) // 2] ^= 255  # in the second block
        with open("a.stamma", "wb") as file:
            file.write(data)
        archive = stamma.open("a.stamma")
        for call in (lambda: [str(game) for game in archive], lambda: str(archive[100]), lambda: archive[90:100][5].comments and str(archive[95])):
            with self.assertRaises(stamma.CorruptError) as caught:
                call()
            self.assertEqual(caught.exception.file, "a.stamma")
            self.assertTrue(86 <= caught.exception.game < 172, caught.exception.game)
            self.assertIn(f"game {caught.exception.game + 1}", str(caught.exception))


class WrongTypes(unittest.TestCase):
    def test_positions_and_moves(self):
        for wrong in (5, b"e4", ["e4"], object(), stamma.Position):
            with self.assertRaises(TypeError):
                stamma.Position(wrong)
        for wrong in (None, 1.5, b"e4", object()):
            for call in (stamma.Position().san, stamma.Position().make, lambda move: stamma.encode(move, "san")):
                with self.assertRaises(TypeError):
                    call(wrong)


class Values(InFolder):
    def setUp(self):
        super().setUp()
        self.archive = stamma.open(ARCHIVE)

    def test_slices(self):
        find = self.archive.find
        day = datetime.date(1965, 8, 8)
        for value, text in ((slice(20, 40), "20..40"), (slice(20, None), "20.."), (slice(None, 40), "..40")):
            self.assertEqual(find(plies=value).numbers(), find(plies=text).numbers())
        self.assertEqual(find(date=slice(day, day)).numbers(), find(date="1965.08.08").numbers())
        self.assertEqual(find(date=slice("1960", datetime.datetime(1970, 1, 1, 5))).numbers(), find(date="1960..1970-01-01").numbers())
        for value in (slice(None), slice(1, 9, 2)):
            with self.assertRaisesRegex(ValueError, "a slice has a start or an end"):
                find(plies=value)

    @unittest.skipUnless(has("numpy") and has("pandas"), "there is no NumPy or pandas")
    def test_dates_of_other_packages(self):
        import numpy
        import pandas
        expected = self.archive.find(date="1965.08.08").numbers()
        self.assertTrue(expected)
        for day in (pandas.Timestamp("1965-08-08 12:00"), numpy.datetime64("1965-08-08"), numpy.datetime64("1965-08-08T05:00")):
            self.assertEqual(self.archive.find(date=day).numbers(), expected)
            self.assertEqual(self.archive.find(date=slice(day, day)).numbers(), expected)
        self.assertEqual(self.archive.find(plies=numpy.int64(45)).numbers(), self.archive.find(plies=45).numbers())

    def test_tags_are_a_dict(self):
        self.assertEqual(dict(self.archive[0].tags)["Site"], "London ENG")
        self.assertEqual(self.archive.find(player="Tal").count(), len(list(self.archive.find(player="Tal"))))


@unittest.skipUnless(has("chess"), "there is no python-chess")
class PythonChess(InFolder):
    def setUp(self):
        super().setUp()
        import chess.pgn
        self.chess = chess
        with open(GAMES, encoding="utf-8") as file:
            self.game = chess.pgn.read_game(file)

    def test_it_is_not_imported(self):
        code = "import sys, stamma; stamma.open(stamma.pack(b'1. e4 *')).tree('e4'); assert 'chess' not in sys.modules"
        subprocess.run([sys.executable, "-c", code], check=True)

    def test_boards_and_moves(self):
        board = self.chess.Board()
        board.push_san("e4")
        position = stamma.Position().make("e4")
        self.assertEqual(stamma.Position(board), position)
        move = self.chess.Move.from_uci("c7c5")
        self.assertEqual((position.san(move), position.make(move)), ("c5", position.make("c5")))
        self.assertTrue(position.is_legal(move))
        self.assertFalse(position.is_legal(self.chess.Move.from_uci("c2c4")))
        self.assertEqual(stamma.encode(move, "san", board).text, "c5")
        archive = stamma.open(ARCHIVE)
        self.assertEqual(archive.tree(board).games, archive.tree("e4").games)
        self.assertEqual(archive.find(fen=board).numbers(), archive.find(moves="e4").numbers())
        self.assertEqual(archive.find(moves=board).numbers(), archive.find(moves="e4").numbers())
        self.assertEqual(archive.find(moves=[self.chess.Move.from_uci("e2e4")]).numbers(), archive.find(moves="e4").numbers())
        self.assertEqual(stamma.encode_position(board, "fen"), stamma.encode_position(position, "fen"))
        self.assertEqual(stamma.boards()[0].perft(board, 2), position.perft(2))

    def test_castling(self):
        for fen, uci, chess960 in (("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", False), ("4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1", "f1g1", True)):
            board = self.chess.Board(fen, chess960=chess960)
            position = stamma.Position(board)
            move = self.chess.Move.from_uci(uci)
            self.assertEqual(position.san(move), "O-O")
            board.push(move)
            self.assertEqual(position.make(move), stamma.Position(board))

    def test_games(self):
        archive = stamma.open(stamma.pack([self.game, self.game]))
        self.assertEqual([game.san for game in archive], [stamma.open(ARCHIVE)[0].san] * 2)
        self.assertEqual(archive[0].white, "Anderssen, Adolf")
        self.assertEqual(len(stamma.open(stamma.pack(self.game))), 1)
        self.assertEqual(stamma.encode_game(self.game, "arithmetic"), stamma.encode_game(archive[0], "arithmetic"))
        self.assertEqual(stamma.survey([self.game], "tarrasch")[0].plies, len(archive[0]))
        self.assertEqual(len(stamma.predict_game(self.game)), len(archive[0]))
        self.assertEqual(stamma.open(ARCHIVE).tree(self.game).position, archive[0].positions()[-1])
        self.game.headers["White"] = "Jos\u00e9"
        self.assertEqual(stamma.open(stamma.pack(self.game))[0].white, "Jos\u00e9")


if __name__ == "__main__":
    unittest.main()
