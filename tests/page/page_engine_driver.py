# SPDX-License-Identifier: MIT
"""Uses the engine of the page of `stamma serve`. Started by page_engine.sh, in a folder with the fake engines `recorded` and
`exits` (tests/support/fake_engine.py).

usage: page_engine_driver.py ARCHIVE SCREENSHOTS STOCKFISH    exits with status 1 if a check fails, and with 77 if the page has no
                                                              board. STOCKFISH may be empty
"""
import hashlib
import http.server
import json
import math
import os
import subprocess
import sys
import threading
import time

import browser
import page_driver
from page_driver import NAMED, READY, same
from serve_client import Server

PATIENCE = 40
TRAP, CLOCKS = 81, 87  # games: one with a blunder at ply 9, and one of page_games.py with clocks and evaluations
SIZES = ((1440, 900), (820, 1100), (390, 844), (320, 568))
GAME = "document.querySelector('.notation') !== null && !document.querySelector('[aria-busy]')"
ROWS = "[...document.querySelectorAll('.engine-lines li:not(.coming)')].map(one => one.innerText.replace(/\\s+/g, ' ').trim())"
ARROWS = "[...document.querySelectorAll('#board .arrow-engine')].map(one => one.dataset.arrow)"
PREVIEW = "document.querySelector('.preview').dataset.fen.split(' ')[0]"
FOOT = "document.querySelector('.engine-state').innerText.trim()"
BELOW = "document.getElementById('engine').getBoundingClientRect().bottom"
ONE_LINE = "document.querySelector('.engine-head select').value = '1'; document.querySelector('.engine-head select').dispatchEvent(new Event('change'))"
FITS = "document.documentElement.scrollWidth <= innerWidth"


def started(p):
    """Returns the number of analyses of positions that the page has requested; those of the moves of a tree do not count."""
    p.b.evaluate("1")  # reads the browser's events
    return sum("/engine?" in url and "searchmoves" not in url for url in p.b.requests)


def started_are(p, number):
    end = time.monotonic() + PATIENCE
    while started(p) < number and time.monotonic() < end:
        time.sleep(0.03)
    p.b.evaluate("new Promise(done => setTimeout(done, 300))")
    same(started(p), number, "analyses")


class Log:
    """The commands that the fake engine receives."""

    def __init__(self, path):
        self.path = path

    def count(self, command):
        if not os.path.exists(self.path):
            return 0
        with open(self.path, encoding="utf-8") as file:
            return sum(line.strip() == command for line in file)

    def words(self, *names):
        """Returns the commands with one of these names."""
        with open(self.path, encoding="utf-8") as file:
            return [line.strip() for line in file if line.split()[:1] and line.split()[0] in names]

    def until(self, holds, what):
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end:
                raise browser.Failed("%s: %s" % (what, self.words("go", "stop")[-5:]))
            time.sleep(0.03)

    def searches(self, begin):
        self.until(lambda: self.words("go")[-1].startswith(begin), "the last search should begin with " + begin)

    def rests(self):
        self.until(lambda: self.words("go", "stop")[-1] == "stop", "the engine searches")

    def wait(self, command, number):
        end = time.monotonic() + PATIENCE
        while self.count(command) < number:
            if time.monotonic() > end:
                raise browser.Failed("the engine received %r %d times, not %d" % (command, self.count(command), number))
            time.sleep(0.03)


def lines(p):
    """Fake lines: the evaluation is 0.20, the moves are e4 e5 Nf3, the depth is 5."""
    p.open("#/explore")
    same(p.b.evaluate("document.getElementById('engine').hidden"), False, "the engine is hidden")
    same((started(p), p.log.count("uci")), (0, 0), "analyses before the engine is on")
    same(p.b.evaluate("document.getElementById('evaluation-bar').hidden"), True, "the bar is hidden")
    p.b.press("e")
    p.b.wait("document.getElementById('engine-switch').getAttribute('aria-checked')", "true")
    below = p.b.evaluate(BELOW)
    p.b.wait("document.querySelectorAll('.engine-lines li').length", 3)
    p.b.evaluate(ONE_LINE)
    p.b.wait(ROWS, ["+0.20 1. e4 e5 2. Nf3"])
    p.b.wait(FOOT, "depth 5 · 50 kn/s")
    same(p.b.evaluate("document.querySelector('.engine-score').textContent"), "+0.20", "the score")
    same(p.b.evaluate("document.getElementById('evaluation-bar').getAttribute('aria-label')"), "Evaluation +0.20", "the bar in words")
    # Lichess's winning chances of +0.20: 1 / (1 + exp(-0.00368208 * 20))
    same(p.b.evaluate("document.querySelector('#evaluation-bar div').style.height"), "51.8%", "White's part of the bar")
    same(p.b.evaluate(ARROWS), ["e2e4"], "arrows")
    same(below > p.b.evaluate(BELOW), True, "fewer lines need less room")


