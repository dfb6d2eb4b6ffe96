#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma repair writes everything that is sound in a damaged archive, and nothing else, as a new sound archive. The old
# archive does not change.
set -u
. tests/support/command_support.bash
repository=$PWD
cd "$scratch" || exit 1

sample >a.pgn
games 300 >b.pgn
games 30 >c.pgn
run 0 pack -q a.pgn
cp a.stamma all.stamma
run 0 append -q all.stamma b.pgn
run 0 append -q all.stamma c.pgn
cat a.pgn b.pgn c.pgn >all.pgn
# offsets FILE: prints the offsets of its frames, and its size.
offsets() {
    python3 -c 'import sys
data, at = open(sys.argv[1], "rb").read(), 16
while at < len(data):
    print(at, end=" ")
    at += 32 + int.from_bytes(data[at + 8:at + 16], "little")
print(len(data))' "$1"
}
# change FILE OFFSET SIZE [BYTES]: replaces SIZE bytes at OFFSET with BYTES.
change() {
    python3 -c 'import sys
name, at, taken = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
data = open(name, "rb").read()
open(name, "wb").write(data[:at] + sys.argv[4].encode() + data[at + taken:])' "$1" "$2" "$3" "${4-}"
}
# repairs STATUS TEXT...: checks that bad.stamma is repaired to a sound archive of these texts, and does not change.
repairs() {
    local status=$1
    shift
    cp bad.stamma before.stamma
    rm -f good.stamma
    run "$status" repair ${options-} -o good.stamma bad.stamma
    cp err repair.err
    same bad.stamma before.stamma
    run 0 verify good.stamma
    cat "$@" >wanted
    run 0 unpack good.stamma
    same out wanted
    cp repair.err err
}
read -r first first_commit second second_commit third third_commit size < <(offsets all.stamma)

# ---- nothing lost ----
cp all.stamma bad.stamma
repairs 0 all.pgn
says 'good.stamma: 335 games, 3 blocks, [0-9,]* bytes of text; nothing is lost$'
change bad.stamma $((size - 3)) 1 x
repairs 0 all.pgn
says 'bad.stamma: byte [0-9]* to [0-9]*, frame 6: damaged end of a commit; all that it counts is there$'
cp all.stamma bad.stamma
change bad.stamma 1 3 xxx
repairs 0 all.pgn
says 'bad.stamma: byte 0 to 15: damaged header of the file$'
head -c "$second_commit" all.stamma >bad.stamma # blocks 1 and 3 exchanged
tail -c +$((third + 1)) all.stamma | head -c $((third_commit - third)) >block
{ head -c "$first" all.stamma; cat block; tail -c +$((first + 1)) all.stamma | head -c $((third - first)); tail -c +$((third_commit + 1)) all.stamma; } >bad.stamma
repairs 0 all.pgn
says 'bad.stamma: byte [0-9]* to [0-9]*, frame [0-9]*: a frame out of its order$'

cp all.stamma bad.stamma
change bad.stamma $((second + 10)) 1 x # a frame's header
repairs 0 all.pgn
says "bad.stamma: byte $second to $((second + 31)), frame 3: no frame that can be read$"

# ---- something lost ----
cp all.stamma bad.stamma
change bad.stamma "$second" 64 "$(printf '%064d' 0)" # a frame's header, and the begin of the head after it
repairs 2 a.pgn c.pgn
says "bad.stamma: byte $second to $((second_commit - 1)), frame 3: no frame that can be read, block 2, games 6 to 305, bytes"
says 'good.stamma: 35 of 335 games, 2 of 3 blocks, [0-9,]* of [0-9,]* bytes of text; the rest is lost$'
cp all.stamma bad.stamma
change bad.stamma $((second + 500)) 1 xx # a byte of a column replaced by two
options=--exact-only
repairs 2 a.pgn c.pgn
options=
cp all.stamma bad.stamma
change bad.stamma $((third_commit + 20)) 100 # the commit: its block is complete, but there may have been more blocks
repairs 2 all.pgn
says 'good.stamma: 335 games, 3 blocks, [0-9,]* bytes of text; if there was more, it is lost$'
cp all.stamma bad.stamma
change bad.stamma 0 $((first_commit - 50)) # the start of the file, with most of the first block
repairs 2 b.pgn c.pgn
head -c $((third + 100)) all.stamma >bad.stamma # an incomplete download
repairs 2 a.pgn b.pgn
head -c $((third_commit + 10)) all.stamma >bad.stamma # the last append is complete, but not committed
repairs 2 all.pgn
says 'bad.stamma: [0-9,]* bytes from byte [0-9]* are not committed; they contain 1 complete block with 30 games$'
cp "$repository/tests/data/good-cut-game.stamma" bad.stamma # a game in two blocks, one of which is lost
run 0 unpack bad.stamma
cp out game.pgn
change bad.stamma 16 64 "$(printf '%064d' 0)"
run 2 repair -o torn.stamma bad.stamma
says 'torn.stamma: 1 game, 1 of 2 blocks, 12 of 28 bytes of text; 1 block packed again, with parts of incomplete games; the rest is lost$'
run 0 verify torn.stamma
run 0 unpack torn.stamma
tail -c "$(wc -c <out)" game.pgn >wanted
same out wanted

