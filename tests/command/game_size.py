# SPDX-License-Identifier: MIT
"""Runs the commands on one very large game, and reports those that need too much time or work.

usage: game_size.py [--size N] [--limit SECONDS] [--count] [--table] [--only WORD,...] [--kinds KIND,...] [--pairs ...]

Each command runs on a game with N elements of each kind (tests/support/large_games.py), in the current folder. Its
processor time must be below the limit, which is far above O(N log N) time and far below quadratic time. With --count,
valgrind counts the executed instructions instead, minus the instructions for a game of one element. The count for N may
be at most five times the count for N / 4, because N log N is 4.9 times larger for 2000 than for 500. Small counts, in
which buffers that double matter, are not compared.

--table prints the processor time of each command, or with --count the ratio. --pairs 'KIND:NAME+NAME;...' runs
the commands with these names on a kind of game. The exit status is 1 if a command failed or exceeded a limit.
"""
import argparse
import glob
import os
import resource
import subprocess
import sys

import large_games

A, B = "a%d.stamma", "b%d.stamma"
QUERY = ('{"any": [{"comment": "nowhere"}, {"nag": 3}, {"sequence": [{"move": "Nf3"}, {"mate": true}]}, {"tag": {"Annotator": "nobody"}}]}')
COMMANDS = {
    "verify": ["verify", A],
    "unpack": ["unpack", "-f", "-o", "out.pgn", A],
    **{"cat " + name: ["cat", "--format", name, A] for name in ("pgn", "uci", "json", "fen", "epd", "plies", "tsv", "csv")},
    "cat json, variations": ["cat", "--json", "--columns", "variations,tags,bits,comments", A],
    "ls": ["ls", A],
    "ls json": ["ls", "--json", A],
    "ls csv": ["ls", "--format", "csv", A],
    "info": ["info", A],
    "find": ["find", A, "--player", "Nobody", "--mate"],
    "find --query": ["find", A, "--query", QUERY],
    "find --pgn": ["find", A, "--player", "White", "--pgn"],
    "find --json": ["find", A, "--player", "White", "--json"],
    "find --csv": ["find", A, "--player", "White", "--csv"],
    "find --matches": ["find", A, "--query", '{"all-matches": true, "moved": "N"}', "--matches"],
    "find --mark": ["find", A, "--query", '{"all-matches": true, "move": "Nf3"}', "--pgn", "--mark"],
    "find variations": ["find", A, "--query", '{"variations": true, "fen": "8/8/8/4k3/8/8/3KP3/8 w - -"}'],
    "tree": ["tree", A],
    "tree json": ["tree", "--json", A],
    "tree --polyglot": ["tree", "--polyglot", "book.bin", "-f", "--depth", "100000", "--min-games", "1", A],
    "stats": ["stats", A],
    "stats json": ["stats", "--json", A],
    "index": ["index", "-f", A],
    "merge": ["merge", "-f", "-o", "out.stamma", A, B],
    "edit": ["edit", "-f", "-o", "out.stamma", "--set", "Round=9", "--set", "Tag7=x", "--rename", "Tag5=Tag3", "--remove", "Annotator", A],
    "edit --strip": ["edit", "-f", "-o", "out.pgn", "--strip", "comments,variations,clocks,evaluations,nags", A],
    "edit --dry-run": ["edit", "-n", "--json", "--set", "Tag7=x", "--strip", "variations", A],
    "edit --sort": ["edit", "-f", "-o", "out.stamma", "--sort", "Tag3,date", A],
    "classify": ["classify", "-f", "-o", "out.stamma", A],
    "classify --check-tags": ["classify", "--check-tags", A],
    "dedupe": ["dedupe", "-f", "-o", "out.stamma", A, B],
    "dedupe --merge": ["dedupe", "-f", "-o", "out.stamma", "--merge", "tags,comments,variations", A, B],
    "names": ["names", A, B],
    "diff": ["diff", A, B],
    "diff --json": ["diff", "--json", A, B],
    "report": ["report", "White", A, B],
    "report --pgn": ["report", "White", A, "--pgn"],
    "export --clean-pgn": ["export", "-f", "--clean-pgn", "-o", "out.pgn", A],
    "export csv": ["export", "-f", "-o", "out.csv", A],
    "export plies": ["export", "-f", "--table", "plies", "-o", "out.csv", A],
    "export arrow": ["export", "-f", "-o", "out.arrow", A],
    "export plies arrow": ["export", "-f", "--table", "plies", "-o", "out.arrow", A],
    "export positions": ["export", "-f", "--table", "positions", "-o", "out.csv", A],
    "sql": ["sql", A, "SELECT count(*), sum(length(text)), sum(length(comments)), sum(length(san)) FROM games"],
    "sql plies": ["sql", A, "SELECT count(*), max(clock_ms), max(fen) FROM plies"],
    "repair": ["repair", "-f", "-o", "out.stamma", A],
    "recompress": ["recompress", "-f", "-o", "out.stamma", "--level", "2", A],
    "survey": ["survey", "--passes", "1", "a%d.pgn"],
}
PACKS = {
    "pack b": ["pack", "-q", "-f", "-o", B, "b%d.pgn"],
    "pack -1": ["pack", "-q", "-f", "-o", A, "a%d.pgn"],
    "pack -2": ["pack", "-2", "-q", "-f", "-o", "a%d-2.stamma", "a%d.pgn"],
    "pack -3": ["pack", "-3", "-q", "-f", "-o", "a%d-3.stamma", "a%d.pgn"],
    "append": ["append", "-q", "a%d-2.stamma", "b%d.pgn"],
    "append --new": ["append", "-q", "--new", "a%d-3.stamma", "b%d.pgn"],
    "import": ["import", "-q", "--from", "twic", "-o", "i%d.stamma", "a%d.pgn"],
}


