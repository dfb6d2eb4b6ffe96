# SPDX-License-Identifier: MIT
"""Searches with the page of `stamma serve`. Started by page_search.sh.

usage: page_search_driver.py ADDRESS ARCHIVE SCREENSHOTS     exits with status 1 if a check fails
The server also has slow.stamma, as archive 1, and long.stamma, with more games than the server sorts, as archive 2.
"""
import json
import os
import subprocess
import sys
import time
import urllib.request

import browser
import page_driver
from page_driver import READY, same

SIZES = ((1440, 900), (820, 1180), (390, 844), (320, 568))
ROWS = "document.querySelectorAll('#results .games tbody tr').length"
IDS = "[...document.querySelectorAll('.games tbody tr')].filter(one => one.offsetParent).map(one => one.dataset.id)"
TITLE = "document.querySelector('.found-title h2').textContent"
NOTE = "document.querySelector('.found-note span').textContent"
BUTTON = "document.querySelector('.found-note button')"
RUNNING = BUTTON + ".textContent === 'Cancel' && !" + BUTTON + ".hidden"
IDLE = "!document.querySelector('[aria-busy]')"
SLOW = "#/search?archive=1&go=1&query=" + urllib.request.quote('{"sequence": [{"move": "O-O"}, {"move": "O-O"}]}')


def truth(p, *options):
    """Returns the numbers of the games that the command finds."""
    answer = subprocess.run([os.environ["STAMMA"], "find", "--json", p.archive, *options], capture_output=True, check=True)
    return [json.loads(line)["number"] for line in answer.stdout.splitlines()]


def numbers(p):
    """Returns the numbers of the games in the list."""
    found = []
    for one in p.b.evaluate(IDS):
        with urllib.request.urlopen(p.address + "game/" + one) as answer:
            found.append(json.load(answer)["number"])
    return found


def metric(p, name):
    with urllib.request.urlopen(p.address + "metrics") as answer:
        return next(float(line.rsplit(" ", 1)[1]) for line in answer.read().decode().splitlines() if line.startswith("stamma_" + name + " "))


def ends(p, what):
    until = time.monotonic() + browser.PATIENCE
    while metric(p, "searches_running") > 0 and time.monotonic() < until:
        time.sleep(0.05)
    same(metric(p, "searches_running"), 0, what)


def one_request(p):
    """The list, the number of games and their results are one request."""
    wanted = truth(p, "--move", "O-O")
    p.b.requests.clear()
    p.open("#/search?move=O-O&archive=0&go=1", IDLE + " && %s === 20" % ROWS)
    same(p.b.evaluate(TITLE), "%d games" % len(wanted), "number of games")
    same(numbers(p), wanted[:20], "games")
    same(len([one for one in p.b.requests if "/find" in one]), 1, "requests")
    results = json.loads(subprocess.run([os.environ["STAMMA"], "find", "--wdl", "--json", p.archive, "--move", "O-O"], capture_output=True, check=True).stdout)
    same(p.b.evaluate(NOTE).split(" ")[1], "%d" % round(100 * results["white_wins"] / len(wanted)), "share of White's wins")
    p.b.evaluate("document.querySelector('.found-foot .pages .button').click()")
    p.b.wait("location.hash.includes('offset=20') && " + IDLE)
    same(numbers(p), wanted[20:40], "the next page")
    p.open("#/search?comment=nothing+says+this&archive=0&go=1", "document.querySelector('#results .empty') !== null")
    same(p.b.evaluate(TITLE), "", "the heading of no games")


def saved_questions(p):
    """A question that `stamma find --save` has saved is chosen from a list."""
    p.open("#/search", "document.querySelector('#saved-questions') !== null")
    same(p.b.evaluate("[...document.querySelector('#saved-questions').options].map((one) => one.textContent)"), ["Choose", "Castled short"], "the saved questions")
    p.b.evaluate("(() => { const one = document.querySelector('#saved-questions'); one.value = '0'; one.dispatchEvent(new Event('change')); })()")
    p.b.wait("location.hash.includes('go=1') && " + IDLE + " && %s === 20" % ROWS)
    same(numbers(p), truth(p, "--move", "O-O")[:20], "games of a saved question")


