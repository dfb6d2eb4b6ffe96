#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma verify: sound archives pass with all options, damage is reported with its place, and the JSON contains
# everything.
set -u
. tests/support/command_support.bash
repository=$PWD
cd "$scratch" || exit 1

# member FILE EXPRESSION: prints a Python expression of the file's JSON object `v`.
member() {
    python3 -c 'import json, sys; v = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}
# commas NUMBER: prints 1234567 as 1,234,567.
commas() {
    python3 -c 'import sys; print("{:,}".format(int(sys.argv[1])))' "$1"
}
# damage FILE OFFSET: changes the byte at the offset.
damage() {
    python3 -c 'import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[int(sys.argv[2])] ^= 1
open(sys.argv[1], "wb").write(data)' "$1" "$2"
}

sample >a.pgn
games 300 >b.pgn
run 0 pack -q a.pgn
run 0 pack -q b.pgn
run 0 merge -q -o all.stamma a.stamma b.stamma a.stamma b.stamma a.stamma
text=$((3 * $(wc -c <a.pgn) + 2 * $(wc -c <b.pgn)))

# ---- sound archives ----
for how in "" --quick "-T 1" "-T 3 --memory 1G" "--quick -T 2"; do
    run 0 verify $how all.stamma
    grep -q '^all.stamma: sound.*: 615 games, 5 blocks, [0-9,]* bytes of text$' out || fail "the summary" "$(cat out)"
    equal "$(wc -c <err)" 0
    run 0 verify $how - <all.stamma
    grep -q '^standard input: sound' out || fail "the summary of a pipe" "$(cat out)"
    cat all.stamma | "$stamma" verify $how - >out 2>err || fail "a pipe that cannot seek"
done
run 0 verify -q all.stamma
equal "$(cat out err)" ""
run 0 verify --json all.stamma
equal "$(member out 'v["sound"], v["quick"], v["games"], v["blocks"], v["text_size"], v["damage"]')" \
    "(True, False, 615, 5, $text, [])"
equal "$(member out 'v["archive_size"], v["sound_games"], v["sound_blocks"], v["sound_text_size"], v["tail_size"]')" \
    "($(wc -c <all.stamma), 615, 5, $text, 0)"
run 0 verify --json --quick all.stamma
equal "$(member out 'v["quick"]')" True

# ---- damage ----
cp all.stamma bad.stamma
second=$(python3 -c 'data = open("a.stamma", "rb").read(); print(48 + int.from_bytes(data[24:32], "little"))')
damage bad.stamma $((second + 40)) # the head of the second block
for how in "" --quick "-T 3"; do
    run 2 verify $how bad.stamma
    says "bad.stamma: byte $second to [0-9]*, frame 2: damaged head of a block, block 2, games 6 to 305, bytes [0-9]* to [0-9]* of the text$"
    equal "$(cat out)" "bad.stamma: damaged in 1 place; sound are 315 of 615 games, 4 of 5 blocks, $(
        commas $((text - $(wc -c <b.pgn)))) of $(commas $text) bytes of text"
done
run 2 verify -q bad.stamma
equal "$(wc -c <out)" 0
equal "$(wc -l <err)" 1
run 2 verify --json - <bad.stamma
equal "$(wc -c <err)" 0
equal "$(member out 'v["sound"], [(d["kind"], d["offset"], d["frame"], d["first_block"], d["last_block"]) for d in v["damage"]]')" \
    "(False, [('head', $second, 2, 2, 2)])"
equal "$(member out '[(d["first_game"], d["last_game"], d["text_offset"], d["text_size"], d["column"]) for d in v["damage"]]')" \
    "[(6, 305, $(wc -c <a.pgn), $(wc -c <b.pgn), None)]"

# All damage is reported, in the order of the file, including damage that follows other damage.
damage bad.stamma 2                # the file's header
damage bad.stamma $((second - 1))  # the last byte of the first block
damage bad.stamma $(($(wc -c <bad.stamma) - 20)) # the commit
run 2 verify bad.stamma
equal "$(sed 's/.*: //; s/,.*//' err | tr '\n' '/')" \
    "damaged header of the file/damaged column tag:Annotator/damaged head of a block/damaged commit/"
run 2 verify --json bad.stamma
equal "$(member out '[d["kind"] for d in v["damage"]]')" "['header', 'column', 'head', 'commit']"
equal "$(member out 'v["sound_games"], v["games"] >= 305')" "(310, True)"

# ---- truncated archives, and tails ----
head -c $((second + 100)) all.stamma >cut.stamma
run 2 verify cut.stamma
says "cut.stamma: byte $second to $((second + 99)): the archive is cut short; everything after game 5 is missing"
run 2 verify --json cut.stamma
equal "$(member out '[(d["kind"], d["first_game"], d["last_game"], d["text_size"]) for d in v["damage"]]')" \
    "[('end', 6, None, None)]"
{ cat all.stamma; echo "something else"; } >tail.stamma
run 2 verify tail.stamma
says "tail.stamma: 15 bytes from byte $(wc -c <all.stamma) are not committed$"
run 2 verify -q tail.stamma
equal "$(wc -l <err)$(cat out)" 1
run 2 verify --json tail.stamma
equal "$(member out 'v["sound"], v["tail_offset"], v["tail_size"], v["sound_games"], [d["kind"] for d in v["damage"]]')" \
    "(False, $(wc -c <all.stamma), 15, 615, ['tail'])"
cp all.stamma mark.stamma
damage mark.stamma $(($(wc -c <all.stamma) - 3))
run 2 verify mark.stamma
says "mark.stamma: byte [0-9]* to [0-9]*, frame 6: damaged end of a commit; all that it counts is there$"
equal "$(cat out)" "mark.stamma: damaged in 1 place; sound are 615 games, 5 blocks, $(commas $text) bytes of text"

# ---- an archive of a later format: the message names the required release ----
later=$repository/tests/data/unsupported-version.stamma
for command in 'verify' 'info' 'unpack' 'find --count' 'index -o new.index' 'repair -o new.stamma'; do
    run 2 $command "$later"
    says 'cannot read this archive of format 2\.0, which needs Stamma 2 or later$'
done
# SQLite is optional, and not built with the memory sanitizer.
[[ ${SANITIZE:-} == *memory* ]] || ! "$stamma" sql --help >/dev/null 2>&1 || {
    run 2 sql "$later" 'SELECT 1 FROM games'
    says 'cannot read this archive of format 2\.0, which needs Stamma 2 or later$'
}

# ---- files that are not archives, and misuse ----
run 2 verify a.pgn
says "a.pgn: not a Stamma archive"
: >empty.stamma
run 2 verify empty.stamma
says "not a Stamma archive"
run 2 verify --json empty.stamma
equal "$(wc -c <out)" 0
run 2 verify nowhere.stamma
says "nowhere.stamma: No such file"
run 2 verify .
says "Is a directory"
run 2 verify
run 2 verify all.stamma bad.stamma
run 2 verify --memory 1M all.stamma
run 2 verify --slow all.stamma
run 0 verify --help
grep -q -e '--quick' out || fail "the help names no --quick"
"$stamma" verify all.stamma >/dev/full 2>err
equal $? 2

finish