# ---- one column of a block is damaged ----
cp "$repository/data/games.pgn" many.pgn # 86 games: groups of 64 and 22
run 0 pack -2 -q -o many.stamma many.pgn
# columns FILE: prints id, codec, offset and size of the stored columns of the first block.
columns() {
    python3 -c 'import sys
data = open(sys.argv[1], "rb").read()
at, after = 48, 48 + int.from_bytes(data[32:36], "little")
def varint():
    global at
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value
at += 16
for _ in range(8):
    varint()
at += 1
for _ in range(varint()):
    number, codec, at = data[at], data[at + 1], at + 3
    name = varint()
    at += name
    varint()
    size = varint()
    at += 8
    print(number, codec, after, size)
    after += size' "$1"
}
read -r _ _ moves moves_size < <(columns many.stamma | grep '^2 ')
cp many.stamma bad.stamma
change bad.stamma $((moves + moves_size - 10)) 2 xy # the last games lose their moves
run 2 repair -v -o saved.stamma bad.stamma
says 'bad.stamma: block 1: games saved: 64 exact, [0-9]* unconfirmed, [0-9]* incomplete, 0 lost$'
says 'bad.stamma: block 1, games [0-9]* to 86: incomplete, without .*moves'
says 'saved.stamma: 86 games, 0 of 1 block unchanged, [0-9]* games not exact; no game is lost$'
run 0 verify saved.stamma
run 0 unpack saved.stamma
cp out saved.pgn
# The first 64 games are unchanged; the others have a tag.
python3 - many.pgn saved.pgn >wanted <<'PY' || fail 'the games of the damaged block'
import sys
old, new = (open(name, "rb").read().split(b"[Event ")[1:] for name in sys.argv[1:])
mark = b"[StammaRepair "
assert len(old) == len(new) == 86
assert old[:63] == new[:63] and old[63] == new[63].split(mark)[0]
whole = open(sys.argv[2], "rb").read()
assert whole.count(mark) == 22
assert b'[StammaRepair "without moves' in whole
PY
run 0 find --tag 'StammaRepair=*' --count saved.stamma
equal "$(cat out)" 22
run 2 repair -f --json -o saved.stamma bad.stamma
python3 - out <<'PY' || fail 'the JSON object'
import json, sys
found = json.load(open(sys.argv[1]))
assert [d["kind"] for d in found["damage"]] == ["column"] and found["damage"][0]["column"] == "moves"
games = found["games"]
assert games[0] == {"block": 1, "first_game": 1, "last_game": 64, "games": 64, "state": "exact", "missing": []}
assert games[-1]["state"] == "incomplete" and "moves" in games[-1]["missing"] and games[-1]["last_game"] == 86
assert found["exact"] == 64 and found["lost"] == 0 and not found["complete"]
assert sum(run["games"] for run in games) == found["games_written"] == 86
PY
run 2 repair -f --exact-only -o saved.stamma bad.stamma
run 0 unpack saved.stamma
head -c "$(wc -c <out)" many.pgn >wanted
same out wanted
equal "$(grep -c "^.Event " out)" 64
run 2 repair --json -o - bad.stamma
says 'repair: --json needs a file for OUT'

# ---- any number of threads ----
cp all.stamma bad.stamma
change bad.stamma "$second" 64 "$(printf '%064d' 0)"
run 2 repair -T 1 -o one.stamma bad.stamma
run 2 repair -T 3 --memory 1G -o three.stamma bad.stamma
same one.stamma three.stamma
run 2 repair -q -o - bad.stamma
same out one.stamma
equal "$(wc -l <err)" 1

# ---- misuse ----
run 2 repair bad.stamma
says 'repair: -o is required'
run 2 repair -o new.stamma
run 2 repair -o new.stamma a.pgn
says 'a.pgn: not a Stamma archive'
run 2 repair -o new.stamma nowhere.stamma
says 'nowhere.stamma: No such file'
"$stamma" repair -o new.stamma - < <(cat bad.stamma) 2>err
equal $? 2
says 'standard input: must be a file'
run 2 repair -o one.stamma bad.stamma
same one.stamma three.stamma
cp bad.stamma before.stamma
run 2 repair -f -o bad.stamma bad.stamma
says 'bad.stamma: is an input of this command, and cannot also be its output'
same bad.stamma before.stamma
rm -f new.stamma
run 0 repair --help
grep -q -e '--output' out || fail 'the help names no --output'
nothing_left .
finish
