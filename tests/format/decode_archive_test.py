# SPDX-License-Identifier: MIT
"""Tests reference/decode_archive.py with hand-made archives: the text that they must decode to, and archives that it
must reject.

Run by decode_archive.sh.
"""
import bz2
import io
import os
import subprocess
import sys
import tempfile
import unittest

import archive_builder as build
from archive_builder import Block, archive, frame, style, tags, varint, zstd

import archive_moves
import archive_records
import archive_tags
import archive_values
import decode_archive
import slow_chess

HERE = os.path.dirname(os.path.abspath(__file__))
DECODER = os.path.join(HERE, "..", "..", "reference", "decode_archive.py")
SHARED = os.environ.get("SHARED", "../shared")

RECORD_END, PIECE_END, INPUT_END = 1, 2, 0
TAG, RESULT, COMMENT, TEXT, WHITE, BLACK, MOVE = 12, 3, 4, 11, 14, 15, 14


def context(before, after):
    return before << 4 | after


# The gaps of a plain PGN: one tag per line, an empty line, "1. e4 e5 2. Nf3", an empty line.
PLAIN = {
    context(0, TAG): b"", context(TAG, TAG): b"\2", context(TAG, WHITE): b"\2\2\1. ", context(TAG, BLACK): b"\2\2\1... ",
    context(MOVE, WHITE): b" \1. ", context(MOVE, BLACK): b" ", context(MOVE, RESULT): b" ", context(TAG, RESULT): b"\2\2",
    context(RESULT, RECORD_END): b"\2\2", context(RESULT, INPUT_END): b"\2", context(MOVE, COMMENT): b" ",
    context(COMMENT, WHITE): b" \1. ", context(COMMENT, BLACK): b" \1... ", context(COMMENT, RESULT): b" ",
    context(0, WHITE): b"\1. ", context(0, TEXT): b"", context(TEXT, RECORD_END): b"", context(TEXT, INPUT_END): b"",
    context(MOVE, 7): b" ", context(7, BLACK): b" \1... ", context(7, WHITE): b" \1. ", context(MOVE, 8): b"",
    context(8, 9): b" ", context(8, BLACK): b" ",
    context(9, WHITE): b"\1. ", context(9, BLACK): b"\1... ", context(MOVE, 10): b"", context(10, WHITE): b" \1. ",
    context(10, BLACK): b" \1... ", context(MOVE, 9): b" ", context(10, 9): b" ", context(10, 10): b"",
    context(MOVE, TEXT): b" ", context(0, INPUT_END): b"", context(MOVE, INPUT_END): b"", context(0, 5): b"",
    context(5, 6): b"\2", context(6, 12): b"\2", context(TEXT, TEXT): b"",
}


def events(text):
    """Returns the columns of events and of their counts. Each word is a kind, MOVES:KIND, or TIMES:14."""
    out = counts = b""
    for word in text.split():
        moves, _, kind = word.rpartition(":")
        moves, kind = int(moves or 0), int(kind)
        out += bytes([min(moves, 15) << 4 | kind])
        counts += varint(moves - 15) if moves >= 15 else b""
    return out, counts


def add_record(block, record_events, style_number=0, roster=0, exceptions=None):
    """Adds a record to a block. `exceptions` maps slots to bytes."""
    block.counts["records"] += 1
    block.add("rosters", varint(roster))
    block.add("styles", varint(2 * style_number + bool(exceptions)))
    kinds, event_counts = events(record_events)
    block.add("events", kinds)
    if event_counts:
        block.add("event-counts", event_counts)
    if exceptions:
        block.add("layout", varint(len(exceptions)))
        last = -1
        for slot, text in exceptions.items():
            block.add("layout", varint(slot - last - 1) + varint(len(text)))
            block.add("layout-text", text)
            last = slot


def unpack(data, first=1, last=None):
    out = io.BytesIO()
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        decode_archive.unpack(decode_archive.Archive(file), first, last, out.write)
    return out.getvalue()


