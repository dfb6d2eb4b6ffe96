#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma import adds the new games of files, keeps a manifest, and does nothing the second time. After kills and errors,
# the same command results in the same archive.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

moves="1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O"
# Files in the formats of the sites: TWIC in Latin-1, chess.com with its tags, a broadcast and a game of lichess.
printf '[Event "Bundesliga"]\r\n[Site "M\374nchen GER"]\r\n[Date "2024.01.06"]\r\n[Round "5.1"]\r\n[White "M\374ller,J"]\r\n[Black "Lee,A"]\r\n[Result "1-0"]\r\n[WhiteFideId "4650891"]\r\n\r\n%s 1-0\r\n\r\n' "$moves" >twic1522.pgn
games 30 >>twic1522.pgn
{ printf '\357\273\277' && games 40 && printf '[Event "Bundesliga"]\n[Date "2024.01.06"]\n[Round "5"]\n[White "M\303\274ller, J"]\n[Black "Lee, A"]\n[Result "1-0"]\n\n%s 1-0\n' "$moves"; } >twic1523.pgn
printf '[Event "Live Chess"]\n[Site "Chess.com"]\n[Date "2024.01.06"]\n[Round "-"]\n[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n[CurrentPosition "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N2/PP1P1PPP/RNBQR1K1 w - - 1 9"]\n[Timezone "UTC"]\n[UTCDate "2024.01.06"]\n[UTCTime "10:00:00"]\n[EndTime "10:03:00 GMT+0000"]\n[Link "https://www.chess.com/game/live/1"]\n\n1. e4 {[%%clk 0:03:00]} 1... e5 {[%%clk 0:02:59.1]} 1-0\n' >chesscom.pgn
sed -e 's|live/1|live/2|' -e 's|10:00:00|11:00:00|' chesscom.pgn >chesscom2.pgn
printf '[Event "Round 1"]\n[Site "https://lichess.org/broadcast/a/round-1/b"]\n[Date "2024.01.06"]\n[White "Lee, Ann"]\n[Black "Roe, Bob"]\n[Result "*"]\n[GameURL "https://lichess.org/broadcast/a/round-1/b/c"]\n\n%s *\n\n\n' "$moves" >broadcast.pgn
printf '[Event "Rated blitz game"]\n[Site "https://lichess.org/abcdefgh"]\n[Date "2024.01.06"]\n[White "ann"]\n[Black "bob"]\n[Result "0-1"]\n[UTCTime "10:00:00"]\n\n1. e4 0-1\n\n\n' >lichess.pgn
python3 -c 'import zipfile; z = zipfile.ZipFile("twic1523g.zip", "w", zipfile.ZIP_DEFLATED); z.write("twic1523.pgn")'

# ---- import ----
run 0 import --from twic -o games.stamma twic1522.pgn twic1523g.zip
says 'twic1522.pgn: 31 games added, 0 skipped'
says 'twic1523g.zip: 10 games added, 31 skipped'
{ cat twic1522.pgn && games 40 | tail -n +301; } >wanted
run 0 unpack games.stamma
same out wanted
python3 - <<'PYTHON' || fail 'the manifest'
import ctypes, ctypes.util, datetime, hashlib, json, os
library = ctypes.CDLL("libxxhash.so.0")
library.XXH64.restype = ctypes.c_uint64
xxhash64 = lambda data: library.XXH64(data, ctypes.c_size_t(len(data)), ctypes.c_uint64(0))
lines = [json.loads(line) for line in open("games.stamma.manifest")]
for line, (name, games, added) in zip(lines, (("twic1522.pgn", 31, 31), ("twic1523g.zip", 41, 10)), strict=True):
    data = open(name, "rb").read()
    age = datetime.datetime.now(datetime.timezone.utc) - datetime.datetime.strptime(line.pop("time"), "%Y-%m-%dT%H:%M:%S%z")
    assert abs(age.total_seconds()) < 3600, age
    size, check = line.pop("archive_size"), line.pop("archive_check")
    assert size == os.path.getsize("games.stamma") and check == f"{xxhash64(open('games.stamma', 'rb').read()[:-8][-4096:]):016x}"
    assert line == {"file": name, "source": "twic", "size": len(data), "sha256": hashlib.sha256(data).hexdigest(),
                    "games": games, "added": added, "skipped": games - added}, line
PYTHON
cp games.stamma games.before && cp games.stamma.manifest manifest.before
run 0 import --from twic -o games.stamma twic1522.pgn twic1523g.zip
says 'twic1522.pgn: skipped: the manifest has a file with the same contents'
run 0 import -q --from twic -o games.stamma twic1523g.zip
equal "$(cat err)" ''
same games.stamma games.before
same games.stamma.manifest manifest.before