# Counts up to this limit are not compared: a quadratic loop of one instruction over the usual 4000 elements stays below
# it.
LEAST = 3_000_000


class Limit(Exception):
    pass


def run(arguments, options):
    """Runs the command. Returns its processor time, or with --count the number of its instructions."""
    counting = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"] if options.count else []

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (options.limit, options.limit + 1))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open("out.txt", "wb") as out, open("err.txt", "wb") as err:
        status = subprocess.run([*counting, os.environ["STAMMA"], *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                preexec_fn=None if options.count else limit, check=False).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if status < 0:
        raise Limit("signal %d after %.1f s" % (-status, took))
    with open("err.txt", encoding="utf-8", errors="replace") as messages:
        text = messages.read()
    if status > 1:
        raise Limit("exit status %d: %.300s" % (status, text))
    return int(text.split("Collected :")[1].split()[0]) if options.count else took


def write_games(kind, size):
    """Writes a game, and another version that differs in a tag and at the end."""
    game = large_games.KINDS[kind](size)
    with open("a%d.pgn" % size, "w", encoding="utf-8") as file:
        file.write(game)
    with open("b%d.pgn" % size, "w", encoding="utf-8") as file:
        file.write(game.replace('[Round "Round"]', '[Round "2"]', 1).replace(" 1-0\n", " 0-1\n"))
    for imported in glob.glob("i%d.*" % size):
        os.remove(imported)


def arguments_for(arguments, size):
    return [word.replace("%d", str(size)) if "%d." in word or "%d-" in word else word for word in arguments]


bases = {}  # the instructions of commands for a game of one element


def base_of(name, arguments, options):
    if not bases:
        write_games("tags", 1)
        for pack, words in PACKS.items():
            bases[pack] = run(arguments_for(words, 1), options)
    if name not in bases:
        bases[name] = run(arguments_for(arguments, 1), options)
    return bases[name]


def measure(name, arguments, options):
    """Returns the processor time for the size, or the ratio of the instructions. Raises Limit if a limit is exceeded."""
    if not options.count:
        return "%.2f" % run(arguments_for(arguments, options.size), options)
    base = base_of(name, arguments, options)
    few, many = (max(0, run(arguments_for(arguments, size), options) - base) for size in (options.size // 4, options.size))
    if many > 5 * few + LEAST:
        raise Limit("%d instructions for %d, %d for %d" % (few, options.size // 4, many, options.size))
    return "%.1f" % (many / max(few, 1)) if many > LEAST else "-"


def check(kind, is_asked, options, table):
    """Runs the selected commands on one kind of game. Returns the number of exceeded limits."""
    failed = 0
    for size in (options.size // 4, options.size):
        write_games(kind, size)
        for pack in ("pack b", "pack -1"):
            subprocess.run([os.environ["STAMMA"], *arguments_for(PACKS[pack], size)], check=True)
    for name, arguments in {**PACKS, **COMMANDS}.items():
        if not is_asked(name):
            continue
        try:
            seen = measure(name, arguments, options)
        except Limit as fault:
            failed += 1
            seen = "**"
            print("FAILED: %s, %d %s: %s" % (name, options.size, kind, fault), flush=True)
        table.setdefault(name, {})[kind] = seen
    return failed


def print_table(table, kinds):
    print("| command | " + " | ".join(kinds) + " |")
    print("|---|" + "---:|" * len(kinds))
    for name, row in table.items():
        print("| `%s` | " % name + " | ".join(row.get(kind, "") for kind in kinds) + " |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=200000)
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--pairs")
    parser.add_argument("--kinds", default=",".join(large_games.KINDS))
    options = parser.parse_args()
    words = options.only.split(",") if options.only else [""]
    asked = {kind: lambda name: any(word in name for word in words) for kind in options.kinds.split(",")}
    if options.pairs:
        lists = dict(pair.split(":") for pair in options.pairs.split(";"))
        asked = {kind: names.split("+").__contains__ for kind, names in lists.items()}
    kinds, table = list(asked), {}
    failed = sum(check(kind, is_asked, options, table) for kind, is_asked in asked.items())
    if options.table:
        print_table(table, kinds)
    print("%d commands on %d games, %d failed" % (len(table), len(kinds), failed))
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
