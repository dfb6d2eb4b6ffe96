# SPDX-License-Identifier: MIT
"""Uses the page's lists of games as a user does.

usage: page_lists_driver.py ADDRESS ARCHIVE SCREENSHOTS     exits with status 1 if a check fails
"""
import sys
import urllib.parse

from novelty_oracle import Archive
from page_driver import READY, Page, run_all, same
from page_player_driver import pictures

ARCHIVE = Archive("games.pgn")
SHOWN = "document.querySelector('.notation') !== null && !document.querySelector('[aria-busy]')"
IDS = "[...document.querySelectorAll('.games tbody tr[data-id]')].map(one => one.dataset.id)"
LISTED = READY + " && document.querySelectorAll('.games tbody tr').length > 3"
GAME = "decodeURIComponent(location.hash.match(/^#.game.([^?]+)/)?.[1] ?? '')"


def neighbours(p):
    p.open("#/explore?play=e2e4&games=all", LISTED)
    ids = p.b.evaluate(IDS)
    p.b.evaluate("document.querySelectorAll('.games tbody td.result')[2].click()")
    p.b.wait(SHOWN)
    same(p.b.evaluate(GAME), ids[2], "the game")
    number = next(games for uci, _, games in p.tree() if uci == "e2e4")
    same(p.b.evaluate("document.querySelector('.game-bar .of').textContent"), "3 of %d" % number, "the place in the list")
    p.b.click(".game-bar .next")
    p.b.wait(GAME, ids[3])
    p.b.wait(SHOWN + " && document.querySelector('.game-bar .of').textContent.startsWith('4 of')")
    for key, at in (("n", 4), ("p", 3), ("p", 2), ("p", 1), ("p", 0), ("p", 0)):
        p.b.press(key)
        p.b.wait(GAME, ids[at])
        p.b.wait(SHOWN + " && document.querySelector('.game-bar .of').textContent.startsWith('%d of')" % (at + 1))
    same(p.b.evaluate("document.querySelector('.game-bar .previous').getAttribute('href')"), None, "nothing before the first game")
    pictures(p, "game-in-list")
    p.b.evaluate("document.querySelector('.game-bar .next').click()")
    p.b.wait(GAME, ids[1])
    p.b.wait(SHOWN)
    p.b.click(".back-to-list")
    p.hash_is("#/explore?play=e2e4&games=all")
    p.b.wait("document.activeElement.closest('tr')?.dataset.id", ids[1])
    same(p.b.evaluate("(() => { const box = document.activeElement.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight })()"), True, "the row is in view")
    p.go("#/game/" + urllib.parse.quote(ids[1]), SHOWN)
    p.open("#/explore?play=d2d4", LISTED)
    p.b.evaluate("sessionStorage.clear()")
    p.go("#/game/7", SHOWN)
    same(p.b.evaluate("document.querySelector('.neighbours')"), None, "a game without a list has no neighbours")


def beyond(p):
    """The game after the last game of a page is the first game of the next page. The same is true of the way back."""
    parts, number = [], sum(games for _, _, games in p.tree())
    for offset in ("", "&offset=20"):
        p.open("#/explore?games=all" + offset, LISTED)
        parts.append(p.b.evaluate(IDS))
    same((len(parts[0]), set(parts[0]) & set(parts[1])), (20, set()), "two pages")
    p.open("#/explore?games=all", LISTED)
    p.b.evaluate("document.querySelectorAll('.games tbody td.result')[19].click()")
    for key, game, at in ((None, parts[0][19], 20), ("n", parts[1][0], 21), ("n", parts[1][1], 22), ("p", parts[1][0], 21), ("p", parts[0][19], 20), ("p", parts[0][18], 19),
                          ("n", parts[0][19], 20), ("n", parts[1][0], 21)):
        if key:
            p.b.press(key)
        p.b.wait(GAME, game)
        p.b.wait(SHOWN + " && document.querySelector('.game-bar .of').textContent", "%d of %d" % (at, number))
    p.b.click(".back-to-list")
    p.hash_is("#/explore?games=all&offset=20")
    p.b.wait("document.activeElement.closest('tr')?.dataset.id", parts[1][0])


