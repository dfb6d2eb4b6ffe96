#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Truth about spellings of players, and the score of a table of `stamma names` (doc/reference/names.md). Shares no code with the
library.

usage: names_truth.py make OUT.pgn TRUTH FILE.pgn...            names of FIDE ids
       names_truth.py score TRUTH TABLE.csv                     precision and recall
       names_truth.py ids BEFORE.pgn AFTER.pgn                  no two ids have a name in common that they had not before
       names_truth.py entries BEFORE.pgn AFTER.pgn LIST.ssp     share of players whose name is the one of their id in LIST
       names_truth.py filled BEFORE.pgn AFTER.pgn               share of ids that come back, and how many are wrong
       names_truth.py chances BEFORE.pgn TABLE.csv LIST.ssp     chances of error that a table states, and the real shares

`make` writes the games of all files without FIDE ids to OUT, and the ids of each name to TRUTH. LIST is a spelling file of
Scid. BEFORE has the ids of the players; AFTER has the same games with other names. An *entry* is a player of a game.
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


def read_list(path):
    """Returns the names of each id in a spelling file (a few ids are listed twice), and all names."""
    name, names, players = "", collections.defaultdict(set), set()
    with open(path, encoding="latin-1") as file:
        for line in (line.strip() for line in file):
            if line.startswith("@") and not line.startswith("@PLAYER"):
                break
            if line.startswith("%Bio FIDEID "):
                names[re.match(r"\d*", line.split()[2])[0]].add(name)
            elif line and line[0] not in "#%=@>":
                name = line.partition("#")[0].strip()
                players.add(name)
    return names, players


def entries_of(path):
    """Yields name and id of each player."""
    for tags, _ in games(path):
        for color in ("White", "Black"):
            player = tags.get(color + "FideId", "0")
            yield tags.get(color, ""), player if player.strip("0?") else ""


def entries(before_path, after_path, list_path):
    """Prints how many players have the listed name of their id, and how many have the name of another player."""
    names, players = read_list(list_path)
    count = collections.Counter()
    wrong = collections.Counter()
    for (before, player), (after, _) in zip(entries_of(before_path), entries_of(after_path)):
        if not player:
            continue
        count["all"] += 1
        if after in names[player]:
            count["right"] += 1
        elif after != before and after in players:
            count["wrong"] += 1
            wrong[before, player, after] += 1
    print(f"{count['all']} entries with an id; {count['right']} have the listed name of the id: "
          f"{count['right'] / max(count['all'], 1):.4f}; {count['wrong']} have the name of another player")
    for (before, player, after), number in wrong.most_common(20):
        print(f"  wrong: {before} ({player}) became {after} in {number} games")
    return 1 if count["wrong"] else 0


def filled(before_path, after_path):
    entries = back = wrong = 0
    for (before, _), (after, _) in zip(games(before_path), games(after_path)):
        for tag in ("WhiteFideId", "BlackFideId"):
            if before.get(tag, "0").strip("0?"):
                entries += 1
                back += tag in after
                wrong += tag in after and after[tag] != before[tag]
    print("ids filled in: %d of %d; wrong: %d" % (back, entries, wrong))


def chances(before_path, table_path, list_path):
    """Prints the stated and the real chances of error of decisions about names of one id."""
    names, players = read_list(list_path)
    truth = collections.defaultdict(set)
    for name, player in entries_of(before_path):
        truth[name].add(player)
    rows = collections.defaultdict(list)
    with open(table_path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["kind"] == "player" and len(truth[row["from"]]) == 1 and row["to"] in players:
                (player,) = truth[row["from"]]
                if player in names:
                    rows[row["apply"], chance_class(row["error"])].append((float(row["error"]), row["to"] in names[player]))
    for key, group in sorted(rows.items()):
        stated = sum(error for error, _ in group) / len(group)
        wrong = sum(not right for _, right in group)
        print(f"apply {key[0]}, chance up to {key[1]}: {len(group)} rows, stated {stated:.4f}, wrong {wrong / len(group):.4f}")


def chance_class(error):
    return next(limit for limit in (0.0001, 0.001, 0.01, 0.05, 0.2, 1.0) if float(error) <= limit)


if __name__ == "__main__":
    sys.exit({"make": make, "score": score, "ids": ids, "entries": entries, "chances": chances,
              "filled": filled}[sys.argv[1]](*sys.argv[2:]))
