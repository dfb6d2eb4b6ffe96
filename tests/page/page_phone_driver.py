# SPDX-License-Identifier: MIT
"""Uses the page of `stamma serve` on phones. Started by page_phone.sh.

usage: page_phone_driver.py ADDRESS ARCHIVE SCREENSHOTS     exits with status 1 if a check fails
"""
import json
import sys

import page_driver
from page_driver import READY, same

PHONES = ((390, 844), (320, 568))
CLOCKS, ENGINE, REMARKS = 87, 88, 89  # numbers of the games of page_games.py
GAME = "document.querySelector('.notation') !== null && !document.querySelector('[aria-busy]')"
STAGE = "document.getElementById('board-stage').getBoundingClientRect()"
MOVE = "document.querySelector('[data-at=\"main.%d\"]')"
CURRENT = "document.querySelector('.notation [aria-current]').getBoundingClientRect()"
WIDE = "[...document.querySelectorAll('#view *, #board-stage *')].filter(one => !one.closest('svg, .unseen') && one.getBoundingClientRect().right > innerWidth + 0.5)" \
       ".map(one => one.outerHTML.slice(0, 80))"


def phone(p, size):
    p.b.size(*size, True)
    p.b.call("Emulation.setTouchEmulationEnabled", enabled=True)


def fits(p, what):
    same(p.b.evaluate("document.documentElement.scrollWidth <= innerWidth"), True, what + " fits into the window")
    same(p.b.evaluate(WIDE), [], "elements of %s that are cut off" % what)


def box(selector):
    return "document.querySelector(%s).getBoundingClientRect()" % json.dumps(selector)


def steps_are_below(p, size):
    """The bar with the steps is at the end of the window, its buttons have at least 44 pixels, and it hides no content."""
    wanted = "[...document.querySelectorAll('.buttons button')].every(one => one.getBoundingClientRect().width >= 44 && one.getBoundingClientRect().height >= 44)"
    same(p.b.evaluate(wanted + " && %s.bottom === innerHeight" % box(".buttons")), True, "the bar of steps at %d" % size[0])
    p.b.evaluate("scrollTo(0, 99999)")
    same(p.b.evaluate("%s.bottom <= %s.top" % (box("#view"), box(".buttons"))), True, "the end of the view above the bar at %d" % size[0])
    p.b.evaluate("scrollTo(0, 0)")


def moves_below_the_board(p):
    """On a phone, three moves of the explorer, or the move of a game, are above the bar of steps without scrolling."""
    for size in ((360, 740), (390, 844), (320, 640)):
        phone(p, size)
        for address in ("#/explore", "#/explore?play=d2d4,g8f6,c2c4"):
            p.open(address, READY)
            same(p.b.evaluate("%s.bottom <= %s.top && scrollY === 0" % (box(".tree tbody tr:nth-child(3)"), box(".buttons"))), True, "three moves of %s at %d" % (address, size[0]))
            fits(p, "%s at %d" % (address, size[0]))
        same(p.b.evaluate("[document.querySelector('.fen-box').open, %s.top > %s.bottom]" % (box(".fen-box"), box("#tree"))), [False, True], "the FEN at %d" % size[0])
        steps_are_below(p, size)
        for ply in (0, 40):
            p.open("#/game/%d?ply=%d" % (CLOCKS, ply), GAME)
            move = "(document.querySelector('.notation [aria-current]') ?? document.querySelector('.notation .move')).getBoundingClientRect()"
            p.b.wait("%s.top >= %s.bottom - 1 && %s.bottom <= %s.top" % (move, STAGE, move, box(".buttons")))
            fits(p, "a game at %d" % size[0])
        p.picture("game-%dx%d-light" % size)


def short_windows(p):
    """In a short window, the board is as high as the window allows, and the moves are beside it."""
    for size in ((740, 360), (844, 390)):
        phone(p, size)
        for address, ready, row in (("#/explore?play=d2d4,g8f6,c2c4", READY, ".tree tbody tr:nth-child(3)"), ("#/game/%d?ply=40" % CLOCKS, GAME, ".notation [aria-current]")):
            p.open(address, ready)
            p.b.wait("%s.left >= %s.right && %s.bottom <= innerHeight" % (box(row), box("#board"), box(row)))
            same(p.b.evaluate("%s.height >= innerHeight * 0.7 && %s.bottom <= innerHeight && scrollY === 0" % (box("#board"), box("#board"))), True, "the board of %s at %d" % (address, size[0]))
            if size[0] == 844:
                same(p.b.evaluate("%s.height >= 280" % box("#board")), True, "280 pixels for the board of %s" % address)
            fits(p, "%s at %d" % (address, size[0]))
            p.picture("%s-%dx%d-light" % (address[2:6], *size))


