# SPDX-License-Identifier: MIT
"""Uses static sites, as `stamma site` writes them, in Chromium: from a host with ranges, from one without, and without a
network.

usage: page_site_driver.py SITE PIECES PGN SCREENSHOTS    two sites of an archive, and a file that is opened
"""
import json
import os
import sys

import browser
import page_driver
from page_driver import READY, same
from site_server import RangeServer

GAMES = "document.querySelectorAll('#games tbody tr').length > 0 && !document.querySelector('[aria-busy]')"
MOVES = "document.querySelectorAll('#view .moves a, #view .move, #view [data-ply]').length > 3"
ACTIVE = "navigator.serviceWorker.getRegistration().then(one => one?.active?.state)"


# Records the requests that the page sends to its worker.
RECORD = "window.asked = []; const post = Worker.prototype.postMessage; Worker.prototype.postMessage = function (message, ...more) {" \
         "if (message.path) window.asked.push(`${message.path}?${message.query}`); return post.call(this, message, ...more); };"


def data(server):
    """The endings of the files of which parts were requested, in their order."""
    return [os.path.splitext(path)[1][1:] for path, _ in server.requests if path.startswith("/data/")]


def explore(p, server):
    """The first view: few requests, and the names of games below the moves."""
    p.open("", READY)
    p.b.wait(GAMES)
    same(p.b.evaluate("document.title"), "Explore – Stamma", "title")
    if server.server.ranges:
        assert all(one for path, one in server.requests if path.startswith("/data/")), server.requests
    p.b.wait(ACTIVE, "activated")
    p.picture("site-explore")


def moves_need_pages(p, server):
    """The moves of a position are asked without the names of games, which follow, and need few requests."""
    del server.requests[:]
    p.b.evaluate("window.asked.length = 0")
    p.go("#/explore?play=e2e4,c7c5", READY)
    p.b.wait("document.querySelector('h1').textContent.includes('Sicilian')")
    p.b.wait(GAMES)
    asked = [one for one in p.b.evaluate("window.asked") if one.startswith("lichess")]
    same(["unnamed=1" in one for one in asked], [True, False], "questions for the moves and the names: %r" % asked)
    read = data(server)
    same(read[:1] in ([], ["pages"]), True, "what the moves need: %r" % read)
    same(len(read) <= 12, True, "requests of a position: %r" % read)


def search_and_game(p, player):
    p.go("#/search?player=%s&go=1" % player, "document.querySelector('#view').className === 'search' && document.querySelectorAll('#view tbody tr a[href^=\"#/game\"]').length > 0 && !document.querySelector('[aria-busy]')")
    same(p.b.evaluate("document.querySelector('#view tbody').textContent.includes(%s)" % json.dumps(player)), True, "the player in the list")
    p.b.evaluate("document.querySelector('#view tbody tr a[href^=\"#/game\"]').click()")
    p.b.wait("location.hash.startsWith('#/game') && " + MOVES)
    p.picture("site-game")
    return p.b.evaluate("location.hash")


def offline(p, server, game):
    """Without a network, the page opens with what was read before."""
    server.close()
    p.b.call("Page.reload")
    p.b.wait("location.hash === %s && %s" % (json.dumps(game), MOVES))
    p.go("#/explore?play=e2e4,c7c5", READY)
    p.b.wait("document.querySelector('h1').textContent.includes('Sicilian')")
    same(p.b.evaluate("document.querySelectorAll('.tree tbody tr').length > 0"), True, "moves without a network")
    p.picture("site-offline")


def opens_files(p, pgn):
    """A file is opened next to the archive of the site."""
    with open(pgn, encoding="latin-1") as file:
        text = file.read()
    p.b.evaluate("(() => { const data = new DataTransfer(); data.items.add(new File([%s], 'passed.pgn')); const input = document.querySelector('#open-pgn-file');"
                 "input.files = data.files; input.dispatchEvent(new Event('change')); })()" % json.dumps(text))
    p.b.wait("location.hash.includes('archive=1') && " + READY)


def update(p, server, folder):
    """A new version of the page is offered, and used after the reader has accepted it."""
    with open(os.path.join(folder, "service_worker.js"), encoding="utf-8") as file:
        script = file.read()
    with open(os.path.join(folder, "service_worker.js"), "w", encoding="utf-8") as file:
        file.write(script.replace('"style.css":"', '"style.css":"0', 1))
    p.b.evaluate("navigator.serviceWorker.getRegistration().then(one => one.update()).then(() => 1)")
    p.b.wait("document.querySelector('#message p')?.textContent", "There is a new version of this page.")
    p.b.evaluate("window.before = true; [...document.querySelectorAll('#message button')].find(one => one.textContent === 'Use it').click()")
    p.b.wait("window.before !== true && " + MOVES)


def main(site, pieces, pgn, pictures):
    failures, window = 0, browser.Browser()
    window.call("Page.addScriptToEvaluateOnNewDocument", source=RECORD)
    for folder, ranges in ((site, True), (site, False), (pieces, False)):
        server = RangeServer(folder, ranges)
        p = page_driver.Page(server.address, None, pictures, window)
        name = "%s, %s" % (os.path.basename(folder), "ranges" if ranges else "no ranges")
        try:
            explore(p, server)
            moves_need_pages(p, server)
            game = search_and_game(p, "W1")
            if ranges:
                update(p, server, folder)
                opens_files(p, pgn)
                p.b.evaluate("location.hash = %s" % json.dumps(game))
            same(p.b.logged, [], "messages of the browser")
            offline(p, server, game)
        except browser.Failed as failed:
            failures += 1
            print("FAILED: %s: %s\n  %r" % (name, failed, p.b.logged[:5]))
            break
    window.close()
    return failures > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