def flags(p):
    """Games are selected by the flags of `stamma edit`."""
    p.open("#/search?flag=favourite&archive=0&go=1", IDLE + " && %s > 0" % ROWS)
    same(numbers(p), [3, 5], "games with a flag")
    same(p.b.evaluate("document.querySelector('#filter-form [name=flag]').value"), "favourite", "the flag in the form")
    same(p.b.evaluate("document.querySelector('.chip').textContent.includes('flag favourite')"), True, "the flag in words")


def order(p):
    """The list is sorted by the server, over all games."""
    p.open("#/search?move=O-O&archive=0&go=1", IDLE + " && %s === 20" % ROWS)
    for name in ("-rating", "date", "-plies"):
        p.b.evaluate("(() => { const one = document.querySelector('.found-title select'); one.value = %s; one.dispatchEvent(new Event('change')); })()" % json.dumps(name))
        p.b.wait("location.hash.endsWith('sort=%s') && %s" % (name, IDLE))
        same(numbers(p), truth(p, "--move", "O-O", "--sort", name, "--limit", "20"), "games by " + name)
    p.b.evaluate("document.querySelector('.found-foot .pages .button').click()")
    p.b.wait("location.hash.includes('offset=20') && location.hash.includes('sort=-plies') && " + IDLE)
    same(numbers(p), truth(p, "--move", "O-O", "--sort", "-plies")[20:40], "the next page")
    p.open("#/explore?play=e2e4&archive=0&games=all&sort=-date", READY + " && document.querySelectorAll('#games .games tbody tr').length > 0")
    same(numbers(p), truth(p, "--moves", "e4", "--sort", "-date", "--limit", "20"), "games of a position")
    same(p.b.evaluate(TITLE), "%d games" % len(truth(p, "--moves", "e4")), "their number")
    p.b.click('[data-tab="recent"]')
    p.b.wait("location.hash.endsWith('games=recent') && document.querySelector('.found-title').offsetParent === null")


def sorted_moves(p):
    """The headings of the table of moves sort it. The truth is the order of the command's answer."""
    answer = subprocess.run([os.environ["STAMMA"], "tree", "--json", p.archive, "--moves", "e4"], capture_output=True, check=True)
    moves = json.loads(answer.stdout)["moves"]
    points = {one["uci"]: (one["black"] + one["draws"] / 2) / max(1, one["white"] + one["draws"] + one["black"]) for one in moves}
    wanted = {"-score": sorted(moves, key=lambda one: -points[one["uci"]]), "score": sorted(moves, key=lambda one: points[one["uci"]]), "games": sorted(moves, key=lambda one: one["sums"]["games"]),
              "date": sorted(moves, key=lambda one: (one["lastDate"] is None, one["lastDate"]))}
    shown = "[...document.querySelectorAll('.tree tbody tr')].map(row => row.dataset.uci)"
    p.open("#/explore?play=e2e4&archive=0")
    same(p.b.evaluate(shown), [one["uci"] for one in moves], "the order of the server")
    sort = ".tree [data-column=%s] .sort"
    top = p.b.evaluate("JSON.stringify(document.querySelector('.tree thead').getBoundingClientRect()) + [...document.querySelectorAll('.tree th')].map(one => one.offsetLeft)")
    for column, order, state in (("score", "-score", "descending"), ("score", "score", "ascending"), ("games", "-games", "descending"), ("games", "games", "ascending")):
        p.b.evaluate("document.querySelector('%s').focus()" % (sort % column))
        p.b.press("Enter")
        p.b.wait("document.querySelector('.tree [aria-sort]').dataset.column + document.querySelector('.tree [aria-sort]').ariaSort", column + state)
        same(p.b.evaluate(shown), [one["uci"] for one in wanted.get(order, moves)], "the moves by " + order)
        same(p.b.evaluate("document.activeElement.closest('th').dataset.column"), column, "the focus")
        same(p.b.evaluate("location.hash"), "#/explore?play=e2e4&archive=0" + ("" if order == "-games" else "&order=" + order), "the address by " + order)
    same(p.b.evaluate("JSON.stringify(document.querySelector('.tree thead').getBoundingClientRect()) + [...document.querySelectorAll('.tree th')].map(one => one.offsetLeft)"), top, "the columns")
    p.b.click(sort % "date")
    p.b.click(sort % "date")
    same(p.b.evaluate(shown), [one["uci"] for one in wanted["date"]], "the moves by date")
    p.b.click(".tree tbody tr a")
    p.b.wait("location.hash.endsWith(',%s&archive=0&order=date') && " % wanted["date"][0]["uci"] + READY)
    same(p.b.evaluate("document.querySelector('.tree [aria-sort]').dataset.column"), "date", "the order after a move")
    p.open("#/explore?order=nonsense&archive=0")
    same(p.b.evaluate("document.querySelector('.tree [aria-sort]').dataset.column"), "games", "an unknown order")


