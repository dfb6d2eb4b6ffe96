# SPDX-License-Identifier: MIT
"""Packs games with the library and decodes them with reference/decode_archive.py. The inputs are the sample games, the
nasty files (only the start of large ones), and pieces of every corpus with arbitrary ends. Run by archive_decoder.sh.

Decodes every sixth piece. With LONG=1, decodes all pieces, and at level 1 every nasty file and the development corpora
completely, which needs twelve minutes of processor time.
"""
import glob
import io
import multiprocessing
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "reference"))
import decode_archive
from archive_values import Violation

STAMMA = os.environ.get("STAMMA", "build/stamma")
SHARED = os.environ.get("SHARED", "../shared")
LONG = os.environ.get("LONG")
EVERY = 1 if LONG else 6
NASTY_SIZE = 40000
PIECE_SIZE = 60000
PREDICTED_SIZE = 2500  # at levels 2 and 3, where the slow decoder needs 10 to 20 ms per move
PIECE_STARTS = (0, 1000003)
ALWAYS = [("data/games.pgn", 0, size, level) for size, level in ((None, 1), (PREDICTED_SIZE, 2), (2 * PREDICTED_SIZE, 3))]


def inputs():
    """Yields (name, start, size, level) of every piece to pack; size None means to the end."""
    corpora = sorted(glob.glob(os.path.join(SHARED, "corpora", "*.pgn.zst")))
    nasty = sorted(glob.glob(os.path.join(SHARED, "corpora", "nasty", "*", "*")), key=os.path.getsize)
    if LONG:
        yield from ((name, 0, None, 1) for name in nasty)
        yield from ((name, 0, PREDICTED_SIZE, 2 + number % 2) for number, name in enumerate(nasty))
        yield from ((name, 0, None, 1) for name in corpora if "_dev" in name)
    for start in PIECE_STARTS:
        yield from ((name, start, PIECE_SIZE, 1) for name in corpora)
        yield from ((name, start, PREDICTED_SIZE, level) for name in corpora if "_dev" in name for level in (2, 3))
    yield from ((name, 0, NASTY_SIZE, 1) for name in nasty)


def read_piece(name, start, size):
    if not name.endswith(".pgn.zst"):
        with open(name, "rb") as file:
            file.seek(start)
            return file.read(size)
    zstd = subprocess.Popen(["zstd", "-dcq", "--long=27", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with zstd:
        zstd.stdout.read(start)
        piece = zstd.stdout.read(size)
        zstd.stdout.close()
    return piece


def check(piece):
    """Returns an error message for (name, start, size, level), or None."""
    text = read_piece(*piece[:3])
    packed = subprocess.run([STAMMA, "pack", "--raw", "-q", "--level=%d" % piece[3], "-o", "-", "-"], input=text, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False)
    if packed.returncode != 0:
        return "pack ended with %d: %s" % (packed.returncode, packed.stderr.decode("latin-1"))
    out = io.BytesIO()
    with tempfile.TemporaryFile() as file:
        file.write(packed.stdout)
        file.flush()
        try:
            decode_archive.unpack(decode_archive.Archive(file), 1, None, out.write)
        except Violation as violation:
            return str(violation)
    return None if out.getvalue() == text else "it decodes to other bytes"


def main():
    predicts = subprocess.run([STAMMA, "predict", "--json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    pieces = [piece for piece in ALWAYS + list(inputs())[::EVERY] if predicts or piece[3] == 1]
    failed = 0
    with multiprocessing.Pool() as pool:
        for piece, problem in zip(pieces, pool.imap(check, pieces)):
            if problem:
                failed += 1
                print("%s from byte %d at level %d: %s" % (piece[0], piece[1], piece[3], problem))
        pool.close()
        pool.join()
    if len(pieces) <= len(ALWAYS):
        print("only the sample games: ../shared is not here")
    print("%d pieces of files decoded%s" % (len(pieces), ", %d wrongly" % failed if failed else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
