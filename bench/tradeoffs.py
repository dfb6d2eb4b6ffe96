# SPDX-License-Identifier: MIT
"""Measures all encodings of moves, and prints or writes the table of trade-offs of doc/reference/encodings.md.

usage: tradeoffs.py BUILD STAMMA SHARED [--write]

Bits per ply and fall-backs are those of `stamma survey` on otb_dev; times those of codecs_bench; Chess960 is whether all
games of chess960_dev are decoded exactly. Tables are the constant data of the object files that a program with only this
encoding needs, found from the symbols of libstamma.a. --write replaces the tables between the marks in the documents.
"""
import json
import os
import re
import subprocess
import sys

NEEDS = {"move": "nothing", "move in position": "position", "game": "game"}


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def survey(stamma, path):
    lines = run(stamma, "survey", "--json", "--passes", "1", path).splitlines()
    return {one["codec"]: one for one in map(json.loads, lines)}


def times(build):
    rows = [line.split("\t") for line in run(build + "/bench/codecs_bench").splitlines()[1:]]
    return {row[0]: row[1:] for row in rows}


class Objects:
    """The object files of the library: what each defines, needs, and has in constant data."""

    def __init__(self, library):
        self.defined, self.needed, self.constants = {}, {}, {}
        member = None
        for line in run("nm", "-A", library).splitlines():
            where, symbol = re.match(r"[^:]*:([^:]*):(.*)", line).groups()
            kind, name = symbol.split()[-2:]
            self.needed.setdefault(where, set())
            if kind == "U":
                self.needed[where].add(name)
            elif kind.isupper():
                self.defined.setdefault(name, where)
        for line in run("size", "-A", library).splitlines():
            head = re.match(r"(\S+)\s+\(ex ", line)
            member = head.group(1) if head else member
            section = re.match(r"(\.rodata|\.data\.rel\.ro)\S*\s+(\d+)", line)
            if section:
                self.constants[member] = self.constants.get(member, 0) + int(section.group(2))

    def linked(self, symbol):
        """Returns the bytes of constant data that a program with this symbol links."""
        members, open_symbols = set(), [symbol]
        while open_symbols:
            member = self.defined.get(open_symbols.pop())
            if member and member not in members:
                members.add(member)
                open_symbols.extend(self.needed[member])
        return sum(self.constants.get(member, 0) for member in members)


def nanoseconds(row, first):
    return " / ".join(row[first:first + 2]) if row[first] != "-" else "-"


def rows(build, stamma, shared):
    """Yields a row for each encoding: name, and cells."""
    about = {one["encoding"]: one for one in map(json.loads, run(stamma, "encode", "--list", "--json").splitlines())}
    sizes, chess960 = survey(stamma, shared + "/corpora/otb_dev.pgn.zst"), survey(stamma, shared + "/corpora/chess960_dev.pgn.zst")
    timed, objects = times(build), Objects(build + "/libstamma.a")
    for name, one in sizes.items():
        row, info = timed[name], about[name]
        falls = 1e6 * one["fallback_plies"] / one["plies"]
        fixed = row[4] == row[5] != "-"
        yield name, [
            "%.2f" % one["bits_per_ply"], nanoseconds(row, 0), nanoseconds(row, 2), NEEDS[info["of"]],
            "{:,}".format(objects.linked("stamma_codec_" + name.replace("-", "_"))), "%.1f" % falls if falls else "0",
            "yes" if fixed else "no", "no" if info["of"] == "game" else "yes",
            "no" if chess960[name]["unsupported_plies"] or chess960[name]["exact"] is False else "yes", info["source"] or "Stamma"]


TITLES = ["encoding", "bits per ply", "ns, single move", "ns, move of a game", "needs", "tables, bytes", "fall-backs per million",
          "fixed size", "transposition-safe", "Chess960", "source"]


def table(entries):
    lines = ["| " + " | ".join(TITLES) + " |", "|" + "---|" * len(TITLES)]
    for name, cells in entries:
        lines.append("| " + " | ".join(["`%s`" % name] + cells) + " |")
    return "\n".join(lines)


def write(path, text):
    with open(path, encoding="utf-8") as file:
        before, rest = file.read().split("<!-- trade-offs -->\n", 1)
    after = rest.split("<!-- end of trade-offs -->\n", 1)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write("%s<!-- trade-offs -->\n%s\n<!-- end of trade-offs -->\n%s" % (before, text, after))


def main():
    build, stamma, shared = sys.argv[1:4]
    if not os.path.isdir(shared + "/corpora"):
        print("tradeoffs: no %s/corpora: skipped" % shared)
        return
    entries = list(rows(build, stamma, shared))
    full = table(entries)
    if "--write" in sys.argv:
        write("doc/reference/encodings.md", full)
    else:
        print(full)


main()
