# SPDX-License-Identifier: MIT
"""Uses details of the page of `stamma serve`. Started by page_details.sh.

usage: page_details_driver.py ADDRESS ARCHIVE SCREENSHOTS     exits with status 1 if a check fails
"""
import json
import os
import subprocess
import sys

import page_driver
from page_driver import READY, same

CHESS960, CLOCKS, ENGINE = 86, 87, 88  # numbers of games: the last of data/games.pgn, and two of page_games.py
GAME = "document.querySelector('.notation') !== null && !document.querySelector('[aria-busy]')"
OPENED = "[...document.querySelectorAll('.explanation:popover-open')].map(one => one.innerText).join()"
TURNED = "document.querySelector('#board .square').getAttribute('data-square')"


def stamma(*arguments):
    return json.loads(subprocess.run([os.environ["STAMMA"], *arguments], capture_output=True, check=True).stdout)


def bits(p):
    """The explanation of the number of bits appears with the pointer, with keys and by touch."""
    p.open("#/explore?play=e2e4", READY)
    same(p.b.evaluate(OPENED), "", "explanations at first")
    p.b.click(".tree .explain")
    p.b.wait(OPENED + ".includes('moves that led to the position')")
    p.picture("bits-1280-light")
    p.b.press("Escape")
    p.b.wait(OPENED, "")
    p.b.evaluate("document.querySelector('.tree .explain').focus()")
    p.b.press("Enter")
    p.b.wait(OPENED + ".startsWith('How surprising')")
    p.b.evaluate("scrollTo(0, 300)")
    p.b.wait(OPENED, "")
    p.b.size(820, 1180, True)
    p.b.call("Emulation.setTouchEmulationEnabled", enabled=True)
    p.open("#/explore?play=e2e4", READY)
    p.b.evaluate("document.querySelector('.tree .bits').scrollIntoView({block: 'center'})")
    if p.b.evaluate("document.querySelector('.tree .bits').getClientRects().length") > 0:
        p.b.touch(p.b.place(".tree .explain"))
        p.b.wait(OPENED + ".startsWith('How surprising')")
    p.b.call("Emulation.setTouchEmulationEnabled", enabled=False)
    p.b.size(1280, 800)


def side_of_the_board(p):
    p.open("#/explore", READY)
    first = p.b.evaluate(TURNED)
    p.b.press("f")
    p.b.wait(TURNED + " !== " + json.dumps(first))
    p.open("#/explore?play=e2e4", READY)
    same(p.b.evaluate(TURNED) != first, True, "the side of the board after the page is loaded again")
    same(p.b.evaluate("document.getElementById('board-column').matches('.turned')"), True, "the plates are turned too")
    p.b.press("f")
    p.open("#/explore", READY)
    same(p.b.evaluate(TURNED), first, "the side of the board")


def typed_moves(p):
    p.open("#/explore", READY)
    p.b.press("m")
    p.b.type("Qh5")
    p.b.press("Enter")
    p.b.wait("document.getElementById('typed-move').validationMessage.startsWith('Qh5 is not one legal move')")
    p.b.type("e4")  # replaces the text
    same(p.b.evaluate("document.getElementById('typed-move').value"), "e4", "the field after the next move")
    p.b.press("Enter")
    p.hash_is("#/explore?play=e2e4")


def tags(p):
    p.open("#/game/%d" % CLOCKS, GAME)
    same(p.b.evaluate("document.querySelector('#view > .summary').textContent"), "Rated blitz game · https://lichess.org/abcdefgh · 2023-11-05", "the line of the game")
    link = "(one => [one.href, one.target, one.rel])(document.querySelector('%s'))"
    safe = ["https://lichess.org/abcdefgh", "_blank", "noopener noreferrer nofollow"]
    same(p.b.evaluate(link % "#view > .summary a"), safe, "the link of the site")
    same(p.b.evaluate(link % ".tags dd a"), safe, "the link of the tag")


