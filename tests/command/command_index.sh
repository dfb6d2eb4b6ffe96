#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma index: find, tree and stats print the same with an index file, without an index file, and with an index file
# that is outdated, damaged or of another archive. append and merge keep index files current. An index file appears only
# when it is complete.
#
# LONG=1: also at levels 2 and 3, where answers need more time, indexes are damaged in all places.
set -u
repository=$PWD
. tests/support/command_support.bash
cd "$scratch" || exit 1

# An archive with errors that `verify` reports is not indexed, so results never depend on an index.
for archive in "$repository"/tests/data/bad-*.stamma "${SHARED:-$repository/../shared}/cases/undecodable_block.stamma"; do
    [ -f "$archive" ] || continue
    run 2 index -q -f -o bad.index "$archive"
    [ ! -e bad.index ] || fail "an index of $archive"
done
for archive in "$repository"/tests/data/good-*.stamma; do
    run 0 index -q -f -o good.index "$archive"
done

sample >a.pgn
games 300 >b.pgn
cp "$repository/data/games.pgn" c.pgn
levels="1 2 3"
"$stamma" pack -q -2 -o two.stamma a.pgn 2>/dev/null || levels=1

# answers ARCHIVE OPTION...: prints the output and exit statuses of find, tree and stats.
answers() {
    local archive=$1 query words
    shift
    for query in "--player W3" "--white Ann" "--moves e4" "--moves 'e4 e5 Nf3'" "--material KPK --flipcolor" \
        "--fen 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -'" "--eco C" "--result 1-0 --date 2024" \
        "--mate" "--player Nobody" "--sub-fen 8/8/8/8/4P3/8/8/8 --limit 20"; do
        eval "words=($query)"
        "$stamma" find "$archive" "$@" --matches "${words[@]}" 2>>notices
        echo "find $query: $?"
    done
    "$stamma" find "$archive" "$@" --wdl --moves "e4 e5" 2>>notices
    "$stamma" tree "$archive" "$@" --json 2>>notices
    "$stamma" tree "$archive" "$@" --json --history --moves "e4 e5" --white W 2>>notices
    "$stamma" stats "$archive" "$@" --json 2>>notices
    "$stamma" stats "$archive" "$@" --moves e4 2>>notices
    echo "$?"
}

# agrees ARCHIVE: checks that the answers are the same with and without the index file.
agrees() {
    if ! cmp -s "$1" answered; then # otherwise the answers are known
        : >notices
        answers "$1" --no-index >wanted
        [ ! -s notices ] || fail "a notice in spite of --no-index" "$(head -3 notices)"
        cp "$1" answered
    fi
    : >notices
    answers "$1" >found
    same found wanted
}

# reports WORDS: checks that the last answers had a notice with these words.
reports() {
    checks=$((checks + 1))
    grep -q "^stamma: .*$1" notices || fail "a notice should say \"$1\"" "$(head -3 notices)"
}

# is_silent: checks that the last answers had no notices.
is_silent() {
    equal "$(cat notices)" ""
}

# is_current ARCHIVE: checks that the archive has a current index.
is_current() {
    run 0 index "$1"
    says "$1.index: is current"
}

