# SPDX-License-Identifier: MIT
"""Uses the page without a server of Stamma: a folder of static files, whose worker answers the requests, in Chromium.

usage: page_worker_driver.py WEB PGN SCREENSHOTS    `make wasm` writes WEB; exits with status 1 if a check fails
"""
import functools
import http.server
import importlib.machinery
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import browser
import page_driver
from page_driver import same
from page_uploads_driver import ROWS, accessible, choose, drop
from serve_client import Server
from web_requests import REQUESTS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The policy of `stamma serve`, and WebAssembly.
POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; style-src 'self'; style-src-attr 'unsafe-inline'; " \
         "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
SHOWN = "!document.querySelector('[aria-busy]') && document.querySelector('.archives-list h1') !== null"
# Asks the supplier of the page, and returns the status and the text.
ASK = "import('./base/supplier.js').then(m => m.supplier().request('GET', %s, %s)).then(async one => [one.status, await one.text()])"
LONG_TASKS = "new PerformanceObserver(list => list.getEntries().forEach(one => (window.longTasks ??= []).push(Math.round(one.duration)))).observe({type: 'longtask', buffered: true})"


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, with ranges and the policy of a page without a server."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm", ".js": "text/javascript"}

    def log_message(self, *arguments):
        pass

    def end_headers(self):
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Accept-Ranges", "bytes")
        super().end_headers()

    def do_GET(self):
        path = self.translate_path(self.path)
        if "Range" not in self.headers or not os.path.isfile(path):
            super().do_GET()
            return
        first, last = map(int, self.headers["Range"].removeprefix("bytes=").split("-"))
        with open(path, "rb") as file:
            file.seek(first)
            data = file.read(last + 1 - first)
        self.send_response(206)
        self.send_header("Content-Range", "bytes %d-%d/%d" % (first, first + len(data) - 1, os.path.getsize(path)))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def write_page(folder, web, site=None):
    """Copies the page and the module, and makes the page choose the worker."""
    loader = importlib.machinery.SourceFileLoader("embed_web", os.path.join(ROOT, "scripts", "embed_web"))
    embed = importlib.util.module_from_spec(importlib.util.spec_from_loader("embed_web", loader))
    loader.exec_module(embed)
    modules = subprocess.run(["scripts/setup", "--modules"], cwd=ROOT, capture_output=True, check=True, encoding="utf-8").stdout.strip()
    files, _ = embed.collect(os.path.join(ROOT, "web"), modules)
    for served, place in files.items():
        os.makedirs(os.path.dirname(folder + served), exist_ok=True)
        shutil.copy(place, folder + served)
    shutil.copytree(web, folder + "/stamma")
    with open(folder + "/index.html", encoding="utf-8") as file:
        text = file.read()
    metas = '<meta name="stamma-worker" content="stamma/worker.js">\n' + ('<meta name="stamma-site" content="site.json">\n' if site else "")
    script = '<script type="module" src="early.js">'
    assert text.count(script) == 1
    with open(folder + "/index.html", "w", encoding="utf-8") as file:
        file.write(text.replace(script, metas + '<script type="module" src="local.js"></script>\n' + script))
    if site:
        with open(folder + "/site.json", "w", encoding="utf-8") as file:
            json.dump(site, file)


def serve_folder(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return "http://127.0.0.1:%d/" % server.server_port


def stamma(*arguments):
    return subprocess.run([os.environ["STAMMA"], *arguments], capture_output=True, check=True).stdout


def first_use(p):
    """The page describes how to begin, without commands."""
    p.open("", SHOWN)
    same(p.b.evaluate("[document.querySelector('h1').textContent, document.querySelector('.steps')]"), ["How to begin", None], "the first view")
    same(p.b.evaluate("document.querySelector('.open-file .hint').textContent.includes('stay on this computer')"), True, "where the games are")
    accessible(p, "the first view", False)
    p.picture("worker-begin")


def explored(p):
    """A dropped PGN can be explored at once, and its games are found and shown."""
    begun = time.monotonic()
    drop(p, "#view", "games.pgn")
    p.b.wait("location.hash", "#/explore?archive=0")
    p.b.wait(page_driver.READY)
    print("explored after %.1f s" % (time.monotonic() - begun))
    p.moves_are()
    p.b.click('.tree tr[data-uci="e2e4"] a')
    p.b.wait("document.querySelectorAll('.tree tbody tr').length > 0 && !document.querySelector('[aria-busy]') && location.hash.includes('e2e4')")
    p.moves_are("--moves", "e4")
    p.picture("worker-explore")
    p.go("#/search?player=Tal&archive=0&go=1", "document.querySelectorAll('#results tr[data-id]').length > 2 && !document.querySelector('[aria-busy]')")
    p.go("#/game/5", "document.querySelector('.notation') !== null && document.querySelector('#board svg') !== null")
    same(p.b.evaluate("document.querySelector('#view').textContent.includes('Topalov')"), True, "the game")
    p.picture("worker-game")


def other_views(p):
    for view in ("statistics", "player", "prepare", "training", "analysis", "encodings", "duplicates"):
        p.go("#/" + view, "document.querySelector('#view h1') !== null && document.getElementById('view').className === %s && !document.querySelector('[aria-busy]')" % json.dumps(view))
        same(p.b.evaluate("document.querySelector('#view .notice.error')?.textContent ?? null"), None, "an error in " + view)


def equal_answers(p, server):
    """The answers are those of a server with the same archive."""
    good = 0
    for path, fields in REQUESTS:
        if path in ("/board.svg", "/questions"):
            continue
        answer = server.ask(path, **{name: str(value) for name, value in fields.items()})
        status, text = p.b.evaluate(ASK % (json.dumps(path[1:]), json.dumps(fields)))
        wanted = answer.body.decode("utf-8").replace('saved.stamma', 'games.pgn')
        same((status, text), (answer.status, wanted), "%s %r" % (path, fields))
        good += status == 200
    same(good >= 25, True, "%d requests were answered" % good)


def saved(p, pgn):
    """The archive can be saved. It is the one that the command makes."""
    folder = tempfile.mkdtemp(dir=".")
    session, p.b.session = p.b.session, None
    p.b.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=os.path.abspath(folder))
    p.b.session = session
    p.go("#/archives", SHOWN)
    same(p.b.evaluate(ROWS), ["games.pgn"], "the list")
    p.b.click(".actions a")
    path = os.path.join(folder, "games.stamma")
    for _ in range(600):
        if os.path.exists(path):
            break
        time.sleep(0.05)
    with open(path, "rb") as file, open("wanted.stamma", "rb") as wanted:
        same(file.read() == wanted.read(), True, "the saved archive")
    shutil.copy(path, "saved.stamma")
    with open(pgn, "rb") as file:
        same(stamma("unpack", "-o", "-", "saved.stamma") == file.read(), True, "the text of the saved archive")


