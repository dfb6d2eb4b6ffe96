# SPDX-License-Identifier: MIT
"""Measures what a search by name would find if transliterations had equal keys, as `spelling` of doc/reference/names.md compares words.

usage: name_folds.py GAMES.pgn...

For each file: the number of surnames; the surnames that would also find another surname; and the pairs of FIDE ids with different
names whose complete names would become equal, of all pairs of ids with different names and equal surnames and initials.
"""
import itertools
import re
import sys
import unicodedata

# the replacements of src/names/name_words.c, the longest first
REPLACEMENTS = [("tsch", "c"), ("shch", "c"), ("dsch", "z"), ("tch", "c"), ("sch", "s"), ("tsh", "c"), ("dzh", "z"), ("ch", "c"), ("cz", "c"), ("cs", "c"),
                ("sh", "s"), ("sz", "s"), ("zh", "z"), ("kh", "h"), ("ts", "c"), ("tz", "c"), ("ck", "k"), ("x", "ks"), ("w", "v"), ("ph", "f"), ("th", "t"),
                ("ae", "a"), ("oe", "o"), ("ue", "u"), ("ie", "e"), ("ye", "e"), ("je", "e"), ("y", "i"), ("j", "i"), ("q", "k")]
PATTERN = re.compile("|".join(text for text, _ in REPLACEMENTS))
TABLE = dict(REPLACEMENTS)


def fold(text):
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def simplified(text):
    return re.sub(r"(.)\1+", r"\1", PATTERN.sub(lambda found: TABLE[found[0]], fold(text)))


def surname(name):
    return fold(name.split(",")[0]).strip()


def tags(path):
    """Yields the names in a file, each with the FIDE id or None."""
    game = {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            found = re.match(r'\[(White|Black)(FideId)? "(.*)"\]', line)
            if found:
                game[found[1], found[2]] = found[3]
            elif line.startswith("[Event ") or not line:
                yield from ((game.get((side, None)), game.get((side, "FideId"))) for side in ("White", "Black"))
                game = {}
    yield from ((game.get((side, None)), game.get((side, "FideId"))) for side in ("White", "Black"))


def main():
    for path in sys.argv[1:]:
        names, ids = set(), {}
        for name, player in tags(path):
            if name and name != "?":
                names.add(name)
                if player:
                    ids.setdefault(fold(name), set()).add(player)
        surnames, keys = {surname(name) for name in names}, {}
        for one in surnames:
            keys.setdefault(simplified(one), set()).add(one)
        joined = [group for group in keys.values() if len(group) > 1]
        whole = {}
        for name in ids:
            whole.setdefault(simplified(name), set()).add(name)
        pairs = [(a, b) for group in whole.values() for a, b in itertools.combinations(sorted(group), 2)]
        false = [(a, b) for a, b in pairs if not ids[a] & ids[b]]
        print("%s: %d surnames; %d of them find another one; %d pairs of names with ids become equal, %d of them with different ids"
              % (path, len(surnames), sum(map(len, joined)), len(pairs), len(false)))
        for group in sorted(joined, key=len, reverse=True)[:8]:
            print("   ", ", ".join(sorted(group)))
        for a, b in false[:8]:
            print("    %s (%s) = %s (%s)" % (a, min(ids[a]), b, min(ids[b])))


main()
