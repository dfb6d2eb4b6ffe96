# SPDX-License-Identifier: MIT
"""Uses the page's views of players as a user does.

usage: page_player_driver.py ADDRESS ARCHIVE SCREENSHOTS     exits with status 1 if a check fails
"""
import json
import sys
from urllib.parse import quote

import chess

import repertoire_oracle
import training_oracle
from page_driver import READY, SQUARE, Page, run_all, same

SIZES = ((1440, 900), (820, 1180), (390, 844), (320, 640))
NAMES = "[...document.querySelectorAll('.names:not([hidden]) [role=option] .name')].map(one => one.textContent)"
CHOSEN = "[...document.querySelectorAll('.chosen-name')].map(one => one.dataset.value)"
BOXES = "JSON.stringify([...document.querySelectorAll('#view > *, .tree, main')].map(one => { const r = one.getBoundingClientRect(); return [r.x, r.y, r.width, r.height] }))"


def pictures(p, name, heights=SIZES):
    """Saves pictures at all sizes, in light and dark, and checks that nothing is wider than the window."""
    for dark in (False, True):
        p.b.dark(dark)
        for width, height in heights:
            p.b.size(width, height, width < 500)
            p.settle()
            same(p.b.evaluate("document.documentElement.scrollWidth"), width, "width of %s" % name)
            p.picture("%s-%d-%s" % (name, width, "dark" if dark else "light"))
    p.b.dark(False)
    p.b.size(1280, 800)


def a_player_is_chosen(p):
    p.open("#/explore")
    p.b.click(".filter-toggle")
    p.b.click('input[name="player"]')
    before = p.b.evaluate(BOXES)
    p.b.type("vladimir kramn")
    p.b.wait("%s.length" % NAMES, 2)
    same(sorted(p.b.evaluate(NAMES)), ["Kramnik, Vladimir", "Kramnik,V"], "names")
    same(p.b.evaluate(BOXES), before, "nothing moves when names arrive")
    same(p.b.evaluate("document.activeElement.getAttribute('aria-expanded')"), "true", "the list is open")
    pictures(p, "player-box")
    p.b.press("ArrowDown")
    name = p.b.evaluate(NAMES)[0]
    same(p.b.evaluate("document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).dataset.value"), "=" + name, "the marked name")
    p.b.press("Enter")
    p.hash_is("#/explore?player=" + quote("=" + name, safe=" ,").replace(" ", "+"))
    p.moves_are("--player", "=" + name)
    same(p.b.evaluate(CHOSEN), ["=" + name], "the field")
    same(p.b.evaluate("document.querySelector('.chip').textContent"), "player exactly " + name, "the filter in words")


def names_need_no_list(p):
    p.open("#/explore")
    p.b.click(".filter-toggle")
    p.b.click('input[name="player"]')
    p.b.type("judit polgar")
    p.b.wait(NAMES + ".join()", "Polgár, Judit")
    p.b.press("Enter")  # without a marked name
    p.b.wait("new URLSearchParams(location.hash.split('?')[1]).get('player')", "=Polgár, Judit")
    p.open("#/explore")
    p.b.click(".filter-toggle")
    p.b.click('input[name="player"]')
    p.b.type("o")
    p.b.wait(NAMES + ".join(' and ')", "Kramnikov, Oleg and O'Hara, Zoë")
    p.b.press("Enter")  # the text is a prefix of the second name only
    p.b.wait("new URLSearchParams(location.hash.split('?')[1]).get('player')", "=Kramnikov, Oleg")
    p.open("#/explore")
    p.b.click(".filter-toggle")
    p.b.click('input[name="player"]')
    p.b.type("short")
    p.b.wait(NAMES + ".join()", "Short,N")
    p.b.press("Escape")
    p.b.wait(NAMES + ".length", 0)
    p.b.press("ArrowDown")
    p.b.wait(NAMES + ".length", 1)
    p.b.click(".names [role=option]")
    p.hash_is("#/explore?player=%3DShort,N")
    p.b.wait(READY)


