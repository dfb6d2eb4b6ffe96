#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that this program writes the archives in tests/data/written again with the same bytes, and that they unpack to
the packed text.

usage: written_archives.py             exits with status 1 if an archive would be written differently, or if the
                                       library or the slow decoder (LONG=1: for all archives) does not return the packed
                                       text
       written_archives.py --write     writes the archives, and written.md, which describes each of them in a line

The inputs are data/games.pgn and texts that this script makes. Bytes are only compared if the version of zstd is the
version with which the archives were written.
"""
import ctypes
import ctypes.util
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
WRITTEN = os.path.join(ROOT, "tests", "data", "written")
STAMMA = os.path.abspath(os.environ.get("STAMMA", "build/stamma"))
DECODER = os.path.join(ROOT, "reference", "decode_archive.py")
PYTHON_MAX = 20000  # bytes of text that the slow decoder decodes without LONG=1

FEATURES = rb"""[Event "Rated blitz game"]
[Site "https://lichess.org/abcdefgh"]
[Date "2024.01.06"]
[White "ann"]
[Black "bob"]
[Result "1-0"]
[UTCDate "2024.01.06"]
[UTCTime "10:00:00"]
[WhiteElo "1500"]
[BlackElo "1720"]
[TimeControl "180+2"]
[ECO "C20"]