def end_of_order(p):
    """After the last game that the server sorts, the page explains why there is no next game. Loud: the server rejects
    the search for new moves in slow archives."""
    p.open("#/search?archive=2&sort=-date&offset=9980&go=1", IDLE + " && %s === 20" % ROWS)
    p.b.evaluate("document.querySelectorAll('#results .games tbody td.result')[19].click()")
    p.b.wait("document.querySelector('.game-bar .of')?.textContent", "10,000 of 10,050; only these are sorted")
    same(p.b.evaluate("document.querySelector('.game-bar .next').getAttribute('href')"), None, "a next game")
    p.b.press("p")
    p.b.wait("document.querySelector('.game-bar .of')?.textContent", "9,999 of 10,050")


def long_search(p):
    """A long search shows games and their number while it runs, and can be cancelled."""
    for size in SIZES:
        p.b.size(*size)
        p.open(SLOW, RUNNING + " && %s === 20" % ROWS)
        p.b.evaluate("document.querySelector('#count').scrollIntoView()")
        p.b.wait("parseInt(%s) > 0" % NOTE)
        same(p.b.evaluate("document.documentElement.scrollWidth <= innerWidth"), True, "a search fits into %d" % size[0])
        p.picture("search-running-%d-light" % size[0])
    p.b.size(1280, 800)
    first = p.b.evaluate("[%s, document.querySelector('progress').value]" % TITLE)
    p.b.wait("%s !== %s && document.querySelector('progress').value > %r" % (TITLE, json.dumps(first[0]), first[1]))
    same(p.b.evaluate(TITLE).endswith(" games so far"), True, "the number so far")
    same(metric(p, "searches_running"), 1, "searches")
    p.b.click(".found-note button")
    p.b.wait(NOTE + ".startsWith('Cancelled after ') && " + BUTTON + ".textContent === 'Search again' && " + IDLE)
    ends(p, "searches after Cancel")
    same(p.b.evaluate(ROWS), 20, "games that were found before")
    p.picture("search-cancelled-light")
    p.b.click(".found-note button")
    p.b.wait(RUNNING)
    p.go("#/statistics?archive=0", "document.querySelector('.chart') !== null")
    ends(p, "searches after another view was opened")
    p.go(SLOW, RUNNING)
    p.go("#/search?move=O-O&archive=0&go=1", IDLE + " && %s === 20" % ROWS)
    ends(p, "searches after another search")
    p.open(SLOW + "&sort=-date", RUNNING + " && %s === 20" % ROWS)  # the games that are first so far
    p.b.click(".found-note button")
    p.b.wait(IDLE)


def nothing_moves(p):
    """Nothing moves when answers arrive."""
    p.b.size(1280, 800)
    p.open("#/search?archive=1", "document.querySelectorAll('.setup .square').length === 64")
    p.settle()
    p.b.evaluate("window.shifts = []; new PerformanceObserver(list => shifts.push(...list.getEntries())).observe({ type: 'layout-shift' })")
    p.b.evaluate("location.hash = '#/search?archive=1&go=1&move=O-O'")
    p.b.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))).then(() => { shifts.length = 0 })")
    p.b.wait(RUNNING + " && %s === 20" % ROWS)
    p.settle()
    moved = p.b.evaluate("shifts.flatMap(one => one.sources.map(source => [source.node?.className ?? '', source.previousRect.top, source.currentRect.top]))")
    same([one for one in moved if one[1] != one[2] and one[1] > 0], [], "elements that moved")
    p.b.click(".found-note button")
    p.b.wait(IDLE)


