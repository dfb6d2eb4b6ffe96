#!/usr/bin/env python3
"""Makes the archives in tests/data:

- `good-*` decode.
- `stopped-*` are archives after an interrupted writer.
- `mended-*` have commits with a damaged end, which readers repair.
- `bad-*` are corrupt.
- `unsupported-*` need a later version of the format.

usage: archive_files.py           makes the archives, and tests/data/archives.md, which describes each in a line
       archive_files.py --check   exits with status 1 if a file differs from what would be made, if the slow decoder and the
                                  library return different texts, or if the slow decoder does not name the violated clause

archive_builder.py builds the archives from doc/format.md, without the library. They therefore show what the format is,
not what the library does. archive_files_test.c compares the library with them.
"""
import functools
import io
import os
import re
import subprocess
import sys

import archive_builder as build
import archive_moves
import mixed_builder
import predicted_builder
from archive_builder import (Block, archive, coded, commit, entry, fields, folded, frame, frequencies, number,
                             residual_streams, slots_of, style, tags, varint, zstd)
from decode_archive_test import (BLACK, COMMENT, INPUT_END, MOVE, PLAIN, RECORD_END, RESULT, TAG, TEXT, add_record, context,
                                 events, games_block, last_record, one_game)
from archive_values import Violation
import decode_archive
import slow_adaptive
import slow_chess
import slow_predictor
from remember import remember

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
EMPTY_GAPS = style({before << 4 | after: b"" for before in range(15) for after in range(16)})
MANY_QUEENS = b"6rk/6pp/8/8/8/QQQQQ3/QQQQQ3/K7 w"


remember(slow_predictor, "predict", 1)
remember(slow_adaptive, "fixed_logits", 2)


# ---- blocks ----

def plain():
    return one_game("e4 e5", b"1. e4 e5")


def game(text, events, **columns):
    """Returns a block of a game whose gaps are all empty, with additional columns."""
    block = Block(text)
    block.counts["games"] = 1
    block.add("roster-list", b"\0")
    block.add("style-list", EMPTY_GAPS)
    add_record(block, events)
    for name, data in columns.items():
        block.add(name.replace("_", "-"), data)
    return block


def two_games(second):
    """Returns an archive of two blocks: a game, and two games. `second` contains the codes of the last game's moves."""
    block = one_game("e4 e5", b"e4e5e4e5", EMPTY_GAPS, "2:1")
    block.counts.update(games=2, plies=4)
    add_record(block, "2:0")
    block.add("moves", second)
    return archive([plain(), block])


def with_tags(tags, text, events, **columns):
    """Returns a block as game() does, with these tags in a roster."""
    block = game(text, events, **columns)
    for name, value in dict(tags).items():
        block.add(("tag", name), value + b"\0")
    block.columns["roster-list"] = varint(len(tags)) + bytes(range(len(tags)))
    return block


def from_fen(fen, sans, movetext, **more):
    block = Block(b'[FEN "%b"]\n\n%b' % (fen, movetext))
    block.counts["games"] = 1
    block.add(("tag", b"FEN"), fen + b"\0")
    block.moves(sans, slow_chess.read_fen(fen.decode()))
    block.add("roster-list", b"\1\0")
    block.add("style-list", style(PLAIN, **more))
    add_record(block, "%d:0" % len(sans.split()))
    return block


def games():
    block = games_block(0)
    last_record(block, b"")
    return block


def games_zstd():
    block = games()
    block.codec = 1
    return block


def exceptions():
    block = Block(b"1.\te2e4 e5 \r\n")
    block.counts.update(games=1, corrected=1)
    block.moves("e4 e5")
    block.add("roster-list", b"\0")
    block.add("style-list", style(PLAIN))
    add_record(block, "2:0", exceptions={0: b"1.\t", 1: b"e2e4", 4: b" \r\n"})
    block.add("reasons", b"\0\x08\0")
    return block


def wrapped():
    block = one_game("e4 e5 Nf3 Nc6", b"1. e4 e5\n2. Nf3\n{so it\nis} Nc6", style(
        {**PLAIN, context(COMMENT, BLACK): b" "}, wrap=1, breakable=2, flags=1, limit=10), "3:4 1:0")
    block.add("comments", b"so it is\0")
    return block


def threshold():
    return one_game("e4 e5 Nf3 Nc6", b"1. e4 e5\r\n2. Nf3 Nc6", style(PLAIN, wrap=2, breakable=3, limit=6, line_end=1))


def fixed():
    block = one_game("e4 e5 Nf3 Nc6", b"1. e4 e5\n2. Nf3 Nc6 1-0\n", style(PLAIN, wrap=1, breakable=4, limit=11), "4:3 0")
    block.add("results", b"\1")
    return block


def piece(text, kind, continues=False):
    """Returns a block of one text item."""
    block = Block(text)
    block.continues = continues
    block.counts["verbatim_bytes"] = len(text)
    block.add("verbatim-sizes", varint(len(text)))
    block.add("verbatim", text)
    block.add("roster-list", b"\0")
    block.add("style-list", EMPTY_GAPS)
    add_record(block, "11 %d" % kind)
    return block


def first_piece():
    """Returns a block with the first two pieces of a game."""
    block = one_game("e4", b"1. e4 xyzzy\nmore", record_events="1:11 2")
    add_record(block, "11 2")
    block.add("verbatim-sizes", b"\6\4")
    block.add("verbatim", b"xyzzy\n" + b"more")
    block.add("reasons", b"\0\4\6")
    block.counts.update(partly=1, verbatim_bytes=10)
    return block


def glyphs(count):
    """Returns a block of a game with `count` NAGs and its end."""
    block = game(b"$1" * count, "0", nags=b"\1" * count)
    block.columns["events"] = b"\7" * count + b"\0"
    block.codec = 1
    return block


def queens():
    block = from_fen(MANY_QUEENS, "", b"1. Qaa4")
    block.columns.update(moves=b"\2", events=b"\x10")
    block.counts["plies"] = 1
    return block


def variation():
    """Returns a block of a game with a variation that has no end."""
    block = game(b"e4(d4", "1:9 1:0")
    block.moves("e4")
    block.moves("d4", column="variation-moves")
    return block


def null_in_check():
    block = one_game("e4 f5 Qh5", b"1. e4 f5 2. Qh5+ --", style(PLAIN), "4:0")
    block.columns["moves"] += b"\xff"
    block.counts["plies"] = 4
    return block


def extra_tag_after_moves():
    block = game(b'e4[X "y"]', "1:12 0", extra_tags=b"X\0y\0")
    block.moves("e4")
    return block


# ---- predicted moves (15) ----

SHUFFLE = "Nf3 Nf6 Ng1 Ng8 "
PREDICTED = ((SHUFFLE * 18).strip(), "e4 -- e5 --", "d4 d5 c4 dxc4 e4 e5")
RATED = [(b"WhiteElo", b"2700"), (b"BlackElo", b"1050"), (b"TimeControl", b"180+2"), (b"Result", b"1/2-1/2")]


def predicted(change=lambda strings: strings, plain_size=None, values=(None,) * 4, games=PREDICTED, codes=None, lacking=0, **more):
    """Returns a block of games whose gaps are empty, with moves in codec 4. Games with a null move are stored as codes."""
    block = Block("".join(games).replace(" ", "").encode())
    block.add("roster-list", b"\0")
    block.add("style-list", EMPTY_GAPS)
    strings, coded_moves, counts = [], b"", []
    for number, sans in enumerate(games):
        words = sans.split()
        before = len(block.columns.get("moves", b""))
        block.moves(sans)
        if "--" in words:
            strings.append([(predicted_builder.FLAG, 1)])
            coded_moves += block.columns["moves"][before:]
        else:
            strings.append(list(predicted_builder.symbols_of(sans, False, values, len(words) + lacking)))
        counts.append(len(words))
        add_record(block, "%d:%d" % (len(words), RECORD_END if number + 1 < len(games) else INPUT_END))
    block.counts["games"] = len(games)
    counts[-1] += lacking
    strings = change([predicted_builder.string_of(symbols) for symbols in strings])
    stored = predicted_builder.predicted(strings, counts, coded_moves if codes is None else codes, **more)
    block.rules["moves"] = 4, stored
    if plain_size is not None:
        block.columns["moves"] = bytes(plain_size)
    return block


def not_the_least():
    """Returns a block with a string that is as long as the right one and decodes to the same moves, but is a larger
    number."""
    for plies in range(1, 72):
        sans = " ".join(PREDICTED[0].split()[:plies])
        other = predicted_builder.string_of(predicted_builder.symbols_of(sans, False, (None,) * 4, plies), 1)
        if other:
            return predicted(lambda strings: [*strings[:2], other], games=(*PREDICTED[:2], sans))
    raise AssertionError


def predicted_tags():
    """Returns a block of a game with all tags that the predictor uses."""
    block = predicted(values=tuple(value for _, value in RATED), games=PREDICTED[:1])
    block.text = b"".join(b'[%b "%b"]' % tag for tag in RATED) + block.text
    for name, value in RATED:
        block.add(("tag", name), value + b"\0")
    block.columns["roster-list"] = varint(len(RATED)) + bytes(range(len(RATED)))
    return block


def predicted_variations():
    """Returns a block with nested variations, and with a variation that begins with another variation."""
    words = "e4 e5 ( c5 Nf3 " + "d6 Nc3 ( d4 cxd4 ) Nf6 d4 a6 " + SHUFFLE.replace("Nf3", "Ng5").replace("Nf6", "Nfd7") \
        .replace("Ng1", "Nf3").replace("Ng8", "Nf6") * 16 + ") Nf3 ( ( Bc4 ) Nc3 )"
    block = game(words.replace(" ", "").encode(), "2:9 4:9 2:10 67:10 1:9 9 1:10 1:10 0")
    block.moves("e4 e5 Nf3")
    inside = [word for word in words.split() if word not in "()"]
    count = len(inside) - 3
    block.counts["variation_plies"] = count
    block.columns["variation-moves"] = bytes(count)
    symbols = predicted_builder.symbols_of(words, True, (None,) * 4, 3)
    block.rules["variation-moves"] = 4, predicted_builder.predicted([predicted_builder.string_of(symbols)], [count])
    return block


def mated():
    """Returns a block with a move after the end of the game."""
    block = predicted(games=((SHUFFLE * 18 + "f3 e5 g4 Qh4").strip(),), lacking=1)
    moves = len(block.columns["moves"]) + 1
    kinds, event_counts = events("%d:0" % moves)
    block.columns.update(events=kinds, moves=bytes(moves))
    block.columns["event-counts"] = event_counts
    block.counts["plies"] = moves
    return block


# ---- shared beginnings (18) ----

OPENED = ("e4 e5 Nf3 Nc6", "e4 e5 Nf3 Nf6", "e4 c5 Nf3", "d4 d5 c4", "d4 Nf6 c4 e6 Nc3", "e4", "c4 -- e4", "")
INITIAL = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SET_UP = 77  # number of a game with a FEN tag whose moves begin as those of other games


@functools.lru_cache(maxsize=None)
def codes_of(sans):
    return Block.codes(sans, slow_chess.START)