def late_answers(p):
    """An answer that arrives late, with a different number of moves and games, does not shift the elements below it.
    Its contents scroll."""
    tops = "['.tabs', '.orders-box', '.history', '.explore > .links'].map(one => document.querySelector(one).getBoundingClientRect().top)"
    rows = "document.querySelectorAll('.tree tbody tr').length"
    p.open("#/explore?play=e2e4,e7e5", LISTED)
    p.b.call("Network.emulateNetworkConditions", offline=False, latency=900, downloadThroughput=-1, uploadThroughput=-1)
    numbers = [p.b.evaluate(rows)]
    for play in ("e2e4,e7e5,g1f3,b8c6", "e2e4", "e2e4,c7c5,g1f3,d7d6,d2d4"):
        p.b.evaluate("location.hash = '#/explore?play=%s'" % play)
        p.b.wait("document.querySelector('#tree').getAttribute('aria-busy')", "true")
        p.b.evaluate("new Promise(done => setTimeout(done, 100))")
        before = p.b.evaluate(tops)
        p.b.wait(READY)
        same(p.b.evaluate(tops), before, "what is below the moves after " + play)
        numbers.append(p.b.evaluate(rows))
    same(len(set(numbers)) > 2, True, "numbers of moves: %r" % numbers)
    p.b.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)


def point(p, selector):
    """Moves the pointer to an element that is in view."""
    p.b.place(selector)
    p.settle()  # until the scrolling has ended
    p.b.mouse("mouseMoved", p.b.place(selector))


def small_boards(p):
    p.open("#/explore?play=e2e4&games=all", LISTED)
    source = "document.querySelector('.preview').dataset.fen"
    before = p.b.evaluate("document.documentElement.scrollHeight")
    point(p, ".games tbody tr:nth-child(2) .result")
    p.b.wait("document.querySelector('.preview') !== null")
    fens = p.b.evaluate("fetch('game/' + %s[1]).then(one => one.json()).then(one => one.fens)" % IDS)
    same(p.b.evaluate(source), fens[-1], "the last position of the game")
    same(p.b.evaluate("document.querySelectorAll('.preview .small-board > span').length"), 64, "the squares of the small board")
    same(p.b.evaluate("document.documentElement.scrollHeight"), before, "nothing moves")
    p.picture("preview-1280-light")
    p.b.press("Escape")
    p.b.wait("document.querySelector('.preview')", None)
    p.b.evaluate("document.querySelector('.tree tbody tr[data-uci=\"c7c5\"] th a').focus()")
    p.b.press("Tab")
    point(p, '.tree tbody tr[data-uci="c7c5"] th a')
    p.b.wait("%s.split(' ')[0]" % source, "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR")
    p.open("#/game/20", SHOWN)
    fens = p.b.evaluate("fetch('game/20').then(one => one.json()).then(one => one.fens)")
    point(p, '[data-at="main.3"]')
    p.b.wait("document.querySelector('.preview') && " + source, fens[2])
    p.b.evaluate("document.querySelector('[data-at=\"main.4\"]').focus()")
    p.b.press("Tab")  # the focus goes to the next move
    p.b.wait("document.querySelector('.preview') && " + source, fens[4])


def playing(p):
    p.open("#/game/20", SHOWN)
    p.b.evaluate("(() => { const one = document.querySelector('.speed'); one.value = '500'; one.dispatchEvent(new Event('change')) })()")
    p.b.click(".autoplay")
    p.b.wait("document.querySelector('.autoplay').textContent", "Pause")
    p.b.wait("location.hash", "#/game/20?ply=3")
    p.b.click(".autoplay")
    p.b.wait("document.querySelector('.autoplay').getAttribute('aria-pressed')", "false")
    at = p.b.evaluate("location.hash")
    p.b.evaluate("new Promise(done => setTimeout(done, 700))")
    same(p.b.evaluate("location.hash"), at, "the game is paused")
    p.b.press("End")
    p.b.click(".autoplay")
    p.b.wait("document.querySelector('.autoplay').textContent", "Play")
    p.open("#/game/21", SHOWN)
    same(p.b.evaluate("document.querySelector('.speed').value"), "500", "the speed is remembered")


