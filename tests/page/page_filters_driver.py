# SPDX-License-Identifier: MIT
"""Uses the filters of the page of `stamma serve`. Started by page_filters.sh.

usage: page_filters_driver.py ADDRESS ARCHIVE SCREENSHOTS     exits with status 1 if a check fails
The server also has other.stamma, as archive 1.
"""
import datetime
import os
import subprocess
import sys

import page_driver
from page_driver import READY, same

SIZES = ((1440, 900), (820, 1180), (390, 844), (320, 568))
CHIPS = "[...document.querySelectorAll('.chip')].map(one => one.textContent)"
VIEWS = {"#/explore": READY, "#/search": "document.querySelectorAll('.setup .square').length === 64", "#/statistics": "document.querySelector('.card') !== null"}
IDLE = "!document.querySelector('[aria-busy]')"
COUNTS = {"#/explore": "document.querySelector('.heading .summary')?.textContent", "#/search": "document.querySelector('.found-title h2').textContent",
          "#/statistics": "document.querySelector('.card dd').textContent + ' games'"}


def number(view, archives, *options):
    """The number of games that the command finds; in the explorer, only games that begin in the initial position."""
    start = ["--fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"] if "explore" in view else []
    answer = subprocess.run([os.environ["STAMMA"], "find", "--count", *archives, *start, *options], capture_output=True, check=False)
    return "%d games" % int(answer.stdout)


def choose(p, *numbers):
    """Ticks these archives in the menu, and no others; without numbers, all."""
    p.b.evaluate("document.querySelector('.source-menu').open = true")
    if not numbers:
        p.b.click(".source-menu .menu-box button")
    for number in p.b.evaluate("[...document.querySelectorAll('.source input')].map(one => [Number(one.value), one.checked])") if numbers else []:
        if number[1] != (number[0] in numbers):
            p.b.click('.source input[value="%d"]' % number[0])
            p.b.wait(IDLE)


def chips(p):
    """Each view shows its filters. Each filter can be removed by the mouse and by keys."""
    for view, ready in VIEWS.items():
        p.open(view + "?player=Kasparov&color=white&since=1980&speeds=rapid,blitz", "document.querySelectorAll('.chip').length === 4 && " + IDLE)
        same(p.b.evaluate(CHIPS), ["player Kasparov", "with white", "since 1980", "rapid, blitz"], "filters of " + view)
        p.b.click(".chip:nth-child(4) button")
        p.hash_is(view + "?player=Kasparov&color=white&since=1980" + ("&go=1" if "search" in view else ""))
        p.b.wait("document.activeElement.closest('.chip') !== null")  # so that keys can remove the next filter
        wanted = number(view, [p.archive, "other.stamma"], "--white", "Kasparov", "--date", "1980..")
        p.b.wait(COUNTS[view], wanted)
        p.b.press("Enter")  # the first chip: the player and the colour
        p.hash_is(view + "?since=1980" + ("&go=1" if "search" in view else ""))
        p.b.wait(COUNTS[view], number(view, [p.archive, "other.stamma"], "--date", "1980.."))
        p.b.press("Enter")
        p.b.wait("document.querySelectorAll('.chip').length === 0 && document.activeElement.className", "filter-toggle")
        p.b.wait(IDLE)
        same(p.b.evaluate("document.querySelector('.chips').textContent"), "No filters", "the line of " + view)
        names = [name for role, name in p.b.accessible() if role in ("button", "DisclosureTriangle")]
        same([name for name in ("Filters", "Archives: All archives") if name not in names], [], "names of controls in " + view)


