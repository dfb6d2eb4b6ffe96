#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma pack --resume continues a run that was interrupted at any point, and makes the archive of an uninterrupted run.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

many_games >many.pgn
run 0 pack -T 1 many.pgn
cp err whole.err
mv many.stamma whole.stamma
nothing_left .

# ---- nothing to continue ----
sample >games.pgn
run 0 pack games.pgn
cp err first.err
mv games.stamma wanted.stamma
run 0 pack --resume games.pgn
same err first.err
same games.stamma wanted.stamma
run 2 pack --resume games.pgn
says 'games.stamma: exists already'
: >new.stamma.partial
run 0 pack --resume -q -o new.stamma games.pgn
same new.stamma wanted.stamma
absent new.stamma.partial
head -c 16 wanted.stamma >new.stamma.partial
run 0 pack -qf -o new.stamma games.pgn
same new.stamma wanted.stamma
absent new.stamma.partial
head -c 10 wanted.stamma >ten.stamma.partial
run 0 pack -q -o ten.stamma games.pgn
same ten.stamma wanted.stamma
absent ten.stamma.partial

# ---- a partial file that is not an archive ----
cp games.pgn text.stamma.partial
for option in --resume -f -q; do
    run 2 pack $option -o text.stamma games.pgn
    says 'text.stamma.partial: exists and is not an unfinished archive'
    same text.stamma.partial games.pgn
    absent text.stamma
