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


QUERY = "document.querySelector('#whole-query').textContent"
OPEN = "document.querySelectorAll('.search-form details').forEach(one => { one.open = true; })"
FIELD = "(() => { const one = %s; one.value = %s; one.dispatchEvent(new Event('input', {bubbles: true})); one.dispatchEvent(new Event('change', {bubbles: true})); })()"


def fill(p, selector, value, index=0):
    p.b.evaluate(FIELD % ("document.querySelectorAll(%s)[%d]" % (json.dumps(selector), index), json.dumps(value)))


def query_is(p, wanted, what):
    same(json.loads(p.b.evaluate(QUERY)), wanted, what)


def found_by(p, query):
    """Starts the search of the form, and compares its games with the command's. Returns their numbers."""
    p.b.click(".search-form .primary")
    p.b.wait("location.hash.includes('go=1') && " + IDLE)
    wanted = truth(p, "--query", json.dumps(query))
    p.b.wait("[%s, %s]" % (TITLE, ROWS), ["%d game%s" % (len(wanted), "" if len(wanted) == 1 else "s") if wanted else "", min(20, len(wanted))])
    same(numbers(p), wanted[:20], "games of %s" % query)
    return wanted


def games_in_python():
    """Returns the games of games.pgn as python-chess reads them; None without python-chess."""
    try:
        import chess.pgn
    except ImportError:
        print("no python-chess: answers are only compared with the command")
        return None
    with open("games.pgn", encoding="utf-8") as file:
        return list(iter(lambda: chess.pgn.read_game(file), None))


def positions(game):
    board = game.board()
    yield board
    for move in game.mainline_moves():
        board.push(move)
        yield board


def sequence_form(p):
    """Steps are added, changed, reordered by keys and removed; the games are those of the command."""
    p.open("#/search?archive=0", "document.querySelector('.search-form .groups') !== null")
    p.b.evaluate(OPEN)
    for _ in range(3):
        p.b.evaluate("document.querySelector('.steps + .row button').click()")
    same(p.b.evaluate("document.activeElement.closest('li').ariaLabel"), "Step 3", "the focus after a step is added")
    query_is(p, {}, "steps without a value")
    fill(p, ".step-side", "black", 0)
    fill(p, ".step-value", "O-O", 0)
    fill(p, ".step-kind", "mate", 1)
    fill(p, ".step-kind", "captured", 2)
    fill(p, "input.step-value", "Q", 1)
    query_is(p, {"sequence": [{"by": "black", "move": "O-O"}, {"mate": True}, {"captured": "Q"}]}, "the steps")
    for kind in ("keyDown", "keyUp"):  # Alt and the arrow up; the focus is in step 3
        p.b.call("Input.dispatchKeyEvent", type=kind, key="ArrowUp", windowsVirtualKeyCode=38, modifiers=1)
    query_is(p, {"sequence": [{"by": "black", "move": "O-O"}, {"captured": "Q"}, {"mate": True}]}, "the steps after a key")
    same(p.b.evaluate("document.activeElement.closest('li').ariaLabel"), "Step 2", "the focus follows the step")
    fill(p, ".groups .field select", "most")
    fill(p, ".groups .field input[type=number]", "30")
    query = {"sequence": [{"by": "black", "move": "O-O"}, {"captured": "Q"}, {"mate": True}], "gap": 30}
    query_is(p, query, "steps with a distance")
    same(len(found_by(p, query)) > 0, True, "games with the sequence")
    same(p.b.evaluate("[...document.querySelectorAll('.steps li')].length"), 3, "the steps after the search")
    p.b.evaluate("document.querySelector('.steps [data-act=remove]').click()")
    fill(p, ".groups .field select", "next")
    query_is(p, {"streak": [{"captured": "Q"}, {"mate": True}]}, "after a step is removed")


def structure_form(p):
    """A named pawn structure fills the board; squares can be changed; at least and exactly these pawns."""
    p.open("#/search?archive=0", "document.querySelector('.search-form .groups') !== null")
    p.b.evaluate(OPEN)
    p.b.wait("document.querySelector('.setup.pawns') !== null")
    names = p.b.evaluate("[...document.querySelectorAll('.pawn-rules select')[0].options].map(one => one.textContent)")
    fill(p, ".pawn-rules select", str(names.index("French chain (Advance Variation)") - 1))
    same(p.b.evaluate("['d4', 'e5', 'd5', 'e6', 'd6'].map(one => document.querySelector('.setup.pawns [data-square=' + one + ']').ariaLabel)"),
         ["d4, white pawn", "e5, white pawn", "d5, black pawn", "e6, black pawn", "d6, anything"], "the board")
    query = {"all": [{"sub-fen": "8/8/4p3/3pP3/3P4/8/8/8"}]}
    query_is(p, query, "the structure")
    found = found_by(p, query)
    games = games_in_python()
    if games:
        holds = [number for number, game in enumerate(games, 1) if any(all(str(board.piece_at(square)) == piece for square, piece in ((27, "P"), (36, "P"), (35, "p"), (44, "p"))) for board in positions(game))]
        same(found, holds, "games with the chain, by python-chess")
    p.b.evaluate("document.querySelector('.setup.pawns [data-square=c3]').focus()")
    p.b.press("x")
    p.b.evaluate("document.querySelector('.setup.pawns [data-square=c8]').focus()")
    p.b.press("p")
    query_is(p, {"all": [{"sub-fen": "8/8/4p3/3pP3/3P4/2[KQRBNkqrbn.]5/8/8"}]}, "a square without a pawn; none on the last rank")
    p.b.click("[name=pawnsflip]")
    fill(p, "[name=pawnsall]", "1")
    query_is(p, {"flipcolor": True, "pawns": "8/8/4p3/3pP3/3P4/8/8/8"}, "exactly these pawns, for either side")


