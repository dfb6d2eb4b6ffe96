# SPDX-License-Identifier: MIT
"""Plays moves on the board of the page of `stamma serve`: quickly, with the mouse, by touch and by keys, and in a build
without packages. Tests the look of the board. python-chess says which position results. Started by page_board.sh.

usage: page_board_driver.py ADDRESS ARCHIVE SCREENSHOTS     exits with status 1 if a check fails

With PACES=all, moves are played in each way at each pace; otherwise only in some ways, to save time.
"""
import json
import os
import sys
import time

import chess

import browser
import page_driver
from page_axe_driver import AXE_RUN
from page_driver import POSITION, READY, SQUARE, same

# A trap in the Albin Countergambit: Black promotes to a knight at ply 14, and castles at ply 22.
GAME = "d4 d5 c4 e5 dxe5 d4 e3 Bb4+ Bd2 dxe3 Bxb4 exf2+ Ke2 fxg1=N+ Ke1 Qh4+ Kd2 Nc6 Bc3 Bg4 h3 O-O-O+ Kc1 Bxd1".split()
PIECES = "[...document.querySelectorAll('#board .square .piece')].map(one => one.parentElement.dataset.square + one.dataset.piece).sort().join()"
PLACES = "Object.fromEntries([...document.querySelectorAll('#board .square')].map(one => { const r = one.getBoundingClientRect();" \
         "return [one.dataset.square, [r.left + r.width / 2, r.top + r.height / 2]] }))"
PLAYED = "(location.hash.match(/play=([^&]*)/)?.[1] ?? '').split(',').filter(Boolean).length"
CHOICE = ".promotion-dialog-button[data-piece=%s]"
TARGETS = "[...document.querySelectorAll('#board .target')].map(one => one.dataset.square).sort().join()"
WAYS = ("click", "drag", "touch", "mixed")
PACES = (60, 100, 200)
SOME = (("click", 60), ("drag", 60), ("touch", 60), ("mixed", 100))  # of all ways and paces
COLOURS = ("paper", "brown", "green", "blue", "contrast")
# Returns the smallest contrast of coordinates with their squares, and of light with dark squares.
CONTRAST = """(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgb = (colour) => { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3); };
    const light = (c) => rgb(c).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
    const back = (e) => getComputedStyle(e).backgroundColor;
    const texts = [...document.querySelectorAll('#board .coordinate')].map(e => ratio(getComputedStyle(e).color, back(document.querySelector(`#board .square.${e.classList.contains('white') ? 'white' : 'black'}`))));
    return [texts.length, Math.min(...texts), ratio(back(document.querySelector('#board .white')), back(document.querySelector('#board .black')))];
})()"""


def line():
    board = chess.Board()
    return [board.push_san(san) for san in GAME], board


def pieces(board):
    """Returns the pieces of a position in the form of PIECES."""
    return ",".join(sorted(chess.square_name(square) + ("w" if piece.color else "b") + piece.symbol().lower() for square, piece in board.piece_map().items()))


def press(p, place):
    for kind in ("mousePressed", "mouseReleased"):
        p.b.mouse(kind, place, button="left", clickCount=1)


def play(p, way, begin, end):
    if way == "click":
        press(p, begin)
        press(p, end)
    elif way == "touch":
        p.b.touch(begin)
        p.b.touch(end)
    elif way == "swipe":
        p.b.touch(begin, [(a + b) / 2 for a, b in zip(begin, end)], end)
    else:
        p.b.mouse("mousePressed", begin, button="left", clickCount=1)
        p.b.mouse("mouseMoved", [(a + b) / 2 for a, b in zip(begin, end)], button="left", buttons=1)
        p.b.mouse("mouseMoved", end, button="left", buttons=1)
        p.b.mouse("mouseReleased", end, button="left", clickCount=1)


def play_line(p, way, pause):
    """Plays the line with pauses of some milliseconds between moves. The final position is the one of python-chess."""
    moves, board = line()
    places = p.b.evaluate(PLACES)
    for ply, move in enumerate(moves):
        one = ("click", "drag", "touch", "swipe")[ply % 4] if way == "mixed" else way
        play(p, one, places[chess.square_name(move.from_square)], places[chess.square_name(move.to_square)])
        if move.promotion:
            p.b.click(CHOICE % ("b" + chess.piece_symbol(move.promotion)))
        time.sleep(pause / 1000)
    same(p.b.evaluate(PLAYED), len(moves), "moves that were played")
    same(p.b.evaluate(PIECES), pieces(board), "the position")


