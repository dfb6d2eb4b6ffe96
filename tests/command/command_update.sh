#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma update, undo and compact. Forty overlapping files, one a run, result in the games of one run with all files; a second
# run changes no byte; undo returns to each earlier file; after kills and errors the same command completes the archive.
set -u
. tests/support/command_support.bash
pgn=$(realpath data/games.pgn)
cd "$scratch" || exit 1

# Forty weeks of eight games, of which each shares six with the week before.
python3 - "$pgn" <<'PYTHON'
import os, re, sys
parts = re.split(r"^(?=\[Event )", open(sys.argv[1], encoding="utf-8").read(), flags=re.M)[1:]
games = [part.rstrip() + "\n\n" for part in parts]
os.mkdir("weeks")
for week in range(40):
    with open("weeks/week%d.pgn" % (week + 1), "w", encoding="utf-8") as file:
        file.write("".join(games[2 * week:2 * week + 8]))
PYTHON
printf 'kind,from,to\nplayer,"Tal, Mikhail","Tal, M N"\nsite,Bled YUG,Bled\n' >one.stamma.names
cp one.stamma.names all.stamma.names
for week in {1..40}; do
    run 0 update -q one.stamma --from weeks/week$week.pgn
    equal "$(cat err)" ''
    cp one.stamma state$week
    cp one.stamma.manifest manifest$week
done
run 0 update all.stamma --from weeks
says 'all.stamma: 86 games added, 234 skipped; 40 files read, 0 skipped; 86 games'
says 'week2.pgn: 2 games added, 6 skipped'
equal "$(cut -d '"' -f 4 all.stamma.manifest | head -11 | tail -2 | tr '\n' ' ')" 'week10.pgn week11.pgn '
run 0 unpack -o one.pgn one.stamma
run 0 unpack -o all.pgn all.stamma
same one.pgn all.pgn
for archive in one all; do
    run 0 verify -q --index $archive.stamma
done

# The games are those of names, classify and append --new, one after another.
cat weeks/week{1..40}.pgn >weeks.pgn
run 0 pack -q weeks.pgn
run 0 names -q --apply one.stamma.names --merge-ids -o named.stamma weeks.stamma
run 0 classify -q -o classified.stamma named.stamma
run 0 merge -q --unique -o wanted.stamma classified.stamma
run 0 unpack -o wanted.pgn wanted.stamma
same all.pgn wanted.pgn
grep -q 'Tal, M N' all.pgn && ! grep -q 'Tal, Mikhail' all.pgn || fail 'names'

# --dedupe also skips games that differ, of the archive and of files; the earlier game is kept.
game() { # WHITE RESULT MOVES
    printf '[Event "Open"]\n[Date "2010.05.03"]\n[White "%s"]\n[Black "Svidler, Peter"]\n[Result "%s"]\n\n%s %s\n\n' "$1" "$2" "$3" "$2"
}
moves="1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7"
game "Andreikin,D" "*" "$moves" >short.pgn
{ game "Andreikin, Dmitry" 1-0 "$moves 11. Nbd2" && game "Tal, Mihail" 1-0 "$moves" && game "Tal, M" 1-0 "$moves 11. Nbd2"; } >long.pgn
game "Tal, Mihail" 0-1 "1. d4 d5" >>long.pgn
run 0 pack -q short.pgn
for index in without with; do
    cp short.stamma near.stamma
    rm -f near.stamma.*
    [ $index = without ] || run 0 index -q near.stamma
    run 0 update -n --json --no-index --dedupe near.stamma --from long.pgn
    grep -q '"added":2,"skipped":2,"duplicates":2,' out || fail "$index an index" "$(cat out)" "two duplicates"
    run 0 update --no-classify --no-index --dedupe near.stamma --from long.pgn
    says 'of the games skipped, 2 differ from the game that is kept'
    equal "$("$stamma" find near.stamma --numbers --player Tal | tr '\n' ' ')" '2 3 '
    equal "$("$stamma" cat near.stamma 1 | grep -c Nbd2)" 0
    cp near.stamma before
    run 0 update --no-classify --no-index --dedupe near.stamma --from long.pgn short.pgn
    same near.stamma before
done
run 0 update --no-classify near.stamma --from short.pgn long.pgn --dedupe
rm -f near.stamma*

# Nothing is new: no byte changes, and an archive without changed games finds them as they are in the files.
for archive in one all; do
    cp $archive.stamma before && cp $archive.stamma.manifest before.manifest && cp $archive.stamma.index before.index
    run 0 update $archive.stamma --from weeks
    says "$archive.stamma: 0 games added, 0 skipped; 0 files read, 40 skipped; 86 games"
    same $archive.stamma before
    same $archive.stamma.manifest before.manifest
    same $archive.stamma.index before.index
    run 1 update -n $archive.stamma --from weeks
