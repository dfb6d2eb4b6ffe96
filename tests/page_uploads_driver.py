"""Uses the view Archives of the page of `stamma serve` in Chromium.

usage: page_uploads_driver.py ADDRESS ARCHIVE SCREENSHOTS PART    exits with status 1 if a check fails
"""
import json
import sys

import page_driver
from page_driver import same

WIDTHS = ((1440, 900), (820, 1100), (390, 844), (320, 568))
# Links, texts and fields that are cut off at the right, or wider than their window.
WIDE = "[...document.querySelectorAll('body *')].filter(one => one.getClientRects().length && one.getBoundingClientRect().right > %d)" \
       ".map(one => one.outerHTML.slice(0, 100))"
CELLS = "JSON.stringify([...document.querySelectorAll('.archives-table tbody tr')].map(row => [...row.children].filter(one => one.getClientRects().length)" \
        ".map(one => one.innerText.trim())))"
# The contrast of each text with its background, as WCAG 2.2 defines it: the texts below 4.5.
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


def everywhere(p, name):
    """Looks at the view at all widths, light and dark."""
    for dark in (False, True):
        p.b.dark(dark)
        for width, height in WIDTHS:
            p.b.size(width, height, width < 500)
            p.settle()
            same(p.b.evaluate("document.documentElement.scrollWidth"), width, "%s fits at %d" % (name, width))
            same(p.b.evaluate(WIDE % width), [], "elements of %s that are cut off at %d" % (name, width))
            same(p.b.evaluate(CONTRAST), [], "contrast of %s" % name)
            p.picture("%s-%d-%s" % (name, width, "dark" if dark else "light"))
    p.b.dark(False)
    p.b.size(1280, 800)


def first_use(p):
    """Without archives, the page describes how to begin, and has no error."""
    p.open("", "document.querySelector('.steps') !== null")
    same(p.b.evaluate("location.hash"), "#/archives", "the first view")
    same(p.b.evaluate("document.querySelector('h1').textContent"), "How to begin", "heading")
    same(p.b.evaluate("[...document.querySelectorAll('.steps pre')].map(one => one.textContent)"),
         ["stamma pack games.pgn -o games.stamma", "stamma index games.stamma", "stamma serve games.stamma --open"], "commands")
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


PARTS = {"empty": [first_use], "listed": [list_of_archives]}


def main():
    page = page_driver.Page(*sys.argv[1:4])
    try:
        right = [page_driver.run(page, check) for check in PARTS[sys.argv[4]]] + [page_driver.quiet(page)]
    finally:
        page.b.close()
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
