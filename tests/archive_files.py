#!/usr/bin/env python3
"""Makes the archives below tests/data: good-* decode, bad-* are corrupt, unsupported-* are of a later version.

usage: archive_files.py           makes them anew, and tests/data/archives.md, which says in a line what each shows
       archive_files.py --check   status 1 where a file there is not what would be made, or is missing

They are built from doc/format.md by archive_builder.py, not by the library, so that they say what the format is and not
what the library does. archive_files_test.c holds the library to them, decode_archive_test.py the slow decoder.
"""
import os
import sys

import archive_builder as build
from archive_builder import Block, archive, commit, frame, number, style, varint
import slow_chess
from archive_values import xxh64
from decode_archive_test import (GAMES, PLAIN, add_record, context, games_block, last_record, one_game, zstd)

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
TAG, RESULT, COMMENT, TEXT, WHITE, BLACK, MOVE = 12, 3, 4, 11, 14, 15, 14
RECORD_END, INPUT_END = 1, 0
ALL_EMPTY = {before << 4 | after: b"" for before in range(15) for after in range(16)}


def plain():
    """1. e4 e5"""
    return one_game("e4 e5", b"1. e4 e5")


def changed(change, make=plain):
    """The archive of one block after `change`."""
    block = make()
    change(block)
    return archive([block])


def column(name, data):
    """Changes a column."""
    return changed(lambda block: block.columns.update({name: data}))


def counted(**counts):
    return changed(lambda block: block.counts.update(**counts))


def records(events, columns=(), templates=None, sans="e4 e5", text=b"x" * 999):
    """An archive of a record with these events, whose gaps are all empty."""
    block = one_game(sans, text, style(ALL_EMPTY if templates is None else templates), events)
    for name, data in columns:
        block.add(name, data)
    return archive([block])


def byte_changed(data, at, mask=1):
    return data[:at] + bytes([data[at] ^ mask]) + data[at + 1:]


def with_frame(kind, flags, payload=b"abc", head_size=2):
    """An archive of a frame of that type and a commit."""
    strange = archive([])[:16] + frame(kind, payload, head_size, flags)
    return strange + commit([], [], 16, len(strange), 0, [0] * 9)


def with_commit(**changes):
    """The plain archive with another commit."""
    block = plain()
    data = archive([block])
    offset = data.rindex(b"sFrm")
    arguments = dict(places=[16], blocks=[block], start=16, offset=offset, previous=0, totals=block.totals())
    arguments.update(changes)
    return data[:offset] + commit(**arguments)


def header(version, flags):
    head = b"\x8dStamma\n" + number(version, 2) + number(flags, 2)
    return head + build.check32(head)


def raw_block(payload, head_size, block):
    """An archive of that payload, which the block's counts are of."""
    data = archive([])[:16] + frame(1, payload, head_size)
    return data + commit([16], [block], 16, len(data), 0, block.totals())


def directory_changed(change):
    """The plain archive after `change` of its list of (entry, stored)."""
    block = plain()
    entries = block.entries()
    change(entries)
    head = block.head([entry for entry, _ in entries])
    return raw_block(head + b"".join(stored for _, stored in entries), len(head), block)


def entry(identity, plain_data, codec=0, flags=1, name=b"", stored=None, plain_size=None):
    stored = plain_data if stored is None else stored
    size = len(plain_data) if plain_size is None else plain_size
    return (bytes([identity, codec, flags]) + varint(len(name)) + name + varint(size) + varint(len(stored))
            + number(xxh64(stored), 8), stored)


def replaced(identity, *arguments, **named):
    """The plain archive with another entry for the column of that id."""
    def change(entries):
        at = [e[0][0] for e in entries].index(identity)
        entries[at] = entry(identity, *arguments, **named)
    return directory_changed(change)


def inserted(at, *arguments, **named):
    return directory_changed(lambda entries: entries.insert(at, entry(*arguments, **named)))


def text_block(text, kind, continues=False):
    """A block of one text item."""
    block = Block(text)
    block.continues = continues
    block.counts["verbatim_bytes"] = len(text)
    block.add("verbatim-sizes", varint(len(text)))
    block.add("verbatim", text)
    block.add("roster-list", b"\0")
    block.add("style-list", style({**PLAIN, context(TEXT, 13): b""}))
    add_record(block, "11 %d" % kind)
    return block