def chess960(p):
    """A line in Chess960 is shown in SAN after castling, also at an earlier ply and after loading the page again."""
    one = stamma("cat", "--json", p.archive, str(CHESS960))
    castling = next(n for n, san in enumerate(one["san"]) if san.startswith("O-O"))
    for ply in ("", "&ply=1"):
        p.open("#/explore?fen=%s&play=%s%s" % (one["fen"].replace(" ", "+"), ",".join(one["uci"][:castling + 8]), ply), "document.querySelector('.line') !== null")
        p.b.wait("JSON.stringify([...document.querySelectorAll('.line a')].map(one => one.textContent))", json.dumps(one["san"][:castling + 8], separators=(",", ":")))
    p.b.press("End")
    p.b.wait("document.querySelector('.line [aria-current]').textContent", one["san"][castling + 7])


def engines(p):
    """Figures of engines are not shown between the moves."""
    p.open("#/game/%d?ply=40" % ENGINE, GAME)
    text = p.b.evaluate("document.querySelector('.moves').innerText")
    same([word for word in ("mt=", "pv=", "R50") if word in text], [], "figures between the moves")
    same(p.b.evaluate("document.querySelectorAll('.notation .aside').length"), 0, "breaks between the moves")
    label = "document.querySelector('.half[data-ply=\"40\"] .explain').textContent"
    same(p.b.evaluate(label), "d32", "the label of the figures")
    p.b.click('.half[data-ply="40"] .explain')
    p.b.wait(OPENED + ".includes('Nf3 Nf6 c4 e6')")
    p.picture("engine-figures-1280-light")
    p.b.press("Escape")
    p.b.size(390, 844, True)
    p.open("#/game/%d?ply=40" % ENGINE, GAME)
    p.b.click('.half[data-ply="40"] .explain')
    p.b.wait(OPENED + ".includes('Nf3 Nf6 c4 e6')")
    same(p.b.evaluate("(box => box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight)"
                      "(document.querySelector('.explanation:popover-open').getBoundingClientRect())"), True, "the list is in the window")
    p.picture("engine-figures-390-light")
    p.b.size(1280, 800)


def statistics(p):
    ready = "document.querySelectorAll('.top-list').length > 2"
    link = "[...document.querySelectorAll('.top-list')].find(one => one.querySelector('h2').textContent === '%s').querySelector('a')"
    p.open("#/statistics?result=1-0", ready)
    p.picture("statistics-links-1280-light")
    same(p.b.evaluate(link % "First moves" + ".textContent"), "e4 e5", "the most frequent first moves")
    p.b.evaluate(link % "First moves" + ".click()")
    p.hash_is("#/explore?play=e2e4,e7e5&result=1-0")
    p.moves_are("--moves", "e4 e5", "--result", "1-0")
    p.open("#/statistics?result=1-0", ready)
    name = p.b.evaluate(link % "Openings" + ".textContent")
    p.b.evaluate(link % "Openings" + ".click()")
    p.b.wait("new URLSearchParams(location.hash.split('?')[1]).get('opening')", "=" + name)
    p.moves_are("--opening", "=" + name, "--result", "1-0")
    same(p.b.evaluate("[...document.querySelectorAll('.chip')].map(one => one.textContent)"), ["result 1-0", "opening exactly " + name], "the filters")


def sizes_while_pieces_move(p):
    """The board changes its size while pieces move and are captured. The browser logs nothing (run_all)."""
    p.open("#/explore?play=e2e4,d7d5,e4d5,d8d5,b1c3,d5e5&ply=0", READY)
    p.settle()
    p.b.evaluate("""(async () => {
        const rest = (time) => new Promise(done => setTimeout(done, time));
        for (let n = 0; n < 11; n += 1) {
            document.getElementById(n % 6 ? 'forward' : 'first').click();
            await rest(60); // a piece moves for 180
            document.getElementById('board-column').style.width = `${400 + 20 * (n % 2)}px`;
            await rest(300);
        }
    })()""")
    p.settle()
    p.settle()
    p.b.wait("document.querySelectorAll('#board .square .piece').length", 30)
    same(p.b.evaluate("Math.abs(document.querySelector('#board').clientWidth - document.querySelector('#board svg').getBoundingClientRect().width) < 2"), True, "the size")


CHECKS = [bits, side_of_the_board, sizes_while_pieces_move, typed_moves, tags, chess960, engines, statistics]


def main():
    return page_driver.run_all(page_driver.Page(*sys.argv[1:]), CHECKS)


if __name__ == "__main__":
    sys.exit(main())
