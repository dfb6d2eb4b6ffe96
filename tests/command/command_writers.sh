#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Commands write the same archive at the same time: changes that a command reports as done are never lost. A command
# fails if it would replace data that it has not read. LONG=1: 50 runs of every pair of writers, and 500 pairs of first
# imports.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

game() { printf '[Event "%s"]\n[Date "2024.01.02"]\n[White "%s"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n' "$1" "$2"; }
mkdir files
{ games 300; game Twice Same; game Twice Same; } >files/w.pgn
game Appended Ann >files/more.pgn
game Imported Ian >files/new.pgn
game Merged Mia >files/extra.pgn
game Packed Pat >files/other.pgn
game Found Fay >files/found.pgn
for name in w extra other found; do
    run 0 pack -q -o files/$name.stamma files/$name.pgn
done
printf 'field,from,to,why,games,apply,doubt,id,event,site,round\nplayer,W31,Walter,typo,1,yes,,,,,\n' >files/names.csv

python3 - "$stamma" "${LONG:-}" <<'PYTHON' || fail 'see above'
import itertools, os, shutil, signal, subprocess, sys, time
import stopped_process

STAMMA, LONG = sys.argv[1], bool(sys.argv[2])
# Commands that write w.stamma. The commands of the short test come first.
WRITERS = {
    "append": "append -q w.stamma more.pgn",
    "edit": "edit -qf -o w.stamma --set Annotator=zz w.stamma",
    "dedupe": "dedupe -qf -o w.stamma w.stamma",
    "merge": "merge -qf -o w.stamma w.stamma extra.stamma",
    "pack": "pack -qf -o w.stamma other.pgn",
    "import": "import -q --from twic -o w.stamma new.pgn",
    "classify": "classify -qf -o w.stamma w.stamma",
    "names": "names -qf --apply names.csv -o w.stamma w.stamma",
    "recompress": "recompress -qf -1 -o w.stamma w.stamma",
    "find": "find -qf -o w.stamma found.stamma --white Fay",
    "repair": "repair -qf -o w.stamma extra.stamma",
}
SHORT = 6
DONE = (0, 1)  # 1: the archive is written, but no game changed
failures = checks = both = refused = 0


def check(true, *words):
    global failures, checks
    checks += 1
    if not true:
        failures += 1
        print("FAILED:", *words)


def fresh():
    shutil.rmtree("here", ignore_errors=True)
    shutil.copytree("files", "here")


def start(name):
    return subprocess.Popen([STAMMA, *WRITERS[name].split()], cwd="here", stderr=subprocess.PIPE)


