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


SORTS = ["rating", "WhiteElo", "BlackElo", "date", "plies", "number", "White", "rating,-date", "date,plies", "plies,WhiteElo"]
FACTS = [{"date": "2000.."}, {"date": "..2015.06.15"}, {"date": "2010.02.10..2014.07.20"}, {"rating": "2000.."}, {"white-rating": "..2400"},
         {"each-rating": "1800.."}, {"rating-difference": "-100..100"}, {"result": "1-0"}, {"result": ["0-1", "*"]}, {"plies": "40..100"},
         {"speed": ["blitz", "classical"]}, {"any": [{"result": "1-0"}, {"rating": "2200.."}]}, {"not": {"plies": "..60"}}]


def facts():
    """Returns the conditions of one to three facts."""
    return {name: value for fact in chance.sample(FACTS, chance.randrange(1, 4)) for name, value in fact.items()}


def output():
    """Returns options for the form of output, the order and the number of games."""
    options = [chance.choice(["--matches", "--matches", "--numbers", "--count", "--wdl", "--format=csv"])]
    if chance.random() < 0.5:
        options.append("--sort=" + chance.choice(["", "-"]) + chance.choice(SORTS))
    if chance.random() < 0.5:
        options.append("--limit=%d" % chance.choice([0, 1, 2, 5, 20, 200]))
    if chance.random() < 0.2:
        options.append("--offset=%d" % chance.choice([1, 3, 30]))
    return options


def questions():
    with open(queries, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file]
    made = [json.loads(line) for line in lines]
    fens = [query["fen"] for query in made if isinstance(query.get("fen"), str)]
    names = [query["player"] for query in made if isinstance(query.get("player"), str)]
    while True:
        kind = chance.randrange(14)
        if kind == 0:
            yield "stats", "--json"
        elif kind < 3:
            yield "tree", "--json", "--fen", chance.choice(fens)
        elif kind < 7:
            yield "find", "--matches", "--query", chance.choice(lines)
        elif kind == 7:
            yield "find", *output()
        elif kind == 8:
            yield "find", *output(), "--player", chance.choice(names), "--query", json.dumps(facts())
        elif kind < 11:
            yield "find", *output(), "--query", json.dumps(facts())
        else:
            yield "find", *output(), "--query", json.dumps({**facts(), **chance.choice(made)})


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
