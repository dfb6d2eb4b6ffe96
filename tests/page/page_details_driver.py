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
    p.b.evaluate("document.activeElement.blur()")
    p.b.mouse("mouseMoved", p.b.place(".tree .explain"))  # the pointer opens it, and a click keeps it open
    p.b.wait(OPENED + ".startsWith('How surprising')")
    p.b.mouse("mouseMoved", (5, 5))
    p.b.wait(OPENED, "")
    p.b.click(".tree .explain")
    p.b.mouse("mouseMoved", (5, 5))
    p.b.evaluate("new Promise(done => setTimeout(done, 400))")
    same(p.b.evaluate(OPENED + ".startsWith('How surprising')"), True, "the explanation after a click")
    p.b.size(820, 1180, True)
    p.b.call("Emulation.setTouchEmulationEnabled", enabled=True)
    p.open("#/explore?play=e2e4", READY)
    p.b.evaluate("document.querySelector('.tree .bits').scrollIntoView({block: 'center'})")
    if p.b.evaluate("document.querySelector('.tree .bits').getClientRects().length") > 0:
        p.b.touch(p.b.place(".tree .explain"))
        p.b.wait(OPENED + ".startsWith('How surprising')")
    p.b.call("Emulation.setTouchEmulationEnabled", enabled=False)
    p.b.size(1280, 800)


def table_of_openings():
    """Returns the ECO code and the name by placement and side to move."""
    with open(os.environ["OPENINGS"], encoding="utf-8") as file:
        return {line.split("\t")[0]: " ".join(line.rstrip("\n").split("\t")[1:]) for line in file if not line.startswith("#")}


def last_names(p, play):
    """Returns the last name up to each ply of a line, from data/openings.tsv."""
    names, table = [""], table_of_openings()
    for fen in p.b.evaluate("fetch('line?play=%s').then(one => one.json())" % play)["fens"]:
        names.append(table.get(" ".join(fen.split()[:2]), names[-1]))
    return names[1:]


def openings(p):
    """The heading has the last name along the line, also if the position has none, and links to where names changed."""
    heading = "document.querySelector('h1').textContent"
    for play in ("d2d4,g8f6,c2c4,g7g6,b1c3,f8g7", "e2e4,c7c5,g1f3,d7d6,d2d4,c5d4,f3d4,g8f6,b1c3,a7a6,h1g1,h8g8", "c2c4,g8f6,b1c3,g7g6,d2d4,f8g7"):
        p.open("#/explore?play=" + play, READY + " || document.querySelector('#tree .empty') !== null")
        names = last_names(p, play)
        p.b.wait(heading, names[-1])
        for place, href in p.b.evaluate("[...document.querySelectorAll('.trail a')].map(one => [one.textContent, one.getAttribute('href')])"):
            ply = int(href.split("ply=")[1]) if "ply=" in href else len(names) - 1
            same([names[ply].endswith(place), names[ply] != names[ply - 1]], [True, True], "the change to %r" % place)
    same(names[-1], "E61 King's Indian Defense", "the name of a transposition")
    p.b.click(".trail a")
    p.b.wait("location.hash.includes('ply=')")
    p.open("#/game/%d" % CLOCKS, GAME)
    one = stamma("cat", "--json", p.archive, str(CLOCKS))
    names = last_names(p, ",".join(one["uci"][:40]))
    opening = "document.querySelector('.opening-line').textContent"
    p.b.wait(opening, names[-1])  # at the start: the opening of the game
    for ply in (1, 2, 40):
        p.go("#/game/%d?ply=%d" % (CLOCKS, ply), "%s === %s" % (opening, json.dumps(names[ply])))


