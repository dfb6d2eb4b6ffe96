"""Makes archives with valid checksums whose blocks demand much work or memory, and runs the command on them.

Each command must end with an error, within a second of processor time and within --memory. `repair` may need three seconds,
because it reads a block that does not decode up to three times.

usage: hostile_archives.py STAMMA FOLDER
"""
import os
import subprocess
import sys

import made_moves
import mixed_builder
from archive_builder import Block, archive, fields, number, varint

SECONDS, MEMORY = 1.0, 128 << 20
COMMANDS = ["unpack", "verify", "tree", "stats", "repair -f -o %s", "find --event b --count"]
READINGS = {"repair": 3}
DO_NOT_DECODE = "find", "tree", "stats"  # they may find nothing without decoding what is wrong


class Declared(bytes):
    """The text of a block that contains nothing, but declares `size` bytes."""

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
    """A tag value of codec 8 in zeros, which never ends."""
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
    """Comments with clocks in a string of the mixed coder, 10.13, whose bytes are all the same."""
    block = made_moves.game(b"", "4 " * values + "0", comments=bytes(16 * values))
    string = bytes([fill]) * (stored - 1) + b"\1"
    block.rules["comments"] = 2, fields([b"[%clk \1t]\0", b"\1" * values, b"", bytes([2, 0, 0, 10, 2, 20]), string, b""])
    return declare(block, 2 ** 24)


def zeros(text, plain):
    """A column of zeros, which zstd makes small."""
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
MESSAGES = ("a block that does not decode", "damaged"), ("a block needs more memory than the limit (--memory",)


def run(arguments):
    """Returns the exit status, seconds of processor time, bytes of the largest resident set, and messages."""
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    messages = child.stderr.read().decode()
    _, status, used = os.wait4(child.pid, 0)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, messages


def main():
    stamma, folder = sys.argv[1:]
    for name, blocks in ARCHIVES.items():
        path = os.path.join(folder, "hostile.stamma")
        with open(path, "wb") as file:
            file.write(archive(blocks))
        for command in COMMANDS:
            words = command.replace("%s", os.path.join(folder, "repaired.stamma")).split()
            status, seconds, memory, messages = run([stamma, words[0], "-q", "--memory", "%d" % MEMORY] + words[1:] + [path])
            where = "%s, %s: status %d, %.2f s, %.1f MiB, %r" % (name, words[0], status, seconds, memory / 2 ** 20, messages)
            assert status == 2 or (status < 2 and words[0] in DO_NOT_DECODE), where
            assert status < 2 or any(message in messages for message in MESSAGES[name == "large columns"]), where
            assert seconds <= SECONDS * READINGS.get(words[0], 1) and memory <= MEMORY, where
            print("ok")


if __name__ == "__main__":
    main()
