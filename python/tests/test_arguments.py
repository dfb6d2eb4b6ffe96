# SPDX-License-Identifier: MIT
"""Values of rules, wrong arguments, closed archives, and the names of files in errors."""
import datetime
import shutil

import stamma
from support import ARCHIVE, InFolder, has


class Arguments(InFolder):
    def setUp(self):
        super().setUp()
        shutil.copy(ARCHIVE, "games.stamma")
        self.archive = stamma.open("games.stamma")

    def test_ranges_and_dates_as_values(self):
        find = self.archive.find
        self.assertGreater(find(plies="20..40").count(), 0)
        self.assertEqual(find(plies=range(20, 41)).indices(), find(plies="20..40").indices())
        self.assertEqual(find({"any": [{"plies": range(20, 41)}]}).indices(), find(plies="20..40").indices())
        self.assertGreater(find(date="1965.08.08").count(), 0)
        self.assertEqual(find(date=datetime.date(1965, 8, 8)).indices(), find(date="1965.08.08").indices())
        for numbers in (range(20, 20), range(20, 40, 2)):
            with self.assertRaisesRegex(ValueError, "a range is not empty and has no step"):
                find(plies=numbers)

    def test_text_that_is_no_query(self):
        for call in (self.archive.find, self.archive.stats, stamma.Query, lambda query: self.archive.games(["white"], query)):
            with self.assertRaisesRegex(stamma.QueryError, "keywords") as caught:
                call("player=Tal")
            self.assertEqual((caught.exception.query, caught.exception.byte), ("player=Tal", 1))
        for query in (5, ["player"], b"{}"):
            with self.assertRaisesRegex(TypeError, "not " + type(query).__name__):
                self.archive.find(query)

    def test_text_of_games(self):
        for value in (5, None, [5]):
            self.assertRaises(TypeError, stamma.parse_pgn, value)
        self.assertEqual(stamma.parse_pgn(bytearray(b"1. e4 *"))[0].san, ["e4"])

    def test_no_columns(self):
        for table in (self.archive.games, self.archive.plies, self.archive.positions):
            with self.assertRaisesRegex(ValueError, "at least one name"):
                table([])

    def test_closed_archives(self):
        table, found, game = self.archive.games(["white"]), self.archive.find(player="Tal"), self.archive[19]
        white = game.white
        self.archive.close()
        self.assertEqual(game.white, white)
        for call in (table.__arrow_c_stream__, found.count, lambda: game.san, lambda: self.archive[0]):
            with self.assertRaisesRegex(ValueError, "the archive is closed"):
                call()

    def test_names_of_files_in_errors(self):
        with open("games.stamma", "r+b") as file:
            file.seek(3000)
            file.write(bytes(100))
        if has("numpy"):
            table = stamma.open("games.stamma").positions(["board"])
            with self.assertRaises(stamma.CorruptError) as caught:
                list(table.batches())
            self.assertEqual(caught.exception.file, "games.stamma")
        with self.assertRaises(FileNotFoundError) as missing:
            stamma.unpack(ARCHIVE, "nowhere/games.pgn")
        self.assertTrue(missing.exception.filename.endswith("nowhere/games.pgn"))
