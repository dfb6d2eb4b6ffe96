# SPDX-License-Identifier: MIT
"""The mixed coder of the Stamma archive format (doc/format/block_columns.md, clauses 21.3 to 21.6)."""
from archive_values import TOTAL, divided, within

MASK = 2 ** 32 - 1
CONTEXTS, LOGIT_MAX, WEIGHT_START, WEIGHT_MAX, COUNT_MAX, TIMES_MAX = 12, 2047, 10000, 2 ** 20, 15, 255
SQUASH = (22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743, 32768, 40793, 47911, 53581,
          57724, 60565, 62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514)


def mixed_hash(a, b):
    found = ((a ^ b) & MASK) * 0x85EBCA6B & MASK
    return found ^ found >> 15


def squash(logit):
    point, rest = divmod(logit + 2048, 128)
    return (SQUASH[point] * (128 - rest) + SQUASH[point + 1] * rest) // 128


def stretched():
    """Returns the logit of each of the 4,096 probabilities (21.6)."""
    logits, logit = [], -LOGIT_MAX
    for probability in range(4096):
        while logit < LOGIT_MAX and squash(logit) // 16 < probability:
            logit += 1
        logits.append(logit)
    return logits


STRETCH = stretched()


def counted(state, bit):
    """Returns the counts of a slot after a decision (21.4)."""
    counts = [state >> 4, state & 15]
    counts[bit] = min(counts[bit] + 1, COUNT_MAX)
    if counts[1 - bit] > 2:
        counts[1 - bit] = (counts[1 - bit] + 1) // 2
    return counts[0] << 4 | counts[1]


class Model:
    """Predicts decisions (21.3 to 21.6) from the cells of their contexts: probabilities, and how often each changed."""

    def __init__(self, bits):
        self.shift, self.weights = 32 - bits, {}

    def place(self, context, node):
        found = mixed_hash(context, node * 0x9E3779B1 & MASK)
        return found >> self.shift, found & 255

    def bit(self, decoder, kind, contexts, node, number):
        inputs, found = [0] * (2 * CONTEXTS + 1), []
        for n, context in enumerate(contexts):
            place, cell, is_known = self.find(kind, n, *self.place(context, node))
            found.append((place, cell))
            if is_known:
                inputs[n] = STRETCH[cell[0] >> 10]
                inputs[CONTEXTS + n] = divided((cell[0] >> 10) - 2048, 4)
        inputs[-1] = 256
        weights = self.weights.setdefault(number, [WEIGHT_START] * CONTEXTS + [0] * (CONTEXTS + 1))
        logit = divided(sum(weight * value for weight, value in zip(weights, inputs)), 65536)
        ones = squash(within(logit, -LOGIT_MAX, LOGIT_MAX))
        bit = 1 - decoder.take((ones, TOTAL - ones))
        error = 65536 * bit - ones
        for n, value in enumerate(inputs):
            weights[n] = within(weights[n] + divided(value * error, 65536), -WEIGHT_MAX, WEIGHT_MAX)
        for place, cell in found:
            target = (2 ** 22 - 1) * bit
            cell[0] += divided((target - cell[0]) * (131072 // (2 * cell[1] + 3)), 65536)
            cell[1] = min(cell[1] + 1, TIMES_MAX)
            self.note(place, bit)
        return bit


class Slots(Model):
    """A model whose contexts have counts, with a cell for each pair of counts (21.4, 21.5)."""

    def __init__(self, bits):
        super().__init__(bits)
        self.slots, self.maps = {}, {}

    def find(self, kind, n, place, check):
        other, state = self.slots.get(place, (0, 0))
        state = state if other == check else 0
        self.slots[place] = check, state
        zeros, ones = state >> 4, state & 15
        start = ((2 * ones + 1) << 22) // (2 * (zeros + ones) + 2)
        return place, self.maps.setdefault((kind, n, state), [start, 0]), state != 0

    def note(self, place, bit):
        check, state = self.slots[place]
        self.slots[place] = check, counted(state, bit)


class Direct(Model):
    """A model whose contexts each have a separate cell (14.13)."""

    def __init__(self, bits):
        super().__init__(bits)
        self.cells = {}

    def find(self, kind, n, place, check):
        cell = self.cells.setdefault(place, [2 ** 21, 0])
        return place, cell, cell[1] > 0

    def note(self, place, bit):
        pass