def one_game(sans, text, record_style=None, record_events=None):
    """Returns a block of one game without tags."""
    block = Block(text)
    block.counts["games"] = 1
    block.moves(sans)
    block.add("roster-list", b"\0")
    block.add("style-list", record_style or style(PLAIN))
    add_record(block, record_events or "%d:0" % len(sans.split()))
    return block


GAMES = b"""[White "A \\"B\\" C"]
[Result "1-0"]

1. e4 e5 2. Bc4 {[%clk 0:01:00]} 2... Nc6 $13 3. Qh5 Nf6?? (3... g6 (3... Qe7) 4. Qf3) (3... --) 4. Qxf7# 1-0

[White ""]
[Result "*"]

1. d4 1/2-1/2

"""


def games_block(codec=0):
    """Returns a block of two games with tags, a comment, a NAG, a suffix and nested variations."""
    block = Block(GAMES)
    block.codec = codec
    block.counts.update(games=2)
    block.moves("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7")
    block.moves("d4")
    before = block.moves("e4 e5 Bc4 Nc6 Qh5")
    del block.columns["moves"]
    block.counts["plies"] = 0
    block.moves("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7")
    block.moves("d4")
    block.moves("g6", before, "variation-moves")
    block.moves("Qe7", before, "variation-moves")
    block.moves("Qf3", block.moves("g6", before, "scratch"), "variation-moves")
    block.moves("--", before, "variation-moves")
    del block.columns["scratch"]
    block.counts["variation_plies"] -= 1
    block.add(("tag", b"White"), b'A \\"B\\" C\0\0')
    block.add(("tag", b"Result"), b"1-0\0*\0")
    block.add("roster-list", b"\0" + b"\2\0\1")
    block.add("style-list", style(PLAIN))
    block.add("comments", b"[%clk 0:01:00]\0")
    block.add("nags", b"\x0d\4")
    block.add("results", b"\4\3")
    add_record(block, "3:4 1:7 2:8 9 1:9 1:10 1:10 9 1:10 1:3 1", roster=1)
    add_record(block, "1:3 1", roster=1)
    return block


def last_record(block, text, **more):
    block.text += text
    block.counts["games"] += 1
    add_record(block, "0", **more)


