# SPDX-License-Identifier: MIT
"""Tests /engine of stamma serve. The folder contains a.stamma and the programs that tests/serve/serve_engine.sh writes.

usage: serve_engine.py [STOCKFISH]    without STOCKFISH, only with fake engines
"""
import json
import os
import socket
import sys
import threading

from serve_client import Checks, Server

PATIENCE = 60  # seconds to wait for a condition
OWN = {"Sec-Fetch-Site": "same-origin"}
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
CHESS960 = "rkr5/ppp5/8/8/8/8/PPP5/RKR5 w CAca - 0 9"
# White and Black to move, mates for and against the side to move, promotion, en passant, castling, Chess960 castling.
POSITIONS = [
    (None, "", 3, 9), (None, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", 5, 8), (None, "e2e4 d7d5 e4e5 f7f5", 2, 9), (None, "f2f3 e7e5 g2g4", 3, 8),
    ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "", 2, 8), ("r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "", 2, 8),
    ("k7/8/1K6/8/8/8/8/7Q b - - 0 1", "", 1, 6), ("K7/8/1k6/8/8/8/8/7q w - - 0 1", "", 1, 6), ("8/P6k/8/8/8/8/p6K/8 w - - 0 1", "", 4, 8),
    ("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 8", "", 5, 7), (CHESS960, "", 4, 8), (CHESS960, "b1c1 c8e8", 3, 8),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "", 3, 8)]
# 41 moves of four queens.
MANY = ",".join("d4" + to for to in "d3 d2 d1 c4 b4 a4 c3 b2 e3 f2 g1 c5 b6 a7".split()) + "," + ",".join("e4" + to for to in "e3 e2 e1 f4 g4 h4 f3 g2 h1 f5 g6 h7 d3 c2 b1".split()) \
    + "," + ",".join("d5" + to for to in "d6 d7 d8 c5 b5 a5 c6 b7 a8 e6 f7 g8".split())
check = Checks()


def children(pid):
    """Returns {pid: state} of a process's children. The state of a zombie is Z."""
    found = {}
    for name in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % name, encoding="utf-8", errors="replace") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if name.isdigit() and int(fields[1]) == pid:
            found[int(name)] = fields[0]
    return found


def lines(answer):
    return [json.loads(line) for line in answer.body.decode().splitlines()]


def ask(server, headers=None, **fields):
    return server.ask("/engine", headers=OWN if headers is None else headers, **fields)