# A file with other bytes and the same games adds nothing.
gzip -c twic1523.pgn >other.gz
run 0 import --from twic -o games.stamma other.gz other.gz
says 'other.gz: 0 games added, 41 skipped'
same games.stamma games.before
equal "$(wc -l <games.stamma.manifest)" 3

# The files of other sites, with an index file next to the archive.
run 0 index -q games.stamma
run 0 import --from chess.com -o games.stamma chesscom.pgn chesscom2.pgn
says 'chesscom2.pgn: 1 game added, 0 skipped'
says 'games.stamma.index: 43 games'
run 0 import --from lichess -o games.stamma broadcast.pgn lichess.pgn
says 'broadcast.pgn: 1 game added, 0 skipped'
says 'lichess.pgn: 1 game added, 0 skipped'
cat wanted chesscom.pgn chesscom2.pgn broadcast.pgn lichess.pgn >all
run 0 unpack games.stamma
same out all
equal "$(cut -d , -f 2 games.stamma.manifest | sort | uniq -c | tr -s ' ' | tr -d '"' | tr '\n' ' ')" \
    ' 2 source:chess.com  2 source:lichess  3 source:twic '
nothing_left .

# SHA-256 of files whose sizes are near the size of a block of the hash.
for size in 0 1 55 56 57 63 64 65 119 120 1000; do
    head -c $size twic1522.pgn >sized
    rm -f sized.stamma*
    run 0 import -q --from twic -o sized.stamma sized
    grep -q "$(sha256sum sized | cut -c 1-64)" sized.stamma.manifest || fail "the hash of $size bytes"
done

# ---- errors ----
cp games.stamma games.before && cp games.stamma.manifest manifest.before
head -c 500 twic1523g.zip >cut.zip
games 50 >new.pgn
for wrong in "twic1522.pgn --into games.stamma" "--from fics --into games.stamma new.pgn" "--from twic new.pgn" \
    "--from twic --into games.stamma" "--from twic --into games.stamma -" "--from twic --into games.stamma missing.pgn" \
    "--from twic --into games.stamma new.pgn cut.zip" "--from twic --into new.pgn new.pgn" \
    "--from twic --into fresh.stamma new.pgn cut.zip" "--from twic --into fresh.stamma missing.pgn" \
    "--from twic --into games.stamma --user ann new.pgn" "--from twic --into games.stamma games.stamma" \
    "--from twic --level 9 --into games.stamma new.pgn" "--from twic --into missing/x.stamma new.pgn"; do
    # shellcheck disable=SC2086
    run 2 import $wrong
    [ -s err ] || fail "import $wrong: no message"
done
absent fresh.stamma fresh.stamma.manifest new.pgn.manifest
same games.stamma games.before
same games.stamma.manifest manifest.before
echo '{}' >fresh.stamma.manifest
run 2 import --from twic -o fresh.stamma new.pgn
says 'fresh.stamma.manifest: exists, but fresh.stamma does not; delete the manifest to import its files again'
absent fresh.stamma
head -c 300000 /dev/urandom | base64 >noise
if is_native; then
    (ulimit -f 40 && "$stamma" import -q --from twic -o games.stamma noise 2>err)
    equal $? 2
    says 'File too large'
    same games.stamma games.before
fi
# The archive is complete, but the manifest cannot be written: a directory that does not permit new files.
run 0 import -q --from twic -o fresh2.stamma twic1522.pgn
mkdir full && cp fresh2.stamma full/ && mkdir full/fresh2.stamma.manifest
run 2 import --from twic -o full/fresh2.stamma new.pgn
same full/fresh2.stamma fresh2.stamma

# ---- kills at any moment: the archive has its old games or all new ones, and a second run completes it ----
python3 - <<'PYTHON'
with open("many.pgn", "w") as file:
    for number in range(20000):
        file.write('[White "Player %d"]\n[Black "Opponent"]\n[Date "2024.01.02"]\n\n1. e4 e5 2. Nf3 *\n\n' % number)
