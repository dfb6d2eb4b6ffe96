# SPDX-License-Identifier: MIT
"""Measures the figures of documents, and compares the documents with doc/figures.tsv.

usage: figures.py STAMMA SHARED [--write]     run by `make bench BENCH=figures`
       figures.py --check [STAMMA]

Without --check, packs each corpus of doc/figures.tsv at each of its levels and prints every figure that differs from the file.
--write stores the new figures in the file, and replaces the old ones in the documents. Rows with another command are records of
other benches: they are kept. Rows whose command begins with `=` are computed from other rows.

--check, which tests/documents/document_figures.sh runs, fails if a document differs from the file. In a document, the line

    <!-- figures: otb_dev.level1 lichess_dev.* -->

applies to the paragraph or table after it. Each number there with a decimal point or a separator of thousands must be the value
of a row that a name or pattern selects, rounded at most, and each row that is named without a pattern must occur. With STAMMA,
data/games.pgn is packed too: if the sizes differ from the file, all figures have to be measured again.
"""
import fnmatch
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

TABLE = "doc/figures.tsv"
MEASURED = re.compile(r"stamma pack --level ([123])$")
MARK = re.compile(r"<!-- figures: ([^>]*?) -->\n+((?:.+\n)+)")
NUMBER = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?![\w]|[.,]\d)")


class Figures:
    """The rows of doc/figures.tsv, by name."""

    def __init__(self):
        with open(TABLE, encoding="utf-8") as file:
            self.lines = file.read().splitlines()
        self.rows = {row[0]: row for row in (line.split("\t") for line in self.lines if line and line[0] != "#")}

    def value(self, name):
        return self.rows[name][1]

    def set(self, name, value):
        self.rows[name][1] = value

    def compute(self, name):
        """Returns the value of a computed row: `= a / b` with the decimals of its present value."""
        part, whole = re.match(r"= (\S+) / (\S+)$", self.rows[name][4]).groups()
        scale = 100 if self.rows[name][2] == "%" else 1
        return rounded(scale * float(self.value(part)) / float(self.value(whole)), self.value(name))

    def computed(self):
        return [name for name, row in self.rows.items() if row[4].startswith("= ")]

    def write(self):
        text = [line if line[:1] in ("", "#") else "\t".join(self.rows[line.split("\t")[0]]) for line in self.lines]
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write("\n".join(text) + "\n")


def rounded(number, like):
    """Returns a number with as many decimals as a text."""
    return "%.*f" % (len(like.partition(".")[2]), number)


def shown(value, like):
    """Returns a value as a document shows it: with separators of thousands, and the decimals of the text `like`."""
    decimals = min(len(like.partition(".")[2]), len(value.partition(".")[2]))
    return "{:,.{}f}".format(float(value), decimals)


def blocks(text, figures):
    """Yields each marked block of a document: its match, its names, and the names that its patterns select."""
    for match in MARK.finditer(text):
        names = match.group(1).split()
        yield match, names, [name for name in figures.rows if any(fnmatch.fnmatchcase(name, one) for one in names)]


def check_block(path, match, names, selected, figures):
    """Returns the errors of a marked block."""
    numbers = NUMBER.findall(match.group(2))
    values = {figures.value(name): name for name in selected}
    errors = ["%s: there is no figure %s" % (path, name) for name in names if "*" not in name and name not in figures.rows]
    errors += ["%s: %s is in no row of %s" % (path, number, " ".join(names)) for number in numbers
               if not any(shown(value, number) == number for value in values)]
    errors += ["%s: %s, %s, is missing" % (path, name, figures.value(name)) for name in names if name in figures.rows
               and not any(shown(figures.value(name), number) == number for number in numbers + [figures.value(name)]
                           if number in match.group(2))]
    return errors


def documents():
    return ["README.md"] + sorted(glob.glob("doc/**/*.md", recursive=True))