class Stream:
    """An answer that is read line by line."""

    def __init__(self, server, query):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        self.socket.sendall(b"GET /engine?%s HTTP/1.0\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: none\r\n\r\n" % query.encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        while self.file.readline().strip():
            pass

    def line(self):
        return json.loads(self.file.readline() or "{}")

    def close(self):
        self.file.close()
        self.socket.close()


# ---- Stockfish ----

def expected(board, infos):
    """Returns the expected last set of lines of an answer, from the lines of python-chess."""
    found = []
    for info in infos:
        score, moves, san = info["score"].white(), info["pv"][:100], []
        now = board.copy()
        for move in moves:
            san.append(now.san(move))
            now.push(move)
        value = {"mate": score.mate()} if score.is_mate() else {"eval_cp": score.score()}
        now = board.copy()
        uci = []
        for move in moves:
            uci.append(now.uci(move))
            now.push(move)
        found.append({"depth": info["depth"], **value, "uci": uci, "san": san})
    return found


def equal_to_python_chess(stockfish):
    import chess
    import chess.engine
    server = Server("--engine", stockfish, "--engine-memory", "16M", "a.stamma", err="equal.err")
    with chess.engine.SimpleEngine.popen_uci(stockfish) as engine:
        engine.configure({"Threads": 1, "Hash": 16})
        compare_positions(chess, server, engine)
        searched_moves(chess, server, engine)
    check.equal(server.stop(), 0, "the server ends")


def compare_positions(chess, server, engine):
    for fen, moves, count, depth in POSITIONS:
        board = chess.Board(fen or chess.STARTING_FEN, chess960=fen is not None and fen.split()[2] not in ("KQkq", "-"))
        for move in moves.split():
            board.push_uci(move)
        infos = engine.analyse(board, chess.engine.Limit(depth=depth), multipv=count, game="one")
        answer = lines(ask(server, fen=fen, play=moves.replace(" ", ",") or None, lines=count, depth=depth))
        what = "%s %s" % (board.fen(), answer[-2])
        check.equal(answer[0], {"engine": engine.id["name"], "lines": min(count, board.legal_moves.count())}, "the first line of " + what)
        check.equal(answer[-1], {"end": "depth"}, "the last line of " + what)
        check.equal(answer[-2]["lines"], expected(board, infos), "lines of " + what)
        check.equal((answer[-2]["depth"], answer[-2]["nodes"], answer[-2]["seldepth"]), (depth, infos[-1]["nodes"], infos[-1]["seldepth"]), "numbers of " + what)
        depths = [line["depth"] for line in answer[1:-1]]
        check.that(depths == sorted(depths), "the depth grows", depths)
        check.that(all(one["depth"] == line["depth"] for line in answer[1:-1] for one in line["lines"]), "lines of one depth", answer)


def searched_moves(chess, server, engine):
    """An analysis of some moves has a line for each, as python-chess has with the same root moves."""
    for fen, played, moves in ((None, "", "a2a3 e2e4 d2d4 g1f3 f2f3 h2h4 b1a3"), (None, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "e1g1 e1e2 b1c3"),
                               ("8/P6k/8/8/8/8/p6K/8 w - - 0 1", "", "a7a8n a7a8q")):
        board = chess.Board(fen or chess.STARTING_FEN)
        for move in played.split():
            board.push_uci(move)
        infos = engine.analyse(board, chess.engine.Limit(depth=8), multipv=len(moves.split()), root_moves=[board.parse_uci(one) for one in moves.split()], game="one")
        repeated = moves + " " + moves.split()[0]
        answer = lines(ask(server, fen=fen, play=played.replace(" ", ",") or None, searchmoves=repeated.replace(" ", ","), depth=8))
        check.equal((answer[0]["lines"], answer[-1]), (len(moves.split()), {"end": "depth"}), "lines of %s" % moves)
        check.equal(answer[-2]["lines"], expected(board, infos), "lines of %s" % moves)


def process_of_stockfish(stockfish):
    other = Server("--engine", stockfish, "--engine-time", "1", "--cors", "*", "a.stamma", err="process.err")
    refusals(other)
    ended_games(other)
    check.equal(children(other.process.pid), {}, "no process before it is needed")
    idle = socket.create_connection(("127.0.0.1", other.port))
    check.equal(lines(ask(other, movetime=3600000))[-1], {"end": "time"}, "--engine-time limits movetime")
    check.equal(lines(ask(other, movetime=1))[-1], {"end": "time"}, "movetime")
    check.equal(lines(ask(other, depth=2, lines=5, fen="7k/8/8/8/8/8/r7/6K1 w - - 0 1"))[0]["lines"], 2, "there are only two moves")
    check.equal(lines(other.ask("/engine", method="POST", body="depth=3&lines=2",
                                headers={**OWN, "Content-Type": "application/x-www-form-urlencoded"}))[-1], {"end": "depth"}, "POST")
    pids = children(other.process.pid)
    check.equal(len(pids), 1, "one process")
    pid = next(iter(pids))
    check.equal(sorted(os.listdir("/proc/%d/fd" % pid)), ["0", "1", "2"], "files of the engine")
    idle.close()
    stream = Stream(other, "lines=2")
    check.equal(stream.line()["lines"], 2, "a search when the server is stopped")
    check.equal(other.stop(), 0, "the server ends")
    check.that(not os.path.exists("/proc/%d" % pid), "its engine has ended, and is no zombie")
    stream.close()


def sharing(stockfish):
    server = Server("--engine", stockfish, "--engine-time", "0", "a.stamma", err="sharing.err")
    first = Stream(server, "lines=2")
    depths = [first.line().get("depth", 0) for _ in range(3)]
    second = lines(ask(server, play="e2e4", depth=7))
    check.equal(second[-1], {"end": "depth"}, "a second analysis is finished while the first runs")
    check.that(all(line["lines"][0]["san"][0] in "e5 c5 e6 c6 d5 Nf6 Nc6 d6 g6" for line in second[1:-1]), "Black's moves", second)
    third = Stream(server, "play=d2d4")
    check.equal((third.line()["lines"], third.line()["depth"] > 0), (1, True), "the third has a turn while the first runs")
    third.close()
    deepest = max(depths)
    while depths[-1] <= deepest:
        depths.append(first.line()["depth"])
    check.that(depths == sorted(depths), "the first continues and its depth never decreases", depths)
    first.close()
    check.equal(lines(ask(server, depth=5))[-1], {"end": "depth"}, "and others follow")
    check.equal(len(children(server.process.pid)), 1, "all with one process")
    check.equal(server.stop(), 0, "the server ends")


# ---- access and fields ----

def refusals(server):
    """Web pages of other sites must not start the engine, even with --cors."""
    evil = "https://evil.example"
    for headers in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": evil}, {**OWN, "Origin": evil},
                    {**OWN, "Origin": "http://127.0.0.1:1"}, {**OWN, "Origin": "null"}, {**OWN, "Origin": "https://lichess.org"},
                    {**OWN, "Host": "rebound.example"}, {**OWN, "Host": "rebound.example", "Origin": "http://rebound.example"},
                    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}):
        answer = ask(server, headers=headers, depth=1)
        check.equal(answer.status, 403, "refused: %s" % headers)
        check.that("access-control-allow-origin" not in answer.headers, "no page may read it", answer.headers)
    preflight = server.ask("/engine", method="OPTIONS", headers={"Origin": evil, "Access-Control-Request-Headers": "sec-fetch-site"})
    check.equal(preflight.status, 403, "a preflight")
    own = {**OWN, "Origin": "http://127.0.0.1:%d" % server.port}
    check.equal(ask(server, headers=own, fen=STALE).status, 200, "the server's own page")
    for fields in ({"lines": 0}, {"lines": "x"}, {"depth": -1}, {"depth": "deep"}, {"movetime": "1s"}, {"fen": "8/8"}, {"fen": "8/8/8/8/8/8/8/8 w - -"},
                   {"play": "e2e5"}, {"variant": "atomic"}, {"variant": "none"}, {"searchmoves": "e2e5"}, {"searchmoves": "0000"}, {"searchmoves": "e2e4;d2d4"},
                   {"searchmoves": MANY, "fen": "7k/8/8/3QQ3/3QQ3/8/8/K7 w - - 0 1"}):
        check.equal(ask(server, **fields).status, 400, "invalid: %s" % fields)
    head = server.ask("/engine", method="HEAD", headers=OWN)
    check.equal((head.status, head.body), (200, b""), "HEAD")
    check.equal(server.ask("/engine", method="DELETE", headers=OWN).status, 405, "DELETE")
    engine = server.ask("/health").json["engine"]
    check.equal((engine["threads"], engine["memory"], engine["time"]), (1, 64 << 20, 1), "/health has the limits")


