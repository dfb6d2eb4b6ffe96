#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command once for each query, and prints its answers in the format of search_oracle.py.

usage: search_ask.py QUERIES.jsonl STAMMA find ARCHIVE [OPTION...]"""
import json
import re
import subprocess
import sys


def answer(query):
    run = subprocess.run([*sys.argv[2:], "--query", query, "--matches"], capture_output=True, text=True)
    if run.returncode not in (0, 1) or (run.returncode == 0) != bool(run.stdout):
        return "exit status %d: %s" % (run.returncode, run.stderr.strip())
    rows = [[int(number) for number in re.findall(r"\d+", line)] for line in run.stdout.splitlines()]
    return [[row[0], row[1:]] for row in rows]


def main():
    with open(sys.argv[1], encoding="utf-8") as queries:
        for query in queries:
            print(json.dumps(answer(query.rstrip("\n")), separators=(",", ":")))


main()
