#!/bin/bash
# SPDX-License-Identifier: MIT
# The bits of moves at /lichess equal the bits of `stamma predict` after the moves of the request. If the request sets
# up a position without moves, they equal the bits after the moves of a game with the position.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
serve_folder
run 0 pack -q -o a.stamma "$pgn"
python3 - <<'PYTHON' || fail "bits"
import json, os, subprocess
from serve_client import Checks, Server

check, server, moved = Checks(), Server("a.stamma"), 0


def stamma(*arguments):
    return json.loads(subprocess.run([os.environ["STAMMA"], *arguments], stdout=subprocess.PIPE, check=True).stdout)


def predicted(*arguments):
    return {one["uci"]: one["bits"] for one in stamma("predict", "--json", *arguments)["moves"]}


def served(**fields):
    return server.ask("/lichess", bits=1, moves=500, **fields).json


def same(answer, likely, what):
    """Both numbers are rounded, to two and three digits."""
    for one in answer["moves"]:
        check.that(abs(one["bits"] - likely[one["uci"]]) < 0.007, what, one["uci"], one["bits"], likely[one["uci"]])


for number in range(1, 60, 3):
    uci = stamma("cat", "--json", "a.stamma", str(number))["uci"][:4 + number % 9]
    line = served(play=",".join(uci))
    likely = predicted(*uci)
    same(line, likely, "after the moves of the request")
    alone = served(fen=line["fen"])
    if not alone["moves"]:
        continue
    # The game of the first move: its moves up to the position.
    top = stamma("tree", "--json", "--fen", line["fen"], "a.stamma")["moves"][0]["topGame"]["id"].split(":")[1]
    game = server.ask("/game/" + top).json
    here = [fen.split()[:4] for fen in game["fens"]].index(line["fen"].split()[:4]) + 1
    likely = predicted(*game["uci"][:here])
    same(alone, likely, "after the moves of a game")
    bare = predicted("--fen", line["fen"])
    moved += any(abs(bare[one["uci"]] - one["bits"]) > 0.02 for one in alone["moves"])
check.that(moved > 10, "the moves of a game make a difference", moved)
# No game has the position, so only the position is used.
fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 40"
check.equal(served(fen=fen)["moves"], [], "no game")
check.equal(server.stop(), 0, "exit status")
check.end()
PYTHON
finish
