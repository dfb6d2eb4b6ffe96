# SPDX-License-Identifier: MIT
"""Compares answers from the files of a static site with those of `stamma serve` for the archive of the site.

usage: site_equal.py SITE ARCHIVE POSITIONS SEARCHES    exits with status 1 if an answer differs

The positions are those of games, each with the moves that lead to it, or as a FEN that follows another position.
"""
import json
import os
import random
import subprocess
import sys
import urllib.parse

from serve_client import Server, stamma

MATERIAL = ("KRPKR", "KQKR", "KBNK", "KRRKQ", "KPK", "KRBKR")


def games(archive, count):
    """Games of the archive: their moves and tags."""
    total = json.loads(stamma("info", "--json", archive))["games"]
    numbers = sorted(random.sample(range(1, total + 1), min(count, total)))
    text = stamma("cat", "--json", archive, *map(str, numbers)).decode()
    return [json.loads(line) for line in text.splitlines()]


def positions(sample, count):
    for n in range(count):
        game = sample[n % len(sample)]
        if game["fen"]:
            continue
        line = game["uci"][:random.randint(0, min(40, len(game["uci"])))]
        yield "/lichess", {"play": ",".join(line), "moves": 500, "openings": 1, **({"unnamed": 1} if n % 3 == 0 else {})}


def searches(sample, count):
    for n in range(count):
        game = sample[-1 - n % len(sample)]
        player, line = game["tags"].get("White", "Tal"), game["uci"][:random.randint(1, 12)]
        yield [("/find", {"player": player, "limit": 20}), ("/find", {"play": ",".join(line), "limit": 20, "count": 1}),
               ("/find", {"query": json.dumps({"material": MATERIAL[n // 5 % 6]}), "limit": 10}),
               ("/stats", {"player": player, "limit": 5}), ("/lichess", {"player": player, "color": "white", "play": ",".join(line[:4])})][n % 5]


def main(site, archive, count, search_count):
    random.seed(50)
    sample = games(archive, 150)
    asked = [*positions(sample, int(count)), *searches(sample, int(search_count))]
    server = Server(archive)
    wanted = [server.ask(path, **{name: str(value) for name, value in fields.items()}) for path, fields in asked]
    queries = [(path, urllib.parse.urlencode(fields)) for path, fields in asked]
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "site_answers.mjs")
    node = subprocess.run(["node", script, site], input=json.dumps(queries), stdout=subprocess.PIPE, encoding="utf-8", check=True)
    found, differ = json.loads(node.stdout), 0
    assert len(found) == len(wanted) and sum(one.status == 200 for one in wanted) > 0.9 * len(wanted)
    for (path, query), answer, (status, body) in zip(queries, wanted, found, strict=True):
        if (status, body.encode("latin-1")) != (answer.status, answer.body):
            differ += 1
            at = max(0, len(os.path.commonprefix([body, answer.body.decode("latin-1")])) - 40)
            print("FAILED: %s?%s: %d, at byte %d %r\n  not %d, %r" %
                  (path, query, status, at, body[at:at + 200], answer.status, answer.body.decode("latin-1")[at:at + 200]))
    print("%d answers, %d differ" % (len(found), differ))
    return differ > 0


sys.exit(main(*sys.argv[1:]))
