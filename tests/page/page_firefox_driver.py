# SPDX-License-Identifier: MIT
"""Uses all views of the page of `stamma serve` in Firefox. Started by page_firefox.sh, in a folder with sample.pgn. The
server has an engine, and opens uploads.

usage: page_firefox_driver.py ADDRESS ARCHIVE SCREENSHOTS     exits with status 1 if a check fails
       page_firefox_driver.py --browser                       exits with status 0 if Firefox is installed
"""
import json
import os
import subprocess
import sys

import firefox
from page_driver import choose_file, run, same

ENTER, ESCAPE = "\ue007", "\ue00c"
READY = "!document.querySelector('[aria-busy]') && document.querySelectorAll('.tree tbody tr').length > 0"
GAME = "document.querySelector('.notation') !== null && !document.querySelector('[aria-busy]')"
MOVES = "[...document.querySelectorAll('.tree tbody tr')].map(row => [row.dataset.uci, row.querySelector('a').textContent," \
        " Number(row.querySelector('.n').firstChild.data.replace(',', ''))])"
SETUP = "document.querySelectorAll('.setup .square').length === 64"
FOUND = "document.querySelectorAll('#results .games tbody tr').length > 0"
NUMBERS = "document.querySelectorAll('.chart svg').length === 2"
ANALYSIS = "document.querySelectorAll('#board .marks [data-mark]').length === 2 && document.querySelectorAll('.moves .variation a.move').length === 1"
CODES = "document.querySelector('.code-fields') !== null"
FILE = "document.querySelector('#view input[type=file]') !== null"
VIEWS = (("explore", "#/explore?play=e2e4,e7e5&history=1", READY), ("game", "#/game/87?ply=40", GAME), ("search", "#/search?go=1", FOUND),
         ("analysis", "#/analysis?pgn=1.+e4+e5+(1...+c5)+2.+Nf3+{+[%25csl+Re5][%25cal+Gf3e5]+good+}+*&play=e2e4,e7e5,g1f3", ANALYSIS),
         ("statistics", "#/statistics", NUMBERS), ("duplicates", "#/duplicates", FILE), ("encodings", "#/encodings?play=e2e4&code=tarrasch", CODES),
         ("boards", "#/encodings?tab=boards&board=mailbox-10x12&square=g1", "document.querySelectorAll('.cell[data-order]').length === 8"))
SQUARE = '#board .square[data-square="%s"]'


class Page:
    def __init__(self, address, archive, pictures):
        self.address, self.archive, self.pictures = address.rstrip("/") + "/", archive, pictures
        self.b = firefox.Firefox()

    def open(self, view, ready):
        """Opens a view in a newly loaded page."""
        self.b.open("about:blank")
        self.b.open(self.address + view)
        self.b.wait(ready)

    def picture(self, name):
        self.b.evaluate("new Promise(done => setTimeout(done, 200))")
        self.b.screenshot(os.path.join(self.pictures, "firefox-%s.png" % name))


def views(p):
    for width, height in ((1440, 900), (500, 844)):  # a window of Firefox cannot be narrower
        p.b.size(width, height)
        for name, view, ready in VIEWS:
            p.open(view, ready)
            same(p.b.evaluate("document.documentElement.scrollWidth <= innerWidth"), True, "%s fits into %d" % (name, width))
            same(p.b.evaluate("document.querySelectorAll('.error').length"), 0, "errors in " + name)
            p.picture("%s-%d-light" % (name, width))
    p.b.size(1280, 800)


def board(p):
    p.open("#/explore", READY)
    answer = subprocess.run([os.environ["STAMMA"], "tree", "--json", p.archive], capture_output=True, check=True)
    same(p.b.evaluate(MOVES), [[one["uci"], one["san"], one["sums"]["games"]] for one in json.loads(answer.stdout)["moves"]], "the moves")
    p.b.drag(SQUARE % "e2", SQUARE % "e4")
    p.b.wait("location.hash", "#/explore?play=e2e4")
    p.b.wait(READY)
    p.b.press("m")
    p.b.press(*"c5", ENTER)
    p.b.wait("location.hash", "#/explore?play=e2e4,c7c5")
    p.b.evaluate("document.activeElement.blur()")
    p.b.press("\ue012")  # left
    p.b.wait("location.hash", "#/explore?play=e2e4,c7c5&ply=1")


