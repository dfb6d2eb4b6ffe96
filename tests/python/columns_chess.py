# SPDX-License-Identifier: MIT
"""Compares every value of the three tables with the data that python-chess reads from the PGN. See columns.sh.

usage: columns_chess.py GAMES [CORPUS...]     number of games of each corpus; "": 40 of the development corpora
"""
import bisect
import datetime
import hashlib
import io
import multiprocessing
import os
import re
import struct
import subprocess
import sys
import tempfile
from collections import Counter

import chess
import chess.pgn

import columns_library as columns

CHUNK = 200       # games that are compared at once
LINES_MAX = 5     # differences that are printed for each corpus and column
NOT_READ = object()  # python-chess does not read the value
chess.pgn.LOGGER.disabled = True


# ---- the PGN ----

def sample(path, games):
    """Returns the first games of a file as bytes, and their number."""
    unpack = subprocess.Popen(["zstd", "-dcq", "--long=27", path], stdout=subprocess.PIPE)
    lines, count = [], 0
    for line in unpack.stdout:
        count += line.startswith(b"[Event ")
        if count > games:
            break
        lines.append(line)
    unpack.kill()
    unpack.wait()
    unpack.stdout.close()
    return b"".join(lines), min(count, games)


DRAWS = ("1/2", "0.5-0.5", "\xBD-\xBD", "\xBD")


def utf8(text):
    """Returns a text that was decoded with surrogateescape in the form of the tables: text that is not UTF-8 is decoded
    as Windows-1252."""
    if text.isprintable() or is_clean(text):
        return text
    return "".join(chr(byte) if byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else bytes([byte]).decode("cp1252")
                   for byte in text.encode("utf-8", "surrogateescape"))


def is_clean(text):
    return not any("\udc80" <= c <= "\udcff" for c in text)


class Reader(chess.pgn.GameBuilder):
    """Also collects the tags as written, and the comments, NAGs and the result of the main line."""

    def begin_game(self):
        super().begin_game()
        self.game.tags, self.game.main_comments, self.game.main_nags, self.game.end, self.plies = {}, [], [], None, 0

    def visit_header(self, name, value):
        super().visit_header(name, value)
        several = re.search(r'"\s*\]\s*\[', value)  # several tags on one line, which python-chess reads as one tag
        self.game.tags.setdefault(name, NOT_READ if several else utf8(re.sub(r'\\(["\\])', r"\1", value)))

    def visit_move(self, board, move):
        super().visit_move(board, move)
        self.plies += len(self.variation_stack) == 1

    def visit_comment(self, comment):
        super().visit_comment(comment)
        if len(self.variation_stack) == 1:
            self.game.main_comments.append({"ply": self.plies, "text": utf8(comment)})

    def visit_nag(self, nag):
        super().visit_nag(nag)
        if len(self.variation_stack) == 1:
            self.game.main_nags.append({"ply": self.plies, "nag": nag})

    def visit_result(self, result):
        super().visit_result(result)
        self.game.end = self.game.end or result


# ---- values of tags ----

