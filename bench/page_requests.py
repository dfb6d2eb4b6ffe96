# SPDX-License-Identifier: MIT
"""Measures the processor time of each request that the page makes when a view is opened.

usage: page_requests.py STAMMA ARCHIVE     run by page_requests.sh

Chromium opens the views, and records the requests. Each request is then sent separately to another server, which has not
answered any of them. The processor time is that of all threads of this server, as the kernel counts it. The second column
is the time when the request is repeated, which the server may answer from memory.
"""
import os
import sys
import time
import urllib.error
import urllib.request

from serve_load import start

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tests", "support"))
import browser  # noqa: E402

RUY = "e2e4,e7e5,g1f3,b8c6,f1b5,a7a6,b5a4,g8f6,e1g1,f8e7,f1e1,b7b5,a4b3,d7d6,c2c3,e8g8,h2h3"
NAJDORF = "e2e4,c7c5,g1f3,d7d6,d2d4,c5d4,f3d4,g8f6,b1c3,a7a6"
# The purpose of these views is the answer of a long search, which the reader requests by choosing a player or a filter.
ASKED = ("report", "stats", "find")
VIEWS = (("Explore", "#/explore"), ("Explore, 1.e4", "#/explore?play=e2e4"), ("Explore, 9 plies", "#/explore?play=" + RUY[:44]),
         ("Explore, 17 plies", "#/explore?play=" + RUY), ("Explore, Najdorf", "#/explore?play=" + NAJDORF),
         ("Explore, results over time", "#/explore?history=1&play=e2e4"), ("Explore, all games", "#/explore?games=all&play=e2e4"),
         ("Explore, rated 2600", "#/explore?play=e2e4&rating=2600.."), ("Explore, a player", "#/explore?player=Carlsen"),
         ("Explore, since 2010", "#/explore?play=%s&since=2010" % NAJDORF), ("Game", "#/game/{first}"), ("Game", "#/game/{last}"),
         ("Analysis", "#/analysis?new=1&play=" + RUY), ("Search", "#/search"), ("Statistics", "#/statistics"), ("Statistics, 1.e4", "#/statistics?play=e2e4"),
         ("Players", "#/player/"), ("Players, a player", "#/player/Carlsen?color=white"), ("Preparation", "#/prepare"),
         ("Preparation, two players", "#/prepare?me=Carlsen&opponent=Caruana&color=white"), ("Encodings", "#/encodings?play=" + RUY),
         ("Archives", "#/archives"), ("Duplicates", "#/duplicates"))
# Requests that follow typing a name, pointing at a move, and opening the part with other orders of moves.
LATER = (("Typing a name", "players?q=k&limit=8"), ("Typing a name", "players?q=kasp&limit=8"), ("Typing a name", "players?q=kasparow&limit=8"),
         ("Pointing at a move", "board.svg?fen=4k3/8/8/8/8/8/8/4K3+w+-+-+0+1"), ("Other orders of moves *", "orders?play=" + RUY))
SHOWN = "document.querySelector('#view > *') !== null && !document.querySelector('[aria-busy]')"


def used(process):
    """Returns the processor time of all threads of a process in milliseconds."""
    total = 0
    for thread in os.listdir("/proc/%d/task" % process.pid):
        with open("/proc/%d/task/%s/schedstat" % (process.pid, thread), encoding="ascii") as file:
            total += int(file.read().split()[0])
    return total / 1e6


def measure(process, address):
    """Sends a request. Returns its status and processor time."""
    before = used(process)
    try:
        with urllib.request.urlopen(address) as answer:
            answer.read()
            status = answer.status
    except urllib.error.HTTPError as error:
        status = error.code
    return status, used(process) - before


def games(port):
    """Returns the addresses of the first and of the last game."""
    with urllib.request.urlopen("http://127.0.0.1:%d/archives" % port) as answer:
        text = answer.read().decode()
    return {"first": 1, "last": text.split('"games":')[1].split(",")[0]}


def requests_of(window, base, view):
    """Opens a view, and returns the requests that are not for files of the page."""
    window.open("about:blank")
    window.requests.clear()
    window.open(base + view)
    window.wait(SHOWN)
    time.sleep(0.3)
    asked = [one[len(base):] for one in window.requests if one.startswith(base)]
    return [one for one in asked if one and not one.split("?")[0].endswith((".js", ".css", ".svg", ".html", "/")) and not one.startswith("#")]


def row(process, port, name, request):
    """Measures a request and prints its line. Returns whether it is automatic and above 50 ms."""
    status, first = measure(process, "http://127.0.0.1:%d/%s" % (port, request))
    again = measure(process, "http://127.0.0.1:%d/%s" % (port, request))[1]
    asked = request.split("?")[0] in ASKED or name.endswith("*")
    short = request.replace("moves=500&topGames=4&recentGames=4&bits=1", "...").replace("fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq+-+0+1&", "")
    print("%-28s %8.1f %8.1f  %s%s%s" % (name, first, again, short[:90], "" if status == 200 else " (%d)" % status, " *" if asked else ""))
    return first > 50 and not asked


def main():
    stamma, archive = sys.argv[1:3]
    shown, port, _ = start(stamma, archive)
    quiet, other, _ = start(stamma, archive)
    window, seen, late = browser.Browser(), set(), 0
    try:
        here = games(port)
        print("%-28s %8s %8s  %s" % ("view", "first ms", "again ms", "request"))
        for name, view in VIEWS:
            for request in requests_of(window, "http://127.0.0.1:%d/" % port, view.format(**here)):
                late += request not in seen and row(quiet, other, name, request)
                seen.add(request)
        late += sum(row(quiet, other, *one) for one in LATER)
        print("* the reader asks for this answer; %d other requests above 50 ms" % late)
    finally:
        window.close()
        shown.kill()
        quiet.kill()


if __name__ == "__main__":
    main()
