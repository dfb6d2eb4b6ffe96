# SPDX-License-Identifier: MIT
"""The examples of all docstrings run, and the package is documented and typed."""
import doctest
import importlib
import inspect
import os
import pkgutil
import re
import shutil
import unittest

import stamma
from support import ARCHIVE, GAMES, InFolder, has

OPTIONAL = ((set() if has("torch") else {"torch"}) | (set() if has("numpy") else {"arrays", "tables", "training"}) |
            (set() if has("pyspark") else {"spark", "spark_answers", "spark_source", "spark_writer"}))


def modules():
    names = [module.name for module in pkgutil.iter_modules(stamma.__path__)]
    return [importlib.import_module("stamma." + name) for name in names if name != "_stamma" and name not in OPTIONAL]


class Documentation(InFolder):
    def setUp(self):
        super().setUp()
        shutil.copy(GAMES, "games.pgn")
        shutil.copy(ARCHIVE, "games.stamma")

    def test_examples(self):
        attempted = 0
        for module in [stamma, *modules()]:
            results = doctest.testmod(module)
            self.assertEqual(results.failed, 0, module.__name__)
            attempted += results.attempted
        self.assertGreater(attempted, 80)

    def members(self, name):
        """Returns the public methods, properties and fields of a class."""
        value = getattr(stamma, name)
        fields = [*getattr(value, "_fields", ()), *getattr(value, "__dataclass_fields__", ())]
        slots = [slot for slot in getattr(value, "__slots__", ()) if not slot.startswith("_")]
        own = [member for member, found in vars(value).items()
               if not member.startswith("_") and (callable(found) or isinstance(found, (property, classmethod, staticmethod)))]
        return dict.fromkeys([*fields, *slots, *own])

    def test_every_member_has_a_docstring(self):
        for name in stamma.__all__:
            value = getattr(stamma, name)
            self.assertTrue(isinstance(value, str) or inspect.getdoc(value), name)
            if not inspect.isclass(value):
                continue
            described = inspect.getdoc(value)
            for member in self.members(name):
                found = inspect.getattr_static(value, member, None)
                function = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
                text = described if not inspect.isfunction(function) else function.__doc__ or ""
                if inspect.isfunction(function):
                    self.assertTrue(text.strip(), f"{name}.{member}")
                else:
                    self.assertRegex(text, r"(``|, |`)%s\b" % member, f"{name}.{member}")

    def test_every_name_is_in_the_manual(self):
        with open(os.path.join(os.path.dirname(__file__), "..", "..", "doc/reference/python.md"), encoding="utf-8") as file:
            page = file.read()
        named = set(re.findall(r"`(?:stamma\.)?(\w+)(?:\(\))?`", page))
        self.assertEqual(set(stamma.__all__) - named, set())
        for name in ("Archive", "Game", "Found", "Table", "Position", "StammaError"):
            missing = set(self.members(name)) - named - {"untyped", "bits", "clocks", "times_spent"}  # earlier names
            self.assertEqual(missing, set(), name)

    def test_it_is_typed(self):
        folder = os.path.dirname(stamma.__file__)
        self.assertTrue(os.path.exists(os.path.join(folder, "py.typed")))
        with open(os.path.join(folder, "_stamma.pyi"), encoding="utf-8") as file:
            stub = file.read()
        for name in dir(stamma._stamma):
            if not name.startswith("__"):
                self.assertRegex(stub, r"\b(class |def )?%s\b" % name)


class Chess(unittest.TestCase):
    def test_all_encodings(self):
        moves = "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O".split()
        position = stamma.Position()
        for move in moves:
            for name, code in stamma.encode(move, position=position).items():
                encoding = next(known for known in stamma.encodings() if known.name == name)
                if encoding.is_partial or encoding.kind == "game":
                    continue
                self.assertEqual(stamma.decode(code, name, position), position.parse(move), name)
                self.assertEqual(stamma.decode(code.text, name, position), position.parse(move), name)
            position = position.make(move)
        for encoding in stamma.encodings():
            if not encoding.is_partial:
                data = stamma.encode_game(moves, encoding.name)
                played = stamma.decode_game(data, encoding.name)
                self.assertEqual([move.uci for move in played][:2], ["e2e4", "e7e5"], encoding.name)
                with self.assertRaises(stamma.StammaError):
                    stamma.decode_game(b"\xff" * 40, encoding.name)
        for encoding in stamma.position_encodings():
            code = stamma.encode_position(position, encoding.name)
            if not encoding.is_partial:
                self.assertEqual(stamma.decode_position(code, encoding.name), position, encoding.name)

    def test_errors(self):
        for call, kind in ((lambda: stamma.Position("x"), stamma.TextError),
                           (lambda: stamma.Position().parse("e5"), stamma.IllegalError),
                           (lambda: stamma.Position().make(1), stamma.IllegalError),
                           (lambda: stamma.Position("4k3/8/8/8/8/8/8/R3K2R w - -").parse("R"), stamma.TextError),
                           (lambda: stamma.Position("4k3/8/8/8/8/8/4K3/R6R w - -").parse("Rd1"), stamma.AmbiguousError),
                           (lambda: stamma.Position.chess960(960), stamma.ArgumentError),
                           (lambda: stamma.decode("1111111", "legal-index"), stamma.CorruptError),
                           (lambda: stamma.encode("e4", "no-such"), ValueError),
                           (lambda: stamma.Query({"plyer": 1}), stamma.QueryError),
                           (lambda: stamma.predict("e4 e4"), stamma.IllegalError)):
            with self.assertRaises(kind) as caught:
                call()
            self.assertIsInstance(caught.exception, ValueError if kind is not stamma.CorruptError else stamma.StammaError)

    def test_probabilities_add_up(self):
        self.assertEqual(sum(prediction.probability for prediction in stamma.predict("e4 c5 Nf3")), 1)

    def test_pgn(self):
        with open(GAMES, "rb") as file:
            text = file.read()
        parsed = stamma.parse_pgn(text)
        packed = stamma.open(ARCHIVE)
        self.assertEqual(len(parsed), len(packed))
        for one, other in zip(parsed, packed):
            self.assertEqual((one.san, one.tags, one.start), (other.san, other.tags, other.start))


if __name__ == "__main__":
    unittest.main()