def path_and_balance(p):
    """The path of a piece, and balances by name and by numbers; a sequence may begin at another ply."""
    p.open("#/search?archive=0", "document.querySelector('.search-form .groups') !== null")
    p.b.evaluate(OPEN)
    squares = ".group input[placeholder^=g1]"
    fill(p, squares, "g1-f3-g5")
    query = {"path": "N g1 f3 g5"}
    query_is(p, query, "a path with dashes")
    fill(p, squares, "g1, f3-h5 g5")
    query_is(p, {"path": "N g1 f3-h5 g5"}, "a path with a rectangle")
    fill(p, squares, "g1 f3 g5")
    query_is(p, query, "a path")
    found = found_by(p, query)
    games = games_in_python()
    if games:
        same(found, [number for number, game in enumerate(games, 1) if goes(game, [6, 21, 38])], "games with the path, by python-chess")
    names = p.b.evaluate("[...document.querySelectorAll('.group select')].find(one => one.options[1].textContent === 'A pawn up') && 1")
    same(names, 1, "named balances")
    p.b.evaluate("[...document.querySelectorAll('.group select')].find(one => one.options[1].textContent === 'A pawn up').id = 'balances'")
    fill(p, "#balances", "1")
    fill(p, "[name=lasting]", "6")
    rule = lambda of, n: {"difference": {"of": of, "minus": of.lower(), "n": n}}
    balance = {"for": 6, "all": [rule("Q", 0), rule("R", 1), rule("BN", -1)]}
    query_is(p, {"all": [balance, {"not": {"never": query}}]}, "the exchange up, and the path at any ply")
    p.b.click("[name=together]")
    query_is(p, {"all": [balance, query]}, "the path from this position")
    fill(p, squares, "")
    query_is(p, balance, "the balance")
    same(len(found_by(p, balance)) > 0, True, "games with the balance")
    fill(p, "[data-of=R][data-end=to]", "")
    query_is(p, {"for": 6, "all": [rule("Q", 0), rule("R", "1.."), rule("BN", -1)]}, "an open range")


def goes(game, squares):
    """Returns whether one knight of White is on the squares in this order, perhaps with others between them."""
    steps = {}  # of the knights that began, by square
    board = game.board()
    for move in [None, *game.mainline_moves()]:
        if move:
            captured = move.to_square
            step = steps.pop(move.from_square, None)
            steps.pop(captured, None)
            board.push(move)
            if step is not None:
                step += move.to_square == squares[step]
                if step == len(squares):
                    return True
                steps[move.to_square] = step
        if str(board.piece_at(squares[0])) == "N":
            steps.setdefault(squares[0], 1)
    return False


def typed_json(p):
    """JSON that the form can show fills in its fields; other JSON stays, and a line says so. The line of the command finds
    the same games."""
    p.open("#/search?archive=0&white=A", "document.querySelector('.search-form .groups') !== null")
    query = {"flipcolor": True, "streak": [{"white-move": "Bxh7"}, {"black-move": "Kxh7"}]}
    fill(p, "textarea[name=query]", json.dumps(query))
    same(p.b.evaluate("[document.querySelector('textarea[name=query]').value, document.querySelector('.json-state').textContent]"), ["", "The fields show these conditions."], "JSON with fields")
    same(p.b.evaluate("[...document.querySelectorAll('.steps li')].map(one => [...one.querySelectorAll('select, input')].map(one => one.value).join(' '))"), ["white move Bxh7", "black move Kxh7"], "the steps")
    query_is(p, {"flipcolor": True, "streak": [{"by": "white", "move": "Bxh7"}, {"by": "black", "move": "Kxh7"}]}, "the query again")
    fill(p, "textarea[name=query]", '{"any": [{"mate": true}, {"stalemate": true}]}')
    same(p.b.evaluate("document.querySelector('.json-state').textContent.startsWith('This stays JSON')"), True, "JSON without fields")
    same(p.b.evaluate("[document.querySelector('textarea[name=query]').value.length > 9, document.querySelectorAll('.steps li').length]"), [True, 2], "fields and JSON")
    command = p.b.evaluate("document.querySelector('#find-command').textContent")
    answer = subprocess.run(["sh", "-c", command.replace("stamma", '"$STAMMA"', 1) + " --numbers"], capture_output=True, check=False)
    p.b.click(".search-form .primary")
    p.b.wait("location.hash.includes('go=1') && " + IDLE)
    same([numbers(p), answer.stderr], [[int(one) for one in answer.stdout.split()], b""], "games of the command line %s" % command)
    fill(p, "textarea[name=query]", "{")
    same(p.b.evaluate("document.querySelector('.json-state').textContent.includes('not JSON')"), True, "text that is no JSON")
    p.open("#/search?query=%7B%22path%22:%22N+g1+f3%22%7D&archive=0", "document.querySelector('.search-form .groups') !== null")
    same(p.b.evaluate("document.querySelector('.group input[placeholder^=g1]').value"), "g1 f3", "JSON of an address in the fields")


