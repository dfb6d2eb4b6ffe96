# SPDX-License-Identifier: MIT
"""Uses the view Analysis of the page of `stamma serve`. Started by page_analysis.sh.

usage: page_analysis_driver.py ADDRESS ARCHIVE SCREENSHOTS     exits with status 1 if a check fails
"""
import io
import json
import os
import subprocess
import sys
import tempfile
import urllib.request

import chess
import chess.pgn
import page_driver
from page_driver import POSITION, READY, SQUARE, same

THERE = "document.querySelector('#view.analysis .moves') !== null"
SHOWN = "document.querySelector('.moves [aria-current]')?.firstChild.data ?? null"
MOVES = "document.querySelector('.moves').innerText.replace(/\\s+/g, '')"
MARKS = "[...document.querySelectorAll('#board .marks [data-mark]')].map(one => one.dataset.mark)"
CONTROL, SHIFT, ALT = 2, 8, 1
DRAWN = 90  # number of STUDY in the archive
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "page_study.pgn"), encoding="utf-8") as file:
    STUDY = file.read()
SIZES = ((1440, 900), (820, 1180), (390, 844), (320, 568))
ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
ENDING = "8/5k2/8/8/3K4/8/4P3/8 b - - 3 40"


def press(p, key, modifiers):
    for kind in ("rawKeyDown", "keyUp"):
        p.b.call("Input.dispatchKeyEvent", type=kind, key=key, code="Key" + key.upper(), windowsVirtualKeyCode=ord(key[0].upper()), modifiers=modifiers)


def play(p, *moves):
    """Types moves."""
    for move in moves:
        before = p.b.evaluate("location.hash")
        p.b.click("#typed-move")
        p.b.type(move)
        p.b.press("Enter")
        p.b.wait("location.hash !== %s" % json.dumps(before))
    p.b.evaluate("document.activeElement.blur()")


def fresh(p):
    """Opens a new analysis in a browser that stores no analysis."""
    p.open("#/explore")
    p.b.evaluate("localStorage.clear()")
    p.open("#/analysis?new=1", THERE + " && location.hash.startsWith('#/analysis/')")


def reload(p):
    p.b.evaluate("window.before = true; location.reload()")
    p.b.wait("window.before === undefined && " + THERE)


def copied(p, what):
    """Copies something, and returns the contents of the clipboard."""
    p.b.evaluate("document.querySelector('[data-copy=%s]').click()" % what)
    p.b.wait("document.querySelector('.said').textContent", "Copied: " + what)
    return p.b.evaluate("navigator.clipboard.readText()")


def game_of(p):
    """Reads the copied PGN with python-chess, and packs it: every move must be stored as a move."""
    text = copied(p, "PGN")
    game = chess.pgn.read_game(io.StringIO(text))
    same(game.errors, [], "errors in " + text)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.pgn")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        packed = subprocess.run([os.environ["STAMMA"], "pack", "--strict", "-q", path], capture_output=True, check=False)
        same((packed.returncode, packed.stderr), (0, b""), "packing " + text)
    return game


def movetext(game):
    exporter = chess.pgn.StringExporter(headers=False, columns=None)
    return " ".join(game.accept(exporter).split())


def variations(p):
    fresh(p)
    play(p, "e4", "e5", "Nf3", "Nc6", "Bc4")
    p.b.wait(SHOWN, "Bc4")
    p.b.press("ArrowLeft")
    p.b.wait(SHOWN, "Nc6")
    p.settle()
    p.b.drag(SQUARE % "f1", SQUARE % "b5")  # a variation, with the mouse
    p.b.wait(SHOWN, "Bb5")
    play(p, "a6")
    same(movetext(game_of(p)), "1. e4 e5 2. Nf3 Nc6 3. Bc4 ( 3. Bb5 a6 ) *", "a variation")
    p.b.press("Home")
    p.settle()
    play(p, "e4")  # an existing move
    same(p.b.evaluate("document.querySelector('.moves [data-at=\"main.1\"]').hasAttribute('aria-current')"), True, "the existing move is shown")
    play(p, "c5")
    p.b.press("ArrowUp")
    p.b.wait(SHOWN, "e5")
    p.b.press("ArrowDown")
    p.b.wait(SHOWN, "c5")
    p.b.press("p")
    p.b.wait(MOVES, "1.e4c51…e52.Nf3Nc63.Bc43.Bb5a6*")
    same(movetext(game_of(p)), "1. e4 c5 ( 1... e5 2. Nf3 Nc6 3. Bc4 ( 3. Bb5 a6 ) ) *", "the promoted line")
    p.b.evaluate("[...document.querySelectorAll('a.move')].find(one => one.textContent === 'Bb5').click()")
    p.b.wait(SHOWN, "Bb5")
    p.b.press("Delete")
    p.b.wait(SHOWN, "Nc6")
    same(movetext(game_of(p)), "1. e4 c5 ( 1... e5 2. Nf3 Nc6 3. Bc4 ) *", "after deleting")
    press(p, "z", CONTROL)
    p.b.wait(SHOWN, "Bb5")
    same(movetext(game_of(p)), "1. e4 c5 ( 1... e5 2. Nf3 Nc6 3. Bc4 ( 3. Bb5 a6 ) ) *", "after undoing")
    press(p, "z", CONTROL)
    same(movetext(game_of(p)), "1. e4 e5 ( 1... c5 ) 2. Nf3 Nc6 3. Bc4 ( 3. Bb5 a6 ) *", "after undoing twice")
    press(p, "y", CONTROL)
    press(p, "z", CONTROL | SHIFT)
    same(movetext(game_of(p)), "1. e4 c5 ( 1... e5 2. Nf3 Nc6 3. Bc4 ) *", "after redoing")
    same(p.b.evaluate("[...document.querySelectorAll('.edit-bar button')].map(one => one.disabled)"), [False, True, False, False], "buttons that are disabled")