PYTHON
cp fresh2.stamma start.stamma && cp fresh2.stamma.manifest start.manifest
run 0 import -q --from twic -o fresh2.stamma many.pgn new.pgn
cp fresh2.stamma whole.stamma
python3 - "$stamma" <<'PYTHON' || fail 'a process that was killed'
import json, shutil, signal, subprocess, sys, time
stamma = sys.argv[1]
command = [stamma, "import", "-q", "--from", "twic", "-o", "fresh2.stamma", "many.pgn", "new.pgn"]
read = lambda name: open(name, "rb").read()
outcomes = set()
for number in signal.SIGKILL, signal.SIGTERM:
    for delay in (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5):
        shutil.copy("start.stamma", "fresh2.stamma")
        shutil.copy("start.manifest", "fresh2.stamma.manifest")
        child = subprocess.Popen(command)
        time.sleep(delay)
        child.send_signal(number)
        child.wait()
        listed = subprocess.run([stamma, "ls", "fresh2.stamma"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        assert listed.count(b"\n") in (31, 20051), "neither the old nor the new games"
        complete = read("fresh2.stamma.manifest").count(b"\n") == 3
        outcomes.add(complete)
        assert not complete or listed.count(b"\n") == 20051, "a manifest without its games"
        subprocess.run(command, check=True)
        assert read("fresh2.stamma") == read("whole.stamma"), "another archive after a kill"
        assert [json.loads(line)["file"] for line in open("fresh2.stamma.manifest")] == ["twic1522.pgn", "many.pgn", "new.pgn"]
assert False in outcomes, "no run was interrupted"
PYTHON

# ---- the last bytes of a commit are written last: an archive without them is completed ----
for missing in 1 8; do
    truncate -s -$missing start.stamma
    cp start.stamma fresh2.stamma && cp start.manifest fresh2.stamma.manifest
    run 0 import -q --from twic -o fresh2.stamma many.pgn new.pgn
    same fresh2.stamma whole.stamma
    run 0 append -q --new start.stamma many.pgn
    run 0 verify -q start.stamma
    cp full/fresh2.stamma start.stamma
done

# ---- addresses: issues appear on Mondays, issue 1000 on 2014-01-06, 1290 on 2019-07-29 ----
python3 - "$stamma" <<'PYTHON' || fail 'addresses'
import datetime, subprocess, sys
def addresses(*arguments):
    done = subprocess.run([sys.argv[1], "import", "--print-addresses", *arguments], stdout=subprocess.PIPE, check=True)
    return [line.split("\t") for line in done.stdout.decode().splitlines()]
def issues(*arguments):
    pairs = addresses("--from", "twic", *arguments)
    for address, file in pairs:
        assert address == "https://theweekinchess.com/zips/" + file
    return [int(file[4:-5]) for address, file in pairs]
day = datetime.date(2014, 1, 6)
appeared = {1000 + week: day + datetime.timedelta(weeks=week) for week in range(-80, 700)}
assert appeared[1290] == datetime.date(2019, 7, 29)
for year in range(2012, 2026):
    for month in range(1, 13):
        wanted = [n for n, date in appeared.items() if (date.year, date.month) == (year, month)]
        name = "%d-%02d" % (year, month)
        assert issues("--since", name, "--until", name) == wanted, name
assert issues("--issue", "1500..1520") == list(range(1500, 1521)) and issues("--issue", "1500") == [1500]
today = datetime.datetime.now(datetime.timezone.utc).date()
latest = 1000 + (today - day).days // 7
assert issues("--issue", "1500..")[-1] in (latest, latest + 1), "a test that runs at midnight"
month = "%d-%02d" % (today.year, today.month)
assert addresses("--from", "lichess", "--since", month) == []
user = addresses("--from", "lichess", "--user", "a-B_1", "--since", "2024-02", "--until", "2024-02")
seconds = lambda *date: int(datetime.datetime(*date, tzinfo=datetime.timezone.utc).timestamp())
assert user == [["https://lichess.org/api/games/user/a-B_1?since=%d000&until=%d000&tags=true&clocks=true&evals=true&opening=true"
                 % (seconds(2024, 2, 1), seconds(2024, 3, 1)), "lichess_a-B_1_2024-02_2024-02.pgn"]], user
assert addresses("--from", "chess.com", "--user", "Ann", "--since", "2023-12", "--until", "2024-01") == [
    ["https://api.chess.com/pub/player/ann/games/%s/pgn" % name.replace("-", "/"), "chess.com_Ann_%s.pgn" % name]
    for name in ("2023-12", "2024-01")]
PYTHON
for wrong in "twic" "twic --issue x" "twic --issue 5..3" "twic --issue 1..2..3" "twic --issue 1500 --since 2024-01" \
    "twic --since 2024" "twic --since 2024-13" "twic --since 2024-1x" "twic --since -024-01" "chess.com --since 2024-01" \
    "chess.com --since 2024-01 --user a/b" "lichess --user ann" "lichess --issue 3 --since 2024-01" "twic --user ann" \
    "lichess --since 2024-01 --into games.stamma" "lichess --since 2024-01 new.pgn"; do
    # shellcheck disable=SC2086
    run 2 import --print-addresses --from $wrong
    equal "$(cat out)" ''
done
finish