def several_names(p):
    """A field accepts several names. All views find the games of any of them, and no others."""
    names, value = ["=Kramnik, Vladimir", "=Kramnik,V"], "=Kramnik, Vladimir|=Kramnik,V"
    rows = [game for game in GAMES.games if {game.headers["White"], game.headers["Black"]} & {"Kramnik, Vladimir", "Kramnik,V"}]
    white = [game for game in rows if game.headers["White"] in ("Kramnik, Vladimir", "Kramnik,V")]
    p.open("#/explore")
    p.b.click(".filter-toggle")
    for name in names:
        p.b.click('input[name="player"]')
        p.b.type(name[1:])
        p.b.wait(NAMES + "[0]", name[1:])
        p.b.press("ArrowDown")
        p.b.press("Enter")
        p.b.wait("%s.at(-1)" % CHOSEN, name)
    p.b.wait("new URLSearchParams(location.hash.split('?')[1]).get('player')", value)
    p.moves_are("--player", value)
    same(p.b.evaluate("document.querySelector('.chip').textContent"), "player exactly Kramnik, Vladimir or exactly Kramnik,V", "the filter in words")
    same(p.b.evaluate("document.activeElement.name"), "player", "the focus after a choice")
    same(p.b.evaluate("parseInt(document.querySelector('.heading .summary').textContent)"), len(rows), "games in Explore")
    pictures(p, "player-names", SIZES[-1:])
    for view in ("#/search?go=1&", "#/statistics?"):
        shown = {"#/search?go=1&": "parseInt(document.querySelector('.found-title h2')?.textContent)", "#/statistics?": "parseInt(document.querySelector('.card dd')?.textContent)"}[view]
        p.go(view + "white=%3DKramnik,+Vladimir%7C%3DKramnik,V", "%s === %d" % (shown, len(white)))
        same(p.b.evaluate(CHOSEN), names, "the field White of " + view)
    p.b.press("Backspace")  # not in the field: nothing happens
    p.b.evaluate("document.querySelector('.filters').hidden = false")
    p.b.click('input[name="white"]')
    p.b.press("Backspace")
    p.b.wait("parseInt(document.querySelector('.card dd').textContent)", sum(game.headers["White"] == "Kramnik, Vladimir" for game in GAMES.games))
    p.b.click(".chosen-name")
    p.b.wait("parseInt(document.querySelector('.card dd').textContent)", len(GAMES.games))
    p.open("#/player/" + quote(value), FILLED)
    same(p.b.evaluate("[document.querySelector('h1').textContent, parseInt(document.querySelector('.card dd').textContent)]"), ["Kramnik, Vladimir + Kramnik,V", len(white)], "the report")
    p.b.click(".chosen-name:nth-child(2)")
    p.hash_is("#/player/%3DKramnik%2C%20Vladimir")
    p.b.wait(FILLED)
    p.go("#/prepare?opponent=%3DKramnik,+Vladimir%7C%3DKramnik,V&since=2004", PREPARED)
    p.b.wait(".chip".join(["document.querySelector('", "').textContent"]), "since 2004")
    own = [game for game in GAMES.games if game.headers["Black"] in ("Kramnik, Vladimir", "Kramnik,V") and game.headers["Date"][:4] >= "2004"]
    same(p.b.evaluate("parseInt(document.querySelector('.habits .where small').textContent) <= %d && document.querySelector('.both') !== null" % len(own)), True, "games since 2004")


def the_list_is_exact(p):
    """Each name of the list finds the number of games that the list shows: counted with python-chess."""
    for name in ("Kramnik,V", "Leko,P"):
        own = sum(name in (game.headers["White"], game.headers["Black"]) for game in GAMES.games)
        p.open("#/statistics", "document.querySelector('.card dd') !== null")
        p.b.click(".filter-toggle")
        p.b.click('input[name="player"]')
        p.b.type(name)
        p.b.wait("document.querySelector('.names:not([hidden]) [role=option]')?.title", name)
        same(p.b.evaluate("parseInt(document.querySelector('.names:not([hidden]) [role=option]').lastChild.textContent)"), own, "games in the list")
        p.b.press("ArrowDown")
        p.b.press("Enter")
        p.b.wait("parseInt(document.querySelector('.card dd').textContent)", own)
    p.open("#/statistics", "document.querySelector('.card dd') !== null")
    links = "[...document.querySelectorAll('.top-list')].find(one => one.textContent.startsWith('Players')).querySelectorAll('tr')"
    name, number = p.b.evaluate("(() => { const row = %s[2]; return [row.querySelector('a').textContent, parseInt(row.querySelector('.n').textContent)] })()" % links)
    p.b.evaluate("%s[2].querySelector('a').click()" % links)
    p.b.wait("document.querySelector('.chip')?.textContent", "player exactly " + name)
    p.b.wait("parseInt(document.querySelector('.card dd').textContent)", number)
    p.open("#/player/%3DLeko%2CP", FILLED)
    links = "[...document.querySelectorAll('.results-by')].find(one => one.textContent.startsWith('Opponents')).querySelectorAll('th a')"
    same(p.b.evaluate("[...%s].every(one => decodeURIComponent(one.getAttribute('href')) === '#/player/=' + one.textContent)" % links), True, "links to opponents")


