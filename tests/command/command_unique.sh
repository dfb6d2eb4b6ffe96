#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# append --new, merge --unique and find --unique: games that the archive already contains are skipped, and all other
# games keep their exact bytes. A second run changes nothing.
set -u
. tests/support/command_support.bash
shared=$(realpath "${SHARED:-../shared}" 2>/dev/null || echo none)
cd "$scratch" || exit 1

moves="1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O"
game() { # WHITE ROUND COMMENT
    printf '[Event "Open"]\n[Date "2010.05.03"]\n[Round "%s"]\n[White "%s"]\n[Black "Svidler,P"]\n[Result "1-0"]\n\n%s {%s} 1-0\n\n' \
        "$2" "$1" "$moves" "$3"
}
unpacks() { # ARCHIVE FILE
    run 0 unpack -f -o unpacked "$1"
    same unpacked "$2"
}

game "Polgar,J" 1 "first" >one
game "JUDIT Polgar" 2 "another name" >two
game "J. Polgar" 1 "the first game with other words" >one_again
game "Polgar,J" 4 "a later round" >four
printf '[White "?"]\n[Black "?"]\n\n1. e4 (1. d4) *\n\n' >study
printf '[White "?"]\n[Black "?"]\n\n1. e4 (1. c4) *\n\n' >study_two
printf '[White "Ann"]\n[Black "Bob"]\n\n1. e4 Ke5 *\n\n' >illegal

# ---- append --new ----
cat one study illegal >old.pgn
cat two one_again four four study study_two illegal >new.pgn
run 0 pack -q old.pgn
cp old.stamma archive.stamma
run 0 append --new archive.stamma new.pgn
says 'archive.stamma: 3 games appended, [0-9,]* bytes in [0-9,]*; 6 in all'
says 'archive.stamma: 4 games skipped: the archive contains them'
cat old.pgn two four study_two >wanted
unpacks archive.stamma wanted
cp archive.stamma before.stamma
run 0 append --new archive.stamma new.pgn old.pgn
says 'archive.stamma: 0 games appended'
same archive.stamma before.stamma
nothing_left .

# Byte order marks, compressed files and standard input. A file without a final line end is separated from the next
# file.
{ printf '\357\273\277' && cat one && head -c -2 four; } >open.pgn
gzip -kf two
run 0 pack -qf -o archive.stamma study
run 0 append --new -q archive.stamma open.pgn two.gz
{ cat study one && head -c -2 four && printf '\n\n' && cat two; } >wanted
unpacks archive.stamma wanted
run 0 pack -qf -o archive.stamma open.pgn
"$stamma" append --new -q archive.stamma - <two 2>err
equal "$?" 0
{ cat open.pgn && printf '\n\n' && cat two; } >wanted
unpacks archive.stamma wanted
: >empty.pgn
run 0 pack -q empty.pgn
run 0 append --new -q empty.stamma empty.pgn new.pgn
cat two one_again four study study_two illegal >wanted
unpacks empty.stamma wanted

# An index file is brought up to date. Levels and limits have no influence on the choice.
cp old.stamma archive.stamma
run 0 index -q archive.stamma
run 0 append --new -2 --memory 128M -T 1 archive.stamma new.pgn
says 'archive.stamma.index: 6 games'
run 0 find archive.stamma --black Svidler --count
equal "$(cat out)" 3

# A game without a result, and text without tags after a skipped game, are still two games.
printf '[White "Ann"]\n[Black "Bob"]\n\n1. d4 d5\n\n' >open_end
printf 'no game at all\n\n' >words
cat open_end one words illegal words four >mixed.pgn
run 0 pack -qf -o archive.stamma one
run 0 append --new -q archive.stamma mixed.pgn
cp archive.stamma before.stamma
run 0 append --new archive.stamma mixed.pgn
says ' 0 games appended'
same archive.stamma before.stamma
cat one open_end words illegal four >wanted
unpacks archive.stamma wanted

# ---- merge --unique ----
run 0 pack -q new.pgn
cp new.stamma before.stamma
run 0 merge --unique -o merged.stamma old.stamma new.stamma
says '4 games skipped that occurred before'
cat old.pgn two four study_two >wanted
unpacks merged.stamma wanted
run 0 merge --unique -f -o merged.stamma merged.stamma
says '0 games skipped that occurred before'
unpacks merged.stamma wanted
run 0 merge --unique -q -f -2 -o new.stamma new.stamma - <old.stamma # OUT is one of the archives
cat two one_again four study study_two illegal >wanted
unpacks new.stamma wanted
run 2 merge --level 2 -f -o merged.stamma old.stamma
says '\-\-level requires --unique'

# ---- find --unique ----
run 0 merge -q -o both.stamma old.stamma before.stamma
run 0 find --unique --numbers --plies 0.. both.stamma
equal "$(tr '\n' ' ' <out)" '1 2 3 4 6 9 '
run 0 find --unique --count --black Svidler old.stamma before.stamma
equal "$(cat out)" 3
run 0 find --unique --numbers --sort -Round --limit 2 --black Svidler both.stamma
equal "$(tr '\n' ' ' <out)" '6 4 '
run 0 find --unique --numbers --offset 1 --limit 1 --black Svidler both.stamma
equal "$(cat out)" 4
run 0 find --unique --format pgn --plies 0.. both.stamma
cat old.pgn two four study_two >wanted
same out wanted
run 0 find --unique -q -o found.stamma --plies 0.. both.stamma
unpacks found.stamma wanted
run 0 find --unique -q --black Svidler both.stamma

