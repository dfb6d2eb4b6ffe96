#!/bin/bash
# SPDX-License-Identifier: MIT
# The archives of `make demo-serve`: at least ten thousand sampled games with plausible moves, indexed, and made only
# once.
[ -z "${SANITIZE:-}" ] || { echo "not with sanitizers: sampling is slow"; exit 77; }
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
: "${BUILD:=build}"
[ -x "$BUILD/generators/sample_games" ] || { echo "no $BUILD/generators/sample_games"; exit 77; }
"$stamma" predict e4 >/dev/null 2>&1 || { echo "the library was built without weights"; exit 77; }
checks=$((checks + 1))
scripts/demo_serve --make "$BUILD" || fail "demo_serve --make"
before=$(find "$BUILD/demo" -type f -exec cksum {} + -exec ls -l {} + | sort)
scripts/demo_serve --make "$BUILD"
equal "$(find "$BUILD/demo" -type f -exec cksum {} + -exec ls -l {} + | sort)" "$before"
for name in sampled_otb sampled_online; do
    archive=$BUILD/demo/$name.stamma
    [ -e "$archive.index" ] || fail "$archive has no index"
    "$stamma" info --json "$archive" >"$scratch/info"
    "$stamma" tree --json "$archive" >"$scratch/tree"
    checks=$((checks + 1))
    # Most games begin with the moves that players prefer, and no move is played in nearly all games.
    python3 - "$scratch/info" "$scratch/tree" <<'PYTHON' || fail "the games of $archive"
import json, sys
info, tree = (json.load(open(name, encoding="utf-8")) for name in sys.argv[1:])
games = {move["san"]: move["sums"]["games"] for move in tree["moves"]}
usual = [games.get(san, 0) for san in ("e4", "d4", "Nf3", "c4")]
print(info["games"], "games", info["plies"], "plies", usual)
sys.exit(not (info["games"] >= 10000 and info["games_verbatim"] + info["games_partly_verbatim"] == 0 and sum(games.values()) == info["games"]
              and min(usual[:2]) > max(usual[2:]) and min(usual) > 0.01 * info["games"] and sum(usual) > 0.85 * info["games"] > 1.2 * max(usual)))
PYTHON
done
finish
