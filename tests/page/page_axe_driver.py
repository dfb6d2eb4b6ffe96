# SPDX-License-Identifier: MIT
"""Checks the accessibility of all views of the page of `stamma serve`. Started by page_axe.sh, with the file of axe-core
in AXE, in a folder with sample.pgn. The server has an engine, and opens uploads.

usage: page_axe_driver.py ADDRESS ARCHIVE SCREENSHOTS     exits with status 1 if a check fails
"""
import json
import os
import sys

import page_driver
from page_driver import READY, choose_file, same

GAME = "document.querySelector('.notation') !== null && !document.querySelector('[aria-busy]')"
FOUND = "document.querySelector('#results .games') !== null && !document.querySelector('[aria-busy]')"
NUMBERS = "document.querySelectorAll('.chart svg').length === 2"
SETUP = "document.querySelectorAll('.setup .square').length === 64"
OPEN_ALL = "document.querySelectorAll('#view details:not(.menu)').forEach(one => { one.open = true });" \
           "document.querySelectorAll('.filter-toggle[aria-expanded=false]').forEach(one => one.click())"
EXPLAIN = "document.querySelector('.explanation:popover-open') ?? document.querySelector('%s .explain').click()"
QUIET = "document.querySelector('#view %s') !== null && !document.querySelector('[aria-busy]')"
WIDTHS = ((1440, 900), (820, 1180), (390, 844), (320, 568))
DARK_WIDTHS = (1440, 390)
IDLE = "!document.querySelector('[aria-busy]')"
ENGINE_ON = "document.querySelector('#engine-switch[aria-checked=false]')?.click()"
LINES = "document.querySelectorAll('.engine-lines li:not(.coming)').length === 3"
ANALYSE = "document.querySelector('.dot') ?? document.querySelector('.game-analysis button').click()"
ANALYSED = "document.querySelector('.dot') !== null && document.querySelector('.game-analysis button').textContent === 'Analyse again'"
MAKE = "document.querySelector('.lines') ?? (() => { const form = document.querySelector('.from-text'); form.elements.text.value = '1. e4 e5 (1... c5) 2. Nf3 (2. f4) Nc6 3. Bb5 *'; form.requestSubmit() })()"
PASTE = "document.querySelector('.variation.own') ?? (() => { const data = new DataTransfer(); data.setData('text/plain', '%s'); document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })) })()"
UPLOAD = "document.querySelector('.messages') ?? " + choose_file("sample.pgn")
# Name, address, condition, the action before the view is examined, and the condition after this action. Later views
# have the archive that `upload` opens.
VIEWS = (
    ("explore", "#/explore?play=e2e4,e7e5,g1f3&history=1", READY, ""),
    ("explore-filters", "#/explore?player=Carlsen&result=1-0", READY, OPEN_ALL),
    ("explore-presets", "#/explore", READY, "document.querySelector('.menu').open = true"),
    ("explore-empty", "#/explore?fen=7k/P7/8/8/8/8/8/7K+w+-+-+0+1", "document.querySelector('#tree .empty') !== null", ""),
    ("game", "#/game/87?ply=40", GAME, OPEN_ALL),
    ("game-engine", "#/game/88?ply=4", GAME, EXPLAIN % ".half"),
    ("game-remarks", "#/game/5?ply=48&line=0", GAME, ""),
    ("analysis-pgn", "#/analysis?pgn=1.+e4+e5+(1...+c5+$6)+2.+Nf3+{[%25cal+Gf3e5]+good}+*&play=e2e4,c7c5", QUIET % ".moves", OPEN_ALL),
    ("own-variation", "#/game/1?ply=4", QUIET % ".notation [aria-current]" + " && document.title.startsWith('Anderssen')", PASTE % "Nf3 g5", "document.querySelector('.variation.own') !== null"),
    ("analyses", "#/analysis/all", QUIET % ".library li", OPEN_ALL),
    ("search", "#/search?sub=rnbqkbnr/pppp1ppp/..../8/4pA?a/8/PPPP1PPP/RNBQKBNR", SETUP, OPEN_ALL),
    ("found", "#/search?go=1", FOUND, ""),
    ("statistics", "#/statistics", NUMBERS, OPEN_ALL),
    ("archives", "#/archives", QUIET % "table", ""),
    ("player", "#/player/Kasparov,%20Garry?color=white", QUIET % "table", ""),
    ("prepare", "#/prepare?me=Kasparov&opponent=Karpov", QUIET % "h1", ""),
    ("training", "#/training?player=%3DKasparov,+Garry", QUIET % ".from-text", ""),
    ("training-moves", "#/training", QUIET % ".from-text", MAKE, "document.querySelector('.answers-of') !== null"),
    ("duplicates", "#/duplicates", "document.querySelector('input[type=file]') !== null", ""),
    ("help", "#/explore", READY, "document.getElementById('help').open || document.getElementById('help').showModal()"),
    ("bits", "#/explore", READY, EXPLAIN % ".tree"),
    ("lines", "#/explore?play=e2e4,e7e5", READY, ENGINE_ON, LINES),
    ("analysed", "#/game/81?ply=9", GAME, ANALYSE, ANALYSED),
    ("upload", "#/archives", QUIET % "table", UPLOAD, "document.querySelector('.messages li') !== null"),
    ("uploaded", "#/explore?archive=1", READY, ""),
)
# WCAG permits 3:1 for large text; this test requires 4.5:1 everywhere.
AXE_RUN = """(async () => {
    const contrast = { contrastRatio: { normal: { expected: 4.5 }, large: { expected: 4.5 } } };
    axe.configure({ checks: [{ id: 'color-contrast', options: contrast }] });
    const only = %s;
    const rules = only.length > 0 ? { runOnly: only } : { rules: { 'target-size': { enabled: true } } };
    const { violations } = await axe.run(document, { resultTypes: ['violations'], ...rules });
    // The moves that the graph marks are also in the list of moves (WCAG 2.5.8, equivalent control).
    const counts = (id, html) => !(id === 'target-size' && html.startsWith('<a class="dot '));
    return violations.flatMap(({ id, nodes }) => nodes.filter(({ html }) => counts(id, html)).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.split('\\n')[1]}`));
})()"""
# axe-core examines neither text in SVG nor placeholders.
CONTRAST = """(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgb = (...colours) => { canvas.clearRect(0, 0, 1, 1); for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3); };
    const light = (c) => c.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
    const background = (e) => { const below = []; for (let at = e; at; at = at.parentElement) below.unshift(getComputedStyle(at).backgroundColor); return below; };
    const shown = (e) => e.getClientRects().length > 0;
    const bad = [];
    const look = (what, front, back) => { const r = ratio(rgb(...back, front), rgb(...back)); if (r < 4.5) bad.push(`${what}: ${r.toFixed(2)}`); };
    for (const e of document.querySelectorAll('input, textarea')) {
        const style = getComputedStyle(e, '::placeholder');
        if (shown(e) && e.placeholder) look(`placeholder ${e.placeholder}`, style.color.replace('rgb(', 'rgba(').replace(')', `, ${style.opacity})`), background(e));
    }
    for (const e of document.querySelectorAll('#view svg text')) if (shown(e)) look(`text ${e.textContent}`, getComputedStyle(e).fill, background(e.closest('svg')));
    for (const e of document.querySelectorAll('.sign')) if (shown(e)) look(`sign ${e.textContent}`, getComputedStyle(e).color, [getComputedStyle(e.parentElement).backgroundColor]);
    for (const e of document.querySelectorAll('#board .coordinate')) {
        const square = document.querySelector(`#board .square.${e.classList.contains('white') ? 'white' : 'black'}`);
        look(`coordinate ${e.textContent}`, getComputedStyle(e).color, [getComputedStyle(square).backgroundColor]);
    }
    for (const e of document.querySelectorAll('.setup .square')) for (const part of ['::before', '::after']) {
        if (getComputedStyle(e, part).content !== 'none') look(`coordinate of ${e.dataset.square}`, getComputedStyle(e, part).color, [getComputedStyle(e).backgroundColor]);
    }
    return [...new Set(bad)];
})()"""