class Decodes(unittest.TestCase):
    def check(self, block):
        self.assertEqual(unpack(archive([block])), block.text)

    def test_games_with_tags_comments_and_variations(self):
        for codec in (0, 1):
            block = games_block(codec)
            last_record(block, b"")
            self.check(block)

    def test_games_by_number(self):
        block = games_block()
        last_record(block, b"")
        self.assertEqual(unpack(archive([block]), 2, 2), GAMES[GAMES.index(b'[White ""]'):])

    def test_exceptions_of_gaps_and_spellings(self):
        block = one_game("e4 e5", b"1.\te2e4 e5 \r\n", record_events="2:0")
        del block.columns["rosters"], block.columns["styles"], block.columns["events"]
        block.counts["records"] = 0
        block.counts["corrected"] = 1
        add_record(block, "2:0", exceptions={0: b"1.\t", 1: b"e2e4", 4: b" \r\n"})
        block.add("reasons", b"\0" + b"\x08" + b"\0")
        self.check(block)

    def test_text_and_continuations(self):
        block = one_game("e4", b"1. e4 xyzzy\nmore and the end", record_events="1:11 2")
        add_record(block, "11 2")
        add_record(block, "11 0")
        block.add("verbatim-sizes", b"\6\5\x0b")
        block.add("verbatim", b"xyzzy\nmore and the end")
        block.add("reasons", b"\0\4\6")
        block.counts.update(partly=1, verbatim_bytes=22)
        self.check(block)

    def test_text_after_the_last_game(self):
        block = one_game("e4", b"1. e4\n\n", record_events="1:1")
        block.columns["style-list"] = style({**PLAIN, context(MOVE, RECORD_END): b"\2\2", context(TEXT, 13): b""})
        block.text += b"so long"
        add_record(block, "11 13")
        block.add("verbatim-sizes", b"\7")
        block.add("verbatim", b"so long")
        block.counts["verbatim_bytes"] = 7
        self.check(block)
        self.assertEqual(unpack(archive([block]), 1, 1), b"1. e4\n\nso long")

    def test_line_comments_escapes_and_tags_after_them(self):
        block = Block(b';one\n%two\n[X "y"]')
        block.counts["games"] = 1
        block.add("comments", b"one\0two\0")
        block.add("extra-tags", b"X\0y\0")
        block.add("roster-list", b"\0")
        block.add("style-list", style({**PLAIN, context(TAG, INPUT_END): b""}))
        add_record(block, "5 6 12 0")
        self.check(block)

    def test_numbers_before_the_tags(self):
        """The move numbers are derived from the position that the later FEN tag sets up."""
        fen = b"4k3/8/8/8/8/8/8/4K3 b - - 0 57"
        block = Block(b'<57> [Event ""]\n;57\n[FEN "%b"] 57' % fen)
        block.counts["games"] = 1
        block.add(("tag", b"Event"), b"\0")
        block.add("comments", b"57\0")
        block.add("extra-tags", b"FEN\0" + fen + b"\0")
        block.add("roster-list", b"\1\0")
        block.add("style-list", style({context(0, TAG): b"<\1> ", context(TAG, 5): b"\2", context(5, TAG): b"\2",
                                       context(TAG, INPUT_END): b" \1"}))
        add_record(block, "5 12 0")
        self.check(block)

    def test_a_bad_fen_without_moves(self):
        block = Block(b'[FEN "bad"] 1 *')
        block.counts["games"] = 1
        block.add(("tag", b"FEN"), b"bad\0")
        block.add("results", b"\0")
        block.add("roster-list", b"\1\0")
        block.add("style-list", style({**PLAIN, context(TAG, RESULT): b" \1 ", context(RESULT, INPUT_END): b""}))
        add_record(block, "3 0")
        self.check(block)

    def test_games_after_the_end_of_an_input(self):
        """Appended games follow the end of an input, in the same block or after a finished commit."""
        block = one_game("e4", b"1. e4\n\n1. e4")
        block.counts["games"] = 2
        block.moves("e4")
        block.columns["style-list"] = style({**PLAIN, context(MOVE, INPUT_END): b"\2\2", context(MOVE, RECORD_END): b""})
        add_record(block, "1:1")
        self.check(block)
        first, second = one_game("e4", b"1. e4"), one_game("d4", b"1. d4")
        data = archive([first], more=[[second]])
        self.assertEqual(unpack(data), b"1. e41. d4")
        self.assertEqual(unpack(data, 2, 2), b"1. d4")

    def test_many_moves_before_an_event(self):
        sans = "Nf3 Nf6 Ng1 Ng8 " * 5
        text = b" ".join(b"%d. %b %b" % (n + 1, *sans.encode().split()[2 * n:2 * n + 2]) for n in range(10))
        self.check(one_game(sans, text))

    def test_spelling_of_moves(self):
        mate = "f4 e5 g4 Qh4"
        for spelling, last in ((0, b"Qh4#"), (2, b"Qh4"), (4, b"Qh4+"), (8, b"Qh4++"), (1, b"Qh4#"), (5, b"Qh4+")):
            self.check(one_game(mate, b"1. f4 e5 2. g4 " + last, style(PLAIN, spelling=spelling)))
        self.check(one_game("e4 f5 Qh5", b"1. e4 f5 2. Qh5+"))
        self.check(one_game("e4 f5 Qh5", b"1. e4 f5 2. Qh5", style(PLAIN, spelling=1)))
        for sans, spelt in (("R1a3", b"Ra1a3"), ("Rab5", b"Rab5")):
            self.check(self.from_fen(b"4k3/8/8/R6R/8/8/8/R3K3 w - - 0 5", sans, b"5. " + spelt, spelling=64))
        castle = "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O"
        self.check(one_game(castle, b"1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. 0-0", style(PLAIN, spelling=16)))

    def from_fen(self, fen, sans, movetext, **more):
        block = Block(b'[FEN "%b"]\n\n%b' % (fen, movetext))
        block.counts["games"] = 1
        block.add(("tag", b"FEN"), fen + b"\0")
        block.moves(sans, slow_chess.read_fen(fen.decode()))
        block.add("roster-list", b"\1\0")
        block.add("style-list", style(PLAIN, **more))
        add_record(block, "%d:0" % len(sans.split()))
        return block

    def test_positions_set_up(self):
        for fen, sans, movetext in (
            (b"4k3/P7/8/8/8/8/8/4K3 w - - 0 57", "a8=Q Kd7", b"57. a8=Q+ Kd7"),
            (b"4k3/8/8/8/8/8/p7/4K3 b - - 0 9", "a1=N Kd2", b"9... a1=N 10. Kd2"),
            # Chess960: the file or the side names the rook that may castle.
            (b"1k3r1r/8/8/8/8/8/8/RK5R b HAf - 0 1", "O-O O-O-O", b"1... O-O 2. O-O-O"),
            (b"k7/8/8/8/8/8/8/1RK1R3 w KQ - 0 1", "O-O Ka7", b"1. O-O Ka7"),
            (b"4k3/8/8/8/1b6/2N5/8/4K1N1 w", "Ne2", b"1. Ne2"),
            (b"8/8/8/3pP3/8/8/8/k1K5 w - d6 0 3", "exd6 --", b"3. exd6 --"),
        ):
            self.check(self.from_fen(fen, sans, movetext))
        self.check(self.from_fen(b"4k3/P7/8/8/8/8/8/4K3 w - - 0 57", "a8=Q", b"57. a8Q+", spelling=32))

    def test_indices_among_legal_moves(self):
        block = self.from_fen(b"6rk/6pp/8/8/8/QQQQQ3/QQQQQ3/K7 w", "", b"1. Qaa4")
        position = slow_chess.read_fen("6rk/6pp/8/8/8/QQQQQ3/QQQQQ3/K7 w")
        # The bounds of ten queens and a king sum to 278. Worked out by hand: the queen on a2 can only move to b1.
        order = [slow_chess.name_of(o) + slow_chess.name_of(t) + x for o, t, x in position.canonical_moves()]
        self.assertEqual(order[:4], ["a1b1", "a2b1", "a3a4", "a3a5"])
        self.assertEqual(order, sorted(order))
        block.columns["moves"] = b"\2"
        block.columns["events"] = events("1:0")[0]
        block.counts["plies"] = 1
        self.check(block)

    def test_wrapping(self):
        def wrapped(text, **more):
            return one_game("e4 e5 Nf3 Nc6", text, style(PLAIN, **more))
        #                    L:       8       15
        self.check(wrapped(b"1. e4 e5\n2. Nf3\nNc6", wrap=2, breakable=2, limit=6))
        self.check(wrapped(b"1. e4 e5\r\n2. Nf3 Nc6", wrap=2, breakable=3, limit=6, line_end=1))
        self.check(wrapped(b"1. e4 e5\n2. Nf3\nNc6", wrap=1, breakable=2, limit=9))
        self.check(wrapped(b"1. e4 e5 2.\rNf3 Nc6", wrap=1, breakable=1, limit=12, line_end=2))
        self.check(wrapped(b"1. e4\ne5 2.\nNf3\nNc6", wrap=1, breakable=1, limit=6))
        self.check(wrapped(b"1. e4 e5\n2. Nf3 Nc6", wrap=1, breakable=3, limit=12))
        self.check(wrapped(b"1. e4 e5 2. Nf3 Nc6", wrap=0, breakable=1, limit=1))

    def test_blanks_before_a_result_that_never_break(self):
        for limit, text in ((11, b"1. e4 e5\n2. Nf3 Nc6 1-0\n"), (10, b"1. e4 e5\n2. Nf3\nNc6 1-0\n"),
                            (8, b"1. e4\ne5 2.\nNf3 Nc6 1-0\n")):
            block = one_game("e4 e5 Nf3 Nc6", text, style(PLAIN, wrap=1, breakable=4, limit=limit), "4:3 0")
            block.add("results", b"\1")
            self.check(block)

    def test_no_blank_breaks_before_an_exception(self):
        """An exception ends the unit before it, and blanks before the exception do not become line ends (6.4)."""
        for limit, text in ((17, b"1. e4 e5 2. Nf3/Nc6\n3. Nc3"), (14, b"1. e4 e5\n2. Nf3/Nc6\n3. Nc3")):
            block = one_game("e4 e5 Nf3 Nc6 Nc3", text, style(PLAIN, wrap=1, breakable=2, limit=limit))
            block.counts.update(records=0, corrected=1)
            del block.columns["rosters"], block.columns["styles"], block.columns["events"]
            add_record(block, "5:0", exceptions={6: b"/"})
            self.check(block)

    def test_wrapping_of_comments(self):
        for breakable, flags, text in ((2, 1, b"1. e4 {a bb\nccc} 1... e5"), (2, 0, b"1. e4\n{a bb ccc}\n1... e5"),
                                       (5, 0, b"1. e4 {a bb ccc}\n1... e5")):
            block = one_game("e4 e5", text, style(PLAIN, wrap=1, breakable=breakable, flags=flags, limit=15), "1:4 1:0")
            block.add("comments", b"a bb ccc\0")
            self.check(block)

    def test_command(self):
        block = games_block(1)
        last_record(block, b"")
        with tempfile.NamedTemporaryFile() as file:
            file.write(archive([block]))
            file.flush()
            run = subprocess.run([sys.executable, DECODER, file.name], capture_output=True, check=True)
            self.assertEqual(run.stdout, block.text)
            file.seek(20)
            file.write(b"\xff")
            file.flush()
            run = subprocess.run([sys.executable, DECODER, file.name], capture_output=True, check=False)
            self.assertEqual((run.returncode, run.stdout, run.stderr[:20]), (2, b"", b"decode_archive: 2.1,"))


