#!/bin/sh
# SPDX-License-Identifier: MIT
# generators/sample_games writes the same games for the same seed, in parts or in one call. The archive format stores all of
# them as typed games, and python-chess, if it is installed, replays them.
set -eu
sample=${BUILD:-build}/generators/sample_games
[ -x "$sample" ] || { echo "no $sample"; exit 77; }
"$STAMMA" predict e4 >/dev/null 2>&1 || { echo "the library was built without weights"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "sampled_games: $*"; exit 1; }

# make_games FILE OPTION...
make_games() {
    file=$1
    shift
    "$sample" "$@" >"$work/$file" || fail "sample_games $* failed"
}

make_games otb.pgn --games 300
make_games again.pgn --games 300
make_games other.pgn --games 300 --seed 2
make_games first.pgn --total 300 --games 110
make_games second.pgn --total 300 --games 190 --start 110
cmp "$work/otb.pgn" "$work/again.pgn" || fail "the same seed wrote other games"
cmp -s "$work/otb.pgn" "$work/other.pgn" && fail "another seed wrote the same games"
cat "$work/first.pgn" "$work/second.pgn" | cmp - "$work/otb.pgn" || fail "two parts differ from the complete games"

# The sum of these games was recorded on x86-64. Another machine must write the same bytes.
make_games online.pgn --kind online --clocks --games 200
make_games plain.pgn --plain --games 100
cat "$work/otb.pgn" "$work/online.pgn" "$work/plain.pgn" >"$work/all.pgn"
recorded=3713138948
sum=$(cksum <"$work/all.pgn" | cut -d ' ' -f 1)
[ "$sum" = "$recorded" ] || fail "the games have the sum $sum instead of $recorded: record it if the sampling changed"

"$STAMMA" pack -q -o "$work/all.stamma" "$work/all.pgn"
"$STAMMA" info --json "$work/all.stamma" >"$work/info"
python3 - "$work/info" <<'PYTHON' || fail "games are missing or kept as text"
import json, sys
info = json.load(open(sys.argv[1], encoding="utf-8"))
print("sampled_games:", info["games"], "games,", info["plies"], "plies")
sys.exit(info["games"] != 600 or any(info[name] != 0 for name in ("games_verbatim", "games_partly_verbatim")))
PYTHON

for arguments in "--games" "--games x" "--games 2 --total 1" "--kind chess --games 1" "--games 1 --players 5"; do
    # shellcheck disable=SC2086
    "$sample" $arguments >"$work/out" 2>&1 && fail "invalid options $arguments are accepted"
done

PYTHONPATH=$(dirname "$(scripts/setup --modules)")/python
export PYTHONPATH
python3 -c 'import chess.pgn' 2>/dev/null || { echo "the games are not replayed: no python-chess"; exit 0; }
python3 - "$work/all.pgn" <<'PYTHON' || fail "python-chess finds errors"
import sys
import chess.pgn
games = names = mates = 0
with open(sys.argv[1], encoding="utf-8") as text:
    while (game := chess.pgn.read_game(text)) is not None:
        assert not game.errors, (game.headers, game.errors)
        board = game.end().board()
        outcome, result = board.outcome(claim_draw=False), game.headers["Result"]
        assert outcome is None or outcome.result() == result, (game.headers, outcome)
        assert result in ("1-0", "0-1", "1/2-1/2") and board.ply() > 0, game.headers
        assert game.headers["White"] != game.headers["Black"], game.headers
        games += 1
        mates += board.is_checkmate()
assert games == 600 and mates > 0, (games, mates)
PYTHON
