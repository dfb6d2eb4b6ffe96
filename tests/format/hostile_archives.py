# SPDX-License-Identifier: MIT
"""Makes archives with valid checksums whose blocks or frames require much work or memory, and runs the command on them.

Each command must end with an error, within a second of processor time and within --memory. `repair` may need three seconds,
because it reads a block that does not decode up to three times.

usage: hostile_archives.py STAMMA FOLDER
"""
import os
import subprocess
import sys

import made_moves
import mixed_builder
from archive_builder import Block, archive, check32, commit, fields, frame, identity_of_archive, number, varint

SECONDS, MEMORY = 1.0, 128 << 20
COMMANDS = ["unpack", "verify", "tree", "stats", "repair -f -o %s", "find --event b --count"]
READINGS = {"repair": 3}
LIMITS = {"info": []}  # options of each command; otherwise -q and --memory
DO_NOT_DECODE = "find", "tree", "stats"  # they may find nothing without decoding the invalid parts


class Declared(bytes):
    """The text of a block: it is empty, but its declared size is `size` bytes."""

    def __new__(cls, size):
        text = super().__new__(cls)
        text.size = size
        return text

    def __len__(self):
        return self.size


def declare(block, size):
    """Returns an archive of the block, which declares a text of `size` bytes with a wrong checksum."""
    def head(entries):
        counts = b"".join(varint(count) for count in block.counts.values())
        return number(size, 8) + bytes(8) + counts + bytes([block.continues]) + varint(len(entries)) + b"".join(entries)
    block.text, block.head = Declared(size), head
    return block


def spelt(stored, plain, text, slot_bits=12):
    """A tag value in codec 8 that consists of zeros and never ends."""
    block = made_moves.with_tags([(b"Event", b"a")], b"", "0:1")
    block.columns["tag", b"Event"] = bytes(plain)
    block.rules[b"Event"] = 8, bytes([slot_bits, 0]) + bytes(stored - 3) + b"\1"
    return declare(block, text)


def models(text):
    """Three models of 2^22 slots, in a block of 700 bytes."""
    block = made_moves.with_tags([(b"A", b""), (b"B", b""), (b"C", b"")], b"", "0:1")
    for name in b"A", b"B", b"C":
        block.columns["tag", name] = bytes(2000)
        block.rules[name] = 8, bytes([22, 0]) + bytes(9) + b"\1"
    return declare(block, text)


def clocks(values, fill, stored):
    """Comments with clocks in a string of the mixed coder (14.13) whose bytes are all equal."""
    block = made_moves.game(b"", "4 " * values + "0", comments=bytes(16 * values))
    string = bytes([fill]) * (stored - 1) + b"\1"
    block.rules["comments"] = 2, fields([b"[%clk \1t]\0", b"\1" * values, b"", bytes([2, 0, 0, 10, 2, 20]), string, b""])
    return declare(block, 2 ** 24)


def zeros(text, plain):
    """A column of zeros, which zstd compresses well."""
    block = made_moves.plain()
    block.codec = 1
    block.add("layout-text", bytes(plain))
    return declare(block, text)


ARCHIVES = {
    "a value of 16 KB in codec 8": [spelt(16000, 16000 * 1000, 100)],
    "the same, with a text of 16 MB": [spelt(16000, 16000 * 1000, 2 ** 24, 22)],
    "a value of 262 KB in codec 8": [spelt(262000, 2 ** 28, 100)],
    "the same, with a text of 16 MB and as many bytes": [spelt(262000, 2 ** 24, 2 ** 24)],
    "clocks in zeros": [clocks(200000, 0, 2000)],
    "clocks in ones": [clocks(200000, 255, 2000)],
    "clocks in fives": [clocks(200000, 0x55, 2000)],
    "many models": 20 * [models(2 ** 24)],
    "large columns": 8 * [zeros(2 ** 24, 2 ** 27)],
    "columns that are too large": 8 * [zeros(100, 2 ** 27)],
}


