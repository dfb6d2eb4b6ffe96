# SPDX-License-Identifier: MIT
"""Pictures and tables for notebooks: their structure, and text of games that looks like markup."""
import unittest
import xml.etree.ElementTree as xml

import stamma
from support import ARCHIVE, has

HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "&lt;b&gt;", "</td></table><h1>", "<!-- ", "\u202e]]>", "javascript:x'"]


def hostile_archive():
    """Returns an archive whose tags, comments and results are markup."""
    games = []
    for text in HOSTILE:
        value = text.replace("\\", "\\\\").replace('"', '\\"')
        tags = "".join(f'[{name} "{value}"]\n' for name in ("Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO", "Opening", "WhiteElo"))
        games.append(f"{tags}\n1. e4 {{{text.replace('}', '')}}} e5 *\n")
    return stamma.open(stamma.pack("\n".join(games).encode() + b'\n[White "\xff\xfe<b>"]\n\n1. d4 *\n'))


def elements(text):
    """Returns the names of the elements of well-formed markup, and its text."""
    root = xml.fromstring(f"<root>{text.replace('<br>', '<br/>')}</root>")
    return {element.tag.rpartition("}")[2] for element in root.iter()}, "".join(root.itertext())


class Pictures(unittest.TestCase):
    def test_board(self):
        position = stamma.Position()
        svg = xml.fromstring(position._repr_svg_())
        names = [element.tag.rpartition("}")[2] for element in svg]
        self.assertEqual((names.count("rect"), names.count("text")), (64, 32 + 16))
        flipped = stamma.display.board_svg(position, flipped=True, size=100)
        self.assertNotEqual(flipped, stamma.display.board_svg(position, size=100))
        self.assertIn('width="100"', flipped)

    def test_last_move_is_marked(self):
        game = stamma.open(ARCHIVE)[0]
        self.assertEqual(game._repr_svg_().count(stamma.display._MARKED), 2)
        self.assertEqual(stamma.open(stamma.pack(b"*"))[0]._repr_svg_().count(stamma.display._MARKED), 0)

    def test_black_at_the_bottom_has_a1_in_the_corner(self):
        svg = stamma.display.board_svg(stamma.Position("7k/8/8/8/8/8/8/K7 w - -"), flipped=True)
        king = next(part for part in svg.split("<text ") if 'fill="#fff"' in part)
        self.assertIn('x="337.5" y="36.0"', king)


class Tables(unittest.TestCase):
    def test_game(self):
        names, text = elements(stamma.open(ARCHIVE)[0]._repr_html_())
        self.assertIn("svg", names)
        self.assertIn("Anderssen, Adolf – Kieseritzky, Lionel", text)
        self.assertIn("1. e4 e5 2. f4 exf4", text)
        self.assertIn("London ENG, 1851-06-21, C33", text)
        black = stamma.open(stamma.pack(b'[FEN "4k3/8/8/8/8/8/4p3/K7 b - - 0 7"]\n\n7... Kd7 8. Ka2 *\n'))[0]
        self.assertIn("7... Kd7 8. Ka2 *", elements(black._repr_html_())[1])

    def test_lists_of_games(self):
        archive = stamma.open(ARCHIVE)
        for value, rows in ((archive, 10), (archive.find(white="Tal", result="1-0"), 3)):
            names, text = elements(value._repr_html_())
            self.assertEqual(value._repr_html_().count("<tr>"), rows + 1)
            self.assertIn("the first games of <", text)

    @unittest.skipUnless(has("numpy"), "there is no NumPy")
    def test_table(self):
        archive = stamma.open(ARCHIVE)
        shown = archive.games(["number", "white", "white_rating", "date", "san"], progress=True)._repr_html_()
        names, text = elements(shown)
        self.assertEqual(shown.count("<tr>"), 11)
        self.assertIn("Anderssen, Adolf", text)
        self.assertIn("['e4', 'e5',", text)
        self.assertNotIn(">0<", shown)  # missing ratings are empty
        self.assertEqual(archive.games(["white"], player="No Such")._repr_html_().count("<tr>"), 1)

    def test_text_of_games_is_escaped(self):
        archive = hostile_archive()
        values = [archive, archive.find(), *archive]
        if has("numpy"):
            values += [archive.games(), archive.games(["text", "comments", "white"]), archive.plies()]
        for value in values:
            names, text = elements(value._repr_html_())
            self.assertFalse(names - {"root", "table", "thead", "tbody", "tr", "th", "td", "p", "div", "b", "br", "svg", "rect", "text"}, names)
        shown = archive[0]._repr_html_()
        self.assertIn("&lt;script&gt;", shown)
        self.assertIn(HOSTILE[1], elements(archive[1]._repr_html_())[1])
        for game in archive:
            xml.fromstring(game._repr_svg_())


if __name__ == "__main__":
    unittest.main()