def ended_games(server):
    answer = ask(server, fen=MATED)
    check.equal((lines(answer), answer.headers["content-type"]), ([{"end": "mate"}], "application/x-ndjson; charset=utf-8"), "mate")
    check.equal(lines(ask(server, fen=STALE)), [{"end": "stalemate"}], "stalemate")


def no_engine():
    server = Server("a.stamma", err="none.err")
    check.equal((ask(server).status, server.ask("/health").json["engine"]), (404, None), "a server without engine")
    check.equal(server.stop(), 0, "the server ends")
    local = Server("--host", "127.0.0.2", "--engine", "./lies", "a.stamma", err="local.err")
    check.equal(local.stop(), 0, "--host 127.0.0.2 is this machine")


# ---- engines that misbehave ----

GOOD = {"depth": 5, "eval_cp": 20, "uci": ["e2e4", "e7e5", "g1f3"], "san": ["e4", "e5", "Nf3"]}


def failing(name, status, message, **fields):
    """An engine that cannot be used: two requests return an error, and no process remains."""
    server = Server("--engine", name if "/" in name else "./" + name, "a.stamma", err=name.replace("/", "_") + ".err")
    for _ in range(2):
        answer = ask(server, **fields)
        check.equal(answer.status, status, "status of %s" % name)
        check.that(message in answer.json["error"], "message of %s" % name, answer.json["error"])
        check.equal(children(server.process.pid), {}, "no process of %s" % name)
    check.equal(server.stop(), 0, "the server ends after %s" % name)


def broken_search(name, message):
    """An engine that fails during a search: the answer has its lines, then the error. The next request starts the
    engine again."""
    server = Server("--engine", "./" + name, "a.stamma", err=name + ".err")
    for _ in range(2):
        answer = lines(ask(server))
        check.equal([one["lines"] for one in answer[1:-1]], [[GOOD]] if len(answer) > 2 else [], "lines of " + name)
        check.that(message in answer[-1].get("error", ""), "message of " + name, answer)
        check.equal(children(server.process.pid), {}, "no process of " + name)
    check.equal(server.stop(), 0, "the server ends after " + name)


def strange_answers():
    server = Server("--engine", "./lies", "a.stamma", err="lies.err")
    for _ in range(2):
        answer = lines(ask(server))
        check.equal([one["lines"] for one in answer[1:-1]], [[GOOD]], "only the correct line")
        check.equal((answer[0], answer[-1]), ({"engine": "Fake lies", "lines": 1}, {"end": "engine"}), "the engine ends the search")
    check.equal(server.stop(), 0, "the server ends")
    server = Server("--engine", "./hurries", "a.stamma", err="hurries.err")
    check.equal(lines(ask(server, depth=4))[1:], [{"end": "engine"}], "an engine that does not search")
    check.equal(server.stop(), 0, "the server ends")
    server = Server("--engine", "./minimal", "a.stamma", err="minimal.err")
    answer = lines(ask(server, lines=5, movetime=10))
    check.equal((answer[0]["lines"], [one["lines"] for one in answer[1:-1]], answer[-1]), (1, [[GOOD]], {"end": "time"}), "an engine without options")
    answer = ask(server, fen=CHESS960)
    check.equal((answer.status, "Chess960" in answer.json["error"]), (502, True), "an engine without Chess960")
    check.equal(server.stop(), 0, "the server ends")