done
ln -s games.pgn link.stamma.partial
run 2 pack -f -o link.stamma games.pgn
ln games.pgn hard.stamma.partial
run 2 pack -f -o hard.stamma games.pgn
says 'hard.stamma.partial: exists and was not written by this command'
mkdir folder.stamma.partial
run 2 pack -f -o folder.stamma games.pgn
absent link.stamma hard.stamma folder.stamma
rm -r ./*.partial
sample >wanted.pgn
same games.pgn wanted.pgn
cp games.pgn itself.stamma.partial
run 2 pack -f -o itself.stamma itself.stamma.partial
says 'itself.stamma.partial: is an input of this command, and cannot also be its output'
same itself.stamma.partial games.pgn
rm itself.stamma.partial

# ---- a crash between the link to the final name and the removal of the old name ----
cp wanted.stamma linked.stamma
ln linked.stamma linked.stamma.partial
run 2 pack -o linked.stamma games.pgn
says 'linked.stamma: exists already; -f overwrites it'
run 0 pack -qf -o linked.stamma many.pgn
absent linked.stamma.partial
same linked.stamma whole.stamma
ln -s linked.stamma soft.stamma
ln linked.stamma linked.stamma.partial
run 0 pack -qf -o soft.stamma games.pgn
absent linked.stamma.partial soft.stamma.partial
same linked.stamma wanted.stamma
rm linked.stamma soft.stamma

# ---- prefixes of the archive, as any crash leaves them ----
size=$(wc -c <whole.stamma)
commit=$(LC_ALL=C grep -abo StEndCmt whole.stamma | head -n 1 | cut -d: -f1)
commit=$((commit + 8))
for kept in 17 $((commit - 9)) $((commit - 1)) $commit $((commit + 1)) $((size - 1)) $size; do
    head -c "$kept" whole.stamma >many.stamma.partial
    cp many.stamma.partial before.left
    if [ "$kept" -ge $((commit - 8)) ]; then
        run 2 pack many.pgn
        says 'many.stamma: an earlier run was interrupted: --resume continues it, -f starts again'
        same many.stamma.partial before.left
    fi
    run 0 pack --resume many.pgn
    same many.stamma whole.stamma
    absent many.stamma.partial
    tail -n 1 whole.err >wanted
    tail -n 1 err >out
    same out wanted
    [ "$kept" -lt $((commit - 8)) ] || says 'many.stamma: continued the interrupted run after [0-9,]* bytes$'
    rm many.stamma
done
for arguments in '-T 1' '-T 3' '-T 2 --memory 200M'; do
    head -c "$commit" whole.stamma >many.stamma.partial
    # shellcheck disable=SC2086
    run 0 pack -q --resume $arguments many.pgn
    same many.stamma whole.stamma
    rm many.stamma
done
head -c "$commit" whole.stamma >many.stamma.partial
gzip -c many.pgn >many.pgn.gz
run 0 pack -q --resume many.pgn.gz
same many.stamma whole.stamma
rm many.stamma many.pgn.gz
head -c "$commit" whole.stamma >other.stamma.partial
"$stamma" pack -q --resume -o other.stamma - <many.pgn 2>err
equal $? 0
same other.stamma whole.stamma
rm other.stamma
# Additional bytes after the commit, and a damaged frame or column before the commit.
{ head -c "$commit" whole.stamma && head -c 3000 /dev/zero; } >many.stamma.partial
run 0 pack -q --resume many.pgn
same many.stamma whole.stamma
rm many.stamma
for at in 20 600; do
    python3 - "$commit" "$at" <<'PYTHON'
import sys
data = bytearray(open("whole.stamma", "rb").read(int(sys.argv[1])))
data[int(sys.argv[2])] ^= 1
open("many.stamma.partial", "wb").write(data)
PYTHON
    run 0 pack --resume -f many.pgn
    [ "$at" -ne 20 ] || says 'many.stamma.partial: is damaged: packing starts again'
    same many.stamma whole.stamma
    rm many.stamma
done

# ---- another input ----
head -c "$commit" whole.stamma >many.stamma.partial
cp many.stamma.partial before.left
cp games.pgn another.pgn
run 2 pack --resume -o many.stamma another.pgn
says 'many.stamma: many.stamma.partial was written from other input; -f starts again'
same many.stamma.partial before.left
absent many.stamma
run 2 pack --resume -o many.stamma missing.pgn
same many.stamma.partial before.left
run 0 pack --resume -qf -o many.stamma another.pgn
same many.stamma wanted.stamma
rm many.stamma
head -c "$commit" whole.stamma >another.stamma.partial
{ head -c 2000000 many.pgn && cat games.pgn; } >another.pgn
run 0 pack --resume another.pgn
says 'another.stamma: continued the interrupted run after [0-9,]* bytes; from there on the input differs'
run 0 unpack another.stamma
same out another.pgn
cp another.stamma resumed.stamma
run 0 pack -qf another.pgn
same another.stamma resumed.stamma
# A continued run that fails keeps the blocks that it had. A new run that fails leaves no file.
head -c "$commit" whole.stamma >fails.stamma.partial
gzip -c many.pgn | head -c -20 >cut.pgn.gz
run 2 pack --resume -o fails.stamma cut.pgn.gz
says 'cut.pgn.gz: gzip data at byte'
[ "$(wc -c <fails.stamma.partial)" -ge "$commit" ] || fail 'what was committed is lost'
run 0 pack --resume -q -o fails.stamma many.pgn
same fails.stamma whole.stamma
rm fails.stamma
run 2 pack -o fails.stamma many.pgn cut.pgn.gz
absent fails.stamma fails.stamma.partial
# There is nothing to continue, but with --resume the file is kept. With one thread, a block is committed before the
# text of the next block is read.
run 2 pack -T 1 --resume -o fails.stamma cut.pgn.gz
cmp -n "$commit" fails.stamma.partial whole.stamma || fail 'what was committed is lost'
run 0 pack --resume -q -o fails.stamma many.pgn
same fails.stamma whole.stamma
rm fails.stamma

: >fails.stamma.partial
run 2 pack -o fails.stamma cut.pgn.gz
absent fails.stamma fails.stamma.partial
if [ -c /dev/full ]; then
    run 2 pack --resume -f -o /dev/full games.pgn
    says '/dev/full: No space left'
fi

# ---- two writers, signals, kills at any moment ----
python3 - "$stamma" "$commit" <<'PYTHON' || fail 'a process that was stopped'
import os, shutil, subprocess, sys
import stopped_process
stamma, commit = sys.argv[1], int(sys.argv[2])
text = open("many.pgn", "rb").read()
whole = open("whole.stamma", "rb").read()
PARTIAL = "killed.stamma.partial"

def begin(count, *arguments):
    command = [stamma, "pack", "-q", "-T", "1", "-o", "killed.stamma", *arguments, "-"]
    return stopped_process.begin(command, text[:count])

def resume(*arguments):
    subprocess.run([stamma, "pack", "-q", "--resume", "-o", "killed.stamma", *arguments, "many.pgn"], check=True)
    with open("killed.stamma", "rb") as file:
        assert file.read() == whole, "another archive"
    assert not os.path.exists(PARTIAL)
    os.remove("killed.stamma")

# Kills before anything is packed, after some blocks, after a commit.
for count in (0, 1000, 5 * 10 ** 6, len(text)):
    stopped_process.kill(begin(count))
    assert not os.path.exists("killed.stamma") and os.path.exists(PARTIAL)
    assert (os.stat(PARTIAL).st_size >= commit) == (count == len(text))
    resume()

# Kills while continuing: before and after the run reaches new input.
stopped_process.kill(begin(len(text)))
for count in (10 ** 6, 25 * 10 ** 6, len(text)):
    stopped_process.kill(begin(count, "--resume"))
    assert os.stat(PARTIAL).st_size >= commit, "what was committed is lost"
resume("-T", "3")

for number in stopped_process.ENDING:
    for count, words in ((1000, ""), (len(text), "stamma: killed.stamma: interrupted; the same command with --resume goes "
                                                 "on where it stopped\n")):
        stopped_process.interrupt(begin(count), number, words)
        assert os.path.exists(PARTIAL) == bool(words)
    resume()

# A signal while the second of two files is packed: the first archive is complete.
stopped_process.end_by_signals()
shutil.copy("many.pgn", "second.pgn")
child = subprocess.Popen([stamma, "pack", "-qf", "-T", "1", "many.pgn", "second.pgn"], stderr=subprocess.PIPE)
stopped_process.wait_until(lambda: os.path.exists("second.stamma.partial"))
child.terminate()
said = child.communicate()[1].decode()
assert child.returncode == -15 and "many" not in said, (child.returncode, said)
assert os.path.exists("second.stamma.partial") == bool(said), said
with open("many.stamma", "rb") as file:
    assert file.read() == whole, "the first archive"
for name in "second.pgn", "second.stamma.partial", "many.stamma":
    if os.path.exists(name):
        os.remove(name)

child = begin(len(text))
for arguments in ((), ("--resume",), ("-f",)):
    second = subprocess.run([stamma, "pack", "-o", "killed.stamma", *arguments, "games.pgn"], stderr=subprocess.PIPE)
    assert second.returncode == 2, second
    assert second.stderr == b"stamma: killed.stamma.partial: is being written by another process\n", second.stderr
assert stopped_process.end(child) == (0, "")
with open("killed.stamma", "rb") as file:
    assert file.read() == whole, "a second writer changed something"
PYTHON
rm -f killed.stamma
nothing_left .

finish
