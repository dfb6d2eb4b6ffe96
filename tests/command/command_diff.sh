#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma diff lists the games that were added, removed and changed. The test makes the changes, so the expected list is
# known.
set -eu
stamma=$PWD/${STAMMA:-build/stamma}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp data/games.pgn "$dir/a.pgn"
cd "$dir"

fail() { echo "FAILED: $1: expected \"$3\", got \"$2\""; exit 1; }
equal() { [ "$2" = "$3" ] || fail "$1" "$2" "$3"; }
status() { local got=0; "$@" >out 2>err || got=$?; echo "$got"; }

python3 - <<'PYTHON'
text = open("a.pgn", encoding="utf-8", newline="").read()
games = ["[Event " + game for game in text.split("[Event ")[1:]]
cut = next(n for n, game in enumerate(games) if n > 50 and "??" not in game.split("\n\n")[0] and " 25." in game)
name = next(n for n, game in enumerate(games) if n > 20 and '[White "Fischer, Robert James"]' in game)
wanted = [["changed", 4, 4, "Site,Round,Place"], ["changed", 8, 8, "text"], ["removed", 11, "-"],
          ["changed", name + 1, name + 1, "White"], ["changed", cut + 1, cut + 1, "Result,moves"], ["added", "-", 86],
          ["added", "-", 87]]
games[3] = games[3].replace('[Round "', '[Round "9', 1).replace('[Site "', '[Place "', 1)
games[7] = games[7].replace("1. ", "1. {a comment} ", 1)
games[name] = games[name].replace('White "Fischer, Robert James', 'White "Fischer,R', 1)
head, moves = games[cut].split("\n\n", 1)
head = head.replace('[Result "1-0"]', '[Result "*"]').replace('[Result "0-1"]', '[Result "*"]')
games[cut] = head + "\n\n" + moves[:moves.index(" 25.")] + " *\n\n"
last = games.pop()
del games[10]
games.insert(20, last.rstrip() + "\n\n")  # another place is no change
games.append(games[30])  # twice
games.append('[Event "New"]\n[White "A\\"B"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n')
open("b.pgn", "w", encoding="utf-8", newline="").write("".join(games))
open("wanted", "w").write("".join("\t".join(map(str, row)) + "\n" for row in wanted))
PYTHON
for level in 1 2; do
    "$stamma" pack -q -f --level $level -o a.stamma a.pgn
    "$stamma" pack -q -f -o b.stamma b.pgn
    equal "equal" "$(status "$stamma" diff a.stamma a.stamma)" 1
    equal "equal" "$(cat out err)" "stamma: 0 changed, 0 added, 0 removed, 86 equal"
    equal "different" "$(status "$stamma" diff a.stamma b.stamma)" 0
    equal "summary" "$(cat err)" "stamma: 4 changed, 2 added, 1 removed, 81 equal"
    equal "list" "$(cut -f 1-3,7 out)" "$(cat wanted)"
done
"$stamma" diff -q --json a.stamma b.stamma >objects
equal "object" "$(grep '"first":4,' objects | sed 's/.*"tags"/"tags"/')" \
    '"tags":[{"name":"Site","first":"New York USA","second":null},{"name":"Round","first":"8","second":"98"},{"name":"Place","first":null,"second":"New York USA"}],"moves":false}'
equal "escapes" "$(grep -c '"white":"A\\"B","black":null' objects)" 1
equal "the other way" "$("$stamma" diff -q b.stamma a.stamma | cut -f 1 | sort | uniq -c | tr -s ' ' | tr -d '\n')" \
    " 1 added 4 changed 2 removed"
head -c 3000 a.stamma >cut.stamma
for wrong in "a.stamma" "a.stamma missing" "a.stamma -" "a.stamma cut.stamma" "cut.stamma a.stamma" "a.stamma a.pgn"; do
    # shellcheck disable=SC2086
    equal "diff $wrong" "$(status "$stamma" diff $wrong)" 2
    [ -s err ] || fail "diff $wrong" "no message" "a message"
done
equal "full" "$(status sh -c "'$stamma' diff -q a.stamma b.stamma >/dev/full")" 2
