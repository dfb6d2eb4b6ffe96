# SPDX-License-Identifier: MIT
"""Compares the answers of the module for WebAssembly with those of `stamma serve`.

usage: web_requests.py ARCHIVE    the archive has an index file; exits with status 1 if an answer differs
"""
import json
import os
import subprocess
import sys
import urllib.parse

from serve_client import Server

FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
REQUESTS = [
    ("/lichess", {}), ("/lichess", {"play": "e2e4"}), ("/lichess", {"play": "e2e4,e7e5", "topGames": 4, "bits": 1, "openings": 1}),
    ("/lichess", {"fen": FEN}), ("/lichess", {"fen": "8/8"}), ("/lichess", {"play": "e2e5"}), ("/lichess", {"speeds": "blitz"}),
    ("/masters", {"play": "d2d4"}), ("/player", {"player": "Kasparov", "color": "white"}), ("/players", {"q": "ta"}),
    ("/players", {"q": "xyzzy"}), ("/find", {"player": "Tal"}), ("/find", {"query": '{"player": "Tal"}', "stream": 1}),
    ("/find", {"query": '{"material": "KRPKR"}'}), ("/find", {"query": "{"}), ("/find", {"format": "pgn", "limit": 3}),
    ("/find", {"format": "csv", "player": "Fischer"}), ("/find", {"sort": "date", "limit": 5}), ("/find", {"offset": 3, "limit": 2}),
    ("/stats", {}), ("/stats", {"query": '{"result": "1-0"}', "limit": 3}), ("/report", {"player": "Kasparov"}),
    ("/line", {"play": "e2e4,c7c5"}), ("/game/1", {}), ("/game/5", {"bits": 1, "openings": 1}), ("/game/9", {"format": "pgn"}), ("/game/0", {}),
    ("/game/100000", {}), ("/novelty/3", {}), ("/orders", {"play": "e2e4,e7e5"}), ("/encodings", {}),
    ("/encode", {"fen": FEN}), ("/encode", {"play": "e2e4"}), ("/encode/sizes", {"id": 2}), ("/decode", {"encoding": "uci", "value": "e2e4"}),
    ("/board.svg", {"fen": FEN, "arrows": "Ge8f7"}), ("/questions", {}), ("/nothing", {}), ("/lichess", {"unknown": 1}), ("/find", {"limit": -1}),
    ("/lichess/player", {"player": "Tal", "color": "black"}), ("/history", {"play": "e2e4"}),
]


def main(archive):
    server = Server(archive)
    queries = [(path, urllib.parse.urlencode(fields)) for path, fields in REQUESTS]
    wanted = [server.ask(path, **{name: str(value) for name, value in fields.items()}) for path, fields in REQUESTS]
    node = subprocess.run(["node", os.path.join(os.path.dirname(os.path.abspath(__file__)), "web_module.mjs"), "answers", archive],
                          input=json.dumps(queries), stdout=subprocess.PIPE, encoding="utf-8", check=True)
    failures, good = 0, 0
    for (path, query), answer, (status, body) in zip(queries, wanted, json.loads(node.stdout), strict=True):
        good += status == 200
        if (status, body.encode("latin-1")) != (answer.status, answer.body):
            failures += 1
            text = answer.body.decode("latin-1")
            at = max(0, len(os.path.commonprefix([body, text])) - 40)
            print("FAILED: %s?%s: %d, at byte %d %r\n  not %d, %r" % (path, query, status, at, body[at:at + 200], answer.status, text[at:at + 200]))
    print("%d requests, %d answered, %d differ" % (len(queries), good, failures))
    return failures > 0 or good < 30


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
