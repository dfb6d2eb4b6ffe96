"""Compares Arrow tables of archives with what python-chess reads from the PGN. See columns.sh."""
import datetime
import io
import os
import re
import subprocess
import sys
import tempfile

import chess
import chess.pgn

import columns_library as columns


def pack(pgn, level=1):
    """Returns the bytes of an archive."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "games.stamma")
        subprocess.run([os.path.join(os.environ.get("BUILD", "build"), "stamma"), "pack", "-q", "-%d" % level, "-o", name, "-"],
                       input=pgn, check=True)
        with open(name, "rb") as file:
            return file.read()


ODD = b'''[Event "Caf\xe9"]
[Site "a \\"b\\" \\\\ c"]
[Date "2010.02.31"]
[White "\xc3\x89mile"]
[Result "*"]
[WhiteElo "2400?"]
[UTCDate "2011.03.04"]
[TimeControl "40/7200:3600+0.5"]
[MyOwnTag "x"]

1. e4 e5 2. Nf3 0-1

[Date "201?.??.??"]
[UTCDate "1969.12.??"]
[TimeControl "-"]
[Result "what"]
[ECO "?"]

1. d4 {[%clk 0:01:00.5] [%eval #-3]} Nf6 $1 {a} {b [%eval 500]} (1... d5) 2. c4 1/2-1/2
'''


def check_odd():
    archive = pack(ODD)
    table = columns.read(archive)
    first, second = table.to_pylist()
    assert first["event"] == "Café" and first["site"] == 'a "b" \\ c' and first["white"] == "Émile", first
    assert str(first["date"]) == "2010-02-01" and first["date_precision"] == "month"
    assert first["result"] == "*" and first["white_rating"] == 2400 and first["black_rating"] is None
    assert first["base_seconds"] == 10800 and first["increment_seconds"] == 0.5 and first["my_own_tag"] == "x"
    assert first["eco"] == "C40" and first["eco_derived"] is True
    assert str(second["date"]) == "1969-12-01" and second["result"] == "1/2-1/2" and second["eco"] == "A50"
    assert second["speed"] == "correspondence" and second["base_seconds"] is None and second["my_own_tag"] is None
    lists = columns.read(archive, columns=["clocks", "evaluations", "nags", "comments", "text", "tag:MyOwnTag"])
    second = lists.to_pylist()[1]
    assert second["clocks"] == [60500, None, None] and second["evaluations"] == [3 - 32767, 31999, None]
    assert second["nags"] == [{"ply": 2, "nag": 1}]
    assert second["comments"][1:] == [{"ply": 2, "text": "a"}, {"ply": 2, "text": "b [%eval 500]"}]
    assert b"".join(lists.column("text").to_pylist()) == ODD


def check_errors():
    archive = pack(ODD)
    for names, message in ((["whiet"], 'unknown column "whiet"; did you mean "white"?'),
                           (["white", "white"], 'repeated column "white"'), ([b"\xff"], "unknown column")):
        try:
            columns.open_stream(archive, columns=names)
            raise AssertionError(names)
        except columns.StammaError as error:
            assert error.code == 5 and message in str(error), error


def check_samples():
    with open("data/games.pgn", "rb") as file:
        pgn = file.read()
    tables = []
    for level in (1, 2, 3):
        archive = pack(pgn, level)
        names = [name for name in columns.list_columns(archive) if name != "bits"]
        table = columns.read(archive, columns=names)
        assert b"".join(table.column("text").to_pylist()) == pgn
        tables.append(table.drop_columns("text").to_pylist())
        rest = [name for name in names if name != "text"]
        same = columns.read(archive, columns=rest, batch_rows=3, plain_texts=True).to_pylist()
        assert tables[-1] == same, [(a, b) for a, b in zip(tables[-1], same) if a != b][0]
    assert tables[0] == tables[1] == tables[2]


# ---- python-chess ----

def sample(corpus, games):
    """Returns the first games of a corpus as bytes; empty if it is not there."""
    path = os.path.join(os.environ.get("SHARED", "../shared"), "corpora", corpus + ".pgn.zst")
    if not os.path.exists(path):
        return b""
    unpack = subprocess.Popen(["zstd", "-dcq", path], stdout=subprocess.PIPE)
    lines, count = [], 0
    for line in unpack.stdout:
        count += line.startswith(b"[Event ")
        if count > games:
            break
        lines.append(line)
    unpack.kill()
    unpack.wait()
    return b"".join(lines)


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


def index_of(board, move):
    if move.promotion not in (None, chess.QUEEN):
        file = chess.square_file(move.from_square)
        return PROMOTIONS[board.turn, file, chess.square_file(move.to_square) - file, move.promotion]
    to = move.to_square
    if board.is_castling(move) and not board.chess960:
        to = (7 if board.is_kingside_castling(move) else 0) + (move.from_square & 56)
    return PAIRS[move.from_square, to]


MOVES = {"plies", "uci", "san", "clocks", "evaluations"}
NOT_READ = object()  # python-chess does not read the value


def centipawns(node):
    """Returns the evaluation of a comment. python-chess reads [%eval], but not the comments of Cute Chess and TCEC."""
    score = node.eval()
    if score is None:
        return NOT_READ if node.comment else None
    white = score.white()
    if not white.is_mate():
        return max(-31999, min(31999, white.score()))
    mate = white.mate()
    return 32767 - mate if mate > 0 else -32767 - mate if mate < 0 else NOT_READ  # who is mated is not written


def clock(node):
    seconds = node.clock()
    return None if seconds is None else round(seconds * 1000)


def board_codes(board):
    codes = [0] * 64
    for square, piece in board.piece_map().items():
        codes[square] = piece.piece_type + (0 if piece.color else 6)
    return codes


def expected(game):
    """Returns what the three tables have for a game, from python-chess."""
    headers, board, plies, positions = game.headers, game.board(), [], []
    result = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(headers.get("Result"))
    for node in game.mainline():
        move = node.move
        before = {"board": board_codes(board), "side": 0 if board.turn else 1, "halfmove_clock": board.halfmove_clock,
                  "move_index": index_of(board, move), "clock": clock(node), "evaluation": centipawns(node),
                  "result": None if result is None else result if board.turn else -result,
                  "planes": [int(board.pieces(kind, color)) for color in (True, False) for kind in range(1, 7)]}
        after = {"uci": board.uci(move), "san": board.san(move), "clock": before["clock"],
                 "evaluation": before["evaluation"]}
        board.push(move)
        after["fen"] = board.fen(en_passant="fen")
        after["piece_counts"] = [len(board.pieces(kind, color)) for color in (True, False) for kind in range(1, 7)]
        plies.append(after)
        positions.append(before)
    row = {"uci": [p["uci"] for p in plies], "san": [p["san"] for p in plies], "clocks": [p["clock"] for p in plies],
           "plies": len(plies)}
    if all(p["evaluation"] is not NOT_READ for p in plies):
        row["evaluations"] = [p["evaluation"] for p in plies]
    for column, tag in (("white", "White"), ("black", "Black"), ("event", "Event"), ("site", "Site"),
                        ("round", "Round"), ("termination", "Termination")):
        row[column] = headers.get(tag) if headers.get(tag) != "?" else NOT_READ  # "?" also if the tag is missing
    for column, tag in (("white_rating", "WhiteElo"), ("black_rating", "BlackElo")):
        text = headers.get(tag, "").strip()
        row[column] = int(text) or None if text.isdigit() else None
    date = headers.get("Date", "")
    if re.fullmatch(r"\d{4}\.\d\d\.\d\d", date):
        row["date"] = datetime.date(*map(int, date.split(".")))
    if result is not None:
        row["result"] = headers["Result"]
    return row, plies, positions


def differ(where, found, wanted):
    """Returns the number of values that differ, and prints the first."""
    wrong = [name for name in wanted if wanted[name] is not NOT_READ and found[name] != wanted[name]]
    for name in wrong[:1]:
        print("%s: %s is %r, expected %r" % (where, name, found[name], wanted[name]))
    return len(wrong)


def check_corpus(corpus, count):
    pgn = sample(corpus, count)
    if not pgn:
        print("no %s: not compared" % corpus)
        return 0, 0
    archive = pack(pgn)
    text = pgn.decode("utf-8", errors="strict" if columns.is_utf8(pgn) else "replace")
    games = columns.read(archive, columns=["number", "white", "black", "event", "site", "round", "termination", "plies",
                                           "white_rating", "black_rating", "date", "result", "uci", "san", "clocks",
                                           "evaluations", "kept_as_text"]).to_pylist()
    plies = columns.read(archive, "plies", list(columns.list_columns(archive, "plies"))).to_pylist()
    positions = columns.read(archive, "positions", list(columns.list_columns(archive, "positions"))).to_pylist()
    reader, at, values, wrong = io.StringIO(text), 0, 0, 0
    for row in games:
        game = chess.pgn.read_game(reader)
        here = slice(at, at + row["plies"])
        at += row["plies"]
        if game.errors:
            continue
        wanted, wanted_plies, wanted_positions = expected(game)
        if row["kept_as_text"]:  # only the moves before the part that is kept as text are typed
            wanted = {name: wanted[name] for name in wanted if name not in MOVES}
        name = "%s, game %d" % (corpus, row["number"])
        wrong += differ(name, row, wanted)
        for found, want in zip(plies[here], wanted_plies):
            wrong += differ("%s, ply %d" % (name, found["ply"]), found, want)
        for found, want in zip(positions[here], wanted_positions):
            wrong += differ("%s, position %d" % (name, found["ply"]), found, want)
        values += len(wanted) + sum(map(len, wanted_plies)) + sum(map(len, wanted_positions))
    keys = {(row["key"], " ".join(chess.Board(row["fen"], chess960=True).epd().split()[:4])) for row in plies}
    if len({key for key, _ in keys}) != len(keys) or len({position for _, position in keys}) != len(keys):
        print("%s: keys do not agree with positions" % corpus)
        wrong += 1
    return values, wrong


def check_corpora(count):
    values = wrong = 0
    for corpus in ("otb_dev", "lichess_dev", "lichess_dump_dev", "chesscom_dev", "twic_dev", "engine_dev",
                   "engine2_dev", "annotated_dev", "chess960_dev"):
        one, bad = check_corpus(corpus, count)
        values += one
        wrong += bad
    print("%d values compared with python-chess, %d differ" % (values, wrong))
    return wrong


check_odd()
check_errors()
check_samples()
sys.exit(check_corpora(int(sys.argv[1] or (5000 if os.environ.get("LONG") else 5))) > 0)