def archives(p):
    """The archive is part of the address, and clearing filters keeps it."""
    for view, ready in VIEWS.items():
        p.open(view, ready)
        p.b.wait("[document.querySelector('.source-menu summary').textContent, ...[...document.querySelectorAll('.source .name')].map(one => one.textContent)].join()", "All archives,games.stamma,other.stamma")
        go = "&go=1" if "search" in view else ""
        choose(p, 1)
        p.hash_is(view + "?archive=1" + go)
        p.b.wait(COUNTS[view], number(view, ["other.stamma"]))
        p.go(view + "?archive=1&result=1-0" + go, "document.querySelectorAll('.chip').length === 1")
        p.b.wait(COUNTS[view], number(view, ["other.stamma"], "--result", "1-0"))
        p.b.click(".filter-toggle")
        p.b.click('.filters button[type="reset"]')
        p.hash_is(view + "?archive=1" + go)
        choose(p)
        p.hash_is(view + ("?go=1" if go else ""))
        p.b.wait(COUNTS[view], number(view, [p.archive, "other.stamma"]))


def presets(p):
    """Presets are added to other filters. Saved filters replace other filters, remain in the browser, and can be
    deleted."""
    year = str(datetime.date.today().year - 5)
    p.open("#/explore?player=Carlsen")
    for name, wanted in (("Masters 2400+", "&rating=2400.."), ("Last five years", "&rating=2400..&since=" + year), ("Masters 2400+", "&since=" + year)):
        p.b.click(".menu summary")
        item = "[...document.querySelectorAll('.menu-box button')].find(one => one.textContent === '%s')" % name
        p.b.wait(item + "?.offsetParent !== undefined")
        p.b.evaluate(item + ".click()")
        p.hash_is("#/explore?player=Carlsen" + wanted)
        p.b.wait("!document.querySelector('.menu').open")
    p.go("#/explore?result=1-0&white=Ann", "document.querySelectorAll('.chip').length === 2")
    p.b.click(".menu summary")
    p.b.wait("document.querySelector('.menu-box form') !== null")
    p.b.click(".menu-box input")
    p.b.type("<b>Ann</b>")
    p.b.press("Enter")
    p.b.wait("[...document.querySelectorAll('.menu-box .menu-row .quiet')].map(one => one.textContent).join()", "<b>Ann</b>")
    for size in SIZES:
        p.b.size(*size)
        p.settle()
        same(p.b.evaluate("document.documentElement.scrollWidth <= innerWidth"), True, "presets fit into %d" % size[0])
        p.picture("filters-presets-%d-light" % size[0])
    p.b.size(1280, 800)
    p.b.press("Escape")
    p.b.wait("!document.querySelector('.menu').open && document.activeElement.textContent", "Presets")
    p.open("#/statistics?since=1900", "document.querySelectorAll('.chip').length === 1")  # in another view, after loading the page again
    p.b.click(".menu summary")
    p.b.click(".menu-box .menu-row .quiet")
    p.hash_is("#/statistics?white=Ann&result=1-0")
    p.b.click(".menu summary")
    p.b.wait("document.querySelector('.menu-box .menu-row .quiet').getAttribute('aria-pressed')", "true")
    p.b.click(".drop-preset")
    p.b.wait("document.querySelectorAll('.drop-preset').length", 0)
    p.b.click("h1")
    p.b.wait("!document.querySelector('.menu').open")
    same(p.b.evaluate("localStorage.getItem('presets')"), "[]", "what is saved")


def looks(p):
    for width, height in SIZES:
        p.b.size(width, height)
        for dark in (False, True):
            p.b.dark(dark)
            p.open("#/explore?player=Kasparov&since=1980&rating=2000..", "document.querySelectorAll('.chip').length === 3 && !document.querySelector('.sources').hidden && " + IDLE)
            if width < 700:
                p.b.evaluate("document.querySelector('.filter-box').scrollIntoView({ block: 'center' })")
            p.settle()
            same(p.b.evaluate("document.documentElement.scrollWidth <= innerWidth"), True, "filters fit into %d" % width)
            p.picture("filters-%d-%s" % (width, "dark" if dark else "light"))
    p.b.dark(False)
    p.b.size(1440, 900)
    p.b.click(".filter-toggle")
    p.settle()
    p.picture("filters-form-1440-light")


def main():
    return page_driver.run_all(page_driver.Page(*sys.argv[1:]), (chips, archives, presets, looks))


if __name__ == "__main__":
    sys.exit(main())
