# SPDX-License-Identifier: MIT
"""Reading one very large game needs steps in proportion to its size. Steps of Python are counted, not time."""
import sys
import unittest

import stamma
from stamma import games

SHUFFLE = ("Nf3", "Nf6", "Ng1", "Ng8")


def steps(function):
    """Returns the number of lines, calls and returns of Python code that a function executes, and its result."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        result = function()
    finally:
        sys.settrace(before)
    return count, result


def pgn(n):
    """Returns a game with n tags, a repeated tag, n moves with comments, NAGs and variations, and n comments and NAGs of
    one move."""
    tags = "".join('[Tag%d "%d"]\n[Annotator "name %d"]\n' % (i, i, i) for i in range(n))
    notes = " ".join("{note %d} $%d" % (i, i % 139 + 1) for i in range(n))
    moves = " ".join("%s {[%%clk 0:00:%02d] %d} $%d (%s)" % (SHUFFLE[i % 4], i % 60, i, i % 139 + 1, "d5" if i % 2 else "d4") for i in range(n))
    return '[Event "x"]\n[Result "1-0"]\n%s\n%s %s 1-0\n\n' % (tags, moves, notes)


ARCHIVED = {
    "tags": lambda game: game.tags,
    "each tag": lambda game: [game[name] for name in game.tags],
    "names": lambda game: [name in game for name, _ in game.tag_pairs] + ["Nobody" in game] * len(game),
    "missing tags": lambda game: [game.get("No%d" % n) for n in range(len(game))],
    "comments": lambda game: game.comments,
    "nags": lambda game: game.nags,
    "items": lambda game: game.items,
    "moves": lambda game: (game.moves, game.san, game.uci),
    "positions": lambda game: game.positions(),
    "clocks": lambda game: (game.clock_ms, game.evaluations, game.time_spent_ms),
    "members": lambda game: game.to_dict(),
    "text": lambda game: (bytes(game), str(game), hash(game)),
}
PARSED = {
    "tags": lambda game: game.tags,
    "moves": lambda game: (game.moves, game.san),
    "nodes": lambda game: [(node.ply, node.comments, node.nags, node.children) for node in game.root.main_line()],
}


class GameSize(unittest.TestCase):
    def compare(self, work, make):
        """Compares the steps for a game with those for one of four times the size."""
        for name, function in work.items():
            few, many = (steps(lambda: function(make(n)))[0] for n in (300, 1200))
            self.assertLess(many, 5 * few, name)

    def test_games_of_archives(self):
        archives = {n: stamma.open(stamma.pack(pgn(n).encode())) for n in (300, 1200)}
        self.compare(ARCHIVED, lambda n: archives[n][0])

    def test_parsed_games(self):
        texts = {n: pgn(n) for n in (300, 1200)}
        self.compare(PARSED, lambda n: stamma.parse_pgn(texts[n])[0])

    def test_values_of_many_tags(self):
        few, many = (stamma.open(stamma.pack(pgn(n).encode()))[0] for n in (4, 400))
        self.assertGreater(len(many.tag_pairs), games._TAGS_FEW)
        self.assertLess(len(few.tag_pairs), games._TAGS_FEW)
        for game in few, many:
            self.assertEqual([game[name] for name in ("Event", "Tag3", "Annotator")], ["x", "3", "name 0"])
            self.assertEqual((game.get("Nobody"), game.get("Nobody", "x")), (None, "x"))
            self.assertIn("Annotator", game)
            self.assertNotIn("Nobody", game)
            self.assertNotIn(3, game)
            with self.assertRaises(KeyError):
                game["Nobody"]
        self.assertEqual([node.ply for node in stamma.parse_pgn("1. e4 (1. d4 d5 (1... Nf6)) e5 *")[0].root.main_line()], [1, 2])


if __name__ == "__main__":
    unittest.main()
