#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An archive is truncated or altered at any place: the command prints the right bytes, or a message with status 2 and
# the sound blocks. The command never crashes and never prints a part of a block.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

# Without search columns: damage to them loses no text (tests/unit/block/search_columns_test.c).
sample >games.pgn
run 0 pack -q --no-search-columns games.pgn
games 40 >more.pgn
run 0 append -q --no-search-columns games.stamma more.pgn
games 3 >last.pgn
run 0 append -q --no-search-columns games.stamma last.pgn

python3 - "$stamma" <<'PYTHON' || failures=$((failures + 1))
import os, re, subprocess, sys
stamma = sys.argv[1]
whole = open("games.stamma", "rb").read()
parts = [open(name, "rb").read() for name in ("games.pgn", "more.pgn", "last.pgn")]
text = b"".join(parts)
# The possible outputs: blocks in order, each at most once.
some = {b"".join(part for i, part in enumerate(parts) if keep >> i & 1) for keep in range(8)}
failures = 0

def are_games(out):
    """Returns whether `out` has only games of the text, in their order."""
    rest = iter(re.split(b"(?=\\[Event )", text))
    return all(game in rest for game in re.split(b"(?=\\[Event )", out))

def fail(what):
    global failures
    failures += 1
    print("FAILED:", what)

def run(arguments, data=None):
    done = subprocess.run([stamma] + arguments, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    return done.returncode, done.stdout, done.stderr

def check(name, data, may_be_right):
    """Unpacks `data` from a file, to a file and to a pipe, and reads it with the other commands."""
    with open("damaged.stamma", "wb") as file:
        file.write(data)
    status, out, words = run(["unpack", "-o", "damaged.pgn", "damaged.stamma"])
    written = open("damaged.pgn", "rb").read() if os.path.exists("damaged.pgn") else b""
    right = os.path.exists("damaged.pgn") and written == text
    verdict, _, _ = run(["verify", "-q", "damaged.stamma"])
    if verdict != status:
        fail("%s: unpack ends with %d, verify with %d" % (name, status, verdict))
    if status == 2:
        if written not in some or not words.startswith(b"stamma: damaged.stamma: "):
            fail("%s: %d bytes, or the message is %r" % (name, len(written), words))
    elif status == 0 and data in earlier:
        if written != earlier[data]:
            fail("%s: wrong bytes" % name)
    elif status != 0 or not right or not may_be_right:
        fail("%s: status %d, %s" % (name, status, "right bytes" if right else "wrong bytes"))
    if os.path.exists("damaged.pgn"):
        os.remove("damaged.pgn")
    if os.listdir(".").count(".stamma") or any(entry.startswith(".stamma-") for entry in os.listdir(".")):
        fail("%s: a temporary file was left" % name)
    status, out, words = run(["unpack", "-"], data)
    if status != verdict or (status == 0 and out != earlier.get(data, text)):
        fail("%s from a pipe: status %d" % (name, status))
    if out not in some:
        fail("%s from a pipe: wrong bytes" % name)
    status, out, words = run(["repair", "-f", "--exact-only", "-o", "good.stamma", "damaged.stamma"])
    if status == 2 and not os.path.exists("good.stamma"):
        return
    verdict, _, _ = run(["verify", "-q", "good.stamma"])
    _, out, _ = run(["unpack", "good.stamma"])
    if verdict != 0 or not are_games(out) or len(out) < len(written) or (status == 0 and out != mended.get(data, text)):
        fail("%s, repaired: verify ends with %d, %d bytes" % (name, verdict, len(out)))
    os.remove("good.stamma")

# A file that ends exactly where an earlier append ended is sound; nothing shows that the later append is missing.
earlier = {whole: text}
# The last bytes of an append are not essential: the end of a commit can be repaired.
mended = {whole: text}
end = 0
for i in range(3):
    end = whole.index(b"StEndCmt", end) + 8
    earlier[whole[:end]] = b"".join(parts[:i + 1])
    for missing in range(8):
        mended[whole[:end - missing]] = b"".join(parts[:i + 1])

def read_every_way(name, data):
    with open("damaged.stamma", "wb") as file:
        file.write(data)
    for arguments in (["cat"], ["cat", "--format", "json"], ["ls"], ["info"], ["cat", "last"]):
        status, out, words = run([arguments[0], "damaged.stamma"] + arguments[1:])
        if status not in (0, 1, 2) or (status == 2) != (words != b""):
            fail("%s, %s: status %d, %r" % (name, " ".join(arguments), status, words))

size = len(whole)
# Under sanitizers each of the two thousand runs needs twenty times the time.
thin = 10 if os.environ.get("SANITIZE") else 3
cuts = sorted(set(list(range(0, 64, thin)) + list(range(size - 64, size, thin)) + list(range(0, size, thin * max(1, size // 120)))))
for cut in cuts:
    if cut < size:
        check("cut to %d of %d bytes" % (cut, size), whole[:cut], whole[:cut] in earlier)
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
