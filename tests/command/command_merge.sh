#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma merge makes one archive whose output equals the output of its parts, for every way of reading, or makes no
# archive.
set -u
repository=$PWD
. tests/support/command_support.bash
cd "$scratch" || exit 1

sample >a.pgn
games 200 >b.pgn
printf '1. e4 e5 2. Nf3' >open.pgn # ends within a game, without a line end
printf '\n{nothing}' >nothing.pgn
: >empty.pgn
for name in a b open nothing empty; do
    run 0 pack -q $name.pgn
done

# merged NAME...: merges these archives, and compares the result with the archive of their joined texts.
merged() {
    local name archives=()
    : >wanted.pgn
    : >wanted.cat
    for name; do
        archives+=("$name.stamma")
        cat "$name.pgn" >>wanted.pgn
        # cat ends the last line of a game before it prints another game.
        [ -z "$(tail -c 1 wanted.cat)" ] || [ ! -s "$name.pgn" ] || printf '\n\n' >>wanted.cat
        cat "$name.pgn" >>wanted.cat
    done
    run 0 merge -f -q -o m.stamma "${archives[@]}"
    equal "$(cat out err)" ""
    for threads in 1 3; do
        run 0 unpack -f -T $threads -o back.pgn m.stamma
        same back.pgn wanted.pgn
        run 0 verify -T $threads m.stamma
    done
    run 0 unpack - <m.stamma
    same out wanted.pgn
    run 0 cat m.stamma
    [ $# -eq 0 ] || same out wanted.cat
}
merged a b
merged b
merged open open a open
merged nothing b empty a empty
merged a a a a a a a a a a a a a a a a a a a a

# ---- games ----
run 0 merge -o m.stamma -f open.stamma a.stamma b.stamma
says "m.stamma: 206 games, [0-9,]* bytes of text in [0-9,]*"
equal "$("$stamma" ls m.stamma | wc -l)" 206
run 0 cat m.stamma 1
same out open.pgn
"$stamma" cat a.stamma 2 >second
run 0 cat m.stamma 3
same out second
"$stamma" cat b.stamma last >last
run 0 cat m.stamma last
same out last
"$stamma" ls --json m.stamma | sed 's/"number":[0-9]*//' >listed
for name in open a b; do
    "$stamma" ls --json $name.stamma | sed 's/"number":[0-9]*//'
done >wanted
same listed wanted
for name in m open a b; do
    "$stamma" info --json $name.stamma >$name.json
done
python3 - <<'PYTHON' || fail "info's counts are not the sums of the parts'"
import json
m, *parts = [json.load(open(name + ".json")) for name in ("m", "open", "a", "b")]
keys = ("games", "plies", "variation_plies", "text_size", "moves_bytes", "games_verbatim", "games_partly_verbatim",
        "games_corrected", "verbatim_bytes")
assert all(m[key] == sum(part[key] for part in parts) for key in keys), m
PYTHON
cat open.pgn a.pgn b.pgn >wanted.pgn
if command -v zstd >/dev/null; then
    python3 "$repository/reference/decode_archive.py" m.stamma >slow.pgn || fail "the slow decoder does not read it"
    same slow.pgn wanted.pgn
fi

# ---- input and output ----
run 0 merge -o copy.stamma b.stamma
same copy.stamma b.stamma # a single archive is copied unchanged
run 0 merge -o - a.stamma b.stamma
cp out piped.stamma
run 0 merge -f -o m.stamma a.stamma b.stamma
same piped.stamma m.stamma
cat a.stamma | "$stamma" merge -q -f -o m2.stamma - b.stamma 2>err || fail "a pipe" "$(cat err)"
same m2.stamma m.stamma
run 2 merge -o m.stamma a.stamma
says "m.stamma: exists already; -f overwrites it"
# OUT may be one of the parts, under any name.
cp a.stamma self.stamma
ln -s self.stamma link.stamma
run 0 merge -q -f -o self.stamma self.stamma b.stamma self.stamma
cat a.pgn b.pgn a.pgn >wanted.pgn
run 0 unpack self.stamma
same out wanted.pgn
run 0 merge -q -f -o link.stamma self.stamma link.stamma
cat wanted.pgn wanted.pgn >twice.pgn
run 0 unpack self.stamma
same out twice.pgn

# ---- damage: the message names the file and the place, and no file is left ----
size=$(wc -c <b.stamma)
for at in 0 9 20 50 300 $((size / 2)) $((size - 100)) $((size - 3)); do
    python3 -c 'import sys
data = bytearray(open("b.stamma", "rb").read())
data[int(sys.argv[1])] ^= 4
open("bad.stamma", "wb").write(data)' $at
    run 2 merge -o new.stamma a.stamma bad.stamma a.stamma
    says "bad.stamma: "
    absent new.stamma
    nothing_left .
    cp a.stamma kept.stamma
    run 2 merge -f -o kept.stamma a.stamma bad.stamma
    same kept.stamma a.stamma
done
for cut in 0 10 16 100 $((size / 2)) $((size - 1)); do
    head -c $cut b.stamma >bad.stamma
    run 2 merge -o new.stamma bad.stamma a.stamma
    says "bad.stamma: "
    absent new.stamma
done
says "bad.stamma: the archive is damaged or cut short at byte [0-9]*$"
cp a.stamma kept.stamma # a last game that continues, though nothing follows
run 2 merge -f -o kept.stamma a.stamma "$repository/tests/data/bad-open-piece.stamma" b.stamma
says "bad-open-piece.stamma: the archive is damaged or cut short at byte [0-9]*, game 1$"
same kept.stamma a.stamma
nothing_left .
{ cat a.stamma; echo tail; } >tail.stamma # bytes that are not committed are not dropped silently
run 2 merge -q -o tailless.stamma tail.stamma
says "tail.stamma: the archive is damaged or cut short at byte $(wc -c <a.stamma)$"
absent tailless.stamma
run 2 repair -q -o tailless.stamma tail.stamma
same tailless.stamma a.stamma

# ---- misuse ----
run 2 merge a.stamma b.stamma
says "merge: -o is required"
run 2 merge -o new.stamma
run 2 merge -o new.stamma a.stamma nowhere.stamma
says "nowhere.stamma: No such file"
run 2 merge -o new.stamma a.pgn
says "a.pgn: not a Stamma archive"
run 2 merge -o nowhere/new.stamma a.stamma
absent new.stamma nowhere
run 0 merge --help
"$stamma" merge -q -o - a.stamma >/dev/full 2>err
equal $? 2
nothing_left .

finish