def slow(p, latency):
    """Delays answers of the server by some milliseconds."""
    p.b.call("Network.emulateNetworkConditions", offline=False, latency=latency, downloadThroughput=-1, uploadThroughput=-1)


def quick_moves(p):
    """No move is lost while pieces move, and no move waits for the server, whose answers are late."""
    p.open("#/explore")
    slow(p, 1500)
    for way, pause in [(way, pause) for way in WAYS for pause in PACES] if os.environ.get("PACES") == "all" else SOME:
        p.b.evaluate("location.hash = '#/explore'")
        p.b.wait(PIECES, pieces(chess.Board()))
        try:
            play_line(p, way, pause)
        except browser.Failed as error:
            raise browser.Failed("by %s at %d ms: %s" % (way, pause, error)) from error
    slow(p, 0)
    p.b.wait(READY + " || document.querySelector('#tree .empty') !== null")


def quick_analysis(p):
    p.open("#/analysis?new=1", "document.querySelector('.edit-bar') !== null")
    play_line(p, "click", 60)
    same(p.b.evaluate("document.querySelectorAll('.moves a.move').length"), len(GAME), "moves of the analysis")


def animation(p):
    """A piece seems to move. A press ends this at once, and is used; so is a typed move."""
    p.open("#/explore")
    at = "document.querySelector('#board [data-square=%s]')"
    moving = "document.querySelector('#board').getAnimations({ subtree: true }).length"
    same(p.b.evaluate("(() => { %s.click(); %s.click(); return %s; })()" % (at % "e2", at % "e4", moving)), 1, "pieces that move after a click")
    same(p.b.evaluate("""(() => { %s.click(); %s.click(); const before = %s;
        %s.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, isPrimary: true, pointerId: 1 })); const after = %s;
        window.dispatchEvent(new PointerEvent('pointercancel', { pointerId: 1 })); return [before, after, %s]; })()"""
                      % (at % "c7", at % "c5", moving, at % "g1", moving, PLAYED)), [1, 0, 2], "pieces that move before and after a press")
    p.b.evaluate("(() => { %s.click(); %s.click(); document.getElementById('typed-move').value = 'd6'; document.getElementById('typed').requestSubmit(); })()"
                 % (at % "g1", at % "f3"))
    p.hash_is("#/explore?play=e2e4,c7c5,g1f3,d7d6")
    p.b.drag(SQUARE % "d2", SQUARE % "d4")
    same(p.b.evaluate("[%s, %s]" % (PLAYED, moving)), [5, 0], "a dropped piece does not move again")


def hints(p):
    """A chosen piece shows its moves. The same piece again and another square cancel this."""
    p.open("#/explore?play=e2e4,d7d5")
    p.b.click(SQUARE % "e4")
    same(p.b.evaluate(TARGETS), "d5,e5", "squares of the pawn")
    same(p.b.evaluate("document.querySelector('#board [aria-selected=true]').dataset.square"), "e4", "the chosen square")
    p.b.click(SQUARE % "b1")
    same(p.b.evaluate(TARGETS), "a3,c3", "squares of the knight")
    for square in ("b1", "h6"):
        p.b.click(SQUARE % square)
        same(p.b.evaluate(TARGETS), "", "squares after " + square)
        p.b.click(SQUARE % "b1")
    p.b.drag(SQUARE % "b1", SQUARE % "b5")  # not legal
    same(p.b.evaluate("[%s, %s, document.querySelector('.board-ghost')]" % (TARGETS, PLAYED)), ["", 2, None], "after an illegal move")
    begin, end = p.b.place(SQUARE % "f1"), p.b.place(SQUARE % "b5")
    p.b.mouse("mousePressed", begin, button="left", clickCount=1)
    p.b.mouse("mouseMoved", end, button="left", buttons=1)
    same(p.b.evaluate("document.querySelector('#board .over').dataset.square"), "b5", "the square below the pointer")
    p.b.mouse("mouseReleased", [end[0], 5], button="left", clickCount=1)  # outside of the board
    same(p.b.evaluate("[%s, %s, document.querySelector('.board-ghost')]" % (TARGETS, PLAYED)), ["", 2, None], "after a drag off the board")