def headers(kind, flags, claim):
    """An archive followed by headers of frames with a size of `claim` bytes each, and 4 MB of zeros."""
    start = archive([made_moves.plain()])
    header = b"sFrm" + bytes([kind, flags]) + identity_of_archive(start) + number(claim, 8) + bytes(4) + check32(b"") + number(1, 4)
    return start + 5000 * (header + check32(header)) + bytes(1 << 22)


def doubtful_commits():
    """A large block and commits with damaged ends. Each commit would be valid if the block were complete."""
    block = zeros(2 ** 24, 2 ** 21)
    block.codec = 0
    payload, head_size = block.payload()
    start = archive([])[:16] + frame(1, payload[:-1] + b"\1", head_size)
    identity = identity_of_archive(start)
    data = [start]
    at = len(start)
    for number_of_commit in range(2000):
        places = ([16], [block]) if number_of_commit == 0 else ([], [])
        data.append(commit(*places, 16, at, 0, block.totals(), True, identity)[:-1] + b"?")
        at += len(data[-1])
    return b"".join(data)


FRAMES = {
    "headers of blocks": lambda: headers(1, 1, 2 ** 28),
    "headers of blocks within the file": lambda: headers(1, 1, 2 ** 21),
    "headers of commits": lambda: headers(2, 1, 500 * 10 ** 6),
    "headers of commits within the limit": lambda: headers(2, 1, 30837),
    "headers of tables": lambda: headers(3, 0, 500 * 10 ** 6),
    "headers of tables within the file": lambda: headers(3, 0, 2 ** 21),
    "headers of sources": lambda: headers(4, 0, 500 * 10 ** 6),
    "headers of sources within the limit": lambda: headers(4, 0, 4159),
    "headers of unknown frames": lambda: headers(77, 0, 500 * 10 ** 6),
    "headers of mandatory frames": lambda: headers(77, 1, 2 ** 21),
    "commits in doubt": doubtful_commits,
}
FRAME_COMMANDS = ["info", "info -", "verify", "unpack", "unpack -", "repair -f -o %s"]
MESSAGES = ("a block that does not decode", "damaged"), ("a block needs more memory than the limit (--memory",)


def run(arguments, path):
    """Returns the exit status, seconds of processor time, bytes of the largest resident set, and messages. A `-` reads the
    archive from standard input."""
    with open(path, "rb") as file:
        child = subprocess.Popen(arguments, stdin=file, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    messages = child.stderr.read().decode()
    _, status, used = os.wait4(child.pid, 0)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, messages


def check(stamma, folder, name, command):
    path = os.path.join(folder, "hostile.stamma")
    words = command.replace("%s", os.path.join(folder, "repaired.stamma")).split()
    arguments = [stamma, words[0]] + LIMITS.get(words[0], ["-q", "--memory", "%d" % MEMORY]) + words[1:] + ([] if words[-1] == "-" else [path])
    status, seconds, memory, messages = run(arguments, path)
    where = "%s, %s: status %d, %.2f s, %.1f MiB, %r" % (name, command, status, seconds, memory / 2 ** 20, messages[:1000])
    assert status == 2 or (status < 2 and words[0] in DO_NOT_DECODE), where
    if name in ARCHIVES:
        assert status < 2 or any(message in messages for message in MESSAGES[name == "large columns"]), where
    assert seconds <= SECONDS * READINGS.get(words[0], 1) and memory <= MEMORY, where
    print("ok")


def main():
    stamma, folder = sys.argv[1:]
    for makers, commands in (ARCHIVES, COMMANDS), (FRAMES, FRAME_COMMANDS):
        for name, made in makers.items():
            with open(os.path.join(folder, "hostile.stamma"), "wb") as file:
                file.write(archive(made) if makers is ARCHIVES else made())
            for command in commands:
                check(stamma, folder, name, command)


if __name__ == "__main__":
    main()
