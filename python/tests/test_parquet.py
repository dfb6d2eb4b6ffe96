# SPDX-License-Identifier: MIT
"""Games as rows of Parquet files: from_parquet and to_parquet."""
import io
import unittest

import stamma
from support import ARCHIVE, InFolder, has, odd_games


@unittest.skipUnless(has("pyarrow"), "there is no pyarrow")
class Parquet(InFolder):
    def rows(self, data):
        import pyarrow.parquet

        return pyarrow.parquet.read_table(io.BytesIO(data))

    def test_games_come_back(self):
        """Unusual tags, clocks and evaluations: the tags of the schema and the movetext are the same."""
        from stamma.lichess_rows import TAGS

        text = b"".join(game + b"\n\n" for game in odd_games(400, 5).split(b"\n\n\n"))
        data = stamma.pack(text)
        table = self.rows(stamma.to_parquet(data))
        back = stamma.open(stamma.from_parquet(io.BytesIO(stamma.to_parquet(data))))
        games = list(stamma.open(data))
        self.assertEqual((len(games), table.num_rows, len(back)), (400, 400, 400))
        for row, game, other in zip(table.to_pylist(), games, back):
            self.assertEqual(row["movetext"], str(game).rstrip("\n").split("\n\n", 1)[-1])
            self.assertEqual(row["movetext"], str(other).rstrip("\n").split("\n\n", 1)[-1])
            self.assertEqual((game.san, game.clock_ms, game.evaluations), (other.san, other.clock_ms, other.evaluations))
            for name, kind in TAGS.items():
                if kind == "string" and name in game.tags:
                    self.assertEqual(game.tags[name], other.tags[name])
        self.assertTrue(self.rows(stamma.to_parquet(back)).equals(table))

    def test_conditions_files_and_bad_rows(self):
        import pyarrow
        import pyarrow.parquet

        with self.assertWarnsRegex(UserWarning, "3 games are omitted: the schema has no column for their initial position"):
            self.assertEqual(stamma.to_parquet(ARCHIVE, "won.parquet", result="1-0"), 48)
        self.assertEqual(stamma.from_parquet(["won.parquet", "won.parquet"], "won.stamma").games, 96)
        with self.assertRaises(FileExistsError):
            stamma.from_parquet("won.parquet", "won.stamma")
        pyarrow.parquet.write_table(pyarrow.table({"movetext": ["1. e4 *", None]}), "bad.parquet")
        with self.assertRaisesRegex(ValueError, "bad.parquet: row 2: movetext is null; expected moves"):
            stamma.from_parquet("bad.parquet", "bad.stamma")
        bad = []
        self.assertEqual(stamma.from_parquet("bad.parquet", "bad.stamma", bad_rows=bad).games, 1)
        self.assertEqual([(row.file, row.row) for row in bad], [("bad.parquet", 2)])
