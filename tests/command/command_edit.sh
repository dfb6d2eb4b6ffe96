#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma edit changes only the games that match; all other games stay the same, byte for byte. Python programs check the
# tokens of edited movetexts, the order of sorted games, and the moves of games that are cut.
set -u
. tests/support/command_support.bash
root=$PWD
modules=$(dirname "$(scripts/setup --modules)")/python
[ ! -d "$modules" ] || export PYTHONPATH="$modules${PYTHONPATH:+:$PYTHONPATH}"
cd "$scratch" || exit 1
cp "$root/data/games.pgn" games.pgn
"$stamma" pack -q games.pgn
sample >sample.pgn
"$stamma" pack -q sample.pgn
cp games.stamma games.before

# ---- tags ----
run 0 edit games.stamma -o new.stamma --player Tal --set 'Event=A "great" game' --set Annotator=me
says "new.stamma: 3 of 86 games changed"
run 0 unpack new.stamma -o new.pgn
python3 - <<'PYTHON' >expected.pgn # the same change by another program
import re
games = re.split(r'(?m)(?=^\[Event )', open("games.pgn", encoding="latin-1", newline="").read())
for game in games:
    if re.search(r'\[(White|Black) "Tal, ', game):
        game = re.sub(r'\[Event ".*"\]', r'[Event "A \\"great\\" game"]', game)
        game = re.sub(r'(?s)(.*\[\w+ "[^\n]*"\]\n)', r'\1[Annotator "me"]' + "\n", game, count=1)
    print(game, end="")
PYTHON
same new.pgn expected.pgn
run 0 edit new.stamma -q -f -o new.stamma --player Tal --remove Annotator --rename Event=Comp # OUT is the archive
equal "$("$stamma" cat new.stamma 19 | head -3)" '[Comp "A \"great\" game"]
[Site "Bled YUG"]
[Date "1965.08.08"]'
equal "$("$stamma" find new.stamma --tag "Comp=*" --count)" 3
equal "$("$stamma" cat new.stamma | grep -c Annotator)" 0
run 0 edit sample.stamma -q -o - --white Dan --set Result=0-1
"$stamma" cat sample.stamma 1..4 >expected
equal "$("$stamma" unpack -o - out | head -c "$(wc -c <expected)" | cmp - expected && echo same)" same
equal "$("$stamma" unpack -o - out | tail -4)" '[Result "0-1"]

1. e4 e5 2. Nf3 Nc6 3. Ke5 a6 0-1'
run 0 edit sample.stamma -q -o - --rename ECO=Event --set Site=? # games with both tags keep both
equal "$("$stamma" unpack -o - out | grep -c -e ECO -e 'Event "Casual"')" 2
printf '1. e4 *' >bare.pgn
"$stamma" pack -q bare.pgn
run 0 edit bare.stamma bare.stamma -q -o bare.new.pgn --set White=A
equal "$(cat bare.new.pgn)" '[White "A"]

1. e4 *

[White "A"]

1. e4 *'

# ---- movetext ----
run 0 edit sample.stamma -q -o strip.pgn --event "Club*" --strip comments,variations,nags
equal "$(tail -13 strip.pgn | head -2)" '
1. d4 d5 2. c4 0-1'
equal "$(cmp sample.pgn strip.pgn | grep -c differ)" 1
cat >clocks.pgn <<'PGN'
[Event "Clocks"]

1. e4 { [%eval 0.17] [%clk 0:00:30] } 1... c5?! { [%clk 0:00:29] a remark } 2. Nf3 {kept [%csl Ra1] [%emt 1]} 2... d6 3.d4 {[%clk 0:00:20]}

cxd4 ; [%clk 0:00:19]
; all of it [%clk 0:00:18]
4. Nxd4 *

[Event "Open"]

