#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma predict: readable and machine-readable output, and errors in its arguments.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

run 0 predict
if grep -q "without the predictor's weights" err; then
    echo "the program was built without weights"
    exit 77
fi
[ "$(wc -l <out)" = 20 ] || fail "not all legal moves of the initial position"
head -1 out | grep -Eq '^e4 +[0-9]+\.[0-9]{2} % +[0-9]\.[0-9]{2} bits$' || fail "the first line: $(head -1 out)"
run 0 predict 1.e4 'e5 2.Nf3' Nc6
grep -q '^Bb5 ' out || fail "no Bb5"
run 0 predict --json 1.e4 e5
python3 - out <<'PYTHON' || fail "the JSON is not what it should be"
import json, math, sys
said = json.load(open(sys.argv[1]))
assert said["fen"].startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq")
moves = said["moves"]
assert len(moves) == 29 and moves[0]["san"] == "Nf3" and moves[0]["uci"] == "g1f3"
assert abs(sum(move["probability"] for move in moves) - 1) < 1e-4
assert all(abs(move["bits"] + math.log2(move["probability"])) < 0.05 for move in moves)
PYTHON
run 0 predict --white-rating 900 --black-rating 900 --time-control 60+0 e4 e5
cp out beginners
run 0 predict --white-rating 2700 --black-rating 2700 e4 e5
cmp -s out beginners && fail "ratings change nothing"
run 1 predict f3 e5 g4 Qh4
[ -s out ] && fail "moves after mate"
run 2 predict e4 e4
says '"e4": '
run 2 predict --white-rating 10000
says '10000 is not a rating up to 9999'
run 2 predict --fen nonsense
says -- '--fen'
run 0 predict --fen 'rkr5/ppp5/8/8/8/8/PPP5/RKR5 w CAca - 0 9'
grep -q '^O-O' out || fail "no castling in Chess960"
finish
