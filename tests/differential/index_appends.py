#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares archives after `append --new` with an index file in several states with the archive without an index file.

usage: index_appends.py STAMMA GAMES.pgn WORK TRIALS LEVEL

Each trial packs some of the games, and adds others: unchanged, and with another order of names, other tags, unknown
players, the tag of the initial position, or fewer moves. The archives must have the same bytes. Exits with status 1 if
one differs."""
import os
import random
import re
import shutil
import subprocess
import sys

from search_games import texts_of

stamma, path, work, trials, level = sys.argv[1:]
chance = random.Random(11)
games = [text.strip() + "\n\n" for text in texts_of(path)]


def changed(text):
    """Returns the game, or another that may be the same game."""
    kind = chance.randrange(8)
    if kind == 1:
        return re.sub(r'^\[White "([^",]+), ?([^",]+)"\]', r'[White "\2 \1"]', text, flags=re.M)
    if kind == 2:
        return re.sub(r'^\[Date "(.*)\d"\]', r'[Date "\g<1>1"]', text, flags=re.M)
    if kind == 3:
        return re.sub(r'^\[Round ".*"\]', '[Round "%d"]' % chance.randrange(4), text, flags=re.M)
    if kind == 4:
        return re.sub(r'^\[(White|Black) ".*"\]', r'[\1 "?"]', text, flags=re.M)
    if kind == 5 and "[FEN " not in text:
        return '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n' + text
    if kind == 6:
        return text[:len(text) * chance.randrange(50, 101) // 100].strip() + "\n\n"
    return text


def write(name, texts):
    with open(os.path.join(work, name), "w", encoding="latin-1", newline="") as file:
        file.write("".join(texts))
    return os.path.join(work, name)


def run(*words):
    return subprocess.run([stamma, *words], capture_output=True, check=True).stderr.decode()


def read(name):
    with open(os.path.join(work, name), "rb") as file:
        return file.read()


def flipped(data):
    copy = bytearray(data)
    copy[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(copy)


def append(index, new):
    """Returns the archive after the append, and the message."""
    archive = shutil.copy(os.path.join(work, "old.stamma"), os.path.join(work, "now.stamma"))
    with open(archive + ".index", "wb") as file:
        file.write(index)
    if not index:
        os.remove(archive + ".index")
    said = run("append", "--new", "--no-index", "-1", archive, new)
    return read("now.stamma"), said


wrong = skipped = 0
for _ in range(int(trials)):
    first = [changed(text) for text in chance.choices(games, k=chance.randrange(1, 80))]
    second = [changed(text) for text in chance.choices(games, k=chance.randrange(1, 20))]
    old = os.path.join(work, "old.stamma")
    run("pack", "-q", "-f", "--level", level, "-o", old, write("old.pgn", first))
    run("index", "-q", "-f", old)
    outdated = read("old.stamma.index")
    run("append", "-q", old, write("more.pgn", second))
    current = read("old.stamma.index")
    new = write("new.pgn", [changed(text) for text in chance.choices(games, k=chance.randrange(1, 100))])
    wanted = append(b"", new)
    skipped += int(re.search(r"([\d,]+) games? skipped", wanted[1]).group(1).replace(",", ""))
    for state, index in (("current", current), ("outdated", outdated), ("truncated", current[:chance.randrange(1, len(current))]),
                         ("flipped bit", flipped(current))):
        if append(index, new) != wanted:
            wrong += 1
            print("%s: another archive; the first game is %s" % (state, first[0]))
print("level %s: %s trials, %d games skipped, %d archives differ" % (level, trials, skipped, wrong))
sys.exit(wrong > 0 or skipped == 0)
