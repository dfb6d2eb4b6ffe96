# SPDX-License-Identifier: MIT
"""Opens pages of `stamma report` in headless Chromium: both colour schemes, a wide and a narrow window, and print.

usage: report_page.py SCREENSHOTS HOSTILE PAGE...    exits with status 1 if a check fails

HOSTILE is a page of a player whose name, opponent and event contain markup.
"""
import os
import sys

import browser

HOSTILE = "<script>document.title='hurt'</script><b>\"'&\uFFFD"
# Elements whose right or left edge is outside of the window, or of their scrolling box.
OUTSIDE = """[...document.querySelectorAll('main *')].filter(e => {
    const r = e.getBoundingClientRect();
    if (r.width === 0 || e.closest('caption') || e.closest('details')) return false;
    const box = e.closest('.wide');
    const [left, right] = box && e !== box ? [-1e9, 1e9] : [0, document.documentElement.clientWidth];
    return r.left < left - 0.6 || r.right > right + 0.6;
}).map(e => e.outerHTML.slice(0, 120))"""
# Texts of a plot that leave its figure, and texts of an axis that overlap.
PLOTS = """[...document.querySelectorAll('figure')].flatMap(figure => {
    const frame = figure.getBoundingClientRect();
    const texts = [...figure.querySelectorAll('svg text')].map(e => [e.textContent, e.getBoundingClientRect()]);
    const out = texts.filter(([, r]) => r.left < frame.left || r.right > frame.right || r.bottom > frame.bottom);
    const over = texts.filter(([, a], i) => texts.some(([, b], k) => k > i && a.left < b.right && b.left < a.right &&
        a.top < b.bottom - 1 && b.top < a.bottom - 1));
    return [...out, ...over].map(([text]) => text);
})"""
# The lowest contrast (WCAG 2.1) of texts, and of the shapes of plots, to their background.
CONTRAST = """(() => {
    const parts = color => color.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const ratio = (a, b) => { const [x, y] = [light(parts(a)), light(parts(b))].sort((m, n) => n - m); return (x + 0.05) / (y + 0.05); };
    const background = e => { for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor);
        if (c.length < 4 || c[3] > 0) return getComputedStyle(e).backgroundColor; } return 'rgb(255,255,255)'; };
    const lowest = (list, color) => Math.min(...list.map(e => ratio(color(e), background(e))));
    const texts = [...document.querySelectorAll('main *')].filter(e => e.getClientRects().length > 0 && !e.closest('caption') &&
        [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim() !== ''));
    const shapes = [...document.querySelectorAll('rect:not(.hit), circle')];
    const lines = [...document.querySelectorAll('line.line')];
    return [lowest(texts, e => e.closest('svg') ? getComputedStyle(e).fill : getComputedStyle(e).color),
        lowest(shapes, e => getComputedStyle(e).fill), lowest(lines, e => getComputedStyle(e).stroke)];
})()"""
# Fonts of the checks, which do not depend on the fonts of the machine: a font with the usual height and width, and a
# font that is higher and wider than the fonts of common systems.
FONTS = {"usual": "ascent-override:93%;descent-override:24%",
         "high and wide": "ascent-override:115%;descent-override:45%;size-adjust:112%"}
USE_FONT = """(async () => {
    document.head.insertAdjacentHTML('beforeend', `<style>@font-face{font-family:chosen;src:local("DejaVu Sans"),
        local("Liberation Sans"),local("Noto Sans");%s}*{font-family:chosen!important}</style>`);
    return (await document.fonts.load('12px chosen')).map(face => face.status);
})()"""
TEXTS = "[...document.querySelectorAll('h1, td, footer')].map(e => e.textContent)"


def same(got, wanted, what):
    if got != wanted:
        raise browser.Failed("%s: %r, not %r" % (what, got, wanted))


def check_layout(b, what):
    same(b.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), True, what + ": scrolls")
    same(b.evaluate(OUTSIDE), [], what + ": outside of the window")
    same(b.evaluate(PLOTS), [], what + ": texts of plots")


def use_font(b, name):
    same(b.evaluate(USE_FONT % FONTS[name]), ["loaded"], "fonts")


def check_contrast(b, what):
    text, shape, line = b.evaluate(CONTRAST)
    if text < 4.5 or any(ratio is not None and ratio < 3 for ratio in (shape, line)):
        raise browser.Failed("%s: contrast of texts %s, of shapes %s, of lines %s" % (what, text, shape, line))


def check_print(b, page):
    """A sheet of A4 with margins of 1 cm has 718 CSS pixels."""
    b.size(718, 1000)
    b.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    same(b.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor"), "rgb(255, 255, 255)", "paper")
    same(b.evaluate("[...document.querySelectorAll('.wide')].every(e => e.scrollWidth <= e.clientWidth)"), True, page + ": print is cut")
    check_layout(b, page + ", print")
    check_contrast(b, page + ", print")
    pdf = b.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=True)["data"]
    if len(pdf) < 10000:
        raise browser.Failed("the printed page is empty")
    b.call("Emulation.setEmulatedMedia", media="", features=[])


def check_page(b, page, pictures):
    name = os.path.basename(page)[:-len(".html")]
    for width, dark, font in ((1440, False, "usual"), (1440, True, "high and wide"), (390, False, "high and wide"), (390, True, "usual")):
        what = "%s, %d, %s, font %s" % (name, width, "dark" if dark else "light", font)
        b.size(width, 1000)
        b.dark(dark)
        b.open("file://" + os.path.abspath(page))
        b.wait("document.readyState", "complete")
        use_font(b, font)
        check_layout(b, what)
        check_contrast(b, what)
        b.screenshot(os.path.join(pictures, "%s-%d-%s.png" % (name, width, "dark" if dark else "light")))
    same(b.evaluate("document.querySelectorAll('script, link, img, iframe').length"), 0, "other files")
    same(b.evaluate("[...document.querySelectorAll('td.bar svg')].every(e => e.getAttribute('aria-label'))"), True, "names of bars")
    check_print(b, name)


def make_picture(b, page, path):
    """Makes the picture of doc/howto/prepare_opponent.md."""
    b.size(1100, 1500)
    b.dark(False)
    b.open("file://" + os.path.abspath(page))
    b.wait("document.readyState", "complete")
    b.screenshot(path)


def check_hostile(b, page):
    b.open("file://" + os.path.abspath(page))
    b.wait("document.readyState", "complete")
    same(b.evaluate("document.title"), "<script>", "title")  # the requested name
    same(b.evaluate("document.querySelectorAll('script, td b b, h1 *').length"), 0, "elements made of text")
    texts = b.evaluate(TEXTS)
    if sum(text == HOSTILE for text in texts) < 3:
        raise browser.Failed("the texts are not shown as they are: %r" % [text for text in texts if "script" in text])


def main():
    pictures, hostile, *pages = sys.argv[1:]
    b = browser.Browser()
    try:
        for page in [hostile, *pages]:
            check_page(b, page, pictures)
        check_hostile(b, hostile)
        if pages:
            make_picture(b, pages[0], os.path.join(pictures, "report.png"))
        same(b.logged, [], "messages of the browser")
        same([one for one in b.requests if not one.startswith("file://") or not one.endswith(".html")], [], "requests")
    except browser.Failed as failure:
        sys.exit("FAILED: %s" % failure)
    finally:
        b.close()
    print("%d pages" % (1 + len(pages)))


if __name__ == "__main__":
    main()
