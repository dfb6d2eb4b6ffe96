# SPDX-License-Identifier: MIT
"""Uses the page of `stamma serve` as a user does: clicks, keys, addresses. Checks the contents of the page after each
step.

usage: page_driver.py ADDRESS ARCHIVE SCREENSHOTS     exits with status 1 if a check fails
       page_driver.py --browser                       exits with status 0 if Chromium is installed
"""
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.request

import browser

HOSTILE = "<img src=x onerror=document.title='hurt'>\uFFFD"  # U+FFFD replaces a character that changes the direction of text
LAST_GAME = 87  # number of the hostile game, after the 86 games of data/games.pgn
MOVES = "[...document.querySelectorAll('.tree tbody tr')].map(row => [row.dataset.uci, row.querySelector('a').textContent," \
        " Number(row.querySelector('.n').firstChild.data.replace(',', ''))])"
READY = "!document.querySelector('[aria-busy]') && document.querySelectorAll('.tree tbody tr').length > 0"
POSITION = "document.querySelector('#board svg').getAttribute('aria-label')"
SQUARE = '#board .square[data-square="%s"]'
# Ends when pieces, animations and the scroll position are the same at two consecutive moments.
STILL = """(async () => {
    const frame = () => new Promise(done => requestAnimationFrame(done));
    const state = () => [scrollY, document.getAnimations().length, ...[...document.querySelectorAll('#board [data-piece]')].map(one => one.parentElement.dataset.square + one.dataset.piece)].join();
    for (let [before, now] = [null, state()]; before !== now; [before, now] = [now, state()]) for (let i = 0; i < 4; i += 1) await frame();
})()"""
NAMED = {"button", "link", "textbox", "combobox", "checkbox", "radio", "tab", "gridcell", "spinbutton", "img", "table", "dialog"}


def choose_file(name):
    """Returns an expression that chooses a file in the field of the view Archives. Every browser can evaluate it."""
    with open(name, encoding="latin-1") as file:
        text = file.read()
    return ("(() => { const data = new DataTransfer(); data.items.add(new File([%s], %s)); const field = document.querySelector('.open-file input');"
            "field.files = data.files; field.dispatchEvent(new Event('change', {bubbles: true})); })()" % (json.dumps(text), json.dumps(os.path.basename(name))))


def same(got, wanted, what):
    if got != wanted:
        raise browser.Failed("%s: %r, not %r" % (what, got, wanted))


class Page:
    """The page in its browser, and the archive that it serves. `window` is an open browser; the default is a new
    browser."""

    def __init__(self, address, archive, pictures, window=None):
        self.address, self.archive, self.pictures = address.rstrip("/") + "/", archive, pictures
        self.b = window or browser.Browser()
        self.b.open("about:blank")  # ends the requests of another page
        self.b.evaluate("1")
        self.b.logged.clear()
        self.b.requests.clear()
        self.b.size(1280, 800)
        self.b.dark(False)

    def open(self, view, ready=READY):
        """Opens a view in a newly loaded page."""
        self.b.open("about:blank")
        self.b.open(self.address + view)
        self.b.wait(ready)

    def go(self, view, ready):
        """Opens a view like a link."""
        self.b.evaluate("location.hash = %s" % json.dumps(view))
        self.b.wait(ready)

    def tree(self, *arguments):
        """Returns the moves that `stamma tree` prints."""
        answer = subprocess.run([os.environ["STAMMA"], "tree", "--json", self.archive, *arguments], capture_output=True, check=True)
        return [[one["uci"], one["san"], one["sums"]["games"]] for one in json.loads(answer.stdout)["moves"]]

    def moves_are(self, *arguments):
        """Checks that the table contains the moves that the command prints."""
        self.b.wait("JSON.stringify(%s)" % MOVES, json.dumps(self.tree(*arguments), separators=(",", ":"), ensure_ascii=False))

    def hash_is(self, wanted):
        """Waits for the address, and until the page has handled it."""
        self.b.wait("location.hash", wanted)
        self.b.evaluate("new Promise(done => setTimeout(done, 20))")

    def settle(self):
        """Waits until nothing moves."""
        self.b.evaluate(STILL)

    def picture(self, name):
        self.settle()
        self.b.screenshot(os.path.join(self.pictures, name + ".png"))


