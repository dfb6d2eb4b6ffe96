# SPDX-License-Identifier: MIT
"""Compares how each interface of the command interprets tag values, from one table. Run by command_values.sh in a
separate folder."""
import json
import os
import subprocess

from serve_client import Checks, Server

# One game per row: WhiteElo, rating; Date, (first day, last day) or None; TimeControl, speed; Result, interpreted
# result.
ROWS = [
    ("2500", 2500, "2010.05.31", ("2010.05.31", "2010.05.31"), "180+2", "blitz", "1-0", "1-0"),
    ("2500x", None, "2010.??.15", ("2010.01.15", "2010.12.15"), "45+0", "bullet", "0-1", "0-1"),
    (" 2400 ", 2400, "2010.5.3", ("2010.05.03", "2010.05.03"), "40/7200:3600", "classical", "1/2-1/2", "1/2-1/2"),
    ("1500?", 1500, "12010.05.31", None, "99999999999", "correspondence", "*", "*"),
    ("0", None, "2010.13.01", ("2010.01.01", "2010.12.01"), "-", "correspondence", "1-0", "1-0"),
    ("10000", None, "201?.??.??", ("2010.01.01", "2019.12.31"), "?", None, "0-0", "*"),
    ("-", None, "????.??.??", None, "five", None, "draw", "*"),
    ("2300", 2300, "2010.02.30", ("2010.02.01", "2010.02.28"), "600", "rapid", "0-1", "0-1"),
    ("9999", 9999, "2010-05-31", ("2010.05.31", "2010.05.31"), "600", "rapid", "0-1", "0-1"),
]
SPEEDS = ("ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence")
check = Checks()


def stamma(*arguments):
    return subprocess.run([os.environ["STAMMA"], *arguments], stdout=subprocess.PIPE, check=False).stdout.decode()


def lines(*arguments):
    return [json.loads(line) for line in stamma(*arguments).splitlines()]


def found(archive, *conditions):
    return [int(number) for number in stamma("find", archive, "--numbers", *conditions).split()]


def expected(test):
    return [number for number, row in enumerate(ROWS, 1) if test(row)]


def write_games():
    with open("values.pgn", "w", encoding="latin-1") as file:
        for number, (elo, _, date, _, control, _, result, _) in enumerate(ROWS, 1):
            file.write('[Event "e"]\n[Round "%d"]\n[White "W%d"]\n[Black "B"]\n[Date "%s"]\n[WhiteElo "%s"]\n[BlackElo "2000"]\n'
                       '[TimeControl "%s"]\n[Result "%s"]\n\n1. e4 *\n\n' % (number, number, date, elo, control, result))


def ask_command(archive):
    ratings = [game["white_rating"] for game in lines("cat", archive, "--format", "json", "--columns", "white_rating")]
    check.equal(ratings, [row[1] for row in ROWS], archive + ": cat")
    tree = json.loads(stamma("tree", archive, "--json"))
    for game in tree["topGames"]:
        number = int(game["id"].rsplit(":", 1)[1])
        check.equal((game["white"]["rating"], game["result"]), (ROWS[number - 1][1], ROWS[number - 1][7]), archive + ": tree %d" % number)
    for low, high in ((1, 9999), (1500, 2400), (2500, 2500)):
        check.equal(found(archive, "--white-rating", "%d..%d" % (low, high)), expected(lambda r: r[1] is not None and low <= r[1] <= high),
                    archive + ": --white-rating %d..%d" % (low, high))
    for day in ("2010.01.10", "2010.01.15", "2010.02.03", "2010.02.28", "2010.05.03", "2010.05.31", "2010.06.01", "2015.01.01", "1201.05.31"):
        check.equal(found(archive, "--date", day), expected(lambda r: r[3] is not None and r[3][0] <= day <= r[3][1]), archive + ": --date " + day)
    for speed in SPEEDS:
        check.equal(found(archive, "--speed", speed), expected(lambda r: r[5] == speed), archive + ": --speed " + speed)
    for result in ("1-0", "0-1", "1/2-1/2", "*"):
        check.equal(found(archive, "--result", result), expected(lambda r: r[7] == result), archive + ": --result " + result)
    by_rating = [n for n in found(archive, "--sort", "-WhiteElo") if ROWS[n - 1][1] is not None]
    check.equal(by_rating, sorted(by_rating, key=lambda n: -ROWS[n - 1][1]), archive + ": --sort -WhiteElo")
    wdl = json.loads(stamma("find", archive, "--wdl", "--json"))
    check.equal([wdl[side] for side in ("white_wins", "black_wins", "draws")],
                [len(expected(lambda r: r[7] == word)) for word in ("1-0", "0-1", "1/2-1/2")], archive + ": find --wdl")
    stats = json.loads(stamma("stats", archive, "--json"))
    years = {row["year"]: row["games"] for row in stats["years"]}
    check.equal(years.get(2010), len(expected(lambda r: r[3] is not None and r[3][0][:4] == r[3][1][:4] == "2010")), archive + ": stats")


def ask_server(server, archive):
    games = server.ask("/find", limit=100).json["games"]
    for game in games:
        row = ROWS[game["number"] - 1]
        check.equal((game["white_rating"], game["result"]), (row[1], row[7]), archive + ": /find %d" % game["number"])
        check.equal(game["date"] and int(game["date"][:4]), int(row[3][0][:4]) if row[3] and row[3][0][:4] == row[3][1][:4] else None, archive + ": year")
    for speed in SPEEDS:
        answer = server.ask("/find", speeds=speed, limit=100).json["games"]
        check.equal([game["number"] for game in answer], expected(lambda r: r[5] == speed), archive + ": speeds=" + speed)


def main():
    write_games()
    for level in (1, 3):
        archive = "level%d.stamma" % level
        stamma("pack", "-q", "-%d" % level, "-o", archive, "values.pgn")
        ask_command(archive)
        server = Server(archive)
        ask_server(server, archive)
        server.stop()
    check.end()


main()