def fits(p):
    """The panel and the bar have room at every width."""
    one_line(p)
    for width, height in SIZES:
        p.b.size(width, height, width < 500)
        p.settle()
        same(p.b.evaluate("[%s, document.getElementById('evaluation-bar').getBoundingClientRect().left >= 0]" % FITS), [True, True], "the engine and the bar at %d" % width)
    p.b.size(1280, 800)


def one_line(p):
    p.open("#/explore")
    p.b.click("#engine-switch")
    p.b.evaluate(ONE_LINE)
    p.b.wait(ROWS, ["+0.20 1. e4 e5 2. Nf3"])


def no_shift(p):
    """Nothing moves when lines arrive, or while a new position has no line yet."""
    p.open("#/explore")
    p.b.click("#engine-switch")
    p.b.evaluate(ONE_LINE)
    same(p.b.evaluate(ROWS), [], "lines before an answer")
    tops = [p.b.evaluate(BELOW)]
    p.b.wait(ROWS, ["+0.20 1. e4 e5 2. Nf3"])
    tops.append(p.b.evaluate(BELOW))
    p.go("#/explore?play=e2e4", "document.querySelectorAll('.engine-lines li.coming').length === 1")
    tops.append(p.b.evaluate(BELOW))
    same(len(set(tops)), 1, "the end of the panel: %s" % tops)