def replaced(p):
    """Cancelling ends the worker. The new one has the archives of the old one, and the closed ones keep their numbers."""
    choose(p, "games.pgn.gz", "wanted.stamma")
    p.b.wait("location.hash", "#/explore?archive=3")
    p.go("#/archives", SHOWN)
    p.b.wait("JSON.stringify(%s)" % ROWS, '["games.pgn","games.pgn.gz","wanted.stamma"]')
    p.b.evaluate("document.querySelectorAll('.actions button')[1].click()")
    p.b.click(".actions .ask + button")
    p.b.wait("JSON.stringify(%s)" % ROWS, '["games.pgn","wanted.stamma"]')
    choose(p, "many.pgn")
    p.b.wait("!document.querySelector('.upload').hidden")
    p.b.click(".upload-head button")
    p.b.wait("document.querySelector('.upload').hidden")
    status, text = p.b.evaluate(ASK % ('"archives"', "{}"))
    same([status, [[one["number"], one["name"], one["index"]] for one in json.loads(text)]], [200, [[0, "games.pgn", "file"], [3, "wanted.stamma", "file"]]], "archives of the new worker")
    p.go("#/explore?archive=0", page_driver.READY)
    p.moves_are()


def refused(p):
    """Files that are no games, and damaged ones, are refused with a message."""
    with open("bad.stamma", "wb") as file:
        file.write(b"\x8dStamma\n" + bytes(100))
    p.go("#/archives", SHOWN)
    choose(p, "bad.stamma")
    p.b.wait("document.querySelector('.upload-error') !== null")
    same(p.b.evaluate("document.querySelector('.upload-error').textContent.startsWith('bad.stamma cannot be opened')"), True, "a message")


def on_site(p, web):
    """A site with archives: the worker reads ranges of their files."""
    folder = tempfile.mkdtemp(dir=".")
    write_page(os.path.abspath(folder), web, {"archives": [{"name": "wanted.stamma", "file": "wanted.stamma", "index": "wanted.stamma.index"}]})
    for name in ("wanted.stamma", "wanted.stamma.index"):
        shutil.copy(name, folder)
    p.address = serve_folder(folder)
    p.open("", page_driver.READY)
    p.moves_are()
    same([one["index"] for one in json.loads(p.b.evaluate(ASK % ('"archives"', "{}"))[1])], ["file"], "the index of the site")


def main(web, pgn, pictures):
    folder = os.path.abspath(tempfile.mkdtemp(dir="."))
    write_page(folder, web)
    stamma("pack", "-q", "-1", pgn, "-o", "wanted.stamma")
    stamma("index", "-q", "wanted.stamma")
    p = page_driver.Page(serve_folder(folder), "wanted.stamma", pictures)
    try:
        first_use(p)
        p.b.evaluate(LONG_TASKS)
        explored(p)
        other_views(p)
        saved(p, pgn)
        stamma("index", "-q", "saved.stamma")
        server = Server("saved.stamma")
        equal_answers(p, server)
        server.stop()
        refused(p)
        replaced(p)
        print("tasks above 50 ms: %s" % p.b.evaluate("window.longTasks ?? []"))
        on_site(p, web)
        same(p.b.logged, [], "messages and errors that the page logged")
    except browser.Failed as error:
        print("FAILED:", error)
        p.picture("worker-failed")
        return 1
    finally:
        p.b.close()
    return 0


sys.exit(main(*sys.argv[1:]))