done
run 0 merge -q --unique -o plain.stamma weeks.stamma
cp plain.stamma before && cp one.stamma.names plain.stamma.names
run 0 update --json --no-index plain.stamma --from weeks weeks.pgn
same plain.stamma before
absent plain.stamma.index
python3 - <<'PYTHON' || fail 'the JSON report'
import hashlib, json
report = json.load(open("out"))
data = open("weeks/week3.pgn", "rb").read()
assert report["files"][2] == {"file": "weeks/week3.pgn", "size": len(data), "sha256": hashlib.sha256(data).hexdigest(), "games": 8,
                              "added": 0, "skipped": 8}, report["files"][2]
assert (report["added"], report["skipped"], report["games"], report["dry_run"]) == (0, 640, 86, False), report
PYTHON

# A dry run predicts the run, and writes nothing.
cp state5 dry.stamma && cp manifest5 dry.stamma.manifest && cp one.stamma.names dry.stamma.names
cp dry.stamma before && cp dry.stamma.manifest before.manifest
run 0 update -n --json dry.stamma --from weeks
sed 's/"dry_run":true/"dry_run":false/' out >predicted
same dry.stamma before
same dry.stamma.manifest before.manifest
absent dry.stamma.index
run 0 update --json dry.stamma --from weeks
same out predicted
run 0 update -n --no-classify new.stamma --from weeks/week1.pgn
says 'new.stamma: 8 games would be added'
absent new.stamma new.stamma.manifest new.stamma.index
nothing_left .

# Without names and tags, the bytes of the games are added.
run 0 update -q --no-names --no-classify bytes.stamma --from weeks/week1.pgn
run 0 unpack -o bytes.pgn bytes.stamma
same bytes.pgn weeks/week1.pgn
printf 'from,to\n"Fischer, Robert James",Bobby\n' >bobby.csv
run 0 update -q --names bobby.csv --no-classify --no-index named2.stamma --from weeks
run 0 find --player Bobby --count named2.stamma

# ---- undo ----
cp one.stamma undone.stamma && cp one.stamma.manifest undone.stamma.manifest && cp one.stamma.index undone.stamma.index
for week in {39..1}; do
    run 0 undo undone.stamma
    same undone.stamma state$week
    same undone.stamma.manifest manifest$week
    says 'undone.stamma: 2 games removed'
done
run 0 verify -q --index undone.stamma
run 0 undo undone.stamma # the archive without games that the first update has created
equal "$("$stamma" ls undone.stamma | wc -l)" 0
cp undone.stamma empty.stamma
run 1 undo undone.stamma
says 'undone.stamma: there is no earlier state'
same undone.stamma empty.stamma
run 0 update -q undone.stamma --names one.stamma.names --from weeks
run 0 unpack -f -o back.pgn undone.stamma
same back.pgn all.pgn
run 0 undo -n --json undone.stamma
equal "$(cat out)" "$(printf '{"archive":"undone.stamma","dry_run":true,"interrupted":false,"games_before":86,"games":0,"archive_size":%d,"files":40}' "$(stat -c %s empty.stamma)")"
# An index file that is not brought up to date is noticed, and answers are those of the archive.
cp one.stamma undone.stamma && cp one.stamma.index undone.stamma.index && rm undone.stamma.manifest
run 0 undo -q --no-index undone.stamma
run 0 find --count undone.stamma --player Fischer
says 'undone.stamma.index: is of an earlier state'
count=$(cat out)
run 0 find --count state39 --player Fischer
equal "$count" "$(cat out)"
# Appends, also of many blocks and commits, are undone like updates; lines of other runs stay in the manifest.
cp state2 long.stamma && cp manifest2 long.stamma.manifest
many_games >many.pgn
run 0 append -q long.stamma many.pgn
run 0 undo -q long.stamma
same long.stamma state2
same long.stamma.manifest manifest2
# The bytes of an interrupted append are removed first.
head -c 20 state2 >>long.stamma
run 2 verify -q long.stamma
run 0 undo long.stamma
says 'the bytes of an interrupted append were removed'
same long.stamma state2
same long.stamma.manifest manifest2
# A commit whose last bytes are missing is undone.
head -c -3 state2 >short.stamma
run 0 undo -q short.stamma
same short.stamma state1

# ---- compact ----
cp one.stamma small.stamma && cp one.stamma.index small.stamma.index && head -c 100 state1 >>small.stamma
run 0 compact -n --json small.stamma
cp out predicted
cmp -s small.stamma one.stamma && fail 'compact -n changes the archive'
run 0 compact --json small.stamma
equal "$(sed 's/"dry_run":false,"written":true/"dry_run":true,"written":false/' out)" "$(cat predicted)"
run 0 verify -q --index small.stamma
run 0 unpack -f -o back.pgn small.stamma
same back.pgn one.pgn
[ "$(stat -c %s small.stamma)" -lt "$(stat -c %s one.stamma)" ] || fail 'compact'
run 1 undo small.stamma
cp small.stamma before && cp small.stamma.index before.index
run 0 compact small.stamma
says 'small.stamma: is compact'
same small.stamma before
same small.stamma.index before.index
nothing_left .

