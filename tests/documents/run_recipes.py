# SPDX-License-Identifier: MIT
"""Runs the recipes of a document in the current directory: blocks of sh and python, each followed by its output.

usage: run_recipes.py DOCUMENT [--write]

--write replaces the output in the document with the output of the recipes.
"""
import re
import shutil
import subprocess
import sys

NEEDS = {**{program: lambda program=program: shutil.which(program)
            for program in ("sqlite3", "par2", "minisign", "signify-openbsd", "rsync", "flock")},
         "./weekly": lambda: shutil.which("rsync") and shutil.which("flock"), "import duckdb": lambda: has("duckdb"), "import pyarrow": lambda: has("pyarrow"),
         "plies.arrow": lambda: subprocess.run(["stamma", "export", "-q", "games.stamma", "-o", "has.arrow", "-f"],
                                               capture_output=True).returncode == 0}
failed = shown = skipped = 0


def has(module):
    return subprocess.run([sys.executable, "-c", "import " + module], capture_output=True).returncode == 0


def run(kind, text):
    command = ["bash", "-euc", text] if kind == "sh" else [sys.executable, "-c", text]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return done.stdout.decode().replace("\r\n", "\n") + ("" if done.returncode == 0 else "status %d\n" % done.returncode)


def check(match):
    global failed, shown, skipped
    kind, recipe, expected = match.groups()
    missing = [need for need, is_there in NEEDS.items() if need in recipe and not is_there()]
    if missing:
        skipped += 1
        print("skipped:", ", ".join(missing))
        return match.group()
    printed = run(kind, recipe)
    shown += 1
    if printed != expected:
        failed += 1
        print("this recipe:\n%sprints:\n%sand not:\n%s" % (recipe, printed, expected))
    return "```%s\n%s```\n\n```text\n%s```\n" % (kind, recipe, printed)


document = open(sys.argv[1], encoding="utf-8").read()
result = re.sub(r"^```(sh|python)\n(.*?)^```\n\n```text\n(.*?)^```\n", check, document, flags=re.M | re.S)
if "--write" in sys.argv[2:]:
    open(sys.argv[1], "w", encoding="utf-8").write(result)
print(shown, "recipes,", failed, "failed,", skipped, "skipped")
sys.exit(failed > 0 or shown + skipped == 0)
