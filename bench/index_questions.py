#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures questions that an index file answers, each as a new process of `stamma find` with one thread.

usage: index_questions.py ARCHIVE...     run by index.sh

Prints for each question the median of the processor time of five runs in milliseconds, the largest resident set in MiB, and the
beginning of the answer. A question that needs more than four seconds is asked once.
"""
import os
import statistics
import subprocess
import sys
import tempfile

STAMMA = os.environ.get("STAMMA", "build/stamma")
ROUNDS, SLOW = 5, 4
PERSONS = "[carlsen]\nname = Carlsen, Magnus\nname = Carlsen,M\naccount = DrNykterstein\n"

QUESTIONS = (
    "--date 2003.05.06..2010.05.30 --count",
    "--date 2003.05.06..2010.05.30 --wdl",
    "--rating 2600.. --count",
    "--rating 2600.. --wdl",
    "--sort -rating --limit 10 --numbers",
    "--sort -date --limit 10 --numbers",
    "--player Carlsen --count",
    "--player =Carlsen,M --count",
    "--person carlsen --count",
    "--person carlsen --wdl",
    "--player Carlsen --material KRPKR --count",
    "--material KRPKR --count",
    "--material KRPKR --flipcolor --count",
    "--fen r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R_b_KQkq_- --flipcolor --count",
    "--eco B20..B99 --count",
    "--opening Najdorf --count",
    "--player Carlsen --opening Najdorf --count",
    "--sub-fen 8/pp3ppp/4p3/3pP3/3P4/8/PP3PPP/8 --count",
)


def ask(archive, question, options):
    """Returns processor seconds, the largest resident set in MiB, and the answer."""
    words = [word.replace("_", " ") for word in question.split()] + (options if "--person " in question else [])
    process = subprocess.Popen([STAMMA, "find", "-T1", archive, *words], stdout=subprocess.PIPE)
    answer = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode > 1:
        sys.exit("find %s: status %d" % (question, process.returncode))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, answer


def main(archives):
    with tempfile.NamedTemporaryFile("w", suffix=".persons") as persons:
        persons.write(PERSONS)
        persons.flush()
        questions(archives, ["--persons", persons.name])


def questions(archives, options):
    for archive in archives:
        for question in QUESTIONS:
            runs = [ask(archive, question, options)]
            while len(runs) < ROUNDS and runs[0][0] < SLOW:
                runs.append(ask(archive, question, options))
            milliseconds = 1000 * statistics.median(run[0] for run in runs)
            answer = " ".join(runs[0][2].split())[:40]
            print("%9.1f ms %6.0f MiB  find %s: %s" % (milliseconds, max(run[1] for run in runs), question, answer))


main(sys.argv[1:])
