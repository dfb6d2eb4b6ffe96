# SPDX-License-Identifier: MIT
"""Uses the view Archives of the page of `stamma serve` in Chromium.

usage: page_uploads_driver.py ARCHIVE SCREENSHOTS    exits with status 1 if a check fails, and with 77 if the page has no board
"""
import json
import os
import subprocess
import sys

import browser
import page_driver
from page_axe_driver import AXE_RUN
from page_driver import same
from serve_client import Server

WIDTHS = ((1440, 900), (820, 1100), (390, 844), (320, 568))
# Links, texts and fields that are truncated at the right, or wider than their window.
WIDE = "[...document.querySelectorAll('body *')].filter(one => one.getClientRects().length && one.getBoundingClientRect().right > %d)" \
       ".map(one => one.outerHTML.slice(0, 100))"
CELLS = "JSON.stringify([...document.querySelectorAll('.archives-table tbody tr')].map(row => [...row.children].filter(one => one.getClientRects().length)" \
        ".map(one => one.innerText.trim())))"
# Returns the texts whose contrast with their background, as defined by WCAG 2.2, is below 4.5.
CONTRAST = """(() => {
  const part = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * part(r / 255) + 0.7152 * part(g / 255) + 0.0722 * part(b / 255);
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (text) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const under = (one) => { for (let e = one; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255]; };
  return [...document.querySelectorAll('main *, header *')].filter((one) => one.getClientRects().length && [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim())
    && !one.closest('.unseen, :disabled, .cm-chessboard')).map((one) => {
    const [a, b] = [light(rgba(getComputedStyle(one).color)), light(under(one))].sort((x, y) => y - x);
    return [(a + 0.05) / (b + 0.05), one.textContent.trim().slice(0, 40)];
  }).filter(([ratio]) => ratio < 4.5);
})()"""


def accessible(p, name, dark):
    """axe-core, if it is installed, reports nothing."""
    if not os.environ.get("AXE"):
        return
    with open(os.environ["AXE"], encoding="utf-8") as file:
        p.b.evaluate(file.read() + ";0")
    same(p.b.evaluate(AXE_RUN % json.dumps(["color-contrast"] if dark else [])), [], "axe-core on " + name)


def everywhere(p, name):
    """Examines the view at all widths, light and dark."""
    for dark in (False, True):
        p.b.dark(dark)
        for width, height in WIDTHS:
            p.b.size(width, height, width < 500)
            p.settle()
            same(p.b.evaluate("document.documentElement.scrollWidth"), width, "%s fits at %d" % (name, width))
            same(p.b.evaluate(WIDE % width), [], "elements of %s that are cut off at %d" % (name, width))
            same(p.b.evaluate(CONTRAST), [], "contrast of %s" % name)
            p.picture("%s-%d-%s" % (name, width, "dark" if dark else "light"))
        accessible(p, name, dark)
    p.b.dark(False)
    p.b.size(1280, 800)


def first_use(p):
    """Without archives, the page describes how to begin, and shows no error."""
    p.open("", "document.querySelector('.steps') !== null")
    same(p.b.evaluate("location.hash"), "#/archives", "the first view")
    same(p.b.evaluate("document.querySelector('h1').textContent"), "How to begin", "heading")
    same(p.b.evaluate("[...document.querySelectorAll('.steps pre')].map(one => one.textContent)"),
         ["stamma pack games.pgn -o games.stamma", "stamma index games.stamma", "stamma serve games.stamma --open", "stamma serve --uploads /tmp --open"], "commands")
    same(p.b.evaluate("document.querySelector('[role=alert]')"), None, "an error")
    everywhere(p, "begin")
    # The other views can be opened, and the link in the header returns.
    p.go("#/explore", "document.querySelector('#tree .empty') !== null")
    p.go("#/statistics", "document.querySelector('#view.statistics h1') !== null && !document.querySelector('[aria-busy]')")
    p.b.click("#archives-link")
    p.b.wait("document.querySelector('.steps') !== null")
    same(p.b.evaluate("document.querySelector('#archives-link').getAttribute('aria-current')"), "page", "the link of this view")


