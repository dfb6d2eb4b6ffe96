# SPDX-License-Identifier: MIT
"""Uses the view Encodings of the page of `stamma serve`: codes, decoding, sizes, boards, ways to a position. Started by
page_encodings.sh, with the file of axe-core in AXE. The server needs no archives.

usage: page_encodings_driver.py ADDRESS ARCHIVE SCREENSHOTS     exits with status 1 if a check fails
"""
import json
import os
import subprocess
import sys

import browser
import page_axe_driver
import page_driver
from page_driver import SQUARE, same

IDLE = "document.querySelector('#codes') !== null && !document.querySelector('[aria-busy]')"
CODES = "document.querySelectorAll('.code').length > 5 && " + IDLE
SIZES = "document.querySelector('.sizes') !== null && " + IDLE
CELLS = "document.querySelector('.cells') !== null"
ROWS = "JSON.stringify([...document.querySelectorAll('.code')].map(one => [one.dataset.code, one.querySelector('.code-size').textContent.split(' ')[0]," \
       "one.querySelector('.digits')?.textContent ?? null, one.querySelector('.code-value').firstChild?.data ?? '']))"
ITALIAN = "e2e4,e7e5,g1f3,b8c6,f1c4,f8c5"
OPERA = "e2e4,e7e5,g1f3,d7d6,d2d4,c8g4,d4e5,g4f3,d1f3,d6e5,f1c4,g8f6,f3b3,d8e7,b1c3,c7c6,c1g5,b7b5,c3b5,c6b5,c4b5,b8d7,e1c1"
QUEENS = "2k5/8/8/8/8/1Q6/3Q3Q/6K1+w+-+-+0+1"
SQUARES = ["mailbox-10x12", "mailbox-12x12", "array-8x8", "array-16x16", "x88", "nibble-rows", "piece-list", "bitboard"]


