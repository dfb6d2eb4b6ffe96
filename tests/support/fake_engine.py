# SPDX-License-Identifier: MIT
"""Replaces a chess engine in tests, and behaves as its argument says. Writes the received commands to the file
`fake.log` if the environment variable FAKE_LOG is set.

usage: fake_engine.py BEHAVIOUR [GAMES]

GAMES is a file with the moves of one game per line, in UCI. The engine `follows` answers with the continuations in
these games.
"""
import os
import signal
import sys
import time

GOOD = "info depth 5 seldepth 7 multipv 1 score cp 20 nodes 1000 nps 50000 time 20 pv e2e4 e7e5 g1f3"
# The server must ignore all of these lines: no score, a bound, no move, an illegal first move, a line that was not
# requested.
LIES = ["info", "info depth", "info depth x score cp", "info depth 3 pv e2e4", "info depth 3 score cp 5", "info depth 3 score cp 5 pv",
        "info depth 4 score cp 900 lowerbound pv e2e4", "info depth 4 score mate 0 pv e2e4", "info depth 4 score cp 99999999999999999999 pv e2e4",
        "info depth 4 score elo 3 pv e2e4", "info depth 4 score cp 7 pv e2e5", "info depth 4 score cp 7 pv 0000", "info depth 4 multipv 0 score cp 7 pv e2e4",
        "info depth 4 multipv 7 score cp 7 pv e2e4", "info depth 4 multipv -1 score cp 7 pv e2e4", "info string depth 4 score cp 7 pv e2e4",
        "bestmovee2e4", "\xff\xfe", "info depth 4 score cp 7 pv e2e4\0 hidden", ""]


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def forever():
    while True:
        time.sleep(1)


def flood(text, pause=0):
    while True:
        say(text)
        time.sleep(pause)


def lie():
    for line in LIES:
        say(line if "\0" not in line else line.replace("\0", "\r"))
    say("info depth 6 score cp 7 pv " + "e2e4 " * 10000)  # longer than the server's buffer
    sys.stdout.buffer.write(b"x" * 100000)
    sys.stdout.buffer.write(b"\0\0\n")
    say(GOOD + " e8e6 d2d4 illegal")  # the line ends before e8e6, which is not legal
    say("bestmove e2e5")


class Games:
    """Games whose continuations the engine `follows` prints as its lines."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.games = [line.split() for line in file]
        self.played, self.lines = [], 1

    def go(self, endless):
        size = len(self.played)
        lines = {}
        for game in self.games:
            if game[:size] == self.played and len(game) > size:
                lines.setdefault(game[size], game[size:size + 8])
        lines = list(lines.values())[:self.lines]
        for number, line in enumerate(lines, 1):
            score = (19 * size % 160 - 80) * (-1 if size % 2 else 1) - 10 * number  # White's score falls with some moves
            say("info depth 10 seldepth 12 multipv %d score cp %d nodes 1000 nps 50000 time 20 pv %s" % (number, score, " ".join(line)))
        if not endless:
            say("bestmove %s" % (lines[0][0] if lines else "(none)"))


def go(behaviour):
    if behaviour == "lies":
        return lie()
    if behaviour == "crashes":
        say(GOOD)
        os.kill(os.getpid(), signal.SIGSEGV)
    if behaviour == "exits":
        sys.exit(3)
    if behaviour == "deaf":
        flood(GOOD)
    if behaviour == "hurries":
        say("bestmove e2e4")
    if behaviour in ("minimal", "stubborn", "recorded"):
        say(GOOD)
    return None


def main():
    behaviour = sys.argv[1]
    if behaviour == "stubborn":
        for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(one, signal.SIG_IGN)
    games = Games(sys.argv[2]) if behaviour == "follows" else None
    log = open(os.environ["FAKE_LOG"], "a", encoding="utf-8") if "FAKE_LOG" in os.environ else None
    for line in sys.stdin:
        words = line.split() or [""]
        if log:
            log.write(line)
            log.flush()
        if words[0] == "uci":
            if behaviour == "silent":
                forever()
            if behaviour == "floods":
                flood("option name Threads type spin default 1 min 1 max 8", 0.001)  # for ten seconds; `deaf` has no pause
            say("id name Fake %s" % behaviour)
            if behaviour not in ("minimal",):
                for name, most in (("Threads", 4), ("Hash", 1000), ("MultiPV", 500)):
                    say("option name %s type spin default 1 min 1 max %d" % (name, most))
                say("option name UCI_Chess960 type check default false")
            say("uciok")
        elif words[0] == "isready":
            if behaviour == "unready":
                forever()
            say("readyok")
        elif words[0] == "position" and games:
            games.played = words[words.index("moves") + 1:] if "moves" in words else []
        elif words[:3] == ["setoption", "name", "MultiPV"] and games:
            games.lines = int(words[-1])
        elif words[0] == "go" and games:
            games.go("infinite" in words)
        elif words[0] == "go":
            go(behaviour)
        elif words[0] == "stop":
            say("bestmove e2e4")
        elif words[0] == "quit" and behaviour != "stubborn":
            return
    if behaviour == "stubborn":
        forever()


main()
