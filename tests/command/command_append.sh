#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma append: the archive unpacks to the old bytes followed by the new bytes. After an error it unpacks to the old
# bytes.
set -u
. tests/support/command_support.bash
decoder=$PWD/reference/decode_archive.py
cd "$scratch" || exit 1

sample >old.pgn
games 40 >new.pgn
run 0 pack -q old.pgn
cp old.stamma archive.stamma
cat old.pgn new.pgn >both.pgn

# `gives FILE [ARCHIVE]` checks that the archive unpacks to the file, from a file, from a pipe and with the slow decoder.
gives() {
    run 0 unpack "${2:-archive.stamma}"
    same out "$1"
    "$stamma" unpack - <"${2:-archive.stamma}" >out 2>err
    same out "$1"
    python3 "$decoder" "${2:-archive.stamma}" >out
    same out "$1"
}

# ---- appended games ----
run 0 append archive.stamma new.pgn
says 'archive.stamma: 40 games appended, [0-9,]* bytes in [0-9,]*; 45 in all'
gives both.pgn
run 0 cat archive.stamma 6..
same out new.pgn
run 0 ls archive.stamma
equal "$(wc -l <out)" 45
run 0 info --json archive.stamma
equal "$(python3 -c 'import json; info = json.load(open("out")); print(info["games"], info["text_size"], info["archive_size"])')" \
    "45 $(wc -c <both.pgn) $(wc -c <archive.stamma)"

# Several files, compressed files, standard input, and text that ends at any place.
printf '1. e4 {open' >open.pgn
gzip -k new.pgn && bzip2 -k open.pgn && zstd -qk old.pgn
cp old.stamma archive.stamma
run 0 append archive.stamma new.pgn.gz open.pgn.bz2 -q
equal "$(cat err)" ''
"$stamma" append archive.stamma - 2>err <old.pgn.zst
equal $? 0
run 0 append -q --raw archive.stamma old.pgn.zst
cat old.pgn new.pgn open.pgn old.pgn old.pgn.zst >wanted
gives wanted
run 0 pack -q open.pgn
run 0 append -q open.stamma open.pgn
cat open.pgn open.pgn >wanted
gives wanted open.stamma
run 0 ls open.stamma
equal "$(wc -l <out)" 2

# Games that are kept as text are reported with their number in the archive and their line in the file.
cp old.stamma archive.stamma
run 3 append --strict archive.stamma new.pgn old.pgn
says 'old.pgn: line [0-9]*, game 50 of the archive, after ply 4: illegal move'
says 'archive.stamma: all bytes kept; 1 game kept as text from a move on, [0-9]* B (1 illegal move)$'
cat old.pgn new.pgn old.pgn >wanted
gives wanted
cp old.stamma archive.stamma
run 0 append --strict archive.stamma new.pgn

# Appending nothing changes nothing. The archive stays the same file with the same permissions.
cp old.stamma archive.stamma
chmod 640 archive.stamma
inode=$(stat -c %i archive.stamma)
run 0 append archive.stamma /dev/null
same archive.stamma old.stamma
run 0 append archive.stamma new.pgn
equal "$(stat -c '%a %i' archive.stamma)" "640 $inode"
: >nothing.pgn
run 0 pack -q nothing.pgn
run 0 append -q nothing.stamma new.pgn
gives new.pgn nothing.stamma

# A symbolic link is followed. Bytes after the archive's end, from another writer, are removed.
ln -s archive.stamma link.stamma
cp old.stamma archive.stamma
head -c 100 new.stamma 2>/dev/null >>archive.stamma || head -c 100 /dev/zero >>archive.stamma
run 0 append -q link.stamma new.pgn
[ -L link.stamma ] || fail 'the link is gone'
gives both.pgn

# An archive with enough blocks for a table of blocks.
# shellcheck disable=SC2046
run 0 merge -q -o blocks.stamma $(yes old.stamma | head -n 9)
# shellcheck disable=SC2046
cat $(yes old.pgn | head -n 9) new.pgn >wanted
cp blocks.stamma archive.stamma
run 0 append -q archive.stamma new.pgn
gives wanted
head -c -9 archive.stamma >cut.stamma
run 0 append -q --resume cut.stamma new.pgn
same cut.stamma archive.stamma