def tree_is_the_commands(p):
    p.open("")
    p.moves_are()
    p.b.wait("document.querySelector('h1').textContent", "Initial position")
    same(p.b.evaluate("document.querySelector('.tree tfoot .n').firstChild.data.trim()"), str(sum(one[2] for one in p.tree())), "games in all")
    p.picture("explore-light")
    p.open("#/explore?play=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5")
    p.moves_are("--moves", "e4 e5 Nf3 Nc6 Bc4 Bc5")
    p.b.wait("document.querySelector('h1').textContent.startsWith('C5')")


def a_move_in_the_table(p):
    p.open("#/explore")
    p.b.click('.tree tr[data-uci="e2e4"] .results')
    p.hash_is("#/explore?play=e2e4")
    p.moves_are("--moves", "e4")
    p.b.wait(POSITION + ".startsWith('Black to move') && " + POSITION + ".includes('pawn e4')")
    p.b.evaluate("history.back()")
    p.hash_is("#/explore")
    p.moves_are()
    p.b.evaluate("history.forward()")
    p.hash_is("#/explore?play=e2e4")


def the_board(p):
    p.open("#/explore")
    p.b.drag(SQUARE % "e2", SQUARE % "e4")
    p.hash_is("#/explore?play=e2e4")
    p.b.wait(POSITION + ".includes('pawn e4')")
    p.settle()
    p.b.click(SQUARE % "e7")
    p.b.click(SQUARE % "e5")
    p.hash_is("#/explore?play=e2e4,e7e5")
    p.settle()
    p.b.drag(SQUARE % "e1", SQUARE % "e3")  # not legal
    p.hash_is("#/explore?play=e2e4,e7e5")
    p.open("#/explore?play=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5")
    p.b.drag(SQUARE % "e1", SQUARE % "h1")  # castling, as king takes rook
    p.b.wait("location.hash.endsWith('f8c5,e1g1')")
    p.b.wait("document.querySelector('.line li:last-child a').textContent", "O-O")
    p.open("#/explore?play=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5,e1h1")  # the same move in an address
    p.b.wait("document.querySelector('.line li:last-child a').textContent", "O-O")
    p.b.wait(POSITION + ".includes('king g1')")


def size_at_first(p):
    """The explorer and a game each load less than 400 KB, decoded, until nothing more is requested."""
    sizes = "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(one => one.decodedBodySize)"
    for view, ready in (("", READY), ("#/game/13?ply=20", "document.querySelector('.notation') !== null")):
        p.b.call("Network.setCacheDisabled", cacheDisabled=True)
        p.open(view, ready)
        before, now = -1, 0
        while before != now:
            p.b.evaluate("new Promise(done => setTimeout(done, 1000))")
            before, now = now, p.b.evaluate(sizes + ".length")
        p.b.call("Network.setCacheDisabled", cacheDisabled=False)
        total = p.b.evaluate(sizes + ".reduce((sum, one) => sum + one, 0)")
        print("%s loads %d bytes" % (view or "the first page", total))
        same(100000 < total < 400000, True, "%r loads %d bytes" % (view, total))


def promotion(p):
    p.open("#/explore?fen=7k/P7/8/8/8/8/8/7K+w+-+-+0+1", "document.querySelector('#tree .empty') !== null && !document.querySelector('[aria-busy]')")
    p.b.drag(SQUARE % "a7", SQUARE % "a8")
    p.b.wait("document.querySelectorAll('.promotion-dialog-button').length", 4)
    p.b.click('.promotion-dialog-button[data-piece="wn"]')
    p.b.wait("location.hash.endsWith('play=a7a8n')")


def keys_and_wheel(p):
    p.open("#/explore?play=e2e4,c7c5")
    for key, wanted in (("ArrowLeft", "&ply=1"), ("Home", "&ply=0"), ("ArrowRight", "&ply=1"), ("End", "")):
        p.b.press(key)
        p.hash_is("#/explore?play=e2e4,c7c5" + wanted)
    p.b.wheel("#board", -120)
    p.hash_is("#/explore?play=e2e4,c7c5&ply=1")
    top = "document.querySelector('#board .square').getAttribute('data-square')"
    before = p.b.evaluate(top)
    p.b.press("f")
    p.b.wait(top + " !== " + json.dumps(before))
    p.b.press("m")
    p.b.wait("document.activeElement.id", "typed-move")
    p.b.type("Nf6")
    p.b.press("Enter")
    p.hash_is("#/explore?play=e2e4,g8f6")
    p.b.evaluate("document.activeElement.blur()")
    p.b.press("?")
    p.b.wait("document.getElementById('help').open")
    p.picture("help")
    p.b.press("Escape")
    p.b.wait("!document.getElementById('help').open")
    p.b.press("/")
    p.hash_is("#/search")