def colours(p):
    """The button goes through the colours of the system, light and dark, and names those that are shown."""
    p.open("#/explore", READY)
    p.b.evaluate("localStorage.setItem('theme', 'dark')")  # as an earlier page stored it
    p.open("#/explore", READY)
    seen = []
    for _ in range(4):
        seen.append(p.b.evaluate("[document.getElementById('theme').getAttribute('aria-label'), getComputedStyle(document.body).colorScheme, localStorage.getItem('theme')]"))
        p.b.click("#theme")
    same(seen, [["Dark colours", "dark", "dark"], ["Colours of the system", "light dark", "system"], ["Light colours", "light", "light"], ["Dark colours", "dark", "dark"]], "colours")
    same(p.b.evaluate("[...document.querySelectorAll('#theme path')].filter(one => one.getClientRects().length).map(one => one.getAttribute('class'))"), ["system"], "the picture")
    p.b.evaluate("localStorage.clear()")


def wrong_addresses(p):
    """An address without a view, a game, a position or an archive is reported, with links to continue with. Loud: the
    server rejects the requests of these addresses."""
    for address, words, link in (("#/nonsense", "no view “nonsense”", "#/explore"), ("#/game/unknown", "no game “unknown”", "#/search"), ("#/game/Abcdefgh", "no game “Abcdefgh”", "#/search"),
                                 ("#/game/999999", "no game “999999”", "#/search"), ("#/explore?fen=nonsense", "FEN: not valid at character 1", "#/explore"),
                                 ("#/explore?play=e2e4,e7e5,zz", "move 3", "#/explore?play=e2e4,e7e5"), ("#/explore?archive=99", "no archive", "#/explore")):
        p.open(address, "document.querySelector('.notice.error') !== null && !document.querySelector('[aria-busy]')")
        same(p.b.evaluate("document.querySelector('.notice.error p').textContent.includes(%s)" % json.dumps(words)), True, "the message of " + address)
        same(p.b.evaluate("[...document.querySelectorAll('.notice.error a')].some(one => one.getAttribute('href') === %s)" % json.dumps(link)), True, "the link of " + address)
    p.b.click(".notice.error a")
    p.b.wait(READY)


def opening_files(p):
    """Without uploads, the button of the header opens a PGN file in Analysis."""
    p.open("#/explore", READY)
    choose = "(() => { const data = new DataTransfer(); data.items.add(new File([%s], 'mine.pgn')); const field = document.getElementById('open-pgn-file');" \
             "field.files = data.files; field.dispatchEvent(new Event('change')); })()"
    p.b.evaluate("document.getElementById('open-pgn').focus()")
    p.b.wait("document.getElementById('open-pgn').title.includes('in Analysis')")
    p.b.evaluate(choose % json.dumps("[White \"Own\"]\n[Black \"Game\"]\n\n1. d4 d5 2. c4 e6 *\n"))
    p.b.wait("document.querySelector('#view.analysis h1')?.textContent", "Own – Game")
    same(p.b.evaluate("[...document.querySelectorAll('.notation .move')].map(one => one.textContent)"), ["d4", "d5", "c4", "e6"], "the moves of the file")
    p.b.evaluate(choose % "'x'.repeat(300000)")
    p.b.wait("document.querySelector('#view.archives .notice.error p')?.textContent.includes('--uploads')")
    same(p.b.evaluate("[...document.querySelectorAll('header nav a')].map(one => one.textContent).includes('Duplicates')"), False, "Duplicates in the header")
    p.b.wait("!document.querySelector('[aria-busy]')")
    p.b.evaluate("document.querySelector('.archives-links a').click()")
    p.hash_is("#/duplicates")
    same(p.b.evaluate("document.querySelector('#archives-link').getAttribute('aria-current')"), "page", "the entry of the header")


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


CHECKS = [bits, openings, colours, opening_files, side_of_the_board, sizes_while_pieces_move, typed_moves, tags, chess960, engines, statistics]


def main():
    return page_driver.run_all(page_driver.Page(*sys.argv[1:]), CHECKS, [wrong_addresses])


if __name__ == "__main__":
    sys.exit(main())
