# SPDX-License-Identifier: MIT
"""Positions with random access, as NumPy values and as tensors, equal the rows of the table of positions."""
import pickle
import random
import unittest

import stamma
from support import ARCHIVE, InFolder, has


@unittest.skipUnless(has("numpy"), "there is no NumPy")
class Indexed(InFolder):
    def setUp(self):
        super().setUp()
        with open(ARCHIVE, "rb") as file:
            data = file.read()
        stamma.merge([data, stamma.pack(b"1. e4 -- 2. d4 *\n\n*\n\n1. d4 *\n")], "a.stamma")
        with open("b.stamma", "wb") as file:
            file.write(data)

    def rows(self, columns, **rules):
        import numpy
        batches = [batch for path in ("a.stamma", "b.stamma") for batch in stamma.open(path).positions(columns, **rules).batches()]
        return [numpy.concatenate([batch[name] for batch in batches]) for name in columns]

    def test_every_position(self):
        columns = ["board", "move_index", "game", "ply"]
        expected = self.rows(columns)
        data = stamma.training.IndexedPositions("?.stamma", columns=columns, games=3)
        self.assertEqual(len(data), len(expected[0]))
        indices = list(range(len(data)))
        random.Random(1).shuffle(indices)
        for index in (slice(None), indices[:500], range(4800, 4830), [len(data) - 1, 0, -1]):
            chosen = list(range(len(data)))[index] if isinstance(index, slice) else [i % len(data) for i in index]
            for found, column in zip(data[index], expected):
                self.assertTrue((found == column[chosen]).all())
        one = data[-1]
        self.assertTrue((one[0] == expected[0][-1]).all() and int(one[3]) == expected[3][-1])
        self.assertEqual([len(column) for column in data[[]]], [0] * 4)

    def test_queries_and_errors(self):
        rules = {"player": "Tal", "result": "1-0"}
        data = stamma.training.IndexedPositions(["a.stamma", "b.stamma"], columns=["game", "ply"], **rules)
        for found, column in zip(data[:], self.rows(["game", "ply"], **rules)):
            self.assertEqual(found.tolist(), column.tolist())
        self.assertEqual(len(stamma.training.IndexedPositions("a.stamma", player="No Such")), 0)
        for index in (len(data), -len(data) - 1):
            with self.assertRaises(IndexError):
                data[index]
        with self.assertRaises(TypeError):
            data["0"]
        with self.assertRaises(stamma.TextError):
            stamma.training.IndexedPositions("a.stamma", columns=["bord"])
        with self.assertRaises(FileNotFoundError):
            stamma.training.IndexedPositions("c.stamma")

    def test_other_processes(self):
        data = stamma.training.IndexedPositions("a.stamma")
        first = data[7]
        copy = pickle.loads(pickle.dumps(data))
        self.assertEqual((copy[7][0].tolist(), int(copy[7][1])), (first[0].tolist(), int(first[1])))

    @unittest.skipUnless(has("torch"), "there is no PyTorch")
    def test_tensors(self):
        import torch
        data = stamma.torch.IndexedPositions("?.stamma")
        plain = stamma.training.IndexedPositions("?.stamma")
        self.assertIsInstance(data, torch.utils.data.Dataset)
        self.assertEqual(len(data), len(plain))
        self.assertEqual([value.tolist() for value in data[100]], [value.tolist() for value in plain[100]])
        order = torch.Generator().manual_seed(1)
        loader = torch.utils.data.DataLoader(data, batch_size=64, shuffle=True, num_workers=2, generator=order)
        boards, moves = zip(*loader)
        self.assertEqual(sum(map(len, boards)), len(data))
        self.assertEqual((moves[0].dtype, boards[0].dtype), (torch.int64, torch.uint8))
        self.assertEqual(sorted(torch.cat(moves).tolist()), sorted(plain[:][1].tolist()))

    @unittest.skipIf(has("torch"), "PyTorch is installed")
    def test_tensors_need_pytorch(self):
        with self.assertRaises(ModuleNotFoundError):
            stamma.torch


if __name__ == "__main__":
    unittest.main()