SEEN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
# Tab must reach all controls, but only one of a group of radio buttons or of a composite control, whose other parts
# have tabindex -1.
CONTROLS = """(() => {
    const scope = document.querySelector('dialog[open]') ?? document;
    const all = [...scope.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(e => e.checkVisibility({ visibilityProperty: true }) && !e.disabled && e.tabIndex >= 0
        && e.id !== 'main' && !(e.type === 'radio' && !e.checked && document.querySelector(`input[name="${e.name}"]:checked`)));
    window.controls = all;
    return all.length;
})()"""
INDEX = "window.controls.indexOf(document.activeElement)"
NAMES = "window.controls.map(one => one.outerHTML.slice(0, 100))"
LOST = """[...document.querySelectorAll('button, a[href], input, [role=gridcell], [role=tab], [role=radio]')].filter(e => e.tabIndex < 0 && e.getClientRects().length > 0
    && !e.closest('[role=grid], [role=radiogroup], [role=tablist], [role=listbox], .engine-lines li')?.querySelector('[tabindex="0"]')).map(e => e.outerHTML.slice(0, 100))"""
FOCUSED = """(() => {
    const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e.closest('.segments label')?.querySelector('span') ?? e);
    const at = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 20));
    const problems = [];
    if (style.outlineStyle === 'none') problems.push('no outline');
    if (box.width > 1 && !(at && (e.contains(at) || at.contains(e) || at.closest('label')?.contains(e)))) problems.push(`hidden by ${at?.outerHTML.slice(0, 60)}`);
    return problems.map(one => `${one}: ${e.outerHTML.slice(0, 100)}`);
})()"""
SHIFTS = """window.shifts = []; new PerformanceObserver(list => { for (const one of list.getEntries()) if (!one.hadRecentInput)
    window.shifts.push([one.value, ...one.sources.map(({ node, previousRect, currentRect }) => `${(node?.outerHTML ?? node?.textContent ?? '').slice(0, 60)} ${Math.round(previousRect.top)} to ${Math.round(currentRect.top)}`)]); })
    .observe({ type: 'layout-shift', buffered: true })"""