# ---- errors ----
cp one.stamma before && cp one.stamma.manifest before.manifest
head -c 60 state1 >cut.stamma
{ head -c 2000 one.stamma && printf damage && tail -c +2007 one.stamma; } >damaged.stamma
mkdir empty
for wrong in "update one.stamma" "update one.stamma --from missing.pgn" "update one.stamma --from -" "update - --from weeks" \
    "update one.stamma --from weeks --names missing.csv" "update one.stamma --from weeks --names one.stamma.names --no-names" \
    "update one.stamma --from weeks/week1.pgn one.stamma" "update weeks.pgn --from weeks" "update one.stamma --level 9 --from weeks" \
    "update cut.stamma --from weeks" "update missing/x.stamma --from weeks" "undo" "undo missing.stamma" "undo weeks.pgn" \
    "undo cut.stamma" "undo one.stamma one.stamma" "compact" "compact cut.stamma" "compact weeks.pgn" "compact missing.stamma" \
    "compact damaged.stamma" "compact -"; do
    # shellcheck disable=SC2086
    run 2 $wrong
    [ -s err ] || fail "$wrong: no message"
done
run 0 update one.stamma --from empty
says 'there are no files of games'
same one.stamma before
same one.stamma.manifest before.manifest
head -c 300000 /dev/urandom | base64 >noise.pgn
if is_native; then
    (ulimit -f 40 && "$stamma" update -q one.stamma --from noise.pgn 2>err)
    equal $? 2
    says 'File too large'
    same one.stamma before
    same one.stamma.manifest before.manifest
fi
if is_native; then
    (ulimit -f 10 && "$stamma" compact -q one.stamma 2>err)
    equal $? 2
    same one.stamma before
fi
for command in "update -n --json one.stamma --from noise.pgn" "undo -n --json one.stamma" "compact -n --json one.stamma"; do
    # shellcheck disable=SC2086
    "$stamma" $command >/dev/full 2>err
    equal $? 2
    says 'No space left'
done
same one.stamma before
nothing_left .
# The manifest cannot be written: the archive is not cut, because its files would seem to be imported.
mkdir locked && cp one.stamma locked/ && mkdir locked/one.stamma.manifest
run 2 undo locked/one.stamma
same locked/one.stamma before

# ---- kills at any moment ----
python3 - <<'PYTHON'
with open("players.pgn", "w") as file:
    for number in range(15000):
        file.write('[White "Player %d"]\n[Black "Opponent"]\n[Date "2024.01.02"]\n\n1. e4 e5 2. Nf3 *\n\n' % number)
PYTHON
cp state3 whole.stamma && cp manifest3 whole.stamma.manifest
run 0 update -q whole.stamma --no-names --from players.pgn
python3 - "$stamma" <<'PYTHON' || fail 'a process that was killed'
import os, shutil, signal, subprocess, sys, time
stamma = sys.argv[1]
read = lambda name: open(name, "rb").read()
def kill(command, before, done):
    outcomes = set()
    for number in signal.SIGKILL, signal.SIGTERM:
        for delay in (0.0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.5):
            shutil.copy(before[0], "killed.stamma")
            shutil.copy(before[1], "killed.stamma.manifest")
            if os.path.exists("killed.stamma.index"):
                os.unlink("killed.stamma.index")
            child = subprocess.Popen(command)
            time.sleep(delay)
            child.send_signal(number)
            child.wait()
            outcomes.add(done())
            subprocess.run(command, check=False, stderr=subprocess.DEVNULL)
    return outcomes
def updated():
    games = subprocess.run([stamma, "ls", "killed.stamma"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.count(b"\n")
    recorded = b"players.pgn" in read("killed.stamma.manifest")
    assert games in (12, 15012) and not (recorded and games == 12), "neither the old nor the new games"
    subprocess.run(update, check=True)
    assert read("killed.stamma") == read("whole.stamma"), "another archive after a kill"
    assert b"players.pgn" in read("killed.stamma.manifest")
    assert subprocess.run([stamma, "verify", "-q", "--index", "killed.stamma"]).returncode == 0
    return recorded
update = [stamma, "update", "-q", "killed.stamma", "--no-names", "--from", "players.pgn"]
assert False in kill(update, ("state3", "manifest3"), updated), "no run was interrupted"
def undone():
    size, recorded = os.path.getsize("killed.stamma"), b"players.pgn" in read("killed.stamma.manifest")
    assert read("killed.stamma") in (read("whole.stamma"), read("state3")), "neither the old nor the new archive"
    assert not (recorded and size == os.path.getsize("state3")), "a manifest without its games"
    return size
kill([stamma, "undo", "-q", "killed.stamma"], ("whole.stamma", "whole.stamma.manifest"), undone)
PYTHON
finish