def list_of_archives(p):
    p.open("#/archives", "document.querySelectorAll('.archives-table tbody tr').length === 2 && !document.querySelector('[aria-busy]')")
    served = p.b.evaluate("fetch('archives').then(one => one.json())")
    rows = json.loads(p.b.evaluate(CELLS))
    same([row[0] for row in rows], ["games.stamma", "other.stamma"], "names")
    same([row[1:3] for row in rows], [["{:,}".format(one[key]) for key in ("games", "plies")] for one in served], "games and plies")
    same([row[4] for row in rows], ["memory", "file"], "indexes")
    everywhere(p, "archives")
    p.b.click(".archives-table tbody tr:nth-child(2) a")
    p.hash_is("#/explore?archive=1")
    p.b.wait(page_driver.READY)
    p.moves_are()


ROWS = "[...document.querySelectorAll('.archives-table tbody th')].map(one => one.textContent)"
SHOWN = "!document.querySelector('[aria-busy]') && document.querySelector('.archives-list h1') !== null"
INPUT = ".open-file input"


def choose(p, *names, field=INPUT):
    """Chooses files in a field of the page."""
    node = p.b.call("Runtime.evaluate", expression="document.querySelector(%s)" % json.dumps(field))["result"]["objectId"]
    p.b.call("DOM.setFileInputFiles", files=[os.path.abspath(name) for name in names], objectId=node)


def drop(p, selector, name, size=None):
    """Drops a file of this size, or the text of a file, on an element."""
    text = "new Blob(['x'.repeat(%d)])" % size if size else json.dumps(open(name, encoding="latin-1").read())
    p.b.evaluate("(() => { const data = new DataTransfer(); data.items.add(new File([%s], %s));"
                 "for (const kind of ['dragover', 'drop']) document.querySelector(%s).dispatchEvent(new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: data})); })()"
                 % (text, json.dumps(os.path.basename(name)), json.dumps(selector)))


def opened(p):
    """The games of a chosen file can be explored immediately. The file can be saved and closed."""
    p.open("", SHOWN)
    same(p.b.evaluate("document.querySelector('h1').textContent"), "How to begin", "heading")
    same(p.b.evaluate("document.querySelectorAll('.steps li').length"), 3, "steps beside the field")
    everywhere(p, "begin-uploads")
    choose(p, "games.pgn")
    p.b.wait("location.hash", "#/explore?archive=0")
    p.b.wait(page_driver.READY)
    p.moves_are()
    p.go("#/archives", SHOWN)
    same(p.b.evaluate(ROWS), ["games.pgn"], "the list")
    saved = p.b.evaluate("fetch(document.querySelector('.actions a').getAttribute('href')).then(one => one.arrayBuffer()).then(one => [...new Uint8Array(one)])")
    with open("saved.stamma", "wb") as file:
        file.write(bytes(saved))
    text = subprocess.run([os.environ["STAMMA"], "unpack", "-o", "-", "saved.stamma"], capture_output=True, check=True).stdout
    with open("games.pgn", "rb") as file:
        same(text == file.read(), True, "the bytes of the file")
    p.b.click(".actions button")
    same(p.b.evaluate("[document.activeElement.textContent, document.querySelector('.actions').textContent]"), ["Keep", "Delete it?DeleteKeep"], "the page asks before it closes an archive")
    p.b.press("Escape")
    same(p.b.evaluate("document.activeElement.textContent"), "Close", "the focus after the question")
    p.b.click(".actions button")
    p.b.click(".actions .ask + button")
    p.b.wait("document.querySelector('h1').textContent", "How to begin")
    same(p.b.evaluate("fetch('archives').then(one => one.json())"), [], "archives after closing")