# flip FILE OFFSET: changes a bit.
flip() {
    local byte
    byte=$(od -An -tu1 -j "$2" -N 1 "$1")
    printf '%b' "\\0$(printf %o $((byte ^ 4)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# ---- an index, at every level ----
for level in $levels; do
    rm -f x.stamma*
    cat a.pgn b.pgn c.pgn >x.pgn
    [ "$level" -eq 1 ] || { games 60 && head -n 200 c.pgn; } | cat a.pgn - >x.pgn # because levels 2 and 3 are slow
    run 0 pack -q --level "$level" -o x.stamma x.pgn
    cp x.stamma before.stamma
    agrees x.stamma
    is_silent # a missing index is not reported
    run 0 index x.stamma
    says "x.stamma.index: $(grep -c '^\[Event ' x.pgn) games in [0-9,]* bytes ([0-9.]* % of the archive)"
    same x.stamma before.stamma
    agrees x.stamma
    is_silent
    cp x.stamma.index good
    is_current x.stamma
    same x.stamma.index good
    run 0 verify --index x.stamma
    equal "$(tail -n 1 out)" "x.stamma.index: agrees with the archive"
    run 0 verify -q --index --json x.stamma
    equal "$(python3 -c 'import json; print(json.load(open("out"))["index_differences"])')" 0

    # at another place
    mv x.stamma.index elsewhere
    : >notices
    answers x.stamma --index elsewhere >found
    same found wanted
    is_silent
    flip elsewhere 70
    flip elsewhere $(($(stat -c %s elsewhere) - 30))
    run 0 find x.stamma --index elsewhere --count --moves e4
    says "elsewhere: is damaged, and is not used"
    mv elsewhere x.stamma.index
    cp good x.stamma.index
    for command in find tree stats; do
        run 2 $command x.stamma --index missing --moves e4
        says "missing: there is no index file that can be read"
        run 2 $command x.stamma x.stamma --index good --moves e4
        says "--index requires a single ARCHIVE"
        run 2 $command x.stamma --index good --no-index --moves e4
        says "--index and --no-index cannot be used together"
    done

    # of other contents, with right checksums: only verify --index notices it
    python3 - "$repository/reference" <<'PYTHON' || fail "the index is not changed"
import sys
sys.path.insert(0, sys.argv[1])
from archive_values import xxh64
data = bytearray(open("good", "rb").read())
number = lambda at, size=8: int.from_bytes(data[at:at + size], "little")
def put(at, value, size):
    data[at:at + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
root, entry = len(data) - 64, number(len(data) - 64 + 32)
segment, size, table_size = number(entry), number(entry + 8), number(entry + 16)
table = segment + size
changed = number(table + 8 + 44 + 16 * 9)  # the facts of the first rank: White's rating
data[segment + changed] ^= 1
page = changed // 4096
put(table + table_size - 4 * (size // 4096 - page), xxh64(bytes(data[segment + page * 4096:segment + page * 4096 + 4096])), 4)
put(entry + 24, xxh64(bytes(data[table:table + table_size])), 8)
put(root + 48, xxh64(bytes(data[entry:root])), 8)
put(root + 60, xxh64(bytes(data[root:root + 60])), 4)
open("x.stamma.index", "wb").write(data)
PYTHON
    run 0 tree x.stamma
    equal "$(cat err)" ""
    run 2 verify --index x.stamma
    says 'x.stamma.index: differs from the archive: facts of a game 1, segment 1, game [0-9]*$'
    equal "$(tail -n 1 out)" "x.stamma.index: 1 difference from the archive; stamma index -f writes it again"
    rm x.stamma.index
    run 2 verify --index x.stamma
    says 'x.stamma.index: '
    cp good x.stamma.index

    # outdated
    run 0 append -q --no-index x.stamma a.pgn
    same x.stamma.index good
    agrees x.stamma
    reports "x.stamma.index: is of an earlier state of the archive.*stamma index x.stamma"
    run 0 index -q x.stamma
    agrees x.stamma
    is_silent
    cp x.stamma.index good

    # foreign
    run 0 pack -q -f -o other.stamma b.pgn
    run 0 index -q other.stamma
    cp other.stamma.index x.stamma.index
    agrees x.stamma
    reports "or of another archive"
    cp a.pgn x.stamma.index
    agrees x.stamma
    reports "x.stamma.index: is not an index file"
    run 2 index x.stamma
    says "x.stamma.index: exists and is not an index file; -f overwrites it"
    same x.stamma.index a.pgn
    run 0 append -q x.stamma a.pgn # leaves the file
    same x.stamma.index a.pgn
    run 0 index -q -f x.stamma
    agrees x.stamma
    is_silent
    cp x.stamma.index good
    { head -c 8 good; printf '\377'; tail -c +10 good; } >x.stamma.index
    agrees x.stamma
    reports "x.stamma.index: was written by another version"
    run 2 index x.stamma
    says "another version; -f overwrites it"

    # truncated and damaged
    size=$(wc -c <good)
    cuts="0 5 $((size / 3)) $((size - 1))" parts=5 flips="0 9 $((size - 3)) $((size - 30)) $((size - 100))"
    [ "$level" -eq 1 ] || [ "${LONG:-}" ] || { cuts=$((size / 3)) parts=2 flips=$((size - 30)); }
    for cut in $cuts; do
        head -c "$cut" good >x.stamma.index
        agrees x.stamma
        reports "x.stamma.index: is \(damaged\|not an index file\)"
    done
    for cut in 100 $((size - 1)); do
        head -c "$cut" good >x.stamma.index
        run 0 index -q x.stamma
        same x.stamma.index good
    done
    for ((at = 4096; at < size; at += size / parts)); do
        cp good x.stamma.index
        flip x.stamma.index "$at"
        agrees x.stamma
        [ ! -s notices ] || reports "x.stamma.index: is damaged.*stamma index -f x.stamma"
    done
    for at in $flips; do
        cp good x.stamma.index
        flip x.stamma.index "$at"
        agrees x.stamma
        reports "x.stamma.index: "
    done
    run 0 index -q -f x.stamma
    same x.stamma.index good
done

# ---- append and merge ----
for name in a b c; do
    run 0 pack -q -f $name.pgn
done
run 0 append a.stamma b.pgn
absent a.stamma.index
run 0 merge -q -f -o m.stamma a.stamma b.stamma
absent m.stamma.index
run 0 index -q a.stamma
run 0 append a.stamma c.pgn
says "a.stamma.index: 391 games"
is_current a.stamma
agrees a.stamma
is_silent
run 0 append -q a.stamma c.pgn
equal "$(cat err)" ""
is_current a.stamma
cp a.stamma.index kept
run 0 append -q --resume a.stamma c.pgn # appends nothing
same a.stamma.index kept
run 0 merge -f -o m.stamma a.stamma b.stamma # one of two has an index
says "m.stamma.index: 777 games"
is_current m.stamma
agrees m.stamma
is_silent
run 0 index -q b.stamma
run 0 merge -q -f -o b.stamma b.stamma a.stamma b.stamma # OUT is one of the archives
is_current b.stamma
agrees b.stamma
is_silent
cp m.stamma.index kept
run 0 merge -q -f --no-index -o m.stamma c.stamma a.stamma
same m.stamma.index kept
run 0 merge -q -o - a.stamma b.stamma # a pipe has no index
absent -.index
run 0 recompress -q --level 1 -f -o r.stamma a.stamma
run 0 repair -q -f -o r2.stamma a.stamma
absent r.stamma.index r2.stamma.index

# ---- in place ----
run 0 pack -q -f -o p.stamma b.pgn c.pgn
run 0 index -q p.stamma
size=$(stat -c %s p.stamma.index) inode=$(stat -c %i p.stamma.index)
printf '[White "Ann"]\n\n1. e4 e5 2. Nf3 *\n\n' >one.pgn
exec 9<p.stamma.index
for number in 1 2 3; do
    games $number >few.pgn
    run 0 append -q p.stamma few.pgn one.pgn
    equal "$(stat -c %i p.stamma.index)" "$inode"
    is_current p.stamma
    agrees p.stamma
    is_silent
    run 0 verify -q --index p.stamma
done
cmp -s -n 8192 -i 4096 p.stamma.index /dev/fd/9 || fail "bytes of the earlier index have changed"
exec 9<&-
checks=$((checks + 1))
[ $(($(stat -c %s p.stamma.index) - size)) -lt "$size" ] || fail "an append in place writes much"
cp p.stamma.index kept
run 0 append -q --no-index p.stamma one.pgn
agrees p.stamma
reports "p.stamma.index: is of an earlier state of the archive"
python3 - "$stamma" <<'PYTHON' || fail "a locked index is written"
import fcntl, subprocess, sys
with open("p.stamma.index", "r+b") as file:
    fcntl.lockf(file, fcntl.LOCK_EX)
    done = subprocess.run([sys.argv[1], "index", "p.stamma"], capture_output=True, text=True)
assert done.returncode == 2 and "p.stamma.index: is being written by another process" in done.stderr, done
PYTHON
same p.stamma.index kept
run 0 index -q p.stamma # only the missing block
equal "$(stat -c %i p.stamma.index)" "$inode"
is_current p.stamma
size=$(stat -c %s p.stamma.index)
run 0 index --compact p.stamma
says "p.stamma.index: [0-9]* games"
checks=$((checks + 1))
[ "$(stat -c %i p.stamma.index)" -ne "$inode" ] || fail "index --compact changes the file in place"
[ "$(stat -c %s p.stamma.index)" -lt "$size" ] || fail "index --compact leaves unused bytes"
is_current p.stamma
agrees p.stamma
is_silent
run 0 verify -q --index p.stamma
cp p.stamma.index kept
{ head -c 8 kept; printf '\002'; tail -c +10 kept; } >p.stamma.index
agrees p.stamma
reports "p.stamma.index: is of an earlier state of the archive or an earlier version"
run 0 index -q p.stamma
is_current p.stamma
nothing_left .

# An index cannot be written, because files are limited to 24 KiB: the archive is complete, and the earlier index
# remains.
run 0 pack -q -f c.pgn
run 0 index -q c.stamma
cp c.stamma.index kept
if is_native; then
    (ulimit -f 24 && "$stamma" append c.stamma c.pgn 2>err) || fail "append fails with its index" "$(cat err)"
    says "c.stamma.index: File too large"
    says "c.stamma: is complete, but its index is not up to date; run 'stamma index c.stamma'"
    equal "$(stat -c %s c.stamma.index)" "$(stat -c %s kept)"
    agrees c.stamma
    reports "c.stamma.index: is of an earlier state of the archive"
    equal "$("$stamma" find --no-index --count c.stamma)" 172
    run 0 index -q c.stamma
fi
agrees c.stamma
is_silent
run 0 pack -q -f c.pgn
rm c.stamma.index

printf '1. e4 *\n' >one.pgn
rm a.stamma.index
mkdir dir.stamma.index
cp a.stamma dir.stamma
run 0 find dir.stamma --count --moves e4 # a directory is no index
run 0 append -q dir.stamma one.pgn
equal "$(cat err)" ""
run 2 index dir.stamma
says "dir.stamma.index: Is a directory"

# ---- input and output ----
run 0 index -q -f -o somewhere c.stamma
absent c.stamma.index
run 0 index -q c.stamma b.stamma
same somewhere c.stamma.index
run 0 index -q -o - c.stamma
same out somewhere
run 0 index -T 1 -q -f c.stamma
same c.stamma.index somewhere
run 0 index --json c.stamma
python3 - out <<'PYTHON' || fail "index --json" "$(cat out)"
import json, os, sys
x = json.load(open(sys.argv[1]))
assert x == {"archive": "c.stamma", "index": "c.stamma.index", "written": False, "games": 86,
             "index_size": os.path.getsize("c.stamma.index"), "archive_size": os.path.getsize("c.stamma")}, x
PYTHON
cat c.stamma | "$stamma" find - --count --moves e4 >out 2>err || fail "find from a pipe" "$(cat err)"
equal "$(cat err)" ""
ln -s c.stamma link.stamma
run 0 index -q link.stamma # an index is beside the name
same link.stamma.index c.stamma.index
: >empty.pgn
run 0 pack -q empty.pgn
run 0 index -q empty.stamma
run 1 find --count empty.stamma --moves e4
equal "$(cat err)" ""

# ---- errors: no file is left, and the other archives are indexed ----
cp c.stamma bad.stamma
flip bad.stamma $(($(wc -c <c.stamma) / 5)) # in the moves
rm -f b.stamma.index
run 2 index bad.stamma b.stamma
says "bad.stamma: cannot be indexed: .* 'stamma repair' first"
absent bad.stamma.index
is_current b.stamma
head -c $(($(wc -c <c.stamma) - 20)) c.stamma >bad.stamma
run 2 index bad.stamma
says "bad.stamma: cannot be indexed"
run 2 index a.pgn
says "a.pgn: not a Stamma archive"
absent a.pgn.index
run 2 index nowhere.stamma
says "nowhere.stamma: No such file"
run 2 index -
says "ARCHIVE must be a file"
run 2 index -o x c.stamma b.stamma
says "index: -o requires a single ARCHIVE"
run 2 index -o nowhere/x c.stamma
says "nowhere/x: No such file"
run 2 index
if [ -c /dev/full ]; then
    run 2 index -q -f -o /dev/full c.stamma
    says "/dev/full: No space left"
fi
if [ "$(id -u)" -ne 0 ]; then
    mkdir closed
    cp c.stamma closed
    chmod 500 closed
    run 2 index closed/c.stamma
    says "closed/c.stamma.index: Permission denied"
    run 0 find closed/c.stamma --count --moves e4
    chmod 700 closed
fi
nothing_left .

# ---- copies of games in other blocks have no nodes ----
# nodes ARCHIVE: writes an index, and prints the number of its nodes.
nodes() {
    run 0 index -q -f "$1"
    run 0 verify -q --index "$1"
    python3 "$repository/reference/read_index.py" --sizes "$1.index" | awk '/^node depths/ { print $3 }'
}
cat c.pgn c.pgn c.pgn >together.pgn
cp c.pgn single.pgn
for name in single together; do
    run 0 pack -q -f $name.pgn
    run 0 index -q -f $name.stamma
    run 0 merge -q --no-index -f -o thrice-$name.stamma $name.stamma $name.stamma $name.stamma
done
once=$(nodes single.stamma)
equal "$(nodes thrice-single.stamma)" "$once"
for archive in together.stamma thrice-together.stamma; do
    [ "$(nodes $archive)" -ge "$once" ] || fail "fewer nodes of more games"
    agrees $archive
done

# ---- many games: crowded keys are estimated, and the bytes do not depend on the number of threads ----
corpus=${SHARED:-$repository/../shared}/corpora/lichess_dump_dev.pgn.zst
if [ -f "$corpus" ]; then
    run 0 pack -q -f -o many.stamma "$corpus"
    for threads in 1 2 3; do
        run 0 index -q -f -T $threads -o many.$threads many.stamma
        same many.$threads many.1
    done
    mv many.1 many.stamma.index
    run 0 verify -q --index many.stamma
fi

# ---- kills at any moment leave the earlier index or the new one ----
for i in 1 2 3 4 5 6 7 8 9 10; do
    cat c.pgn b.pgn
done >large.pgn
run 0 pack -q large.pgn
run 0 index -q large.stamma
cp large.stamma.index earlier
run 0 append -q --no-index large.stamma large.pgn
cp earlier large.stamma.index
for signal in TERM KILL; do
    for delay in 0.002 0.005 0.01 0.02 0.05; do
        cp earlier large.stamma.index
        # `kill $!` is not used: if it kills the forked shell before the shell runs the command, the shell runs the trap
        # on EXIT. With --foreground, `timeout` waits until a killed process has ended.
        timeout --foreground -s $signal $delay "$stamma" index -q large.stamma 2>err
        run 0 index -q --json large.stamma
        : >notices
        "$stamma" tree large.stamma >out 2>>notices
        is_silent
    done
    [ $signal = KILL ] || nothing_left .
done
finish