def filters(p):
    p.open("#/explore")
    p.b.click(".filter-toggle")
    p.b.click('input[name="player"]')
    p.b.type("Carlsen")
    p.b.press("Enter")
    p.hash_is("#/explore?player=Carlsen")
    p.moves_are("--player", "Carlsen")
    p.b.wait("document.querySelector('.chip').textContent", "player Carlsen")
    p.b.evaluate("history.back()")
    p.hash_is("#/explore")
    p.b.wait("document.querySelector('input[name=player]').value", "")  # cleared even though the field has the focus
    p.b.type("Tal")
    p.go("#/explore?play=e2e4", READY)
    p.b.wait("document.querySelector('input[name=player]').value", "Tal")  # text being typed is kept
    p.open("#/explore?speeds=rapid,classical", "document.querySelector('.summary')?.textContent === '1 game'")  # from TimeControl
    p.open("#/explore?result=0-1&since=1900&until=1999")
    p.moves_are("--result", "0-1", "--date", "1900..1999")
    same(p.b.evaluate("document.querySelector('[name=until]').value"), "1999", "a filter of the address in the form")
    p.b.click(".filter-toggle")
    p.b.click('.filters button[type="reset"]')
    p.hash_is("#/explore")


def games_of_a_position(p):
    p.open("#/explore?play=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5,e1g1")
    p.b.wait("document.querySelector('.games tbody .players').textContent.includes(%s)" % json.dumps(HOSTILE))
    p.b.click(".games tbody td.result")
    p.b.wait("document.querySelector('.notation [aria-current]')?.textContent", "O-O!")
    p.b.evaluate("history.back()")
    p.b.wait(READY)
    p.b.click('[data-tab="all"]')
    p.b.wait("location.hash.endsWith('games=all') && document.querySelectorAll('#games tbody tr').length > 0")
    p.b.press("ArrowLeft")
    p.b.wait("location.hash.endsWith('games=recent') && document.activeElement.dataset.tab", "recent")


def history(p):
    """The chart of a position's results over time shows the tree's months, follows the position, and is part of the
    address."""
    p.open("#/explore")
    p.b.click(".history > summary")
    chart = "document.querySelector('.history[open] .chart svg') !== null"
    rows = "[...document.querySelectorAll('.history tbody tr')].map(row => [...row.children].slice(1).map(cell => Number(cell.textContent)))"
    p.hash_is("#/explore?history=1")
    for play, moves in (("", ""), ("e2e4", "e4"), ("d2d4,d7d5", "d4 d5")):
        p.go("#/explore?%shistory=1" % (play and "play=%s&" % play), chart)
        p.moves_are(*(["--moves", moves] if moves else []))
        dated = subprocess.run([os.environ["STAMMA"], "find", "--count", p.archive, "--result", "1-0", "--date", "1000..", *(["--moves", moves] if moves else [])],
                               capture_output=True, check=False).stdout
        sums = "JSON.stringify((%s).reduce((sum, row) => sum.map((n, i) => n + row[i]), [0, 0, 0, 0]))" % rows
        games, white, draws, black = json.loads(p.b.evaluate(sums))
        same(games, white + draws + black, "games of all months after %r" % moves)
        if not 0 < white <= int(dated):
            raise browser.Failed("White won %d games of months, %r of dates" % (white, dated))
    p.b.evaluate("document.querySelector('.history').scrollIntoView()")
    p.picture("history-light")
    p.b.dark(True)
    p.picture("history-dark")
    p.b.dark(False)
    p.b.click(".history > summary")
    p.hash_is("#/explore?play=d2d4,d7d5")