def messages(p):
    """Errors of a PGN are shown as the command reports them. Several files are sent one after another."""
    p.open("#/archives", SHOWN)
    choose(p, "sample.pgn", "games.pgn.gz")
    p.b.wait("JSON.stringify(%s)" % ROWS, '["sample.pgn","games.pgn.gz"]')
    p.b.wait("document.querySelectorAll('.messages li').length > 0")
    with open("sample.err", encoding="latin-1") as file:
        wanted = [line.removeprefix("stamma: ").removeprefix("sample.pgn: ").removeprefix("sample.stamma: ").replace(" sample.pgn line", " line").strip() for line in file][:-1]
    same(p.b.evaluate("[...document.querySelectorAll('.messages li')].map(one => one.textContent)"), wanted, "messages")
    everywhere(p, "uploads")
    p.b.click(".upload .links a")
    p.b.wait("location.hash.startsWith('#/explore?archive=')")
    p.b.wait("document.querySelector('.source-menu summary')?.textContent", "sample.pgn")
    p.go("#/archives", SHOWN)
    p.b.click(".upload .links button")
    p.b.wait("document.querySelector('.messages') === null")


def dropped(p):
    """Files can be dropped on every view. A veil is shown while a file is over the page."""
    p.go("#/statistics", "document.querySelector('#view.statistics h1') !== null && !document.querySelector('[aria-busy]')")
    before = p.b.evaluate("fetch('archives').then(one => one.json()).then(list => list.length)")
    drop(p, "#view", "sample.pgn")
    p.b.wait("location.hash", "#/archives")
    p.b.wait("%s.length" % ROWS, before + 1)
    p.b.evaluate("window.dispatchEvent(new DragEvent('dragover', {cancelable: true, dataTransfer: (() => { const data = new DataTransfer(); data.items.add(new File(['x'], 'x')); return data; })()}))")
    same(p.b.evaluate("document.getElementById('drop-veil').hidden"), False, "a file over the page")
    p.picture("uploads-drop-1280-light")
    p.b.evaluate("window.dispatchEvent(new DragEvent('dragleave'))")
    same(p.b.evaluate("document.getElementById('drop-veil').hidden"), True, "no file over the page")
    p.go("#/statistics", "document.querySelector('#view.statistics h1') !== null && !document.querySelector('[aria-busy]')")
    p.b.evaluate("document.getElementById('open-pgn').focus()")
    p.b.wait("document.getElementById('open-pgn').title.includes('the server makes an archive')")
    choose(p, "games.pgn", field="#open-pgn-file")  # with the button of the header
    p.b.wait("location.hash", "#/archives")
    p.b.wait("%s.length" % ROWS, before + 2)


def interrupted(p):
    """Shows the progress of a file that is sent slowly. Cancelling leaves no file."""
    p.b.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=40000)
    p.open("#/archives", SHOWN)
    before = p.b.evaluate(ROWS)
    choose(p, "many.pgn")
    p.b.wait("!document.querySelector('.upload').hidden && document.querySelector('.upload progress').value > 0")
    same(p.b.evaluate("document.querySelector('.upload strong').textContent"), "many.pgn", "the file")
    same(p.b.evaluate("document.querySelector('#archives-link').classList.contains('busy')"), True, "the button in the header")
    everywhere(p, "uploads-progress")
    same(p.b.evaluate("document.querySelector('.upload').hidden"), False, "still sending")
    p.b.click(".upload-head button")
    p.b.wait("document.querySelector('.upload').hidden")
    p.b.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    p.open("#/archives", SHOWN)
    same(p.b.evaluate(ROWS), before, "the list after cancelling")


