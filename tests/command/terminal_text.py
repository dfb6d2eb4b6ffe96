# SPDX-License-Identifier: MIT
"""Runs commands on a terminal with archives whose tags, names and comments contain escape sequences and other control
characters. Checks that none of them reaches the terminal, and that a pipe receives the exact bytes.

usage: terminal_text.py STAMMA     run by terminal_text.sh in an empty folder
"""
import os
import pty
import re
import subprocess
import sys

STAMMA = os.path.abspath(sys.argv[1])
# A title, a colour, the C1 control character U+009B in UTF-8 and in Latin-1, a deletion and a backspace.
HOSTILE = [b"\x1b]0;owned\x07", b"\x1b[31m", b"\xc2\x9b31m", b"\x9b31m", b"\x7f", b"\x08"]
ALL = b"".join(HOSTILE)
UTF8 = b"".join(part for part in HOSTILE if part != b"\x9b31m")
MOVES = b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0"


def game(tags, moves=MOVES):
    return b"".join(b'[%s "%s"]\n' % tag for tag in tags) + b"\n" + moves + b"\n\n"


def texts(nasty):
    tags = [(name, name[:1] + nasty) for name in (b"Event", b"Site", b"Round", b"White", b"Black", b"ECO", b"Annotator")]
    tags[2:2] = [(b"Date", b"2024.01.02")]
    first = game(tags + [(b"Result", b"1-0")])
    games = first + game(tags + [(b"WhiteElo", nasty), (b"Opening", nasty), (b"TimeControl", nasty)],
                         b"1. e4 {" + nasty + b"} e5 2. Ke3" + nasty + b" *")
    games += game([(b"White", b"W"), (b"Black", b"B" + nasty), (b"Date", nasty), (b"Variant", nasty), (b"FEN", nasty)])
    games += game([(b"T" + nasty, b"x"), (b"White", b"W")], b"1. d4 *")
    return games, games + first.replace(b"E" + nasty, b"F" + nasty) + game(tags, b"1. d4 d5 2. c4 1/2-1/2")


def on_terminal(arguments):
    """Returns what a command prints on a terminal, for standard output and errors, and its exit status."""
    master, slave = pty.openpty()
    child = subprocess.Popen([STAMMA, *arguments], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
    os.close(slave)
    printed = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        printed += part
    os.close(master)
    return printed.replace(b"\r\n", b"\n"), child.wait()


def controls(printed):
    """Returns the control characters that are printed. A slow command overwrites its progress bar with carriage returns."""
    text = re.sub(rb"\r(?:[ -~]*\r)+", b"", printed)
    return [byte for byte in text if byte < 32 and byte not in b"\t\n"]


PLAYER = b"W" + UTF8
# Command lines and their exit status; each is run in a folder with the archives.
COMMANDS = [
    ("pack -v -f -o x.stamma a.pgn", 0), ("append -v x.stamma a.pgn", 0), ("import --from twic -o i.stamma a.pgn", 0),
    ("ls a.stamma", 0), ("ls --format json a.stamma", 0), ("ls --format csv a.stamma", 0), ("ls --format tsv a.stamma", 0),
    ("cat a.stamma", 0), ("cat --format uci a.stamma", 0), ("cat --json a.stamma", 0), ("cat --format csv a.stamma", 0),
    ("cat --format tsv a.stamma", 0), ("cat --format epd a.stamma", 0), ("cat --format plies a.stamma", 0), ("cat --bits a.stamma", 0),
    ("info -v a.stamma", 0), ("info -v --json a.stamma", 0), ("info --inputs n.stamma", 0), ("verify --sha256 n.stamma", 0),
    ("find a.stamma", 0), ("find --format pgn a.stamma", 0), ("find --format csv a.stamma", 0), ("find --json a.stamma", 0),
    ("tree a.stamma", 0), ("tree --json a.stamma", 0), ("stats a.stamma", 0), ("stats --json a.stamma", 0),
    ("stats --by White a.stamma", None), ("diff a.stamma b.stamma", None), ("diff --json a.stamma b.stamma", None),
    ("dedupe -n a.stamma b.stamma", 0), ("dedupe -n --json a.stamma b.stamma", 0), ("dedupe -f -o d.stamma a.stamma b.stamma", 0),
    ("names a.stamma b.stamma -o -", None), ("names --json a.stamma b.stamma", None),
    (["report", PLAYER, "a.stamma"], None), (["report", "--json", PLAYER, "a.stamma"], None),
    (["report", "--repertoire-pgn", PLAYER, "a.stamma"], None), (["report", "nobody" + "\x1b[31m", "a.stamma"], 1),
    ("edit -n --set Event=x a.stamma", 0), ("edit -n --json --set Event=x a.stamma", 0), ("edit --pgn --set Site=x -o - a.stamma", 0),
    ("classify --check-tags a.stamma", None), ("classify --check-tags --json a.stamma", None), ("classify -n a.stamma", 0),
    ("classify --pgn -o - a.stamma", 0), ("export --format csv -o - a.stamma", 0), ("export --clean-pgn -o - a.stamma", 0),
    (["sql", "a.stamma", "select * from games"], 0), (["sql", "--format", "csv", "a.stamma", "select * from games"], 0),
    (["sql", "--format", "json", "a.stamma", "select * from games"], 0), ("merge -f -o m.stamma a.stamma b.stamma", 0),
    # Text of the command line, which may come from a script or a file name.
    (["ls", ALL], 2), (["cat", "--columns", ALL, "--format", "csv", "a.stamma"], 2), ([ALL], 2), (["ls", b"--" + ALL, "a.stamma"], 2),
    (["perft", ALL], 2), (["predict", ALL], 2), (["encode", ALL], 2), (["find", "a.stamma", "--sort", ALL], 2),
    (["find", "a.stamma", "--query", ALL], 2), (["tree", "a.stamma", "--fen", ALL], 2), (["edit", "--set", b"E" + ALL + b"=x", "-o", "e", "a.stamma"], 2),
]


def main():
    failures = 0
    for nasty in ALL, UTF8:
        games, more = texts(nasty)
        name = b"n" + b"".join(HOSTILE[:2]) + b".pgn"
        for path, text in (b"a.pgn", games), (b"b.pgn", more), (name, games):
            with open(path, "wb") as file:
                file.write(text)
        for arguments in ("-o", "a.stamma", "a.pgn"), ("-o", "b.stamma", "b.pgn"), ("--record", "-o", "n.stamma", name):
            subprocess.run([STAMMA, "pack", "-q", "-f", *arguments], check=True)
        if os.path.exists("i.stamma"):
            os.unlink("i.stamma")
            os.unlink("i.stamma.manifest")
        for arguments, wanted in COMMANDS:
            arguments = arguments.split() if isinstance(arguments, str) else arguments
            if arguments[0] == "sql" and "memory" in os.environ.get("SANITIZE", ""):
                continue  # SQLite is not built with the memory sanitizer
            printed, status = on_terminal(arguments)
            found = [part for part in HOSTILE if part in printed] + controls(printed)
            if found or (not printed and status != 1) or (wanted is not None and status != wanted):
                failures += 1
                print(arguments, "status", status, "reaches the terminal:", found)
        piped = subprocess.run([STAMMA, "cat", "a.stamma"], stdout=subprocess.PIPE, check=True).stdout
        if piped.rstrip() != games.rstrip():
            failures += 1
            print("cat writes other bytes to a pipe")
    print("%d commands, %d failed" % (2 * len(COMMANDS), failures))
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
