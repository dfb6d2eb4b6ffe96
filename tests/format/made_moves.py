# SPDX-License-Identifier: MIT
"""Blocks for archive_files.py: texts, games, and moves in each codec."""
import functools

import archive_builder as build
import archive_moves
import predicted_builder
import slow_chess
from archive_builder import Block, archive, style, varint
from decode_archive_test import (BLACK, COMMENT, INPUT_END, PLAIN, RECORD_END, add_record, context, events, games_block,
                                 last_record, one_game)

EMPTY_GAPS = style({before << 4 | after: b"" for before in range(15) for after in range(16)})
MANY_QUEENS = b"6rk/6pp/8/8/8/QQQQQ3/QQQQQ3/K7 w"


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
    """Like game(), but with these tags in a roster."""
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


# ---- predicted moves (16) ----

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
    """Returns a block with a string that is as long as the correct string and decodes to the same moves, but is a
    larger number."""
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


# ---- shared beginnings (19) ----

OPENED = ("e4 e5 Nf3 Nc6", "e4 e5 Nf3 Nf6", "e4 c5 Nf3", "d4 d5 c4", "d4 Nf6 c4 e6 Nc3", "e4", "c4 -- e4", "")
INITIAL = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SET_UP = 77  # number of a game with a FEN tag whose moves begin like the moves of other games


@functools.lru_cache(maxsize=None)
def codes_of(sans):
    return Block.codes(sans, slow_chess.START)


def shared_sans():
    """Yields the moves of 130 games, many of them similar. They form 33 groups; the last group has two games."""
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


# ---- lines in comments (18) ----

LINE_TEXTS = b"a\2\0", b"pv=\2 x\2\0", b"\2\2\0", b"\2\0", b"\2\0", b"\2\0"
LINE_KINDS = [0], [2], [29, 2], [11, 1, 1], [25, 2], [18, 1, 1], [1], [4]
LINE_SIZES = 0, 3, 0, 2, 1, 1, 1, 0
# For each line, the moves before its own moves, and its own moves.
LINE_MOVES = ("e4", "e5 Nf3 Nc6"), ("e4", "c5 Nf3"), ("e4 e5 Nf3 Nc6", "Bb5"), ("e4 c5", "Nf3"), ("e4 e5 Nf3", "Nc6")
LINE_RESULT = b"{a\2}e4{pv=e4 e5 Nf3 Nc6 xe7e5 g1f3}e5{c5\nNf3Nf3 Nc6 Bb5}(c5{c5\r\nNf3})Nf3{Nc6%b}Nc6Bb5{Nc6}"
LINE_MORE = " Ng1 Nb8 Nf3 Nc6" * 20


def lines(kinds=LINE_KINDS, sizes=LINE_SIZES, marks=len(LINE_SIZES), texts=LINE_TEXTS, change=lambda codes: codes, more=""):
    """Returns a block with lines in comments of all kinds: a mark byte as text, known and unknown moves, line ends, a
    line in a variation, a reply."""
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


# ---- adaptive moves (17) ----

NAMED = [(b"White", b"Anderssen, Adolf"), (b"Black", b""), *RATED]


def adaptive(games=PREDICTED, values=(None,) * 6, codes=None, more_moves=0, **more):
    """Like predicted(), but with moves in codec 5."""
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
GROUPED = LANES[0] + " --", *63 * ["e4"], "d4 d5", "c4"  # the second lane begins with the second group


def lanes(games=LANES, first=2, values=(None,) * 6, more_moves=0, ends=(b"", b""), **more):
    """Like predicted(), but with moves in codec 9, or 11 with `least`. The first lane has `first` games."""
    block, lines = predicted(games=games), [moves.split() for moves in games]
    stored, at = [], 0
    for words in lines:
        stored.append(block.columns["moves"][at:at + len(words)] if "--" in words else b"")
        at += len(words)
    parts = [(lines[:first], b"".join(stored[:first]), ends[0]), (lines[first:], b"".join(stored[first:]), ends[1])]
    codec = 11 if more.get("least") else 9
    block.rules["moves"] = codec, predicted_builder.lanes(parts if lines[first:] else parts[:1], values, **more)
    if more_moves:
        block.columns["moves"] += bytes(more_moves)
    return block


def grouped(block, size=64):
    """Returns the block of GROUPED with the checks of its groups of `size` records."""
    block.check_groups([moves.replace(" ", "").encode() for moves in GROUPED], size)
    return block