class TagValues(unittest.TestCase):
    def take(self, columns, games):
        """Returns the values of columns, record by record. `games` are (move codes, FEN)."""
        made, rows = [], []
        for stored in columns:
            made.append(archive_tags.Tags(10 ** 6, stored, made))
        for codes, fen in games:
            now = archive_tags.Record(len(codes))
            now.fen = fen
            start = archive_moves.Place(archive_tags.start_position(fen), None)
            now.line = archive_moves.Codes(codes).line(start, len(codes))
            rows.append(b" ".join(column.take(number, now) for number, column in enumerate(made)))
        return rows

    def line(self, sans, fen=None):
        block = Block()
        block.moves(sans, slow_chess.read_fen(fen.decode()) if fen else slow_chess.START)
        return block.columns.get("moves", b""), fen

    def test_dictionaries(self):
        listed = tags(4, [], [0] * 33 + [32, 2], *[b"%d" % n for n in range(33)])
        self.assertEqual(self.take([listed], [self.line("")] * 35), [b"%d" % n for n in (*range(33), 31, 1)])
        ranked = tags(0, [], [0] * 15 + [1, 2, 15, 1], *[bytes([letter]) for letter in b"abcdefghijklmno"])
        self.assertEqual(self.take([ranked], [self.line("")] * 19), [bytes([letter]) for letter in b"abcdefghijklmnoonaa"])

    def test_sources(self):
        sicilian, odd = self.line("e4 c5"), self.line("e4 c5", b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        facts = tags(0, [(0, 65), (0, 66), (1, 64)], [0, 1, 3, 2, 4], b"mine")
        self.assertEqual(self.take([facts], [sicilian] * 4 + [odd]), [b"B20", b"Sicilian Defense", b"mine", b"mine", b"mine"])
        ends = tags(0, [(0, 67), (0, 68), (0, 69), (0, 70)], [1, 2, 3])
        self.assertEqual(self.take([ends], [sicilian] * 3),
                         [b"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6", b"2", b"1"])
        rook = self.line("O-O-O", b"1r2k3/8/8/8/8/8/8/1R2K2R w KB - 3 7")
        self.assertEqual(self.take([tags(0, [(0, 67)], [0])], [rook]), [b"1r2k3/8/8/8/8/8/8/2KR3R b - - 4 7"])
        begins = tags(0, [(2, 0)], [0, 1, 0, 2], b"n")
        self.assertEqual(self.take([tags(0, [], [0, 0], b"A", b"B"), begins], [sicilian] * 2), [b"A An", b"B Bn"])

    def test_numbers(self):
        players = tags(0, [], [0, 0, 2], b"A", b"B")
        ratings = tags(1, [(0, 255, 4), (64, 255, 4)], [1500, -100, None], b"?")
        self.assertEqual(self.take([players, ratings], [self.line("")] * 3), [b"A 1500", b"B 1400", b"A ?"])


class Refuses(unittest.TestCase):
    """Each violation is reported with its clause."""

    def refused(self, clause, data):
        with self.assertRaises(archive_values.Violation) as caught:
            unpack(data)
        self.assertEqual(str(caught.exception).split(":")[0].split(",")[0], clause)

    def plain(self):
        return one_game("e4 e5", b"1. e4 e5")

    def test_the_file(self):
        data = archive([self.plain()])
        self.refused("1.2", b"")
        self.refused("1.2", b"x" + data[1:])
        self.refused("1.2", data[:8] + b"\1" + data[9:])
        version2 = data[:8] + b"\0\2" + data[10:12]
        self.refused("1.2", version2 + build.check32(version2) + data[16:])
        self.refused("1.3", data[:16])
        self.refused("7.4", data[:-1])
        self.refused("1.3", data[:-9])
        self.refused("1.3", archive([self.plain()], finished=False))

    def test_what_follows_the_last_commit(self):
        data = archive([self.plain()])
        for more in (b"x", bytes(100), data[16:60], b"sFrm", (16).to_bytes(8, "little") + b"StEndCm"):
            self.refused("1.3", data + more)
        self.refused("7.3", data + (16).to_bytes(8, "little") + b"StEndCmt")

    def test_frames(self):
        data = archive([])
        for flags in (0, 1):
            strange = data[:16] + frame(77, b"abc", 2, flags)
            payload = bytearray(data[48:])
            payload[-16:-8] = len(strange).to_bytes(8, "little")
            strange += frame(2, bytes(payload), len(payload))
            if flags:
                self.refused("2.2", strange)
            else:
                self.assertEqual(unpack(strange), b"")

    def test_any_changed_byte(self):
        """An archive with a changed byte decodes to the same text or is rejected, without any other error."""
        data = archive([games_block(1), ])
        for at in range(len(data)):
            changed = data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1:]
            with self.assertRaises(archive_values.Violation):
                unpack(changed)

    def test_heads_and_columns(self):
        for clause, change in (
            ("3.1", lambda block: block.counts.update(games=2)),
            ("3.1", lambda block: block.counts.update(plies=3)),
            ("3.1", lambda block: setattr(block, "continues", True)),
            ("3.1", lambda block: setattr(block, "text", b"1. e4 e6")),
            ("3.1", lambda block: setattr(block, "text", b"1. e4 e")),
            ("3.3", lambda block: block.add(99, b"x")),
            ("3.3", lambda block: block.add("nags", b"")),
            ("3.3", lambda block: setattr(block, "codec", 2)),
            ("3.4", lambda block: block.counts.update(records=65537)),
            ("3.5", lambda block: block.add("moves", b"x")),
            ("3.5", lambda block: block.columns.update(moves=block.columns["moves"][:1])),
            ("3.5", lambda block: block.add("style-list", b"\0")),
            ("4.4", lambda block: block.columns.update(events=b"\x2e")),
            ("5", lambda block: block.columns.update(styles=b"\2")),
            ("5.2", lambda block: block.columns.update(moves=b"\xf0\xf0")),
            ("5.2", lambda block: block.columns.update(moves=b"\0\0")),
            ("5.3", lambda block: block.columns.update({"rosters": b"\1"})),
            ("5.3", lambda block: block.columns.update({"roster-list": b"\1\0"})),
            ("6.1", lambda block: block.columns.update({"style-list": b"\3" + bytes(6)})),
            ("6.3", lambda block: block.columns.update({"style-list": style({})})),
            ("6.5", lambda block: block.columns.update({"style-list": style(PLAIN, spelling=6)})),
        ):
            block = self.plain()
            change(block)
            self.refused(clause, archive([block]))

    def test_records(self):
        for clause, record_events, column, data in (
            ("4.8", "2:10 0", None, None),
            ("4.8", "9 " * 256 + "0", None, None),
            ("4.4", "2:14 0", None, None),
            ("4.6", "2 0", None, None),
            ("4.7", "2:12 0", "extra-tags", b"X\0y\0"),
            ("4.7", "9 10 12 2:0", "extra-tags", b"X\0y\0"),
            ("4.7", "12 2:0", "extra-tags", b"FEN\0bad\0"),
            ("4.3", "2:8 0", "nags", b"\7"),
            ("3.5", "2:4 0", "comments", b"no end"),
            ("5", "2:3 0", "results", b"\5"),
            ("5", "2:3 0", "results", b"\4"),
        ):
            templates = {before << 4 | after: b"" for before in range(15) for after in range(16)}
            block = one_game("e4 e5", b"x" * 999, style(templates), record_events)
            if column:
                block.add(column, data)
            if clause == "4.6":
                block.counts["records"] = 2
                block.columns["styles"] = block.columns["rosters"] = b"\0\0"
            self.refused(clause, archive([block]))

    def test_exceptions_out_of_place(self):
        for count, layout in ((0, b"\0"), (1, b"\1\x09\0"), (1, b"\1\x85\0\0")):
            block = self.plain()
            block.columns.update(styles=b"\1", layout=layout)
            with self.assertRaises(archive_values.Violation):
                unpack(archive([block]))

    def test_any_changed_column(self):
        """A changed byte under a correct checksum is rejected, or does not change the text."""
        for column, data in games_block().columns.items():
            for at in range(len(data)):
                block = games_block()
                block.columns[column] = data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1:]
                try:
                    changed = unpack(archive([block]))
                except archive_values.Violation:
                    continue
                self.assertEqual(changed, block.text)

    def test_commits(self):
        data = bytearray(archive([self.plain()]))
        start = data.rindex(b"sFrm")
        for at in range(start + 32, len(data)):
            payload = bytearray(data[start + 32:])
            payload[at - start - 32] ^= 1
            with self.assertRaises(archive_values.Violation):
                unpack(bytes(data[:start]) + frame(2, bytes(payload), len(payload), 1, 1, build.identity_of_archive(data)))

    def test_varints(self):
        for data, value in ((b"\0", 0), (b"\x7f", 127), (b"\x80\1", 128), (b"\xff" * 9 + b"\1", 2 ** 64 - 1)):
            self.assertEqual(archive_values.Cursor(data, "0").varint(), value)
        for data in (b"", b"\x80", b"\x80\0", b"\xff" * 9 + b"\2", b"\xff" * 10 + b"\1"):
            with self.assertRaises(archive_values.Violation):
                archive_values.Cursor(data, "0").varint()

    def test_zstd_frames(self):
        one = zstd(b"abc" * 1000)
        self.assertEqual(archive_values.unzstd(one, 3000, "0"), b"abc" * 1000)
        self.assertEqual(len(archive_values.unzstd(zstd(bytes(10 ** 7)), 10, "0")), 11)
        sizeless = subprocess.run(["zstd", "-cq"], input=b"abc" * 1000, stdout=subprocess.PIPE, check=True).stdout
        for bad in (sizeless, one + one, one[:-1], one + b"x", b"x" + one, one[:8] + b"\xff" + one[9:]):
            with self.assertRaises(archive_values.Violation):
                archive_values.unzstd(bad, 3000, "0")

    def test_bzip2_streams(self):
        one = bz2.compress(b"abc" * 1000)
        self.assertEqual(archive_values.unpacked(one, 3000, "0"), b"abc" * 1000)
        self.assertEqual(len(archive_values.unpacked(bz2.compress(bytes(10 ** 7)), 10, "0")), 11)
        for bad in (one + one, one[:-1], one + b"x", one[:20] + b"\xff" + one[21:]):
            with self.assertRaises(archive_values.Violation):
                archive_values.unpacked(bad, 3000, "0")


