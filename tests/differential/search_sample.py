#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a sample of the games of some collections to one PGN file. The sample is the same every time.

usage: search_sample.py OUT.pgn FOLDER NAME:GAMES..."""
import os
import re
import subprocess
import sys
import tempfile

from search_games import texts_of

MOVES = re.compile(r"^[^\[\s]", re.M)
TAG = re.compile(r'^\[[A-Z]\w* "', re.M)


def tags_after_moves(text):
    """Returns whether tags follow the moves. They belong to the next game, which may be another game in the sample."""
    moves = MOVES.search(text)
    return moves and TAG.search(text, moves.end())


def main():
    out, folder, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(out, "wb") as file, tempfile.TemporaryDirectory() as work:
        for name in names:
            name, wanted = re.fullmatch(r"(\w+):(\d+)", name).groups()
            path = os.path.join(folder, name + ".pgn.zst")
            if not os.path.exists(path):
                continue
            unpacked = os.path.join(work, "games.pgn")
            subprocess.run(["zstd", "-dcqf", "--long=27", path, "-o", unpacked], check=True)
            texts = texts_of(unpacked)
            texts = [text for text in texts if not tags_after_moves(text)]
            for text in texts[::max(1, len(texts) // int(wanted))][:int(wanted)]:
                file.write(text.rstrip().encode("latin-1") + b"\n\n")


main()
