# SPDX-License-Identifier: MIT
"""Prints the openings of a PGN file, such as the file of pgn-extract, as an .eco file of Scid: eco_openings.py
ECO.PGN"""
import re
import sys

with open(sys.argv[1], encoding="latin-1") as file:
    text = re.sub(r"(?s)\{.*?\}", "", file.read())
for game in re.split(r'(?m)^(?=\[ECO ")', text)[1:]:
    tags = dict(re.findall(r'(?m)^\[(\w+) "(.*)"\]', game))
    moves = re.sub(r"(?m)^\[.*$", "", game).strip()
    variation = ", ".join(tags[name] for name in ("Variation", "SubVariation") if name in tags)
    name = tags.get("Opening", "?") + (": " + variation if variation else "")
    print('%s "%s" %s' % (tags["ECO"], name.replace('"', "'"), moves))
