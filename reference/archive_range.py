"""The range coder of the Stamma archive format (clauses 16.2 and 17.2 of doc/format.md and doc/format_columns.md).

A part of decode_archive.py, which describes the purpose of these modules.
"""
from archive_values import need

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
        """Returns the size of the string in bits. Checks that the string is the shortest that encodes its symbols and,
        of the strings of that size, the smallest number."""
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
