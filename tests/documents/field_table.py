# SPDX-License-Identifier: MIT
"""Compares the table in doc/reference/fields.md with the real outputs: each field with its type and the outputs that have it.

usage: field_table.py [--write]

--write replaces the types and outputs in the page, adds rows of new fields, with the meaning that the library has for a column, and
removes the rows of fields that no output has. Needs STAMMA and the Python package.
"""
import ast
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))

import stamma  # noqa: E402
from serve_client import Server  # noqa: E402

PAGE = os.path.join(ROOT, "doc", "reference", "fields.md")
TABLES = ("games", "plies", "positions")
# Outputs of the command in JSON: their name in the table, and the arguments.
COMMANDS = {"cat": "cat g.stamma --json --bits", "cat plies": "cat g.stamma --format plies --json --columns game,ply,uci,san,fen_before,"
            "clock_ms,eval_cp,mate,fen,time_spent_ms,bits", "ls": "ls g.stamma --json", "tree --json": "tree g.stamma --json --history", "stats --json": "stats g.stamma --json",
            "tree": "sql g.stamma --format json SELECT+*+FROM+tree", "stats": "sql g.stamma --format json SELECT+*+FROM+stats",
            "stats --by": "stats g.stamma --by year --json", "stats --by ": "stats g.stamma --by opponent --player Tal --json",
            "find --wdl": "find g.stamma --player Tal --wdl --json",
            "find": "find g.stamma --player Tal --json --columns number,white,black,white_rating,black_rating,result,date,event,site,"
                    "round,plies,match,match.fen,match.san"}
REQUESTS = {"/find": "/find?limit=1", "/game": "/game/87?openings=1&bits=1", "/lichess": "/lichess?play=e2e4&history=1&bits=1&openings=1&player=Tal",
            "/players": "/players?q=Ann", "/archives": "/archives"}
# A game with clocks, evaluations, a variation, ratings and a repeated tag.
RICH = """[Event "Rated blitz game"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[UTCDate "2024.01.02"]
[UTCTime "10:11:12"]
[WhiteElo "2100"]
[BlackElo "2200"]
[TimeControl "180+2"]
[Termination "Normal"]
[Annotator "one"]
[Annotator "two"]

1. e4 $1 {[%clk 0:03:00] [%emt 0:00:01] [%eval 0.3] good} (1. d4 {x} d5) 1... f5 {[%clk 0:02:59] [%eval #3]} 2. exf5 g5 3. Qh5# 1-0

"""


def short_type(type_name):
    """Returns a type of Arrow as the page shows it."""
    return type_name.replace("dictionary<int32, utf8>", "text").replace("utf8", "text")


def json_type(value):
    names = {bool: "boolean", int: "number", float: "number", str: "text", list: "list", dict: "object"}
    return names.get(type(value))


def walk(value, found):
    """Collects the names of all members with their types. The names of tags are no fields."""
    if isinstance(value, list):
        for element in value:
            walk(element, found)
    elif isinstance(value, dict):
        for name, member in value.items():
            if not name[0].isupper() and not re.match(r"[^a-z]", name):
                found.setdefault(name, set()).add(json_type(member))
            if name != "tags":
                walk(member, found)


def members_of(text):
    """Returns the members in lines of JSON, with their types."""
    found = {}
    for line in filter(None, text.splitlines()):
        walk(json.loads(line), found)
    return found


