# SPDX-License-Identifier: MIT
"""The search columns of the Stamma archive format (doc/format/block_columns.md, clause 20)."""
import re
import struct
from collections import namedtuple

from archive_fields import read_streams
from archive_values import COLUMNS, SEARCH_COLUMNS, Cursor, finish, need

STORED, SEARCH = 0, 7
SIGNATURE_BYTES, FACTS_BYTES = 5, 7
FEW, RATING_STEP, DISTANCES, FAR = 3, 25, 5, 255
ODD_RATING, ODD_MONTH = 4095, 65535
RESULTS = (b"1-0", b"0-1", b"1/2-1/2", b"*")
OTHER_DRAWS = (b"1/2", b"0.5-0.5", b"\xC2\xBD-\xC2\xBD", b"\xBD-\xBD", b"\xC2\xBD", b"\xBD")

Signature = namedtuple("Signature", "white_home black_home pawns white_pieces black_pieces")
Facts = namedtuple("Facts", "result white_rating black_rating month")


def home_pawns(board, pawn, rank):
    return sum(1 << file for file in range(8) if board[8 * rank + file] == pawn)


def side_code(board, pieces, promotions):
    """Returns the codes of the pawns and of the pieces of a side. `pieces` is PNBRQ or pnbrqk."""
    pawns = board.count(pieces[0])
    if promotions:
        pawns = 9 + min(pawns, 6)
    counts = [board.count(piece) - promotions.count(piece.upper()) for piece in pieces[1:5]]
    return pawns, sum(min(max(count, 0), 3) << 2 * place for place, count in enumerate(counts))


def signature(line):
    """Returns the signature of a record's main line, a list of (move, place). The first entry is the start of the line."""
    if len(line) == 1:
        return Signature(0, 0, 0, 0, 0)
    board = line[-1][1].position.board
    promotions = {True: [], False: []}
    for (_, before), (move, _) in zip(line, line[1:]):
        if move is not None and move[2] and move[2] in "NBRQ":
            promotions[before.position.white].append(move[2])
    white_pawns, white = side_code(board, "PNBRQ", promotions[True])
    black_pawns, black = side_code(board, "pnbrq", promotions[False])
    return Signature(home_pawns(board, "P", 1), home_pawns(board, "p", 6), white_pawns | black_pawns << 4, white, black)


def rating(value):
    if value in (None, b"", b"?", b"-"):
        return 0
    return min(int(value), ODD_RATING) if re.fullmatch(rb"[0-9]{1,4}", value) else ODD_RATING


def month(value):
    if value in (None, b"", b"?", b"-", b"????.??.??"):
        return 0
    found = re.fullmatch(rb"([0-9]{4})\.([0-9]{2}|\?\?)\.([0-9]{2}|\?\?)", value)
    if not found:
        return ODD_MONTH
    year, month_of, day = [None if part == b"??" else int(part) for part in found.groups()]
    fine = 1 <= year <= 5000 and month_of in (None, *range(1, 13)) and day in (None, *range(1, 32))
    return 13 * year + (month_of or 0) if fine else ODD_MONTH


def facts(tags, termination):
    """Returns the facts that the column may have of a game. `termination` is the result after the moves, or None."""
    tag = tags.get(b"Result")
    results = [tag if tag in RESULTS else termination or b"*"]
    if results == [b"*"] and tag in OTHER_DRAWS:
        results.append(b"1/2-1/2")
    return [Facts(RESULTS.index(result), rating(tags.get(b"WhiteElo")), rating(tags.get(b"BlackElo")),
                  month(tags.get(b"Date")) or month(tags.get(b"UTCDate"))) for result in results]


def plain(data, count):
    """Returns the bytes of each record."""
    return zip(*(data[at:at + count] for at in range(0, len(data), count)))


def plain_signatures(data, count):
    return [Signature(*values) for values in plain(data, count)]


def plain_facts(data, count):
    return [Facts(*struct.unpack("<BHHH", bytes(values))) for values in plain(data, count)]


def coded_signatures(stored, count):
    left, right, *parts = read_streams(stored, 8 * count + 8, "20.3", 8)
    need(len(left) == len(right) == count, "20.3", "home pawns of another number of records")
    planes = [Cursor(part, "20.3") for part in parts]
    found = []
    for low, high in zip(left, right):
        white, black = low & 15 | (high & 15) << 4, low >> 4 | high & 0xF0
        homes = bin(white).count("1"), bin(black).count("1")
        many = sum(homes) >= FEW
        pawns, minors, majors = (planes[place + many].byte() for place in (0, 2, 4))
        pawns = (pawns + homes[0]) % 16 | ((pawns >> 4) + homes[1]) % 16 << 4
        found.append(Signature(white, black, pawns, minors & 15 | (majors & 15) << 4, minors >> 4 | majors & 0xF0))
    finish(*planes)
    return found


def coded_facts(stored, count):
    results, changes, *others = read_streams(stored, 8 * count + 8, "20.5", 6)
    need(len(results) == (count + 3) // 4 and len(changes) == count, "20.5", "results or changes of another number of records")
    steps, rests, months, far = (Cursor(stream, "20.5") for stream in others)
    ratings, last, found = [0] * 4, 0, []
    for number, change in enumerate(changes):
        need(change < 2 * DISTANCES * DISTANCES, "20.5", "change %d" % change)
        for distance in divmod(change // 2, DISTANCES):
            ratings.append(ratings[-distance] if distance else RATING_STEP * steps.byte() + rests.byte())
        if change % 2:
            folded = months.byte()
            last = far.unpack("H")[0] if folded == FAR else (last + (folded // 2 ^ -(folded % 2))) % 65536
        found.append(Facts(results[number // 4] >> 2 * (number % 4) & 3, *ratings[-2:], last))
    finish(steps, rests, months, far)
    need(count % 4 == 0 or results[-1] >> 2 * (count % 4) == 0, "20.5", "spare bits that are not 0")
    return found


FORMS = {"signatures": (SIGNATURE_BYTES, plain_signatures, coded_signatures),
         "facts": (FACTS_BYTES, plain_facts, coded_facts)}


def check_search(entries, signatures, facts_of_records):
    """Compares the search columns of a directory with their expected contents."""
    for entry in entries:
        name = COLUMNS.get(entry.id)
        if name not in SEARCH_COLUMNS or entry.codec not in (STORED, SEARCH):
            continue
        expected = [[one] for one in signatures] if name == "signatures" else facts_of_records
        size, plain, coded = FORMS[name]
        count = len(expected)
        need(entry.plain_size == size * count, "20.1", "%s: the plain size differs" % name)
        need(entry.codec == SEARCH or len(entry.stored) == entry.plain_size, "3.2", "the plain size differs")
        found = (plain if entry.codec == STORED else coded)(entry.stored, count)
        for number, values in enumerate(zip(found, expected)):
            need(values[0] in values[1], "20.1", "%s: record %d says %s and is %s" % (name, number, *values))
