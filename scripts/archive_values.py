"""The small parts of the Stamma archive format (doc/format.md): numbers, checksums, packed bytes, names of columns.

Plain Python for decode_archive.py, which says what it is for.
"""
import bz2
import struct
import subprocess
import tempfile

TAG = 64
COLUMNS = {1: "events", 2: "moves", 3: "variation-moves", 4: "comments", 5: "nags", 6: "results", 7: "rosters",
           8: "roster-list", 9: "styles", 10: "style-list", 11: "layout", 12: "layout-text", 13: "verbatim-sizes",
           14: "verbatim", 15: "extra-tags", 16: "reasons", 17: "event-counts", 18: "checks", 19: "lines",
           20: "line-sizes", 21: "line-moves", TAG: "tag"}

# The limits of clause 10.
PAYLOAD_MAX = 2 ** 29
COMMIT_BLOCKS_MAX = 1024
RECORDS_MAX = 65536
GROUP_RECORDS = 64
BYTES_MAX = 2 ** 24
PLAIN_MAX = 2 ** 28
NAME_MAX = 255
RECORD_BYTES_MAX = 2 ** 22
RECORD_ITEMS_MAX = 2 ** 18
TAG_COLUMNS_MAX = 1024
ROSTERS_MAX = 65536
STYLES_MAX = 4096
TEMPLATE_MAX = 30
LINE_LIMIT_MAX = 2 ** 32 - 1


class Violation(Exception):
    """An archive that is not as the format says."""


def need(condition, clause, message):
    if not condition:
        raise Violation("%s: %s" % (clause, message))


class Cursor:
    """Reads a piece of bytes from its start; the clause is named where it does not hold what is asked for."""

    def __init__(self, data, clause):
        self.data = data
        self.at = 0
        self.clause = clause

    def take(self, size):
        need(size <= len(self.data) - self.at, self.clause, "too short")
        self.at += size
        return self.data[self.at - size:self.at]

    def byte(self):
        if self.at == len(self.data):
            raise Violation("%s: too short" % self.clause)
        self.at += 1
        return self.data[self.at - 1]

    def number(self, size):
        return int.from_bytes(self.take(size), "little")

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
            need(shift < 70, self.clause, "a varint of more than ten bytes")
        need(byte or shift == 7, self.clause, "a varint that is not in its shortest form")
        need(value < 2 ** 64, self.clause, "a varint of more than 64 bits")
        return value

    def text(self):
        """What stands before the next zero byte."""
        end = self.data.find(b"\0", self.at)
        need(end >= 0, self.clause, "no zero byte at the end of a text")
        start, self.at = self.at, end + 1
        return self.data[start:end]

    def finish(self):
        need(self.at == len(self.data), self.clause, "%d bytes are left over" % (len(self.data) - self.at))


# ---- XXH64, seed 0, after its specification (xxHash fast digest algorithm, version 0.1.1) ----

MASK = 2 ** 64 - 1
PRIME1 = 0x9E3779B185EBCA87
PRIME2 = 0xC2B2AE3D27D4EB4F
PRIME3 = 0x165667B19E3779F9
PRIME4 = 0x85EBCA77C2B2AE63
PRIME5 = 0x27D4EB2F165667C5


def rotate(value, bits):
    return (value << bits | value >> 64 - bits) & MASK


def mix(lane, value):
    return rotate((lane + value * PRIME2) & MASK, 31) * PRIME1 & MASK


def xxh64(data):
    stripes = len(data) // 32 * 32
    total = PRIME5
    if stripes:
        lanes = mix_stripes(memoryview(data)[:stripes])
        total = sum(rotate(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            total = ((total ^ mix(0, lane)) * PRIME1 + PRIME4) & MASK
    return avalanche(mix_tail((total + len(data)) & MASK, data, stripes))


def mix_stripes(data):
    """The four lanes after all stripes of 32 bytes: `mix`, written out because every byte passes here."""
    lanes = []
    for index, lane in enumerate(((PRIME1 + PRIME2) & MASK, PRIME2, 0, -PRIME1 & MASK)):
        for stripe in struct.iter_unpack("<4Q", data):
            lane = (lane + stripe[index] * PRIME2) & MASK
            lane = (lane << 31 | lane >> 33) * PRIME1 & MASK
        lanes.append(lane)
    return lanes


def mix_tail(total, data, at):
    while at + 8 <= len(data):
        total = (rotate(total ^ mix(0, int.from_bytes(data[at:at + 8], "little")), 27) * PRIME1 + PRIME4) & MASK
        at += 8
    if at + 4 <= len(data):
        total = (rotate(total ^ int.from_bytes(data[at:at + 4], "little") * PRIME1 & MASK, 23) * PRIME2 + PRIME3) & MASK
        at += 4
    for byte in data[at:]:
        total = rotate(total ^ byte * PRIME5 & MASK, 11) * PRIME1 & MASK
    return total


def avalanche(total):
    total = (total ^ total >> 33) * PRIME2 & MASK
    total = (total ^ total >> 29) * PRIME3 & MASK
    return total ^ total >> 32


# ---- packed bytes: zstd and bzip2 ----

def zstd_frame_size(data, clause):
    """The size of the zstd frame at the start of `data` (RFC 8878, 3.1.1), which has to be without dictionary."""
    cursor = Cursor(data, clause)
    need(cursor.number(4) == 0xFD2FB528, clause, "no zstd frame")
    descriptor = cursor.byte()
    single_segment = descriptor >> 5 & 1
    need(not descriptor & 8, clause, "a reserved bit in the zstd frame")
    need(not descriptor & 3, clause, "a zstd frame with a dictionary")
    need(single_segment or descriptor >> 6, clause, "a zstd frame that does not say its content's size")
    cursor.take((1 - single_segment) + (single_segment, 2, 4, 8)[descriptor >> 6])
    last = False
    while not last:
        header = cursor.number(3)
        last, kind, size = header & 1, header >> 1 & 3, header >> 3
        need(kind != 3, clause, "a zstd block of reserved type")
        cursor.take(1 if kind == 1 else size)
    cursor.take(4 * (descriptor >> 2 & 1))
    return cursor.at


def unzstd(data, plain_size, clause):
    """What one zstd frame decodes to; at most one byte more than `plain_size` is made."""
    need(zstd_frame_size(data, clause) == len(data), clause, "bytes behind the zstd frame")
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        zstd = subprocess.Popen(["zstd", "-dcq", "--memory=2048MB"], stdin=file, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)
        with zstd:
            plain = zstd.stdout.read(plain_size + 1)
            zstd.stdout.close()
            need(len(plain) > plain_size or zstd.wait() == 0, clause, "zstd refuses the frame")
    return plain


def unbzip2(data, plain_size, clause):
    """What one bzip2 stream decodes to; at most one byte more than `plain_size` is made."""
    decoder = bz2.BZ2Decompressor()
    try:
        plain = decoder.decompress(data, plain_size + 1)
    except OSError:
        plain = None
    need(plain is not None, clause, "bzip2 refuses the stream")
    need(len(plain) > plain_size or (decoder.eof and not decoder.unused_data), clause, "not one whole bzip2 stream")
    return plain


def unpacked(data, plain_size, clause):
    """What packed bytes decode to; at most one byte more than `plain_size` is made."""
    return (unbzip2 if data.startswith(b"BZh") else unzstd)(data, plain_size, clause)