def promotions(p):
    p.open("#/explore?fen=8/P6k/8/8/8/8/1p6/7K+w+-+-+0+1", "document.querySelector('#tree .empty') !== null && !document.querySelector('[aria-busy]')")
    for keys, begin, end, wanted in (("ArrowDown Enter", "a7", "a8", "a7a8r"), ("Escape", "b2", "b1", None), ("ArrowUp Enter", "b2", "b1", "b2b1n")):
        p.b.click(SQUARE % begin)
        p.b.click(SQUARE % end)
        same(p.b.evaluate("document.activeElement.matches('.promotion-dialog-button:first-child')"), True, "the queen has the focus")
        for key in keys.split():
            p.b.press(key)
        same(p.b.evaluate("document.querySelector('.promotion-dialog')"), None, "the choice is closed")
        same(p.b.evaluate("location.hash.endsWith(%s)" % json.dumps(wanted)), True, "the promotion") if wanted else same(p.b.evaluate(PLAYED), 1, "no promotion")
    p.open("#/explore?fen=8/P6k/8/8/8/8/1p6/7K+w+-+-+0+1", "document.querySelector('#tree .empty') !== null && !document.querySelector('[aria-busy]')")
    p.b.drag(SQUARE % "a7", SQUARE % "a8")
    p.b.click(SQUARE % "h1")  # a press elsewhere closes the choice, and is used
    same(p.b.evaluate("[document.querySelector('.promotion-dialog'), document.querySelector('#board .selected').dataset.square]"), [None, "h1"], "a press elsewhere")


def keyboard(p):
    """The board is one stop of Tab. Arrow keys go to squares; the other keys of the page still work."""
    p.open("#/explore")
    p.b.evaluate("document.querySelector('.tools button:last-child').focus()")
    p.b.press("Tab")
    focused = "document.activeElement.dataset.square"
    same(p.b.evaluate(focused), "e2", "the square with the focus")
    same(p.b.evaluate("document.activeElement.getAttribute('aria-label')"), "e2, white pawn", "its name")
    p.b.press("Enter")
    same(p.b.evaluate("document.getElementById('status').textContent"), "e2, white pawn: to e3, e4", "what is announced")
    for key in ("ArrowUp", "ArrowUp", "Enter"):
        p.b.press(key)
    p.hash_is("#/explore?play=e2e4")
    same(p.b.evaluate("document.activeElement.getAttribute('aria-label')"), "e4, white pawn", "the square after the move")
    p.b.press("f")  # turned: up is towards White
    p.b.press("ArrowUp")
    same(p.b.evaluate(focused), "e3", "one up on the turned board")
    p.b.press("f")
    p.b.press("Home")
    p.hash_is("#/explore?play=e2e4&ply=0")
    for key in ("ArrowDown", "Enter"):
        p.b.press(key)
    same(p.b.evaluate(TARGETS), "e3,e4", "squares of the pawn")
    p.b.press("Escape")
    same(p.b.evaluate("[%s, %s]" % (TARGETS, focused)), ["", "e2"], "Escape cancels the choice")
    p.b.press("Escape")
    same(p.b.evaluate("document.activeElement === document.body"), True, "Escape leaves the board")


def choose(p, name, value):
    p.b.evaluate("document.querySelector('#board-look').click()")
    p.b.wait("document.querySelector('.board-menu') !== null")
    p.b.evaluate("document.querySelector('.board-menu [name=board-%s]%s').click()" % (name, "[value=%s]" % value if value else ""))
    p.b.evaluate("document.querySelector('#board-look').click()")
    p.b.wait("document.querySelector('.board-menu')", None)