def game(p):
    p.open("#/game/%d?ply=5" % LAST_GAME, "document.querySelector('.notation') !== null")
    text = p.b.evaluate("document.querySelector('.moves').innerText")
    for words in ("Bc4", "9:40", "+0.21", "<b onclick=alert(1)>calm</b>", "4.", "c3", "Qe7", "solid", "1-0"):
        if words not in text:
            raise browser.Failed("the game lacks %r: %r" % (words, text))
    same(p.b.evaluate("document.querySelectorAll('.moves b, h1 img').length"), 0, "elements made of a game's text")
    same(p.b.evaluate("document.querySelector('#plate-white').textContent"), HOSTILE + "24109:40", "White's plate")
    same(p.b.evaluate("document.title").split(" – ")[0], HOSTILE, "the name in the title")
    same(p.b.evaluate("document.querySelectorAll('.evaluations svg').length"), 1, "curves of evaluations")
    p.b.press("ArrowRight")
    p.hash_is("#/game/%d?ply=6" % LAST_GAME)
    p.b.evaluate("[...document.querySelectorAll('.variation .variation a.move')][0].click()")  # in a nested variation
    p.hash_is("#/game/%d?ply=8&line=1" % LAST_GAME)
    p.b.wait(POSITION + ".includes('queen e7') && " + POSITION + ".includes('pawn c3')")
    p.picture("game-light")
    p.b.press("ArrowLeft")
    p.hash_is("#/game/%d?ply=7&line=0" % LAST_GAME)
    p.b.wait(POSITION + ".includes('pawn c3') && " + POSITION + ".startsWith('Black')")
    href = p.b.evaluate("document.querySelector('a[download]').href")
    with urllib.request.urlopen(href) as answer:
        saved = answer.read().decode()
    if "[%clk 0:09:58]" not in saved:
        raise browser.Failed("the PGN to save lacks the clocks: %r" % saved)
    p.open("#/game/86?ply=99", "document.querySelector('.notation') !== null")  # a Chess960 game
    p.b.evaluate("document.querySelector('.links a').click()")
    p.b.wait(READY + " || document.querySelector('#tree .empty') !== null")


def game_of_960(p):
    """A game opened from a Chess960 position shows that position."""
    one = json.loads(subprocess.run([os.environ["STAMMA"], "cat", "--json", p.archive, "86"], capture_output=True, check=True).stdout)
    p.open("#/explore?fen=%s&play=%s" % (one["fen"].replace(" ", "+"), ",".join(one["uci"][:2])))
    p.b.click("#games td.result")
    p.b.wait("document.querySelector('.notation [aria-current]')?.textContent", one["san"][1])


def search(p):
    p.open("#/search", "document.querySelectorAll('.setup .square').length === 64")
    p.b.click('.tile[data-kind="N"]')
    p.b.click('.setup [data-square="f7"]')
    p.b.press("ArrowRight")
    p.b.press("k")
    p.b.wait("document.querySelector('.setup [data-square=g7]').getAttribute('aria-label')", "g7, black king")
    same(p.b.evaluate("document.querySelectorAll('.tile[tabindex=\"0\"]').length"), 1, "stops of Tab in the palette")
    p.b.evaluate("document.querySelector('.tile[tabindex=\"0\"]').focus()")
    for key, wanted in (("ArrowRight", "P"), ("ArrowDown", "A"), ("ArrowRight", "k"), ("ArrowLeft", "A"), ("ArrowUp", "P")):
        p.b.press(key)
        same(p.b.evaluate("document.activeElement.matches('[aria-checked=true]') && document.activeElement.dataset.kind"), wanted, "the palette after " + key)
    p.b.click(".submit .primary")
    p.b.wait("location.hash.includes('sub=8/5Nk1/8/8/8/8/8/8')")
    p.b.wait("!document.querySelector('[aria-busy]') && document.querySelectorAll('#results .games tbody tr').length > 0")
    found = subprocess.run([os.environ["STAMMA"], "find", "--json", p.archive, "--sub-fen", "8/5Nk1/8/8/8/8/8/8"], capture_output=True, check=True)
    lines = [json.loads(line) for line in found.stdout.splitlines()]
    same(p.b.evaluate("document.querySelectorAll('#results tbody tr').length"), min(20, len(lines)), "games found")
    p.b.wait("document.querySelector('#count h2')?.textContent.split(' ')[0]", str(len(lines)))
    p.picture("search-light")
    p.b.click("#results td.result")
    p.b.wait("location.hash.includes('ply=%d')" % lines[0]["match"][0])
    p.b.wait(POSITION + ".includes('knight f7') && " + POSITION + ".includes('king g7')")
    p.b.evaluate("history.back()")
    p.b.wait("document.querySelector('.setup [data-square=f7]')?.getAttribute('aria-label')", "f7, white knight")
    p.open("#/search?comment=calm&go=1", "document.querySelectorAll('#results .games tbody tr').length === 1")
    same(p.b.evaluate("document.querySelector('#results .white').textContent"), HOSTILE + " 2410", "a hostile name")
    for kind, words in (("pgn", b"calm"), ("csv", b"Hara")):
        p.b.wait("document.querySelector('a[download$=%s]') !== null" % kind)
        with urllib.request.urlopen(p.b.evaluate("document.querySelector('a[download$=%s]').href" % kind)) as answer:
            if words not in answer.read():
                raise browser.Failed("the %s to save lacks the game" % kind)
    p.open("#/explore?play=e2e4")
    p.b.evaluate("[...document.querySelectorAll('.links a')].find(one => one.textContent.startsWith('Search')).click()")
    p.b.wait("document.querySelector('.setup [data-square=e4]')?.getAttribute('aria-label')", "e4, white pawn")
    same(p.b.evaluate("document.querySelector('.setup [data-square=e2]').getAttribute('aria-label')"), "e2, empty", "a square of the explorer's position")
    p.open("#/search?go=1", "document.querySelectorAll('#results .games tbody tr').length === 20")
    p.b.click(".pages .button")
    p.b.wait("document.querySelector('.pages span').textContent.startsWith('21')")