def nearest_names(p):
    """A name without games suggests others, as links that keep the filters."""
    link = "[...document.querySelectorAll('.nearest a')].map(one => [one.textContent, one.getAttribute('href')])"
    own = sum("Ivanchuk, Vassily" in (game.headers["White"], game.headers["Black"]) for game in GAMES.games)
    for view in ("#/explore?", "#/search?go=1&", "#/statistics?"):
        p.open(view + "player=%3DIwanchuk&since=1900", link + ".length > 0")
        same(p.b.evaluate("document.querySelector('.nearest').textContent"), "No games of Iwanchuk. Did you mean Ivanchuk, Vassily (%d games)?" % own, "the suggestion of " + view)
        href = p.b.evaluate(link)[0][1]
        same(["since=1900" in href, "player=%3DIvanchuk,+Vassily" in href], [True, True], "the link of " + view)
    p.b.click(".nearest a")
    dated = sum("Ivanchuk, Vassily" in (game.headers["White"], game.headers["Black"]) and game.headers["Date"][0] != "?" for game in GAMES.games)
    p.b.wait("parseInt(document.querySelector('.card dd')?.textContent)", dated)
    p.open("#/player/Iwanchuk?color=black", link + ".length > 0")
    p.b.click(".nearest a")
    p.hash_is("#/player/%3DIvanchuk%2C%20Vassily?color=black")
    p.open("#/prepare?opponent=Iwanchuk&me=Cramnik,+Vladimir", link + ".length === 3")


def the_results_are_the_players(p):
    p.open("#/explore?player=Kramnik,V")
    answer = p.b.evaluate("fetch('lichess?player=Kramnik,V&moves=500').then(one => one.json())")
    p.b.wait("document.querySelector('th.results').textContent", "Won · drawn · lost")
    side = answer["player"]
    whole = side["wins"] + side["draws"] + side["losses"]
    same(p.b.evaluate("document.querySelector('.tree tfoot .bar').getAttribute('aria-label')"),
         "won %d %%, drawn %d %%, lost %d %%" % tuple(int(100 * side[name] / whole + 0.5) for name in ("wins", "draws", "losses")), "results of all games")
    same(p.b.evaluate("[...document.querySelectorAll('.tree tbody .performance')].map(one => one.textContent)"),
         [str(move["player"]["performance"]) if move["player"]["performance"] is not None else "–" for move in answer["moves"]], "performance")
    pictures(p, "player-side")
    p.b.click(".filter-toggle")
    p.b.click('.colours input[value="black"]')
    p.hash_is("#/explore?player=Kramnik,V&color=black")
    p.moves_are("--black", "Kramnik,V")
    same(p.b.evaluate("document.querySelector('.colours :checked').value"), "black", "the colour")
    p.go("#/explore?play=e2e4", READY + " && document.querySelector('th.results').textContent.startsWith('White')")
    same(p.b.evaluate("document.querySelector('.colours :checked').value"), "", "both colours")


GAMES = repertoire_oracle.Games("games.pgn")
PREPARED = "(document.querySelector('.make-report')?.click(), !document.querySelector('[aria-busy]')) && document.querySelector('.both') !== null && document.querySelector('.habits') !== null"
TREE = """[...document.querySelectorAll('.repertoire .row[data-play]')].map(row => [row.dataset.play,
    Number(row.querySelector('.n').textContent), row.querySelector('.score').textContent])"""
FILLED = "(document.querySelector('.make-report')?.click(), !document.querySelector('[aria-busy]')) && document.querySelector('#gaps :is(.gaps, .empty)') !== null"


def points(row):
    share = repertoire_oracle.score(row)
    return "–" if share is None else "%.1f %%" % (int(10 * share + 0.5) / 10)