def sounds(p):
    p.open("#/game/20", SHOWN)
    p.b.evaluate("""(() => { window.tones = 0; const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...rest) { window.tones += 1; return start.apply(this, rest) } })()""")
    same(p.b.evaluate("document.querySelector('.sounds').getAttribute('aria-pressed')"), "false", "sounds are off")
    p.b.press("ArrowRight")
    p.hash_is("#/game/20?ply=1")
    same(p.b.evaluate("window.tones"), 0, "no sound")
    p.b.click(".sounds")
    p.b.wait("document.querySelector('.sounds').getAttribute('aria-pressed')", "true")
    made = p.b.evaluate("window.tones")
    p.b.press("ArrowRight")
    p.hash_is("#/game/20?ply=2")
    same(p.b.evaluate("window.tones") > made, True, "a sound")
    p.b.click(".sounds")
    p.b.wait("document.querySelector('.sounds').getAttribute('aria-pressed')", "false")


LOOK = ".novelty-line button"
LINE = "document.querySelector('.novelty-line').textContent"


def new_moves(p):
    """The new move is looked for when the reader asks, and not before."""
    answers = [(n + 1, ARCHIVE.novelty(n)) for n in [*range(200), len(ARCHIVE.games) - 1]]
    found = [one for one in answers if one[1]["ply"]]
    late = [one for one in found if one[1]["ply"] > 10 or one[1]["earlier_games"] >= 100]
    known = [one for one in answers if one[1]["dated"] and not one[1]["ply"]]
    undated = [one for one in answers if not one[1]["dated"]]
    same((len(late), len(found) > 5, len(undated) > 0, len(known) > 1), (1, True, True, True), "all kinds of games")
    before = len(p.b.requests)
    for number, wanted in known[:2] + undated[:1] + found[:3] + late:
        p.go("#/game/%d" % number, SHOWN + " && document.querySelector('%s') !== null" % LOOK)
        same([one for one in p.b.requests[before:] if "novelty" in one], [], "a request before the reader asks")
        p.b.click(LOOK)
        p.b.wait("document.querySelector('%s') === null" % LOOK)
        before = len(p.b.requests)
        same(p.b.evaluate("document.querySelector('.novelty')?.closest('[data-at]').dataset.at ?? null"), "main.%d" % wanted["ply"] if wanted["ply"] else None, "the mark of game %d" % number)
        text = p.b.evaluate(LINE)
        same(("Earlier games have all positions" in text, "not known" in text), (bool(wanted["dated"] and not wanted["ply"]), not wanted["dated"]), "the sentence: " + text)
    same(p.b.evaluate(LINE),
         "6. Qe2: the first game of these archives with this position. %d games of earlier months have the position before it; no other game has the position after it."
         % late[0][1]["earlier_games"], "the sentence of a new move")
    same(p.b.evaluate("document.getElementById('status').textContent"), p.b.evaluate(LINE), "the announcement")
    p.picture("new-move-1280-light")


def other_orders(p):
    line = ("d2d4", "g8f6", "c2c4", "e7e6", "g1f3")
    p.open("#/explore?play=" + ",".join(line))
    p.b.click(".orders-box summary")
    p.b.wait("document.querySelector('.orders') !== null && !document.querySelector('[aria-busy]')")
    found = ARCHIVE.orders(line)
    own = found.pop(line)
    words = p.b.evaluate("document.querySelector('.orders-box .hint').textContent")
    same(words.startswith("Of %d games, %d reached" % (own + sum(found.values()), sum(found.values()))), True, words)
    shown = p.b.evaluate("[...document.querySelectorAll('.orders li')].map(one => [new URLSearchParams(one.querySelector('a').hash.split('?')[1]).get('play'), parseInt(one.querySelector('.n').textContent)])")
    same({tuple(play.split(",")): number for play, number in shown}, {order: number for order, number in found.items() if order in {tuple(play.split(",")) for play, _ in shown}}, "the orders")
    same(len(shown), min(10, len(found)), "the number of orders")
    pictures(p, "orders", ((1440, 1300), (390, 844)))
    p.b.click(".orders a")
    p.b.wait("location.hash", "#/explore?play=" + shown[0][0])
    p.go("#/explore?play=e2e4", READY)
    same(p.b.evaluate("document.querySelector('.orders-box').hidden"), True, "the first moves have no other order")


CHECKS = (neighbours, beyond, late_answers, small_boards, playing, sounds, new_moves, other_orders)


def main():
    return run_all(Page(*sys.argv[1:]), CHECKS)


if __name__ == "__main__":
    sys.exit(main())