def shared_sans():
    """Yields the moves of 130 games, many of them alike. They form 33 groups; the last group has two games."""
    for n in range(130):
        rest = " %s3 %s6" % ("abdgh"[n // 8 % 5], "abdgh"[n // 40 % 5]) + " Be2 Be7 Bf1 Bf8" * (1 + n % 5)
        yield OPENED[n % 8] + rest * (n % 8 < 2)


def shared(apart=(SET_UP,), more=0, **changes):
    games = list(shared_sans())
    texts = [game.replace(" ", "").encode() for game in games]
    texts[SET_UP] = b'[FEN "%b"]' % INITIAL + texts[SET_UP]
    block = Block(b"".join(texts))
    block.add("roster-list", b"\0\1\0")
    block.add("style-list", EMPTY_GAPS)
    block.add(("tag", b"FEN"), INITIAL + b"\0")
    strings = [codes_of(game) for game in games]
    for n, string in enumerate(strings):
        add_record(block, "%d:%d" % (len(string), RECORD_END if n + 1 < len(strings) else INPUT_END), roster=n == SET_UP)
    block.counts.update(games=len(games), plies=sum(map(len, strings)))
    block.add("moves", b"".join(strings) + bytes(more))
    block.rules["moves"] = 6, build.shared(strings, apart, **changes)
    block.check_groups(texts)
    return archive([block])


def shared_stream(number, at, change, until=None):
    """Returns the archive of shared() with other bytes, from `at` on, in a stream of the head."""
    def alter(streams, groups):
        end = at + len(change) if until is None else until
        streams[number] = streams[number][:at] + change + streams[number][end:]
    return shared(change=alter)


def without_shared_stream(streams, groups):
    streams.pop()


def shared_group(number, alter):
    """Returns the archive of shared() with a changed group. The size of the group is correct."""
    def change(streams, groups):
        groups[number] = alter(groups[number])
        streams[5] = b"".join(varint(len(group)) for group in groups)
    return shared(change=change)


def shared_last_code_missing(streams, groups):
    """Removes the length of the first table's last Huffman code. The other codes do not change."""
    lengths = [length for byte in streams[6][:128] for length in (byte & 15, byte >> 4)]
    last = max(range(256), key=lambda code: (lengths[code], code))
    byte = streams[6][last // 2] & (0xf0, 0x0f)[last % 2]
    streams[6] = streams[6][:last // 2] + bytes([byte]) + streams[6][last // 2 + 1:]


def shared_sizes_left_over(streams, groups):
    streams[5] += b"\0"


def shared_unneeded(streams, groups):
    """Adds a node that no record uses below the root."""
    streams[0] = varint(streams[0][0] + 1) + streams[0][1:] + b"\0"
    streams[1] += b"\xfd"


# ---- lines in comments (17) ----

LINE_TEXTS = b"a\2\0", b"pv=\2 x\2\0", b"\2\2\0", b"\2\0", b"\2\0", b"\2\0"
LINE_KINDS = [0], [2], [29, 2], [11, 1, 1], [25, 2], [18, 1, 1], [1], [4]
LINE_SIZES = 0, 3, 0, 2, 1, 1, 1, 0
# For each line, the moves before its own moves, and its own moves.
LINE_MOVES = ("e4", "e5 Nf3 Nc6"), ("e4", "c5 Nf3"), ("e4 e5 Nf3 Nc6", "Bb5"), ("e4 c5", "Nf3"), ("e4 e5 Nf3", "Nc6")
LINE_RESULT = b"{a\2}e4{pv=e4 e5 Nf3 Nc6 xe7e5 g1f3}e5{c5\nNf3Nf3 Nc6 Bb5}(c5{c5\r\nNf3})Nf3{Nc6%b}Nc6Bb5{Nc6}"
LINE_MORE = " Ng1 Nb8 Nf3 Nc6" * 20


def lines(kinds=LINE_KINDS, sizes=LINE_SIZES, marks=len(LINE_SIZES), texts=LINE_TEXTS, change=lambda codes: codes, more=""):
    """Returns a block with lines in comments of all kinds: a mark that stands for itself, known and unknown moves, line
    ends, a line in a variation, a reply."""
    block = game(LINE_RESULT % more.encode(), "4 1:4 1:4 9 1:4 10 1:4 2:4 0", comments=b"".join(texts), lines=b"".join(map(bytes, kinds)))
    block.moves("e4 e5 Nf3 Nc6 Bb5")
    block.moves("c5", block.moves_to("e4"), "variation-moves")
    block.add("line-sizes", b"".join(map(varint, [marks, *sizes])))
    codes = b"".join(block.codes(own, block.moves_to(before)) for before, own in LINE_MOVES)
    block.add("line-moves", change(codes))
    return block


def predicted_lines():
    sizes = LINE_SIZES[:6] + (1 + len(LINE_MORE.split()), 0)
    block = lines(sizes=sizes, more=LINE_MORE)
    symbols = predicted_builder.line_symbols(LINE_MOVES[:-1] + (("e4 e5 Nf3", "Nc6" + LINE_MORE),), (None,) * 4, 5)
    string = predicted_builder.string_of(symbols)
    block.columns["line-moves"] = bytes(sum(sizes))
    block.rules["line-moves"] = 4, predicted_builder.predicted([string], [sum(sizes)])
    return block


def predicted_more_lines():
    block = predicted_lines()
    block.columns["line-moves"] += b"\0"
    return block


def line_kinds(number, *kind):
    return archive([lines(kinds=LINE_KINDS[:number] + (list(kind),) + LINE_KINDS[number + 1:])])


def line_sizes(number, size):
    return archive([lines(sizes=LINE_SIZES[:number] + (size,) + LINE_SIZES[number + 1:])])


def line_after_null():
    block = game(b"e4--{-- e5}", "2:4 0", comments=b"\2\0", lines=b"\2", line_sizes=b"\1\1")
    block.moves("e4 --")
    block.add("line-moves", block.codes("d4", block.moves_to("e4 --")))
    return archive([block])


def without_line_sizes():
    block = lines()
    del block.columns["line-sizes"]
    return archive([block])


# ---- adaptive moves (16) ----

NAMED = [(b"White", b"Anderssen, Adolf"), (b"Black", b""), *RATED]


def adaptive(games=PREDICTED, values=(None,) * 6, codes=None, more_moves=0, **more):
    """Returns a block as predicted() does, with moves in codec 5."""
    block, lines = predicted(games=games), [moves.split() for moves in games]
    if codes is None:
        ends = [sum(map(len, lines[:n + 1])) for n in range(len(lines))]
        codes = b"".join(block.columns["moves"][end - len(words):end] for words, end in zip(lines, ends) if "--" in words)
    block.rules["moves"] = 5, predicted_builder.adaptive(lines, values, codes, **more)
    if more_moves:
        block.columns["moves"] += bytes(more_moves)
    return block


def adaptive_tags():
    """Returns a block of games of the same players, one of them with an empty name."""
    games = (PREDICTED[0], PREDICTED[2], PREDICTED[2])
    tags = dict(NAMED)
    block = adaptive(games, tuple(tags.get(name) for name in archive_moves.CONTEXT_TAGS))
    head = b"".join(b'[%b "%b"]' % tag for tag in NAMED)
    block.text = b"".join(head + moves.replace(" ", "").encode() for moves in games)
    for name, value in NAMED:
        block.add(("tag", name), (value + b"\0") * len(games))
    block.columns["roster-list"] = varint(len(NAMED)) + bytes(range(len(NAMED)))
    return block


def adaptive_alone(second):
    """Returns a block of one game. The second string has no symbols."""
    return adaptive(PREDICTED[:1], codes=b"", change=lambda string: second, lane=1)


def adaptive_mated():
    """Returns a block with a move after the end of the game."""
    block, games = mated(), ((SHUFFLE * 18 + "f3 e5 g4 Qh4").strip(),)
    block.rules["moves"] = 5, predicted_builder.adaptive([games[0].split()], (None,) * 6, lacking=1)
    return block


LANES = ("-- " * (archive_moves.LANE_MOVES - 1)).strip(), *PREDICTED


def lanes(games=LANES, first=2, values=(None,) * 6, more_moves=0, ends=(b"", b""), **more):
    """Returns a block as predicted() does, with moves in codec 9. The first lane has `first` games."""
    block, lines = predicted(games=games), [moves.split() for moves in games]
    stored, at = [], 0
    for words in lines:
        stored.append(block.columns["moves"][at:at + len(words)] if "--" in words else b"")
        at += len(words)
    parts = [(lines[:first], b"".join(stored[:first]), ends[0]), (lines[first:], b"".join(stored[first:]), ends[1])]
    block.rules["moves"] = 9, predicted_builder.lanes(parts if lines[first:] else parts[:1], values, **more)
    if more_moves:
        block.columns["moves"] += bytes(more_moves)
    return block


# ---- archives of one changed block ----

def changed(change, make=plain):
    block = make()
    change(block)
    return archive([block])


def column(name, data, make=plain):
    return changed(lambda block: block.columns.update({name: data}), make)


def without(name, make=plain):
    return changed(lambda block: block.columns.pop(name), make)


def counts(**values):
    return changed(lambda block: block.counts.update(**values))


def text(data, make=plain):
    return changed(lambda block: setattr(block, "text", data), make)


def styled(**values):
    return column("style-list", style(PLAIN, **values))


def layout(data):
    return column("layout", data, exceptions)


def of_payload(payload, head_size, block):
    """Returns an archive of a block with that payload. The commit has the totals of `block`."""
    start = archive([])[:16] + frame(1, payload, head_size)
    return start + commit([16], [block], 16, len(start), 0, block.totals(), identity=build.identity_of_archive(start))


def directory(change, columns=None):
    """Returns the plain archive after `change` of its list of (entry, stored). `columns` is the number of columns in
    the head."""
    block = plain()
    entries = block.entries()
    change(entries)
    head = block.head([made for made, _ in entries])
    if columns is not None:
        at = head.index(bytes([len(entries)]) + entries[0][0])
        head = head[:at] + varint(columns) + head[at + 1:]
    return of_payload(head + b"".join(stored for _, stored in entries), len(head), block)


def inserted(*arguments, at=6, **named):
    return directory(lambda entries: entries.insert(at, entry(*arguments, **named)))


def stored(data, plain_size, codec):
    """Returns the plain archive with this stored style list."""
    return directory(lambda entries: entries.__setitem__(5, entry(10, plain_size, data, codec)))


def style_list_zstd(change=lambda data: data, size_change=0):
    data = plain().columns["style-list"]
    return stored(change(zstd(data)), len(data) + size_change, 1)


# ---- files, frames and commits ----

def header(version, flags, blocks=None):
    head = b"\x8dStamma\n" + number(version, 2) + number(flags, 2)
    return head + build.check32(head) + archive(blocks or [plain()])[16:]


def byte_changed(data, at):
    at %= len(data)
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def with_frame(kind, flags, payload=b"abc", head_size=2):
    """Returns an archive of a frame and a commit."""
    start = archive([])[:16] + frame(kind, payload, head_size, flags)
    return start + commit([], [], 16, len(start), 0, [0] * 9)


def frame_header(at, data):
    """Returns the plain archive with other bytes in its block's frame header. The header's checksum is correct."""
    whole = archive([plain()])
    head = whole[16:16 + at] + data + whole[16 + at + len(data):44]
    return whole[:16] + head + build.check32(head) + whole[48:]


def committed(**changes):
    """Returns the plain archive with another commit."""
    block = plain()
    data = archive([block])
    offset = data.rindex(b"sFrm")
    arguments = {"places": [16], "blocks": [block], "start": 16, "offset": offset, "previous": 0, "totals": block.totals(),
                 "identity": build.identity_of_archive(data)}
    wanted = dict(arguments, **changes)
    return data[:offset] + commit(**wanted)


def commit_bytes(at, data):
    """Returns the plain archive with other bytes in its commit's payload."""
    whole = archive([plain()])
    offset = whole.rindex(b"sFrm")
    payload = bytearray(whole[offset + 32:])
    payload[at:at + len(data) or None] = data
    return whole[:offset] + frame(2, bytes(payload), len(payload), 1, 1, build.identity_of_archive(whole))


def commit_head_size():
    whole = archive([plain()])
    offset = whole.rindex(b"sFrm")
    payload = whole[offset + 32:]
    return whole[:offset] + frame(2, payload, len(payload) - 1, 1, 1, build.identity_of_archive(whole))


def appended(finished, second_finished=True):
    """Returns an archive with a block and a commit, followed by a second block and commit."""
    first, second = plain(), one_game("d4", b"1. d4")
    start = archive([first], finished=finished)
    identity = build.identity_of_archive(start)
    data = start + frame(1, *second.payload(), 1, 1, identity)
    totals = [a + b for a, b in zip(first.totals(), second.totals())]
    return data + commit([len(start)], [second], len(start), len(data), start.rindex(b"sFrm"), totals, second_finished, identity)


def tabled(*parts, change=lambda of: None, after=b""):
    """Returns an archive that was appended to. Each part is a number of blocks and the block with which the table before
    the part's commit begins (None: no table). `change` may alter the last table, `after` follows it."""
    data, totals, previous, identity, listed, tables = archive([])[:16], [0] * 9, 0, None, [], {0: 0}
    for part, (count, first) in enumerate(parts):
        start, blocks, places = len(data), [plain() for _ in range(count)], []
        for block in blocks:
            payload, head_size = block.payload()
            places.append(len(data))
            listed.append((len(data), len(payload), block.counts["games"], len(block.text)))
            data += frame(1, payload, head_size, blocks=totals[8], identity=identity)
            identity = build.identity_of_archive(data)
            totals = list(map(sum, zip(totals, block.totals())))
        if first is not None:
            table = {"blocks": listed[first:], "first": first, "previous": tables[first], "offset": len(data),
                     "number_of_blocks": totals[8], "identity": identity}
            if part == len(parts) - 1:
                change(table)
            tables[totals[8]] = len(data)
            data += build.table(**table) + after
        data, previous = data + commit(places, blocks, start, len(data), previous, totals, identity=identity), len(data)
    return data


def bad_table(**changes):
    """Returns an archive of two blocks with a wrong table."""
    return tabled((2, 0), change=lambda table: table.update(changes))


def bad_listed(*changes):
    """Returns an archive of two blocks with a table that differs in these numbers of the last block."""
    def change(table):
        table["blocks"][-1] = tuple(map(sum, zip(table["blocks"][-1], changes)))
    return tabled((2, 0), change=change)


def table_bit():
    data = tabled((2, 0))
    return byte_changed(data, data.index(b"StEndTbl") - 20)


def block_after_table():
    """Returns an archive in which a block is between a table and its commit."""
    data = tabled((1, 0))
    first, second = archive([plain()]), archive([plain(), plain()])
    at = frame_offsets(data)
    block, identity = second[frame_offsets(second)[1]:frame_offsets(second)[2]], build.identity_of_archive(first)
    totals = [2 * total for total in plain().totals()]
    start = data[:at[2]]
    return start + block + commit([16, len(start)], [plain(), plain()], 16, len(start) + len(block), 0, totals, identity=identity)


def sourced(*sources, **of_frame):
    """Returns an archive of a block of 8 bytes of text with these sources, each the arguments of build.source()."""
    data = archive([plain()])
    at = frame_offsets(data)[1]
    of_frame = {"blocks": 1, "identity": build.identity_of_archive(data), **of_frame}
    start = data[:at] + b"".join(build.source(*source, **of_frame) for source in sources)
    return start + commit([16], [plain()], 16, len(start), 0, plain().totals(), identity=build.identity_of_archive(data))


def source_bit():
    data = sourced((0, 8, b"a.pgn\0"))
    return byte_changed(data, data.index(b"a.pgn"))


def source_after_table():
    data = tabled((2, 0), after=build.source(0, 8, b"a\0", blocks=2, identity=build.identity_of_archive(archive([plain()]))))
    return data


def frame_offsets(data):
    """Returns the offsets of an archive's frames, and its size."""
    at = [16]
    while at[-1] < len(data):
        at.append(at[-1] + 32 + int.from_bytes(data[at[-1] + 8:at[-1] + 16], "little"))
    return at


def doubled(number):
    """Returns an archive of three blocks in which a frame is duplicated. Number 2 is the first commit."""
    data = archive([plain(), plain()], more=[[plain()]])
    at = frame_offsets(data)
    return data[:at[number + 1]] + data[at[number]:]


def foreign_block():
    """Returns an archive whose second block is replaced by a block of another archive."""
    data = archive([plain(), plain()])
    second = one_game("d4", b"1. d4")
    at = frame_offsets(data)
    return data[:at[1]] + frame(1, *second.payload(), 1, 1, b"??") + data[at[2]:]


def hole():
    data = archive([plain(), one_game("d4", b"1. d4"), plain()])
    at = frame_offsets(data)
    return data[:at[1]] + data[at[2]:]


def first_end_changed():
    data = appended(True)
    return byte_changed(data, data.index(b"StEndCmt") + 1)


def appended_commit_changed():
    """Returns an archive of two commits. A bit of the second one is flipped."""
    data = appended(True)
    return byte_changed(data, data.rindex(b"sFrm") + 40)


def pieces(*kinds, continues=True):
    """Returns an archive of blocks with one text item each. `kinds` are the ends of their records."""
    blocks = []
    for at, kind in enumerate(kinds):
        block = piece(b"abc", kind, continues and at > 0)
        if not block.continues and kind != 13:
            block.counts.update(games=1, verbatim=1)
        blocks.append(block)
    return archive(blocks)


def tags_between_lines():
    fen = b"4k3/8/8/8/8/8/8/4K3 b - - 0 57"
    block = game(b'{57}57;57\n%%57\n[FEN "%b"]57' % fen, "4 5 6 12 0", comments=b"57\0" * 3, extra_tags=b"FEN\0" + fen + b"\0")
    block.columns["style-list"] = style({context(0, COMMENT): b"", context(COMMENT, 5): b"\1", context(5, 6): b"\2",
                                         context(6, TAG): b"\2", context(TAG, INPUT_END): b"\1"})
    return archive([block])


def two_fens():
    block = with_tags([(b"FEN", b"")], b'[FEN "4k3/8/8/8/8/8/4P3/4K3 w"][FEN "x"]e4', "1:0")
    block.columns[("tag", b"FEN")] = b"4k3/8/8/8/8/8/4P3/4K3 w\0x\0"
    block.columns["roster-list"] = b"\2\0\0"
    block.moves("e4", slow_chess.read_fen("4k3/8/8/8/8/8/4P3/4K3 w"))
    return archive([block])


def moves_after_bad_fen():
    block = with_tags([(b"FEN", b"bad")], b'[FEN "bad"]e4', "1:0")
    block.moves("e4")
    return archive([block])


def inserted_tags(*names):
    def change(entries):
        entries += [entry(64, 1, b"\0", name=name) for name in names]
    return directory(change)


def payload_longer():
    block = plain()
    payload, head_size = block.payload()
    return of_payload(payload + b"x", head_size, block)


def typed_piece():
    first = piece(b"abc", 2)
    first.counts.update(games=1, verbatim=1)
    second = plain()
    second.continues = True
    second.counts["games"] = 0
    return archive([first, second])


# ---- tag columns in codec 3 (11): each game is (tags of its roster, moves, extra tags)

OPENING, CODE, NAME, FEN, FEN_FIELDS, PLIES, PLIES_LESS = range(64, 71)
EQUAL, RECALL, BEGIN = range(3)
NUMBERS, SHARED, INDEXED, PLUS = 1, 2, 4, 4
NONE = 255


def tag_lines(tags_of):
    return b"".join(b'[%b "%b"]' % tag for tag in tags_of)


def by_column(stored, *games):
    """Returns an archive of games. `stored` maps the names of columns to their stored bytes in codec 3, to (codec,
    stored bytes), or to None for a column that is stored unchanged."""
    names, rosters = list(stored), []
    block = Block(b"".join(tag_lines(tags_of + odd) + sans.replace(" ", "").encode() for tags_of, sans, odd in games))
    block.counts["games"] = len(games)
    for tags_of, sans, odd in games:
        roster = bytes(names.index(name) for name, _ in tags_of)
        if roster not in rosters:
            rosters.append(roster)
            block.add("roster-list", varint(len(roster)) + roster)
        for name, value in tags_of:
            block.add(("tag", name), value + b"\0")
        for name, value in odd:
            block.add("extra-tags", name + b"\0" + value + b"\0")
        fen = dict(reversed(tags_of + odd)).get(b"FEN")
        block.moves(sans, slow_chess.read_fen(fen.decode()) if fen and sans else slow_chess.START)
        add_record(block, "12 " * len(odd) + "%d:1" % len(sans.split()), roster=rosters.index(roster))
    block.columns = {name: block.columns[name] for name in [("tag", tag) for tag in names] + list(block.columns)}
    block.rules = {name: column_stored if isinstance(column_stored, tuple) else (3, column_stored)
                   for name, column_stored in stored.items() if column_stored}
    block.add("style-list", EMPTY_GAPS)
    block.check_groups([tag_lines(tags_of + odd) + sans.replace(" ", "").encode() for tags_of, sans, odd in games])
    return archive([block])


def by_table(names, stored, *games):
    """Returns an archive of games without moves. Each game is a list of the columns' values; None means no such tag."""
    return by_column(dict(zip(names, stored)),
                     *[([(name, value) for name, value in zip(names, game) if value is not None], "", []) for game in games])


# ---- codec 8 (20) ----

MIXED = [dict(zip((b"Event", b"Date", b"White", b"Black", b"Team"), game)) for game in (
    (b"Hastings 1895", b"1895.08.05", b"Lasker, Emanuel", b"Pillsbury, Harry Nelson", b"Berlin"),
    (b"Hastings 1895", b"1895.08.06", b"Tarrasch, Siegbert", b"Lasker, Emanuel", b"Breslau"),
    (b"Hastings 1895", b"1895.08.06", None, b"Tarrasch, Siegbert", b""),
    (b"Nuremberg 1896", b"1896.07.20", b"Lasker, Emanuel", b"Tarrasch, Siegbert", b"Berlin"),
    (b"Nuremberg 1896", b"1896.07.20", b"Pillsbury, Harry Nelson", b"", b"Boston \xe9"),
    (b"Hastings 1895", b"1895.08.07", b"Pillsbury, Harry Nelson", b"Lasker, Emanuel", b"Boston \xe9"),
    (b"Nuremberg 1896", b"1896.07.21", b"Lasker, Emanuel", b"Pillsbury, Harry Nelson", b"Berlin"),
)]
EVENTS = mixed_builder.Column(b"Event", [])
PLAYERS = mixed_builder.Column(b"White", [0]), mixed_builder.Column(b"Black", [0, 1, 2])


def mixed_games(stored, games=MIXED):
    """Returns an archive of games without moves. `stored` is as in by_column(); missing columns are stored unchanged."""
    return by_column({name: stored.get(name) for name in games[0]},
                     *[([(name, value) for name, value in game.items() if value is not None], "", []) for game in games])


def mixed(games=MIXED, **more):
    """Returns an archive in which the columns of events and of players are in codec 8."""
    return mixed_games({**mixed_builder.mixed(games, EVENTS, **more), **mixed_builder.mixed(games, *PLAYERS)}, games)


def mixed_plain():
    """Returns an archive with a value of 100,000 bytes in a few stored bytes."""
    return mixed_games({b"Event": (8, b"\x0c\0" + 90 * b"\xff")}, [{b"Event": b"a" * 100000}])


def mixed_endless():
    """Returns an archive with a string of ones: it selects no likely value and ends no spelt value."""
    stored = mixed_builder.mixed(MIXED, EVENTS)
    codec, data = stored[b"Event"]
    return mixed_games({b"Event": (codec, data[:2] + b"\1" + 60 * b"\xff")})


def mixed_spelt():
    """Returns an archive with a string of zeros, and a text that is large enough for all that the string could spell."""
    return mixed_games({b"Event": (8, b"\x0c\0" + bytes(12) + b"\1")}, [{b"Event": b"a" * 5000}])


def tags_too_large():
    """Returns an archive with 16 KB of decisions without cost, and a text of one short line."""
    block = with_tags([(b"Event", b"a")], tag_lines([(b"Event", b"a")]), "0:1")
    block.columns[("tag", b"Event")] = bytes(1000 * 16000)
    block.rules[b"Event"] = 8, b"\x0c\0" + bytes(15997) + b"\1"
    return archive([block])


def columns_too_large():
    """Returns an archive with a column of text that is much smaller after compression."""
    def change(block):
        block.codec = 1
        block.add("layout-text", bytes(2 ** 24))
    return changed(change)


def moves_too_many():
    """Returns an archive with 200,000 moves in a string of few bytes, and a text of some twenty bytes."""
    block = one_game("e4 e5", b"1. e4 e5", EMPTY_GAPS, "200000:1")
    block.columns["moves"] = bytes(100)
    block.rules["moves"] = 5, bytes(99) + b"\1"
    return archive([block])


def mixed_recall():
    """Returns an archive in which the team is recalled by White's name, a column in codec 8."""
    games = MIXED + 5 * [game for game in MIXED if game[b"White"] is not None]
    symbols = [1, 1, 1, 0, 1] + (len(games) - 5) * [0]
    literals = [MIXED[n][b"Team"] for n in (0, 1, 2, 4)]
    return mixed_games({**mixed_builder.mixed(games, *PLAYERS), b"Team": tags(0, [(RECALL, 2)], symbols, *literals)}, games)


def mixed_opening():
    """Returns an archive with a column that is decoded after the moves, because its source is the game's opening code."""
    codes = {"e4 e5": b"C20", "d4 d5": b"D00", "c4": b"A10"}
    games = [(sans, {b"ECO": codes[sans], b"Phase": codes[sans] + b" is what was played"}) for sans in 6 * list(codes)]
    stored = {b"ECO": tags(0, [(EQUAL, CODE)], [0] * len(games)),
              **mixed_builder.mixed([game for _, game in games], mixed_builder.Column(b"Phase", [0]))}
    return by_column(stored, *[(list(game.items()), sans, []) for sans, game in games])


def mixed_models(count, slot_bits):
    """Returns an archive of `count` equal columns, each with a model."""
    names = [b"%c" % (65 + n) for n in range(count)]
    games = [{name: value for name in names} for value in (b"the same value", b"another value")]
    stored = {}
    for name in names:
        stored.update(mixed_builder.mixed(games, mixed_builder.Column(name, []), slot_bits=slot_bits))
    return mixed_games(stored, games)


def many_games(change=lambda block: None):
    """Returns an archive of seventy games without moves: two groups of records (3.6)."""
    games = 70
    block = Block(tag_lines([(b"A", b"b")]) * games)
    block.counts["games"] = games
    block.add("roster-list", varint(1) + varint(0))
    for _ in range(games):
        block.add(("tag", b"A"), b"b\0")
        add_record(block, "0:1")
    block.add("style-list", EMPTY_GAPS)
    block.check_groups([tag_lines([(b"A", b"b")])] * games)
    change(block)
    return archive([block])


def set_checks(data):
    """Returns a change of a block that replaces the column of checks by data(checks)."""
    def change(block):
        checks = data(block.columns.pop("checks"))
        if checks:
            block.columns["checks"] = checks
    return change


def one_column(stored, *games, name=b"A"):
    """Returns an archive of games with one tag each: (value, moves)."""
    return by_column({name: stored}, *[([(name, value)], sans, []) for value, sans in games])


LONG = b"a" * 80, ""
RUY = "e4 e5 Nf3 Nc6 Bb5"
AFTER_E4 = b"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"


def openings():
    """Returns an archive with codes and names of openings: of a transposition, with another name for the same opening,
    and with none for a game that is set up."""
    start = (b"FEN", b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    none = [(b"ECO", b"A00"), (b"Opening", b"none of them"), (b"Variation", b"none")]
    ruy = [(b"ECO", b"C60"), (b"Opening", b"Ruy Lopez"), (b"Variation", b"Spanish")]
    games = [(none, "", []), (ruy, RUY, []), (ruy, "Nf3 Nc6 e4 e5 Bb5", []), (none, "e4 e5", [start]), (ruy, RUY, [])]
    games += [(ruy, RUY, [])] * 8
    more = [0] * 8
    stored = {b"ECO": tags(0, [(EQUAL, CODE)], [1, 0, 0, 2, 0] + more, b"A00"),
              b"Opening": tags(0, [(EQUAL, NAME)], [1, 0, 0, 2, 0] + more, b"none of them"),
              b"Variation": tags(0, [(RECALL, OPENING)], [1, 1, 0, 3, 0] + more, b"none", b"Spanish")}
    return by_column(stored, *games)


def ends():
    """Returns an archive with tags that describe the end of a game. The tag precedes the FEN tag that it depends on.
    One game has the FEN tag outside its roster."""
    fen = (b"FEN", b"4k3/8/8/8/8/8/8/4K2R w K - 7 9")
    games = [([(b"Now", AFTER_E4)], "e4", []),
             ([(b"Now", b"4k3/8/8/8/8/8/8/5RK1 b - -"), fen], "O-O", []),
             ([(b"Now", b"8/3k4/8/8/8/8/8/4K2R w K - 9 10")], "-- Kd7", [fen]),
             ([(b"Now", b"2")], "-- Kd7", [fen]),
             ([(b"Now", b"1"), fen], "-- Kd7", []),
             ([(b"Now", b"as it was"), (b"FEN", b"no position")], "", [])]
    sources = [(EQUAL, FEN), (EQUAL, FEN_FIELDS), (EQUAL, PLIES), (EQUAL, PLIES_LESS)]
    return by_column({b"FEN": None, b"Now": tags(0, sources, [0, 1, 0, 2, 3, 4], b"as it was")}, *games)


def begins():
    """Returns an archive with values that begin with another column's value, followed by a known text, a new text or no
    text, and with other values."""
    games = [(b"Stamma", b"Stamma won by mate"), (b"Philidor", b"Philidor won by mate"), (b"Philidor", b"Philidor"),
             (b"Greco", b"Philidor"), (b"Greco", b"a draw"), (b"Greco", b"a draw")]
    end = tags(0, [(BEGIN, 0)], [0, 1, 0, 2, 0, 1, 1, 1, 2], b" won by mate", b"", b"Philidor", b"a draw")
    return by_table((b"White", b"End"), (None, end), *games)


ANN, BOB, CID = b"Ann of the Coffee-house", b"Bob who plays for stakes", b"Cid the chess automaton"


def players(black=SHARED):
    """Returns an archive in which a player's team is recalled for both colours. One game has no team for White, and one
    player changes the team."""
    aleppo, london, paris = b"Coffee-house of Aleppo", b"Slaughter's of London", b"Regence of Paris"
    games = [(ANN, BOB, aleppo, london), (BOB, ANN, london, aleppo), (CID, ANN, None, paris), (ANN, CID, paris, london),
             (BOB, CID, aleppo, london)]
    stored = (tags(0, [], [0, 1, 0, 1, 3], ANN, CID), tags(black, [], [0, 2, 2, 2, 2], BOB),
              tags(0, [(RECALL, 0)], [1, 0, 0, 4], aleppo), tags(SHARED, [(RECALL, 1)], [1, 0, 1, 3, 0], london, paris))
    return by_table((b"White", b"Black", b"WhiteTeam", b"BlackTeam"), stored, *games)


def known_again():
    """Returns an archive with texts by index and by rank. It has more than 13 texts, so that the first ones lose their
    ranks."""
    letters = [b"letter %c" % letter for letter in b"abcdefghijklmno"]
    again = [b"letter o", b"letter b", b"letter b", b"letter a"] + 20 * [b"letter a"]
    values = letters + again
    kinds = [b"kind %d" % (n % 3) for n in range(len(values))]
    stored = (tags(INDEXED, [], [0, 0, 0] + [n % 3 + 1 for n in range(3, len(values))], *kinds[:3]),
              tags(0, [(EQUAL, 0)], [1] * 15 + [2, 15, 2, 17] + 20 * [2], *letters, others=(0, NONE),
                   tree=b"\2\0\1\x01\0\0", classes=2))
    return by_table((b"Kind", b"Letter"), stored, *zip(kinds, values))


def post_game():
    """Returns an archive in which a column that depends on the game is decoded after a later column of the roster, and
    may use it."""
    games = [([(b"A", b"e4 was played, and what not"), (b"B", b"e4 was played, and what not")], "e4", []),
             ([(b"A", b"C20"), (b"B", b"no code")], "e4 e5", [])]
    return by_column({b"B": None, b"A": tags(0, [(EQUAL, 0), (EQUAL, CODE)], [0, 1])}, *games)


def ratings():
    """Returns an archive of ratings. The predictions are, in this order: the player's last rating plus the change in
    that game, with either colour; for Black, the rating as White's opponent; for White, the previous rating. One rating
    is a literal, and one game has no changes."""
    names = b"White", b"Black", b"WhiteRatingDiff", b"BlackRatingDiff", b"WhiteElo", b"BlackElo"
    games = [(ANN, BOB, b"+5", b"-4", b"1500", b"1620"), (BOB, CID, b"+3", b"-4", b"1617", b"1700"),
             (CID, ANN, b"+0", b"+0", b"1444", b"1500"), (ANN, CID, None, None, b"?", b"1450")]
    more = 120
    games += (1 + more) * [(ANN, BOB, b"+0", b"+0", b"1500", b"1617")]
    white = tags(NUMBERS, [(0, 2, 3), (64, NONE, 4)], [1500, 0, -256, None, 0] + more * [0], b"?")
    black = tags(NUMBERS | SHARED, [(1, 3, 3), (NONE, 4, 5)], [120, 83, 0, 6, 0] + more * [0])
    changes = tags(NUMBERS | PLUS, [], [5, 3, 0] + (1 + more) * [0])
    others = tags(NUMBERS | PLUS | SHARED, [(NONE, 2, 3)], [1, -1, 0] + (1 + more) * [0])
    stored = (tags(0, [], [0, 1, 1, 1] + (1 + more) * [2], ANN), tags(SHARED, [], [0, 0, 3, 2, 3] + more * [2], BOB, CID),
              changes, others, white, black)
    return by_table(names, stored, *games)


def one_number(stored, value=b"1", name=b"A"):
    """Returns an archive of thirty games with one tag each of that value."""
    return by_column({name: stored}, *30 * [([(name, value)], "", [])])


def repeats():
    """Returns an archive with a comment after each move, repeated NAGs after a number of moves that needs a count, and
    repeated comments whose number needs a count."""
    there_and_back = " ".join(["Nf3 Nf6 Ng1 Ng8"] * 10)
    line = there_and_back.replace(" ", "").encode()
    first = one_game(there_and_back, there_and_back.replace(" ", "{a}").encode() + b"{a}", EMPTY_GAPS, "1:4 39:14 0")
    first.add("comments", b"a\0" * 40)
    second = one_game(there_and_back, line + b"$1$1$1" + line, EMPTY_GAPS, "40:7 7 1:14 40:0")
    second.columns["moves"] *= 2
    second.counts["plies"] *= 2
    second.add("nags", b"\1\1\1")
    return archive([first, second])


CLOCKS = [900, 900, 890, 900, 880, 850, 870, 800, 860, 790, 720, 780, 710, 780]
# Splits by position at 4. Positions from 4 on are split by the bits of the last residual at 2.
TREE = bytes([0, 1, 0, 0x04, 0, 0x12, 0, 0])
CLASSES = [{1: 1000, 128: 1048}, {0: 500, 1: 1000, 9: 500, 13: 24, 27: 24}, {1: 2047, 2: 1}]
WRITTEN = list(map(frequencies, CLASSES))


def clocks(tree=TREE, written=WRITTEN, flag=1, state=2 ** 16, change=lambda stream: stream):
    """Returns an archive of a game with 14 clocks and no moves, coded in three classes (10.9 to 10.12)."""
    differences = [(clock - before) // 10 for clock, before in zip(CLOCKS, [0, 0] + CLOCKS)]
    symbols, bits = residual_streams(differences)
    sizes = [0] + [folded(difference).bit_length() for difference in differences]
    classes = [slots_of(CLASSES[0 if before < 3 else 1 if size < 2 else 2]) for before, size in enumerate(sizes[:-1])]
    parameters = bytes([2, 0, 0, 10, flag]) + tree + b"".join(written)
    return with_clocks(CLOCKS, parameters, change(coded(symbols, classes, state)), bits)


def with_clocks(values, parameters, symbols, bits):
    """Returns an archive of a game without moves that has a clock in each comment."""
    texts = [b"[%%clk 0:%02d:%02d]" % divmod(clock // 10, 60) for clock in values]
    block = game(b"".join(b"{%s}" % text for text in texts), "4 " * len(values) + "0",
                 comments=b"".join(text + b"\0" for text in texts))
    block.rules["comments"] = 2, fields([b"[%clk \1t]\0", b"\1" * len(values), b"", parameters, symbols, bits])
    return archive([block])


def mixed_clocks(map_bits=12, parameter=None, bits=b"", change=lambda string: string):
    """Returns an archive of the same clocks and more, in the mixed coder (10.13)."""
    values = CLOCKS + [CLOCKS[n % 14] + 10 * (n * n % 7) for n in range(60)]
    given = [(clock - before) // 10 for clock, before in zip(values, [0, 0] + values)]
    string = mixed_builder.numbers(given, map_bits, divisor=10)
    parameters = bytes([2, 0, 0, 10, 2, map_bits if parameter is None else parameter])
    return with_clocks(values, parameters, change(string), bits)


FILES = [
    # ---- valid archives
    ("good-empty", "nothing was packed: one commit", lambda: archive([])),
    ("good-plain", "`1. e4 e5`", lambda: archive([plain()])),
    ("good-version-0", "1.2: version 0.0, which earlier programs wrote", lambda: header(0, 0, [games(), plain()])),
    ("good-version-1-9", "1.2: version 1.9, a later minor version", lambda: header(0x109, 0, [games()])),
    ("good-games", "tags, escapes, a comment, a NAG, a suffix, variations in variations, a null move, results",
     lambda: archive([games()])),
    ("good-zstd", "the same with columns compressed with zstd", lambda: archive([games_zstd()])),
    ("good-exceptions", "gaps and a spelling as exceptions, with a reason", lambda: archive([exceptions()])),
    ("good-without-reasons", "the same without the column of reasons", lambda: without("reasons", exceptions)),
    ("good-fit", "lines wrapped by the rule *fit*, in a comment too", lambda: archive([wrapped()])),
    ("good-threshold", "lines wrapped by the rule *threshold*, CR LF", lambda: archive([threshold()])),
    ("good-fixed", "a line that is too long for the rule *fit*, since a result follows", lambda: archive([fixed()])),
    ("good-rank-with-file", "moves disambiguated by file, and by file and rank where the rank is enough", lambda: archive([
        from_fen(b"2k5/8/8/R7/8/6Q1/8/R3Q1QK w - - 0 5", "R1a3 Kd7 Qee3 Kd8 Q1f2", b"5. Ra1a3 Kd7 6. Qee3 Kd8 7. Qg1f2",
                 spelling=64)])),
    ("good-cut-game", "a game of three pieces in two blocks, partly typed",
     lambda: archive([first_piece(), piece(b" and the end", INPUT_END, True)])),
    ("good-text-behind", "text after the last game, first in its block", lambda: archive([plain(), piece(b"so long", 13)])),
    ("good-two-commits", "a commit after each of two blocks, the first not finished", lambda: appended(False)),
    ("good-appended", "a finished commit in the middle, followed by an append", lambda: appended(True)),
    ("good-table", "7.5: a table of two blocks", lambda: tabled((2, 0))),
    ("good-sources", "7.6: two sources, one without a name, and text without a source",
     lambda: sourced((0, 2, b"a.pgn\0", 1767225600), (4, 4, b"\0"))),
    ("good-source-name", "7.6: a source with a name of 4,096 bytes", lambda: sourced((0, 8, 4096 * b"a" + b"\0", 2 ** 64 - 1))),
    ("good-tables", "7.5: tables that continue one another, a commit without one, and a table that includes others",
     lambda: tabled((3, 0), (2, 3), (1, None), (1, 5), (1, 3))),
    ("good-unknown-frame", "a frame of unknown type that is not mandatory", lambda: with_frame(77, 0)),
    ("good-unknown-column", "a column of unknown id that is not mandatory", lambda: inserted(99, 5, b"later", flags=0)),
    ("good-search-column", "a column of unknown id and class search", lambda: inserted(99, 5, b"later", flags=2)),
    ("good-reasons-of-unknown-codec", "the reasons, which are optional, in an unknown codec",
     lambda: inserted(16, 9, b"????????", codec=200, flags=0)),
    ("good-null-moves", "null moves", lambda: archive([one_game("e4 -- --", b"1. e4 -- 2. --")])),
    ("good-chess960", "castling of both sides from a Chess960 position",
     lambda: archive([from_fen(b"1k3r1r/8/8/8/8/8/8/RK5R b HAf - 0 1", "O-O O-O-O", b"1... O-O 2. O-O-O")])),
    ("good-queens", "more pieces than the bounds of 5.2 allow: an index among the legal moves", lambda: archive([queens()])),
    ("good-bad-fen", "an invalid FEN tag, a number, and no moves",
     lambda: archive([with_tags([(b"FEN", b"bad")], b'[FEN "bad"]*', "3 0", results=b"\0")])),
    ("good-tags-between-lines", "a tag after comments of all kinds; move numbers before the tag follow its position",
     tags_between_lines),
    ("good-open-variation", "a variation without an end", lambda: archive([variation()])),
    ("good-255-variations", "variations nested to the limit", lambda: archive([game(b"(" * 255, "9 " * 255 + "0")])),
    ("good-262144-items", "a record with the largest number of items", lambda: archive([glyphs(262143)])),
    ("good-result-of-tag", "a result equal to the tag's, and another result",
     lambda: archive([with_tags([(b"Result", b"1-0")], b'[Result "1-0"]1-00-1', "3 3 0", results=b"\4\2")])),
    ("good-openings", "codes and names of openings (11.5, Annex B)", openings),
    ("good-ends", "tags that describe the end of a game (11.5, 11.6)", ends),
    ("good-begins", "values that begin with another column's value (11.5)", begins),
    ("good-mixed", "mixed tag values (20): a single column, and two that share a model", mixed),
    ("good-mixed-slots", "the same with more slots", lambda: mixed(slot_bits=22)),
    ("good-mixed-recall", "a column in codec 3 whose key is a column in codec 8 (20.9)", mixed_recall),
    ("good-mixed-opening", "values whose source follows from the game (20.7)", mixed_opening),
    ("good-players", "teams recalled by the player, for both colours (11.5)", players),
    ("good-clocks", "clocks whose differences are coded in three classes (10.9)", clocks),
    ("good-mixed-clocks", "clocks whose differences are mixed (10.13, 10.14)", mixed_clocks),
    ("good-mixed-clocks-maps", "the same with more maps", lambda: mixed_clocks(20)),
    ("good-numbers", "ratings and their changes (11.7)", ratings),
    ("good-repeats", "repeated events, with and without moves before them (4.4)", repeats),
    ("good-groups", "two groups of records (3.6)", many_games),
    ("good-known-again", "texts by index and by rank (11.4, 11.8)", known_again),
    ("good-predicted", "predicted moves, in pairs of strings; a game with null moves is stored as codes",
     lambda: archive([predicted()])),
    ("good-predicted-tags", "the same with tags that the predictor uses (15.5)", lambda: archive([predicted_tags()])),
    ("good-predicted-variations", "predicted moves of nested variations",
     lambda: archive([predicted_variations()])),
    ("good-shared", "moves with shared beginnings, in 33 groups; a game with a FEN tag shares none (18)", shared),
    ("good-lines", "moves in comments (17)", lambda: archive([lines()])),
    ("good-predicted-lines", "the same with predicted moves", lambda: archive([predicted_lines()])),
    ("good-predicted-adaptive", "adaptive moves; a game with null moves is stored as codes",
     lambda: archive([adaptive()])),
    ("good-predicted-adaptive-alone", "one record: the second lane is empty", lambda: archive([adaptive_alone(b"")])),
    ("good-predicted-adaptive-tags", "the same with players, one of them with an empty name (16.2), in two equal blocks",
     lambda: archive([adaptive_tags(), adaptive_tags()])),
    ("good-lanes", "two lanes: games with 4,095 null moves, which are codes, and with 72 moves; games of codes and of six moves",
     lambda: archive([lanes()])),
    ("good-lanes-one", "one lane with all games", lambda: archive([lanes(PREDICTED, 3)])),
    ("good-post-game", "a column that depends on the game uses a later column of the roster (11.1)", post_game),

    # ---- archives after an interrupted writer: a seekable input decodes as the archive before; and ---- commits with a
    # damaged end that can be repaired: everything decodes
    ("stopped-tail", "1.3: bytes after the last commit", lambda: archive([plain()]) + b"half a frame"),
    ("stopped-after-block", "1.3: a block without a commit", lambda: archive([plain()]) + frame(1, *plain().payload())),
    ("stopped-in-block", "1.3: half a block", lambda: archive([plain()]) + frame(1, *plain().payload())[:-9]),
    ("stopped-after-commit", "1.3: a block and a commit that is not finished", lambda: appended(True, False)),
    ("mended-no-end", "7.4: a commit that lacks its last 8 bytes", lambda: appended(True)[:-8]),
    ("mended-half-end", "7.4: a commit that lacks its last byte", lambda: appended(True)[:-1]),
    ("mended-end", "7.4: a bit of a commit's last 8 bytes flipped", lambda: byte_changed(appended(True), -3)),
    ("mended-first-end", "7.4: the same in a commit before the last", first_end_changed),

    ("bad-mixed-long", "16.2: a string longer than it need be", lambda: mixed(change=lambda string: string + b"\0")),
    ("bad-mixed-plain", "20.1: a plain size of more than 1,024 for each byte", mixed_plain),
    ("bad-mixed-endless", "20.8: values that are longer than their column", mixed_endless),
    ("bad-mixed-spelt", "20.8: more spelt bytes than 32 for each stored byte", mixed_spelt),
    ("bad-tags-too-large", "3.7: tag columns larger than the text", tags_too_large),
    ("bad-columns-too-large", "3.7: columns too large for the text", columns_too_large),
    ("bad-moves-too-many", "3.7: more moves than the text can have", moves_too_many),
    ("bad-mixed-slots-few", "20.2: 2^11 slots", lambda: mixed(slot_bits=11)),
    ("bad-mixed-slots-many", "20.2: 2^23 slots", lambda: mixed(slot_bits=23)),
    ("bad-mixed-source", "20.2: a source that is the column itself", lambda: mixed(sources=b"\0")),
    ("bad-mixed-sources", "20.2: four sources", lambda: mixed(sources=b"\0\0\0\0")),
    ("bad-mixed-shared", "20.2: no column before it to share a model with", lambda: mixed(slot_bits=12, shared=True)),
    ("bad-mixed-models", "20.2: nine models", lambda: mixed_models(9, 12)),
    ("bad-mixed-memory", "20.2: too many slots together", lambda: mixed_models(4, 22)),

    # ---- the file and its frames
    ("bad-header-checksum", "1.2: a bit of the version flipped", lambda: byte_changed(archive([plain()]), 8)),
    ("bad-no-commit", "1.3: only the header", lambda: archive([])[:16]),
    ("bad-unfinished", "1.3: the last commit is not a finished one", lambda: archive([plain()], finished=False)),
    ("bad-truncated", "1.3: the last 9 bytes are missing", lambda: archive([plain()])[:-9]),
    ("bad-block-twice", "7.3: a duplicated block", lambda: doubled(1)),
    ("bad-commit-twice", "7.3: a duplicated commit", lambda: doubled(2)),
    ("bad-foreign-block", "7.3: a block of another archive", foreign_block),
    ("bad-hole", "7.3: one of three blocks is missing", hole),
    ("bad-frame-checksum", "2.1: a bit of a frame header flipped", lambda: byte_changed(archive([plain()]), 24)),
    ("bad-head-checksum", "2.1: a bit of a block's head flipped", lambda: byte_changed(archive([plain()]), 60)),
    ("bad-head-size", "2.1: a head larger than the payload", lambda: frame_header(16, number(10 ** 6, 4))),
    ("bad-payload-size", "2.1: a payload over the limit", lambda: frame_header(8, number(2 ** 29 + 1, 8))),
    ("bad-optional-block", "2.2: a block that is not mandatory", lambda: frame_header(5, b"\0")),

    # ---- heads and directories
    ("bad-no-records", "3.1: a block without records", lambda: counts(records=0)),
    ("bad-more-records", "3.5: more records than the columns hold", lambda: counts(records=2)),
    ("bad-games", "3.1: the number of games", lambda: counts(games=0)),
    ("bad-plies", "3.1: the number of plies", lambda: counts(plies=3)),
    ("bad-variation-plies", "3.1: the number of plies in variations", lambda: counts(variation_plies=1)),
    ("bad-verbatim", "3.1: the number of games kept verbatim", lambda: counts(verbatim=1)),
    ("bad-verbatim-bytes", "3.1: the number of verbatim bytes", lambda: counts(verbatim_bytes=1)),
    ("bad-checks", "3.6: a wrong check of a group",
     lambda: many_games(set_checks(lambda checks: checks[:-1] + bytes([checks[-1] ^ 1])))),
    ("bad-no-checks", "3.6: no checks for two groups", lambda: many_games(set_checks(lambda checks: b""))),
    ("bad-checks-short", "3.6: a check too few", lambda: many_games(set_checks(lambda checks: checks[:4]))),
    ("bad-checks-of-one", "3.6: a check where there is one group", lambda: column("checks", b"abcd")),
    ("bad-text-checksum", "3.1: the checksum of the text", lambda: text(b"1. e4 e6")),
    ("bad-text-size", "3.1: the size of the text", lambda: text(b"1. e4 e5 ")),
    ("bad-head-flags", "3.1: unknown flags", lambda: changed(lambda block: setattr(block, "continues", 2))),
    ("bad-head-too-short", "3.1: fewer columns than the head says", lambda: directory(lambda entries: None, 7)),
    ("bad-head-too-long", "3.1: more columns than the head says", lambda: directory(lambda entries: None, 5)),
    ("bad-column-0", "3.2: a column of id 0", lambda: inserted(0, 1, b"x", at=0)),
    ("bad-column-flags", "3.2: unknown flags", lambda: inserted(99, 1, b"x", flags=4)),
    ("bad-column-name", "3.2: a name for a column that has none", lambda: inserted(16, 1, b"x", flags=0, name=b"x")),
    ("bad-column-larger", "3.2: a stored size over the plain size", lambda: inserted(99, 1, b"xy", flags=0)),
    ("bad-column-checksum", "3.2: a stored byte changed", lambda: byte_changed(archive([plain()]), -80)),
    ("bad-stored-size", "3.2: stored unchanged, but with another size",
     lambda: stored(plain().columns["style-list"][:-1], len(plain().columns["style-list"]), 0)),
    ("bad-zstd", "3.2: a zstd frame with a byte changed", lambda: style_list_zstd(lambda data: byte_changed(data, -9))),
    ("bad-zstd-short", "3.2: a zstd frame cut short", lambda: style_list_zstd(lambda data: data[:-1])),
    ("bad-zstd-long", "3.2: a byte after the zstd frame", lambda: style_list_zstd(lambda data: data + b"\0")),
    ("bad-zstd-size", "3.2: the content of a zstd frame is smaller than the plain size", lambda: style_list_zstd(size_change=1)),
    ("bad-column-empty", "3.3: an empty column", lambda: column("nags", b"")),
    ("bad-column-order", "3.3: columns out of order", lambda: directory(lambda entries: entries.reverse())),
    ("bad-column-twice", "3.3: a column that appears twice", lambda: directory(lambda entries: entries.insert(0, entries[0]))),
    ("bad-tag-twice", "3.3: two columns of one tag's name", lambda: inserted_tags(b"A", b"A")),
    ("bad-payload-too-long", "3.3: bytes after the last column", payload_longer),
    ("bad-left-over", "3.5: a byte too many in a column", lambda: column("moves", plain().columns["moves"] + b"\0")),
    ("bad-too-short", "3.5: a byte too few in a column", lambda: column("moves", plain().columns["moves"][:1])),
    ("bad-no-events", "3.5: a necessary column is missing", lambda: without("events")),
    ("bad-no-styles", "3.5: a record without a style", lambda: without("styles")),
    ("bad-no-template-size", "3.5: a template without its size, which would be 0",
     lambda: column("style-list", plain().columns["style-list"][:-1])),
    ("bad-no-rosters", "3.5: a record without a roster", lambda: without("rosters")),

    # ---- records
    ("bad-event", "4.4: an unknown kind of event", lambda: column("events", b"\x2e")),
    ("bad-repeat", "4.4: a repeated end of a game", lambda: column("events", b"\x1e")),
    ("bad-repeat-0", "4.4: an event that is repeated 0 times", lambda: archive([game(b"!", "8 0:14 0", nags=b"\1")])),
    ("bad-repeats", "4.6: an event that is repeated too often", lambda: archive([game(b"!", "8 262145:14 0", nags=b"\1")])),
    ("bad-no-exceptions", "4.5: no exceptions where there should be some", lambda: layout(b"\0")),
    ("bad-slot", "4.5: an exception for a slot that does not exist", lambda: layout(b"\3\0\3\0\4\x32\3")),
    ("bad-262145-items", "4.6: a record of too many items", lambda: archive([glyphs(262144)])),
    ("bad-open-piece", "4.6: the last game continues after the last block", lambda: pieces(2)),
    ("bad-first-block", "3.1: a first block that continues a game", lambda: archive([piece(b"abc", 0, True)])),
    ("bad-continuation", "3.1: a block that continues no game", lambda: pieces(0, 0)),
    ("bad-no-continuation", "3.1: a block that should continue a game", lambda: pieces(2, 0, continues=False)),
    ("bad-piece-of-no-game", "4.6: a piece of text that is not a game", lambda: pieces(2, 13)),
    ("bad-typed-piece", "4.6: a piece after the first that is not one text item",
     typed_piece),
    ("bad-tag-in-movetext", "4.7: a tag after a move", lambda: archive([extra_tag_after_moves()])),
    ("bad-moves-without-position", "4.7: moves after an invalid FEN tag", moves_after_bad_fen),
    ("bad-variation-end", "4.8: the end of a variation that has not begun", lambda: archive([game(b")", "10 0")])),
    ("bad-256-variations", "4.8: variations nested too deep", lambda: archive([game(b"(" * 256, "9 " * 256 + "0")])),
    ("bad-result", "5: an unknown result", lambda: archive([game(b"*", "3 0", results=b"\5")])),
    ("bad-result-of-tag", "5: the result of a missing tag", lambda: archive([game(b"*", "3 0", results=b"\4")])),
    ("bad-suffix", "4.3: an unknown suffix", lambda: archive([game(b"!", "8 0", nags=b"\7")])),
    ("bad-comment-end", "3.5: a text without a zero byte", lambda: archive([game(b"{x}", "4 0", comments=b"x")])),
    ("bad-move", "5.2: a code of no legal move", lambda: column("moves", b"\0\0")),
    ("bad-move-of-third", "5.2: the same in the third game of an archive, in its second block", lambda: two_games(b"\0\0")),
    ("bad-null-move", "5.2: a null move in check", lambda: archive([null_in_check()])),
    ("bad-index", "5.2: an index among too few legal moves", lambda: column("moves", b"\xf0", queens)),
    ("bad-roster", "5.3: a roster that does not exist", lambda: column("rosters", b"\1")),
    ("bad-roster-tag", "5.3: a roster with a tag column that does not exist", lambda: column("roster-list", b"\1\0")),
    ("bad-style", "5: a style that does not exist", lambda: column("styles", b"\2")),
    ("bad-line-end", "6.1: an unknown line end", lambda: styled(line_end=3)),
    ("bad-wrap", "6.1: an unknown rule of wrapping", lambda: styled(wrap=3)),
    ("bad-breakable", "6.1: an unknown value of breakable blanks", lambda: styled(breakable=6)),
    ("bad-style-flags", "6.1: unknown flags of a style", lambda: styled(flags=2)),
    ("bad-limit", "6.1: too large a line limit", lambda: styled(limit=2 ** 32)),
    ("bad-template-size", "6.1: a template over 30 bytes", lambda: column("style-list", style({**PLAIN, 0: b"x" * 31}))),
    ("bad-template-twice", "6.1: two templates for one context",
     lambda: column("style-list", style({1: b""})[:-3] + b"\2\1\0\1\0")),
    ("bad-no-template", "6.3: a gap without template", lambda: column("style-list", style({}))),
    ("bad-spelling", "6.5: an unknown bit of spelling", lambda: styled(spelling=128)),
    ("bad-spellings-of-mate", "6.5: two spellings of mate", lambda: styled(spelling=6)),

    ("bad-roster-twice", "5.3: a column twice in a roster", two_fens),

    # ---- tag values
    ("bad-tags-form", "11.3: an unknown form", lambda: one_column(tags(16, [], [0], b"a"), LONG)),
    ("bad-tags-sources", "11.3: five sources", lambda: one_column(tags(0, [(RECALL, OPENING)] * 5, [5], b"a"), LONG)),
    ("bad-tags-kind", "11.5: an unknown kind", lambda: one_column(tags(0, [(3, OPENING)], [1], b"a"), LONG)),
    ("bad-tags-fact", "11.5: an unknown fact", lambda: one_column(tags(0, [(EQUAL, 71)], [1], b"a"), LONG)),
    ("bad-tags-opening", "11.5: an opening is no text", lambda: one_column(tags(0, [(EQUAL, OPENING)], [1], b"a"), LONG)),
    ("bad-tags-recall", "11.5: a text of the game as a key", lambda: one_column(tags(0, [(RECALL, CODE)], [1], b"a"), LONG)),
    ("bad-tags-begin", "11.5: a beginning that is not a column", lambda: one_column(tags(0, [(BEGIN, NAME)], [1], b"a"), LONG)),
    ("bad-tags-behind", "11.5: a source that is not before the column", lambda: one_column(tags(0, [(EQUAL, 0)], [1], b"a"), LONG)),
    ("bad-tags-other", "11.3: a context of a column that does not exist", lambda: one_column(tags(0, [], [0], b"a", others=(64, NONE)), LONG)),
    ("bad-tags-context", "10.11: a context that does not exist", lambda: one_column(tags(0, [], [0], b"a", tree=b"\7\0\0\0"), LONG)),
    ("bad-tags-classes", "11.3: nine classes", lambda: one_column(
        tags(0, [], [0], b"a", classes=9, tree=bytes([0, 1, 2, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 0])), (b"a" * 160, ""))),
    ("bad-tags-shared", "11.3: no column before", lambda: one_column(tags(SHARED, [], [0], b"a"), LONG)),
    ("bad-tags-shared-kind", "11.3: a column before that is another", lambda: players(SHARED | INDEXED)),
    ("bad-tags-recalled", "11.5: nothing to recall", lambda: one_column(tags(0, [(RECALL, OPENING)], [0]), (b"a" * 80, "e4"))),
    ("bad-tags-no-opening", "11.5: the code of a game without opening", lambda: one_column(tags(0, [(EQUAL, CODE)], [0]), LONG)),
    ("bad-tags-no-moves", "11.5: the plies less one of a game without moves", lambda: one_column(tags(0, [(EQUAL, PLIES_LESS)], [0]), LONG)),
    ("bad-tags-no-value", "11.5: a column without a value",
     lambda: by_table((b"A", b"B"), (None, tags(0, [(EQUAL, 0)], [1, 0], b"a")), (b"a", b"a"), (None, b"a" * 80))),
    ("bad-tags-made", "11.5: a recalled value that was derived from the game",
     lambda: by_table((b"A", b"B"), (tags(0, [(EQUAL, FEN)], [0]), tags(0, [(EQUAL, 0)], [0])), 2 * [AFTER_E4])),
    ("bad-tags-tail", "11.5: a source where a text is to be",
     lambda: by_table((b"A", b"B"), (None, tags(0, [(BEGIN, 0)], [0, 0])), (b"a", b"a" * 80))),
    ("bad-tags-index", "11.4: an index without a text", lambda: one_column(tags(INDEXED, [], [1]), LONG)),
    ("bad-tags-rank", "11.4: a rank without a text", lambda: one_column(tags(0, [], [1]), LONG)),
    ("bad-tags-older", "11.4: a reference to an older text when there is none", lambda: one_column(tags(0, [], [14]), LONG)),
    ("bad-tags-bits", "10.7: too few bits", lambda: one_column(tags(0, [], [32], bits=b""), LONG)),
    ("bad-tags-left-over", "10.9: a symbol too many", lambda: one_column(tags(0, [], [0, 1] + 40 * [1], b"a" * 80), LONG, LONG)),
    ("bad-tags-literal", "11.2: a literal too many", lambda: one_column(tags(0, [], [0, 1], b"a" * 80, b"a"), LONG, LONG)),
    ("bad-tags-size", "3.2: texts of the game that are longer than the column",
     lambda: one_column(tags(0, [(EQUAL, NAME)], [0] * 8), *8 * [(b"a" * 10, "e4")])),
    ("bad-tags-fen", "11.5: a FEN tag that depends on the game",
     lambda: one_column(tags(0, [(EQUAL, FEN)], [0]), (AFTER_E4, ""), name=b"FEN")),
    ("bad-number-key", "11.7: a key that no column has", lambda: one_number(tags(1, [(65, NONE, 4)], [1] + 29 * [0]), b"001")),
    ("bad-number-base", "11.7: a base that no column has", lambda: one_number(tags(1, [(64, 64, 4)], [1] + 29 * [0]), b"001")),
    ("bad-number-factors", "11.7: unknown factors", lambda: one_number(tags(1, [(64, NONE, 9)], [1] + 29 * [0]), b"001")),
    ("bad-number-short", "10.9: a residual too few", lambda: one_number(tags(1, [], [2 ** 14, 1] * 14 + [1]), b"1" * 10)),
    ("bad-number-large", "11.7: a number over 2^24", lambda: one_number(tags(1, [], [2 ** 24 + 1] * 30), b"16777217" * 2)),

    # ---- coded symbols
    ("bad-coded-flag", "10.5: symbols that are neither bytes nor coded",
     lambda: clocks(flag=3)),
    ("bad-mixed-clocks-few", "10.13: 2^11 maps", lambda: mixed_clocks(parameter=11)),
    ("bad-mixed-clocks-many", "10.13: 2^21 maps", lambda: mixed_clocks(parameter=21)),
    ("bad-mixed-clocks-bits", "10.13: bits of a mixed key", lambda: mixed_clocks(bits=b"\0")),
    ("bad-mixed-clocks-long", "16.2: a string longer than it need be", lambda: mixed_clocks(change=lambda string: string + b"\1")),
    ("bad-mixed-clocks-large", "10.14: a residual of 55 bits",
     lambda: mixed_clocks(change=lambda string: b"\xff" * 40)),
    ("bad-coded-context", "10.11: a context that does not exist", lambda: clocks(b"\7" + TREE[1:])),
    ("bad-coded-place", "10.11: a cut through a fourth context", lambda: clocks(TREE[:3] + b"\x34\0\0", WRITTEN[:2])),
    ("bad-coded-cut", "10.11: a cut with nothing below it", lambda: clocks(TREE[:5] + b"\x03\0\0")),
    ("bad-coded-classes", "10.11: 33 classes",
     lambda: clocks(bytes([0, 1, 2]) + bytes(node for cut in range(48) if cut % 16 for node in (cut, 0))[:64] + b"\0")),
    ("bad-coded-sum", "10.12: frequencies that sum to more", lambda: clocks(written=[frequencies({1: 1001, 128: 1048})] + WRITTEN[1:])),
    ("bad-coded-none", "10.12: a class without frequencies", lambda: clocks(written=[b"\0"] + WRITTEN[1:])),
    ("bad-coded-state", "10.9: a state below 2^16", lambda: clocks(change=lambda stream: b"\0\0\0\0" + stream[4:])),
    ("bad-coded-end", "10.9: a last state that is not 2^16", lambda: clocks(state=2 ** 16 + 1)),
    ("bad-coded-short", "10.9: a word too few", lambda: clocks(change=lambda stream: stream[:-2])),
    ("bad-coded-left-over", "10.9: a word too many", lambda: clocks(change=lambda stream: stream + b"\0\0")),

    # ---- predicted moves
    ("bad-predicted-more", "15.1: more moves than the events say", lambda: archive([predicted(plain_size=83)])),
    ("bad-predicted-streams", "15.1: four streams", lambda: archive([predicted(count=4)])),
    ("bad-predicted-long", "15.3: a string longer than it need be",
     lambda: archive([predicted(lambda strings: [strings[0] + "0000"] + strings[1:])])),
    ("bad-predicted-other", "15.2: a string that is not the least",
     lambda: archive([not_the_least()])),
    ("bad-predicted-codes", "15.2: codes that are missing", lambda: archive([predicted(codes=b"")])),
    ("bad-predicted-codes-more", "15.2: a code too many",
     lambda: archive([predicted(codes=predicted().columns["moves"][72:76] + b"\0")])),
    ("bad-predicted-mate", "15.2: a move in a position without legal moves", lambda: archive([mated()])),
    ("bad-predicted-gap", "15.3: a bit that is not 0 between two strings", lambda: archive([predicted(gap="1")])),
    ("bad-predicted-tail", "15.3: bytes after the last area", lambda: archive([predicted(tail="0" * 8)])),
    ("bad-predicted-size", "15.4: an area of less than no unit", lambda: archive([predicted(less=1000)])),
    ("bad-predicted-adaptive-more", "16.1: more moves than the events say", lambda: archive([adaptive(more_moves=1)])),
    ("bad-predicted-adaptive-streams", "16.1: three streams", lambda: archive([adaptive(count=3)])),
    ("bad-predicted-adaptive-parameters", "16.1: parameters that are too long", lambda: archive([adaptive(tail=b"\0")])),
    ("bad-predicted-adaptive-long", "16.2: a string longer than it need be",
     lambda: archive([adaptive(change=lambda string: string + b"\0")])),
    ("bad-predicted-adaptive-second", "16.2: the same in the second lane",
     lambda: archive([adaptive(change=lambda string: string + b"\0", lane=1)])),
    ("bad-predicted-adaptive-lane", "16.2: a string of no record", lambda: archive([adaptive_alone(b"\1")])),
    ("bad-predicted-adaptive-codes", "16.2: codes that are missing", lambda: archive([adaptive(codes=b"")])),
    ("bad-lanes-more", "16.3: more moves than the events say", lambda: archive([lanes(more_moves=1)])),
    ("bad-lanes-streams", "16.3: four streams", lambda: archive([lanes(count=4)])),
    ("bad-lanes-few-streams", "16.3: two streams", lambda: archive([lanes(count=2)])),
    ("bad-lanes-parameters", "16.3: parameters that are too long", lambda: archive([lanes(tail=b"\0")])),
    ("bad-lanes-late", "16.3: one lane of too many moves", lambda: archive([lanes(first=4)])),
    ("bad-lanes-long", "16.2: a string longer than it need be", lambda: archive([lanes(ends=(b"\0", b""))])),
    ("bad-lanes-last", "16.2: the same in the last lane", lambda: archive([lanes(ends=(b"", b"\0"))])),
    ("bad-lanes-string", "16.2: the first byte of a string belongs to the lane before", lambda: archive([lanes(moved=(1, 0))])),
    ("bad-lanes-codes", "16.2: the first code of a lane belongs to the lane before", lambda: archive([lanes(moved=(0, 1))])),
    ("bad-predicted-adaptive-mate", "16.2: a move in a position without legal moves", lambda: archive([adaptive_mated()])),
    ("bad-predicted-flag", "15.4: sizes that are neither bytes nor coded", lambda: archive([predicted(flag=2)])),

    # ---- shared beginnings
    ("bad-shared-more", "18.1: more moves than the events say", lambda: shared(more=1)),
    ("bad-shared-streams", "18.1: six streams", lambda: shared(change=without_shared_stream)),
    ("bad-shared-order", "18.2: children that do not ascend", lambda: shared_stream(1, 0, b"\xff")),
    ("bad-shared-children", "18.2: a missing child", lambda: shared_stream(0, 0, b"\x70")),
    ("bad-shared-nodes", "18.2: nodes after the last", lambda: shared_stream(0, 0, b"\1")),
    ("bad-shared-number", "18.2: a node that does not exist", lambda: shared_stream(4, 7, b"\1")),
    ("bad-shared-numbers", "18.2: records without a number", lambda: shared_stream(3, 129, b"", 130)),
    ("bad-shared-deep", "18.2: a beginning that is longer than the game", lambda: shared_stream(2, 7, b"\5")),
    ("bad-shared-unneeded", "18.2: a node that no record needs", lambda: shared(change=shared_unneeded)),
    ("bad-shared-set-up", "18.2: a game with a FEN tag that shares its beginning", lambda: shared(apart=())),
    ("bad-shared-group-short", "18.3: a group that ends early", lambda: shared_group(8, lambda group: group[:-1])),
    ("bad-shared-group-long", "18.3: a group that ends late", lambda: shared_group(1, lambda group: group + b"\0")),
    ("bad-shared-group-filled", "18.3: a bit after a group's last code",
     lambda: shared_group(0, lambda group: group[:-1] + bytes([group[-1] | 128]))),
    ("bad-shared-sizes", "18.3: a size that no group has", lambda: shared(change=shared_sizes_left_over)),
    ("bad-shared-no-code", "18.3: bits that are no Huffman code", lambda: shared(change=shared_last_code_missing)),
    ("bad-shared-lengths", "18.4: too few lengths", lambda: shared_stream(6, 1023, b"", 1024)),
    ("bad-shared-long", "18.4: a Huffman code of twelve bits", lambda: shared_stream(6, 1023, b"\xc0")),
    ("bad-shared-codes", "18.4: three Huffman codes of one bit", lambda: shared_stream(6, 1022, b"\x11\1")),
    ("bad-shared-left-over", "18.1: a byte after the last group", lambda: shared(tail=b"\0")),

    # ---- lines in comments
    ("bad-lines-kind", "17.2: an unknown kind of line", lambda: line_kinds(6, 121)),
    ("bad-lines-marks", "17.2: a mark too many in the comments", lambda: archive([lines(marks=7, sizes=LINE_SIZES[:7])])),
    ("bad-lines-marks-more", "17.2: a mark too few",
     lambda: archive([lines(marks=9, sizes=LINE_SIZES + (0,), kinds=LINE_KINDS + ([0],))])),
    ("bad-lines-itself", "17.2: a mark without a line that has moves", lambda: line_sizes(0, 1)),
    ("bad-lines-early", "17.2: a line before the movetext", lambda: line_kinds(0, 1)),
    ("bad-lines-no-move", "17.2: no move was played before the line", line_after_null),
    ("bad-lines-none", "17.2: a line of no moves", lambda: line_sizes(6, 0)),
    ("bad-lines-null", "17.2: a null move in a line",
     lambda: archive([lines(change=lambda codes: codes[:-1] + b"\xff")])),
    ("bad-lines-code", "5.2: a code in a line that is not a legal move",
     lambda: archive([lines(change=lambda codes: codes[:-1] + b"\xfe")])),
    ("bad-lines-break", "17.2: a line end after the last move", lambda: line_kinds(3, 11, 1, 2)),
    ("bad-lines-break-twice", "17.2: a line end twice", lambda: line_kinds(3, 11, 2, 1, 0)),
    ("bad-lines-no-breaks", "17.2: none of the line ends that it should have", lambda: line_kinds(3, 11, 0)),
    ("bad-lines-known", "17.3: a known line that does not exist", lambda: line_kinds(4, 49, 2)),
    ("bad-lines-shared", "17.3: more moves than the known line has", lambda: line_kinds(4, 25, 3)),
    ("bad-lines-shared-none", "17.3: no move of the known line", lambda: line_kinds(4, 25, 0)),
    ("bad-lines-before-known", "17.3: a known line before the last move", lambda: line_kinds(4, 27, 2)),
    ("bad-lines-reply", "17.4: no reply was expected", lambda: line_kinds(6, 4)),
    ("bad-lines-reply-moves", "17.4: a reply and moves", lambda: line_sizes(7, 1)),
    ("bad-lines-left-over", "3.5: unused kinds of lines", lambda: archive([lines(kinds=LINE_KINDS + ([0],))])),
    ("bad-lines-sizes", "3.5: no sizes of lines", without_line_sizes),
    ("bad-lines-more", "15.1: more moves of lines than their sizes say", lambda: archive([predicted_more_lines()])),

    # ---- commits
    ("bad-commit-flags", "7.3: unknown flags of a commit", lambda: commit_bytes(8, b"\3")),
    ("bad-commit-totals", "7.1: a total of games that differs from the blocks",
     lambda: committed(totals=[2] + plain().totals()[1:])),
    ("bad-commit-bytes", "7.1: a total of bytes that differs from the blocks",
     lambda: committed(totals=plain().totals()[:3] + [9] + plain().totals()[4:])),
    ("bad-commit-previous", "7.1: another commit before the first", lambda: committed(previous=16)),
    ("bad-commit-offset", "7.3: a commit with a wrong offset, which is invalid", lambda: committed(offset=16)),
    ("bad-commit-place", "7.1: a block that is not where the commit says", lambda: committed(places=[17])),
    ("bad-commit-blocks", "7.1: a block that the commit does not list", lambda: committed(places=[], blocks=[])),
    ("bad-commit-magic", "1.3: a commit without magic at its end, which is invalid", lambda: commit_bytes(-1, b"T")),
    ("bad-commit-appended", "7.3: an appended commit that is damaged", appended_commit_changed),
    ("bad-commit-head", "7.3: a commit with a head size that is not the payload size", commit_head_size),

    # ---- tables
    ("bad-table-offset", "7.5: the offset of a block in a table", lambda: bad_listed(1, 0, 0, 0)),
    ("bad-table-size", "7.5: the size of a block", lambda: bad_listed(0, 1, 0, 0)),
    ("bad-table-games", "7.5: the games of a block", lambda: bad_listed(0, 0, 1, 0)),
    ("bad-table-bytes", "7.5: the bytes of text of a block", lambda: bad_listed(0, 0, 0, 1)),
    ("bad-table-short", "7.5: a table without the last block",
     lambda: tabled((2, 0), change=lambda table: table["blocks"].pop())),
    ("bad-table-first", "7.5: a table that begins with the second block", lambda: bad_table(first=1)),
    ("bad-table-previous", "7.5: a table before the first", lambda: bad_table(previous=16)),
    ("bad-table-gap", "7.5: a table that begins within another, without including it", lambda: tabled(
        (2, 0), (1, 2), change=lambda table: table.update(first=1))),
    ("bad-table-place", "7.5: a table with a wrong offset of its own", lambda: bad_table(offset=16)),
    ("bad-table-magic", "7.5: a table without magic at its end", lambda: bad_table(magic=b"StEndTbL")),
    ("bad-table-number", "2.1: the number of blocks before a table", lambda: bad_table(number_of_blocks=1)),
    ("bad-table-other", "2.1: a table of another archive", lambda: bad_table(identity=b"??")),
    ("bad-table-head", "7.5: a table that is not all head", lambda: bad_table(head_size=9)),
    ("bad-table-checksum", "2.1: a bit of a table flipped", table_bit),
    ("bad-table-mandatory", "2.2: a mandatory table", lambda: bad_table(flags=1)),
    ("bad-table-block", "7.5: a block between a table and its commit", block_after_table),
    ("bad-table-twice", "7.5: a frame between a table and its commit",
     lambda: tabled((2, 0), after=frame(77, b"abc", 2, 0, 2, build.identity_of_archive(archive([plain()]))))),

    # ---- sources
    ("bad-source-overlap", "7.6: two sources with the same text", lambda: sourced((0, 8, b"a\0"), (7, 1, b"b\0"))),
    ("bad-source-order", "7.6: a source after one whose text follows", lambda: sourced((4, 4, b"a\0"), (0, 4, b"b\0"))),
    ("bad-source-name", "7.6: a name without an end", lambda: sourced((0, 8, b"a"))),
    ("bad-source-two-names", "7.6: a zero byte in a name", lambda: sourced((0, 8, b"a\0b\0"))),
    ("bad-source-long-name", "7.6: a name of 4,097 bytes", lambda: sourced((0, 8, 4097 * b"a" + b"\0"))),
    ("bad-source-large", "7.6: a size with which the text ends after 2^64 bytes", lambda: sourced((1, 2 ** 64 - 1, b"a\0"))),
    ("bad-source-short", "7.6: a source without a time", lambda: sourced((0, 8, b"", 0, bytes(31)))),
    ("bad-source-head", "7.6: a source that is not all head", lambda: sourced((0, 8, b"a\0"), head_size=9)),
    ("bad-source-number", "2.1: the number of blocks before a source", lambda: sourced((0, 8, b"a\0"), blocks=2)),
    ("bad-source-other", "2.1: a source of another archive", lambda: sourced((0, 8, b"a\0"), identity=b"??")),
    ("bad-source-mandatory", "2.2: a mandatory source", lambda: sourced((0, 8, b"a\0"), flags=1)),
    ("bad-source-bit", "2.1: a bit of a source flipped", source_bit),
    ("bad-source-table", "7.5: a source between a table and its commit", source_after_table),

    # ---- features of a later version
    ("unsupported-version", "1.2: version 2.0", lambda: header(0x200, 0)),
    ("unsupported-flags", "1.2: a flag of the file", lambda: header(0x100, 1)),
    ("unsupported-version-0-1", "1.2: version 0.1, which never was", lambda: header(1, 0)),
    ("unsupported-frame-flags", "2.1: a flag of a frame", lambda: frame_header(5, b"\3")),
    ("unsupported-frame", "2.2: a mandatory frame of unknown type", lambda: with_frame(77, 1)),
    ("unsupported-column", "3.3: a mandatory column of unknown id", lambda: inserted(99, 5, b"later")),
    ("unsupported-weights", "15.1: moves coded with other weights", lambda: archive([predicted(name=1)])),
    ("unsupported-second-weights", "16.1: moves coded with another second stage",
     lambda: archive([adaptive(names=(archive_moves.the_weights()[0], 1))])),
    ("unsupported-lanes-weights", "16.3: other weights of the second stage of lanes",
     lambda: archive([lanes(PREDICTED, 3, names=(archive_moves.the_weights()[0], 1))])),
    ("unsupported-codec", "3.3: a column of unknown codec", lambda: stored(b"????", 100, 200)),
]


def list_of_archives():
    lines = ["# Test archives", "", "Made by tests/archive_files.py. Each archive tests one property. A number is the clause of the format.", ""]
    lines += ["- `%s.stamma`: %s" % (name, description) for name, description, _ in FILES]
    return "\n".join(lines).encode() + b"\n"


def wrong_files(made):
    """Returns the names of the files that differ from what would be made."""
    there = {name for name in os.listdir(DATA) if name.endswith((".stamma", ".md"))}
    wrong = there ^ set(made)
    for name in there & set(made):
        with open(os.path.join(DATA, name), "rb") as file:
            if file.read() != made[name]:
                wrong.add(name)
    return sorted(wrong)


def decoded(name):
    """Returns the text from the slow decoder, and its message or None."""
    out = io.BytesIO()
    with open(os.path.join(DATA, name + ".stamma"), "rb") as file:
        try:
            decode_archive.unpack(decode_archive.Archive(file), 1, None, out.write)
        except Violation as violation:
            return out.getvalue(), str(violation)
    return out.getvalue(), None


def library(name):
    command = [os.environ.get("STAMMA", "build/stamma"), "unpack", os.path.join(DATA, name + ".stamma")]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.returncode, done.stdout


def wrong_verdicts():
    for name, description, _ in FILES:
        text, violation = decoded(name)
        status, given = library(name)
        clause = description.split(":")[0]
        if name.startswith("good-"):
            fine = violation is None and (status, given) == (0, text)
        else:
            fine = status == 2 and violation and re.match(re.escape(clause) + "[,:]", violation)
            fine = fine and ("unsupported" in violation) == name.startswith("unsupported-")
        if name.startswith(("stopped-", "mended-")):
            fine = fine and text == given
        if not fine:
            yield "%s: %s" % (name, violation or "decodes")


def main():
    made = {name + ".stamma": make() for name, _, make in FILES}
    made["archives.md"] = list_of_archives()
    if sys.argv[1:] == ["--check"]:
        problems = ["%s is not as it would be made" % name for name in wrong_files(made)] + list(wrong_verdicts())
        print("\n".join(problems + ["%d archives" % len(FILES)]))
        sys.exit(1 if problems else 0)
    os.makedirs(DATA, exist_ok=True)
    for name in os.listdir(DATA):
        if name.endswith(".stamma"):
            os.unlink(os.path.join(DATA, name))
    for name, data in made.items():
        with open(os.path.join(DATA, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