def the_repertoire(p):
    for player, color in (("Kramnik,V", "white"), ("Leko,P", "black")):
        p.open("#/player/%s%s" % (player.replace(",", "%2C"), "" if color == "white" else "?color=black"), FILLED)
        moves, _ = repertoire_oracle.tree(GAMES, player, color)
        shown = p.b.evaluate(TREE)
        same([one[1:] for one in shown], [[moves[tuple(one[0].split(","))][0], points(moves[tuple(one[0].split(","))])] for one in shown], "numbers of the tree of " + player)
        links = p.b.evaluate("[...document.querySelectorAll('.repertoire .move')].map(one => one.dataset.play)")
        same(sorted(links), sorted(",".join(line) for line in moves), "moves of the tree of " + player)
        shown = p.b.evaluate("[...document.querySelectorAll('#gaps li')].map(one => [one.dataset.play, parseInt(one.querySelector('.own').textContent) || 0])")
        wanted = {",".join(line): own for line, own in repertoire_oracle.gaps(GAMES, player, color).items()}
        same(dict(shown[:20]) if len(wanted) <= 20 else {line: wanted[line] for line, _ in shown}, wanted if len(wanted) <= 20 else dict(shown), "gaps of " + player)
        same(len(shown) > 0, True, "some gaps")
        years = p.b.evaluate("[...document.querySelectorAll('.results-by')].find(one => one.textContent.startsWith('Years')).querySelectorAll('tbody tr').length")
        same(years, len({game.headers["Date"][:4] for game in GAMES.games if game.headers[color.capitalize()] == player} - {"????"}), "years of " + player)
    pictures(p, "repertoire")


def reports_are_requested(p):
    """A report of many games is made by a button, or if the user chooses the player."""
    many = sum(game.headers["White"] == "Kramnik,V" for game in GAMES.games)
    reports = lambda: sum("/report?" in one for one in p.b.requests)
    before = reports()
    p.open("#/player/%3DKramnik%2CV", "document.querySelector('.make-report') !== null")
    same([p.b.evaluate("document.querySelector('.player-body .hint').textContent"), reports() - before, many > 100], ["The report reads %d games." % many, 0, True], "no report")
    p.b.click(".make-report")
    p.b.wait("document.querySelector('.repertoire') !== null")
    p.open("#/prepare?opponent=%3DKramnik,V&color=black", "document.querySelector('.both') !== null && document.querySelector('.make-report') !== null")
    p.open("#/player", "document.querySelector('h1').textContent === 'Players'")
    p.b.click('input[name="name"]')
    p.b.type("Kramnik,V")
    p.b.wait(NAMES + "[0]", "Kramnik,V")
    p.b.press("ArrowDown")
    p.b.press("Enter")
    p.b.wait("document.querySelector('.repertoire') !== null")


def a_line_of_the_repertoire(p):
    p.open("#/player/Kramnik%2CV", FILLED)
    p.b.click('.repertoire .move[data-play="d2d4,g8f6"]')
    p.hash_is("#/player/Kramnik%2CV?play=d2d4,g8f6")
    p.b.wait("document.querySelector('#board svg').getAttribute('aria-label').includes('knight f6')")
    same(p.b.evaluate("document.querySelector('#below-board .button').getAttribute('href')"), "#/explore?play=d2d4,g8f6&player=Kramnik,V&color=white", "the link to Explore")
    p.b.press("ArrowLeft")
    p.hash_is("#/player/Kramnik%2CV?play=d2d4")
    asked = len(p.b.requests)
    p.b.click(".repertoire .fold")
    same(p.b.evaluate("[document.querySelector('.repertoire .fold').getAttribute('aria-expanded'), document.querySelector('.repertoire ul ul').hidden]"), ["false", True], "a folded line")
    same(len(p.b.requests), asked, "requests for a line that is shown")
    p.b.click('.colours input[value="black"]')
    p.hash_is("#/player/Kramnik%2CV?color=black")
    p.b.wait(FILLED)
    p.b.wait("document.querySelector('#board-column').classList.contains('turned')")
    p.go("#/player", "document.querySelector('h1').textContent === 'Players'")
    p.b.click('input[name="name"]')
    p.b.type("peter leko")
    p.b.wait(NAMES + ".join()", "Leko,P")
    p.b.press("Enter")
    p.b.wait("location.hash.startsWith('#/player/%3DLeko%2CP')")
    p.b.wait("document.querySelector('h1').textContent", "Leko,P")
    p.b.wait(FILLED)
    p.go("#/player/Nobody", "document.querySelector('.notice.empty') !== null")


BOTH = """[...document.querySelectorAll('.both tbody tr')].map(row => [row.dataset.uci,
    ...[...row.querySelectorAll('.side')].map(side => [...side.querySelectorAll('.n:not(.share, .last)')].map(one => one.textContent))])"""


