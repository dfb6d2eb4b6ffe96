# SPDX-License-Identifier: MIT
"""The basic parts of the Stamma archive format (doc/format/archive.md): numbers, checksums, packed bytes, the range coder."""
import bz2
import contextlib
import struct
import subprocess
import tempfile

TAG = 64
COLUMNS = {1: "events", 2: "moves", 3: "variation-moves", 4: "comments", 5: "nags", 6: "results", 7: "rosters",
           8: "roster-list", 9: "styles", 10: "style-list", 11: "layout", 12: "layout-text", 13: "verbatim-sizes",
           14: "verbatim", 15: "extra-tags", 16: "reasons", 17: "event-counts", 18: "checks", 19: "lines",
           20: "line-sizes", 21: "line-moves", 22: "signatures", 23: "facts", TAG: "tag"}
SEARCH_COLUMNS = ("signatures", "facts")


class Violation(Exception):
    """Raised for an archive that violates the format. The arguments are the clause with the place, and the reason."""

    def __str__(self):
        return ": ".join(self.args)


def need(condition, clause, message):
    if not condition:
        raise Violation(clause, message)


@contextlib.contextmanager
def inside(place):
    """Adds `place` to violations that are raised inside the `with` block."""
    try:
        yield
    except Violation as violation:
        clause, message = violation.args
        raise Violation("%s, %s" % (clause, place), message) from None


class Cursor:
    """Reads values from the start of a byte string. A violation under `clause` is raised if the data is too short."""

    def __init__(self, data, clause):
        self.data, self.clause, self.at = data, clause, 0

    def has_more(self):
        return self.at < len(self.data)

    def take(self, size):
        need(size <= len(self.data) - self.at, self.clause, "too short")
        self.at += size
        return self.data[self.at - size:self.at]

    def byte(self):
        return self.take(1)[0]

    def unpack(self, layout):
        """Reads numbers and bytes; `layout` is a format of the module struct."""
        return struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout)))

    def varint(self):
        value = shift = 0
        byte = 128
        while byte >= 128 and shift < 70:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
        need(byte < 128 and value < 2 ** 64, self.clause, "too large a varint")
        need(byte or shift == 7, self.clause, "a varint that is not in its shortest form")
        return value

    def text(self):
        """Reads the string before the next zero byte."""
        end = self.data.find(b"\0", self.at)
        need(end >= 0, self.clause, "no zero byte at the end of a text")
        start, self.at = self.at, end + 1
        return self.data[start:end]

    def finish(self):
        need(not self.has_more(), self.clause, "%d bytes are left over" % (len(self.data) - self.at))


def finish(*sources):
    for source in sources:
        source.finish()


