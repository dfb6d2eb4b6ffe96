# SPDX-License-Identifier: MIT
"""Blocks for archive_files.py: tag columns in codecs 3, 8 and 10, and clocks."""
import archive_tags
import mixed_builder
import slow_chess
from archive_builder import Block, archive, coded, fields, folded, frequencies, residual_streams, slots_of, tags, varint
from decode_archive_test import add_record, one_game
from made_frames import changed
from made_moves import EMPTY_GAPS, game, with_tags


# ---- tag columns in codec 3 (15): each game is (tags of its roster, moves, extra tags)

OPENING, CODE, NAME, FEN, FEN_FIELDS, PLIES, PLIES_LESS = range(64, 71)
EQUAL, RECALL, BEGIN, MAP = range(4)
NUMBERS, SHARED, INDEXED, PLUS, FIELDS, SPELT, DATES = 1, 2, 4, 4, 8, 16, 32
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
    """Returns an archive of games without moves. Each game is a list of the columns' values; None means that the tag is
    missing."""
    return by_column(dict(zip(names, stored)),
                     *[([(name, value) for name, value in zip(names, game) if value is not None], "", []) for game in games])


# ---- codec 8 (21) ----

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
    """Returns an archive with a string of zeros, and a text size that is large enough for everything that the string
    could spell."""
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


def many_games(change=lambda block: None, size=64):
    """Returns an archive of seventy games without moves, in groups of `size` records (3.6)."""
    games = 70
    block = Block(tag_lines([(b"A", b"b")]) * games)
    block.counts["games"] = games
    block.add("roster-list", varint(1) + varint(0))
    for _ in range(games):
        block.add(("tag", b"A"), b"b\0")
        add_record(block, "0:1")
    block.add("style-list", EMPTY_GAPS)
    block.check_groups([tag_lines([(b"A", b"b")])] * games, size)
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
    """Returns an archive with codes and names of openings: with a transposition, with another name for the same
    opening, and without a name for a game from a set-up."""
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


def number_of(position):
    """Returns the number of an opening, from the placement and side of its position."""
    return archive_tags.read_openings()[position][0]


OPEN, CLOSED, FLANK = (number_of(position) for position in (
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w", "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w",
    "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b"))
ENTRIES = {FLANK: 0, OPEN: 0, CLOSED: 1}  # a new text, another, and the text before


def map_of(entries):
    numbers = sorted(entries)
    return b"".join(varint(number - before) + varint(entries[number]) for number, before in zip(numbers, [0] + numbers))


IN_FLANK, USUAL, IRREGULAR = b"An opening on the flank", b"A game of the usual kind", b"An irregular opening"


def mapped(form=0, sources=((MAP, OPENING),), entries=map_of(ENTRIES), more=None, codec=10):
    """Returns an archive with texts that a map has for openings (22.2), and with a text that it does not have."""
    games = [("c4", IN_FLANK), ("e4 e5", USUAL), ("d4 d5", USUAL), ("e4 e5", IRREGULAR), ("c4", IRREGULAR), ("", IRREGULAR),
             ("c4", IN_FLANK), ("c4", IN_FLANK)]
    streams = [entries] if more is None else more
    stored = tags(form, list(sources), [0, 0, 0, 1, 2, 2, 0, 0], IN_FLANK, USUAL, IRREGULAR, more=streams)
    return by_column({b"Kind": (codec, stored)}, *[([(b"Kind", value)], sans, []) for sans, value in games])


def dates(form=NUMBERS + DATES, last=b"9999.12.31", days=2932896, codec=10):
    """Returns an archive with dates: the first and the last day, leap days, a literal, and dates of the same event."""
    a, b, c = (b"The tournament of the year in the town of " + name for name in (b"Hastings", b"Nuremberg", b"Budapest"))
    games = [(a, b"0001.01.01"), (b, b"2000.02.29"), (b, b"2000.03.01"), (a, b"1900.02.28"), (a, b"1900.03.01"),
             (c, b"2024.??.??"), (b, last)] + [(a, b"1900.03.%02d" % day) for day in range(2, 25)]
    residuals = [-719162, 730178, 1, 693653, 1, None, days - 11017] + 23 * [1]
    stored = codec, tags(form, [(0, NONE, 4), (64, NONE, 4)], residuals, b"2024.??.??", more=[b""] if codec == 10 else [])
    return by_table((b"Event", b"Date"), (tags(0, [], [0, 0, 1, 2, 1, 0, 3, 3] + 22 * [1], a, b, c), stored), *games)


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


def spelt(form=SPELT + INDEXED, second=SPELT + INDEXED + SHARED, texts=(ANN, BOB, CID), more=None, literals=(), **options):
    """Returns an archive with players of both colours whose names are spelt (22.3)."""
    games = [(ANN, BOB), (BOB, ANN), (CID, ANN), (ANN, CID), (BOB, CID)]
    streams = [b"", mixed_builder.spelt(*texts, **options)] if more is None else more
    stored = ((10, tags(form, [], [0, 2, 0, 1, 2], *literals, more=streams)),
              (10, tags(second, [], [0, 1, 1, 3, 3], more=[b""])))
    return by_table((b"White", b"Black"), stored, *games)


def known_again():
    """Returns an archive with texts by index and by rank. It has more than 13 texts, so that the first texts lose their
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
    """Returns an archive of thirty games with one tag each, of this value."""
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
# Splits by position at 4; positions from 4 on are split at 2 by the bits of the last residual.
TREE = bytes([0, 1, 0, 0x04, 0, 0x12, 0, 0])
CLASSES = [{1: 1000, 128: 1048}, {0: 500, 1: 1000, 9: 500, 13: 24, 27: 24}, {1: 2047, 2: 1}]
WRITTEN = list(map(frequencies, CLASSES))


def clocks(tree=TREE, written=WRITTEN, flag=1, state=2 ** 16, change=lambda stream: stream):
    """Returns an archive of a game with 14 clocks and no moves, coded in three classes (14.9 to 14.12)."""
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
    """Returns an archive of these and further clocks, in the mixed coder (14.13)."""
    values = CLOCKS + [CLOCKS[n % 14] + 10 * (n * n % 7) for n in range(60)]
    given = [(clock - before) // 10 for clock, before in zip(values, [0, 0] + values)]
    string = mixed_builder.numbers(given, map_bits, divisor=10)
    parameters = bytes([2, 0, 0, 10, 2, map_bits if parameter is None else parameter])
    return with_clocks(values, parameters, change(string), bits)