def text():
    done = subprocess.run([STAMMA, "unpack", "-q", "w.stamma"], cwd="here", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout if done.returncode == 0 else done.stderr


def after(*names):
    """Returns the text after these commands, one after another."""
    fresh()
    for name in names:
        child = start(name)
        words = child.communicate()[1]
        check(child.returncode in DONE, name, "alone", child.returncode, words)
    return text()


def run_pair(pair, texts, number):
    """Starts both commands, in either order. The result is that of the successful ones, one after the other."""
    global both, refused
    fresh()
    order = pair if number % 2 else pair[::-1]
    children = {}
    for name in order:
        children[name] = start(name) if name not in children else start(name)
        if number % 4 < 2:
            time.sleep(0.001 * (number % 7))
    said = {name: child.communicate()[1].decode() for name, child in children.items()}
    done = [name for name in children if children[name].returncode in DONE]
    allowed = [texts[tuple(order)] for order in itertools.permutations(done)]
    what = pair, {name: (child.returncode, said[name]) for name, child in children.items()}
    check(text() in allowed, *what, "something is lost")
    check(all("another process" in said[name] for name in children if name not in done), *what)
    check(not [n for n in os.listdir("here") if n.startswith(".stamma-") or n.endswith(".partial")], *what, os.listdir("here"))
    both += len(done) == 2
    refused += len(done) < 2


def run_pairs(names, count):
    texts = {(): after(), **{(name,): after(name) for name in names}}
    for pair in itertools.combinations(names, 2):
        texts[pair], texts[pair[::-1]] = after(*pair), after(*pair[::-1])
        for number in range(count):
            run_pair(pair, texts, number)
    print(len(list(itertools.combinations(names, 2))), "pairs of writers,", count, "runs each: in", both,
          "runs both succeed, in", refused, "one is refused")


def begin(arguments, data=b""):
    return stopped_process.begin([STAMMA, *arguments.split()], data)


def check_at_known_moments():
    """The first command waits for its standard input while the second runs."""
    fresh()
    os.chdir("here")
    read = lambda name: open(name, "rb").read()
    before = read("w.stamma")
    child = begin("merge -qf -o w.stamma w.stamma -")
    for command in [*(WRITERS[name] for name in WRITERS), "merge -qf -o w.stamma w.stamma other.stamma"]:
        done = subprocess.run([STAMMA, *command.split()], stderr=subprocess.PIPE, check=False)
        check(done.returncode == 2 and b"w.stamma: is being written by another process" in done.stderr, command, done)
    check(read("w.stamma") == before, "a refused command changed the archive")
    child.stdin.write(read("extra.stamma"))
    check(stopped_process.end(child) == (0, ""), "merge")
    merged = read("w.stamma")

    child = begin("append -q w.stamma -", b"1. e4 *\n\n")
    for command in (WRITERS[name] for name in WRITERS):
        done = subprocess.run([STAMMA, *command.split()], stderr=subprocess.PIPE, check=False)
        check(done.returncode == 2 and b"w.stamma: is being written by another process" in done.stderr, command, done)
    check(stopped_process.end(child) == (0, ""), "append")

    # Programs without locks replace, change, create or delete the file.
    child = begin("append -q w.stamma -", b"1. e4 *\n\n")
    os.rename("w.stamma", "moved.stamma")
    moved = read("moved.stamma")
    shutil.copy("other.stamma", "w.stamma")
    status, said = stopped_process.end(child)
    check(status == 2 and "w.stamma: is another file now" in said and read("w.stamma") == read("other.stamma"), status, said)
    check(len(read("moved.stamma")) == len(moved) or read("moved.stamma").startswith(moved[:-8]), "the old archive")
    for change in "append", "touch", "end", "replace", "delete":
        shutil.copy("extra.stamma", "w.stamma")
        child = begin("merge -qf -o w.stamma w.stamma -")
        if change == "replace":
            shutil.copy("other.stamma", "second.stamma")
            os.rename("second.stamma", "w.stamma")
        elif change == "delete":
            os.remove("w.stamma")
        elif change == "touch":
            os.utime("w.stamma", (1, 1))
        else:
            status = os.stat("w.stamma")
            with open("w.stamma", "r+b") as file:
                file.seek(0 if change == "append" else -1, 2)
                file.write(b"x")
            os.utime("w.stamma", ns=(status.st_atime_ns, status.st_mtime_ns))
        now = read("w.stamma") if change != "delete" else None
        child.stdin.write(read("found.stamma"))
        status, said = stopped_process.end(child)
        check(status == 2 and "w.stamma: was changed by another process" in said, change, status, said)
        check((read("w.stamma") if os.path.exists("w.stamma") else None) == now, change)
        shutil.copy("extra.stamma", "w.stamma")
    for command in "merge -q -o made.stamma w.stamma -", "merge -qf -o made.stamma w.stamma -":
        child = begin(command)
        shutil.copy("other.stamma", "made.stamma")
        child.stdin.write(read("found.stamma"))
        status, said = stopped_process.end(child)
        check(status == 2 and "made.stamma: was created by another process" in said, command, status, said)
        check(read("made.stamma") == read("other.stamma"), command)
        os.remove("made.stamma")
    check(not [n for n in os.listdir(".") if n.startswith(".stamma-")], "a temporary file was left")
    os.chdir("..")
    check(merged != before, "merge")


def import_into(*files):
    return subprocess.Popen([STAMMA, "import", "-q", "--no-index", "--from", "twic", "-o", "n.stamma", *files], cwd="here",
                            stderr=subprocess.PIPE)


def first_imports(count):
    """Two imports that create the archive. What one reports as added is there."""
    outcomes = {}
    for _ in range(count):
        fresh()
        children = {"new.pgn": import_into("new.pgn"), "more.pgn": import_into("more.pgn")}
        said = {name: child.communicate()[1].decode() for name, child in children.items()}
        statuses = tuple(sorted(child.returncode for child in children.values()))
        outcomes[statuses] = outcomes.get(statuses, 0) + 1
        listed = subprocess.run([STAMMA, "unpack", "-q", "n.stamma"], cwd="here", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        parts = [open("files/" + name, "rb").read() for name in children if children[name].returncode == 0]
        check(listed.stdout in (b"".join(parts), b"".join(parts[::-1])) and listed.returncode == 0, statuses, said, listed)
        manifest = open("here/n.stamma.manifest").read()
        check(all((name in manifest) == (children[name].returncode == 0) for name in children), statuses, said, manifest)
        check(0 in statuses and not [n for n in os.listdir("here") if n.startswith(".stamma-")], statuses, said)
    print(count, "times two first imports; exit statuses:", outcomes)


def interrupted_first_import():
    """The import waits for a pipe while it has the lock. It deletes the archive that it has created, and no other."""
    fresh()
    os.mkfifo("here/pipe")
    child = import_into("pipe")
    stopped_process.wait_until(lambda: os.path.exists("here/n.stamma"))
    second = import_into("new.pgn")
    said = second.communicate()[1]
    check(second.returncode == 2 and b"n.stamma: is being written by another process" in said, second.returncode, said)
    check(os.path.exists("here/n.stamma"), "the archive of another process was deleted")
    child.send_signal(signal.SIGTERM)
    child.communicate()
    check(child.returncode == -signal.SIGTERM and not os.path.exists("here/n.stamma"), "an interrupted first import")
    child = import_into("pipe")
    stopped_process.wait_until(lambda: os.path.exists("here/n.stamma"))
    os.remove("here/n.stamma")
    shutil.copy("files/other.stamma", "here/n.stamma")
    child.send_signal(signal.SIGTERM)
    child.communicate()
    check(open("here/n.stamma", "rb").read() == open("files/other.stamma", "rb").read(), "another file was deleted")


stopped_process.end_by_signals()
names = list(WRITERS)
run_pairs(names if LONG else names[:SHORT], 50 if LONG else 1)
check_at_known_moments()
first_imports(500 if LONG else 5)
interrupted_first_import()
print(checks, "checks of writers,", failures, "failed")
sys.exit(1 if failures else 0)
PYTHON

finish