def explanations(p):
    opened = "[...document.querySelectorAll('.explanation:popover-open')].map(one => one.innerText).join()"
    p.open("#/explore?play=e2e4", READY)
    p.b.click(".tree .explain")
    p.b.wait(opened + ".startsWith('How surprising')")
    p.picture("bits")
    p.b.press(ESCAPE)
    p.b.wait(opened, "")
    p.open("#/game/88?ply=4", GAME)
    p.b.click('.half[data-ply="4"] .explain')
    p.b.wait(opened + ".includes('Nf3 Nf6 c4 e6')")


def setting_up(p):
    kind = "document.querySelector('.setup [data-square=%s]').getAttribute('aria-label')"
    p.open("#/search", SETUP)
    p.b.click('.setup [data-square="e4"]')
    p.b.wait(kind % "e4", "e4, white pawn")
    p.b.drag('.setup [data-square="e4"]', '.setup [data-square="c6"]')
    p.b.wait(kind % "c6", "c6, white pawn")
    same(p.b.evaluate(kind % "e4"), "e4, anything", "the square that the piece left")
    p.b.evaluate("document.querySelector('.submit .primary').click()")
    p.b.wait("location.hash.includes('sub=8/8/2P5')")


def colours(p):
    background = "getComputedStyle(document.body).backgroundColor"
    p.open("#/explore", READY)
    light = p.b.evaluate(background)
    p.b.click("#theme")  # light colours; then dark ones
    p.b.click("#theme")
    p.b.wait(background + " !== " + json.dumps(light))
    p.picture("explore-dark")
    p.b.evaluate("localStorage.clear()")


def engine(p):
    rows = "[...document.querySelectorAll('.engine-lines li:not(.coming)')].map(one => one.querySelector('button').textContent)"
    p.open("#/explore?play=e2e4,e7e5", READY)
    p.b.click("#engine-switch")
    with open("games.uci", encoding="utf-8") as file:
        games = [line.split() for line in file]
    wanted = list(dict.fromkeys(game[2] for game in games if game[:2] == ["e2e4", "e7e5"] and len(game) > 2))[:3]
    p.b.wait(rows + ".length", len(wanted))
    same(p.b.evaluate("[...document.querySelectorAll('#board .arrow-engine')].map(one => one.dataset.arrow)"), wanted, "arrows")
    same(p.b.evaluate("parseFloat(document.querySelector('#evaluation-bar div').style.height) !== 50"), True, "the bar")
    p.picture("engine-1280-light")
    p.b.click(".engine-lines button")
    p.b.wait("location.hash", "#/explore?play=e2e4,e7e5," + wanted[0])
    p.open("#/game/81", GAME)
    p.b.click(".game-analysis button")
    p.b.wait("document.querySelector('.game-analysis button').textContent", "Analyse again")
    same(p.b.evaluate("document.querySelectorAll('.dot').length > 0 && document.querySelectorAll('.half .evaluation.engine').length"), 13, "evaluations of moves before the mate")


def uploads(p):
    p.open("#/archives", FILE)
    p.b.evaluate(choose_file("sample.pgn"))
    p.b.wait("[...document.querySelectorAll('.archives-table tbody th')].map(one => one.textContent).join()", "games.stamma,sample.pgn")
    p.b.wait("document.querySelectorAll('.messages li').length > 0")
    p.picture("upload-1280-light")
    p.b.click(".upload .links a")
    p.b.wait("location.hash", "#/explore?archive=1")
    p.b.wait(READY)
    p.open("#/archives", FILE)
    p.b.click(".actions button")  # Close, and then Delete
    p.b.click(".actions button")
    p.b.wait("document.querySelectorAll('.archives-table tbody tr').length", 1)


def main():
    if sys.argv[1:] == ["--browser"]:
        return 0 if firefox.program() else 1
    page = Page(*sys.argv[1:])
    try:
        right = [run(page, check) for check in (views, board, explanations, setting_up, engine, uploads, colours)]
    finally:
        page.b.close()
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