def of_python():
    """Returns the public properties of stamma.Game, with the types of their annotations as in JSON."""
    with open(os.path.join(ROOT, "python", "stamma", "games.py"), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    game = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Game")
    kinds = {"str": "text", "int": "number", "List": "list", "Tuple": "list", "memoryview": "list", "Dict": "object"}
    return {node.name: {kinds.get(re.sub(r"Optional\[|\[.*|\]", "", ast.unparse(node.returns)), "object")} for node in game.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and
            any("property" in ast.unparse(decorator) for decorator in node.decorator_list)}


def outputs():
    """Returns for each output its fields with their types."""
    archive = stamma.open("g.stamma")
    tags = {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower() for name in ("SetUp", "FEN", "Variant", "Annotator", "TimeControl", "WhiteElo", "BlackElo")}
    found = {table: {column.name: {short_type(column.type)} for column in archive.table_columns(table)
                     if not (table == "games" and column.name in tags | {"utc_date", "utc_time"})} for table in TABLES}
    for name, arguments in COMMANDS.items():
        text = subprocess.run([os.environ["STAMMA"], *(word.replace("+", " ") for word in arguments.split())], capture_output=True, text=True, check=True).stdout
        for member, types in members_of(text).items():
            found.setdefault(name.strip(), {}).setdefault(member, set()).update(types)
    server = Server("g.stamma")
    for name, path in REQUESTS.items():
        found[name] = members_of(server.ask(path).body.decode())
    server.stop()
    found["Python"] = of_python()
    return found


def expected():
    """Returns for each field its types and outputs, as cells of the table."""
    found, cells = outputs(), {}
    for name in {name for fields in found.values() for name in fields}:
        arrow = {kind for table in TABLES for kind in found[table].get(name, ())}
        plain = {kind for output, fields in found.items() if output not in TABLES for kind in fields.get(name, ())} - {None}
        covered = {"number" if re.match(r"u?int|double|float", kind) else "text" if kind in ("text", "date32", "binary") else
                   "boolean" if kind == "bool" else "list" for kind in arrow}
        kinds = sorted(arrow) + sorted(plain - covered)
        cells[name] = (", ".join("`%s`" % kind if kind in arrow and kind != "text" else kind for kind in kinds),
                       ", ".join("`%s`" % output if output != "Python" else output for output in found if name in found[output]))
    return cells


def rows_of(page):
    """Returns the cells of each row of the table, by field."""
    table = page.split("## All fields\n")[1]
    return {cells[0].strip("` "): [cell.strip() for cell in cells] for cells in
            (re.split(r"(?<!\\)\|", line.strip("|")) for line in table.splitlines() if line.startswith("| `"))}


def main():
    with tempfile.TemporaryDirectory() as folder, open(PAGE, encoding="utf-8") as file:
        page = file.read()
        with open(os.path.join(ROOT, "data", "games.pgn"), encoding="utf-8") as games:
            text = games.read()
        os.chdir(folder)
        with open("g.pgn", "w", encoding="utf-8") as games:
            games.write(text + "\n" + RICH)
        subprocess.run([os.environ["STAMMA"], "pack", "-q", "g.pgn"], check=True)
        wanted = expected()
        archive = stamma.open("g.stamma")
        meanings = {column.name: column.meaning for table in TABLES for column in archive.table_columns(table)}
        os.chdir(ROOT)
    rows = rows_of(page)
    if "--write" in sys.argv:
        lines = ["| `%s` | %s | %s | %s |" % (name, kind, rows[name][2] if name in rows else meanings.get(name, ""), where) for name, (kind, where) in
                 sorted(wanted.items())]
        head = page.split("## All fields\n")[0] + "## All fields\n\n| field | type | meaning and unit | outputs |\n|---|---|---|---|\n"
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(head + "\n".join(lines) + "\n")
        return 0
    faults = ["no output has the field %s" % name for name in sorted(set(rows) - set(wanted))]
    for name, (kind, where) in sorted(wanted.items()):
        row = rows.get(name, [""] * 4)
        faults += ["%s: the page says \"%s\" and not \"%s\"" % (name, cell, right) for cell, right in ((row[1], kind), (row[3], where))
                   if cell != right]
        faults += [] if row[2] else [name + ": no meaning"]
    print("\n".join(faults + ["%d fields, %d faults; --write corrects types and outputs" % (len(wanted), len(faults))]))
    return 1 if faults or len(wanted) < 80 else 0


sys.exit(main())