def signs_and_comments(p):
    fresh(p)
    play(p, "d4", "d5", "c4")
    p.b.press("5")
    p.b.wait("document.querySelector('.moves .nag').textContent", "!?")
    p.b.press("1")
    p.b.click('[data-sign="14"]')
    p.b.press("c")
    p.b.type("Best {by test}\n; said")
    p.b.evaluate("document.activeElement.blur()")
    p.b.wait("document.querySelector('.moves .comment').textContent", "Best (by test) ; said")
    game = game_of(p)
    node = game.end()
    same((node.san(), sorted(node.nags), node.comment), ("c4", [1, 14], "Best (by test) ; said"), "the annotated move")
    press(p, "z", CONTROL)
    same(p.b.evaluate("document.querySelector('.moves .comment')"), None, "one undo removes what was typed")
    press(p, "y", CONTROL)
    p.b.press("Home")
    p.b.wait("document.getElementById('analysis-comment').placeholder", "Comment before the first move")
    same(p.b.evaluate("document.querySelectorAll('.signs button:not(:disabled)').length"), 0, "signs before the first move")
    p.b.evaluate("document.getElementById('analysis-comment').focus()")
    p.b.type("<img onerror=document.title='hurt'> 100 % sure")
    same(" ".join(game_of(p).comment.split()), "<img onerror=document.title='hurt'> 100 % sure", "the first comment")
    same(p.b.evaluate("document.querySelectorAll('.moves img').length"), 0, "elements made of a comment")
    reload(p)
    p.b.wait("document.querySelector('.moves .comment')?.textContent.startsWith('<img')")
    node = game_of(p).end()
    same([sorted(node.nags), " ".join(node.comment.split())], [[1, 14], "Best (by test) ; said"], "after a reload")


def draw(p, begin, end, modifiers=0):
    places = [p.b.place(SQUARE % one) for one in (begin, end)]
    p.b.mouse("mousePressed", places[0], button="right", buttons=2, clickCount=1, modifiers=modifiers)
    p.b.mouse("mouseMoved", places[1], button="right", buttons=2, modifiers=modifiers)
    p.b.mouse("mouseReleased", places[1], button="right", clickCount=1, modifiers=modifiers)


def arrows(p):
    fresh(p)
    play(p, "e4")
    draw(p, "d7", "d5")
    draw(p, "g8", "f6", SHIFT)
    draw(p, "b8", "c6", ALT)
    draw(p, "e4", "e4", SHIFT | ALT)
    p.b.wait("JSON.stringify(%s)" % MARKS, '["Gd7d5","Rg8f6","Bb8c6","Ye4"]')
    p.b.press("f")  # the board is turned
    p.settle()
    draw(p, "a7", "a5")
    draw(p, "d7", "d5")  # removes
    draw(p, "g8", "f6")  # in another colour
    p.b.wait("JSON.stringify(%s)" % MARKS, '["Bb8c6","Ye4","Ga7a5","Gg8f6"]')
    p.b.press("f")
    p.b.press("a")
    same(p.b.evaluate("document.activeElement.value"), "Bb8c6 Ye4 Ga7a5 Gg8f6", "the field of arrows")
    p.b.evaluate("document.activeElement.select()")
    p.b.type("e7e5, Rd4 Be4e5")
    p.b.press("Enter")
    p.b.wait("JSON.stringify(%s)" % MARKS, '["Ge7e5","Rd4","Be4e5"]')
    p.b.evaluate("document.activeElement.select()")
    p.b.type("e7e9")
    p.b.press("Enter")
    same(p.b.evaluate("document.getElementById('analysis-marks').validationMessage.startsWith('Ge7e9 is no arrow')"), True, "a wrong arrow")
    p.b.evaluate("document.activeElement.blur()")
    node = game_of(p).end()
    same(sorted((one.tail, one.head, one.color) for one in node.arrows()),
         sorted([(chess.E7, chess.E5, "green"), (chess.D4, chess.D4, "red"), (chess.E4, chess.E5, "blue")]), "arrows in the PGN")
    same(p.b.evaluate("(() => { document.querySelectorAll('.outputs a').forEach(one => one.addEventListener('click', event => event.preventDefault()));"
                      "document.querySelector('.outputs a').click(); return document.querySelector('.outputs a').getAttribute('href') })()").split("?")[0], "board.svg", "the picture")
    with urllib.request.urlopen(p.b.evaluate("document.querySelector('.outputs a').href")) as answer:
        picture = answer.read()
    drawn = subprocess.run([os.environ["STAMMA"], "board", "--fen", copied(p, "FEN"), "--arrows", "Ge7e5,Be4e5", "--circles", "Rd4", "--last", "e2e4"],
                           capture_output=True, check=True).stdout
    same(picture, drawn, "the picture of the position")
    p.b.press("ArrowLeft")
    p.b.wait("JSON.stringify(%s)" % MARKS, "[]")
    p.b.evaluate("location.hash = '#/explore'")
    p.b.wait(READY)
    same(p.b.evaluate("document.querySelectorAll('#board .marks').length"), 0, "drawings after the analysis")