def by_keys(p):
    """The field, the links and the buttons can be reached and used with the keyboard, and have names."""
    p.open("#/archives", SHOWN)
    seen = []
    for _ in range(40):
        p.b.press("Tab")
        seen.append(p.b.evaluate("(document.activeElement.getAttribute('aria-label') ?? document.activeElement.closest('label')?.textContent ?? document.activeElement.textContent).trim().slice(0, 40)"))
    for wanted in ("Archives", "Open a PGN file", "games.pgn.gz", "Save games.pgn.gz as an archive", "Close games.pgn.gz"):
        same(any(one.startswith(wanted) for one in seen), True, "%s among %s" % (wanted, seen))
    nameless = [role for role, name in p.b.accessible() if role in page_driver.NAMED and not name.strip()]
    same(nameless, [], "elements without a name")


def refused(p):
    """Errors of the server are shown. This check is last, because the browser logs these errors."""
    p.open("#/archives", SHOWN)
    before = p.b.evaluate(ROWS)
    for name, words in (("bad.pgn", "no game with moves: line 1, game 1"), ("empty.pgn", "The file is empty."), ("half.pgn.gz", "it ends too early")):
        choose(p, name)
        p.b.wait("document.querySelector('.upload-error')?.textContent.startsWith(%s)" % json.dumps(name))
        same(words in p.b.evaluate("document.querySelector('.upload-error').textContent"), True, "the error of %s: %s" % (name, p.b.evaluate("document.querySelector('.upload-error').textContent")))
    everywhere(p, "uploads-error")
    p.b.click(".upload-error button")
    p.b.wait("document.querySelector('.upload-error') === null")
    choose(p, "bad.pgn", "sample.pgn", "empty.pgn", "half.pgn.gz")  # the valid file is still opened
    p.b.wait("[...document.querySelectorAll('.upload-error strong')].map(one => one.textContent).sort().join()", "bad.pgn,empty.pgn,half.pgn.gz")
    p.b.wait("%s.length" % ROWS, len(before) + 1)
    before = p.b.evaluate(ROWS)
    drop(p, "#view", "large.pgn", 3000000)  # the limit is 2 MiB
    p.b.wait("document.querySelector('.upload-error')?.textContent.includes('at most 2.1 MB')")
    same(p.b.evaluate(ROWS), before, "the list after errors")


def off(p):
    """Without --uploads, a dropped PGN is opened in Analysis. The page explains why it does not open a large file."""
    p.open("#/explore")
    drop(p, "#view", "sample.pgn")
    p.b.wait("document.querySelectorAll('#view.analysis .entries a').length", 5)
    drop(p, "#view", "large.pgn", 300000)
    p.b.wait("document.querySelector('.archives-list [role=alert]')?.textContent.includes('--uploads')")
    same(p.b.evaluate("document.querySelector('.open-file')"), None, "no field")


HEADING = "document.querySelector('.explore .summary, .heading .summary')?.textContent"
NEWS = "document.querySelector('.news').textContent"
LOOK = "document.dispatchEvent(new Event('visibilitychange'))"  # the page then asks for the archives at once


def found(*archives):
    """The number of games that begin in the initial position, as the command counts them."""
    answer = subprocess.run([os.environ["STAMMA"], "find", "--count", "--fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", *archives], capture_output=True, check=False)
    return "{:,} games".format(int(answer.stdout))


def total(archive):
    answer = subprocess.run([os.environ["STAMMA"], "info", "--json", archive], capture_output=True, check=True)
    return "{:,} games".format(json.loads(answer.stdout)["games"])


def tick(p, number, address, games):
    p.b.click('.source input[value="%d"]' % number)
    p.hash_is(address)
    p.b.wait(HEADING, games)
    same(p.b.evaluate("document.activeElement.value"), str(number), "the box keeps the focus")