def look(p):
    """Colours, pieces and coordinates can be chosen, are remembered, and are used by small boards. Coordinates are legible."""
    p.open("#/explore")
    p.b.evaluate("document.querySelector('#board-look').focus()")
    p.b.press("Enter")
    p.b.wait("document.querySelector('.board-menu') !== null")
    accessible(p, "the menu")
    p.picture("board-menu-light")
    p.b.press("Tab")
    p.b.press("ArrowRight")
    same(p.b.evaluate("[document.activeElement.value, document.documentElement.dataset.board]"), ["brown", "brown"], "colours chosen by keys")
    p.b.press("Escape")
    seen = set()
    for colours in COLOURS:
        choose(p, "colours", colours)
        for dark in (False, True):
            p.b.dark(dark)
            texts, legible, distinct = p.b.evaluate(CONTRAST)
            same([texts, legible >= 4.5, distinct >= (3 if colours == "contrast" else 1.5)], [16, True, True], "contrast of %s: %.2f and %.2f" % (colours, legible, distinct))
        p.b.dark(False)
        seen.add(p.b.evaluate("getComputedStyle(document.querySelector('#board .black')).backgroundColor"))
    same(len(seen), len(COLOURS), "different colours")
    p.picture("board-contrast-light")
    choose(p, "pieces", "letters")
    choose(p, "coordinates", "")
    choose(p, "animation", "")
    p.open("#/explore")
    p.b.wait("document.querySelector('#wk text')?.textContent", "K")
    same(p.b.evaluate("[document.documentElement.dataset.board, document.querySelector('#board .coordinate').getClientRects().length]"), ["contrast", 0], "what is remembered")
    same(p.b.evaluate("(() => { document.querySelector('#forward'); %s.click(); %s.click(); return document.querySelector('#board').getAnimations({ subtree: true }).length })()"
                      % ("document.querySelector('#board [data-square=e2]')", "document.querySelector('#board [data-square=e4]')")), 0, "pieces that move")
    p.b.wait(READY)
    p.b.mouse("mouseMoved", p.b.place(".games tbody tr .result"))
    p.b.wait("document.querySelectorAll('.preview .piece').length > 2")
    same(p.b.evaluate("getComputedStyle(document.querySelector('.preview .black')).backgroundColor"), "rgb(138, 138, 138)", "squares of the small board")
    p.b.evaluate("localStorage.clear()")


def accessible(p, name):
    """axe-core, if it is installed, reports nothing."""
    if os.environ.get("AXE"):
        with open(os.environ["AXE"], encoding="utf-8") as file:
            p.b.evaluate(file.read() + ";0")
        same(p.b.evaluate(AXE_RUN % "[]"), [], "axe-core on " + name)


def without_packages(p):
    """A build without packages has a complete board with its own pieces."""
    p.b.call("Network.setBlockedURLs", urls=["*/cm-chessboard/*"])
    p.open("#/explore")
    p.b.wait("document.querySelector('#wk path') !== null")
    for way in ("click", "drag"):
        p.b.evaluate("location.hash = '#/explore'")
        p.b.wait(PIECES, pieces(chess.Board()))
        play_line(p, way, 0)
    p.b.wait("!document.querySelector('[aria-busy]')")
    p.picture("board-plain-light")
    accessible(p, "the plain board")
    p.b.dark(True)
    p.picture("board-plain-dark")
    p.b.dark(False)
    p.b.press("Home")
    p.b.wait(POSITION + ".startsWith('White to move. White: king e1')")
    p.b.press("f")
    same(p.b.evaluate("document.querySelector('#board .square').dataset.square"), "h1", "the first square of the turned board")
    p.b.press("f")
    p.b.evaluate("document.querySelector('#board-look').click()")
    p.b.wait("[...document.querySelectorAll('.board-menu [name=board-pieces]')].map(one => one.value).join()", "plain,letters")
    p.open("#/search?sub=8/5Nk1/8/8/8/8/8/8", "document.querySelectorAll('.setup .square use').length === 2")
    p.b.wait("document.querySelector('.setup use').getBoundingClientRect().width > 10")
    p.open("#/analysis?pgn=1.+e4+e5+(1...+c5+2.+Nf3)+*", "document.querySelectorAll('.moves a.move').length === 4")
    p.open("#/game/86", "document.querySelector('.notation') !== null")
    same(p.b.evaluate("document.querySelectorAll('#board .movable').length > 0"), True, "pieces that can move in a game")
    p.b.call("Network.setBlockedURLs", urls=[])


CHECKS = [quick_moves, quick_analysis, animation, hints, promotions, keyboard, look]


def main():
    page = page_driver.Page(*sys.argv[1:])
    page.b.call("Emulation.setTouchEmulationEnabled", enabled=True)
    checks = [check for check in CHECKS if check.__name__ in os.environ.get("CHECKS", check.__name__)]
    return page_driver.run_all(page, checks, (without_packages,))


if __name__ == "__main__":
    sys.exit(main())