def moves(p):
    """Moves of a line are shown on a small board and played."""
    one_line(p)
    p.b.mouse("mouseMoved", p.b.place(".engine-lines button:nth-of-type(2)"))
    p.b.wait(PREVIEW, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR")
    p.b.mouse("mouseMoved", [5, 5])
    p.b.wait("document.querySelector('.preview')", None)
    p.b.click(".engine-lines button:nth-of-type(2)")
    p.hash_is("#/explore?play=e2e4,e7e5")
    p.b.wait(ROWS, [])  # the fake line is not legal here
    same(p.b.evaluate(ARROWS), [], "arrows of the position before")
    one_line(p)
    p.b.evaluate("document.querySelector('.engine-lines button').focus()")
    p.b.press("ArrowRight")
    p.b.press("ArrowRight")
    same(p.b.evaluate("[document.activeElement.textContent, location.hash]"), ["Nf3", "#/explore"], "arrow keys in the line")
    p.b.wait(PREVIEW, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R")
    p.b.press("Enter")
    p.hash_is("#/explore?play=e2e4,e7e5,g1f3")
    p.b.wait("document.querySelector('.preview')", None)
    p.open("#/game/%d?ply=0" % TRAP, GAME)
    p.b.click("#engine-switch")
    p.b.evaluate(ONE_LINE)
    p.b.wait("document.querySelectorAll('.engine-lines button').length > 2")
    p.b.click(".engine-lines button:nth-of-type(3)")
    p.hash_is("#/game/%d?ply=3" % TRAP)  # the moves of the game


def stops(p):
    """The engine stops if the tab is hidden, another view is opened, or the engine is switched off."""
    hide = "Object.defineProperty(document, 'hidden', {value: %s, configurable: true}); document.dispatchEvent(new Event('visibilitychange'))"
    one_line(p)
    gone, stopped = p.log.count("go infinite"), p.log.count("stop")
    p.b.evaluate(hide % "true")
    p.log.wait("stop", stopped + 1)
    p.b.evaluate(hide % "false")
    p.log.wait("go infinite", gone + 1)
    p.log.searches("go depth 14 searchmoves e2e4 d2d4 ")  # the moves of the tree, in the order of their games
    p.b.evaluate("location.hash = '#/statistics'")
    p.log.wait("stop", stopped + 2)
    p.log.rests()
    p.go("#/explore", READY)
    p.log.wait("go infinite", gone + 2)  # the switch is still on
    p.b.click("#engine-switch")
    p.log.wait("stop", stopped + 3)
    same(p.b.evaluate(ARROWS), [], "arrows without the engine")
    same(p.b.evaluate("document.getElementById('evaluation-bar').hidden"), True, "the bar is hidden")


def stepping(p):
    """Stepping quickly through a game starts one analysis."""
    p.open("#/game/%d?ply=0" % TRAP, GAME)
    p.b.click("#engine-switch")
    before = started(p)
    started_are(p, before + 1)
    p.b.evaluate("for (let i = 0; i < 6; i += 1) document.getElementById('forward').click()")
    p.hash_is("#/game/%d?ply=6" % TRAP)
    started_are(p, before + 2)
    same(p.log.count("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5 g1f3 b8c6"), 0, "an analysis of a position that was passed")


def names(p):
    one_line(p)
    p.b.press("?")
    p.b.wait("document.querySelector('#help').textContent.includes('engine on, off')")
    p.b.press("Escape")
    missing = [role for role, name in p.b.accessible() if role in NAMED | {"switch", "progressbar", "list"} and not name and role != "list"]
    same(missing, [], "elements without a name")


# ---- Stockfish ----

CELLS = "[...document.querySelectorAll('.tree tbody tr')].map(row => [row.dataset.uci, row.querySelector('.eval').textContent])"
FILLED = CELLS + ".every(([, text]) => /\\d/.test(text))"
PLACES = "JSON.stringify([...document.querySelectorAll('.tree tr > *')].map(one => [one.offsetLeft, one.offsetTop, one.offsetWidth]))"


def moves_of_the_tree(p):
    """With the engine on, each move of the tree has an evaluation, and nothing moves when it arrives. The evaluations are about
    those of python-chess after each move."""
    p.open("#/explore")
    same(p.b.evaluate("document.querySelector('.tree .eval').offsetWidth"), 0, "no column without the engine")
    p.b.press("e")
    p.b.wait("document.querySelector('.tree .eval').offsetWidth > 0")
    places = p.b.evaluate(PLACES)
    p.b.wait(FILLED)
    same(p.b.evaluate(PLACES), places, "the places of all cells")
    p.b.wait("Number(document.querySelector('.tree tbody .eval').title.slice(6)) >= 9")
    shown = dict(p.b.evaluate(CELLS))
    same(p.b.evaluate("document.querySelectorAll('.tree .eval.best').length"), 1, "the best move")
    for move, text in pawns_after(shown, sys.argv[3]):
        same(abs(float(shown[move].replace("\u2212", "-")) - text) < 0.7, True, "the evaluation of %s, %s, is about %s" % (move, shown[move], text))
    p.go("#/explore?play=e2e4,e7e5,g1f3,d7d6,f1c4,c8g4,b1c3,g7g6,f3e5,g4d1,c4f7,e8e7", READY)
    p.b.wait(CELLS, [["c3d5", "#1"]])
    p.b.press("e")
    p.b.wait("document.querySelector('.tree .eval').offsetWidth", 0)


def pawns_after(moves, stockfish):
    """Returns python-chess's evaluations in pawns after moves in the initial position, from White's side."""
    try:
        import chess
        import chess.engine
    except ImportError:
        print("no python-chess: evaluations of moves are not compared")
        return []
    found = []
    with chess.engine.SimpleEngine.popen_uci(stockfish) as engine:
        for move in moves:
            board = chess.Board()
            board.push_uci(move)
            found.append((move, engine.analyse(board, chess.engine.Limit(depth=11))["score"].white().score() / 100))
    return found


def threat(p):
    """The key x shows what the side that is not to move threatens: Qxf7#, before Black has a move."""
    line = "document.querySelector('.engine-threat')"
    arrows = "[...document.querySelectorAll('#board .arrow-threat')].map(one => one.dataset.arrow)"
    p.open("#/explore?play=e2e4,e7e5,d1h5,b8c6,f1c4", "document.querySelector('#tree .notice:not(.loading), #tree table') !== null && !document.querySelector('[aria-busy]')")
    p.b.press("x")
    p.b.wait("[document.getElementById('engine-switch').ariaChecked, document.querySelector('.engine-foot [aria-pressed]').ariaPressed]", ["true", "true"])
    p.b.wait(line + ".textContent.startsWith('White threatens Qxf7# · #1 · depth ')")
    same([p.b.evaluate(arrows), p.b.evaluate("document.getElementById('status').textContent.startsWith('White threatens Qxf7#')")], [["h5f7"], True], "the arrow, and the announcement")
    p.picture("engine-threat-light")
    for _ in range(2):
        p.b.press("x")
    p.b.wait(arrows, ["h5f7"])
    p.b.click(".engine-foot [aria-pressed]")
    same([p.b.evaluate(line + ".hidden"), p.b.evaluate(arrows)], [True, []], "the threat is hidden")
    p.b.press("x")
    p.go("#/explore?play=e2e4,d7d5,f1b5", "document.querySelector('#board svg').ariaLabel.includes('bishop b5')")
    same([p.b.evaluate(line + ".hidden"), p.b.evaluate(arrows)], [True, []], "the threat in another position")
    p.b.press("x")
    same(p.b.evaluate(line + ".textContent"), "In check: there is no threat before the check is answered.", "in check")
    p.b.press("e")


def ended(p):
    p.open("#/explore?play=f2f3,e7e5,g2g4,d8h4", "document.querySelector('h1') !== null")
    p.b.click("#engine-switch")
    p.b.wait(FOOT, "Checkmate")
    same(p.b.evaluate("[document.querySelector('.engine-score').textContent, document.querySelector('#evaluation-bar div').style.height]"), ["#", "0%"], "Black has won")


def deep(p):
    """Mate for Black, seen from White: the score is negative, and the bar is Black's."""
    p.open("#/explore?fen=r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "document.querySelector('.notice, .tree') !== null")
    p.b.click("#engine-switch")
    p.b.wait("document.querySelector('.engine-score').textContent", "#-1")
    same(p.b.evaluate("document.querySelector('#evaluation-bar div').style.height"), "0%", "Black wins")
    same(p.b.evaluate("document.querySelector('.engine-lines button').textContent"), "Ra1#", "the mate")


def judged(archive, number, stockfish):
    """Returns the results of python-chess's engine module for the same positions at the same depth: the evaluations in
    the page's format, from ply 1, and the marks by ply, with Lichess's curve of winning chances."""
    import chess
    import chess.engine
    game = json.loads(subprocess.run([os.environ["STAMMA"], "cat", "--json", archive, str(number)], capture_output=True, check=True).stdout)
    board, chances, shown, marks = chess.Board(), [], [], {}
    with chess.engine.SimpleEngine.popen_uci(stockfish) as engine:
        engine.configure({"Threads": 1, "Hash": 64})
        for move in [None] + game["uci"]:
            if move:
                board.push_uci(move)
            if board.is_checkmate():
                chances.append(float(board.turn == chess.BLACK))
                continue
            score = engine.analyse(board, chess.engine.Limit(depth=10), multipv=1, game="one")[0]["score"].white()
            chances.append(float(score.mate() > 0) if score.is_mate() else 1 / (1 + math.exp(-0.00368208 * score.score())))
            shown.append("#%d" % score.mate() if score.is_mate() else ("%+.2f" % (score.score() / 100)).replace("-", "\u2212") if score.score() else "0.00")
    for ply in range(1, len(chances)):
        loss = (chances[ply - 1] - chances[ply]) * (1 if ply % 2 else -1)
        glyph = "??" if loss >= 0.15 else "?" if loss >= 0.1 else "?!" if loss >= 0.05 else None
        if glyph:
            marks[ply] = glyph
    return shown[1:], marks


def equal_to_python_chess(p):
    """The evaluations and marks of a game that a new engine analyses."""
    p.open("#/game/%d" % TRAP, GAME)
    p.b.evaluate("document.querySelector('.game-analysis select').value = '10'")
    p.b.click(".game-analysis button")
    p.b.wait("document.querySelector('.game-analysis button').textContent", "Analyse again")
    try:
        shown, marks = judged(p.archive, TRAP, sys.argv[3])
    except ImportError:
        print("no python-chess: evaluations are not compared")
        return
    same(p.b.evaluate("[...document.querySelectorAll('.half .evaluation.engine')].map(one => one.textContent)"), shown, "evaluations beside the moves")
    own = {7: "?", 8: "!", 6: "?!"}  # the glyphs of the game, which are kept
    seen = "[...document.querySelectorAll('.half .nag')].map(one => [one.closest('.half').dataset.ply, one.textContent])"
    same({int(ply): glyph for ply, glyph in p.b.evaluate(seen)}, {**marks, **own}, "marks of moves")
    dots = "[...document.querySelectorAll('.dot')].map(one => Number(one.getAttribute('href').split('ply=')[1]))"
    same(p.b.evaluate(dots), [ply for ply, glyph in marks.items() if glyph != "?!"], "marks in the chart")


def clocks_and_evaluations(p):
    """The chart of a game with clocks shows the times of both sides and the evaluations of the engine."""
    analysed(p, CLOCKS)
    same(p.b.evaluate("document.querySelectorAll('.game-chart polyline').length"), 2, "times of both sides")


def analysed(p, number):
    """Analyses a game. Checks that the list of moves does not shift."""
    p.open("#/game/%d?ply=9" % number, GAME)
    p.b.evaluate("document.querySelector('.game-analysis select').value = '10'")
    p.b.click(".game-analysis button")
    p.b.wait("document.querySelector('.game-analysis button').textContent", "Stop")
    top = p.b.evaluate("document.querySelector('.moves').getBoundingClientRect().top")
    p.b.wait("document.querySelector('.game-analysis button').textContent", "Analyse again")
    same(p.b.evaluate("document.querySelector('.moves').getBoundingClientRect().top"), top, "the moves do not move")


def analysis(p):
    """Analyses a game in which White loses a piece with ply 9."""
    analysed(p, TRAP)
    for size in SIZES:
        p.b.size(*size, size[0] < 500)
        same(p.b.evaluate(FITS), True, "game %d fits at %d" % (TRAP, size[0]))
        p.b.evaluate("document.querySelector('.game-analysis').scrollIntoView({block: innerWidth < 500 ? 'start' : 'nearest'})")
        p.picture("engine-game-%d-light" % size[0])
    p.b.size(1280, 800)
    same(p.b.evaluate("document.querySelector('.half[data-ply=\"9\"] .judged').textContent"), "??", "the blunder in the moves")
    same(p.b.evaluate("document.querySelector('.half[data-ply=\"1\"] .judged')"), None, "the first move")
    same(p.b.evaluate("document.querySelector('.half[data-ply=\"7\"] .nag').textContent"), "?", "the game's own glyph, once")
    dot = "[...document.querySelectorAll('.dot.blunder')].find(one => one.getAttribute('aria-label').startsWith('5. Nxf7: blunder, '))"
    same(p.b.evaluate("%s.getAttribute('href')" % dot), "#/game/%d?ply=9" % TRAP, "the blunder in the chart")
    same(p.b.evaluate("document.querySelectorAll('.half .evaluation.engine').length"), 13, "evaluations beside the moves; the last position is mate")
    p.go("#/explore", READY)
    p.go("#/game/%d" % TRAP, GAME)
    same(p.b.evaluate("document.querySelectorAll('.half .evaluation.engine').length"), 13, "they are kept")
    same(p.b.evaluate("document.querySelector('.game-analysis button').textContent"), "Analyse again", "the button")
    p.b.evaluate("document.querySelector('.game-analysis select').value = '22'")
    p.b.click(".game-analysis button")
    p.b.wait("document.querySelector('.game-analysis button').textContent", "Stop")
    p.b.click(".game-analysis button")
    p.b.wait("document.querySelector('.game-analysis button').textContent", "Analyse again")


# ---- failures, and other sites ----

def failure(p):
    p.open("#/explore")
    p.b.click("#engine-switch")
    p.b.wait(FOOT + ".includes('ended during the search; its exit status is 3')")
    p.b.wait("document.querySelector('.engine-foot button:last-child').textContent", "Try again")
    p.b.click(".engine-foot button:last-child")
    started_are(p, 2)


def none(p):
    p.open("#/explore")
    same(p.b.evaluate("[document.getElementById('engine').hidden, document.getElementById('evaluation-bar').hidden]"), [True, True], "a server without engine")
    p.open("#/game/%d" % CLOCKS, GAME)
    same(p.b.evaluate("[document.querySelector('.game-analysis'), document.querySelectorAll('.game-chart polyline').length]"), [None, 2], "the chart without engine")


class Site:
    """A page of another site that tries to start the engine in every way that a page can use."""

    def __init__(self, target):
        page = ("<!doctype html><title>other</title><img src='{0}&a'><iframe src='{0}&b'></iframe><link rel=prefetch href='{0}&c'><script src='{0}&d'></script>"
                "<link rel=stylesheet href='{0}&e'><video src='{0}&f'></video><object data='{0}&g'></object><form action='{0}&h' method=post target=x></form><iframe name=x></iframe>"
                "<script>const all = [fetch('{0}&i'), fetch('{0}&j', {{mode: 'no-cors'}}), fetch('{0}&k', {{headers: {{'Sec-Fetch-Site': 'same-origin'}}}}),"
                "fetch('{0}&l', {{method: 'POST', mode: 'no-cors', body: 'depth=1'}})].map(one => one.then(answer => answer.type, () => 'refused'));"
                "navigator.sendBeacon('{0}&m', 'depth=1'); document.forms[0].submit(); Promise.all(all).then(one => {{ window.done = one }});</script>").format(target).encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *arguments):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def address(self, name):
        return "http://%s:%d/" % (name, self.server.server_address[1])


def other_sites(p):
    for name in ("127.0.0.1", "localhost"):
        site = Site(p.address + "engine?depth=1")
        p.b.open(site.address(name))
        p.b.wait("window.done", ["refused", "opaque", "refused", "opaque"])
        p.b.evaluate("new Promise(done => setTimeout(done, 300))")
    same(p.log.count("uci"), 0, "the engine was started by another site")
    p.b.open(p.address + "engine?depth=5")  # a person may do this
    p.log.wait("go depth 5", 1)


def page_of(window, archive, pictures, engine, log, **more):
    """Starts a server with an engine. The pages of all servers use one window."""
    server = Server(*(["--engine", engine] if engine else []), archive, err=log + ".err", variables={"FAKE_LOG": os.path.abspath(log)}, **more)
    with open(log + ".err", encoding="utf-8") as messages:
        if "built without" in messages.read():
            sys.exit(77)
    page = page_driver.Page("http://127.0.0.1:%d/" % server.port, archive, pictures, window)
    page.server, page.log = server, Log(log)
    page.b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    return page


def main():
    archive, pictures, stockfish = sys.argv[1:]
    browser.PATIENCE = PATIENCE
    with open(archive, "rb") as file:
        before = hashlib.sha256(file.read()).hexdigest()
    window = browser.Browser()
    parts = [("./recorded", "lines.log", [lines, fits, no_shift, moves, stops, stepping, names], ()), ("./exits", "exits.log", [failure], ()),
             ("./follows", "follows.log", [clocks_and_evaluations], ()), (None, "none.log", [none], ()), ("./recorded", "sites.log", [], [other_sites])]
    if stockfish:
        parts.append((stockfish, "stockfish.log", [equal_to_python_chess, moves_of_the_tree, threat, ended, deep, analysis], ()))
    else:
        print("no stockfish: only fake engines were used")
    right = True
    try:
        for engine, log, checks, loud in parts:
            page = page_of(window, archive, pictures, engine, log)
            right &= page_driver.run_checks(page, checks, loud)
            page.server.stop()
    finally:
        window.close()
    with open(archive, "rb") as file:
        same(hashlib.sha256(file.read()).hexdigest(), before, "the archive")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
