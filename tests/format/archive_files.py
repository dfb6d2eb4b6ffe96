#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the archives in tests/data:

- `good-*` decode.
- `stopped-*` are archives after an interrupted writer.
- `mended-*` have commits with a damaged end, which readers repair.
- `bad-*` are corrupt.
- `unsupported-*` need a later version of the format.

usage: archive_files.py           makes the archives, and tests/data/archives.md, which describes each in a line
       archive_files.py --check   exits with status 1 if a file differs from the archive that would be made, if the
                                  slow decoder and the library return different texts, or if the slow decoder does not
                                  name the violated clause

made_moves.py, made_tags.py and made_frames.py make blocks and archives of each kind with archive_builder.py, which
builds them from doc/format/archive.md, without the library. They therefore follow the format, not the library.
archive_files_test.c compares the library with them.
"""
import io
import os
import re
import subprocess
import sys

import archive_builder as build
import archive_moves
import decode_archive
import slow_adaptive
import slow_predictor
from archive_builder import archive, frame, frequencies, number, style, tags
from archive_values import Violation
from decode_archive_test import INPUT_END, PLAIN, one_game
from made_frames import (appended, appended_commit_changed, bad_listed, bad_table, block_after_table, byte_changed, changed,
                         column, commit_bytes, commit_head_size, committed, counts, directory, doubled, first_end_changed,
                         foreign_block, frame_header, header, hole, inserted, inserted_tags, layout, moves_after_bad_fen,
                         payload_longer, pieces, source_after_table, source_bit, sourced, stored, style_list_zstd, styled,
                         table_bit, tabled, tags_between_lines, text, two_fens, typed_piece, with_frame, without)
from made_moves import (GROUPED, LINE_KINDS, LINE_SIZES, PREDICTED, adaptive, adaptive_alone, adaptive_mated, adaptive_tags,
                        exceptions, extra_tag_after_moves, first_piece, fixed, from_fen, game, games, games_zstd, glyphs,
                        grouped, lanes, line_after_null, line_kinds, line_sizes, lines, mated, not_the_least, null_in_check,
                        piece, plain, predicted, predicted_lines, predicted_more_lines, predicted_tags, predicted_variations,
                        queens, shared, shared_group, shared_last_code_missing, shared_sizes_left_over, shared_stream,
                        shared_unneeded, threshold, two_games, variation, with_tags, without_line_sizes, without_shared_stream,
                        wrapped)
from made_tags import (AFTER_E4, ANN, BEGIN, BOB, CID, CLOSED, CODE, DATES, ENTRIES, EQUAL, FEN, FLANK, INDEXED, LONG, MAP,
                       NAME, NONE, NUMBERS, OPEN, OPENING, PLIES_LESS, PLUS, RECALL, SHARED, TREE, WRITTEN, begins, by_table,
                       clocks, columns_too_large, dates, ends, known_again, many_games, map_of, mapped, mixed, mixed_clocks,
                       mixed_endless, mixed_models, mixed_opening, mixed_plain, mixed_recall, mixed_spelt, moves_too_many,
                       one_column, one_number, openings, players, post_game, ratings, repeats, set_checks, spelt,
                       tags_too_large)
from remember import remember

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")

remember(slow_predictor, "predict", 1)
remember(slow_adaptive, "fixed_logits", 2)

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
    ("good-text-after", "text after the last game, first in its block", lambda: archive([plain(), piece(b"so long", 13)])),
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
    ("good-openings", "codes and names of openings (15.5, Annex B)", openings),
    ("good-ends", "tags that describe the end of a game (15.5, 15.6)", ends),
    ("good-begins", "values that begin with another column's value (15.5)", begins),
    ("good-mixed", "mixed tag values (21): a single column, and two that share a model", mixed),
    ("good-mixed-slots", "the same with more slots", lambda: mixed(slot_bits=22)),
    ("good-mixed-recall", "a column in codec 3 whose key is a column in codec 8 (21.9)", mixed_recall),
    ("good-mixed-opening", "values whose source follows from the game (21.7)", mixed_opening),
    ("good-mapped", "texts that a map has for openings (22)", mapped),
    ("good-mapped-unused", "a map with an entry that no game uses", lambda: mapped(entries=map_of({**ENTRIES, 3607: 1}))),
    ("good-spelt", "spelt texts of two columns (22)", spelt),
    ("good-dates", "dates as days, predicted by the event (22.5)", dates),
    ("good-players", "teams recalled by the player, for both colours (15.5)", players),
    ("good-clocks", "clocks whose differences are coded in three classes (14.9)", clocks),
    ("good-mixed-clocks", "clocks whose differences are mixed (14.13, 14.14)", mixed_clocks),
    ("good-mixed-clocks-maps", "the same with more maps", lambda: mixed_clocks(20)),
    ("good-numbers", "ratings and their changes (15.7)", ratings),
    ("good-repeats", "repeated events, with and without moves before them (4.4)", repeats),
    ("good-groups", "two groups of records (3.6)", many_games),
    ("good-known-again", "texts by index and by rank (15.4, 15.8)", known_again),
    ("good-predicted", "predicted moves, in pairs of strings; a game with null moves is stored as codes",
     lambda: archive([predicted()])),
    ("good-predicted-tags", "the same with tags that the predictor uses (16.5)", lambda: archive([predicted_tags()])),
    ("good-predicted-variations", "predicted moves of nested variations",
     lambda: archive([predicted_variations()])),
    ("good-shared", "moves with shared beginnings, in 33 groups; a game with a FEN tag shares none (19)", shared),
    ("good-lines", "moves in comments (18)", lambda: archive([lines()])),
    ("good-predicted-lines", "the same with predicted moves", lambda: archive([predicted_lines()])),
    ("good-predicted-adaptive", "adaptive moves; a game with null moves is stored as codes",
     lambda: archive([adaptive()])),
    ("good-predicted-adaptive-alone", "one record: the second lane is empty", lambda: archive([adaptive_alone(b"")])),
    ("good-predicted-adaptive-tags", "the same with players, one of them with an empty name (17.2), in two equal blocks",
     lambda: archive([adaptive_tags(), adaptive_tags()])),
    ("good-lanes", "two lanes: games with 4,095 null moves, which are codes, and with 72 moves; games of codes and of six moves",
     lambda: archive([lanes()])),
    ("good-lanes-grouped", "codec 11: the second lane begins with the second group (17.4)",
     lambda: archive([grouped(lanes(GROUPED, 64, least=4096))])),
    ("good-lanes-groups-of-32", "the same with groups of 32 records (3.6)",
     lambda: archive([grouped(lanes(GROUPED, 32, least=4096), 32)])),
    ("good-groups-of-32", "70 games in groups of 32 (3.6)", lambda: many_games(size=32)),
    ("good-groups-of-16", "70 games in groups of 16", lambda: many_games(size=16)),
    ("good-lanes-one", "one lane with all games", lambda: archive([lanes(PREDICTED, 3)])),
    ("good-post-game", "a column that depends on the game uses a later column of the roster (15.1)", post_game),

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

    ("bad-mapped-form", "22.1: numbers that are spelt", lambda: mapped(form=17)),
    ("bad-mapped-unknown", "22.1: an unknown form", lambda: mapped(form=64)),
    ("bad-dates-texts", "22.5: texts that are dates", lambda: mapped(form=DATES)),
    ("bad-dates-plus", "22.5: dates with a plus sign", lambda: dates(NUMBERS + DATES + PLUS)),
    ("bad-dates-codec", "15.3: dates in codec 3", lambda: dates(codec=3)),
    ("bad-dates-last", "22.5: the day after 9999.12.31", lambda: dates(days=2932897)),
    ("bad-dates-first", "22.5: the day before 0001.01.01", lambda: dates(days=-719163)),
    ("bad-mapped-streams", "22.1: four streams", lambda: mapped(more=[])),
    ("bad-mapped-spelt", "22.1: spelt texts in a form without them", lambda: mapped(more=[map_of(ENTRIES), b"\0"])),
    ("bad-mapped-codec", "15.5: a map in codec 3", lambda: mapped(more=[], codec=3)),
    ("bad-mapped-recall", "15.5: a recall by the opening in codec 10", lambda: mapped(sources=[(RECALL, OPENING)])),
    ("bad-mapped-fact", "15.5: a map from another fact", lambda: mapped(sources=[(MAP, CODE)])),
    ("bad-mapped-step", "22.2: an entry for opening 0", lambda: mapped(entries=map_of({**ENTRIES, 0: 0}))),
    ("bad-mapped-large", "22.2: an entry for opening 3,608", lambda: mapped(entries=map_of({**ENTRIES, 3608: 1}))),
    ("bad-mapped-none", "15.5: an opening without an entry", lambda: mapped(entries=map_of({OPEN: 0, CLOSED: 0}))),
    ("bad-mapped-text", "15.4: an entry with a text that does not exist", lambda: mapped(entries=map_of({**ENTRIES, CLOSED: 3}))),
    ("bad-mapped-source", "22.2: a map without a source", lambda: mapped(sources=[(EQUAL, CODE)])),
    ("bad-spelt-literals", "22.3: literals beside spelt texts", lambda: spelt(literals=(ANN,))),
    ("bad-spelt-none", "22.1: five streams of spelt texts", lambda: spelt(more=[b""])),
    ("bad-spelt-alone", "15.3: texts that are not spelt, with a dictionary of spelt texts", lambda: spelt(second=SHARED + INDEXED)),
    ("bad-spelt-size", "22.3: a size of more than 32 times the string plus 4,096",
     lambda: spelt(change=lambda size, string: (32 * len(string) + 4097, string))),
    ("bad-spelt-short", "22.3: more texts than the size allows", lambda: spelt(change=lambda size, string: (size - 1, string))),
    ("bad-spelt-unused", "22.3: a text that is not used", lambda: spelt(texts=(ANN, BOB, CID, CID))),
    ("bad-spelt-long", "17.2: a string longer than it need be",
     lambda: spelt(change=lambda size, string: (size, string + b"\0"))),
    ("bad-mixed-long", "17.2: a string longer than it need be", lambda: mixed(change=lambda string: string + b"\0")),
    ("bad-mixed-plain", "21.1: a plain size of more than 1,024 for each byte", mixed_plain),
    ("bad-mixed-endless", "21.8: values that are longer than their column", mixed_endless),
    ("bad-mixed-spelt", "21.8: more spelt bytes than 32 for each stored byte", mixed_spelt),
    ("bad-tags-too-large", "3.7: tag columns larger than the text", tags_too_large),
    ("bad-columns-too-large", "3.7: columns too large for the text", columns_too_large),
    ("bad-moves-too-many", "3.7: more moves than the text can have", moves_too_many),
    ("bad-mixed-slots-few", "21.2: 2^11 slots", lambda: mixed(slot_bits=11)),
    ("bad-mixed-slots-many", "21.2: 2^23 slots", lambda: mixed(slot_bits=23)),
    ("bad-mixed-source", "21.2: a source that is the column itself", lambda: mixed(sources=b"\0")),
    ("bad-mixed-sources", "21.2: four sources", lambda: mixed(sources=b"\0\0\0\0")),
    ("bad-mixed-shared", "21.2: no column before it to share a model with", lambda: mixed(slot_bits=12, shared=True)),
    ("bad-mixed-models", "21.2: nine models", lambda: mixed_models(9, 12)),
    ("bad-mixed-memory", "21.2: too many slots together", lambda: mixed_models(4, 22)),

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
    ("bad-payload-size", "2.1: a block's payload over the limit", lambda: frame_header(8, number(2 ** 28 + 1, 8))),
    ("bad-commit-size", "1.3: no commit, because its payload is over the limit", lambda: commit_bytes(0, bytes(30838))),
    ("bad-source-size", "2.1: a source's payload over the limit", lambda: sourced((0, 8, 4124 * b"a" + b"\0"))),
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
    ("bad-tags-form", "15.3: an unknown form", lambda: one_column(tags(16, [], [0], b"a"), LONG)),
    ("bad-tags-sources", "15.3: five sources", lambda: one_column(tags(0, [(RECALL, OPENING)] * 5, [5], b"a"), LONG)),
    ("bad-tags-kind", "15.5: an unknown kind", lambda: one_column(tags(0, [(3, OPENING)], [1], b"a"), LONG)),
    ("bad-tags-fact", "15.5: an unknown fact", lambda: one_column(tags(0, [(EQUAL, 71)], [1], b"a"), LONG)),
    ("bad-tags-opening", "15.5: an opening is no text", lambda: one_column(tags(0, [(EQUAL, OPENING)], [1], b"a"), LONG)),
    ("bad-tags-recall", "15.5: a text of the game as a key", lambda: one_column(tags(0, [(RECALL, CODE)], [1], b"a"), LONG)),
    ("bad-tags-begin", "15.5: a beginning that is not a column", lambda: one_column(tags(0, [(BEGIN, NAME)], [1], b"a"), LONG)),
    ("bad-tags-after", "15.5: a source that is not before the column", lambda: one_column(tags(0, [(EQUAL, 0)], [1], b"a"), LONG)),
    ("bad-tags-other", "15.3: a context of a column that does not exist", lambda: one_column(tags(0, [], [0], b"a", others=(64, NONE)), LONG)),
    ("bad-tags-context", "14.11: a context that does not exist", lambda: one_column(tags(0, [], [0], b"a", tree=b"\7\0\0\0"), LONG)),
    ("bad-tags-classes", "15.3: nine classes", lambda: one_column(
        tags(0, [], [0], b"a", classes=9, tree=bytes([0, 1, 2, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 0])), (b"a" * 160, ""))),
    ("bad-tags-shared", "15.3: no column before", lambda: one_column(tags(SHARED, [], [0], b"a"), LONG)),
    ("bad-tags-shared-kind", "15.3: a column before that is another", lambda: players(SHARED | INDEXED)),
    ("bad-tags-recalled", "15.5: nothing to recall", lambda: one_column(tags(0, [(RECALL, OPENING)], [0]), (b"a" * 80, "e4"))),
    ("bad-tags-no-opening", "15.5: the code of a game without opening", lambda: one_column(tags(0, [(EQUAL, CODE)], [0]), LONG)),
    ("bad-tags-no-moves", "15.5: the plies less one of a game without moves", lambda: one_column(tags(0, [(EQUAL, PLIES_LESS)], [0]), LONG)),
    ("bad-tags-no-value", "15.5: a column without a value",
     lambda: by_table((b"A", b"B"), (None, tags(0, [(EQUAL, 0)], [1, 0], b"a")), (b"a", b"a"), (None, b"a" * 80))),
    ("bad-tags-made", "15.5: a recalled value that was derived from the game",
     lambda: by_table((b"A", b"B"), (tags(0, [(EQUAL, FEN)], [0]), tags(0, [(EQUAL, 0)], [0])), 2 * [AFTER_E4])),
    ("bad-tags-tail", "15.5: a source where a text is to be",
     lambda: by_table((b"A", b"B"), (None, tags(0, [(BEGIN, 0)], [0, 0])), (b"a", b"a" * 80))),
    ("bad-tags-index", "15.4: an index without a text", lambda: one_column(tags(INDEXED, [], [1]), LONG)),
    ("bad-tags-rank", "15.4: a rank without a text", lambda: one_column(tags(0, [], [1]), LONG)),
    ("bad-tags-older", "15.4: a reference to an older text when there is none", lambda: one_column(tags(0, [], [14]), LONG)),
    ("bad-tags-bits", "14.7: too few bits", lambda: one_column(tags(0, [], [32], bits=b""), LONG)),
    ("bad-tags-left-over", "14.9: a symbol too many", lambda: one_column(tags(0, [], [0, 1] + 40 * [1], b"a" * 80), LONG, LONG)),
    ("bad-tags-literal", "15.2: a literal too many", lambda: one_column(tags(0, [], [0, 1], b"a" * 80, b"a"), LONG, LONG)),
    ("bad-tags-size", "3.2: texts of the game that are longer than the column",
     lambda: one_column(tags(0, [(EQUAL, NAME)], [0] * 8), *8 * [(b"a" * 10, "e4")])),
    ("bad-tags-fen", "15.5: a FEN tag that depends on the game",
     lambda: one_column(tags(0, [(EQUAL, FEN)], [0]), (AFTER_E4, ""), name=b"FEN")),
    ("bad-number-key", "15.7: a key that no column has", lambda: one_number(tags(1, [(65, NONE, 4)], [1] + 29 * [0]), b"001")),
    ("bad-number-base", "15.7: a base that no column has", lambda: one_number(tags(1, [(64, 64, 4)], [1] + 29 * [0]), b"001")),
    ("bad-number-factors", "15.7: unknown factors", lambda: one_number(tags(1, [(64, NONE, 9)], [1] + 29 * [0]), b"001")),
    ("bad-number-short", "14.9: a residual too few", lambda: one_number(tags(1, [], [2 ** 14, 1] * 14 + [1]), b"1" * 10)),
    ("bad-number-large", "15.7: a number over 2^24", lambda: one_number(tags(1, [], [2 ** 24 + 1] * 30), b"16777217" * 2)),

    # ---- coded symbols
    ("bad-coded-flag", "14.5: symbols that are neither bytes nor coded",
     lambda: clocks(flag=3)),
    ("bad-mixed-clocks-few", "14.13: 2^11 maps", lambda: mixed_clocks(parameter=11)),
    ("bad-mixed-clocks-many", "14.13: 2^21 maps", lambda: mixed_clocks(parameter=21)),
    ("bad-mixed-clocks-bits", "14.13: bits of a mixed key", lambda: mixed_clocks(bits=b"\0")),
    ("bad-mixed-clocks-long", "17.2: a string longer than it need be", lambda: mixed_clocks(change=lambda string: string + b"\1")),
    ("bad-mixed-clocks-large", "14.14: a residual of 55 bits",
     lambda: mixed_clocks(change=lambda string: b"\xff" * 40)),
    ("bad-coded-context", "14.11: a context that does not exist", lambda: clocks(b"\7" + TREE[1:])),
    ("bad-coded-place", "14.11: a cut through a fourth context", lambda: clocks(TREE[:3] + b"\x34\0\0", WRITTEN[:2])),
    ("bad-coded-cut", "14.11: a cut with nothing below it", lambda: clocks(TREE[:5] + b"\x03\0\0")),
    ("bad-coded-classes", "14.11: 33 classes",
     lambda: clocks(bytes([0, 1, 2]) + bytes(node for cut in range(48) if cut % 16 for node in (cut, 0))[:64] + b"\0")),
    ("bad-coded-sum", "14.12: frequencies that sum to more", lambda: clocks(written=[frequencies({1: 1001, 128: 1048})] + WRITTEN[1:])),
    ("bad-coded-none", "14.12: a class without frequencies", lambda: clocks(written=[b"\0"] + WRITTEN[1:])),
    ("bad-coded-state", "14.9: a state below 2^16", lambda: clocks(change=lambda stream: b"\0\0\0\0" + stream[4:])),
    ("bad-coded-end", "14.9: a last state that is not 2^16", lambda: clocks(state=2 ** 16 + 1)),
    ("bad-coded-short", "14.9: a word too few", lambda: clocks(change=lambda stream: stream[:-2])),
    ("bad-coded-left-over", "14.9: a word too many", lambda: clocks(change=lambda stream: stream + b"\0\0")),

    # ---- predicted moves
    ("bad-predicted-more", "16.1: more moves than the events say", lambda: archive([predicted(plain_size=83)])),
    ("bad-predicted-streams", "16.1: four streams", lambda: archive([predicted(count=4)])),
    ("bad-predicted-long", "16.3: a string longer than it need be",
     lambda: archive([predicted(lambda strings: [strings[0] + "0000"] + strings[1:])])),
    ("bad-predicted-other", "16.2: a string that is not the least",
     lambda: archive([not_the_least()])),
    ("bad-predicted-codes", "16.2: codes that are missing", lambda: archive([predicted(codes=b"")])),
    ("bad-predicted-codes-more", "16.2: a code too many",
     lambda: archive([predicted(codes=predicted().columns["moves"][72:76] + b"\0")])),
    ("bad-predicted-mate", "16.2: a move in a position without legal moves", lambda: archive([mated()])),
    ("bad-predicted-gap", "16.3: a bit that is not 0 between two strings", lambda: archive([predicted(gap="1")])),
    ("bad-predicted-tail", "16.3: bytes after the last area", lambda: archive([predicted(tail="0" * 8)])),
    ("bad-predicted-size", "16.4: an area of less than no unit", lambda: archive([predicted(less=1000)])),
    ("bad-predicted-adaptive-more", "17.1: more moves than the events say", lambda: archive([adaptive(more_moves=1)])),
    ("bad-predicted-adaptive-streams", "17.1: three streams", lambda: archive([adaptive(count=3)])),
    ("bad-predicted-adaptive-parameters", "17.1: parameters that are too long", lambda: archive([adaptive(tail=b"\0")])),
    ("bad-predicted-adaptive-long", "17.2: a string longer than it need be",
     lambda: archive([adaptive(change=lambda string: string + b"\0")])),
    ("bad-predicted-adaptive-second", "17.2: the same in the second lane",
     lambda: archive([adaptive(change=lambda string: string + b"\0", lane=1)])),
    ("bad-predicted-adaptive-lane", "17.2: a string of no record", lambda: archive([adaptive_alone(b"\1")])),
    ("bad-predicted-adaptive-codes", "17.2: codes that are missing", lambda: archive([adaptive(codes=b"")])),
    ("bad-lanes-more", "17.3: more moves than the events say", lambda: archive([lanes(more_moves=1)])),
    ("bad-lanes-streams", "17.3: four streams", lambda: archive([lanes(count=4)])),
    ("bad-lanes-few-streams", "17.3: two streams", lambda: archive([lanes(count=2)])),
    ("bad-lanes-parameters", "17.3: parameters that are too long", lambda: archive([lanes(tail=b"\0")])),
    ("bad-lanes-least", "17.4: lanes of 4,095 moves", lambda: archive([grouped(lanes(GROUPED, 64, least=4095))])),
    ("bad-lanes-late-group", "17.2: a lane that ends a group of 32 late",
     lambda: archive([grouped(lanes(GROUPED, 64, least=4096), 32)])),
    ("bad-groups-of-8", "3.6: checks of groups of 8 records", lambda: many_games(size=8)),
    ("bad-groups-too-few", "3.6: two checks of groups of 32 for 70 games", lambda: many_games(
        lambda block: block.columns.update({"checks": block.columns["checks"][:8]}), 32)),
    ("bad-lanes-in-a-group", "3.1: a lane that begins within a group", lambda: archive([grouped(lanes(GROUPED, 1, least=4096))])),
    ("bad-lanes-late", "17.3: one lane of too many moves", lambda: archive([lanes(first=4)])),
    ("bad-lanes-long", "17.2: a string longer than it need be", lambda: archive([lanes(ends=(b"\0", b""))])),
    ("bad-lanes-last", "17.2: the same in the last lane", lambda: archive([lanes(ends=(b"", b"\0"))])),
    ("bad-lanes-string", "17.2: the first byte of a string belongs to the lane before", lambda: archive([lanes(moved=(1, 0))])),
    ("bad-lanes-codes", "17.2: the first code of a lane belongs to the lane before", lambda: archive([lanes(moved=(0, 1))])),
    ("bad-predicted-adaptive-mate", "17.2: a move in a position without legal moves", lambda: archive([adaptive_mated()])),
    ("bad-predicted-flag", "16.4: sizes that are neither bytes nor coded", lambda: archive([predicted(flag=2)])),

    # ---- shared beginnings
    ("bad-shared-more", "19.1: more moves than the events say", lambda: shared(more=1)),
    ("bad-shared-streams", "19.1: six streams", lambda: shared(change=without_shared_stream)),
    ("bad-shared-order", "19.2: children that do not ascend", lambda: shared_stream(1, 0, b"\xff")),
    ("bad-shared-children", "19.2: a missing child", lambda: shared_stream(0, 0, b"\x70")),
    ("bad-shared-nodes", "19.2: nodes after the last", lambda: shared_stream(0, 0, b"\1")),
    ("bad-shared-number", "19.2: a node that does not exist", lambda: shared_stream(4, 7, b"\1")),
    ("bad-shared-numbers", "19.2: records without a number", lambda: shared_stream(3, 129, b"", 130)),
    ("bad-shared-deep", "19.2: a beginning that is longer than the game", lambda: shared_stream(2, 7, b"\5")),
    ("bad-shared-unneeded", "19.2: a node that no record needs", lambda: shared(change=shared_unneeded)),
    ("bad-shared-set-up", "19.2: a game with a FEN tag that shares its beginning", lambda: shared(apart=())),
    ("bad-shared-group-short", "19.3: a group that ends early", lambda: shared_group(8, lambda group: group[:-1])),
    ("bad-shared-group-long", "19.3: a group that ends late", lambda: shared_group(1, lambda group: group + b"\0")),
    ("bad-shared-group-filled", "19.3: a bit after a group's last code",
     lambda: shared_group(0, lambda group: group[:-1] + bytes([group[-1] | 128]))),
    ("bad-shared-sizes", "19.3: a size that no group has", lambda: shared(change=shared_sizes_left_over)),
    ("bad-shared-no-code", "19.3: bits that are no Huffman code", lambda: shared(change=shared_last_code_missing)),
    ("bad-shared-lengths", "19.4: too few lengths", lambda: shared_stream(6, 1023, b"", 1024)),
    ("bad-shared-long", "19.4: a Huffman code of twelve bits", lambda: shared_stream(6, 1023, b"\xc0")),
    ("bad-shared-codes", "19.4: three Huffman codes of one bit", lambda: shared_stream(6, 1022, b"\x11\1")),
    ("bad-shared-left-over", "19.1: a byte after the last group", lambda: shared(tail=b"\0")),

    # ---- lines in comments
    ("bad-lines-kind", "18.2: an unknown kind of line", lambda: line_kinds(6, 121)),
    ("bad-lines-marks", "18.2: a mark too many in the comments", lambda: archive([lines(marks=7, sizes=LINE_SIZES[:7])])),
    ("bad-lines-marks-more", "18.2: a mark too few",
     lambda: archive([lines(marks=9, sizes=LINE_SIZES + (0,), kinds=LINE_KINDS + ([0],))])),
    ("bad-lines-itself", "18.2: a mark without a line that has moves", lambda: line_sizes(0, 1)),
    ("bad-lines-early", "18.2: a line before the movetext", lambda: line_kinds(0, 1)),
    ("bad-lines-no-move", "18.2: no move was played before the line", line_after_null),
    ("bad-lines-none", "18.2: a line of no moves", lambda: line_sizes(6, 0)),
    ("bad-lines-null", "18.2: a null move in a line",
     lambda: archive([lines(change=lambda codes: codes[:-1] + b"\xff")])),
    ("bad-lines-code", "5.2: a code in a line that is not a legal move",
     lambda: archive([lines(change=lambda codes: codes[:-1] + b"\xfe")])),
    ("bad-lines-break", "18.2: a line end after the last move", lambda: line_kinds(3, 11, 1, 2)),
    ("bad-lines-break-twice", "18.2: a line end twice", lambda: line_kinds(3, 11, 2, 1, 0)),
    ("bad-lines-no-breaks", "18.2: none of the line ends that it should have", lambda: line_kinds(3, 11, 0)),
    ("bad-lines-known", "18.3: a known line that does not exist", lambda: line_kinds(4, 49, 2)),
    ("bad-lines-shared", "18.3: more moves than the known line has", lambda: line_kinds(4, 25, 3)),
    ("bad-lines-shared-none", "18.3: no move of the known line", lambda: line_kinds(4, 25, 0)),
    ("bad-lines-before-known", "18.3: a known line before the last move", lambda: line_kinds(4, 27, 2)),
    ("bad-lines-reply", "18.4: no reply was expected", lambda: line_kinds(6, 4)),
    ("bad-lines-reply-moves", "18.4: a reply and moves", lambda: line_sizes(7, 1)),
    ("bad-lines-left-over", "3.5: unused kinds of lines", lambda: archive([lines(kinds=LINE_KINDS + ([0],))])),
    ("bad-lines-sizes", "3.5: no sizes of lines", without_line_sizes),
    ("bad-lines-more", "16.1: more moves of lines than their sizes say", lambda: archive([predicted_more_lines()])),

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
    ("unsupported-weights", "16.1: moves coded with other weights", lambda: archive([predicted(name=1)])),
    ("unsupported-second-weights", "17.1: moves coded with another second stage",
     lambda: archive([adaptive(names=(archive_moves.the_weights()[0], 1))])),
    ("unsupported-lanes-weights", "17.3: other weights of the second stage of lanes",
     lambda: archive([lanes(PREDICTED, 3, names=(archive_moves.the_weights()[0], 1))])),
    ("unsupported-codec", "3.3: a column of unknown codec", lambda: stored(b"????", 100, 200)),
]


def list_of_archives():
    lines = ["# Test archives", "", "Made by tests/format/archive_files.py. Each archive tests one property. A number is the clause of the format.", ""]
    lines += ["- `%s.stamma`: %s" % (name, description) for name, description, _ in FILES]
    return "\n".join(lines).encode() + b"\n"


def wrong_files(made):
    """Returns the names of the files that differ from the archives that would be made."""
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