def arrows_by_keys(p):
    """Draws an arrow and a circle with the cursor on the board, from both sides of the board."""
    fresh(p)
    p.b.press("d")
    p.b.wait("document.activeElement.className", "mark-cursor")
    p.b.wait("document.getElementById('status').textContent", "d4")
    for key in ("ArrowDown", "ArrowDown", "Enter", "ArrowUp", "ArrowUp", "ArrowRight", "Enter", "Enter", "Enter"):
        p.b.press(key)
    p.b.wait("JSON.stringify(%s.sort())" % MARKS, '["Gd2e4","Ge4"]')
    same(p.b.evaluate("document.activeElement.getAttribute('aria-label')"), "e4", "the square of the cursor")
    press(p, "Escape", 0)
    p.b.wait("document.querySelector('.mark-cursor').hidden")
    p.b.press("f")
    p.b.click(".by-keys")
    p.b.press("ArrowUp")
    press(p, "Enter", 8)  # Shift: red
    press(p, "Enter", 8)
    p.b.wait("JSON.stringify(%s.sort())" % MARKS, '["Gd2e4","Ge4","Re3"]')
    p.b.press("Escape")
    p.b.wait("document.activeElement.className", "by-keys")
    p.b.press("f")


def paste(p, text):
    p.b.evaluate("document.querySelector('.paste').open = true; document.getElementById('analysis-paste').value = %s;"
                 "document.querySelector('.paste button').click()" % json.dumps(text))


def pgn(p):
    """A pasted PGN is the same game for python-chess before and after."""
    fresh(p)
    paste(p, STUDY)
    p.b.wait("document.querySelector('h1').textContent", "Petrova, Anna – O'Neil, \"Bo\"")
    wanted = chess.pgn.read_game(io.StringIO(STUDY))
    same(str(game_of(p)), str(wanted), "the pasted game")
    p.b.evaluate("[...document.querySelectorAll('a.move')].find(one => one.textContent.startsWith('Nf6')).click()")
    p.b.wait("JSON.stringify(%s)" % MARKS, '["Rf7","Gf3g5","Rc4f7"]')


def looks(p):
    for width, height in SIZES:
        p.b.size(width, height, width < 500)
        p.b.evaluate("document.querySelector('.moves [aria-current]').click(); scrollTo(0, 0)")
        for theme in ("light", "dark"):
            p.b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": "reduce"}])
            p.picture("analysis-%d-%s" % (width, theme))
        p.b.evaluate("scrollTo(0, 9999)")
        p.picture("analysis-end-%d-dark" % width)
        same(p.b.evaluate("document.documentElement.scrollWidth"), width, "the width of the analysis at %d" % width)
    p.b.size(1280, 800)
    p.b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}, {"name": "prefers-reduced-motion", "value": "reduce"}])


def analyse(p):
    p.b.evaluate("[...document.querySelectorAll('.links a')].find(one => one.textContent === 'Analyse').click()")
    p.b.wait("location.hash.startsWith('#/analysis/') && " + THERE)
    return p.b.evaluate("location.hash.split('?')[0]")


def fingers(p):
    """After a colour is chosen, a touch draws and moves no piece."""
    fresh(p)
    p.b.size(390, 844, True)
    p.b.call("Emulation.setTouchEmulationEnabled", enabled=True)
    p.b.evaluate("document.querySelector('[data-color=Y]').click()")
    p.b.evaluate("scrollTo(0, 0)")
    p.settle()
    middle = lambda square: p.b.evaluate("(() => { const box = document.querySelector('#board [data-square=%s]').getBoundingClientRect();"
                                         "return [box.left + box.width / 2, box.top + box.height / 2] })()" % square)
    p.b.touch(middle("e2"), middle("e3"), middle("e4"))
    p.b.touch(middle("d5"))
    p.b.wait("JSON.stringify(%s)" % MARKS, '["Ye2e4","Yd5"]')
    same(p.b.evaluate("document.querySelectorAll('.moves a.move').length"), 0, "moves that were played")
    p.picture("analysis-draw-390-light")
    p.b.evaluate("document.querySelector('[data-color=Y]').click()")
    p.b.touch(middle("e2"))
    p.b.touch(middle("e4"))
    p.b.wait(SHOWN, "e4")
    p.b.call("Emulation.setTouchEmulationEnabled", enabled=False)
    p.b.size(1280, 800)


def marks_of_games(p):
    """The view Game shows the arrows and circles of comments."""
    p.go("#/game/%d?ply=6" % DRAWN, "document.querySelector('.notation') !== null && !document.querySelector('[aria-busy]')")
    p.b.wait("JSON.stringify(%s)" % MARKS, '["Rf7","Gf3g5","Rc4f7"]')
    p.b.press("ArrowLeft")
    p.b.wait("JSON.stringify(%s)" % MARKS, "[]")
    p.b.press("ArrowRight")
    p.b.wait("%s.length" % MARKS, 3)
    p.go("#/explore", READY)
    same(p.b.evaluate("document.querySelectorAll('#board .marks').length"), 0, "drawings after the game")