def board_is_there(p, what):
    """The complete board and its buttons are in the window, and a third of the window is free below them."""
    same(p.b.evaluate("['#board', '.buttons'].every(one => { const box = document.querySelector(one).getBoundingClientRect();"
                      "return box.top >= 0 && box.bottom <= innerHeight; })"), True, what + ": the board and its buttons are in view")
    same(p.b.evaluate("%s.bottom <= innerHeight * 0.67" % STAGE), True, what + ": there is room below the board")


def in_view(p, what):
    """The move that is shown is below the board, in the window."""
    same(p.b.evaluate("%s.top >= %s.bottom - 1 && %s.bottom <= innerHeight" % (CURRENT, STAGE, CURRENT)), True, what + ": the move is in view")


def moves_of_a_game(p):
    for size in PHONES:
        phone(p, size)
        for game in (CLOCKS, REMARKS):
            p.open("#/game/%d" % game, GAME)
            fits(p, "game %d at %d" % (game, size[0]))
            tops = p.b.evaluate("[1, 2, 3].map(ply => Math.round(document.querySelector(`[data-at=\"main.${ply}\"]`).getBoundingClientRect().top))")
            same(len(set(tops)), 1, "lines of the first three plies")
        p.open("#/game/%d" % CLOCKS, GAME)
        p.b.click('[data-at="main.97"]')
        p.hash_is("#/game/%d?ply=97" % CLOCKS)
        board_is_there(p, "a late move")
        in_view(p, "a late move")
        p.picture("game-late-%d-light" % size[0])


def steps_of_a_game(p):
    button = "document.getElementById('forward').getBoundingClientRect().top"
    for size in PHONES:
        phone(p, size)
        p.open("#/game/%d" % CLOCKS, GAME)
        p.b.click("#forward")
        p.hash_is("#/game/%d?ply=1" % CLOCKS)
        same(p.b.evaluate("scrollY"), 0, "the page after the first step")
        p.b.click('[data-at="main.40"]')
        p.hash_is("#/game/%d?ply=40" % CLOCKS)
        before = p.b.evaluate(button)
        for ply in range(41, 61):
            p.b.click("#forward")
            p.hash_is("#/game/%d?ply=%d" % (CLOCKS, ply))
            in_view(p, "ply %d" % ply)
        same(abs(p.b.evaluate(button) - before) < 1, True, "the button stays in its place")
        p.b.click("#first")
        p.hash_is("#/game/%d?ply=0" % CLOCKS)
        board_is_there(p, "the start")
        p.b.evaluate("document.querySelector('[data-at=\"main.2\"]').focus()")  # scrolls back
        same(p.b.evaluate("document.activeElement.getBoundingClientRect().top >= %s.bottom" % STAGE), True, "what has the focus is below the board")


def coordinates_are_clear(p, what):
    """No letter or digit of the board touches a piece. Only the crown of a queen is as wide as the queen, so queens are omitted."""
    p.b.wait("document.querySelectorAll('#board [data-piece]').length > 20 && document.querySelectorAll('#board .coordinate').length === 16")
    same(p.b.evaluate("""[...document.querySelectorAll('#board .coordinate')].filter(one => [...document.querySelectorAll('#board [data-piece]:not([data-piece$=q]) use')].some(piece => {
        const [a, b] = [one.getBoundingClientRect(), piece.getBoundingClientRect()];
        return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; })).map(one => one.textContent)"""), [], "coordinates on pieces, " + what)


def columns(p):
    """In a narrow window, the rating and the date are shown rather than the bits."""
    seen = "[...document.querySelectorAll('.tree thead th')].filter(one => one.getClientRects().length).map(one => one.innerText.trim().split(/\\s/)[0])"
    for width, height, wanted in ((1440, 900, ["Move", "Games", "White", "Rating", "Perf.", "Surprise", "Last"]), (390, 844, ["Move", "Games", "White", "Rating", "Last"]),
                                  (320, 568, ["Move", "Games", "White", "Rating", "Last"])):
        p.b.size(width, height, width < 500)
        p.open("#/explore?play=e2e4,e7e5,g1f3,b8c6", READY)
        fits(p, "a later position at %d" % width)
        p.open("#/explore?play=e2e4", READY)
        same(p.b.evaluate(seen), wanted, "columns at %d" % width)
        fits(p, "the explorer at %d" % width)
        coordinates_are_clear(p, "at %d" % width)
        p.picture("explore-%d-light" % width)
        p.b.evaluate("scrollTo(0, 99999)")
        if width < 500:
            board_is_there(p, "the end of the explorer")
        p.picture("explore-end-%d-light" % width)


def squares(p):
    return json.loads(p.b.evaluate("JSON.stringify(Object.fromEntries([...document.querySelectorAll('.setup .square')].map(one => one.getAttribute('aria-label').split(', '))"
                                   ".filter(([, kind]) => kind !== 'anything')))"))


def middle(p, square):
    return p.b.evaluate("(() => { const box = document.querySelector('.setup [data-square=%s]').getBoundingClientRect();"
                        "return [box.left + box.width / 2, box.top + box.height / 2] })()" % square)


