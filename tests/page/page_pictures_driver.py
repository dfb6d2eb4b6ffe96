# SPDX-License-Identifier: MIT
"""Makes the pictures of README.md and doc/reference/page.md. Started by page_pictures.sh.

usage: page_pictures_driver.py ADDRESS ARCHIVE FOLDER     exits with status 1 if a view does not appear
"""
import os
import sys

import page_driver
import small_png
from page_driver import READY

GAME = "document.querySelector('.notation') !== null && !document.querySelector('[aria-busy]')"
FOUND = "document.querySelectorAll('#results .games tbody tr').length > 0 && !document.querySelector('[aria-busy]')"
# Name, size, address, condition. archive=1 is data/games.pgn.
PICTURES = (
    ("explorer", (1200, 760), "#/explore?play=e2e4,c7c5,g1f3,d7d6,d2d4,c5d4,f3d4,g8f6,b1c3,a7a6", READY),
    ("explorer-game", (1200, 760), "#/game/5?archive=1&ply=47", GAME),
    ("explorer-search", (1200, 760), "#/search?sub=8/pp3ppp/4p3/8/3P4/8/PP...PPP/8&go=1", FOUND),
    ("explorer-encodings", (1200, 880), "#/encodings?play=e2e4,e7e5,g1f3&code=move32", "document.querySelector('[data-code=move32] .code-fields') !== null && !document.querySelector('[aria-busy]')"),
    ("explorer-phone", (390, 844), "#/explore?play=e2e4,e7e5,g1f3,b8c6", READY),
    ("explorer-landscape", (844, 390), "#/explore?play=e2e4,e7e5,g1f3,b8c6", READY),
)
# With a server that has an engine.
ENGINE_PICTURES = (("explorer-engine", (1200, 880), "#/game/5?ply=40", GAME),)
THINKS = "Number(document.querySelector('.engine-state')?.textContent.match(/depth (\\d+)/)?.[1]) >= 16"


def pictures(p):
    for name, size, view, ready in ENGINE_PICTURES if os.environ.get("ENGINE") else PICTURES:
        p.b.size(*size, min(size) < 500)
        p.open(view, ready)
        if name == "explorer-engine":
            p.b.evaluate("document.getElementById('engine-switch').click()")
            p.b.wait(THINKS)
        p.settle()
        path = os.path.join(p.pictures, name + ".png")
        p.b.screenshot(path)
        small_png.shrink(path)


def main():
    page = page_driver.Page(*sys.argv[1:])
    try:
        return 0 if page_driver.run(page, pictures) else 1
    finally:
        page.b.close()


if __name__ == "__main__":
    sys.exit(main())
