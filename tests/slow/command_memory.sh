#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# pack and unpack stay below --memory for every size and content of the input. LONG=1: larger inputs.
set -u
[ -z "${SANITIZE:-}" ] || { echo "a sanitizer's own memory is counted too"; exit 77; }
. tests/support/command_support.bash
games=$(realpath data/games.pgn)
cd "$scratch" || exit 1

python3 - "$stamma" "$games" <<'PYTHON' || fail 'memory'
import hashlib, os, random, subprocess, sys

MEGABYTE = 1000 * 1000
stamma = sys.argv[1]
chance = random.Random(8)


def letters(size):
    return "".join(chance.choices("abcdefgh", k=size))


def game(middle):
    return '[Event "x"]\n\n1. e4 %s e5 *\n\n' % middle


def numbers():
    return game(" ".join("{%d/%d}" % (chance.getrandbits(45), chance.getrandbits(45)) for _ in range(200)))


def words():
    return game(" ".join("{pv=%s, a=%s}" % (letters(30), letters(30)) for _ in range(50)))


def tags():
    return "".join('[T%d_%d "%x"]\n' % (i, chance.randrange(200), chance.getrandbits(24)) for i in range(60)) + game("")


def noise():
    return game("{%s}" % "".join(chr(0x4E00 + chance.getrandbits(14)) for _ in range(7000)))


def variations():
    return game("(1. d4 (1. c4 $1))" * 300)


def run(arguments, parts, size, sink):
    """Writes `size` bytes, repeating the parts, to the command. Returns its largest resident set in bytes and the hashes
    of its input and output."""
    given, gave = hashlib.sha256(), hashlib.sha256()
    child = subprocess.Popen([stamma] + arguments, stdin=subprocess.PIPE if parts else subprocess.DEVNULL,
                             stdout=subprocess.PIPE if sink else subprocess.DEVNULL)
    number = 0
    while parts and size > 0:
        size -= child.stdin.write(parts[number % len(parts)])
        given.update(parts[number % len(parts)])
        number += 1
    if parts:
        child.stdin.close()
    while sink and (data := child.stdout.read(1 << 20)):
        gave.update(data)
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, arguments
    return used.ru_maxrss * 1024, given.digest(), gave.digest()


def check(name, parts, size, options, limit):
    parts = [part if isinstance(part, bytes) else part.encode() for part in parts]
    peak, given, _ = run(["pack", "-qf", "-o", "large.stamma"] + options + ["-"], parts, size, False)
    assert peak <= limit, "%s: pack %s took %.1f MiB" % (name, " ".join(options), peak / 2**20)
    again, _, gave = run(["unpack"] + [option for option in options if option not in ("-2", "-3")] + ["large.stamma"], [], 0, True)
    assert again <= limit and given == gave, "%s: unpack took %.1f MiB" % (name, again / 2**20)
    print("%-12s pack %6.1f MiB, unpack %6.1f MiB" % (name, peak / 2**20, again / 2**20))


least = ["--memory", "128M", "-T4"]
with open(sys.argv[2], "rb") as file:
    famous = [file.read()]
long = os.environ.get("LONG")
check("real games", famous, (200 if long else 50) * MEGABYTE, least, 128 << 20)
check("in parallel", famous, (100 if long else 70) * MEGABYTE, ["--memory", "512M", "-T4"], 512 << 20)
for make in numbers, words, tags, noise, variations:
    size = 18 if make == noise and not long else 34  # noise packs slowly; 17 MB are one job
    check(make.__name__, [make() for _ in range(300)], size * MEGABYTE, least, 128 << 20)
if subprocess.run([stamma, "predict", "--json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
    check("level 2", famous, (40 if long else 18) * MEGABYTE, least + ["-2"], 128 << 20)
    for make in words, variations, tags:
        check("%s, 2" % make.__name__, [make() for _ in range(300)], 17 * MEGABYTE, least + ["-2"], 128 << 20)
    check("level 3", famous, (5 if long else 3) * MEGABYTE, least + ["-3"], 128 << 20)
    for make in words, variations, tags:
        check("%s, 3" % make.__name__, [make() for _ in range(300)], 17 * MEGABYTE, least + ["-3"], 128 << 20)
check("one comment", [b"{"] + [letters(20000).encode() for _ in range(50)], 34 * MEGABYTE, least, 128 << 20)
PYTHON
checks=16
finish