def setting_up(p):
    """A touch moves pieces on the board and does not scroll the page."""
    for size in PHONES:
        phone(p, size)
        p.open("#/search", "document.querySelectorAll('.setup .square').length === 64")
        fits(p, "search at %d" % size[0])
        p.b.evaluate("scrollTo(0, 40)")
        p.b.touch(middle(p, "e4"))  # the chosen piece is a white pawn
        p.b.wait("document.querySelector('.setup [data-square=e4]').getAttribute('aria-label')", "e4, white pawn")
        way = [middle(p, square) for square in ("e4", "e5", "e6", "d7", "d8")]
        p.b.touch(*way)
        p.b.wait("document.querySelector('.setup [data-square=d8]').getAttribute('aria-label')", "d8, white pawn")
        same(squares(p), {"d8": "white pawn"}, "squares after moving the piece")
        same(p.b.evaluate("scrollY"), 40, "the page after a drag on the board")
        p.b.touch(middle(p, "d8"), middle(p, "d6"), (middle(p, "d6")[0], 5))  # off the board
        p.b.wait("document.querySelector('.setup [data-square=d8]').getAttribute('aria-label')", "d8, anything")
        same(p.b.evaluate("document.querySelector('.carried')"), None, "a piece in the air")
        p.b.touch(*[middle(p, square) for square in ("a2", "b2", "c2")])  # on empty squares, the chosen piece is put
        same(sorted(squares(p)), ["a2", "b2", "c2"], "squares after a stroke")
        left, top = p.b.evaluate("(() => { const box = document.querySelector('.search-form').getBoundingClientRect(); return [box.left + 5, box.top] })()")
        p.b.evaluate("scrollTo(0, 40)")
        p.b.evaluate("document.querySelector('.position-rules').scrollIntoView({block: 'center'})")
        before = p.b.evaluate("scrollY")
        place = p.b.evaluate("(() => { const box = document.querySelector('.position-rules legend').getBoundingClientRect(); return [box.left + 5, box.top + 5] })()")
        p.b.touch(*[(place[0], place[1] - 15 * n) for n in range(12)])
        p.b.wait("scrollY > %d" % before)  # next to the board, the same gesture scrolls
        p.picture("search-%d-light" % size[0])


def fens(p):
    field = "input[aria-label='FEN to set up']"
    phone(p, PHONES[0])
    p.open("#/search", "document.querySelectorAll('.setup .square').length === 64")
    p.b.click(field)
    p.b.type("8/8/nonsense b - - 0 1")
    p.b.press("Enter")
    p.b.wait("document.querySelector(%s).validity.customError" % json.dumps(field))
    same(squares(p), {}, "squares after what is no FEN")
    p.b.evaluate("document.querySelector(%s).value = ''" % json.dumps(field))
    p.b.evaluate("(() => { const input = document.querySelector(%s); input.focus(); input.value = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3';"
                 "input.dispatchEvent(new ClipboardEvent('paste', {bubbles: true})); })()" % json.dumps(field))
    p.b.wait("document.querySelector('.setup [data-square=c6]').getAttribute('aria-label')", "c6, black knight")
    now = squares(p)
    same([now["f3"], now["g1"], now["e5"], len(now)], ["white knight", "empty", "black pawn", 64], "squares of the FEN")
    same(p.b.evaluate("document.querySelector('[name=side]').value"), "b", "the side to move of the FEN")
    same(p.b.evaluate("document.querySelector(%s).value" % json.dumps(field)), "", "the field after the FEN")
    p.b.touch(middle(p, "f3"), middle(p, "f4"), middle(p, "g5"))
    p.b.wait("document.querySelector('.setup [data-square=g5]').getAttribute('aria-label')", "g5, white knight")
    same(squares(p)["f3"], "empty", "the square that the piece left")
    shown = "[...document.querySelectorAll('.setup .square')].map(one => getComputedStyle(one, '%s').content).filter(one => one !== 'none' && one !== 'normal')"
    same([one[1] for one in p.b.evaluate(shown % "::before")], list("87654321"), "numbers of the ranks")
    same([one[1] for one in p.b.evaluate(shown % "::after")], list("abcdefgh"), "letters of the files")
    p.b.evaluate("scrollTo(0, 0)")
    p.picture("setup-fen-390-light")
    p.b.size(1280, 800)
    p.open("#/search", "document.querySelectorAll('.setup .square').length === 64")
    p.b.click(".setup-buttons button")
    p.b.drag('.setup [data-square="b1"]', '.setup [data-square="c3"]')  # with the mouse
    p.b.wait("document.querySelector('.setup [data-square=c3]').getAttribute('aria-label')", "c3, white knight")


CHECKS = [moves_below_the_board, short_windows, moves_of_a_game, steps_of_a_game, columns, setting_up, fens]


def main():
    page = page_driver.Page(*sys.argv[1:])
    page.b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}, {"name": "prefers-reduced-motion", "value": "reduce"}])
    return page_driver.run_all(page, CHECKS)


if __name__ == "__main__":
    sys.exit(main())
