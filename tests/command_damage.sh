#!/usr/bin/env bash
# An archive that is cut short or altered anywhere: the right bytes, or a message and status 2; never a crash, never
# anything half-written.
set -u
. tests/command_support.bash
cd "$scratch" || exit 1

sample >games.pgn
games 40 >>games.pgn
run 0 pack -q games.pgn

python3 - "$stamma" <<'PYTHON' || failures=$((failures + 1))
import os, subprocess, sys
stamma = sys.argv[1]
whole = open("games.stamma", "rb").read()
text = open("games.pgn", "rb").read()
failures = 0

def fail(what):
    global failures
    failures += 1
    print("FAILED:", what)

def run(arguments, data=None):
    done = subprocess.run([stamma] + arguments, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    return done.returncode, done.stdout, done.stderr

def check(name, data, may_be_right):
    """Unpacks `data` from a file, to a file and to a pipe, and reads it in every other way."""
    with open("damaged.stamma", "wb") as file:
        file.write(data)
    status, out, words = run(["unpack", "-o", "damaged.pgn", "damaged.stamma"])
    right = os.path.exists("damaged.pgn") and open("damaged.pgn", "rb").read() == text
    if status == 2:
        if os.path.exists("damaged.pgn") or not words.startswith(b"stamma: damaged.stamma: "):
            fail("%s: a file was left, or the message is %r" % (name, words))
    elif status != 0 or not right or not may_be_right:
        fail("%s: status %d, %s" % (name, status, "right bytes" if right else "wrong bytes"))
    if os.path.exists("damaged.pgn"):
        os.remove("damaged.pgn")
    if os.listdir(".").count(".stamma") or any(entry.startswith(".stamma-") for entry in os.listdir(".")):
        fail("%s: a temporary file was left" % name)
    status, out, words = run(["unpack", "-"], data)
    if (status, out == text) != (0, True) and status != 2:
        fail("%s from a pipe: status %d" % (name, status))
    if status == 2 and not text.startswith(out):
        fail("%s from a pipe: wrong bytes before the error" % name)

def read_every_way(name, data):
    with open("damaged.stamma", "wb") as file:
        file.write(data)
    for arguments in (["cat"], ["cat", "--format", "json"], ["ls"], ["info"], ["cat", "last"]):
        status, out, words = run([arguments[0], "damaged.stamma"] + arguments[1:])
        if status not in (0, 1, 2) or (status == 2) != (words != b""):
            fail("%s, %s: status %d, %r" % (name, " ".join(arguments), status, words))

size = len(whole)
# Under sanitizers each of the two thousand runs takes twenty times as long.
thin = 5 if os.environ.get("SANITIZE") else 1
cuts = sorted(set(list(range(0, 64, thin)) + list(range(size - 64, size, thin)) + list(range(0, size, thin * max(1, size // 120)))))
for cut in cuts:
    if cut < size:
        check("cut to %d of %d bytes" % (cut, size), whole[:cut], False)
for at in range(0, size, thin * max(1, size // 250)):
    for change in (0x01, 0x80):
        data = bytearray(whole)
        data[at] ^= change
        check("byte %d of %d changed" % (at, size), bytes(data), True)
for at in range(3, size, thin * max(1, size // 40)):
    data = bytearray(whole)
    data[at] ^= 0xFF
    read_every_way("byte %d changed" % at, bytes(data))
    read_every_way("cut to %d" % at, whole[:at])
check("followed by other bytes", whole + b"other bytes", True)
check("twice", whole + whole, True)
print("%d bytes of archive, %d cuts" % (size, len(cuts)))
sys.exit(failures != 0)
PYTHON

finish