def faults(p):
    p.open("#/search?material=KK&comment=nothing+says+this&go=1", "document.querySelector('#results .empty') !== null")
    p.open("#/search?query=%7B%22materal%22:1%7D&go=1", "document.querySelector('#results .error')?.textContent.includes('did you mean')")
    p.open("#/search?query=%7B&go=1", "document.querySelector('#results .error') !== null")
    for fen in ("nonsense", "<img>", "8/8/8/8/8/8/8/88+w+-+-+0+1"):
        p.open("#/explore?history=1&fen=" + fen, "document.querySelector('#tree .error') !== null && !document.querySelector('[aria-busy]')")
        same(p.b.evaluate("document.querySelectorAll('.error').length"), 1, "times that an error is shown")
        same(p.b.evaluate("document.querySelector('.error').textContent.slice(0, 5)"), "FEN: ", "the field of the error")
    same([line for line in p.b.logged if "Error:" in line], [], "exceptions")
    p.open("#/search?query=null&go=1", "document.querySelector('#results .error')?.textContent.includes('JSON object')")
    p.go("#/game/5", "document.querySelector('.notation') !== null && !document.getElementById('board-column').hidden")
    p.go("#/game/999", "document.querySelector('#view .error') !== null")
    p.b.wait("document.getElementById('board-column').hidden")  # the board of the previous game is hidden
    p.go("#/game/5?line=__proto__", "document.querySelector('.notation') !== null")
    for view in ("__proto__", "constructor", "nowhere"):
        p.open("#/" + view, "document.querySelector('.notice.error p')?.textContent.includes('“%s”')" % view)


def numbers(p):
    p.open("#/statistics", "document.querySelectorAll('.chart svg').length === 2")
    answer = subprocess.run([os.environ["STAMMA"], "stats", "--json", p.archive], capture_output=True, check=True)
    stats = json.loads(answer.stdout)
    rows = "[...document.querySelectorAll('.chart')[%d].querySelectorAll('tbody tr')].map(row => Number(row.children[%d].textContent))"
    for column, name in ((1, "games"), (2, "white_wins"), (3, "draws"), (4, "black_wins")):
        same(sum(p.b.evaluate(rows % (0, column))), sum(one[name] for one in stats["years"]), name + " of all years")
    same(sum(p.b.evaluate(rows % (1, 1))), sum(one["games"] for one in stats["ratings"]), "players with a rating")
    p.picture("statistics-light")
    p.open("#/statistics?play=e2e4", "document.querySelectorAll('.chart svg').length > 0")
    same(p.b.evaluate("document.querySelector('.card dd').textContent"), str(sum(one[2] for one in p.tree("--moves", "e4"))), "games with e4")


def names(p):
    """Every control has a name, in each view."""
    views = (("#/explore?play=e2e4", READY), ("#/game/%d" % LAST_GAME, "document.querySelector('.notation') !== null"),
             ("#/search?go=1", "document.querySelector('#results .games') !== null"), ("#/statistics", "document.querySelector('.chart') !== null"))
    for view, ready in views:
        p.open(view, ready)
        p.b.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
        seen = p.b.accessible()
        nameless = [role for role, name in seen if role in NAMED and not name.strip()]
        same(nameless, [], "nameless in " + view)
        if sum(role in NAMED for role, _ in seen) < 10:
            raise browser.Failed("hardly anything to be seen in %s: %r" % (view, seen))
    p.open("#/explore")
    p.b.wait("document.getElementById('status').textContent.includes('games')")  # the text that screen readers announce