def from_the_explorer(p):
    fresh(p)
    play(p, "e4", "c5")
    p.go("#/explore?play=e2e4,e7e5,g1f3&ply=2", READY)
    analyse(p)
    p.b.wait(SHOWN, "e5")
    same(movetext(game_of(p)), "1. e4 c5 ( 1... e5 2. Nf3 ) *", "the explorer's line is added to the last analysis")
    p.go("#/explore?fen=%s&play=f7e6" % ENDING.replace(" ", "+"), "document.querySelector('.links a') !== null && !document.querySelector('[aria-busy]')")
    analyse(p)
    p.b.wait(SHOWN, "Ke6")
    play(p, "e4")
    game = game_of(p)
    same((game.headers["FEN"], movetext(game)), (ENDING, "40... Ke6 41. e4 *"), "an analysis of an ending")
    p.b.evaluate("[...document.querySelectorAll('.links a')].find(one => one.textContent.startsWith('Explore')).click()")
    p.b.wait("location.hash.startsWith('#/explore?fen=') && location.hash.endsWith('play=f7e6,e2e4')")


def from_a_game(p):
    fresh(p)
    opened = []
    for number in (1, 2, 5):
        text = subprocess.run([os.environ["STAMMA"], "cat", p.archive, str(number)], capture_output=True, check=True).stdout.decode()
        game = chess.pgn.read_game(io.StringIO(text))
        p.go("#/game/%d" % number, "document.querySelector('.variation') !== null && !document.querySelector('[aria-busy]')")
        p.b.evaluate("document.querySelector('.variation a.move').click()")
        p.b.wait("location.hash.includes('line=0')")
        move = p.b.evaluate(SHOWN)
        opened.append(analyse(p))
        p.b.wait(SHOWN, move)
        same(movetext(game_of(p)), movetext(game), "the moves, comments and variations of game %d" % number)
    p.go("#/game/1?ply=3", "document.querySelector('.variation') !== null && !document.querySelector('[aria-busy]')")
    same(analyse(p), opened[0], "the analysis of a game that was opened before")
    p.b.wait("document.querySelector('.moves [aria-current]').dataset.at", "main.3")


def links(p):
    fresh(p)
    play(p, "e4", "e5", "f4", "exf4")
    draw(p, "g1", "f3")
    p.b.press("3")
    link = copied(p, "link")
    wanted = movetext(game_of(p))
    p.b.evaluate("localStorage.clear()")
    p.b.open("about:blank")
    p.b.open(link)
    p.b.wait(SHOWN, "exf4")
    same(movetext(game_of(p)), wanted, "the moves of a link")
    p.b.wait("JSON.stringify(%s)" % MARKS, '["Gg1f3"]')
    p.b.evaluate("document.getElementById('analysis-comment').focus()")
    p.b.type("long " * 600)
    p.b.evaluate("document.querySelector('[data-copy=link]').click()")
    p.b.wait("document.querySelector('.said').textContent.includes('Save the PGN instead')")
    same(p.b.evaluate("fetch(document.querySelectorAll('.outputs a')[1].href).then(one => one.status)"), 200, "the link to save")


def pastes(p):
    fresh(p)
    paste(p, ITALIAN)
    p.b.wait(POSITION + ".startsWith('Black to move') && " + POSITION + ".includes('bishop c4')")
    play(p, "Bc5")
    same(movetext(game_of(p)), "3... Bc5 *", "a move after a pasted FEN")
    for text, message in (("nonsense", "no PGN, FEN or list of moves: nonsense"), ("", "no text"), ("8/8/8/8/8/8/8/8 w - - 0 1", "not a legal position"), ("<b>", "no PGN, FEN or list of moves: <b>")):
        paste(p, text)
        p.b.wait("document.querySelector('.paste [role=alert]').textContent.includes(%s)" % json.dumps(message))
    paste(p, "1. e4 e5 2. Ke3 Nc6 *")
    p.b.wait("document.querySelector('#message p').textContent", "Lines end where moves are not legal: Ke3")
    same(movetext(game_of(p)), "1. e4 e5 *", "the legal moves")
    p.go("#/analysis?pgn=1.+e4+e5+2.+Qh8", "document.querySelector('.said')?.textContent === 'Lines end where moves are not legal: Qh8'")
    # Pasted outside of the fields.
    p.b.evaluate("(() => { const data = new DataTransfer(); data.setData('text/plain', '1. d4 (1. c4 c5) 1... d5 1/2-1/2');"
                 "document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })); })()")
    p.b.wait("document.querySelector('h1').textContent", "1. d4 d5")
    same(movetext(game_of(p)), "1. d4 ( 1. c4 c5 ) 1... d5 1/2-1/2", "a pasted text")


