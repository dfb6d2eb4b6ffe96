#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares answers with an index file in several states with answers without an index file.

usage: index_states.py STAMMA ARCHIVE OUTDATED QUERIES.jsonl TRIALS

ARCHIVE has a current index file, which is replaced and restored. OUTDATED is an index of an earlier state. Prints the
number of queries for each state, and the number of answers with a notice that the file is not used. Exits with status 1
if an answer or its exit status differs, or if an unusable file is not reported."""
import json
import os
import random
import subprocess
import sys

stamma, archive, outdated, queries, trials = sys.argv[1:]
chance = random.Random(7)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def truncated(data):
    return data[:chance.randrange(len(data))]


def flipped(data):
    changed = bytearray(data)
    changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def ask(question, *options):
    """Returns the answer and the exit status, and the notices."""
    command, *words = question
    run = subprocess.run([stamma, command, archive, *words, *options], capture_output=True)
    return (run.stdout, run.returncode), run.stderr.decode()


def questions():
    with open(queries, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file]
    fens = [json.loads(line).get("fen") for line in lines]
    fens = [fen for fen in fens if isinstance(fen, str)]
    while True:
        kind = chance.randrange(10)
        if kind == 0:
            yield "stats", "--json"
        elif kind < 3:
            yield "tree", "--json", "--fen", chance.choice(fens)
        else:
            yield "find", "--matches", "--query", chance.choice(lines)


current = read(archive + ".index")
states = {"current": lambda: current, "outdated": lambda: read(outdated), "truncated": lambda: truncated(current),
          "flipped bit": lambda: flipped(current)}
wrong = 0
for state, make in states.items():
    noticed = 0
    for _, question in zip(range(int(trials)), questions()):
        data = make()
        with open(archive + ".index", "wb") as file:
            file.write(data)
        wanted, _ = ask(question, "--no-index")
        found, notices = ask(question)
        reported = ".index: " in notices
        expected = reported if state == "flipped bit" else state != "current"  # not every bit is used
        noticed += reported
        if found != wanted or reported != expected:
            wrong += 1
            print("%s: %s: %s and not %s; notices: %s" % (state, question, found, wanted, notices))
    print("%s: %s questions, %d notices" % (state, trials, noticed))
with open(archive + ".index", "wb") as file:
    file.write(current)
sys.exit(wrong > 0)