def several(p):
    """Archives are ticked one by one. An opened file is only asked when it is ticked."""
    p.open("#/archives", SHOWN)
    choose(p, "games.pgn")
    p.hash_is("#/explore?archive=2")
    named, every = ["games.stamma", "other.stamma"], ["games.stamma", "other.stamma", "games.stamma"]  # games.pgn has the games of games.stamma
    p.b.wait(HEADING, found("games.stamma"))
    p.go("#/explore", page_driver.READY)
    p.b.wait(HEADING, found(*named))
    same(p.b.evaluate("document.querySelector('.source-menu summary').getAttribute('aria-label')"), "Archives: All archives", "the name of the menu")
    p.b.click(".source-menu summary")
    same(p.b.evaluate("[...document.querySelectorAll('.source')].map(one => one.querySelector('input').checked + ' ' + one.querySelector('.name').textContent)"),
         ["true games.stamma", "true other.stamma", "false games.pgn"], "the boxes")
    same(p.b.evaluate("document.querySelectorAll('.source')[2].textContent.endsWith(', opened here')"), True, "the words about an opened file")
    for width, height in WIDTHS:
        p.b.size(width, height, width < 500)
        p.picture("sources-menu-%d" % width)
        same(p.b.evaluate(WIDE % width), [], "elements that are cut off at %d" % width)
    accessible(p, "the menu of archives", False)
    p.b.size(1280, 800)
    tick(p, 2, "#/explore?archive=0,1,2", found(*every))
    tick(p, 1, "#/explore?archive=0,2", found("games.stamma", "games.stamma"))
    same(p.b.evaluate("document.querySelector('.source-menu summary').textContent"), "2 archives", "the text of the menu")
    tick(p, 1, "#/explore?archive=0,1,2", found(*every))
    tick(p, 2, "#/explore", found(*named))
    p.b.press("Escape")
    same(p.b.evaluate("[document.querySelector('.source-menu').open, document.activeElement.textContent]"), [False, "All archives"], "the closed menu")


def grown(p):
    """Games that are appended are shown without moving the place of the reader; long searches only on request."""
    p.open("#/explore?archive=0", page_driver.READY)
    p.b.evaluate("document.querySelector('.games tbody a').focus()")
    p.b.evaluate("scrollTo(0, 200)")
    before, place = p.b.evaluate(HEADING), "[scrollY, document.querySelector('.tabs').getBoundingClientRect().top, document.activeElement.hash].join()"
    p.settle()
    stood = p.b.evaluate(place)
    subprocess.run([os.environ["STAMMA"], "append", "-q", "games.stamma", "sixteen.pgn"], check=True)
    p.b.wait("(() => { %s; return %s })()" % (LOOK, NEWS), "games.stamma: %s now (16 new)." % total("games.stamma"))
    p.b.wait(HEADING, found("games.stamma"))
    same(before == p.b.evaluate(HEADING), False, "the number of games")
    p.b.wait("!document.querySelector('[aria-busy]')")
    p.b.wait(place, stood)
    p.picture("news-1280")
    accessible(p, "the news", False)
    p.go("#/statistics?archive=1", "document.querySelector('.card dd') !== null && !document.querySelector('[aria-busy]')")
    asked = len(p.b.requests)
    subprocess.run([os.environ["STAMMA"], "append", "-q", "other.stamma", "sixteen.pgn"], check=True)
    p.b.wait("(() => { %s; return %s })()" % (LOOK, NEWS), "other.stamma: %s now (16 new).Show them" % total("other.stamma"))
    same([one for one in p.b.requests[asked:] if "stats" in one], [], "a long search that nobody asked for")
    p.b.click(".news button")
    p.b.wait("document.querySelector('.card dd')?.textContent", total("other.stamma").split()[0])


def restarted(p):
    """When the server is started again, the page continues, and names the files that are gone."""
    p.open("#/explore?archive=0,1", page_driver.READY)
    same(p.server.stop(), 0, "the end of the server")
    p.b.evaluate(LOOK)
    p.b.wait(NEWS, "The server cannot be reached, trying again …")
    p.b.click(".tree tbody tr:nth-child(1) a")
    p.b.wait("document.querySelector('#tree .error') !== null")
    p.picture("news-lost-1280")
    p.server = Server(*p.arguments, "--port", str(p.server.port))
    p.b.wait(NEWS, "The server is there again. games.pgn is gone: the server keeps opened files only until it ends.")
    p.b.wait("document.querySelector('#tree .error') === null && " + page_driver.READY)
    same(p.server.stop(), 0, "the end of the second server")


