#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures parity by par2 (doc/howto/parity.md): its size and time, and the damage that it repairs. An archive is damaged
# 1,000 times, 20 places at a time, and repaired by par2 each time.
#
# usage: parity.sh     run by `make bench BENCH=parity`
#
# GAMES is the number of games of the archive (100000 unless set), or names an archive. REPEAT is the number of damages,
# each of 1 to 100 bytes at a random place (1000 unless set), and BATCH the number at a time. SHARE is the percentage of
# parity (5 unless set). Times are medians of processor seconds. With REPEAT=0, only size and time of the parity are measured.
set -eu
export LC_ALL=C
: "${BUILD:=build}" "${STAMMA:=build/stamma}" "${GAMES:=100000}" "${REPEAT:=1000}" "${BATCH:=20}" "${SHARE:=5}"
command -v par2 >/dev/null || { echo "parity: no par2"; exit 0; }
stamma=$(realpath "$STAMMA")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -e "$GAMES" ]; then
    cp "$GAMES" "$work/games.stamma"
else
    "$BUILD/generators/sample_games" --games "$GAMES" | "$stamma" pack -q -o "$work/games.stamma" -
fi
cd "$work"
for _ in 1 2 3 4 5; do
    rm -f games.stamma.*par2
    /usr/bin/time -f '%U %S' -a -o created par2 create -qq -b1000 -r"$SHARE" -n1 games.stamma.par2 games.stamma >/dev/null
done
sound=$("$stamma" verify --quick --json games.stamma | grep -o '"sound_games":[0-9]*' | cut -d : -f 2)
size=$(stat -c %s games.stamma)
cat games.stamma.*par2 | wc -c | awk -v games="$sound" -v size="$size" -v seconds="$(awk '{ print $1 + $2 }' created | sort -g | sed -n 3p)" '{
    printf "archive %d games, %d bytes; parity %d bytes (%.1f %%), made in %.2f processor s\n", games, size, $1, 100 * $1 / size, seconds }'

python3 - "$stamma" "$REPEAT" "$BATCH" <<'PYTHON'
import json, os, random, resource, statistics, subprocess, sys
stamma, repeat, batch = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(26)
original = open("games.stamma", "rb").read()


def sound_games():
    found = subprocess.run([stamma, "verify", "--quick", "--json", "games.stamma"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(found.stdout)["sound_games"] if found.stdout else 0


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


whole = sound_games()
damaged, lost, times, done = [], [], [], 0
while done < repeat:
    data = bytearray(original)
    places = min(batch, repeat - done)
    for _ in range(places):
        size = random.randint(1, 100)
        at = random.randrange(len(data) - size)
        data[at:at + size] = bytes(byte ^ random.randint(1, 255) for byte in data[at:at + size])
    done += places
    open("games.stamma", "wb").write(data)
    damaged.append(whole - sound_games())
    begin = processor_seconds()
    subprocess.run(["par2", "repair", "-qq", "games.stamma.par2"], stdout=subprocess.DEVNULL, check=False)
    times.append(processor_seconds() - begin)
    for name in os.listdir("."):
        if name.startswith("games.stamma.") and not name.endswith("par2"):
            os.unlink(name)  # the damaged archive, which par2 keeps
    repaired = open("games.stamma", "rb").read() == original
    lost.append(0 if repaired else whole - sound_games())
if done:
    print("%d damages, %d at a time: games in damaged blocks %d (median), lost after par2 repair %d (worst); repair %.2f processor s"
          % (done, batch, statistics.median(damaged), max(lost), statistics.median(times)))
PYTHON
