#!/bin/sh
# SPDX-License-Identifier: MIT
# Every example prints the contents of examples/NAME.expected. The database of games also stores games with set-up
# positions, fall-backs and errors, and refuses a damaged file.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$STAMMA" pack -q -o "$work/games.stamma" data/games.pgn
"$STAMMA" index -q "$work/games.stamma"
for source in examples/*.c; do
    name=$(basename "$source" .c)
    case $name in
    archive_over_callbacks) set -- "$work/games.stamma" "$work/games.stamma.index" ;;
    *) set -- ;;
    esac
    "$BUILD/examples/$name" "$@" | diff "examples/$name.expected" -
    echo "$name: ok"
done

database() { "$BUILD/examples/game_database" "$@"; }
equals() { [ "$1" = "$2" ] || { echo "game_database printed \"$1\", not \"$2\""; exit 1; }; }
cat >"$work/three_queens.pgn" <<'END'
[FEN "4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1"]

1. Qa8+ Kd7 2. Qbb7+ Kd6 3. Qc5+ Kxc5 1-0

1. e4 e5 2. Ke3 *
END
equals "$(database write - "$work/games" <"$work/three_queens.pgn" 2>"$work/errors")" \
    "2 games, 8 plies in 10 bytes; 3 plies with the fall-back"
grep -q '^line 5: against the rules' "$work/errors"
equals "$(database find "$work/games" e4 e5)" "game 2, *, 2 plies in 3 bytes, position after 2 plies:
e4 e5"
head -c 30 "$work/games" >"$work/cut"
for wrong in "$work/cut" "$work/three_queens.pgn" "$work/missing"; do
    if database find "$wrong" e4 2>"$work/errors"; then echo "game_database read $wrong" && exit 1; fi
    [ -s "$work/errors" ]
done
echo "game_database, other games: ok"