def stored(p):
    fresh(p)
    play(p, "b3")
    for _ in range(3):  # analyses without moves are not kept
        p.open("#/analysis?new=1", THERE + " && document.querySelector('h1').textContent === 'New analysis'")
    play(p, "g3", "d5")
    p.b.evaluate("document.querySelector('.others').open = true")
    titles = "[...document.querySelectorAll('.entries a')].map(one => one.textContent).join('|')"
    p.b.wait(titles, "1. b3")
    p.b.evaluate("document.querySelector('.entries a').click()")
    p.b.wait("document.querySelector('h1').textContent", "1. b3")
    p.go("#/explore", READY)
    p.go("#/analysis", THERE)
    p.b.wait("document.querySelector('h1').textContent", "1. g3 d5")  # the analysis that changed last
    p.b.evaluate("document.querySelector('.others').open = true")
    p.b.wait(titles, "1. b3")
    number = "Object.keys(localStorage).filter(one => one.startsWith('analysis:') && !JSON.parse(localStorage[one]).deleted).length"
    for word, left in (("Delete 1. b3", 1), ("Restore 1. b3", 2), ("Delete 1. b3", 1)):
        same(p.b.evaluate("document.querySelector('.entries button').getAttribute('aria-label')"), word, "the button")
        p.b.evaluate("document.querySelector('.entries button').click()")
        same(p.b.evaluate(number), left, "stored analyses after " + word)
    p.go("#/analysis/absent", "document.querySelector('#view .error') !== null")
    p.b.wait("document.getElementById('board-column').hidden")
    p.b.evaluate("document.querySelector('#view .links a').click()")
    p.b.wait("document.querySelector('h1')?.textContent", "New analysis")
    p.b.evaluate("Object.defineProperty(Storage.prototype, 'setItem', { value() { throw new Error('full'); } }); 0")
    play(p, "a3")
    p.b.wait("document.querySelector('.summary').textContent", "The browser does not store this analysis, because its storage is full or disabled: save the PGN before you leave")


GAME_THERE = "document.querySelector('#view.game .notation') !== null && !document.querySelector('[aria-busy]')"
OWN = "[...document.querySelectorAll('.variation.own')].map(one => [...one.querySelectorAll('a.move')].map(move => move.firstChild.data).join(' ')).join('|')"
PLACES = "JSON.stringify(['#board', '.moves', '.game-bar', 'h1'].map(one => { const box = document.querySelector(one).getBoundingClientRect(); return [box.x, box.y, box.width] }))"


def stored_pgn(p, number=0):
    return p.b.evaluate("Object.keys(localStorage).filter(one => one.startsWith('analysis:')).map(one => JSON.parse(localStorage[one])).filter(one => !one.deleted)[%d].pgn" % number)


def own_variations(p):
    """A move that differs from the game's begins a variation there; the view stays, and the analysis has it."""
    fresh(p)
    p.open("#/game/1?ply=4", GAME_THERE)
    p.b.evaluate("localStorage.clear()")
    wanted = chess.pgn.read_game(io.StringIO(subprocess.run([os.environ["STAMMA"], "cat", p.archive, "1"], capture_output=True, check=True).stdout.decode()))
    moves, before, texts = p.b.evaluate("document.querySelectorAll('.half a.move').length"), p.b.evaluate(PLACES), p.b.evaluate("document.querySelectorAll('.comment').length")
    p.settle()
    p.b.drag(SQUARE % "f1", SQUARE % "c4")  # the move of the game
    p.hash_is("#/game/1?ply=5")
    same(p.b.evaluate(OWN), "", "variations after the move of the game")
    p.b.press("ArrowLeft")
    p.settle()
    p.b.drag(SQUARE % "g1", SQUARE % "f3")
    p.b.wait(OWN, "Nf3")
    p.b.wait(SHOWN, "Nf3")
    same(p.b.evaluate("location.hash.startsWith('#/game/1?')"), True, "the view after a variation of the user")
    p.settle()
    p.b.drag(SQUARE % "g7", SQUARE % "g5")
    p.b.wait(OWN, "Nf3 g5")
    play(p, "Bc4")
    p.b.press("ArrowLeft")
    p.b.wait(SHOWN, "g5")
    play(p, "h4")  # a variation of the variation
    p.b.wait(OWN, "Nf3 g5 Bc4 h4|h4")
    same(p.b.evaluate("[%s, document.querySelectorAll('.half a.move').length, document.querySelectorAll('.comment').length, document.querySelectorAll('.yours').length]" % PLACES), [before, moves, texts, 1], "the game around it")
    end = wanted.variations[0].variations[0].variations[0].variations[0]
    node = end.add_variation(chess.Move.from_uci("g1f3")).add_variation(chess.Move.from_uci("g7g5"))
    node.add_variation(chess.Move.from_uci("f1c4"))
    node.add_variation(chess.Move.from_uci("h2h4"))
    pgn_ = chess.pgn.read_game(io.StringIO(stored_pgn(p)))
    same(movetext(pgn_), movetext(wanted), "the stored analysis")
    p.picture("own-variation-1280-light")
    p.b.press("Delete")
    p.b.wait(OWN, "Nf3 g5 Bc4")
    press(p, "z", CONTROL)
    p.b.wait(OWN, "Nf3 g5 Bc4 h4|h4")
    p.b.evaluate("window.before = true; location.reload()")
    p.b.wait("window.before === undefined && " + GAME_THERE)
    p.b.wait("[%s, %s].join()" % (OWN, SHOWN), "Nf3 g5 Bc4 h4|h4,h4")
    p.b.click(".own-bar .button")
    p.b.wait(THERE + " && location.hash.startsWith('#/analysis/')")
    p.b.wait(SHOWN, "h4")
    play(p, "g4")
    p.b.evaluate("history.back()")
    p.b.wait(GAME_THERE)
    p.b.wait(OWN, "Nf3 g5 Bc4 h4 g4|h4 g4")
    p.b.press("End")  # of the variation
    play(p, "Ne5")
    p.b.wait(OWN, "Nf3 g5 Bc4 h4 g4 Ne5|h4 g4 Ne5")
    p.open("#/game/2?ply=9999", GAME_THERE)  # after the last move
    same(p.b.evaluate(OWN), "", "variations of another game")
    move = p.b.evaluate("document.querySelector('.half a.move').dataset.at")
    same(move, "main.1", "the first move")