# ---- any number of threads, any memory limit ----
many_games >many.pgn
for arguments in '-T 1' '-T 3' '-T 2 --memory 200M'; do
    cp old.stamma archive.stamma
    # shellcheck disable=SC2086
    run 0 append $arguments archive.stamma many.pgn
    [ -e first.stamma ] || { cp archive.stamma first.stamma; cp err first.err; }
    same archive.stamma first.stamma
    same err first.err
done
cat old.pgn many.pgn >wanted
run 0 unpack archive.stamma
same out wanted

# ---- errors ----
cp old.stamma archive.stamma
head -c 200 new.pgn.gz >cut.pgn.gz
run 2 append archive.stamma new.pgn cut.pgn.gz
says 'cut.pgn.gz: gzip data at byte 200'
same archive.stamma old.stamma
run 2 append archive.stamma new.pgn missing.pgn
says 'missing.pgn: No such file'
same archive.stamma old.stamma
run 2 append archive.stamma
says 'append needs ARCHIVE FILE'
run 2 append - new.pgn
says 'ARCHIVE must be a file'
run 2 append missing.stamma new.pgn
says 'missing.stamma: No such file'
absent missing.stamma
mkdir folder
run 2 append folder new.pgn
says 'folder: Is a directory'
mkfifo pipe
run 2 append pipe new.pgn
says 'pipe: is not a regular file'
run 2 append /dev/null new.pgn
says '/dev/null: is not a regular file'
cp new.pgn text.pgn
run 2 append text.pgn old.pgn
says 'text.pgn: not a Stamma archive'
same text.pgn new.pgn
run 2 append archive.stamma archive.stamma
says 'archive.stamma: is an input of this command, and cannot also be its output'
"$stamma" append archive.stamma new.pgn - <archive.stamma 2>err
equal $? 2
says 'archive.stamma: is an input of this command'
same archive.stamma old.stamma
run 2 append --memory 1M archive.stamma new.pgn
says 'at least 128M'
size=$(wc -c <old.stamma)
head -c $((size - 9)) old.stamma >short.stamma
cp short.stamma before.stamma
run 2 append short.stamma new.pgn
says 'short.stamma: byte [0-9]* to [0-9]*: the archive is cut short'
says 'short.stamma: cannot be appended to; stamma repair writes its sound blocks to another archive'
same short.stamma before.stamma
# A damaged or missing end of a commit is repaired.
head -c $((size - 3)) old.stamma >mended.stamma
run 0 append mended.stamma new.pgn
says 'mended.stamma: byte [0-9]* to [0-9]*, frame 2: damaged end of a commit; all that it counts is there'
gives both.pgn mended.stamma
python3 - <<'PYTHON'
data = bytearray(open("old.stamma", "rb").read())
data[20] ^= 1
open("damaged.stamma", "wb").write(data)
PYTHON
cp damaged.stamma before.stamma
run 2 append damaged.stamma new.pgn
says 'damaged.stamma: cannot be appended to; stamma repair writes'
same damaged.stamma before.stamma
if [ "$(id -u)" -ne 0 ]; then
    chmod 400 archive.stamma
    run 2 append archive.stamma new.pgn
    says 'archive.stamma: Permission denied'
    chmod 600 archive.stamma
fi
# A file that would exceed its size limit, as on a full disk, keeps its old size.
head -c 200000 /dev/urandom >noise
if is_native; then
    (ulimit -f 40 && "$stamma" append -q archive.stamma noise 2>err)
    equal $? 2
    says 'archive.stamma: File too large'
    same archive.stamma old.stamma
fi