def the_preparation(p):
    me, opponent, line = "Leko,P", "Kramnik,V", ("e2e4", "e7e5", "g1f3")
    p.open("#/prepare?me=Leko,P&opponent=Kramnik,V&play=" + ",".join(line), PREPARED)
    own, theirs = GAMES.moves(line, me, "white"), GAMES.moves(line, opponent, "black")
    cells = lambda rows, move: [str(rows[move][0]), points(rows[move])] if move in rows else []
    shown = {one[0]: one[1:] for one in p.b.evaluate(BOTH)}
    same(shown, {move: [cells(own, move), cells(theirs, move)] for move in own.keys() | theirs.keys()}, "moves of both players")
    same(p.b.evaluate("document.querySelector('.both [aria-current]').textContent"), "Kramnik,V (black) to move", "the side to move")
    moves, _ = repertoire_oracle.tree(GAMES, opponent, "black")
    turns = {at: GAMES.reached(at, opponent, "black") for at in moves if len(at) % 2 == 1 and any(one[:-1] == at for one in moves)}
    habits = p.b.evaluate("[...document.querySelectorAll('.habits li')].map(one => [one.dataset.play, parseInt(one.querySelector('.where small').textContent), one.querySelector('.habit').textContent])")
    same([one[1] for one in habits], sorted(turns.values(), reverse=True)[:12], "the positions with the most games")
    for play, number, first in habits:
        at = tuple(play.split(","))
        best = max(row[0] for one, row in moves.items() if one[:-1] == at)
        same([turns[at], first.split()[1]], [number, str(int(100 * best / number + 0.5))], "the opponent's habit after " + play)
    odd = p.b.evaluate("[...document.querySelectorAll('.surprises li')].map(one => [one.dataset.play, one.querySelector('.bits-value').textContent])")
    same(len(odd) > 3, True, "surprising moves")
    same([float(one[1].split()[-1]) for one in odd], sorted((float(one[1].split()[-1]) for one in odd), reverse=True), "the most surprising first")
    for play, bits in odd[:4]:
        at = tuple(play.split(","))
        same(moves[at][0] >= 3 and sum(row[0] for row in GAMES.moves(at[:-1], opponent, "black").values()) >= 8, True, "a move that is repeated: " + play)
        answer = p.b.evaluate("fetch('lichess?bits=1&moves=500&play=%s').then(one => one.json())" % ",".join(at[:-1]))
        same(bits, "surprise %.1f" % next(one["bits"] for one in answer["moves"] if one["uci"] == at[-1]), "bits of " + play)
    pictures(p, "preparation")


def to_prepare(p):
    p.open("#/player/Kramnik%2CV", FILLED)
    p.b.click(".prepare")
    p.hash_is("#/prepare?opponent=Kramnik,V&color=black")
    p.b.wait(PREPARED)
    p.b.click('input[name="me"]')
    p.b.type("peter leko")
    p.b.wait(NAMES + ".join()", "Leko,P")
    p.b.press("Enter")
    p.hash_is("#/prepare?me=%3DLeko,P&opponent=Kramnik,V&color=black")
    p.b.wait(PREPARED)
    move = p.b.evaluate("document.querySelector('.both tbody tr').dataset.uci")
    p.b.click(".both tbody th a")
    p.hash_is("#/prepare?me=%3DLeko,P&opponent=Kramnik,V&color=black&play=" + move)
    p.b.wait(PREPARED)
    p.b.wait("document.querySelector('.line [aria-current]') !== null")
    same(sorted(one[0] for one in p.b.evaluate(BOTH)), sorted(GAMES.moves((move,), "Leko,P", "black").keys() | GAMES.moves((move,), "Kramnik,V", "white").keys()), "moves after " + move)
    p.b.evaluate("history.back()")
    p.hash_is("#/prepare?me=%3DLeko,P&opponent=Kramnik,V&color=black")
    p.go("#/prepare", "document.querySelector('#both .hint') !== null")
    p.go("#/prepare?me=Leko,P", "document.querySelector('.both') !== null")


def a_person_is_chosen(p):
    rows = ".names [role=option]"
    p.open("#/explore")
    p.b.click(".filter-toggle")
    p.b.click('input[name="player"]')
    p.b.type("ivanchuk")
    p.b.wait(NAMES + ".join(' and ')", "Ivanchuk, Vassily and Ivanchuk, Vassily")
    own = [sum(name in (game.headers["White"], game.headers["Black"]) for game in GAMES.games) for name in ("Ivanchuk, Vassily", "Li Chao")]
    both = sum({game.headers["White"], game.headers["Black"]} <= {"Ivanchuk, Vassily", "Li Chao"} for game in GAMES.games)
    shown = p.b.evaluate("[...document.querySelectorAll('%s')].map(one => parseInt(one.lastChild.textContent))" % rows)
    same(shown, [sum(own) - both, own[0]], "games of the person and of the name")
    pictures(p, "player-person", SIZES[:1] + SIZES[-1:])
    p.b.press("ArrowDown")
    p.b.press("Enter")
    p.hash_is("#/explore?player=%40two")
    p.moves_are("--player", "@two")
    same(p.b.evaluate("document.querySelector('.chip').textContent"), "person two", "the filter in words")
    p.open("#/player/%40two", FILLED)
    same(p.b.evaluate("document.querySelector('h1').textContent"), "Ivanchuk, Vassily", "the heading")