SEARCHES = "[...document.querySelectorAll('.searches li')].map(one => [one.querySelector('.search-name')?.textContent, one.classList.contains('served'), one.querySelectorAll('button').length])"


def saved_questions(p):
    """Searches are saved in the browser, renamed and deleted. Questions that `stamma find --save` has saved are read only.
    The exported file is one that the command reads."""
    p.open("#/search?path=N+g1+f3+g5&archive=0&result=1-0", "document.querySelectorAll('.searches li').length === 1")
    p.b.evaluate(OPEN)
    same(p.b.evaluate(SEARCHES), [["Castled short", True, 1]], "the question of the archive")
    p.b.click("#saved-questions .row input")
    p.b.type('A "path"')
    p.b.press("Enter")
    same(p.b.evaluate(SEARCHES), [["A path", False, 3], ["Castled short", True, 1]], "a search that was saved")
    same(p.b.evaluate("document.activeElement.textContent"), "A path", "the focus")
    p.open("#/search?archive=0", "document.querySelectorAll('.searches li').length === 2")
    p.b.evaluate(OPEN)
    p.b.evaluate("document.querySelector('[aria-label=\"Rename A path\"]').click()")
    p.b.type("Knight")
    p.b.press("Enter")
    same(p.b.evaluate(SEARCHES)[0], ["Knight", False, 3], "the new name")
    p.b.evaluate("window.blobs = []; const make = URL.createObjectURL; URL.createObjectURL = (one) => { blobs.push(one); return make(one); }; [...document.querySelectorAll('#saved-questions button')].at(-1).click()")
    text = p.b.evaluate("blobs[0].text()")
    with open("copy.stamma", "wb") as copy, open(p.archive, "rb") as archive, open("copy.stamma.questions", "w", encoding="utf-8") as questions:
        copy.write(archive.read())
        questions.write(text)
    answer = subprocess.run([os.environ["STAMMA"], "find", "--numbers", "copy.stamma", "--use", "Knight"], capture_output=True, check=True)
    p.b.evaluate("document.querySelector('.search-name').click()")
    p.b.wait("location.hash.includes('path=N+g1+f3+g5') && location.hash.includes('result=1-0') && location.hash.includes('go=1') && " + IDLE)
    found = [one for one in numbers(p) if one]
    same([int(one) for one in answer.stdout.split()], truth(p, "--result", "1-0", "--query", '{"path": "N g1 f3 g5"}'), "games of the exported question")
    same(len(found) > 0, True, "games of a saved search")
    p.b.evaluate("[...document.querySelectorAll('.search-name')].at(-1).click()")
    p.b.wait("location.hash.includes('move=O-O') && " + IDLE + " && %s === 20" % ROWS)
    same(numbers(p), truth(p, "--move", "O-O")[:20], "games of a saved question")
    p.b.evaluate("document.querySelector('[aria-label=\"Delete Knight\"]').click()")
    same(p.b.evaluate(SEARCHES), [["Castled short", True, 1]], "after a search is deleted")


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


def earlier_games(p):
    """Games of the search before cannot be mistaken for games of a search that has found none: they are pale and unusable."""
    p.open("#/search?archive=0&move=O-O&go=1", IDLE + " && %s === 20" % ROWS)
    nothing = urllib.request.quote('{"all": [{"sequence": [{"move": "O-O"}, {"move": "O-O"}]}, {"comment": "no game has these words"}]}')
    p.b.evaluate("location.hash = '#/search?archive=1&go=1&query=%s'" % nothing)
    p.b.wait(RUNNING + " && %s === 'Searching …'" % TITLE)
    list_ = "document.querySelector('.found-list')"
    same(p.b.evaluate("[%s.inert, %s.includes('the search before')]" % (list_, NOTE)), [True, True], "the games of the search before")
    p.b.wait("Number(getComputedStyle(%s).opacity) < 0.4" % list_)
    p.b.click(".found-note button")
    p.b.wait("%s && !%s.inert && %s === 0" % (IDLE, list_, ROWS))


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
    return page_driver.run_all(page_driver.Page(*sys.argv[1:]), (one_request, sequence_form, structure_form, path_and_balance, typed_json, saved_questions, flags, order, sorted_moves, held_key, long_search, earlier_games, nothing_moves), (errors, errors_of_positions, end_of_order))


if __name__ == "__main__":
    sys.exit(main())
