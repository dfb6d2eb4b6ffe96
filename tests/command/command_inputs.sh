#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No command replaces a file that it reads: the output of each command is set to each of its inputs, directly, through a
# symbolic link and through a hard link. Only the commands that edit an archive rewrite it in place.
set -u
. tests/support/command_support.bash
pgn=$(realpath data/games.pgn)
cd "$scratch" || exit 1

mkdir files
head -n 400 "$pgn" >files/games.pgn
{ sample; head -n 40 "$pgn"; } >files/more.pgn
run 0 pack -q -o files/a.stamma files/games.pgn
run 0 pack -q -o files/b.stamma files/more.pgn
run 0 index -q files/a.stamma
run 1 names -q -o files/table.csv files/a.stamma files/b.stamma
echo 'player,"Ann","Anna",typo,1,yes,,,,,' >>files/table.csv
printf 'archive,game,decision\na.stamma,1,keep\n' >files/decisions.csv
printf 'B00 "King pawn" 1. e4 *\n' >files/openings.eco
echo '1 2' >files/numbers

python3 - "$stamma" <<'PYTHON' || fail 'see above'
import os, shutil, subprocess, sys

STAMMA = sys.argv[1]
ARCHIVES = ["a.stamma", "b.stamma"]
INDEX = "a.stamma.index"
REFUSED = "cannot also be its "
# Name and arguments of each command; OUT is its output, whose name must end with the third value. Then its inputs, and
# the inputs that it rewrites.
COMMANDS = [
    ("pack -f -o OUT games.pgn more.pgn", ["games.pgn", "more.pgn"], "", []),
    ("pack -f --raw -o OUT games.pgn a.stamma", ["games.pgn", "a.stamma"], "", []),
    ("append -f OUT games.pgn a.stamma", ["a.stamma"], "", []),
    ("append --new OUT games.pgn a.stamma", ["a.stamma"], "", []),
    ("import --from twic -o OUT games.pgn a.stamma", ["a.stamma"], "", []),
    ("unpack -f -o OUT a.stamma", ["a.stamma"], "", []),
    ("repair -f -o OUT a.stamma", ["a.stamma"], "", []),
    ("cat -f -o OUT --games numbers a.stamma", ["a.stamma", "numbers"], "", []),
    ("cat -f -o OUT --json a.stamma", ["a.stamma"], "", []),
    ("find -f -o OUT a.stamma b.stamma --player Ta", [*ARCHIVES, INDEX], "", []),
    ("find -f -o OUT a.stamma --player Nobody", ["a.stamma", INDEX], "", []),
    ("find -f -o OUT a.stamma --player Ta --json", ["a.stamma", INDEX], "", []),
    ("find -f -o OUT a.stamma --player Ta --format csv --names table.csv", ["a.stamma", INDEX, "table.csv"], "", []),
    ("find -f -o OUT a.stamma --player Ta --format pgn", ["a.stamma", INDEX], "", []),
    ("find -f -o OUT a.stamma --player Ta --count", ["a.stamma", INDEX], "", []),
    ("tree -f --polyglot OUT --min-games 1 a.stamma b.stamma", [*ARCHIVES, INDEX], "", []),
    ("report -f -o OUT Ta a.stamma b.stamma", ARCHIVES, "", []),
    ("report -f -o OUT --json Ta a.stamma b.stamma", ARCHIVES, "", []),
    ("report -f -o OUT --repertoire-pgn Ta a.stamma b.stamma", ARCHIVES, "", []),
    ("export -f -o OUT --format csv a.stamma b.stamma", [*ARCHIVES, INDEX], "", []),
    ("export -f -o OUT --format arrow a.stamma", ["a.stamma", INDEX], "", []),
    ("export -f -o OUT --format parquet a.stamma", ["a.stamma", INDEX], "", []),
    ("export -f -o OUT --format pgn a.stamma b.stamma", [*ARCHIVES, INDEX], "", []),
    ("index -f -o OUT a.stamma", ["a.stamma"], "", []),
    ("names -f -o OUT a.stamma b.stamma", ARCHIVES, "", []),
    ("names -f -o OUT --apply table.csv a.stamma b.stamma", [*ARCHIVES, "table.csv"], "", ARCHIVES),
    ("edit -f -o OUT --set Event=x a.stamma b.stamma", ARCHIVES, "", ARCHIVES),
    ("edit -f -o OUT --set Event=x --sort date a.stamma b.stamma", ARCHIVES, "", ARCHIVES),
    ("edit -f -o OUT --set Event=x --pgn a.stamma", ["a.stamma"], "", []),
    ("classify -f -o OUT --eco-table openings.eco a.stamma b.stamma", [*ARCHIVES, "openings.eco"], "", ARCHIVES),
    ("classify -f -o OUT --pgn a.stamma", ["a.stamma"], "", []),
    ("dedupe -f -o OUT a.stamma b.stamma", ARCHIVES, "", ARCHIVES),
    ("dedupe -f -o OUT --merge tags --decisions decisions.csv a.stamma b.stamma", [*ARCHIVES, "decisions.csv"], "", ARCHIVES),
    ("dedupe -f -n --report OUT a.stamma b.stamma", ARCHIVES, ".json", []),
    ("dedupe -f -n --report OUT a.stamma b.stamma", ARCHIVES, ".html", []),
    ("merge -f -o OUT a.stamma b.stamma", ARCHIVES, "", ARCHIVES),
    ("merge -f -o OUT --unique a.stamma b.stamma", ARCHIVES, "", ARCHIVES),
    ("recompress -f -1 -o OUT a.stamma", ["a.stamma"], "", ["a.stamma"]),
]
failures = checks = 0


