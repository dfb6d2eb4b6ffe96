# SPDX-License-Identifier: MIT
"""Measures the processor time of `stamma serve` for the first new move of a game (/novelty).

usage: serve_novelties.py STAMMA ARCHIVE [COUNT]     run by serve.sh

Asks for COUNT (200) games from the archive, at equal distances. The archive should have an index file.
"""
import json
import os
import sys
import urllib.request

import serve_load


def processor(process):
    """Returns the processor milliseconds of a process so far (Linux)."""
    with open("/proc/%d/stat" % process.pid, encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def ask(port, path):
    with urllib.request.urlopen("http://127.0.0.1:%d%s" % (port, path)) as answer:
        return json.load(answer)


def main():
    stamma, archive = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    process, port, _ = serve_load.start(stamma, archive)
    serve_load.wait_for_index(port)
    games = ask(port, "/health")["games"]
    numbers = [1 + (2 * n + 1) * games // (2 * count) for n in range(count)]
    ask(port, "/novelty/1")  # opens the readers
    times, found = [], 0
    for number in numbers:
        before = processor(process)
        found += ask(port, "/novelty/%d" % number)["ply"] is not None
        times.append(processor(process) - before)
    print("/novelty: %d games, %d with a new move, processor ms a game: mean %.1f, most %.0f" %
          (count, found, sum(times) / count, max(times)))
    process.terminate()
    process.wait()


main()