def cut_game():
    """A game in three pieces, in two blocks."""
    first = one_game("e4", b"1. e4 xyzzy\nmore", record_events="1:11 2")
    add_record(first, "11 2")
    first.add("verbatim-sizes", b"\6\4")
    first.add("verbatim", b"xyzzy\nmore")
    first.add("reasons", b"\0\4\6")
    first.counts.update(partly=1, verbatim_bytes=10)
    return first, text_block(b" and the end", INPUT_END, True)


def finished_games(codec=0):
    block = games_block(codec)
    last_record(block, b"")
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


def exceptions_block():
    block = Block(b"1.\te2e4 e5 \r\n")
    block.counts.update(games=1, corrected=1)
    block.moves("e4 e5")
    block.add("roster-list", b"\0")
    block.add("style-list", style(PLAIN))
    add_record(block, "2:0", exceptions={0: b"1.\t", 1: b"e2e4", 4: b" \r\n"})
    block.add("reasons", b"\0\x08\0")
    return block


def exceptions_changed(layout, layout_text=b""):
    return changed(lambda block: block.columns.update({"layout": layout, "layout-text": layout_text or b"x"}),
                   exceptions_block)


def wrapped_block():
    block = one_game("e4 e5 Nf3 Nc6", b"1. e4 e5\n2. Nf3 {so\nit\nis} Nc6", style(
        {**PLAIN, context(COMMENT, BLACK): b" "}, wrap=1, breakable=2, flags=1, limit=13), "3:4 1:0")
    block.add("comments", b"so it is\0")
    return block


def many_nags(count):
    """A game of glyphs; its columns are compressed."""
    block = Block(b"$1" * count)
    block.codec = 1
    block.counts["games"] = 1
    block.add("events", b"\7" * count + b"\0")
    block.add("nags", b"\1" * count)
    block.add("roster-list", b"\0")
    block.add("style-list", style(ALL_EMPTY))
    block.counts["records"] = 1
    block.add("rosters", b"\0")
    block.add("styles", b"\0")
    return block


def with_text(make, text):
    block = make()
    block.text = text
    return archive([block])


def tags_block(names):
    block = Block(b"".join(b'[%b ""]' % name for name in names) + b"*")
    block.counts["games"] = 1
    for name in names:
        block.add(("tag", name), b"\0")
    block.add("results", b"\0")
    block.add("roster-list", varint(len(names)) + b"".join(map(varint, range(len(names)))))
    block.add("style-list", style(ALL_EMPTY))
    add_record(block, "3 0")
    return block


FILES = (
    # ---- what decodes
    ("good-empty", "nothing was packed: one commit", lambda: archive([])),
    ("good-plain", "1. e4 e5", lambda: archive([plain()])),
    ("good-games", "tags, escapes, a comment, a NAG, a suffix, variations in variations, a null move, results",
     lambda: archive([finished_games()])),
    ("good-zstd", "the same with columns that zstd makes smaller", lambda: archive([finished_games(1)])),
    ("good-exceptions", "gaps and a spelling as exceptions, with a reason", lambda: archive([exceptions_block()])),
    ("good-wrapped", "lines wrapped by the fit rule, in a comment too", lambda: archive([wrapped_block()])),
    ("good-cut-game", "a game of three pieces in two blocks, partly typed", lambda: archive(cut_game())),
    ("good-text-behind", "text behind the last game, in a block of its own",
     lambda: archive([one_game("e4", b"1. e4\n\n", record_events="1:1", record_style=style(
         {**PLAIN, context(MOVE, RECORD_END): b"\2\2"})), text_block(b"so long", 13)])),
    ("good-two-commits", "a commit after each of two blocks, the first not finished", lambda: appended(False)),
    ("good-appended", "a finished commit in the middle: something was appended", lambda: appended(True)),
    ("good-tail", "bytes behind the last commit, which are ignored", lambda: archive([plain()]) + b"half a frame"),
    ("good-unknown-frame", "a frame of unknown type that is not mandatory", lambda: with_frame(77, 0)),
    ("good-unknown-column", "a column of unknown id that is not mandatory",
     lambda: inserted(6, 99, b"what a later version says", flags=0)),
    ("good-search-column", "a column of unknown id and class search", lambda: inserted(6, 99, b"signature", flags=2)),
    ("good-reasons-of-unknown-codec", "the reasons, which nobody needs, in a codec that is not known",
     lambda: inserted(6, 16, b"????????", codec=200, flags=0)),
    ("good-null-moves", "null moves", lambda: archive([one_game("e4 -- --", b"1. e4 -- 2. --")])),
    ("good-chess960", "castling of both sides from a Chess960 position", lambda: archive([from_fen(
        b"1k3r1r/8/8/8/8/8/8/RK5R b HAf - 0 1", "O-O O-O-O", b"1... O-O 2. O-O-O")])),
    ("good-many-queens", "more men than the one-byte code holds: indices among the legal moves", many_queens),
    ("good-bad-fen", "a FEN tag that gives no position, and no moves", bad_fen) if False else None,
) if False else ()


