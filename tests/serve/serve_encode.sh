#!/bin/bash
# SPDX-License-Identifier: MIT
# /encodings, /encode, /encode/sizes and /decode of `stamma serve`, without archives: their codes are those of `stamma
# encode`, sizes add up, codes decode to their moves; errors and limits.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
serve_folder
start_server
checks=$((checks + 1))
python3 - "$address" <<'PYTHON' || fail "codes of the server" "$(cat log)"
import json
import os
import random
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
# Starts of games: standard, positions with castling, promotions and en passant, many queens, Chess960.
STARTS = (INITIAL, INITIAL, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
          "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "2k5/8/8/8/8/1Q6/3Q3Q/6K1 w - - 0 1", "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1")
QUEENS = STARTS[5]
PAIRS = 1000


def ask(path, **fields):
    try:
        with urllib.request.urlopen(sys.argv[1] + path + "?" + urllib.parse.urlencode(fields)) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())["error"]


def right(path, **fields):
    status, text = ask(path, **fields)
    assert status == 200, (path, fields, status, text)
    return json.loads(text)


def encode(*arguments):
    answer = subprocess.run([os.environ["STAMMA"], "encode", "--json", *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in answer.stdout.splitlines()]


def play(chance, start, plies):
    """Plays random legal moves. Returns them, and the answer after each."""
    answer, line, answers = right("encode", fen=start, codec="fen"), [], []
    while answer["moves"] and len(line) < plies:
        line.append(chance.choice(answer["moves"])["uci"])
        answer = right("encode", fen=start, play=",".join(line))
        answers.append(answer)
    return line, answers


infos = right("encodings")["encodings"]
assert infos == encode("--list")
chance = random.Random(44)
pairs = decoded = 0
while pairs < PAIRS:
    start = STARTS[pairs // 40 % len(STARTS)]
    line, answers = play(chance, start, 40)
    wanted = encode("--explain", "--fen", start, *line)
    assert len(wanted) == len(answers) == len(line)
    for ply, (codes, answer) in enumerate(zip(wanted, answers)):
        assert answer["codes"] == codes, (start, line[:ply + 1])
        assert set(answer["missing"]) == {name for name, value in codes.items() if value is None}
        pairs += 1
    last = answers[-1]
    sizes = right("encode/sizes", fen=start, play=",".join(line))
    assert sizes["plies"] == len(line)
    for info in (one for one in infos if one["of"] != "position"):
        bits = sizes["bits"][info["encoding"]]
        if info["of"] == "game":
            assert sum(bits) == last["codes"]["bits"][info["encoding"]], info
        else:
            blank = 8 if info["text"] else 0
            wanted_bits = [codes["bits"][info["encoding"]] for codes in wanted]
            assert bits == [one if one is None else one + blank for one in wanted_bits], info
    # The last position, and the codes of the last move and of the position decoded.
    position = right("encode", fen=start, play=",".join(line), of="position")
    assert [position["codes"]] == encode("--explain", "--fen", position["fen"])
    for info in infos:
        name, value = info["encoding"], (position if info["of"] == "position" else last)["codes"].get(info["encoding"])
        if value is None or info["partial"]:
            continue
        before = {"fen": start} if info["of"] == "game" else {"fen": start, "play": ",".join(line[:-1])}
        if info["of"] != "position" and isinstance(value, int) and last["codes"]["bits"][name]:
            value = "0b" + format(value, "0%db" % last["codes"]["bits"][name])  # numbers of codes of different lengths may be equal
        status, text = ask("decode", codec=name, value=value, **before)
        assert status == 200, (name, value, text)
        found = [json.loads(one) for one in text.splitlines()]
        if info["of"] == "game":
            assert [one["uci"] for one in found] == line, name
        elif info["of"] == "position":
            assert "fen" in found[0] or name == "kings-castling", name
        else:
            assert found[0]["uci"] == line[-1], (name, value, found)
        decoded += 1
assert decoded > 800, decoded

assert right("encode", codec="tarrasch,move16", play="e2e4")["codes"] == {"move16": 4892, "tarrasch": 65, "bits": {"move16": 16, "tarrasch": 8}, "parts": encode("--explain", "--codec", "tarrasch,move16", "e4")[0]["parts"]}
queens = right("encode", fen=QUEENS, play="d2d7")
assert right("decode", fen=QUEENS, codec="two-index-bits", value="0b110011")["uci"] == "h2e2"
assert queens["fallbacks"]["tarrasch"] == "more than two queens" and "bcgn" not in queens["fallbacks"]
assert right("encode", play="e2e4,0000")["missing"]["legal-index-bits"] == "has no null move"
shuffle = ",".join(["g1f3,g8f6,f3g1,f6g8"] * 151)
for path, fields, message in (
        ("encode", {"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "fen: no legal position"),
        ("encode", {"play": "e2e5"}, 'play: move 1, "e2e5", is no legal move'),
        ("encode", {"play": shuffle}, "play: more than 600 moves"), ("encode/sizes", {"play": shuffle}, "play: more than 600 moves"),
        ("decode", {"codec": "tarrasch"}, "codec and value are needed"), ("decode", {"value": "1"}, "codec and value are needed"),
        ("decode", {"codec": "none", "value": "1"}, 'there is no encoding "none"'), ("decode", {"codec": "tarrasch", "value": "x"}, "x: is not a number"),
        ("decode", {"codec": "tarrasch", "value": "0b1"}, "tarrasch: 0b1 has 1 binary digits, and codes have 8"),
        ("decode", {"codec": "move16", "value": "70000"}, "move16: 70000 is not the code of a legal move; it means f1a7"),
        ("decode", {"codec": "butterfly", "value": "0xC38", "fen": "8/P6k/8/8/8/8/8/K7 w - - 0 1"}, "butterfly: 0xC38 is ambiguous, the code of a7a8n a7a8b a7a8r a7a8q"),
        ("decode", {"codec": "two-index-bits", "value": "51", "fen": QUEENS}, "two-index-bits: 51 is ambiguous, the code of d2g2 h2e2"),
        ("decode", {"codec": "san", "value": "e2-e4"}, 'san: "e2-e4" is not the standard spelling: "e4"'),
        ("decode", {"codec": "gap-codes", "value": "02"}, "gap-codes: 02 is not the code of a game"),
        ("decode", {"codec": "packed", "value": "7"}, "7: is no code")):
    status, text = ask(path, **fields)
    assert status == 400 and message in text, (path, fields, status, text)
assert len(right("encode/sizes", play=shuffle.rsplit(",", 4)[0], codec="tarrasch")["bits"]["tarrasch"]) == 600
PYTHON
finish