# ---- interrupted appends, and a complete one ----
commit=$(LC_ALL=C grep -abo StEndCmt first.stamma | sed -n 2p | cut -d: -f1)
commit=$((commit + 8))
whole=$(wc -c <first.stamma)
for left in $((size + 1)) $((commit - 9)) $((commit - 1)) $commit $((commit + 1)) $((whole - 9)); do
    head -c "$left" first.stamma >archive.stamma
    cp archive.stamma before.stamma
    if [ "$left" -ge $((commit - 9)) ]; then # complete blocks, with a commit for all but the first
        run 2 append archive.stamma many.pgn
        says 'archive.stamma: an append was interrupted: --resume continues it, -f starts again'
        says 'archive.stamma: [0-9,]* bytes from byte [0-9]* are not committed; they contain [0-9]* complete blocks with [1-9][0-9]* games'
        run 2 unpack archive.stamma
        same out old.pgn
        [ "$left" -lt $((commit - 8)) ] || run 2 append --resume archive.stamma new.pgn
        [ "$left" -lt $((commit - 8)) ] || says 'archive.stamma: the interrupted run had other input; -f starts again'
        run 2 append --resume archive.stamma missing.pgn
        same archive.stamma before.stamma
        run 0 append --resume archive.stamma many.pgn
        [ "$left" -lt $((commit - 8)) ] || says 'archive.stamma: continued the interrupted append after [0-9,]* bytes$'
    else
        run 0 append --resume archive.stamma many.pgn
        grep -v 'not committed' err >reported
        same reported first.err
    fi
    same archive.stamma first.stamma
done
for arguments in '-f' '-f --resume'; do
    head -c "$commit" first.stamma >archive.stamma
    # shellcheck disable=SC2086
    run 0 append -q $arguments archive.stamma new.pgn
    gives both.pgn
done
for arguments in '-T 3' '-T 2 --memory 200M'; do
    head -c "$commit" first.stamma >archive.stamma
    gzip -c many.pgn >many.pgn.gz
    # shellcheck disable=SC2086
    run 0 append -q --resume $arguments archive.stamma many.pgn.gz
    same archive.stamma first.stamma
done
head -c "$commit" first.stamma >archive.stamma
{ head -c 2000000 many.pgn && cat new.pgn; } >another.pgn
run 0 append --resume archive.stamma another.pgn
says 'continued the interrupted append after [0-9,]* bytes; from there on the input differs'
cat old.pgn another.pgn >wanted
run 0 unpack archive.stamma # too many games for the slow decoder
same out wanted
# A continued run that fails keeps the blocks that it had.
head -c "$commit" first.stamma >archive.stamma
head -c -20 many.pgn.gz >cut.pgn.gz
run 2 append --resume archive.stamma cut.pgn.gz
says 'cut.pgn.gz: gzip data at byte'
[ "$(wc -c <archive.stamma)" -ge "$commit" ] || fail 'what was committed is lost'
run 0 append -q --resume archive.stamma many.pgn
same archive.stamma first.stamma
cp old.stamma archive.stamma
# With one thread, a block is written and committed before the text of the next block is read.
run 2 append -T 1 archive.stamma cut.pgn.gz
same archive.stamma old.stamma
run 2 append -T 1 --resume archive.stamma cut.pgn.gz
cmp -n "$commit" archive.stamma first.stamma || fail 'what was committed is lost'
run 0 append -q --resume archive.stamma many.pgn
same archive.stamma first.stamma

# After a complete append, the same input is not appended again; different input is appended.
run 0 append --resume archive.stamma many.pgn
says 'archive.stamma: nothing is appended: the last append had the same input'
says 'archive.stamma: 0 games appended'
same archive.stamma first.stamma
cat many.pgn new.pgn >another.pgn
run 2 append --resume archive.stamma another.pgn
says 'archive.stamma: the input starts like the last append, but continues differently; without --resume all'
same archive.stamma first.stamma
cp old.stamma archive.stamma
run 0 append --resume archive.stamma new.pgn
gives both.pgn
"$stamma" append -q --resume archive.stamma - <new.pgn 2>err
equal "$?$(cat err)" 0
gives both.pgn
run 0 append -q --resume archive.stamma nothing.pgn
gives both.pgn
run 2 append --resume short.stamma new.pgn
says 'short.stamma: cannot be appended to'