def deaf():
    """An engine that floods the server and does not stop."""
    server = Server("--engine", "./deaf", "a.stamma", err="deaf.err")
    check.that("does not stop" in lines(ask(server, movetime=100))[-1]["error"], "an engine that does not stop")
    stream = Stream(server, "lines=1")
    check.equal((stream.line()["lines"], stream.line()["lines"]), (1, [GOOD]), "lines while it floods")
    stream.close()
    check.wait(lambda: not children(server.process.pid), "it is killed when the client is gone")
    check.equal(server.ask("/health").status, 200, "other requests are answered")
    check.equal(server.stop(), 0, "the server ends")


def commands():
    """Checks the commands that the engine receives. A search ends if its client leaves."""
    log = os.path.abspath("fake.log")
    server = Server("--engine", "./recorded", "--engine-threads", "3", "--engine-memory", "32M", "a.stamma", err="recorded.err", variables={"FAKE_LOG": log})
    stream = Stream(server, "play=e2e4,e7e5,0000&lines=1")
    check.equal(stream.line()["engine"], "Fake recorded", "the name")
    stream.close()

    def text():
        with open(log, encoding="utf-8") as file:
            return file.read().splitlines()
    check.wait(lambda: "stop" in text(), "a client that leaves stops the search")
    ask(server, play="e2e4", searchmoves="e7e5,c7c5", movetime=1)
    ask(server, searchmoves="e2e4", depth=3, movetime=1)
    streams = [Stream(server, "play=e2e4,e7e5,g1f3,g8f6,f1c4,f8c5,e1h1")]
    streams[0].line()
    waiting = []
    for _ in range(9):
        one = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        one.sendall(b"GET /engine?fen=%s HTTP/1.0\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: none\r\n\r\n" % CHESS960.replace(" ", "+").encode())
        waiting.append(one)
    statuses = sorted(int(one.makefile("rb").readline().split()[1]) for one in waiting)
    check.equal(statuses, [200] * 7 + [503] * 2, "eight analyses take turns; others are refused")
    for one in waiting + streams:
        one.close()
    check.wait(lambda: ask(server, movetime=1).status == 200, "others follow")
    seen = text()
    start = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    for one in ("setoption name Threads value 3", "setoption name Hash value 32", "setoption name MultiPV value 1", "setoption name MultiPV value 2", "isready", "go infinite",
                "go infinite searchmoves e7e5 c7c5", "go depth 3 searchmoves e2e4",
                "position fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 1 2",
                start + " moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1", "setoption name UCI_Chess960 value false"):
        check.that(one in seen, "the engine receives: " + one, seen)
    return server


def stubborn():
    """An engine that is started by a script and ignores every request to end."""
    server = Server("--engine", "./stubborn", "a.stamma", err="stubborn.err")
    check.equal(lines(ask(server, movetime=1))[-1], {"end": "time"}, "it is used")
    script = next(iter(children(server.process.pid)))
    program = next(iter(children(script)))
    check.equal(server.stop(), 0, "the server ends")
    check.wait(lambda: not os.path.exists("/proc/%d" % program) or "Z" in open("/proc/%d/stat" % program, encoding="utf-8").read().rsplit(")", 1)[1][:3],
         "the script's child is killed")


def main():
    stockfish = sys.argv[1] if len(sys.argv) > 1 else ""
    recorded = commands()
    slow = [threading.Thread(target=failing, args=args) for args in (
        ("silent", 502, "does not answer as a UCI engine must"), ("floods", 502, "does not answer as a UCI engine must"),
        ("unready", 502, "does not become ready"), ("/bin/cat", 502, "does not answer as a UCI engine must"))]
    for thread in slow:
        thread.start()
    no_engine()
    failing("/bin/true", 502, "does not answer as a UCI engine must; its exit status is 0")
    failing("broken", 502, "cannot be started: No such file")
    broken_search("crashes", "ended during the search; it was ended by signal 11")
    broken_search("exits", "ended during the search; its exit status is 3")
    strange_answers()
    deaf()
    stubborn()
    for thread in slow:
        thread.join()
    if stockfish:
        equal_to_python_chess(stockfish)
        process_of_stockfish(stockfish)
        sharing(stockfish)
    else:
        print("no stockfish: only fake engines were used")
    check.wait(lambda: children(recorded.process.pid) == {}, "an idle engine ends")
    check.equal(recorded.stop(), 0, "the server ends")
    check.end()


main()