def contents(folder):
    return {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))}


def check(true, *words):
    global failures, checks
    checks += 1
    if not true:
        failures += 1
        print("FAILED:", *words)


def make(target, kind, ending):
    """Returns a name of the file `target`; None: it has no such name."""
    if kind == "direct":
        return target if target.endswith(ending) else None
    name = "out" + ending
    (os.symlink if kind == "symbolic" else os.link)(target, name)
    return name


def call(command, out, **files):
    words = [out if word == "OUT" else word for word in command.split()]
    done = subprocess.run([STAMMA, *words], stdin=files.get("stdin", subprocess.DEVNULL), stdout=files.get("stdout",
                          subprocess.PIPE), stderr=subprocess.PIPE, check=False, timeout=120)
    return done.returncode, done.stderr.decode()


def check_one(command, target, ending, rewrites, kind):
    shutil.rmtree("here", ignore_errors=True)
    shutil.copytree("../files", "here")
    os.chdir("here")
    out = make(target, kind, ending)
    before = contents(".")
    status, words = call(command, out) if out else (None, "")
    after = contents(".")
    what = (command, "onto", target, kind, "status", status, words)
    if status is None:
        pass
    elif target in rewrites:
        rewritten = {out, target} if kind != "hard" else {out}
        index = {name + ".index" for name in rewritten}
        check(status in (0, 1) and REFUSED not in words, *what)
        check({name: data for name, data in after.items() if name not in rewritten | index} ==
              {name: data for name, data in before.items() if name not in rewritten | index}, *what)
        check(subprocess.run([STAMMA, "verify", "-q", out], stdout=subprocess.DEVNULL, check=False).returncode == 0, *what)
    else:
        check(status == 2 and REFUSED in words, *what)
        check(before == after, *what, "changed", [n for n in after if after[n] != before.get(n)], set(before) ^ set(after))
    check(kind != "symbolic" or not out or os.path.islink(out), *what, "the link was replaced")
    os.chdir("..")


def check_standard_streams():
    """The output is appended to an input through standard output or a descriptor; the input is standard input."""
    shutil.copytree("../files", "here")
    os.chdir("here")
    before = contents(".")
    for command in ("unpack -o - a.stamma", "cat -o /dev/stdout a.stamma", "find -o - a.stamma --player Ta", "merge -o - a.stamma"):
        with open("a.stamma", "ab") as out:
            status, words = call(command, None, stdout=out)
        check(status == 2 and REFUSED in words and contents(".") == before, command, status, words)
    # Windows has no /dev/fd.
    for command in () if os.environ.get("STAMMA_EXE") else ("unpack -f -o /dev/fd/0 a.stamma", "find -f -o /dev/fd/0 a.stamma --player Ta", "export --format csv -f -o /dev/fd/0 a.stamma"):
        with open("a.stamma", "r+b") as out:
            status, words = call(command, None, stdin=out)
        check(status == 2 and REFUSED in words and contents(".") == before, command, status, words)
    for command in ("unpack -f -o a.stamma -", "cat -f -o a.stamma -", "find -f -o a.stamma - --player Ta", "pack -f -o a.stamma -"):
        with open("a.stamma", "rb") as file:
            status, words = call(command, None, stdin=file)
        check(status == 2 and REFUSED in words and contents(".") == before, command, status, words)
    os.chdir("..")


os.mkdir("work")
os.chdir("work")
KINDS = ("direct", "symbolic", "hard")
for number, (command, inputs, ending, rewrites) in enumerate(COMMANDS):
    for target in inputs:
        for kind in KINDS if not os.environ.get("SANITIZE") else (KINDS[number % 3],):
            check_one(command, target, ending, rewrites, kind)
shutil.rmtree("here")
check_standard_streams()
print(checks, "checks of outputs onto inputs,", failures, "failed")
sys.exit(1 if failures else 0)
PYTHON

# ---- two outputs with the same name ----
cp files/*.stamma .
cp a.stamma before.stamma
run 2 dedupe -q -o x.json --report x.json a.stamma
says 'x.json: is another output of this command, too'
absent x.json
cp a.stamma x.json
run 2 dedupe -fq -o x.json --report x.json b.stamma
says 'x.json: is another output of this command, too'
same x.json before.stamma

# ---- a search that finds nothing leaves its output unchanged ----
for form in '' --json --csv --pgn --count --wdl; do
    cp a.stamma kept
    # shellcheck disable=SC2086
    run 1 find -fo kept $form b.stamma --player Nobody
    same kept a.stamma
    rm kept
    # shellcheck disable=SC2086
    run 1 find -o kept $form b.stamma --player Nobody
    absent kept
done
cp a.stamma kept
run 1 tree -f --polyglot kept --min-games 9 b.stamma
same kept a.stamma
nothing_left .
finish