def divided(value, by):
    """Returns the quotient, rounded towards 0."""
    return -(-value // by) if value < 0 else value // by


def within(value, least, most):
    return min(max(value, least), most)


# ---- XXH64 with seed 0, from its specification (xxHash fast digest algorithm, version 0.1.1) ----

MASK = 2 ** 64 - 1
PRIME1, PRIME2, PRIME3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
PRIME4, PRIME5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def rotate(value, bits):
    return (value << bits | value >> 64 - bits) & MASK


def mix(lane, value):
    return rotate((lane + value * PRIME2) & MASK, 31) * PRIME1 & MASK


def mix_stripes(data):
    """Returns the accumulator after all stripes of 32 bytes. `mix` is inlined here, because it runs for all data."""
    lanes = []
    for index, lane in enumerate(((PRIME1 + PRIME2) & MASK, PRIME2, 0, -PRIME1 & MASK)):
        for stripe in struct.iter_unpack("<4Q", data):
            lane = (lane + stripe[index] * PRIME2) & MASK
            lane = (lane << 31 | lane >> 33) * PRIME1 & MASK
        lanes.append(lane)
    total = sum(rotate(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & MASK
    for lane in lanes:
        total = ((total ^ mix(0, lane)) * PRIME1 + PRIME4) & MASK
    return total


def xxh64(data):
    stripes = len(data) // 32 * 32
    total = mix_stripes(memoryview(data)[:stripes]) if stripes else PRIME5
    total, rest = (total + len(data)) & MASK, Cursor(data[stripes:], "XXH64")
    while len(rest.data) - rest.at >= 8:
        total = (rotate(total ^ mix(0, *rest.unpack("Q")), 27) * PRIME1 + PRIME4) & MASK
    if len(rest.data) - rest.at >= 4:
        total = (rotate(total ^ rest.unpack("I")[0] * PRIME1 & MASK, 23) * PRIME2 + PRIME3) & MASK
    while rest.has_more():
        total = rotate(total ^ rest.byte() * PRIME5 & MASK, 11) * PRIME1 & MASK
    total = (total ^ total >> 33) * PRIME2 & MASK
    total = (total ^ total >> 29) * PRIME3 & MASK
    return total ^ total >> 32


def check32(data):
    return xxh64(data) & 0xFFFFFFFF


def check_zstd_frame(data, clause):
    """Checks that `data` is one zstd frame (RFC 8878, 3.1.1) without dictionary and with its content's size."""
    cursor = Cursor(data, clause)
    magic, descriptor = cursor.unpack("IB")
    single_segment, size_kind = descriptor >> 5 & 1, descriptor >> 6
    need(magic == 0xFD2FB528 and not descriptor & 8, clause, "no zstd frame")
    need(not descriptor & 3, clause, "a zstd frame with a dictionary")
    need(single_segment or size_kind, clause, "a zstd frame that does not say its content's size")
    cursor.take((1 - single_segment) + (single_segment, 2, 4, 8)[size_kind])
    last = False
    while not last:
        header = int.from_bytes(cursor.take(3), "little")
        last, kind, size = header & 1, header >> 1 & 3, header >> 3
        need(kind != 3, clause, "a zstd block of reserved type")
        cursor.take(1 if kind == 1 else size)
    cursor.take(4 * (descriptor >> 2 & 1))
    cursor.finish()


def unzstd(data, plain_size, clause):
    check_zstd_frame(data, clause)
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        with subprocess.Popen(["zstd", "-dcq", "--memory=2048MB"], stdin=file, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as zstd:
            plain = zstd.stdout.read(plain_size + 1)
            zstd.stdout.close()
            need(len(plain) > plain_size or zstd.wait() == 0, clause, "zstd refuses the frame")
    return plain


def unbzip2(data, plain_size, clause):
    decoder = bz2.BZ2Decompressor()
    try:
        plain = decoder.decompress(data, plain_size + 1)
    except OSError as error:
        raise Violation(clause, "bzip2 refuses the stream") from error
    need(len(plain) > plain_size or decoder.eof and not decoder.unused_data, clause, "not one whole bzip2 stream")
    return plain


def unpacked(data, plain_size, clause):
    """Returns the unpacked bytes. At most `plain_size` + 1 bytes are unpacked."""
    return (unbzip2 if data.startswith(b"BZh") else unzstd)(data, plain_size, clause)


# ---- the range coder (16.2, 17.2) ----

TOTAL, RANGE_LEAST = 2 ** 16, 2 ** 24


def bits_of(data):
    return [int(bit) for byte in data for bit in "{:08b}".format(byte)]


class Decoder:
    """A range decoder over a list of bits. Zeros are read after the end of the list."""

    def __init__(self, bits):
        self.bits, self.at = bits, 0
        self.code, self.range = 0, 2 ** 32 - 1
        self.number = self.low = 0  # `low`: the smallest number of `at` bits that encodes the symbols decoded so far
        for _ in range(4):
            self.read()

    def read(self):
        byte = 0
        for bit in (self.bits[self.at:self.at + 8] + [0] * 8)[:8]:
            byte = 2 * byte + bit
        self.at += 8
        self.code, self.low = self.code << 8 | byte, self.low << 8

    def take(self, frequencies):
        unit = self.range >> 16
        target, start, symbol = min(self.code // unit, TOTAL - 1), 0, 0
        while target >= start + frequencies[symbol]:
            start += frequencies[symbol]
            symbol += 1
        last = start + frequencies[symbol] == TOTAL
        self.code -= start * unit
        self.low += start * unit
        self.range = self.range - start * unit if last else frequencies[symbol] * unit
        while self.range < RANGE_LEAST:
            self.range <<= 8
            self.read()
        return symbol

    def end(self):
        """Returns the size of the string in bits, which must be the shortest of its symbols, and the smallest number."""
        for size in range(self.at - 31, self.at + 1):
            left = self.at - size
            least = -(-self.low >> left)
            if (least + 1 << left) <= self.low + self.range:
                break
        need(size <= len(self.bits) and self.low + self.code >> left == least, "16.2", "a string that no writer makes")
        return size

    def end_bytes(self):
        """Checks that the string has the fewest bytes that encode its symbols when zeros follow the string (17.2)."""
        for size in range(0, self.at + 1, 8):
            left = self.at - size
            least = -(-self.low >> left)
            if least << left < self.low + self.range:
                break
        need(size == len(self.bits) and self.low + self.code == least << left, "17.2", "a string that no writer makes")