TRAINED = """1. d4 Nf6 (1... d5 2. c4 e6 (2... c6 3. Nf3) 3. Nc3) 2. c4 e6 (2... g6 3. Nc3 d5) 3. Nf3 (3. Nc3) 3... d5 4. Nc3 *"""
STATES = "Object.values(JSON.parse(localStorage.getItem('repertoire:' + location.hash.split(/[/?]/)[2])).cards)"
SHOWN_GAPS = """[...document.querySelectorAll('#training-gaps li')].map(one => [one.dataset.play, one.querySelector('.own').textContent, one.querySelector('small').textContent])"""
CARDS = "[...document.querySelectorAll('.training .card dd')].map(one => one.textContent)"


def make_repertoire(p, text, color="white"):
    """Makes a repertoire with all moves of the player in a PGN."""
    p.open("#/training", "document.querySelector('.from-text') !== null")
    p.b.evaluate("(() => { const form = document.querySelector('.from-text'); form.elements.text.value = %s; form.elements.color.value = '%s'; form.elements.which.value = 'all'; form.requestSubmit() })()" % (json.dumps(text), color))
    p.b.wait("document.querySelectorAll('.lines .move').length > 0 && document.querySelector('.answers-of') !== null")


def a_repertoire_is_edited(p):
    repertoire = training_oracle.Repertoire(TRAINED, "white")
    make_repertoire(p, TRAINED)
    summary = "document.querySelector('.summary').textContent"
    same(p.b.evaluate(summary), "%d positions, 0 due, %d new" % (2 * (len(repertoire.answers),)), "positions")
    p.b.click('.lines .move[data-play="d2d4,d7d5"]')
    p.b.wait("document.querySelector('.lines [aria-current]')?.textContent", "d5")
    p.b.wait("!document.querySelector('[aria-busy]') && document.querySelector('.answers-of tbody tr') !== null")
    rows = p.b.evaluate("[...document.querySelectorAll('.answers-of tbody tr')].map(one => [one.dataset.uci, Number(one.querySelector('.n').textContent), one.querySelector('.n:last-child').textContent])")
    wanted = GAMES.moves(("d2d4", "d7d5"))
    same({uci: [number, score] for uci, number, score in rows}, {uci: [row[0], points(row)] for uci, row in {**{"c2c4": [0, 0, 0, 0]}, **wanted}.items()}, "popularity and score of the moves")
    pictures(p, "training", SIZES[:1] + SIZES[-1:])
    p.b.click('.mark[data-uci="c2c4"]')
    p.b.wait(summary, "%d positions, 0 due, %d new" % (2 * (len(repertoire.answers) - 3,)))
    p.b.wait("document.activeElement.dataset.uci", "c2c4")
    p.b.click('.mark[data-uci="c2c4"]')
    p.b.wait(summary, "%d positions, 0 due, %d new" % (2 * (len(repertoire.answers),)))
    p.settle()
    p.b.click(SQUARE % "g1")
    p.b.click(SQUARE % "f3")
    p.b.wait("location.hash.endsWith('play=d2d4,d7d5,g1f3')")
    p.settle()
    p.b.wait("document.querySelector('.lines [aria-current]').textContent", "Nf3★")
    p.b.wait("[...document.querySelectorAll('.training .links button')].map(one => one.textContent).join()", "Remove the mark of Nf3,Delete Nf3 and what follows,Undo")
    p.b.click(".training .links button:nth-child(2)")
    p.b.wait("location.hash.endsWith('play=d2d4,d7d5') && document.querySelector('.lines [aria-current]').textContent", "d5")
    p.b.wait("!document.querySelector('[aria-busy]')")
    p.b.click(".training .links button:last-child")
    p.b.wait("document.querySelector('.lines [data-play=\"d2d4,d7d5,g1f3\"]') !== null")
    p.b.wait("!document.querySelector('[aria-busy]')")
    p.b.evaluate("(() => { const key = 'repertoire:' + location.hash.split(/[/?]/)[2]; const one = JSON.parse(localStorage.getItem(key)); one.cards = {x: {box: 1, due: 1, right: 1, wrong: 0}};"
                 "one.moves.push({uci: 'e2e4', san: 'e4', mark: true, moves: []}); localStorage.setItem(key, JSON.stringify(one)); dispatchEvent(new StorageEvent('storage', {key})) })()")  # another tab
    p.b.wait("document.querySelector('.lines [data-play=\"e2e4\"]') !== null && !document.querySelector('[aria-busy]')")
    p.b.click('.mark[data-uci="c2c4"]')
    same(p.b.evaluate("[%s.length, document.querySelectorAll('.lines [data-play=\"e2e4\"]').length]" % STATES), [1, 1], "what another tab has stored is kept")


