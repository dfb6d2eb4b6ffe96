#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each bench that needs about a second on small files exits with 0 and prints a table: lines with figures, none of which is
# nan or inf. `make check-slow` builds the other benches, too.
set -euo pipefail
export LC_ALL=C
[ -z "${SANITIZE:-}" ] || { echo "no benches with sanitizers"; exit 77; }
build=${BUILD:-build} stamma=${STAMMA:-build/stamma}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pgn=data/games.pgn archive=$work/games.stamma
"$stamma" pack -q -o "$archive" $pgn
"$stamma" index -q "$archive"
printf 'find {"player": "Tal"}\ntree rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n' >"$work/questions"

table() { # LINES COMMAND...: the smallest number of lines with figures
    local least=$1
    shift
    "$@" >"$work/out" 2>"$work/errors" || { echo "$*: exit status $?"; cat "$work/out" "$work/errors"; exit 1; }
    [ "$(grep -c '[0-9]' "$work/out")" -ge "$least" ] && ! grep -qwE '[-+]?(nan|inf)' "$work/out" ||
        { echo "$*: no table of $least lines"; cat "$work/out" "$work/errors"; exit 1; }
}

table 10 "$build/bench/archive_parts_bench" "$archive"
table 12 "$build/bench/board_bench"
table 8 "$build/bench/by_number_bench" "$archive"
table 3 "$build/bench/claims_bench" $pgn
table 30 "$build/bench/codecs_bench" $pgn
table 12 "$build/bench/columns_bench" $pgn
table 5 "$build/bench/damage_bench" $pgn 1 10
table 3 "$build/bench/distinct_positions" sample <$pgn
table 7 "$build/bench/access_bench" "$archive"
table 2 "$build/bench/pgn_bench" $pgn
table 2 "$build/bench/predict_games" sample 5 <$pgn
table 4 "$build/bench/reads_bench" "$archive"
table 8 "$build/bench/remote_bench" "$archive" "$archive.index" 5
table 4 "$build/bench/san_bench" $pgn
table 3 env GAMES=200 bench/append_new.sh
table 5 env GAMES=200 WEEKS=$pgn bench/update.sh
table 5 bench/index.sh $pgn
table 15 bench/index_sizes.sh $pgn
table 5 env OPTIONS='--min-games 2' bench/pages.sh "$archive"