def held_key(p):
    """While a key is held, moves are requested only for the first and the last position. A position that was shown
    before needs no request."""
    line = ["g1f3", "g8f6", "f3g1", "f6g8"] * 4
    p.open("#/explore?archive=0&play=" + ",".join(line), IDLE + " && document.querySelector('#tree')?.firstChild !== null && document.querySelector('.heading .summary') !== null")
    p.b.requests.clear()
    p.b.evaluate("for (let i = 0; i < 16; i += 1) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true }))")
    p.b.wait("location.hash.includes('&ply=0') && " + READY)
    same(p.b.evaluate("document.querySelector('#board svg').getAttribute('aria-label').startsWith('White to move')"), True, "the board")
    wanted = [one[1] for one in p.tree()]
    p.b.wait("[...document.querySelectorAll('.tree tbody a')].map(one => one.textContent).join()", ",".join(wanted))
    asked = [one for one in p.b.requests if "/lichess?" in one]
    same(len(asked) in (1, 2), True, "one request, and one for the first key if nothing was requested just before")
    p.b.press("End")
    p.b.wait("!location.hash.includes('ply=') && " + IDLE)
    p.b.press("Home")
    p.b.wait("location.hash.includes('&ply=0') && " + READY)
    same(len([one for one in p.b.requests if "/lichess?" in one]), len(asked), "requests after positions that were shown")


def errors_of_positions(p):
    """After an error, heading, count and links of another position are gone."""
    p.open("#/explore?archive=0&play=e2e4", READY + " && document.querySelector('.explore > .links a') !== null")
    p.go("#/explore?archive=0&fen=nonsense", "document.querySelector('#tree .error') !== null")
    same(p.b.evaluate("[document.querySelector('.heading').textContent, document.querySelectorAll('.explore > .links *').length]"), ["Position", 0], "what is left")
    p.go("#/explore?archive=0&play=e2e4", READY + " && document.querySelector('.heading .summary') !== null")


def errors(p):
    """A failed search shows an error and no numbers of an earlier search."""
    p.open("#/search?move=O-O&archive=0&go=1", IDLE + " && %s === 20" % ROWS)
    p.b.call("Network.setBlockedURLs", urls=["*/find*"])
    p.go("#/search?move=O-O&archive=0&go=1&white=A", "document.querySelector('#results .error')?.textContent.includes('cannot be reached')")
    same(p.b.evaluate("[%s, %s, document.querySelectorAll('.found-foot *').length]" % (TITLE, NOTE)), ["", "", 0], "what an earlier search has left")
    p.picture("search-error-light")
    p.b.call("Network.setBlockedURLs", urls=[])
    p.b.click("#results .error button")
    p.b.wait(IDLE + " && document.querySelector('#results .error') === null")
    same(numbers(p), truth(p, "--move", "O-O", "--white", "A")[:20], "the games after another attempt")
    p.go("#/search?query=%7B%22materal%22:1%7D&go=1", "document.querySelector('#results .error')?.textContent.includes('did you mean')")
    same(p.b.evaluate("[%s, %s]" % (TITLE, ROWS)), ["", 0], "what an earlier search has left")
    same(p.b.evaluate("[document.querySelector('#results .error').textContent.startsWith('query, byte'), document.querySelector('#results .error button')]"), [False, None],
         "the place in a query that the page made, and a button to make the same error again")


def main():
    return page_driver.run_all(page_driver.Page(*sys.argv[1:]), (one_request, saved_questions, flags, order, sorted_moves, held_key, long_search, nothing_moves), (errors, errors_of_positions, end_of_order))


if __name__ == "__main__":
    sys.exit(main())
