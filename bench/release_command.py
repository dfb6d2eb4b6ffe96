# SPDX-License-Identifier: MIT
"""Compares the processor time of two commands (bench/release_command.sh).

usage: release_command.py ONE OTHER FILE.pgn...
"""
import os
import resource
import statistics
import subprocess
import sys
import tempfile

RUNS = 5
FEN = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
TASKS = {
    "pack": "pack -q -f -o {out} {pgn}",
    "unpack": "unpack -q -f -o {out} {archive}",
    "list games": "ls {archive}",
    "find by player": "find --no-index --player Carlsen --count {archive}",
    "find a position": "find --no-index --count --fen FEN {archive}",
    "tree": "tree --no-index {archive}",
    "statistics": "stats {archive}",
    "SQL": "sql {archive} SELECT",
}
WORDS = {"FEN": FEN, "SELECT": "SELECT white, count(*) AS n FROM games GROUP BY white ORDER BY n DESC LIMIT 5"}


def seconds(program, words):
    """Returns the processor seconds of a run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run([program, *words], stdout=subprocess.DEVNULL).returncode
    if status not in (0, 1):  # 1: no game is found
        sys.exit("%s %s: exit status %d" % (program, " ".join(words), status))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(programs, files):
    print("%-24s %-16s %10s %10s %7s" % ("file", "task", "ordinary s", "other s", "ratio"))
    for pgn in files:
        with tempfile.TemporaryDirectory() as folder:
            names = {"pgn": pgn, "out": os.path.join(folder, "out"), "archive": os.path.join(folder, "games.stamma")}
            subprocess.run([programs[0], "pack", "-q", "-o", names["archive"], pgn], check=True)
            for task, line in TASKS.items():
                words = [WORDS.get(word) or word.format(**names) for word in line.split()]
                times = [[seconds(program, words) for program in programs] for _ in range(RUNS)]
                ordinary, other = (statistics.median(column) for column in zip(*times))
                print("%-24s %-16s %10.3f %10.3f %7.3f" % (os.path.basename(pgn), task, ordinary, other, other / ordinary), flush=True)


main(sys.argv[1:3], sys.argv[3:])