def a_session(p):
    """The board asks for each move of the player. A wrong answer is shown, asked again, and due soon."""
    repertoire = training_oracle.Repertoire(TRAINED, "white")
    number = len(repertoire.answers)
    make_repertoire(p, TRAINED)
    p.b.click('.tabs [data-tab="train"]')
    p.b.wait(CARDS + "[1]", str(number))
    p.b.evaluate("document.querySelector('.training .player-form').requestSubmit()")
    place, wrong = "document.querySelector('.drill-place')?.textContent", 0
    left, asked = number, []
    while left > 0:
        p.b.wait(place, "%d of %d left" % (left, number))
        board = chess.Board()
        for word in p.b.evaluate("document.querySelector('.drill-line').textContent").replace(".", ". ").split():
            if word[0].isalpha() and word != "The" and word != "start":
                board.push_san(word)
        asked.append(training_oracle.key(board))
        if board.ply() == 0 and wrong == 0:
            wrong = 1
            p.b.evaluate("document.getElementById('typed-move').value = 'a3'; document.getElementById('typed').requestSubmit()")
            p.b.wait("document.querySelector('.drill-message').textContent", "a3 is not in the repertoire: d4 is.")
            same(p.b.evaluate("[%s.length, %s[0].box]" % (STATES, STATES)), [1, 0], "the state after a wrong answer")
            pictures(p, "training-session", SIZES[-1:])
            same(p.b.evaluate("document.activeElement.className"), "continue", "the focus")
            p.b.press("Enter")
        else:
            move = sorted(repertoire.answers[asked[-1]])[0]
            p.b.evaluate("document.getElementById('typed-move').value = '%s'; document.getElementById('typed').requestSubmit()" % move)
            left -= 1
    p.b.wait(CARDS + "[1]", "0")
    same(sorted(asked), sorted(list(repertoire.answers) + [training_oracle.key(chess.Board())]), "positions that were asked")
    same(p.b.evaluate(CARDS), ["0", "0", "0 of %d" % number, "%d %%" % int(100 * number / (number + 1) + 0.5)], "numbers after the session")
    same(p.b.evaluate("document.querySelector('.training [type=submit]').disabled"), True, "nothing is due")
    same(p.b.evaluate("document.querySelector('.player-body .hint').textContent"), "Nothing is due. The next position is due in 1 day.", "the next position")
    p.go("#/training", "document.querySelectorAll('.repertoires li').length > 0")
    listed = p.b.evaluate("document.querySelectorAll('.repertoires li').length")
    text = p.b.evaluate("(async () => { const made = []; const make = URL.createObjectURL; URL.createObjectURL = blob => { made.push(blob); return make.call(URL, blob) };"
                        "const link = document.querySelector('[download=\"repertoires.json\"]'); link.addEventListener('click', event => event.preventDefault()); link.click(); URL.createObjectURL = make; return made[0].text() })()")
    states = [card for one in json.loads(text)["repertoires"] for name, card in one["cards"].items() if name != "x"]
    same([len(json.loads(text)["repertoires"]), len(states), sum(card["wrong"] for card in states)], [listed, number, 1], "the file")
    p.b.click(".repertoires .quiet")
    p.b.wait("document.querySelector('.repertoires .quiet').textContent", "Restore")
    p.open("#/training", "document.querySelector('.open-repertoires') !== null")
    same(p.b.evaluate("document.querySelectorAll('.repertoires li').length"), listed - 1, "a deleted repertoire")
    p.b.evaluate("(() => { const data = new DataTransfer(); data.items.add(new File([%s], 'a.json')); const field = document.querySelector('.open-repertoires input');"
                 "field.files = data.files; field.dispatchEvent(new Event('change', {bubbles: true})) })()" % json.dumps(text))
    p.b.wait("document.querySelector('.open-repertoires + [role=status]').textContent", "New or changed: 1 of %d." % listed)
    same(p.b.evaluate("document.querySelectorAll('.repertoires li').length"), listed, "the repertoires of the file")