class Rules(unittest.TestCase):
    def test_xxh64(self):
        # Values from the reference implementation.
        for data, value in ((b"", 0xEF46DB3751D8E999), (b"a", 0xD24EC4F1A98C6E5B), (b"abc", 0x44BC2CF5AD770999),
                            (b"Nobody inspects the spammish repetition", 0xFBCEA83C8A378BF1)):
            self.assertEqual(archive_values.xxh64(data), value)

    def test_codes_of_all_moves(self):
        """Every legal move has a separate code, and the code decodes to the move."""
        for fen in ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
                    "r2kr3/1P3P2/8/2pPp3/8/8/8/R1K1R3 w EAea c6", "6rk/6pp/8/8/8/QQQQQ3/QQQQQ3/K7 w",
                    "4k3/8/8/8/3pP3/8/1p4p1/R3K2R b KQ e3"):
            position = slow_chess.read_fen(fen)
            moves = list(position.legal_moves())
            codes = [build.code_of(position, move) for move in moves]
            self.assertEqual(len(set(codes)), len(moves))
            self.assertEqual([archive_records.move_of_code(position, code) for code in codes], moves)

    def test_san(self):
        for fen, sans in (
            ("8/5k2/8/8/Q6Q/8/8/Q3K3 w", "Qhd4 Q1d4 Qa4d4 Q4d1 Q1a2"),  # by file, by rank, by both
            ("4k3/8/8/8/1b6/2N5/8/4K1N1 w", "Ne2"),  # the other knight is pinned
            ("k7/8/8/8/8/2N1N3/8/K3N3 w", "Ncd5 Ned5"),
            ("4k3/8/8/2pP4/8/8/8/4K3 w - c6", "dxc6"),
        ):
            position = slow_chess.read_fen(fen)
            legal = [position.san(move) for move in position.legal_moves()]
            self.assertEqual(len(set(legal)), len(legal))
            for san in sans.split():
                self.assertIn(san, legal)

    def test_fen_leniently(self):
        position = slow_chess.read_fen("  4k3/8/8/8/4P3/8/8/4K3   b  -  e3 ")
        self.assertEqual((position.en_passant, position.fullmove), (20, 1))
        self.assertIsNone(slow_chess.read_fen("4k3/8/8/8/8/8/4P3/4K3 b - e3 0 1").en_passant)
        self.assertEqual(slow_chess.read_fen("4k3/8/8/8/8/8/8/1R2KR1R w FB").castling,
                         {(True, "O-O"): 5, (True, "O-O-O"): 1})
        position = slow_chess.read_fen("4k3/8/8/8/8/8/8/4K2R B KQka - 7 99999")
        self.assertEqual((position.white, position.castling, position.fullmove), (False, {(True, "O-O"): 7}, 65535))
        for bad in ("", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 x", "4k3/8/8/8/8/8/8/4K4 w",
                    "4k3/8/8/8/8/8/8/4K3 w W", "4k2P/8/8/8/8/8/8/4K3 w", "4k3/4R3/8/8/8/8/8/4K3 w", "4k3/8/8/4K3 w"):
            with self.assertRaises(ValueError):
                slow_chess.read_fen(bad)

    def test_perft(self):
        """Compares with the published numbers of ../shared/perft: all of one suite, every hundredth position of the
        others."""
        for suite, step, limit in (("tricky", 1, 20000), ("chess960", 100, 3000), ("random", 200, 3000)):
            path = os.path.join(SHARED, "perft", suite + ".perft")
            if not os.path.exists(path):
                self.skipTest("no " + path)
            for fen, counts in perft_cases(path)[::step]:
                try:
                    position = slow_chess.read_fen(fen)
                except ValueError as error:
                    self.assertEqual(str(error), "impossible pieces")
                    continue
                for depth, nodes in counts:
                    if nodes <= limit:
                        self.assertEqual((fen, depth, perft(position, depth)), (fen, depth, nodes))


def perft_cases(path):
    cases = []
    with open(path, encoding="ascii") as file:
        for line in file:
            if line.startswith("epd "):
                cases.append((line[4:].strip(), []))
            elif line.startswith("perft "):
                cases[-1][1].append(tuple(map(int, line.split()[1:])))
    return cases


def perft(position, depth):
    moves = list(position.legal_moves())
    return len(moves) if depth == 1 else sum(perft(position.after(move), depth - 1) for move in moves)


if __name__ == "__main__":
    unittest.main()
