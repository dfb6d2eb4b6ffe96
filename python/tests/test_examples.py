# SPDX-License-Identifier: MIT
"""The example programs in Python: the notebook draws its plots, and the training of a small network succeeds."""
import json
import os
import subprocess
import sys
import unittest

import stamma
from support import InFolder, corpus, has

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "examples")


class Examples(InFolder):
    @unittest.skipUnless(has("matplotlib") and has("duckdb") and has("pandas") and has("pyarrow"),
                         "there is no matplotlib, DuckDB, pandas or pyarrow")
    def test_notebook(self):
        os.environ["MPLBACKEND"] = "agg"
        import matplotlib.pyplot

        texts = corpus("lichess_dev", 1 << 40).split(b"\n[Event ")
        with_evaluations = [text for text in texts[1:] if b"%eval" in text][:400]
        stamma.pack(b"\n[Event ".join([b"", *texts[1:1000], *with_evaluations]), "games.stamma")
        with open(os.path.join(EXAMPLES, "analysis.ipynb"), encoding="utf-8") as file:
            cells = json.load(file)["cells"]
        names = {}
        for cell in cells:
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
        self.assertEqual(len(matplotlib.pyplot.get_fignums()), 3)
        self.assertEqual(len(names["shares"].columns), 6)
        self.assertGreater(len(names["blunders"]), 3)
        self.assertTrue((names["blunders"]["blunders"] <= 100).all() and names["blunders"]["blunders"].max() > 0)
        self.assertGreater(len(names["ratings"]), 2)
        matplotlib.pyplot.close("all")

    @unittest.skipUnless(has("numpy"), "there is no NumPy")
    def test_training(self):
        stamma.pack(corpus("lichess_dump_dev", 100_000), "games.stamma")
        command = [sys.executable, os.path.join(EXAMPLES, "train_policy.py"), "games.stamma", "--passes", "1"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        percent, _, _, tested, *_ = text.split()
        self.assertGreater(float(percent), 2)  # the first guess of an untrained network is right in 0.1 %
        self.assertGreater(int(tested), 300)

    @unittest.skipUnless(has("torch"), "there is no PyTorch")
    def test_training_with_pytorch(self):
        stamma.pack(corpus("lichess_dump_dev", 50_000), "games.stamma")
        command = [sys.executable, os.path.join(EXAMPLES, "train_policy_torch.py"), "games.stamma", "--epochs", "1"]
        texts = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(2)]
        accuracies = [text.splitlines()[1] for text in texts]
        self.assertEqual(accuracies[0], accuracies[1])  # the seed determines the order of positions
        self.assertRegex(accuracies[0], r"^\d+\.\d % of [1-9]\d* moves predicted$")


if __name__ == "__main__":
    unittest.main()