TABLEBASE = "document.querySelector('.tablebase')"


def tablebase(p):
    """The result of an endgame, and the moves that keep it, are those of python-chess."""
    import chess.syzygy
    start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    p.open("#/explore?fen=" + start.replace(" ", "+"), "document.querySelector('.tablebase strong') !== null && !document.querySelector('[aria-busy]')")
    board = chess.Board(start)
    with chess.syzygy.open_tablebase(os.environ["TABLES"]) as tables:
        def after(move):
            board.push(move)
            wdl = tables.probe_wdl(board)
            board.pop()
            return -wdl
        results = {move.uci(): after(move) for move in board.legal_moves}
        dtz = tables.probe_dtz(board)
    same(p.b.evaluate(TABLEBASE + ".querySelector('p').textContent"), "%s · %d plies to a capture, a pawn move or mate" % ("White wins", dtz) if dtz else "Drawn", "the result")
    shown = json.loads(p.b.evaluate("JSON.stringify([...document.querySelectorAll('.tablebase p')].slice(1).map(one => [one.querySelector('.kind').textContent,"
                                    "[...one.querySelectorAll('a')].map(link => new URLSearchParams(link.hash.split('?')[1]).get('play')).sort()]))"))
    wanted = {words: sorted(uci for uci, wdl in results.items() if wdl == value) for words, value in (("Winning", 2), ("Drawing", 0), ("Losing", -2))}
    same(dict(shown), {words: moves for words, moves in wanted.items() if moves}, "the moves")
    for width, height in WIDTHS:
        p.b.size(width, height, width < 500)
        same(p.b.evaluate("document.documentElement.scrollWidth"), width, "the view fits")
        p.picture("tablebase-%d" % width)
    accessible(p, "the tablebase", False)
    p.b.size(1280, 800)
    p.b.click(".tablebase a")
    p.b.wait("location.hash.includes('play=') && document.querySelector('.tablebase strong') !== null")
    p.go("#/explore", page_driver.READY)
    same(p.b.evaluate(TABLEBASE + ".hidden"), True, "the part in positions with many pieces")


def no_position(p):
    """The error of a position without kings is shown once."""
    p.open("#/explore?fen=8/8/8/8/8/8/8/7Q+w+-+-+0+1", "document.querySelector('#tree .error') !== null && !document.querySelector('[aria-busy]')")
    same(p.b.evaluate("document.querySelectorAll('.error').length"), 1, "times that an error is shown")


# Arguments of the server, checks, and checks during which the browser logs errors.
TABLES = os.environ.get("TABLES")
PARTS = ((("--syzygy", TABLES, "games.stamma"), [tablebase], (no_position,)),) if TABLES else ()
PARTS += ((), [first_use], ()), (("games.stamma", "other.stamma"), [list_of_archives, off], ()), \
    (("--uploads", "uploads", "--upload-limit", "2M"), [opened, messages, dropped, interrupted, by_keys], (refused,)), \
    (("--uploads", "uploads", "games.stamma", "other.stamma"), [several, grown], (restarted,))  # last: the archives grow


def main():
    right, window = True, browser.Browser()
    try:
        for arguments, checks, loud in PARTS:
            server = Server(*arguments)
            with open(server.err, encoding="utf-8") as text:
                if "built without" in text.read():
                    return 77
            page = page_driver.Page("http://127.0.0.1:%d/" % server.port, *sys.argv[1:], window)
            page.server, page.arguments = server, arguments
            right &= page_driver.run_checks(page, checks, loud)
            server.stop()
    finally:
        window.close()
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