def gaps_of_a_repertoire(p):
    """Gaps have the numbers that python-chess counts in games of the chosen rating."""
    make_repertoire(p, TRAINED)
    repertoire = training_oracle.Repertoire(TRAINED, "white")
    base = p.b.evaluate("location.hash")
    for rating in ("", "2600..2900"):
        low, high = [int(one) for one in (rating or "0..9999").split("..")]
        rated = [n for n, game in enumerate(GAMES.games) if not rating or mean_rating(game) is not None and low <= mean_rating(game) <= high]
        chosen = set(rated)

        def replies(board):
            found = {}
            for n, move in GAMES.after.get(board.epd(), []):
                if move and n in chosen:
                    found[move] = found.get(move, 0) + 1
            return found

        p.go("%s?tab=gaps%s" % (base, "&rating=" + rating if rating else ""), "document.querySelector('.find-gaps') !== null")
        asked = len(p.b.requests)
        p.b.click(".find-gaps")
        p.b.wait("document.querySelector('#training-gaps :is(ol, .empty)') !== null")
        same(len(p.b.requests) > asked, True, "requests only after the click")
        shown = p.b.evaluate(SHOWN_GAPS)
        wanted = {}
        for (here, move), value in training_oracle.gaps(repertoire, replies).items():
            wanted[here, move] = "%.1f games" % value
        got = {}
        for play, expected, _ in shown:
            board = chess.Board()
            for one in play.split(",")[:-1]:
                board.push_uci(one)
            got[training_oracle.key(board), play.split(",")[-1]] = expected
        same(len(wanted) > 3, True, "some gaps")
        if len(wanted) <= 30:
            same(got, wanted, "gaps with the rating %r" % rating)
        same([float(one[1].split()[0]) for one in shown], sorted((float(one[1].split()[0]) for one in shown), reverse=True), "the order of the gaps")
    pictures(p, "training-gaps", SIZES[-1:])


def training_from_games(p):
    """The repertoire of a player has the moves of the report, and links lead to training."""
    p.open("#/player/%3DKramnik%2CV?color=black", FILLED)
    p.b.click(".button.train")
    p.hash_is("#/training?player=%3DKramnik,V&color=black")
    p.b.wait("document.querySelector('.from-games') !== null")
    pictures(p, "training-start", SIZES[-1:])
    asked = len(p.b.requests)
    same(p.b.evaluate(CHOSEN), ["=Kramnik,V"], "the player")
    p.b.click('.from-games [type="submit"]')
    p.b.wait("document.querySelectorAll('.lines .move').length > 0")
    moves, _ = repertoire_oracle.tree(GAMES, "Kramnik,V", "black", depth=20)
    same(sorted(p.b.evaluate("[...document.querySelectorAll('.lines .move')].map(one => one.dataset.play)")), sorted(",".join(line) for line in moves), "moves of the repertoire")
    marked = p.b.evaluate("[...document.querySelectorAll('.lines .move:not(.unmarked)')].map(one => one.dataset.play)")
    for play in marked:
        line = tuple(play.split(","))
        if len(line) % 2 == 0:
            same(moves[line][0], max(row[0] for one, row in moves.items() if one[:-1] == line[:-1]), "the most frequent move " + play)
    p.open("#/analysis?pgn=1.+e4+e5+2.+Nf3+*", "document.querySelector('.button.train') !== null")
    p.b.click(".button.train")
    p.b.wait("document.querySelector('.from-text')?.elements.analysis.value.length > 0")
    p.b.click('.from-text [type="submit"]')
    p.b.wait("[...document.querySelectorAll('.lines .move')].map(one => one.textContent).join(' ')", "e4★ e5 Nf3★")


def mean_rating(game):
    ratings = [game.headers.get(side + "Elo", "") for side in ("White", "Black")]
    return sum(map(int, ratings)) / 2 if all(one.isdigit() for one in ratings) else None


CHECKS = (a_player_is_chosen, names_need_no_list, a_person_is_chosen, several_names, the_list_is_exact, nearest_names, the_results_are_the_players, the_repertoire, reports_are_requested, a_line_of_the_repertoire, the_preparation,
          to_prepare, a_repertoire_is_edited, a_session, gaps_of_a_repertoire, training_from_games)

def main():
    return run_all(Page(*sys.argv[1:]), CHECKS)


if __name__ == "__main__":
    sys.exit(main())