def pasted(p, text):
    """Pastes a text outside of fields."""
    p.b.evaluate("(() => { const data = new DataTransfer(); data.setData('text/plain', %s);"
                 "document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); })()" % json.dumps(text))


def message(p, text):
    p.b.wait("document.querySelector('#message p')?.textContent ?? ''", text)
    p.b.evaluate("[...document.querySelectorAll('#message button')].pop().click()")


def pastes_everywhere(p):
    fresh(p)
    for view in ("search", "statistics", "archives", "player"):
        p.go("#/" + view, "document.getElementById('view').className === '%s'" % view)
        pasted(p, "1.e4 e5 2.Nf3")
        p.hash_is("#/explore?play=e2e4,e7e5,g1f3")
        p.go("#/" + view, "document.getElementById('view').className === '%s'" % view)
        pasted(p, ITALIAN)
        p.b.wait("location.hash.startsWith('#/explore?fen=r1bqkbnr') && " + POSITION + ".includes('bishop c4')")
    p.go("#/explore", READY)
    pasted(p, "e2e4 c7c5")
    p.hash_is("#/explore?play=e2e4,c7c5")
    pasted(p, "2. Nf3 d6 3. d4")  # continues the position
    p.hash_is("#/explore?play=e2e4,c7c5,g1f3,d7d6,d2d4")
    pasted(p, "cxd4 Nxd4 Ke7 Nf6")
    p.hash_is("#/explore?play=e2e4,c7c5,g1f3,d7d6,d2d4,c5d4,f3d4")
    message(p, "Ke7 is not a legal move here. The moves before it are played.")
    pasted(p, "hello <b>")
    message(p, "This is no PGN, FEN or list of moves: hello")
    pasted(p, "8/8/8/8/8/8/8/8 w - - 0 1")
    message(p, "This FEN is not a legal position.")
    p.b.evaluate("document.getElementById('typed-move').focus()")
    p.b.evaluate("document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true }))")
    p.b.evaluate("document.activeElement.blur()")
    p.hash_is("#/explore?play=e2e4,c7c5,g1f3,d7d6,d2d4,c5d4,f3d4")
    p.go("#/game/1?ply=4", GAME_THERE)
    pasted(p, "Nf3 g5")
    p.b.wait(OWN, "Nf3 g5")
    p.go("#/explore", READY)
    pasted(p, "[Event \"One\"]\n\n1. d4 d5 {closed} 2. c4 *")
    p.b.wait("document.querySelector('#view.analysis h1')?.textContent", "1. d4 d5 2. c4")
    p.go("#/explore", READY)
    games = "".join("[Event \"Two %d\"]\n[White \"W%d\"]\n\n1. %s *\n\n" % (i, i, move) for i, move in enumerate(("a3", "a4", "b3 Ke5")))
    pasted(p, games)
    p.b.wait("[...document.querySelectorAll('.library .entries a')].map(one => one.textContent).sort().join('|')", "W0 – ?|W1 – ?|W2 – ?")
    message(p, "Lines end where moves are not legal: Ke5. 3 games are stored as analyses")
    p.b.click(".library .entries a")
    p.b.wait(THERE)
    pasted(p, "1. h3 h6")  # in an analysis from the initial position
    p.b.wait(SHOWN, "h6")
    same(p.b.evaluate("document.querySelector('h1').textContent.startsWith('W')"), True, "the analysis that is shown")


