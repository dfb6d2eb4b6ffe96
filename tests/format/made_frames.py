# SPDX-License-Identifier: MIT
"""Archives for archive_files.py: with one changed block; of other files, frames and commits; with pieces of games and
unusual tags."""
import archive_builder as build
import slow_chess
from archive_builder import archive, commit, entry, frame, number, style, varint, zstd
from decode_archive_test import COMMENT, INPUT_END, PLAIN, TAG, context, one_game
from made_moves import exceptions, game, piece, plain, with_tags


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
    """Returns an archive of a block with this payload. The commit has the totals of `block`."""
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
    """Returns an archive that was appended to. Each part is a number of blocks and the block with which the table
    before the part's commit begins (None: no table). `change` may alter the last table; `after` contains bytes after
    it."""
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
    """Returns an archive of two blocks with a table in which these numbers are added to the last block's numbers."""
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
    """Returns an archive of a block of 8 bytes of text with these sources. Each source is a list of arguments of
    build.source()."""
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
    """Returns an archive of two commits. A bit of the second commit is flipped."""
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