def duplicates(p):
    """Decides about two pairs. The second pair contains the game whose names contain markup."""
    def line(game, kept):
        return json.dumps({"kind": "spelling", "archive": "some/where/games.stamma", "game": game, "kept_archive": "games.stamma", "kept_game": kept}) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        path, saved = os.path.join(folder, "list.json"), os.path.join(folder, "decisions.csv")
        with open(path, "w") as file:
            file.write(line(4, 5) + line(LAST_GAME, 1) + line(7, 8) * 10)
        p.open("#/duplicates", "document.querySelector('input[type=file]') !== null")
        p.b.wait("document.querySelector('#view .primary').disabled")
        node = p.b.call("Runtime.evaluate", expression="document.querySelector('input[type=file]')")["result"]["objectId"]
        p.b.call("DOM.setFileInputFiles", files=[path], objectId=node)
        p.b.wait("document.querySelectorAll('.pair-card table').length", 10)
        p.b.wait("document.querySelector('.pages').textContent.trim()", "1–10 of 12More")
        cell = "document.querySelectorAll('.pair-card')[%d].querySelector('tbody tr:nth-child(%d) td:nth-child(%d)').textContent"
        games = [json.loads(urllib.request.urlopen(p.address + "game/%d" % n).read()) for n in (4, 5)]
        same([p.b.evaluate(cell % (0, row, column + 2)) for row in (1, 2) for column in (0, 1)],
             [games[column]["tags"][tag] for tag in ("White", "Black") for column in (0, 1)], "players of a pair")
        equal = next(n for n, (a, b) in enumerate(zip(games[0]["uci"], games[1]["uci"])) if a != b)
        marked = p.b.evaluate("document.querySelectorAll('.pair-card')[0].querySelector('tbody tr:last-child mark').textContent")
        same(marked, games[0]["san"][equal], "first move that differs")
        same(p.b.evaluate(cell % (1, 1, 2)), HOSTILE, "a name with markup")
        p.b.click("input[name=pair-0][value=both]")
        p.b.click("input[name=pair-1][value=swap]")
        p.b.wait("document.querySelector('#view .links span').textContent", "2 of 12 pairs decided")
        p.picture("duplicates")
        for width in (320, 390, 700, 1280):
            p.b.size(width, 800)
            same(p.b.evaluate("document.documentElement.scrollWidth <= innerWidth"), True, "duplicates fit into %d" % width)
        p.go("#/duplicates?offset=10", "document.querySelectorAll('.pair-card table').length === 2")
        p.go("#/duplicates", "document.querySelectorAll('.pair-card table').length === 10")
        same(p.b.evaluate("document.querySelector('input[name=pair-1]:checked').value"), "swap", "the decision that was made")
        session, p.b.session = p.b.session, None
        p.b.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
        p.b.session = session
        p.b.click("#view .primary")
        end = time.monotonic() + browser.PATIENCE
        while not os.path.exists(saved) and time.monotonic() < end:
            time.sleep(0.05)
        with open(saved) as file:
            same(file.read(), "archive,game,decision,why\nsome/where/games.stamma,4,keep,spelling: games.stamma 5\n"
                 "games.stamma,5,keep,spelling: some/where/games.stamma 4\nsome/where/games.stamma,%d,keep,spelling: games.stamma 1\n"
                 "games.stamma,1,drop,spelling: some/where/games.stamma %d\n" % (LAST_GAME, LAST_GAME), "the decisions file")
        with open(path + "l", "w") as file:
            file.write("no json\n")
        p.b.call("DOM.setFileInputFiles", files=[path + "l"], objectId=node)
        p.b.wait("document.querySelector('#pairs .error').textContent.startsWith('Line 1 is not JSON')")


def by_keys_alone(p):
    p.open("#/explore")
    for _ in range(60):
        p.b.press("Tab")
        if p.b.evaluate("document.activeElement.closest('.tree tbody') !== null"):
            break
    same(p.b.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "solid", "the outline of what has the focus")
    p.b.press("Enter")
    p.b.wait("location.hash.startsWith('#/explore?play=')")