def column_of(tag):
    """Returns the name of the column of a tag: TimeControl is time_control, UTCDate utc_date."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", tag)
    return re.sub(r"[^a-z0-9]", "_", words.lower())


def rating(text):
    found = re.fullmatch(r"[ \t]*(\d{1,4})\??[ \t]*", text or "")
    return int(found.group(1)) or None if found else None


def date_of(tags):
    """Returns the columns date and date_precision."""
    for tag in ("Date", "UTCDate"):
        found = re.fullmatch(r"(\d{4})(?:[./-](\d\d?|\?\?)(?:[./-](\d\d?|\?\?))?)?", tags.get(tag, "").strip(" \t"))
        if not found or found.group(1) == "0000":
            continue
        year, month, day = (int(part) if part and part.isdigit() else 0 for part in found.groups())
        if not 1 <= month <= 12:
            return datetime.date(year, 1, 1), "year"
        try:
            return datetime.date(year, month, day), "day"
        except ValueError:
            return datetime.date(year, month, 1), "month"
    return None, None


def change_of(text):
    """Returns the change of a rating as a number."""
    return int(text) if re.fullmatch(r"[+-]?\d{1,4}", text or "") else None


def timestamp_of(tags):
    """Returns the time at which a game began."""
    day, precision = date_of({"Date": tags.get("UTCDate", "")})
    found = re.match(r"([01]\d|2[0-3]):([0-5]\d):([0-5]\d)", tags.get("UTCTime", ""))
    if precision != "day" or not found:
        return None
    return datetime.datetime.combine(day, datetime.time(*map(int, found.groups())), datetime.timezone.utc)


def control_of(text):
    """Returns base_seconds, increment_seconds and speed."""
    if text == "-":
        return None, None, "correspondence"
    periods = [re.fullmatch(r"(?:\d+/)?(\d+(?:\.\d*)?)(?:\+(\d+(?:\.\d*)?))?", part) for part in (text or "").split(":")]
    if not all(periods):
        return (None, None, None) if not text or "86400" not in text else (NOT_READ, NOT_READ, NOT_READ)
    bases = [float(period.group(1)) for period in periods]
    base, increment = sum(bases), max(float(period.group(2) or 0) for period in periods)
    limits = [30, 180, 480, 1500]
    names = ["ultraBullet", "bullet", "blitz", "rapid", "classical"]
    speed = names[bisect.bisect_right(limits, base + 40 * increment)] if max(bases) < 86400 else "correspondence"
    return base, increment, speed


def tag_values(tags, end, number):
    """Returns the columns of the table of games that depend only on tags and the result."""
    if NOT_READ in tags.values():
        return {"number": number, "white_rating": NOT_READ, "black_rating": NOT_READ, "result": NOT_READ}
    row = {"number": number, "white_rating": rating(tags.get("WhiteElo")), "black_rating": rating(tags.get("BlackElo"))}
    row["white_rating_diff"], row["black_rating_diff"] = map(change_of, map(tags.get, ("WhiteRatingDiff", "BlackRatingDiff")))
    row["date"], row["date_precision"] = date_of(tags)
    row["utc_timestamp"] = timestamp_of(tags)
    row["base_seconds"], row["increment_seconds"], row["speed"] = control_of(tags.get("TimeControl"))
    for name in ("white", "black", "event", "site", "round", "termination"):
        row[name] = tags.get(name.title())
    for name, tag in (("eco", "ECO"), ("opening", "Opening")):
        known = tags.get(tag, "") not in ("", "?")
        row[name] = tags[tag] if known else NOT_READ  # derived from the moves
        row[name + "_derived"] = False if known else NOT_READ
    # python-chess does not read other spellings of a draw.
    written = [word for word in (tags.get("Result"), end) if word in ("1-0", "0-1", "1/2-1/2", "*")]
    if tags.get("Result") in DRAWS and end in (None, "", "*"):
        written = ["1/2-1/2"]
    row["result"] = written[0] if written else NOT_READ
    for tag, value in reversed(tags.items()):
        if column_of(tag) not in TYPED:
            row[column_of(tag)] = value
    return row


# ---- moves ----

def vocabulary():
    """Returns the indices of pairs of squares, and of promotions by (white, origin's file, step, piece)."""
    pairs, promotions = {}, {}
    for origin in range(64):
        for target in range(64):
            files, ranks = abs(origin % 8 - target % 8), abs(origin // 8 - target // 8)
            if origin != target and (0 in (files, ranks) or files == ranks or {files, ranks} == {1, 2}):
                pairs[origin, target] = len(pairs)
    for white in (True, False):
        for file in range(8):
            for step in (-1, 0, 1):
                for piece in (chess.KNIGHT, chess.BISHOP, chess.ROOK):
                    if 0 <= file + step < 8:
                        promotions[white, file, step, piece] = 1792 + len(promotions)
    return pairs, promotions


PAIRS, PROMOTIONS = vocabulary()
COLORS_AND_KINDS = [(color, kind) for color in (True, False) for kind in range(1, 7)]


def index_of(board, move, castles):
    if not move:
        return None
    if move.promotion not in (None, chess.QUEEN):
        file = chess.square_file(move.from_square)
        return PROMOTIONS[board.turn, file, chess.square_file(move.to_square) - file, move.promotion]
    to = move.to_square
    if castles and not board.chess960:
        to = (7 if board.is_kingside_castling(move) else 0) + (move.from_square & 56)
    return PAIRS[move.from_square, to]


def move16_of(board, move, castles):
    if not move:
        return 0
    to, taken = move.to_square, bool(board.occupied_co[not board.turn] & chess.BB_SQUARES[move.to_square])
    pawn = board.pawns & chess.BB_SQUARES[move.from_square]
    if castles:
        flags = 2 if board.is_kingside_castling(move) else 3
        to = (chess.G1 if flags == 2 else chess.C1) + (move.from_square & 56)
    elif move.promotion:
        flags = 8 + 4 * taken + move.promotion - chess.KNIGHT
    elif pawn and board.is_en_passant(move):
        flags = 5
    elif pawn and abs(to - move.from_square) == 16:
        flags = 1
    else:
        flags = 4 * taken
    return flags << 12 | move.from_square << 6 | to


def evaluation_of(node):
    """Returns the evaluation of a comment in centipawns, and the moves to mate. python-chess reads [%eval], but not the comments of Cute Chess and TCEC."""
    score = node.eval() if node.comment else None
    if score is None:
        return (NOT_READ, NOT_READ) if node.comment else (None, None)
    white = score.white()
    if not white.is_mate():
        return max(-32768, min(32767, white.score())), None
    return None, white.mate()


def clock_of(node):
    """Returns the time left in a comment. python-chess does not read times without hours, and the clocks of TCEC."""
    seconds = node.clock() if node.comment else None
    if seconds is None:
        return NOT_READ if node.comment and ("%clk" in node.comment or "tl=" in node.comment) else None
    return round(seconds * 1000)


def planes_of(board):
    return [board.pieces_mask(kind, color) for color, kind in COLORS_AND_KINDS]


def board_codes(planes):
    codes = bytearray(64)
    for code, mask in enumerate(planes, 1):
        for square in chess.scan_forward(mask):
            codes[square] = code
    return bytes(codes)


def digest(board, planes):
    """Returns 8 bytes that are equal for equal positions: pieces, side, castling and possible captures en passant."""
    passed = board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else 64
    text = struct.pack("<12Q?QB", *planes, board.turn, board.clean_castling_rights(), passed)
    return hashlib.blake2b(text, digest_size=8).digest()


def ply_values(game, row, number):
    """Returns the rows of plies and positions, and the digest of the position after each ply."""
    board, plies, positions, digests = game.board(), [], [], []
    result = {"1-0": 1, "0-1": -1, "1/2-1/2": 0, NOT_READ: NOT_READ}.get(row["result"])
    planes = planes_of(board)
    for node in game.mainline():
        move, white = node.move, board.turn
        castles = bool(move) and board.is_castling(move)
        cp, mate = evaluation_of(node)
        same = {"game": number, "ply": len(plies) + 1, "move16": move16_of(board, move, castles), "clock_ms": clock_of(node),
                "eval_cp": cp, "mate": mate}
        rights = [getattr(board, "has_%sside_castling_rights" % side)(color)
                  for color in (True, False) for side in ("king", "queen")]
        positions.append({
            "board": board_codes(planes), "planes": struct.pack("<12Q", *planes), "side_to_move": 0 if white else 1,
            "castling": sum(has << bit for bit, has in enumerate(rights)), "en_passant": board.ep_square,
            "halfmove_clock": board.halfmove_clock, "move_index": index_of(board, move, castles),
            "result": result if white or result in (None, NOT_READ) else -result,
            "mover_rating": row["white_rating" if white else "black_rating"],
            "opponent_rating": row["black_rating" if white else "white_rating"], **same})
        uci = board.uci(move)
        san = board.san_and_push(move)
        planes = planes_of(board)
        plies.append({"uci": uci, "san": san, "fen": board.fen(en_passant="fen"),
                      "piece_counts": bytes(chess.popcount(mask) for mask in planes), **same})
        digests.append(digest(board, planes))
    return plies, positions, digests


def list_values(game, plies):
    row = {"plies": len(plies), "moves": [p["move16"] for p in plies], "uci": [p["uci"] for p in plies],
           "san": [p["san"] for p in plies], "nags": game.main_nags, "comments": game.main_comments}
    for name in ("clock_ms", "eval_cp", "mate"):
        row[name] = [p[name] for p in plies]
        if any(value is NOT_READ for value in row[name]):
            row[name] = NOT_READ
    return row


# ---- tables ----

def rows_of(archive, table, names, **more):
    """Returns the rows of a table as dicts. Lists of a fixed size are bytes."""
    read = columns.read(archive, table, names, **more).combine_chunks()
    values = {}
    for name, column in zip(read.column_names, read.columns):
        array = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
        if str(array.type).startswith("fixed_size_list"):
            flat = array.flatten()
            data = flat.buffers()[1].to_pybytes()
            size = len(flat) * flat.type.bit_width // 8 // max(len(array), 1)
            first = flat.offset * flat.type.bit_width // 8
            values[name] = [data[first + n * size:first + (n + 1) * size] for n in range(len(array))]
        else:
            values[name] = array.to_pylist()
    return [dict(zip(values, row)) for row in zip(*values.values())]


class Comparison:
    def __init__(self):
        self.values, self.differ, self.partial, self.lines = Counter(), Counter(), 0, []
        self.keys = set()

    def add(self, other):
        self.values += other.values
        self.differ += other.differ
        self.partial += other.partial
        self.lines += other.lines
        self.keys |= other.keys

    def compare(self, where, table, found, wanted):
        for name, value in wanted.items():
            if value is NOT_READ:
                continue
            column = table + "." + name
            self.values[column] += 1
            if found[name] != value:
                self.differ[column] += 1
                if self.differ[column] <= LINES_MAX:
                    self.lines.append("%s: %s is %r, expected %r" % (where, column, found[name], value))


#: Columns of the table of games that are not only the value of a tag.
TYPED = set(columns.list_columns(None))


def without_blanks(comment):
    """Returns a comment in python-chess's form: without a space after the opening brace and a space before the closing
    brace."""
    text = comment["text"][comment["text"].startswith(" "):]
    return {**comment, "text": text[:-1] if text.endswith(" ") else text}


def compare_game(c, where, game, found, plies, positions):
    """Compares a game. If only its beginning is stored as moves, or python-chess can only read its beginning, compares
    the tags and this beginning. Returns the digests of its positions."""
    wanted = tag_values(game.tags, game.end, found["number"])
    wanted_plies, wanted_positions, digests = ply_values(game, wanted, found["number"])
    partial = bool(game.errors) or found["kept_as_text"] not in (None, "unusual layout or spelling")
    c.partial += partial
    if not partial:
        wanted.update(list_values(game, wanted_plies))
    if NOT_READ not in game.tags.values():
        wanted.update(dict.fromkeys(found.keys() - TYPED - wanted.keys()))
    c.compare(where, "games", found, wanted)
    for n, (row, want) in enumerate(zip(plies, wanted_plies)):
        c.compare("%s, ply %d" % (where, n + 1), "plies", row, want)
    for n, (row, want) in enumerate(zip(positions, wanted_positions)):
        c.compare("%s, position %d" % (where, n + 1), "positions", row, want)
    return digests


GLYPHS = {"+--": " $20 ", "--+": " $21 "}
MARK = r"(?m)(?<=\s)(?:[DN]|[-+=/]+)(?=\s)"  # glyphs that python-chess skips


def read_game(data):
    """Returns the game of a text, and the comments in its lines that begin with a semicolon, which python-chess skips."""
    text = data.decode("utf-8", "surrogateescape")
    # For python-chess, two hyphens are a null move, also in these glyphs.
    text = re.sub(r"\{[^}]*\}|\+--|--\+", lambda found: GLYPHS.get(found.group(0), found.group(0)), text)
    marks = re.search(MARK, re.sub(r"\{[^}]*\}", "", text))
    # For python-chess, two empty lines after the tags end the game.
    stream = io.StringIO(re.sub(r"(\]\s*?\n)(\r?\n){2,}", r"\1\n", text, count=1))
    game = chess.pgn.read_game(stream, Visitor=Reader)
    if game is None or chess.pgn.read_game(stream) is not None:
        raise ValueError("this text is not one game: %r" % text)
    if marks:
        game.main_nags = NOT_READ
    return game, {utf8(line) for line in re.findall(r"^;([^\r\n]*)", text, re.M)}


def compare_chunk(task):
    """Compares the games from `first` to `last`."""
    corpus, path, first, last = task
    with open(path, "rb") as file:
        archive = file.read()
    span, c = {"first_game": first, "last_game": last}, Comparison()
    names = {table: [name for name in columns.list_columns(archive, table) if name != "bits"] for table in columns.TABLES}
    games, plies, positions = (rows_of(archive, table, names[table], **span) for table in ("games", "plies", "positions"))
    at = 0
    for row in games:
        here = slice(at, at + row["plies"])
        at += row["plies"]
        game, skipped = read_game(row["text"])
        row["comments"] = [without_blanks(comment) for comment in row["comments"] if comment["text"] not in skipped]
        digests = compare_game(c, "%s, game %d" % (corpus, row["number"]), game, row, plies[here], positions[here])
        c.keys.update((p["key"], value) for p, value in zip(plies[here], digests))
    c.compare(corpus, "plies", {"rows": len(plies)}, {"rows": at})
    c.compare(corpus, "positions", {"rows": len(positions)}, {"rows": at})
    return c


def compare_corpus(pool, name, path, games, folder):
    pgn, count = sample(path, games)
    archive, target = columns.pack(pgn), os.path.join(folder, name + ".stamma")
    with open(target, "wb") as file:
        file.write(archive)
    texts = columns.read(archive, columns=["text"]).column("text").to_pylist()
    total = Comparison()
    total.compare(name, "games", {"text": b"".join(texts) == pgn, "rows": len(texts)}, {"text": True, "rows": count})
    tasks = [(name, target, first, min(first + CHUNK - 1, len(texts))) for first in range(1, len(texts) + 1, CHUNK)]
    for c in pool.imap_unordered(compare_chunk, tasks):
        total.add(c)
    wanted = len({key for key, _ in total.keys}), len({value for _, value in total.keys})
    total.compare(name, "plies", {"different keys": wanted}, {"different keys": (len(total.keys),) * 2})
    return len(texts), total


def main(games, names):
    folder = os.path.join(os.environ.get("SHARED", "../shared"), "corpora")
    paths = sorted(name for name in os.listdir(folder) if name.endswith(".pgn.zst")) if os.path.isdir(folder) else []
    if names or not games:
        paths = [path for path in paths if path.split(".")[0] in names or (not names and "_dev" in path)]
    games = games or 40
    values = differ = 0
    with tempfile.TemporaryDirectory() as work, multiprocessing.Pool() as pool:
        for path in paths:
            name = path.split(".")[0]
            count, c = compare_corpus(pool, name, os.path.join(folder, path), games, work)
            print("%-18s %5d games, %4d in part, %10d values, %d differ" % (name, count, c.partial, sum(c.values.values()),
                                                                           sum(c.differ.values())), flush=True)
            for line in c.lines[:20]:
                print("  " + line)
            for column, number in sorted(c.differ.items()):
                print("  %s: %d of %d differ" % (column, number, c.values[column]))
            values += sum(c.values.values())
            differ += sum(c.differ.values())
    print("%d values compared with python-chess, %d differ" % (values, differ))
    return differ


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1] or 0), sys.argv[2:]) > 0)