1. e4 {[%clk 0:00:30]} e5 (1... c5 {[%clk 0:00:30]}
PGN
"$stamma" pack -q clocks.pgn
run 0 edit clocks.stamma -o clocks.new.pgn --strip clocks
says "1 of 2 games changed"
says "1 game with a movetext that is damaged"
equal "$(cat clocks.new.pgn)" '[Event "Clocks"]

1. e4 { [%eval 0.17] } 1... c5?! { a remark } 2. Nf3 {kept [%csl Ra1]} 2... d6 3.d4 cxd4 ; all of it
4. Nxd4 *

[Event "Open"]

1. e4 {[%clk 0:00:30]} e5 (1... c5 {[%clk 0:00:30]}'
run 0 edit clocks.stamma -q -o - --pgn --strip clocks,evaluations,nags --event Clocks
equal "$(sed -n 3p out)" '1. e4 c5 { a remark } 2. Nf3 {kept [%csl Ra1]} 2... d6 3.d4 cxd4 ; all of it'
# A game that has only tags after the edit is not read as part of the next game. An open comment stays.
printf '[Event "first"]\n\n{nothing else}\n\n[Event "second"]\n\n1. e4 {x} *\n\n[Event "third"]\n "?"]\n\n[Event "last"]\n\n1. d4 ! *\n\n[Event "open"]\n\n1. c4 ! {open\n' >join.pgn
"$stamma" pack -q join.pgn
run 0 edit join.stamma -o join.new.pgn --strip comments,nags
says "4 of 5 games changed"
says "1 game with a movetext that is damaged"
equal "$(diff join.pgn join.new.pgn | grep '^>')" '> 
> 1. e4 *
>  " "]
> 1. d4 *'
run 0 edit games.stamma -q -o cut.stamma --cut 9
equal "$("$stamma" find cut.stamma --plies 10.. --count)" 0
equal "$("$stamma" cat cut.stamma 1 | tail -2)" '{The Immortal Game.} 1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 $6 5. Bxb5 1-0'
printf '[PlyCount "3"]\n\n1. e4 {a} (1. d4 d5) e5 $1 {b} (1... c5) 2. Nf3 {c} *\n' >count.pgn
"$stamma" pack -q count.pgn
run 0 edit count.stamma -q -o - --pgn --cut 2
equal "$(cat out)" '[PlyCount "2"]

1. e4 {a} (1. d4 d5) e5 $1 {b} (1... c5) *'
run 0 edit count.stamma -q -o - --pgn --cut 0
equal "$(tail -1 out)" '*'

# ---- other programs read the same ----
corpus=$root/${SHARED:-../shared}/corpora
if [ -e "$corpus/annotated_dev.pgn.zst" ]; then
    zstd -dqc --long=27 "$corpus/annotated_dev.pgn.zst" | "$stamma" pack -q -o all.stamma -
    "$stamma" cat all.stamma 1..400 >annotated.pgn
fi
for file in games sample annotated; do
    [ -e $file.pgn ] || continue
    "$stamma" pack -q -f $file.pgn
    for parts in comments variations nags comments,variations,nags; do
        run 0 edit $file.stamma -q -f -o parts.pgn --strip $parts
        checks=$((checks + 1))
        # shellcheck disable=SC2086
        python3 "$root/tests/command/edit_tokens.py" $file.pgn parts.pgn ${parts//,/ } >tokens 2>&1 ||
            fail "$file without $parts has other tokens" "$(tail -1 tokens)"
    done
done
if python3 -c 'import chess.pgn' 2>/dev/null; then
    checks=$((checks + 1))
    "$stamma" unpack -q -f -o cut.pgn cut.stamma
    python3 - <<'PYTHON' || fail "python-chess reads other moves in games that were cut"
import chess.pgn
with open("games.pgn", encoding="utf-8") as one, open("cut.pgn", encoding="utf-8") as other:
    while (a := chess.pgn.read_game(one)) is not None:
        b = chess.pgn.read_game(other)
        assert list(a.mainline_moves())[:9] == list(b.mainline_moves()), a.headers
        assert a.headers == b.headers
PYTHON
fi

# ---- order ----
for keys in date,white -date,plies eco,-Round -rating,black -plies -number Annotator,site; do
    run 0 edit games.stamma sample.stamma -q -f -o sorted.pgn --sort $keys
    run 0 edit games.stamma sample.stamma -q -f -o sorted.stamma --sort $keys
    equal "$("$stamma" unpack -o - sorted.stamma | cmp - sorted.pgn && echo same)" same
    checks=$((checks + 1))
    "$stamma" cat games.stamma --json >rows
    "$stamma" cat sample.stamma --json >>rows
    "$stamma" cat sorted.stamma --json >sorted
    python3 - $keys <<'PYTHON' || fail "the order is not that of $keys"
import functools, json, re, sys
rows, result = ([json.loads(line) for line in open(name)] for name in ("rows", "sorted"))
for number, row in enumerate(rows):
    row["order"] = number
NAMES = {"white": "White", "black": "Black", "eco": "ECO", "site": "Site", "date": "Date"}
def value(row, key):
    if key == "number":
        return row["order"]
    if key == "plies":
        return row["plies"]
    if key == "rating":
        known = [r for r in (row["white_rating"], row["black_rating"]) if r]
        return sum(known) / len(known) if known else None
    text = row["tags"].get(NAMES.get(key, key), "")
    if not re.sub("[?.-]", "", text):
        return None
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text) else text
def compare(a, b):
    for key in sys.argv[1].split(","):
        down, key = key[0] == "-", key.lstrip("-")
        x, y = value(a, key), value(b, key)
        if (x is None) != (y is None):
            return 1 if x is None else -1
        if x == y:
            continue
        if isinstance(x, str) != isinstance(y, str):
            less = isinstance(y, str)
        else:
            less = x.encode() < y.encode() if isinstance(x, str) else x < y
        return -1 if less != down else 1
    return 0
rows.sort(key=functools.cmp_to_key(compare)) # stable
same = lambda row: (row["tags"], row["uci"], row["comments"])
assert [same(row) for row in rows] == [same(row) for row in result]
PYTHON
done
run 0 edit games.stamma -q -o both.stamma --white "Fischer" --set White=Aaa --sort white --cut 5
equal "$("$stamma" cat both.stamma 1 | grep White)" '[White "Aaa"]'
equal "$("$stamma" find both.stamma --plies 6.. --count)" "$(($("$stamma" find games.stamma --plies 6.. --count) - $("$stamma" find games.stamma --white Fischer --count)))"

printf '[White "B"]\n\n1. e4 *\n' >second.pgn
printf '[White "A"]\n\n1. d4 *' >first.pgn
"$stamma" pack -q second.pgn first.pgn
run 0 edit second.stamma first.stamma second.stamma -q -o order.pgn --sort White
equal "$(cat order.pgn)" '[White "A"]

1. d4 *

[White "B"]

1. e4 *

[White "B"]

1. e4 *'
if is_native; then
    TMPDIR=$scratch/none run 2 edit games.stamma -q -o x --sort date
    says "temporary file for sorting"
fi

# ---- lists ----
run 0 edit games.stamma -n --white "Kasparov" --set Annotator=me --remove ECO --strip comments
says "games would change"
equal "$(head -3 out)" "$(printf 'games.stamma\t5\tAnnotator\t-\tme\ngames.stamma\t5\tECO\tB07\t-\ngames.stamma\t5\tcomments\t4\t-')"
run 0 edit sample.stamma --dry-run -q --json --set Result=1-0 --white Dan
equal "$(cat out)" '{"archive":"sample.stamma","game":5,"changes":[{"name":"Result","before":"*","after":"1-0"},{"name":"termination marker","before":"*","after":"1-0"}]}'
run 1 edit games.stamma -n --remove Nothing
same games.stamma games.before

# ---- errors ----
for wrong in "--set Event=x" "-o x" "-n -o x --set Event=x" "--json -o x --set Event=x" "-n --sort date" "-o x --set Event" \
    "-o x --remove Event=x" "-o x --set Event=x --remove Event" "-o x --rename Event=Site --set Site=x" "-o x --set FEN=x" \
    "-o x --rename FEN=Fen" "-o x --set A(B=x" "-o x --set Result=2-0" "-o x --strip all" "-o x --sort colour" "-o x --cut few" \
    "-o x --set A=b --date 2010..x" "-o new.stamma --set A=b"; do
    # shellcheck disable=SC2086
    run 2 edit games.stamma -q $wrong
    [ -s err ] || fail "edit $wrong: no message"
done
run 2 edit games.stamma -q -o x --set "Event=a
b"
says 'option --set: "Event=a$'
run 2 edit games.stamma - -q -o x --remove ECO
says "standard input cannot be used"
run 2 edit games.stamma missing.stamma -q -o x --remove ECO
says "missing.stamma"
python3 - <<'PYTHON'
bytes = bytearray(open("games.stamma", "rb").read())
bytes[len(bytes) // 2] ^= 1
open("damaged.stamma", "wb").write(bytes)
PYTHON
for sort in "" "--sort date"; do
    # shellcheck disable=SC2086
    run 2 edit damaged.stamma -q -o x --remove ECO $sort
    says "damaged.stamma"
done
if [ -w /dev/full ]; then
    run 2 edit games.stamma -q -o /dev/full --remove ECO
    says "/dev/full"
    run 2 edit games.stamma -q -o /dev/full --pgn --remove ECO --sort date
    says "/dev/full"
    "$stamma" edit games.stamma -q -n --remove ECO >/dev/full 2>err
    equal "$? $(grep -c 'standard output' err)" "2 1"
fi
absent x
nothing_left .
finish