def colours_and_phones(p):
    background = "getComputedStyle(document.body).backgroundColor"
    p.open("#/explore?play=e2e4")
    light = p.b.evaluate(background)
    p.b.dark(True)
    p.b.wait(background + " !== " + json.dumps(light))
    p.picture("explore-dark")
    p.b.click("#theme")
    p.b.wait(background, light)
    p.b.evaluate("localStorage.clear()")
    p.b.size(390, 844, True)
    for name, view, ready in (("explore", "#/explore?play=e2e4,e7e5,g1f3,b8c6&history=1", READY), ("game", "#/game/%d?ply=5" % LAST_GAME, "document.querySelector('.notation') !== null"),
                              ("search", "#/search?go=1", "document.querySelector('#results .games') !== null"),
                              ("statistics", "#/statistics", "document.querySelector('.chart') !== null")):
        p.open(view, ready)
        same(p.b.evaluate("document.documentElement.scrollWidth"), 390, "width of %s on a phone" % name)
        same(p.b.evaluate("[...document.querySelectorAll('.bar span')].filter(one => { const text = document.createRange(); text.selectNodeContents(one);"
                          "return text.getBoundingClientRect().width > one.getBoundingClientRect().width; }).map(one => one.textContent)"), [],
             "numbers that their bar in %s has no room for" % name)
        p.picture(name + "-phone-dark")
        for width in (320, 360, 480, 500, 580, 700, 780, 900, 1000, 1100):
            p.b.size(width, 844)
            p.settle()
            same(p.b.evaluate("document.documentElement.scrollWidth <= innerWidth"), True, "%s fits into %d" % (name, width))
        p.b.size(390, 844, True)
    p.b.size(1280, 800)
    p.b.dark(False)


def without_packages(p):
    """Without the package of pieces, the page draws its own."""
    p.b.call("Network.setBlockedURLs", urls=["*/cm-chessboard/*"])
    p.open("#/explore")
    p.b.wait("document.querySelector('#wk circle, #wk path') !== null && document.querySelectorAll('#board [data-piece]').length", 32)
    p.b.click('.tree tr[data-uci="e2e4"] .results')
    p.moves_are("--moves", "e4")
    p.open("#/game/5?ply=48", "document.querySelector('.notation') !== null")
    p.b.wait(POSITION + ".includes('pawn d4')")
    p.b.evaluate("document.querySelector('.variation a.move').click()")
    p.hash_is("#/game/5?ply=48&line=0")
    p.open("#/search?sub=8/5Nk1/8/8/8/8/8/8&go=1", "document.querySelector('#results .games') !== null")
    p.b.call("Network.setBlockedURLs", urls=[])


CHECKS = [tree_is_the_commands, size_at_first, a_move_in_the_table, the_board, promotion, keys_and_wheel, filters, games_of_a_position, history, game, game_of_960,
          search, numbers, names, duplicates, by_keys_alone, colours_and_phones]


def run(page, check):
    try:
        check(page)
        return True
    except (browser.Failed, subprocess.CalledProcessError, OSError) as error:
        print("FAILED: %s: %s" % (check.__name__, error))
        traceback.print_exc(limit=-3)
        return False


def quiet(page):
    """The page logged nothing, requested nothing from other hosts, and treated no text of a game as markup."""
    hurt = page.b.evaluate("document.title") == "hurt"  # first: messages may arrive with the answer
    for line in page.b.logged:
        print("FAILED: the page logged: %s" % line)
    others = [url for url in page.b.requests if not url.startswith((page.address, "about:", "data:", "blob:"))]
    for url in others:
        print("FAILED: the page asked for %s" % url)
    return not page.b.logged and not others and not hurt


def run_checks(page, checks, loud=()):
    """Runs checks, during which the page must be quiet, and then loud checks, during which the browser logs answers
    with an error status. Returns whether all checks pass."""
    return all([run(page, check) for check in checks] + [quiet(page)] + [run(page, check) for check in loud])


def run_all(page, checks, loud=()):
    """Runs checks like run_checks(). Closes the browser, and returns the exit status."""
    try:
        return 0 if run_checks(page, checks, loud) else 1
    finally:
        page.b.close()


def main():
    if sys.argv[1:] == ["--browser"]:
        return 0 if browser.program() else 1
    return run_all(Page(*sys.argv[1:]), CHECKS, (faults, without_packages))


if __name__ == "__main__":
    sys.exit(main())
