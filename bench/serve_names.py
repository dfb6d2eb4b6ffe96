# SPDX-License-Identifier: MIT
"""Measures the response times of `stamma serve` for filters by names of players, and its memory.

usage: serve_names.py STAMMA ARCHIVE [COUNT]     run by serve.sh

Each row has COUNT requests (200), which are all different: players by their numbers of games, at the initial position
and at positions of the first 20 plies (serve_load.py). The archive should have an index file.
"""
import json
import random
import sys
import urllib.parse
import urllib.request

import serve_load


def players(port):
    """Returns the names of players, most games first."""
    with urllib.request.urlopen("http://127.0.0.1:%d/stats?limit=1000000" % port) as answer:
        return [row["name"] for row in json.load(answer)["players"]]


def surnames(names):
    """Returns the texts before the comma of names, each once."""
    return list(dict.fromkeys(name.split(",")[0] for name in names))


def kinds(names, count):
    """Returns a list of filters for each kind."""
    frequent, rare = names[:count], random.Random(7).sample(names[len(names) // 2:], count)
    span = {"ratings": "2000,2200,2500", "date": "2000-01.."}
    return {
        "frequent player": [{"player": name} for name in frequent],
        "rare player": [{"player": name} for name in rare],
        "surname": [{"player": name} for name in surnames(names)[:count]],
        "two players": [{"player": pair} for pair in zip(frequent, frequent[1:] + frequent[:1])],
        "White's name": [{"white": name} for name in frequent],
        "Black's name": [{"black": name} for name in frequent],
        "name, rating and date": [dict(span, player=name) for name in frequent],
        "/player": [{"player": name, "color": "white"} for name in frequent],
        "number of games": [{"player": name, "count": 1} for name in frequent],
        "query with a name": [{"query": json.dumps({"player": name, "date": "2000.."})} for name in frequent],
    }


def path(kind, filters, moves):
    endpoint = {"/player": "/player?", "number of games": "/find?"}.get(kind, "/lichess?")
    return endpoint + urllib.parse.urlencode(dict(filters, play=",".join(moves)), doseq=True)


def later(games, draw):
    moves = draw.choice(games)
    return moves[:draw.randrange(1, len(moves) + 1)] if moves else moves


def memory(process):
    """Returns the resident memory in MB, its anonymous part, and its maximum so far (Linux)."""
    with open("/proc/%d/status" % process.pid) as status:
        numbers = dict(line.split(":", 1) for line in status)
    return [int(numbers[name].split()[0]) / 1000 for name in ("VmRSS", "RssAnon", "VmHWM")]


def main():
    stamma, archive = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    games = serve_load.lines(stamma, archive)
    process, port, _ = serve_load.start(stamma, archive)
    serve_load.wait_for_index(port)
    names = players(port)
    process.terminate()
    process.wait()
    process, port, _ = serve_load.start(stamma, archive)
    serve_load.wait_for_index(port)
    draw = random.Random(7)
    print("%-44s %6s   %7s %7s %7s %7s" % ("milliseconds", "asked", "median", "95 %", "99 %", "most"))
    for kind, filters in kinds(names, count).items():
        serve_load.report(kind, [serve_load.ask(port, path(kind, f, [])) for f in filters])
        serve_load.report("the same, plies 1 to 20", [serve_load.ask(port, path(kind, f, later(games, draw))) for f in filters])
    print("MB: resident %.0f, of this anonymous %.0f, most resident %.0f" % tuple(memory(process)))
    process.terminate()
    process.wait()


if __name__ == "__main__":
    main()