def check(figures):
    """Returns the errors of the file and of the documents, and the number of marked blocks."""
    errors = ["%s: %s is %s" % (TABLE, name, figures.compute(name)) for name in figures.computed()
              if figures.compute(name) != figures.value(name)]
    marked = 0
    for path in documents():
        with open(path, encoding="utf-8") as file:
            for match, names, selected in blocks(file.read(), figures):
                marked += 1
                errors += check_block(path, match, names, selected, figures)
    return errors, marked


def replace(figures, old):
    """Replaces the old values by the new ones in the marked blocks of documents."""
    for path in documents():
        with open(path, encoding="utf-8") as file:
            before = after = file.read()
        for match, _, selected in blocks(before, figures):
            changed = {name for name in selected if old[name] != figures.value(name)}

            def new(number):
                for name in changed:
                    if shown(old[name], number.group()) == number.group():
                        return shown(figures.value(name), number.group())
                return number.group()
            after = after.replace(match.group(), NUMBER.sub(new, match.group()))
        if after != before:
            with open(path, "w", encoding="utf-8") as file:
                file.write(after)


def measure(stamma, pgn, level):
    """Returns the bytes of the archive of a PGN file, and its bits per ply."""
    with tempfile.TemporaryDirectory() as work:
        archive = os.path.join(work, "games.stamma")
        subprocess.run([stamma, "pack", "-q", "--level", level, "-o", archive, pgn], check=True)
        info = json.loads(subprocess.run([stamma, "info", "--json", archive], stdout=subprocess.PIPE, check=True).stdout)
        return str(info["archive_size"]), str(info["bits_per_ply"])


def measure_corpus(stamma, pgn, corpus, figures):
    """Measures the rows of a corpus, and stores their values."""
    for name, row in list(figures.rows.items()):
        level = row[3] == corpus and MEASURED.match(row[4])
        if level and row[2] == "bytes":
            size, bits = measure(stamma, pgn, level.group(1))
            figures.set(name, size)
            if name + ".bits" in figures.rows:
                figures.set(name + ".bits", rounded(float(bits), figures.value(name + ".bits")))


def measure_all(stamma, shared, figures):
    for corpus in dict.fromkeys(row[3] for row in figures.rows.values() if MEASURED.match(row[4])):
        if corpus == "games.pgn":
            measure_corpus(stamma, "data/games.pgn", corpus, figures)
            continue
        with tempfile.TemporaryDirectory() as work:
            pgn = os.path.join(work, corpus + ".pgn")
            subprocess.run(["zstd", "-q", "-d", "--long=27", "%s/corpora/%s.pgn.zst" % (shared, corpus), "-o", pgn], check=True)
            measure_corpus(stamma, pgn, corpus, figures)
    for name in figures.computed():
        figures.set(name, figures.compute(name))


def report_check(figures, stamma):
    errors, marked = check(figures)
    if stamma:
        old = {name: row[1] for name, row in figures.rows.items()}
        measure_corpus(stamma, "data/games.pgn", "games.pgn", figures)
        errors += ["%s: %s is now %s: measure again with bench/figures.sh" % (TABLE, name, figures.value(name))
                   for name in old if figures.value(name) != old[name]]
    print("\n".join(errors + ["%d marked blocks, %d figures, %d errors" % (marked, len(figures.rows), len(errors))]))
    return bool(errors) or marked == 0


def main():
    figures = Figures()
    if sys.argv[1] == "--check":
        sys.exit(report_check(figures, sys.argv[2] if len(sys.argv) > 2 else None))
    stamma, shared = sys.argv[1:3]
    if not os.path.isdir(shared + "/corpora"):
        print("figures: no %s/corpora: skipped" % shared)
        return
    old = {name: row[1] for name, row in figures.rows.items()}
    measure_all(stamma, shared, figures)
    for name, value in old.items():
        if figures.value(name) != value:
            print("%s\t%s\t%s" % (name, value, figures.value(name)))
    if "--write" in sys.argv:
        figures.write()
        replace(figures, old)


main()