1. e4 { [%eval 0.31] [%clk 0:03:00] } 1... e5 { [%eval 0.25] [%clk 0:03:00] } 2. Bc4 { [%eval -0.11] [%clk 0:02:58] }
2... Nc6?! { (0.10) Inaccuracy. Nf6 was best. } { [%eval 0.4] [%clk 0:02:55] } (2... Nf6 3. d3 (3. Nc3 Bb4) 3... c6)
3. Qh5! $14 { [%eval 0.12] [%clk 0:02:51] } 3... Nf6?? { [%eval #1] [%clk 0:02:50] } 4. Qxf7# { [%clk 0:02:49] } 1-0

[Event "Nine hundred and sixty"]
[White "Ann"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "rkr5/ppp5/8/8/8/8/PPP5/RKR5 w CAca - 0 9"]

9. O-O Re8 -- 1/2-1/2

[Event "M""" + b"\xfc" + rb"""nchen \"A\""]
[White "M""" + b"\xfc" + rb"""ller"]

1. d4 d5 {engine: 18 +0.35 2. c4 e6 3. Nc3 Nf6} ;rest of line
%escape
2. c4  $1 e6 *

[White "Broken"]

1. e4 e5 2. Ke3 Nc6 *

text after the last game
"""
CRLF = FEATURES.replace(b"\n", b"\r\n")


def sampled(games):
    random.seed(26)
    names = ["Player %d" % n for n in range(40)]
    return b"".join(b'[White "%s"]\n[Black "%s"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. %s a6 1-0\n\n' % (
        random.choice(names).encode(), random.choice(names).encode(), random.choice((b"Bb5", b"Bc4", b"d4"))) for _ in range(games))


def named(games):
    """Returns games with names of openings that differ from those of the table of openings."""
    random.seed(45)
    moves = b"e4 d4 c4 Nf3 b3 g3 f4 Nc3 e3 b4 g4 a3 h3 c3 d3 f3 a4 h4 Na3 Nh3".split()
    names = [bytes(random.choices(b"abcdefghijklmnopqrstuvwxyz", k=16)).capitalize() for _ in range(len(moves) + 1)]
    text = b""
    for n in range(games):
        opening = random.randrange(len(moves))
        text += b'[Event "Open of Town %d"]\n[White "Player %d"]\n[Opening "%s"]\n\n1. %s *\n\n' % (
            n // 3 * 37, random.randrange(60) * 7919, names[opening if random.randrange(20) else -1], moves[opening])
    return text


def inputs():
    with open(os.path.join(ROOT, "data", "games.pgn"), "rb") as file:
        games = file.read()
    three = b"[Event ".join(games.split(b"[Event ")[:4])
    return {"empty.pgn": b"", "one.pgn": b"1. e4 e5 *\n", "three.pgn": three, "games.pgn": games, "features.pgn": FEATURES,
            "crlf.pgn": CRLF, "noise.pgn": bytes(range(256)) * 4, "groups.pgn": sampled(200), "named.pgn": named(220), "many.pgn": b"1.e4 *\n" * 70000}


# name, description, inputs whose texts follow one another, commands; OUT is replaced by the output. An archive without
# commands was written by an earlier version, in a form that is still read but not written.
ARCHIVES = [
    ("empty", "an empty file", ["empty.pgn"], ["pack -o OUT empty.pgn"]),
    ("one", "a game of two plies", ["one.pgn"], ["pack -o OUT one.pgn"]),
    ("level1", "level 1, 66 games", ["games.pgn"], ["pack -1 -o OUT games.pgn"]),
    ("level2", "level 2: predicted moves", ["three.pgn"], ["pack -2 -o OUT three.pgn"]),
    ("level3", "level 3: adaptive moves", ["three.pgn"], ["pack -3 -o OUT three.pgn"]),
    ("level2-games", "level 2, 66 games", ["games.pgn"], ["pack -2 -o OUT games.pgn"]),
    ("level3-games", "level 3, 66 games: spelt texts, codec 10; lanes in codec 11", ["games.pgn"], ["pack -3 -o OUT games.pgn"]),
    ("level3-halves", "level 3 by 1.0.0-rc1: two lanes, codec 5", ["games.pgn"], []),
    ("level3-rc1", "level 3 before 1.0.0-rc2: mixed tag values, codec 8", ["three.pgn"], []),
    ("level3-games-rc1", "level 3 before 1.0.0-rc2: lanes in codec 9", ["games.pgn"], []),
    ("named", "names of openings: a map, codec 10", ["named.pgn"], ["pack -o OUT named.pgn"]),
    ("named-rc1", "the same before 1.0.0-rc2: names recalled by the opening", ["named.pgn"], []),
    ("named-level2", "the same at level 2", ["named.pgn"], ["pack -2 -o OUT named.pgn"]),
    ("named-level2-rc1", "the same at level 2 before 1.0.0-rc2", ["named.pgn"], []),
    ("named-level3", "the same at level 3: spelt texts", ["named.pgn"], ["pack -3 -o OUT named.pgn"]),
    ("named-level3-rc1", "the same at level 3 before 1.0.0-rc2: mixed tag values", ["named.pgn"], []),
    ("no-search-columns", "level 1 without search columns", ["three.pgn"], ["pack --no-search-columns -o OUT three.pgn"]),
    ("features", "clocks, evaluations, lines in comments, variations, NAGs, Chess960, Latin-1, illegal moves",
     ["features.pgn"], ["pack -o OUT features.pgn"]),
    ("features-level2", "the same at level 2", ["features.pgn"], ["pack -2 -o OUT features.pgn"]),
    ("features-level3", "the same at level 3", ["features.pgn"], ["pack -3 -o OUT features.pgn"]),
    ("crlf", "the same with CR LF", ["crlf.pgn"], ["pack -o OUT crlf.pgn"]),
    ("noise", "bytes that are no PGN", ["noise.pgn"], ["pack -o OUT noise.pgn"]),
    ("groups", "200 games: groups and shared beginnings", ["groups.pgn"], ["pack -o OUT groups.pgn"]),
    ("blocks", "70,000 games: more than a block's records", ["many.pgn"], ["pack -o OUT many.pgn"]),
    ("appended", "an append at another level", ["three.pgn", "features.pgn"], ["pack -o OUT three.pgn", "append -2 OUT features.pgn"]),
    ("recorded", "recorded files, the second appended", ["one.pgn", "three.pgn"],
     ["pack --record -o OUT one.pgn", "append OUT three.pgn"]),
    ("table", "nine blocks, and a table of them", ["one.pgn"] * 9, ["pack -o part one.pgn", "merge -o OUT" + 9 * " part"]),
]


def zstd_version():
    library = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
    library.ZSTD_versionString.restype = ctypes.c_char_p
    return library.ZSTD_versionString().decode()


def write(folder, name, commands):
    """Returns the bytes of an archive, and the commands that make it."""
    out = "good-written-%s.stamma" % name
    for command in commands:
        arguments = [out if word == "OUT" else word for word in command.split()]
        arguments.insert(1, "-q")
        subprocess.run([STAMMA] + arguments, cwd=folder, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600"})
    with open(os.path.join(folder, out), "rb") as file:
        return file.read()


def readme():
    lines = ["# Archives that were written", "", "Made by tests/format/written_archives.py --write with zstd %s, from data/games.pgn and texts in that script."
             % zstd_version(), ""]
    lines += ["- `good-written-%s.stamma`: %s" % (name, description) for name, description, _, _ in ARCHIVES]
    return "\n".join(lines) + "\n"


def check(folder, texts):
    """Yields an error message for each difference."""
    same_zstd = "with zstd %s," % zstd_version() in open(os.path.join(WRITTEN, "written.md"), encoding="utf-8").read()
    if not same_zstd:
        print("bytes are not compared: another version of zstd")
    for name, _, parts, commands in ARCHIVES:
        path = os.path.join(WRITTEN, "good-written-%s.stamma" % name)
        with open(path, "rb") as file:
            archive = file.read()
        text = b"".join(texts[part] for part in parts)
        if same_zstd and commands and write(folder, name, commands) != archive:
            yield name + ": is written differently"
        if subprocess.run([STAMMA, "unpack", path], stdout=subprocess.PIPE).stdout != text:
            yield name + ": the library returns another text"
        if len(text) > PYTHON_MAX and not os.environ.get("LONG"):
            continue
        if subprocess.run([sys.executable, DECODER, path], stdout=subprocess.PIPE).stdout != text:
            yield name + ": the slow decoder returns another text"
    there = {file for file in os.listdir(WRITTEN) if file.endswith(".stamma")}
    if there != {"good-written-%s.stamma" % name for name, *_ in ARCHIVES}:
        yield "other archives in tests/data/written"


def main():
    texts = inputs()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text)
        if sys.argv[1:] != ["--write"]:
            problems = list(check(folder, texts))
            print("\n".join(problems + ["%d archives" % len(ARCHIVES)]))
            sys.exit(1 if problems else 0)
        os.makedirs(WRITTEN, exist_ok=True)
        for name, _, _, commands in ARCHIVES:
            if not commands:
                continue
            data = write(folder, name, commands)
            with open(os.path.join(WRITTEN, "good-written-%s.stamma" % name), "wb") as file:
                file.write(data)
        with open(os.path.join(WRITTEN, "written.md"), "w", encoding="utf-8") as file:
            file.write(readme())


if __name__ == "__main__":
    main()