def act(p, action, done=IDLE):
    """Performs the action that a view needs before it is examined."""
    p.b.evaluate(action)
    p.b.wait("%s && %s" % (done, IDLE))
    p.settle()


def violations(p):
    """axe-core reports nothing, and all text has a contrast of at least 4.5:1. Colours depend only on the theme, so the
    other rules are tested with one theme, and the dark theme at two widths. The widths between differ only in layout."""
    with open(os.environ["AXE"], encoding="utf-8") as file:
        axe = file.read() + "; 0"
    wrong = []
    for name, view, ready, *more in VIEWS:
        p.b.size(1440, 900)
        p.open(view, ready)
        p.b.evaluate(axe)
        for width, height in WIDTHS:
            p.b.size(width, height, width < 500)
            act(p, *more)
            for dark in (False, True) if width in DARK_WIDTHS else (False,):
                colours(p, dark)
                p.b.evaluate(SEEN)
                where = "%s at %d, %s: " % (name, width, "dark" if dark else "light")
                rules = ["color-contrast"] if dark else [] if width in DARK_WIDTHS else ["color-contrast", "target-size"]
                wrong += [where + one for one in p.b.evaluate(AXE_RUN % json.dumps(rules)) + p.b.evaluate(CONTRAST)]
                p.b.screenshot(os.path.join(p.pictures, "%s-%d-%s.png" % (name, width, "dark" if dark else "light")))
            if p.b.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wrong.append("%s is wider than %d" % (name, width))
    for line in wrong:
        print(line)
    same(len(wrong), 0, "violations")


def keys(p):
    """Tab reaches every control, in a visible place with an outline. Tests all views on a phone, where the sticky board
    can hide the focused control, and the views with the most controls in a wide window."""
    for size in ((1440, 900), (390, 844)):
        p.b.size(*size, size[0] < 500)
        for name, view, ready, *more in VIEWS:
            if name in ("bits", "game-engine") or (size[0] > 500 and name not in ("explore-filters", "game", "analysis-pgn", "search", "lines", "upload")):
                continue
            p.open(view, ready)
            act(p, *more)
            p.b.evaluate(SEEN)
            same(p.b.evaluate(LOST), [], "controls of %s without keys" % name)
            number = p.b.evaluate(CONTROLS)
            reached, problems = set(), []
            for _ in range(number + 30):
                p.b.press("Tab")
                at, found = p.b.evaluate("[%s, %s]" % (INDEX, FOCUSED))
                if at in reached:
                    break
                if at >= 0:
                    reached.add(at)
                    problems += found
            same(problems, [], "focus in %s at %d" % (name, size[0]))
            names = p.b.evaluate(NAMES)
            same([names[n] for n in range(number) if n not in reached], [], "controls of %s that Tab does not reach" % name)


def shifts(p):
    """Nothing moves when answers arrive, however late."""
    p.b.call("Page.addScriptToEvaluateOnNewDocument", source=SHIFTS)
    p.b.call("Network.emulateNetworkConditions", offline=False, latency=250, downloadThroughput=-1, uploadThroughput=-1)
    wrong = []
    for size in ((1440, 900), (390, 844)):
        p.b.size(*size, size[0] < 500)
        for name, view, ready, action, *_ in VIEWS:
            if action:
                continue
            p.open(view, ready)
            p.settle()
            found = p.b.evaluate("window.shifts")
            if sum(one[0] for one in found) >= 0.01:
                wrong.append("%s at %d: %s" % (name, size[0], json.dumps(found, indent=1)))
    p.b.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    for line in wrong:
        print(line)
    same(len(wrong), 0, "views that move")


def colours(p, dark):
    """Sets the theme. Animations are off."""
    p.b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}, {"name": "prefers-reduced-motion", "value": "reduce"}])


def main():
    page = page_driver.Page(*sys.argv[1:])
    colours(page, False)
    checks = [check for check in (violations, keys, shifts) if check.__name__ in os.environ.get("CHECKS", check.__name__)]
    return page_driver.run_all(page, checks)


if __name__ == "__main__":
    sys.exit(main())