# After damage to any byte of the blocks of the last append, the same input is not appended again.
cp old.stamma archive.stamma
run 0 append -q archive.stamma new.pgn
size=$(wc -c <old.stamma)
damage() { # AT: changes this byte of the last append
    python3 -c 'import sys
data = bytearray(open("archive.stamma", "rb").read())
data[int(sys.argv[1])] ^= 1
open("hurt.stamma", "wb").write(data)' $((size + $1))
    cp hurt.stamma again.stamma
}
for at in 10 40 200 400; do
    for option in -q --resume; do
        damage $at
        run 2 append $option again.stamma new.pgn
        says 'again.stamma: .*damaged\|again.stamma: .*no frame'
        says 'again.stamma: cannot be appended to'
        same again.stamma hurt.stamma
    done
done
for ((at = 0; at < $(wc -c <archive.stamma) - size; at += 5)); do # also search columns, and the commit
    damage $at
    if "$stamma" append -q --resume again.stamma new.pgn 2>/dev/null; then
        same again.stamma archive.stamma
    else
        same again.stamma hurt.stamma
    fi
done

# ---- two writers, signals, kills at any moment ----
is_native || finish
python3 - "$stamma" "$commit" <<'PYTHON' || fail 'a process that was stopped'
import shutil, subprocess, sys
import stopped_process
stamma, commit = sys.argv[1], int(sys.argv[2])
old, old_text = open("old.stamma", "rb").read(), open("old.pgn", "rb").read()
text = open("many.pgn", "rb").read()
whole = open("first.stamma", "rb").read()

def begin(count, *arguments):
    return stopped_process.begin([stamma, "append", "-q", "-T", "1", *arguments, "archive.stamma", "-"], text[:count])

def begin_anew(count, *arguments):
    shutil.copy("old.stamma", "archive.stamma")
    return begin(count, *arguments)

def unpacked():
    """Returns the unpacked text. Checks the message about bytes that are not committed."""
    done = subprocess.run([stamma, "unpack", "archive.stamma"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == (2 if b"not committed" in done.stderr else 0), done.stderr
    return done.stdout

def contents():
    with open("archive.stamma", "rb") as file:
        return file.read()

def append(*arguments):
    subprocess.run([stamma, "append", "-q", *arguments, "archive.stamma", "many.pgn"], check=True)
    assert contents() == whole, "other bytes after an append that was stopped and another"

# Kills before anything is packed, after some blocks, after a commit.
for count, arguments in ((0, ["--resume"]), (1000, []), (5 * 10 ** 6, ["--resume"]), (len(text), ["-f"])):
    stopped_process.kill(begin_anew(count))
    assert unpacked() == old_text, "another text after a kill"
    assert (len(contents()) >= commit) == (count == len(text))
    append(*arguments)

# Kills while continuing: before the run reaches new input, after it has reached new input, and when everything is
# written.
stopped_process.kill(begin_anew(len(text)))
for count in (10 ** 6, 25 * 10 ** 6, len(text)):
    stopped_process.kill(begin(count, "--resume"))
    assert len(contents()) >= commit, "what was committed is lost"
    assert unpacked() == old_text, "another text after two kills"
append("--resume", "-T", "3")
stopped_process.kill(begin(len(text), "--resume"))
append("--resume")

for number in stopped_process.ENDING:
    for count, words in ((1000, ""), (len(text), "stamma: archive.stamma: interrupted; the same command with --resume goes "
                                                 "on where it stopped\n")):
        stopped_process.interrupt(begin_anew(count), number, words)
        assert words or contents() == old, "a signal left something"
        assert unpacked() == old_text, "another text after a signal"
    append("--resume")

child = begin_anew(len(text))
for arguments in (), ("--resume",), ("-f",):
    second = subprocess.run([stamma, "append", *arguments, "archive.stamma", "new.pgn"], stderr=subprocess.PIPE)
    assert second.returncode == 2, second
    assert second.stderr == b"stamma: archive.stamma: is being written by another process\n", second.stderr
assert unpacked() == old_text, "a reader sees what is not finished"
assert stopped_process.end(child) == (0, "")
assert contents() == whole, "a second writer changed something"
PYTHON

finish
