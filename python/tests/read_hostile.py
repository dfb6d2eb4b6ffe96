# SPDX-License-Identifier: MIT
"""Reads damaged and hostile archives in every way. Each way may raise an exception of the package, and must not crash.

usage: read_hostile.py FIRST LAST     numbers of inputs; prints each before it is read

Input n is an archive of `fuzz/corpus` with changed bytes, cut off, or with changed fields and valid checksums. The last
kind needs the fuzzer's mutator as a shared library (tests/python/python.sh). The same numbers produce the same inputs.
"""
import ctypes
import glob
import io
import os
import random
import sys

import stamma

ROOM = 4096  # bytes by which the mutator may extend an archive
KINDS = ("bits", "bytes", "cut", "fields", "fields", "fields")


def seeds():
    """Returns the archives that are changed."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "fuzz", "corpus")
    paths = sorted(path for name in ("archive", "columns") for path in glob.glob(os.path.join(folder, name, "*.stamma")))
    found = []
    for path in paths:
        with open(path, "rb") as file:
            found.append(file.read())
    return [data for data in found if len(data) < 100_000]


class Mutator:
    def __init__(self):
        path = os.environ.get("STAMMA_MUTATOR")
        self.library = ctypes.CDLL(path) if path else None

    def change(self, data, seed):
        """Changes fields of an archive, whose checksums remain valid, one to four times."""
        if not self.library:
            return data
        size = ctypes.c_size_t(len(data))
        room = len(data) + ROOM
        buffer = ctypes.create_string_buffer(data, room)
        self.library.LLVMFuzzerCustomMutator.restype = ctypes.c_size_t
        for turn in range(1 + seed % 4):
            size = ctypes.c_size_t(self.library.LLVMFuzzerCustomMutator(buffer, size, ctypes.c_size_t(room),
                                                                        ctypes.c_uint(seed + turn)))
        return buffer.raw[:size.value]


def damage(data, kind, chance, mutator):
    changed = bytearray(data)
    if kind == "fields":
        return mutator.change(data, chance.randrange(1 << 30))
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(changed))
        changed[place] = changed[place] ^ 1 << chance.randrange(8) if kind == "bits" else chance.randrange(256)
    return bytes(changed[:chance.randrange(len(changed))] if kind == "cut" else changed)


def read_games(data):
    for game in stamma.open(data):
        str(game), game.tags, game.san, game.uci, game.clocks, game.evaluations, game.items, game.comments, game.nags
        game.positions()


def read_columns(data, table, **options):
    archive = stamma.open(io.BytesIO(data) if table == "plies" else data)
    names = [column.name for column in archive.table_columns(table) if column.name != "bits"]
    table = getattr(archive, table)(names, batch_rows=64, **options)
    reader = table._batches(None)
    for _ in iter(reader.next, None):
        pass
    try:
        import pyarrow
    except ImportError:
        return
    try:
        for batch in pyarrow.RecordBatchReader.from_stream(table):
            batch.validate(full=True)
    except OSError as error:
        raise stamma.CorruptError(str(error))


def ways(data):
    """Returns functions that read an archive."""
    archive = lambda: stamma.open(data)  # noqa: E731
    return (lambda: read_games(data),
            lambda: read_columns(data, "games"),
            lambda: read_columns(data, "plies"),
            lambda: read_columns(data, "positions", sample=2, shuffle=50),
            lambda: read_columns(data, "games", sound_only=True, threads=1),
            lambda: stamma.open(io.BytesIO(data)).text(),
            lambda: archive().find(fen="8/8/8/8/8/8/8/8", moves="e4", threads=1).indices(),
            lambda: archive().find(comment="a", white="a", sound_only=True).count(),
            lambda: archive().tree("e4", history=True).to_dict(),
            lambda: archive().stats().to_dict(),
            lambda: archive().info().to_dict(),
            lambda: stamma.verify(data).sound_counts,
            lambda: stamma.repair(data),
            lambda: stamma.merge([data, data]),
            lambda: stamma.recompress(data, level=1))


def main(first, last):
    originals, mutator = seeds(), Mutator()
    raised = 0
    for number in range(first, last):
        print(number, flush=True)
        chance = random.Random(number)
        data = damage(chance.choice(originals), chance.choice(KINDS), chance, mutator)
        for way in ways(data):
            try:
                way()
            except stamma.StammaError:
                raised += 1
    print("raised", raised)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
