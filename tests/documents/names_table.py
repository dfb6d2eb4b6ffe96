# SPDX-License-Identifier: MIT
"""Compares the table of names in CONTRIBUTING.md with the command's help and outputs, the headers and the Python package.

usage: names_table.py ROOT, in a folder with games.stamma
"""
import glob
import json
import os
import re
import subprocess
import sys

from serve_client import Checks, Server

check = Checks()
ROOT = sys.argv[1]
COMMANDS = ("cat games.stamma --json", "cat games.stamma --format plies", "cat games.stamma --format plies --columns fen,time_spent_ms,bits",
            "cat games.stamma --format csv --columns time_spent_ms,bits", "ls games.stamma --json", "ls games.stamma games.stamma --csv",
            "find games.stamma --player Tal --json", "find games.stamma --player Tal --csv", "find games.stamma --player Tal --wdl --json",
            "tree games.stamma --csv", "stats games.stamma --json", "stats games.stamma --csv", "stats games.stamma --by opponent --player Tal --csv",
            "stats games.stamma --by year --json", "info games.stamma --json", "verify games.stamma --json", "index games.stamma --json",
            "names games.stamma", "dedupe -n -q --json games.stamma games.stamma", "classify -q --check-tags --json games.stamma",
            "report -q Tal games.stamma --json", "encode e4 --json")
REQUESTS = ("/archives", "/find?player=Tal", "/find?player=Tal&count=1", "/game/1", "/players?q=Tal", "/report?player=Tal",
            "/find?limit=1&format=csv")
# Names that are permitted: two earlier names of sizes in info, members of Lichess, and numbers of stats that are the
# plural of a grouping.
KEPT = {"bytes_in", "bytes_out"}


def run(*arguments):
    return subprocess.run([os.environ["STAMMA"], *arguments], capture_output=True, text=True, check=False).stdout


def read(*pattern):
    texts = []
    for path in sorted(glob.glob(os.path.join(ROOT, *pattern))):
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    return "\n".join(texts)


def keys_of(value):
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def keys_in(text):
    """Returns the names of members in lines of JSON, or the names of columns in the first line of a table."""
    if text.startswith(("{", "[")):
        return set().union(*(keys_of(json.loads(line)) for line in text.splitlines() if line.startswith(("{", "["))))
    return set(text.splitlines()[0].split(",")) if text else set()


def columns():
    names = set()
    for table in ("games", "plies", "positions", "tree", "stats"):
        names |= set(run("sql", "games.stamma", "--format", "tsv", "SELECT name FROM pragma_table_xinfo('%s')" % table).split())
    return names


def outputs():
    names = columns()
    for command in COMMANDS:
        found = keys_in(run(*command.split()))
        check.that(len(found) > 0, "stamma %s prints names" % command, found)
        names |= found
    server = Server("games.stamma")
    for request in REQUESTS:
        names |= keys_in(server.ask(request).body.decode())
    server.stop()
    return names


def options():
    lists = [run("help", "conditions")] + [run(command, "--help") for command in
                                           re.findall(r"^  ([a-z-]+)  ", run("--help").split("commands:")[1], re.M)]
    return {name for text in lists for name in re.findall(r"^  .{4}--([a-z0-9-]+)", text, re.M)}


def rules():
    """Returns the names of rules and modifiers of queries from the tables in doc/reference/search.md."""
    return set(re.findall(r"`\"?([a-z-]+)\"?(?:: [^`]*)?`", read("doc", "reference", "search.md"))) | set(re.findall(r"`([a-z_]+)`", read("doc", "reference", "serve.md")))


def rows():
    section = read("CONTRIBUTING.md").split("\n## Names\n")[1].split("\n## ")[0]
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and cells[0] != "thing":
            yield cells[0], [re.findall(r"`([^`]+)`", cell) for cell in cells[1:]]


def main():
    known_options, printed, words = options(), outputs(), rules()
    python, header = read("python", "stamma", "*.py"), read("include", "stamma", "*.h")
    manual = read("doc", "man", "stamma.1")
    count = 0
    for thing, (given, members, attributes, identifiers, earlier) in rows():
        count += 1
        for name in given:
            right = name[2:] in known_options if name.startswith("--") else name in words
            check.that(right, "%s: the option or rule %s" % (thing, name))
        for name in members:
            check.that(name in printed, "%s: the member or column %s" % (thing, name))
        for name in attributes:
            check.that(re.search(r"\b(?:def %s\(|%s\b ?[:=]|\"%s\")" % ((name,) * 3), python), "%s: %s in Python" % (thing, name))
        for name in identifiers:
            check.that(re.search(r"\b%s\b" % name, header), "%s: %s in C" % (thing, name))
        for name in earlier:
            same = name in {word for cells in (given, members) for word in cells}
            if name.startswith("--"):
                # Some earlier names are current names of options of other commands.
                check.that(name[2:] not in known_options or name in OTHERS, "%s: the earlier option %s is in a help" % (thing, name))
                check.that("Fl -" + name[2:] + "\n" not in manual or name in OTHERS, "%s: %s is in the manual" % (thing, name))
            elif name.startswith(("STAMMA_", "stamma_")):
                check.that(not re.search(r"\b%s\b" % name, header), "%s: %s is in a header" % (thing, name))
            elif not same:
                check.that(name not in printed or name in KEPT or name in OTHERS, "%s: the earlier name %s is printed" % (thing, name))
    check.that(count > 25, "the table has rows", count)
    check.end()


# Earlier names that also have another meaning: options of other commands, and columns of SQL that are accepted as
# conditions.
OTHERS = {"rows": "the groups of stats --by", "--table": "export", "--since": "import", "--until": "import", "--pgn": "edit, classify", "--tsv": "encode", "find": "SQL",
          "side": "the side of a player in stats"}

main()