class Tabs:
    """Two tabs of one window. `one` and `two` switch to a tab."""

    def __init__(self, p):
        self.p, self.sessions = p, [p.b.session]
        p.b.session = None
        self.target = p.b.call("Target.createTarget", url="about:blank")["targetId"]
        self.sessions.append(p.b.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"])
        self.to(1)
        for domain in ("Page", "Runtime", "Log", "Network"):
            p.b.call(domain + ".enable")
        p.b.call("Emulation.setFocusEmulationEnabled", enabled=True)
        p.b.size(1280, 800)

    def to(self, number):
        self.p.b.session = self.sessions[number]
        return self.p

    def close(self):
        self.p.b.session = None
        self.p.b.call("Target.closeTarget", targetId=self.target)
        self.to(0)


def note(p, text):
    p.b.evaluate("(() => { const field = document.getElementById('analysis-comment'); field.value = %s; field.dispatchEvent(new Event('input')) })()" % json.dumps(text))


def sans(p):
    """Returns all lines of the copied PGN, as sets of moves with comments."""
    game = chess.pgn.read_game(io.StringIO(stored_pgn(p)))
    found = set()

    def walk(node, line):
        for one in node.variations:
            found.add((line + " " + one.san()).strip())
            walk(one, (line + " " + one.san()).strip())
    walk(game, "")
    return found, {" ".join(one.comment.split()) for one in game.mainline() if one.comment}


def two_tabs(p):
    """24 edits in turns in two tabs of one analysis: both show all of them."""
    fresh(p)
    play(p, "e4", "e5")
    address = p.b.evaluate("location.hash")
    tabs = Tabs(p)
    try:
        p.b.open(p.address + address)
        p.b.wait(SHOWN, "e5")
        wanted = {"e4", "e4 e5"}
        replies = ("Nf3", "Nc3", "Bc4", "d4", "f4", "c3", "d3", "g3", "b3", "a3", "h3", "Qe2")
        for i, san in enumerate(replies):
            tabs.to(i % 2)
            p.b.evaluate("location.hash = %s" % json.dumps(address))
            p.b.wait(SHOWN, "e5")
            play(p, san)
            wanted.add("e4 e5 " + san)
            tabs.to(1 - i % 2)
            p.b.wait("document.querySelector('.moves').innerText.includes(%s)" % json.dumps(san))
        for i in range(12):
            tabs.to(i % 2)
            p.b.evaluate("location.hash = %s" % json.dumps(address.replace(",e7e5", "") if i % 2 else address))
            p.b.wait(SHOWN, "e4" if i % 2 else "e5")
            note(p, "note %d" % i)
        for number, place in ((0, "e5"), (1, "e4")):
            tabs.to(number)
            p.b.wait("document.querySelector('.moves').innerText.includes('note 10') && document.querySelector('.moves').innerText.includes('note 11')")
            same(p.b.evaluate(SHOWN), place, "the place in tab %d" % number)
            same(sans(p), (wanted, {"note 10", "note 11"}), "the analysis in tab %d" % number)
        press(p, "z", CONTROL)  # in tab 1: its own comment, although tab 0 changed something later
        p.b.wait("document.querySelector('.moves').innerText.includes('note 9') || !document.querySelector('.moves').innerText.includes('note 11')")
        same(sans(p)[0], wanted, "moves after undoing")
        # A tab whose view of the storage is old, as happens between two processes of a browser.
        tabs.to(1).b.evaluate("""(() => { const key = Object.keys(localStorage).find(one => one.startsWith('analysis:')), old = localStorage.getItem(key);
            window.getItem = Storage.prototype.getItem; Storage.prototype.getItem = function (name) { return name === key ? old : window.getItem.call(this, name) } })()""")
        tabs.to(0)
        p.b.evaluate("location.hash = %s" % json.dumps(address))
        p.b.wait(SHOWN, "e5")
        note(p, "of the first tab")
        play(p, "Na3")
        tabs.to(1)
        p.b.evaluate("location.hash = %s" % json.dumps(address))
        p.b.wait(SHOWN, "e5")
        note(p, "of the second tab")
        p.b.evaluate("Storage.prototype.getItem = window.getItem; window.dispatchEvent(new StorageEvent('storage', { key: Object.keys(localStorage).find(one => one.startsWith('analysis:')) }))")
        p.b.wait("document.querySelector('.moves').innerText.includes('Na3')")
        tabs.to(0)
        p.b.evaluate("location.hash = %s" % json.dumps(address))
        p.b.wait("document.querySelector('.replaced-comment')?.textContent.includes('of the first tab')")
        same(p.b.evaluate("document.getElementById('analysis-comment').value"), "of the second tab", "the later comment")
        p.b.click(".replaced-comment button")
        p.b.wait("document.getElementById('analysis-comment').value + document.querySelectorAll('.replaced-comment').length", "of the first tab0")
    finally:
        tabs.close()
    p.b.evaluate("location.hash = '#/analysis/all'")
    p.b.wait("document.querySelectorAll('.library .entries li').length", 1)


def library(p):
    """Names, folders and tags; one file of all analyses, and back."""
    fresh(p)
    play(p, "c4", "e5")
    p.b.click(".analysis-details summary")
    p.b.wait("document.querySelector('[data-tag=ChapterName]') !== null")
    for name, value in (("ChapterName", "Reversed Sicilian"), ("StudyName", "White"), ("White", "Me"), ("Date", "2026.11.29")):
        p.b.evaluate("(() => { const field = document.querySelector('[data-tag=%s]'); field.value = %s; field.dispatchEvent(new Event('change')) })()" % (name, json.dumps(value)))
    p.b.evaluate("(() => { const field = document.querySelector('[data-tag=Result]'); field.value = '1-0'; field.dispatchEvent(new Event('change')) })()")
    p.b.evaluate("(() => { const form = document.querySelector('.new-tag'); form.tag.value = 'Annotator'; form.value.value = 'A B'; form.requestSubmit() })()")
    p.b.wait("document.querySelector('h1').textContent", "Reversed Sicilian")
    game = game_of(p)
    same([game.headers.get(one) for one in ("ChapterName", "StudyName", "White", "Date", "Result", "Annotator")],
         ["Reversed Sicilian", "White", "Me", "2026.11.29", "1-0", "A B"], "tags")
    press(p, "z", CONTROL)
    same(game_of(p).headers.get("Annotator"), None, "the tag after undoing")
    p.open("#/analysis?new=1", THERE)
    play(p, "d4")
    p.go("#/analysis/all", "document.querySelectorAll('.folder').length === 2")
    same(p.b.evaluate("[...document.querySelectorAll('.folder')].map(one => one.getAttribute('aria-label')).join()"), "White,Without a folder", "folders")
    p.picture("analyses-1280-light")
    p.b.evaluate("(() => { const form = document.querySelector('.rename'); form.hidden = false; form.querySelector('input').value = 'Openings'; form.requestSubmit() })()")
    p.b.wait("document.querySelector('.folder').getAttribute('aria-label')", "Openings")
    text = p.b.evaluate("""(async () => { let made = null; const before = URL.createObjectURL; URL.createObjectURL = (blob) => { made = blob; return before.call(URL, blob) };
        const link = document.querySelector('.library [download="analyses.pgn"]'); link.addEventListener('click', event => event.preventDefault()); link.click(); return made.text() })()""")
    games = []
    with io.StringIO(text) as file:
        while game := chess.pgn.read_game(file):
            games.append((game.headers.get("ChapterName"), game.headers.get("StudyName") or None, movetext(game), game.errors))
    same(games, [("Reversed Sicilian", "Openings", "1. c4 e5 1-0", []), (None, None, "1. d4 *", [])], "the file")
    before = sorted(stored_pgn(p, i) for i in range(2))
    p.b.evaluate("localStorage.clear()")
    p.open("#/analysis/all", "document.querySelector('.library') !== null")
    p.b.evaluate("(() => { const data = new DataTransfer(); data.items.add(new File([%s], 'analyses.pgn')); const field = document.getElementById('analysis-file');"
                 "field.files = data.files; field.dispatchEvent(new Event('change')) })()" % json.dumps(text))
    p.b.wait("document.querySelector('#message p')?.textContent", "2 games are stored as analyses")
    same(sorted(stored_pgn(p, i) for i in range(2)), before, "the analyses after opening the file")
    p.go("#/analysis/all", "document.querySelectorAll('.folder').length === 2")
    p.b.click(".entries button")
    p.go("#/analysis", THERE)
    p.go("#/analysis/all", "document.querySelectorAll('.folder .entries li').length === 1")
    p.b.click(".trash summary")
    p.b.click(".trash .entries button")
    p.go("#/analysis", THERE)
    p.go("#/analysis/all", "document.querySelectorAll('.folder .entries li').length === 2")


def short_links(p):
    """The button copies a short address of the position; it and the long address show the same."""
    def copy():
        p.b.click(".copy-link")
        p.b.wait("document.getElementById('status').textContent", "Copied: link")
        return p.b.evaluate("navigator.clipboard.readText()")
    fresh(p)
    for view, line in (("#/game/1?ply=7", ""), ("#/game/5?ply=48&line=0", ".0")):
        p.open(view, GAME_THERE)
        shown = p.b.evaluate("[%s, %s].join()" % (POSITION, SHOWN))
        link = copy()
        same(len(link) < len(p.address) + 20 and link.endswith("/%s%s" % (view.split("ply=")[1].split("&")[0], line)), True, link)
        p.b.open("about:blank")
        p.b.open(link)
        p.b.wait(GAME_THERE)
        p.b.wait("[%s, %s].join()" % (POSITION, SHOWN), shown)
    p.b.press("ArrowLeft")
    p.b.wait("location.hash.includes('/game/') && location.hash.includes('ply=47')")
    p.open("#/explore?play=e2e4,e7e5,g1f3,b8c6&ply=3&player=Anderssen", "document.querySelector('#view.explore .copy-link') !== null && !document.querySelector('[aria-busy]')")
    shown = p.b.evaluate("[%s, document.querySelector('.summary').textContent].join()" % POSITION)
    link = copy()
    same(link.startswith(p.address + "#/e/") and len(link.split("#")[1]) < 30, True, link)
    p.b.open("about:blank")
    p.b.open(link)
    p.b.wait("[%s, document.querySelector('.summary')?.textContent].join()" % POSITION, shown)


def null_moves(p):
    fresh(p)
    paste(p, "1. e4 e5 (1... -- { The threat: } 2. d4) 2. Nf3 *")
    p.b.evaluate("[...document.querySelectorAll('a.move')].find(one => one.textContent === '--').click()")
    p.b.wait(SHOWN, "--")
    p.b.press("ArrowRight")
    p.b.wait(SHOWN, "d4")
    same(movetext(chess.pgn.read_game(io.StringIO(copied(p, "PGN")))), "1. e4 e5 ( 1... -- { The threat: } 2. d4 ) 2. Nf3 *", "a null move")


def names(p):
    fresh(p)
    play(p, "e4")
    p.b.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    seen = p.b.accessible()
    same([role for role, name in seen if role in page_driver.NAMED and not name.strip()], [], "controls without a name")
    for name in ("Undo", "Promote", "blunder", "White is slightly better", "Comment on 1. e4", "Arrows and circles", "Copy PGN", "PGN, moves or FEN"):
        same(any(name == one for _, one in seen), True, "there is " + name)


CHECKS = [pgn, looks, variations, signs_and_comments, arrows, arrows_by_keys, fingers, marks_of_games, from_the_explorer, from_a_game, links, pastes, stored, null_moves, names, own_variations, pastes_everywhere, two_tabs, library, short_links]


def main():
    page = page_driver.Page(*sys.argv[1:])
    page.b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}, {"name": "prefers-reduced-motion", "value": "reduce"}])
    page.b.call("Emulation.setFocusEmulationEnabled", enabled=True)  # for the clipboard
    session, page.b.session = page.b.session, None
    page.b.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    page.b.session = session
    return page_driver.run_all(page, CHECKS)


if __name__ == "__main__":
    sys.exit(main())
