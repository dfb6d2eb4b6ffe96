#!/bin/bash
# SPDX-License-Identifier: MIT
# /board.svg of `stamma serve` returns the pictures of `stamma board`, with a strict content security policy, and
# rejects invalid fields.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
serve_folder
run 0 pack -q "$pgn" -o games.stamma
start_server games.stamma
checks=$((checks + 1))
python3 - "$address" <<'PYTHON' || fail "pictures of the server" "$(cat log)"
import json
import os
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
CASTLED = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4"


def ask(**fields):
    request = urllib.request.Request(sys.argv[1] + "board.svg?" + urllib.parse.urlencode(fields))
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read(), error.headers


def drawn(*arguments):
    return subprocess.run([os.environ["STAMMA"], "board", *arguments], check=True, stdout=subprocess.PIPE).stdout


for fields, arguments in (
        ({}, []),
        ({"fen": ITALIAN}, ["--fen", ITALIAN]),
        ({"fen": ITALIAN, "arrows": "Rf8c5,g8f6", "circles": "Yf7,e5", "last": "f1c4", "flip": 1},
         ["--fen", ITALIAN, "--arrows", "Rf8c5,g8f6", "--circles", "Yf7,e5", "--last", "f1c4", "--flip"]),
        ({"play": "e2e4,e7e5,g1f3,b8c6,f1c4"}, ["--fen", ITALIAN, "--last", "f1c4"]),
        ({"play": "e2e4,e7e5,g1f3,b8c6,f1c4", "last": "b8c6"}, ["--fen", ITALIAN, "--last", "b8c6"]),
        ({"fen": ITALIAN, "play": "f8c5,e1h1"}, ["--fen", CASTLED, "--last", "e1g1"])):
    status, body, headers = ask(**fields)
    assert status == 200 and body == drawn(*arguments), fields
    assert headers["Content-Type"] == "image/svg+xml" and headers["Content-Security-Policy"] == "default-src 'none'"
for fields, wanted in (
        ({"arrows": "e2"}, 'arrows: "e2" is not an arrow'), ({"arrows": "e2e4," * 129}, "arrows: more than 128"),
        ({"circles": "<script>"}, 'circles: "<script>" is not a square'), ({"last": "Nf3"}, 'last: "Nf3" is not a move'),
        ({"fen": "x"}, "fen: no FEN at byte 0"), ({"play": "e2e5"}, "play: move 1"), ({"flip": "yes"}, "flip: expected true or false")):
    status, body, headers = ask(**fields)
    assert status == 400 and json.loads(body)["error"].startswith(wanted), (fields, status, body)
with urllib.request.urlopen(sys.argv[1] + "metrics") as answer:
    assert b'endpoint="board",status="400"} 7\n' in answer.read()
PYTHON
finish