# ---- errors: the archive keeps its bytes ----
cp old.stamma archive.stamma
run 2 append --new --resume archive.stamma new.pgn
says '\-\-new and --resume cannot be used together'
gzip -c new.pgn | head -c 200 >cut.gz
run 2 append --new archive.stamma new.pgn cut.gz
says 'cut.gz: gzip data at byte 200'
run 2 append --new archive.stamma new.pgn missing.pgn
says 'missing.pgn: No such file'
run 2 append --new archive.stamma archive.stamma
says 'archive.stamma: is an input of this command, and cannot also be its output'
head -c 200000 /dev/urandom >noise
if is_native; then
    (ulimit -f 40 && "$stamma" append -q --new archive.stamma noise 2>err)
    equal $? 2
    says 'File too large'
fi
python3 - <<'PYTHON'
with open("many.pgn", "w") as file:
    for number in range(20000):
        file.write('[White "Player %d"]\n[Black "Opponent"]\n[Date "2024.01.02"]\n\n1. e4 e5 2. Nf3 *\n\n' % number)
PYTHON
same archive.stamma old.stamma
python3 - <<'PYTHON'
data = bytearray(open("old.stamma", "rb").read())
data[20] ^= 1
open("damaged.stamma", "wb").write(data)
PYTHON
cp damaged.stamma before.stamma
run 2 append --new damaged.stamma new.pgn
same damaged.stamma before.stamma
run 2 merge --unique -o other.stamma old.stamma damaged.stamma
absent other.stamma
nothing_left .

# ---- kills at any moment, and a second run ----
run 0 append --new -q archive.stamma many.pgn
cp archive.stamma whole.stamma
python3 - "$stamma" <<'PYTHON' || fail 'a process that was killed'
import shutil, subprocess, sys, time
stamma, old = sys.argv[1], open("old.stamma", "rb").read()
whole = open("whole.stamma", "rb").read()
for delay in (0.0, 0.02, 0.05, 0.1, 0.2, 0.4):
    shutil.copy("old.stamma", "archive.stamma")
    child = subprocess.Popen([stamma, "append", "--new", "-q", "-f", "archive.stamma", "many.pgn"])
    time.sleep(delay)
    child.kill()
    child.wait()
    games = subprocess.run([stamma, "ls", "archive.stamma"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    assert games.count(b"\n") in (3, 20003), "neither the old nor the new games"
    subprocess.run([stamma, "append", "--new", "-q", "-f", "archive.stamma", "many.pgn"], check=True)
    assert open("archive.stamma", "rb").read() == whole, "another archive after a kill"
PYTHON
nothing_left .

# ---- files that cause errors in other programs: a second run adds nothing ----
if [ -d "$shared/corpora/nasty" ]; then
    find "$shared/corpora/nasty" -type f -size -500k | sort >names
    run 0 pack -qf -o nasty.stamma empty.pgn
    xargs -d '\n' "$stamma" append --new -q nasty.stamma <names 2>err || fail 'nasty files'
    cp nasty.stamma before.stamma
    xargs -d '\n' "$stamma" append --new nasty.stamma <names 2>err
    says ' 0 games appended'
    same nasty.stamma before.stamma
    run 0 merge --unique -q -o once.stamma nasty.stamma # only adds line ends between games
    equal "$("$stamma" unpack -o - once.stamma | tr -d '\n' | cksum)" "$("$stamma" unpack -o - nasty.stamma | tr -d '\n' | cksum)"
fi

# ---- real games: every game is stored once, and a second run adds none ----
if [ -e "$shared/corpora/twic_dev.pgn.zst" ] && command -v zstd >/dev/null; then
    zstd -dqc "$shared/corpora/twic_dev.pgn.zst" | head -c 3000000 >twic.pgn
    run 0 append --new -q empty.stamma twic.pgn twic.pgn
    cp empty.stamma before.stamma
    run 0 append --new empty.stamma twic.pgn
    says ' 0 games appended'
    same empty.stamma before.stamma
    cat two one_again four study study_two illegal twic.pgn >wanted
    unpacks empty.stamma wanted
    # find --unique finds the same games with and without an index, of which it reads those that may be repeated
    head -c 400000 twic.pgn | cat twic.pgn - | "$stamma" pack -q -o twice.stamma -
    run 0 index -q twice.stamma
    for limit in 1200 100000; do
        "$stamma" find --unique --numbers --limit $limit twice.stamma >indexed
        "$stamma" find --unique --numbers --limit $limit --no-index twice.stamma | cmp - indexed || fail "find --unique" "other games" "the same"
    done
    equal "$("$stamma" find --unique --numbers --sort -Date twice.stamma | cksum)" "$("$stamma" find --no-index --unique --numbers --sort -Date twice.stamma | cksum)"
    [ "$(wc -l <indexed)" -lt "$("$stamma" find --count twice.stamma)" ] || fail "find --unique" "all games" "fewer"
fi

finish
