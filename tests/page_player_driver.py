"""Uses the page's views of players as a user does.

usage: page_player_driver.py ADDRESS ARCHIVE SCREENSHOTS     exits with status 1 if a check fails
"""
import json
import sys

from page_driver import READY, Page, quiet, run, same

SIZES = ((1440, 900), (820, 1180), (390, 844), (320, 640))
NAMES = "[...document.querySelectorAll('.names:not([hidden]) [role=option] .name')].map(one => one.textContent)"
BOXES = "JSON.stringify([...document.querySelectorAll('#view > *, .tree, main')].map(one => { const r = one.getBoundingClientRect(); return [r.x, r.y, r.width, r.height] }))"


def pictures(p, name, heights=SIZES):
    """Saves pictures at all sizes, in light and dark, and checks that nothing is wider than the window."""
    for dark in (False, True):
        p.b.dark(dark)
        for width, height in heights:
            p.b.size(width, height, width < 500)
            p.settle()
            same(p.b.evaluate("document.documentElement.scrollWidth <= innerWidth"), True, "%s fits %d pixels" % (name, width))
            p.picture("%s-%d-%s" % (name, width, "dark" if dark else "light"))
    p.b.dark(False)
    p.b.size(1280, 800)


def a_player_is_chosen(p):
    p.open("#/explore")
    p.b.click(".filter-box summary")
    p.b.click('input[name="player"]')
    before = p.b.evaluate(BOXES)
    p.b.type("vladimir kramn")
    p.b.wait("%s.length" % NAMES, 2)
    same(sorted(p.b.evaluate(NAMES)), ["Kramnik, Vladimir", "Kramnik,V"], "names")
    same(p.b.evaluate(BOXES), before, "nothing moves when names arrive")
    same(p.b.evaluate("document.activeElement.getAttribute('aria-expanded')"), "true", "the list is open")
    pictures(p, "player-box")
    p.b.press("ArrowDown")
    name = p.b.evaluate(NAMES)[0]
    same(p.b.evaluate("document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).dataset.name"), name, "the marked name")
    p.b.press("Enter")
    p.hash_is("#/explore?player=" + name.replace(" ", "+"))
    p.moves_are("--player", name)
    same(p.b.evaluate("document.querySelector('input[name=player]').value"), name, "the field")


def names_need_no_list(p):
    p.open("#/explore")
    p.b.click(".filter-box summary")
    p.b.click('input[name="player"]')
    p.b.type("judit polgar")
    p.b.wait(NAMES + ".join()", "Polgár, Judit")
    p.b.press("Enter")  # without a marked name
    p.b.wait("new URLSearchParams(location.hash.split('?')[1]).get('player')", "Polgár, Judit")
    p.open("#/explore")
    p.b.click(".filter-box summary")
    p.b.click('input[name="player"]')
    p.b.type("short")
    p.b.wait(NAMES + ".join()", "Short,N")
    p.b.press("Escape")
    p.b.wait(NAMES + ".length", 0)
    p.b.press("ArrowDown")
    p.b.wait(NAMES + ".length", 1)
    p.b.click(".names [role=option]")
    p.hash_is("#/explore?player=Short,N")
    p.b.wait(READY)


def the_results_are_the_players(p):
    p.open("#/explore?player=Kramnik,V")
    answer = p.b.evaluate("fetch('lichess?player=Kramnik,V&moves=500').then(one => one.json())")
    p.b.wait("document.querySelector('th.results').textContent", "Won · drawn · lost")
    side = answer["player"]
    whole = side["won"] + side["drawn"] + side["lost"]
    same(p.b.evaluate("document.querySelector('.tree tfoot .bar').getAttribute('aria-label')"),
         "won %d %%, drawn %d %%, lost %d %%" % tuple(int(100 * side[name] / whole + 0.5) for name in ("won", "drawn", "lost")), "results of all games")
    same(p.b.evaluate("[...document.querySelectorAll('.tree tbody .performance')].map(one => one.textContent)"),
         [str(move["player"]["performance"]) if move["player"]["performance"] is not None else "–" for move in answer["moves"]], "performance")
    pictures(p, "player-side")
    p.b.click(".filter-box summary")
    p.b.click('.colours input[value="black"]')
    p.hash_is("#/explore?player=Kramnik,V&color=black")
    p.moves_are("--black", "Kramnik,V")
    same(p.b.evaluate("document.querySelector('.colours :checked').value"), "black", "the colour")
    p.go("#/explore?play=e2e4", READY + " && document.querySelector('th.results').textContent.startsWith('White')")
    same(p.b.evaluate("document.querySelector('.colours :checked').value"), "", "both colours")


CHECKS = (a_player_is_chosen, names_need_no_list, the_results_are_the_players)

def main():
    page = Page(*sys.argv[1:])
    try:
        right = [run(page, check) for check in CHECKS] + [quiet(page)]
    finally:
        page.b.close()
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
