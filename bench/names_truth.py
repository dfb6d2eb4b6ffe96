#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Truth about spellings of players, and the score of a table of `stamma names` (doc/names.md). Shares no code with the
library.

usage: names_truth.py make OUT.pgn TRUTH FILE.pgn...            names of FIDE ids
       names_truth.py score TRUTH TABLE.csv                     precision and recall
       names_truth.py ids BEFORE.pgn AFTER.pgn                  no two ids have a name in common that they had not before

`make` writes the games of all files without FIDE ids to OUT, and the ids of each name to TRUTH.
"""
import collections
import csv
import re
import sys

TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
ID_TAG = re.compile(r'^\[(?:White|Black)FideId ".*\n?', re.M)


def games(path):
    """Yields tags and text of each game."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read().replace("\r\n", "\n")
    for part in re.split(r"\n\n(?=\[Event )", text):
        yield dict(TAG.findall(part.partition("\n\n")[0])), part


def make(out_path, truth_path, *paths):
    truth = collections.defaultdict(set)  # name: ids
    with open(out_path, "w", encoding="utf-8", errors="surrogateescape") as out:
        for path in paths:
            for tags, text in games(path):
                out.write(ID_TAG.sub("", text).rstrip("\n") + "\n\n")
                for color in ("White", "Black"):
                    if tags.get(color + "FideId", "0").strip("0?"):
                        truth[tags[color]].add(tags[color + "FideId"])
    with open(truth_path, "w", encoding="utf-8", errors="surrogateescape") as file:
        for name in sorted(truth):
            file.write(name + "\t" + " ".join(sorted(truth[name])) + "\n")


def read_truth(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return {name: set(ids.split()) for name, ids in (line.rstrip("\n").split("\t") for line in file)}


class Groups:
    def __init__(self):
        self.parent = {}

    def find(self, name):
        while self.parent.setdefault(name, name) != name:
            self.parent[name] = self.parent[self.parent[name]]
            name = self.parent[name]
        return name

    def join(self, one, other):
        self.parent[self.find(one)] = self.find(other)


def pairs(count):
    return count * (count - 1) // 2


def score(truth_path, table_path):
    truth = {name: next(iter(ids)) for name, ids in read_truth(truth_path).items() if len(ids) == 1}
    groups = {"applied": Groups(), "all": Groups()}
    wrong = []
    with open(table_path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["kind"] != "player":
                continue
            groups["all"].join(row["from"], row["to"])
            if row["apply"] == "yes":
                groups["applied"].join(row["from"], row["to"])
    same = sum(pairs(n) for n in collections.Counter(truth.values()).values())
    print(f"{len(truth)} names of {len(set(truth.values()))} ids; {same} pairs of names of one id")
    for kind, group in groups.items():
        members = collections.defaultdict(list)
        for name in truth:
            members[group.find(name)].append(name)
        joined = sum(pairs(len(names)) for names in members.values())
        right = sum(pairs(n) for names in members.values() for n in
                    collections.Counter(truth[name] for name in names).values())
        wrong = [names for names in members.values() if len({truth[name] for name in names}) > 1]
        print(f"{kind}: {joined} pairs joined, precision {right / max(joined, 1):.4f}, recall {right / max(same, 1):.4f}")
        if kind == "applied":
            for names in wrong[:20]:
                print("  wrong:", "; ".join(f"{name} ({truth[name]})" for name in names))


def names_of_ids(path):
    names = collections.defaultdict(set)
    for tags, _ in games(path):
        for color in ("White", "Black"):
            if tags.get(color + "FideId", "0").strip("0?"):
                names[tags[color]].add(tags[color + "FideId"])
    return names


def ids(before_path, after_path):
    """Prints ids that have a name in common after, but not before."""
    def together(names):
        return {(a, b) for group in names.values() for a in group for b in group if a < b}
    merged = together(names_of_ids(after_path)) - together(names_of_ids(before_path))
    print(f"{len(merged)} pairs of ids merged")
    for pair in sorted(merged)[:10]:
        print(" ", *pair)
    return 1 if merged else 0


if __name__ == "__main__":
    sys.exit({"make": make, "score": score, "ids": ids}[sys.argv[1]](*sys.argv[2:]))