def appended(finished):
    first, second = plain(), one_game("d4", b"1. d4")
    start = archive([first], finished=finished)
    offset = len(start)
    data = start + frame(1, *second.payload())
    totals = [a + b for a, b in zip(first.totals(), second.totals())]
    return data + commit([offset], [second], offset, len(data), start.rindex(b"sFrm"), totals)


def many_queens():
    block = from_fen(b"6rk/6pp/8/8/8/QQQQQ3/QQQQQ3/K7 w", "", b"1. Qaa4")
    block.columns.update(moves=b"\2", events=b"\x10")
    block.counts["plies"] = 1
    return archive([block])


def bad_fen():
    block = Block(b'[FEN "bad"]\n\n1 *')
    block.counts["games"] = 1
    block.add(("tag", b"FEN"), b"bad\0")
    block.add("results", b"\0")
    block.add("roster-list", b"\1\0")
    block.add("style-list", style({**PLAIN, context(TAG, RESULT): b"\2\2\1 ", context(RESULT, INPUT_END): b""}))
    add_record(block, "3 0")
    return archive([block])


def tags_behind_lines():
    fen = b"4k3/8/8/8/8/8/8/4K3 b - - 0 57"
    block = Block(b'{57}57;57\n%%57\n[FEN "%b"]57' % fen)
    block.counts["games"] = 1
    block.add("comments", b"57\0" * 3)
    block.add("odd-tags", b"FEN\0" + fen + b"\0")
    block.add("roster-list", b"\0")
    block.add("style-list", style({**ALL_EMPTY, context(COMMENT, 5): b"\1", context(5, 6): b"\2", context(6, TAG): b"\2",
                                   context(TAG, INPUT_END): b"\1"}))
    add_record(block, "4 5 6 12 0")
    return archive([block])


def two_fens():
    """The first counts, wherever it stands."""
    block = Block(b'[FEN "4k3/8/8/8/8/8/4P3/4K3 w"][FEN "x"]e4')
    block.counts["games"] = 1
    block.add(("tag", b"FEN"), b"4k3/8/8/8/8/8/4P3/4K3 w\0x\0")
    block.moves("e4", slow_chess.read_fen("4k3/8/8/8/8/8/4P3/4K3 w"))
    block.add("roster-list", b"\2\0\0")
    block.add("style-list", style(ALL_EMPTY))
    add_record(block, "1:0")
    return archive([block])


def no_columns():
    """A record that needs the columns of every record only."""
    block = Block(b"")
    block.counts["games"] = 1
    block.add("roster-list", b"\0")
    block.add("style-list", style(ALL_EMPTY))
    add_record(block, "0")
    return archive([block])


def variation_open():
    return archive([variation("e4", "d4", b"e4(d4", "1:9 1:0")])


def variation(main, inner, text, events):
    block = Block(text)
    block.counts["games"] = 1
    block.moves(main)
    block.moves(inner, column="variation-moves")
    block.add("roster-list", b"\0")
    block.add("style-list", style(ALL_EMPTY))
    add_record(block, events)
    return block


def nested(depth):
    block = Block(b"(" * depth)
    block.counts["games"] = 1
    block.add("roster-list", b"\0")
    block.add("style-list", style(ALL_EMPTY))
    add_record(block, "9 " * depth + "0")
    return archive([block])


def null_in_check():
    block = one_game("e4 f5 Qh5", b"1. e4 f5 2. Qh5+ --")
    block.columns.update(moves=block.columns["moves"] + b"\xff", events=b"\x40")
    block.counts["plies"] = 4
    return archive([block])


def null_among_too_many_moves():
    """218 legal moves are the most of any position that a game reaches; with more queens there are over 255."""
    fen = b"QQQQQQQQ/Q6Q/Q6Q/Q6Q/8/8/8/K1k5 w"
    return fen


def style_of(**more):
    return column("style-list", style(PLAIN, **more))


def cut_wrongly(kinds, texts=None, continues=False):
    """Pieces whose ends and continuation bits do not agree."""
    blocks = [text_block(b"abc", kind, continues and at > 0) for at, kind in enumerate(kinds)]
    for at, block in enumerate(blocks):
        if not block.continues and kinds[at] != 13:
            block.counts.update(games=1, verbatim=1)
    return archive(blocks)