def command(*arguments):
    answer = subprocess.run([os.environ["STAMMA"], "encode", "--json", *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in answer.stdout.splitlines()]


def codes_are(p, codes):
    """Checks the line of each code: bits, digits and value."""
    p.b.wait(CODES)
    rows = json.loads(p.b.evaluate(ROWS))
    infos = {one["encoding"]: one for one in command("--list")}
    same(sorted(row[0] for row in rows), sorted(name for name in codes if name != "bits"), "codes")
    for name, size, digits, value in rows:
        wanted, bits = codes[name], codes["bits"][name]
        if wanted is None:
            same((size, digits), ("–", None), name)
            continue
        same(size, str(bits), "bits of " + name)
        if infos[name]["text"]:
            same(digits, wanted, name)
        elif infos[name]["of"] == "game":
            same(digits, "".join(format(byte, "08b") for byte in bytes.fromhex(wanted)), name)
        elif infos[name]["of"] == "position":
            same(digits, "".join(format(byte, "08b") for byte in bytes.fromhex(wanted.split(":")[1]))[:bits], name)
        else:
            same((digits, value), (format(wanted, "0%db" % bits) if bits else "", str(wanted)), name)


def codes(p):
    p.open("#/encodings", CODES)
    same(p.b.evaluate("document.querySelector('h1').textContent"), "Initial position", "the heading without a move")
    codes_are(p, command()[0])
    p.b.drag(SQUARE % "e2", SQUARE % "e4")
    p.hash_is("#/encodings?play=e2e4")
    p.b.wait("document.querySelector('h1').textContent", "1. e4")
    codes_are(p, command("e4")[0])
    p.b.wait("document.getElementById('status').textContent", "e4: codes")
    p.b.press("m")
    p.b.type("e5")
    p.b.press("Enter")
    p.hash_is("#/encodings?play=e2e4,e7e5")
    p.b.wait("document.querySelector('h1').textContent", "1… e5")
    codes_are(p, command("e4", "e5")[1])
    p.b.evaluate("document.activeElement.blur()")
    p.b.press("ArrowLeft")
    p.hash_is("#/encodings?play=e2e4,e7e5&ply=1")
    p.b.wait("document.querySelector('h1').textContent", "1. e4")
    p.b.click('[data-tab="position"]')
    p.b.wait("document.querySelector('.code').dataset.code", "fen")
    codes_are(p, command("--fen", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")[0])
    p.open("#/encodings?fen=%s&play=d2d7" % QUEENS, CODES)
    codes_are(p, command("--fen", QUEENS.replace("+", " "), "Qd7")[0])
    same(p.b.evaluate("document.querySelector('[data-code=tarrasch] .code-fallback').textContent"), "fall-back", "the mark of a fall-back")
    p.open("#/encodings?fen=1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2+w+FBfb+-+0+1&play=c1f1", CODES)  # Chess960: castling
    codes_are(p, command("--fen", "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1", "c1f1")[0])
    p.b.press("m")
    p.b.type("O-O")  # only the server knows this move
    p.b.press("Enter")
    p.b.wait("location.hash.endsWith('play=c1f1,c8f8')")


def fields(p):
    """The fields of a code: in the address, with their parts, and what the code needs."""
    p.open("#/encodings?play=e2e4&code=tarrasch", CODES)
    box = "document.querySelector('[data-code=tarrasch]')"
    p.b.wait(box + ".open")
    same(p.b.evaluate("[...%s.querySelectorAll('.code-fields tbody tr')].map(row => [...row.children].map(one => one.textContent).join('|'))" % box),
         ["0100|4|pawn 4", "00|0|no promotion", "01|1|double push"], "fields of tarrasch")
    same(p.b.evaluate("[...new Set([...%s.querySelectorAll('.digits .field')].map(one => getComputedStyle(one).backgroundColor))].length" % box), 3, "colours of three fields")
    facts = p.b.evaluate(box + ".querySelector('.code-facts').innerText")
    for words in ("65 = 0x41", "the position", "Forster 2015"):
        if words not in facts:
            raise browser.Failed("the facts lack %r: %r" % (words, facts))
    p.b.click("[data-code=bcgn] summary")
    p.hash_is("#/encodings?play=e2e4&code=bcgn")
    p.b.wait("document.querySelector('[data-code=bcgn] .code-sum')?.textContent", "0 + 48 + 5 = 53")
    p.b.press("ArrowRight")
    p.b.click("[data-code=bcgn] summary")
    p.b.click("[data-code=tarrasch] summary")
    p.hash_is("#/encodings?play=e2e4")
    p.b.click(".code-tools button")
    p.hash_is("#/encodings?play=e2e4&code=all")
    p.b.wait("[...document.querySelectorAll('.code')].every(one => one.open && one.querySelector('.decode'))")
    p.b.click(".code-tools button")
    p.b.wait("document.querySelectorAll('.code[open]').length", 0)
    p.hash_is("#/encodings?play=e2e4")
    p.open("#/encodings?fen=%s&play=d2d7&code=tarrasch" % QUEENS, CODES)
    p.b.wait("document.querySelector('[data-code=tarrasch] .code-facts')?.innerText.includes('used here: more than two queens')")


def typed(p, name, text):
    field = "#decode-" + name
    p.b.click(field)
    p.b.evaluate("document.querySelector(%s).value = ''" % json.dumps(field))
    p.b.type(text)
    p.b.press("Enter")
    p.b.wait("document.querySelector('[data-code=%s] .decoded').textContent !== ''" % name)
    return p.b.evaluate("document.querySelector('[data-code=%s] .decoded').textContent" % name)


def decoding(p):
    p.open("#/encodings?play=e2e4,e7e5&ply=1&code=all", CODES)
    for name, text, wanted in (("tarrasch", "65", "e4 (e2e4)"), ("move16", "0x131c", "e4"), ("legal-index-bits", "01011", "e4 (e2e4)"), ("uci", "d2d4", "d4 (d2d4)"), ("gap-codes", "0258", "e4")):
        if not typed(p, name, text).startswith(wanted):
            raise browser.Failed("%s of %s: not %s" % (text, name, wanted))
    p.b.click("[data-code=uci] .decoded a")
    p.hash_is("#/encodings?play=d2d4&code=all")
    p.b.wait("document.querySelector('h1').textContent", "1. d4")
    p.open("#/encodings?tab=position&code=huffman-gaps", CODES)
    same(typed(p, "huffman-gaps", "47:01c278034ece"), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "a position")
    p.b.click("[data-code=huffman-gaps] .decoded a")
    p.b.wait("location.hash.startsWith('#/encodings?fen=4k3/8/8/8/8/8/4P3/4K3')")
    p.b.wait("document.querySelector('#fen').value.startsWith('4k3')")


def errors(p):
    """Loud: the browser logs answers with an error status."""
    p.open("#/encodings?play=e2e4&code=move16", CODES)
    same(typed(p, "move16", "70000"), "70000 is not the code of a legal move; it means f1a7 in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "a number without a move")
    same(p.b.evaluate("document.querySelector('[data-code=move16] .decoded').classList.contains('wrong')"), True, "an error")
    p.open("#/encodings?fen=8/8/8/8/8/8/8/8+w+-+-+0+1", "document.querySelector('#codes .error') !== null")
    same("FEN: no legal position" in p.b.evaluate("document.querySelector('#codes .error').textContent"), True, "a position that is not legal")


def sizes(p):
    p.open("#/encodings?play=%s&tab=game&ply=5" % OPERA, SIZES)
    cells = "Object.fromEntries([...document.querySelectorAll('.sizes tbody tr')].map(row => [row.dataset.code, [...row.querySelectorAll('.n')].map(one => one.textContent)]))"
    moves = OPERA.split(",")
    wanted = command(*moves)
    for ply, key in ((5, None), (6, "ArrowRight"), (len(moves), "End")):
        if key:
            p.b.press(key)
        p.b.wait("document.querySelector('.sizes caption').textContent.startsWith('The first %d of %d plies')" % (ply, len(moves)))
        rows = p.b.evaluate(cells)
        for name in ("tarrasch", "legal-index-bits", "two-index-bits"):
            bits = [codes["bits"][name] for codes in wanted[:ply]]
            same(rows[name][:2], [str(bits[-1]), str(sum(bits))], "sizes of %s after %d plies" % (name, ply))
        for name in ("arithmetic", "gap-codes", "legal-index-radix"):
            same(rows[name][1], str(wanted[ply - 1]["bits"][name]), "size of %s after %d plies" % (name, ply))
        same(p.b.evaluate("document.querySelectorAll('.ply-chart .ply:not(.later)').length"), ply, "columns of plies")
    p.b.click(".sizes [data-code=arithmetic] a")
    p.b.wait("document.querySelector('.ply-chart figcaption').textContent", "Bits of each ply: arithmetic")
    p.b.wait("location.hash.endsWith('tab=game&code=arithmetic')")
    p.picture("encodings-sizes")


def board_walks(p):
    p.open("#/encodings?play=%s&tab=boards" % ITALIAN, CELLS)
    visited = "[...document.querySelectorAll('.visits li.goes')].map(one => one.textContent.match(/[a-h][1-8]/)[0]).sort().join()"
    for name in SQUARES:
        p.b.evaluate("(() => { const one = document.querySelector('.board-choice select'); one.value = %s; one.dispatchEvent(new Event('change')); })()" % json.dumps(name))
        p.b.wait("document.querySelector('.cells').classList.contains(%s)" % json.dumps(name))
        p.b.click(".cells [data-square=c4]")
        p.b.wait(visited, "a6,b3,b5,d3,d5,e2,e6,f1,f7")
    p.b.wait("document.querySelector('.words').innerText.includes('0x')")
    p.hash_is("#/encodings?play=%s&tab=boards&board=bitboard&square=c4" % ITALIAN)
    p.b.press("ArrowRight")  # by keys: the next piece
    p.b.wait("document.activeElement.dataset.square", "e4")
    p.b.press("Enter")
    p.b.wait("document.querySelector('.walked').textContent.startsWith('White pawn on e4')")
    same(p.b.evaluate("document.activeElement.dataset.square"), "e4", "the piece keeps the focus")
    p.open("#/encodings?tab=boards&board=mailbox-10x12&square=g1", CELLS)
    same(p.b.evaluate("[...document.querySelectorAll('.cell.stops')].map(one => one.dataset.order).sort().join()"), "2,3,4,5,6,7", "visits that stop")
    p.open("#/encodings?tab=boards&board=nibble-rows", CELLS)
    same("72365327" in p.b.evaluate("document.querySelector('.words').innerText"), True, "words of rows")


def starts(p):
    p.open("#/encodings", CODES)
    p.b.click(".starts summary")
    p.b.click(".examples a")
    p.hash_is("#/encodings?play=" + ITALIAN)
    p.b.evaluate("document.querySelectorAll('.start')[1].open = true")
    p.b.click(".paste-game textarea")
    p.b.type("[Event \"x\"] 1. d4 {a comment} (1. e4 c5) d5 2. c4 *")
    p.b.click(".paste-game button")
    p.hash_is("#/encodings?play=d2d4,d7d5,c2c4")
    p.b.evaluate("document.querySelectorAll('.start')[2].open = true")
    p.b.wait("document.querySelectorAll('.setup .square').length", 64)
    p.b.wait("document.querySelector('.setup [data-square=c4]').getAttribute('aria-label')", "c4, white pawn")
    p.b.evaluate("document.querySelector('.setup [data-square=c4]').focus()")
    p.b.press("Delete")
    p.b.wait("document.querySelector('.setup [data-square=c4]').getAttribute('aria-label')", "c4, empty")
    same(p.b.evaluate("[...document.querySelectorAll('.palette .tile')].map(one => one.dataset.kind).join('')"), "KQRBNPkqrbnp.", "kinds of a complete position")
    p.b.click(".start .primary")
    p.b.wait("location.hash.startsWith('#/encodings?fen=rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PP2PPPP/RNBQKBNR+b+KQkq+-+0+1')")
    p.b.wait("document.querySelector('.code').dataset.code", "fen")


def widths(p):
    """Nothing is wider than the window, at three widths and in both themes."""
    views = (("move", "play=e2e4,e7e5,g1f3&code=all", CODES), ("position", "code=all", CODES), ("sizes", "play=%s&tab=game" % OPERA, SIZES),
             *(("board-" + name, "tab=boards&board=%s&square=d1" % name, CELLS) for name in SQUARES))
    for size in ((320, 640), (768, 1024), (1280, 900)):
        p.b.size(*size, size[0] < 500)
        for name, query, ready in views:
            p.open("#/encodings?" + query, ready)
            same(p.b.evaluate("document.documentElement.scrollWidth"), size[0], "width of %s at %d" % (name, size[0]))
            same(p.b.evaluate("[...document.querySelectorAll('#view *')].filter(one => !one.closest('svg, .unseen, .cells-box') && one.getBoundingClientRect().right > innerWidth + 0.5).map(one => one.outerHTML.slice(0, 80))"),
                 [], "elements of %s that are cut off at %d" % (name, size[0]))
            for dark in (False, True) if name in ("move", "sizes", "board-x88") else (False,):
                page_axe_driver.colours(p, dark)
                p.picture("encodings-%s-%d-%s" % (name, size[0], "dark" if dark else "light"))
            page_axe_driver.colours(p, False)
    p.b.size(1280, 800)


def accessible(p):
    """axe-core, contrast, keys and shifts, as for the other views."""
    if "AXE" not in os.environ:
        return
    page_axe_driver.VIEWS = (
        ("encodings-move", "#/encodings?play=e2e4,e7e5,g1f3", CODES, ""),
        ("encodings-open", "#/encodings?fen=%s&play=d2d7" % QUEENS, CODES, "document.querySelectorAll('.start, [data-code=tarrasch], [data-code=bcgn]').forEach(one => { one.open = true })"),
        ("encodings-position", "#/encodings", CODES, ""),
        ("encodings-sizes", "#/encodings?play=%s&tab=game&ply=9" % OPERA, SIZES, ""),
        ("encodings-boards", "#/encodings?play=e2e4,e7e5&tab=boards&board=array-16x16&square=g1", CELLS, ""),
        ("encodings-bitboard", "#/encodings?play=e2e4,e7e5&tab=boards&board=bitboard&square=f1", CELLS, ""))
    page_axe_driver.violations(p)
    page_axe_driver.keys(p)
    page_axe_driver.shifts(p)


CHECKS = [codes, fields, decoding, sizes, board_walks, starts, widths, accessible]


def main():
    page = page_driver.Page(*sys.argv[1:])
    page_axe_driver.colours(page, False)
    chosen = [check for check in CHECKS if check.__name__ in os.environ.get("CHECKS", check.__name__)]
    return page_driver.run_all(page, chosen, (errors,))


if __name__ == "__main__":
    sys.exit(main())
