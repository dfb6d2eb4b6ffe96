# SPDX-License-Identifier: MIT
"""Writes one game with N elements of a kind. A careless program needs quadratic time for such games.

usage: large_games.py KIND N >game.pgn    the kinds are the keys of KINDS
"""
import sys

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
SHUFFLE = ("Nf3", "Nf6", "Ng1", "Ng8")


def game(tags, movetext):
    """Returns a game. `tags` are pairs of a name and a value, and follow the seven-tag roster."""
    roster = [(name, {"Date": "2020.01.02", "Result": "1-0"}.get(name, name)) for name in ROSTER]
    return "".join('[%s "%s"]\n' % tag for tag in roster + list(tags)) + "\n" + " ".join(movetext) + " 1-0\n\n"


def tags(n):
    return game((("Tag%d" % i, "value %d" % i) for i in range(n)), ("1. e4",))


def repeated_tags(n):
    return game((("Annotator", "name %d" % i) for i in range(n)), ("1. e4",))


def repeated_roster(n):
    return game(((ROSTER[i % 5], "name %d" % i) for i in range(n)), ("1. e4",))


def moves(n):
    return game((), ("%s%s" % ("" if i % 2 else "%d. " % (i // 2 + 1), SHUFFLE[i % 4]) for i in range(n)))


def walk_moves(n):
    """Returns n moves that reach many thousands of different positions: rooks cycle, and kings sometimes move, each
    side on its half of a board that pawns divide."""
    rooks = ([c + "2" for c in "abcdefgh"] + [c + "3" for c in "hgfedcba"], [c + "7" for c in "abcdefgh"] + [c + "6" for c in "hfedcba"])
    kings, at, found = "efghgfedcbabcd", [[0, 0], [0, 0]], []
    for i in range(n):
        side, move = i % 2, i // 2
        squares, place = rooks[side], at[side]
        piece = move % len(squares) == len(squares) - 1
        place[piece] += 1
        found.append("K%s%d" % (kings[place[1] % len(kings)], 8 if side else 1) if piece else "R" + squares[place[0] % len(squares)])
    return found


def walk_game(moves, date="2020.01.02"):
    """Returns a game with moves of walk_moves."""
    text = game((("SetUp", "1"), ("FEN", "4k3/r7/8/pppppppp/PPPPPPPP/8/R7/4K3 w - - 0 1")), moves)
    return text.replace("2020.01.02", date)


def walk(n):
    """N moves after which most positions are new."""
    return walk_game(walk_moves(n))


def comments(n):
    return game((), ["1. e4"] + ["{comment %d}" % i for i in range(n)])


def commented_moves(n):
    return game((), ("%s {comment %d}" % (SHUFFLE[i % 4], i) for i in range(n)))


def commands(n):
    """Comments with clocks, evaluations, arrows and squares."""
    return game((), ("%s {[%%clk 1:00:%02d] [%%eval 0.%02d] [%%cal Ge2e4] [%%csl Re4]}" % (SHUFFLE[i % 4], i % 60, i % 100)
                     for i in range(n)))


def one_comment(n):
    """One comment with N commands."""
    return game((), ["1. e4 {"] + ["[%csl Re4]"] * n + ["}"])


def nags(n):
    return game((), ["1. e4"] + ["$%d" % (i % 139 + 1) for i in range(n)])


def wide(n):
    """N variations of one move."""
    return game((), ["1. e4"] + ["(1. %s)" % ("d4", "c4", "Nf3", "g3")[i % 4] for i in range(n)] + ["e5"])


def many(n):
    """A variation of each of N moves."""
    return game((), ("%s (%s)" % (SHUFFLE[i % 4], ("d4", "d5", "d4", "d5")[i % 4]) for i in range(n)))


def deep(n):
    """Variations nested N deep. Each variation replaces the first move of the outer variation."""
    return game((), ["1. e4"] + ["(1. %s" % ("d4", "e4")[i % 2] for i in range(n)] + [")"] * n + ["e5"])


def deep_lines(n):
    """Variations nested N deep, each after one more move."""
    return game((), ["1. e4"] + ["(1. d4 (1. c4 c5" if i == 0 else "%s (%s" % (SHUFFLE[i % 4], SHUFFLE[i % 4]) for i in range(n)] + [")"] * (n + 1))


def text(n):
    """N words that are not moves."""
    return game((), ["1. e4"] + ["word%d" % i for i in range(n)])


def all_kinds(n):
    """N elements of each of most kinds. The moves are legal."""
    line = ["%s {comment %d} $%d (%s {c %d})" % (SHUFFLE[i % 4], i, i % 139 + 1, ("d4", "d5", "d4", "d5")[i % 4], i) for i in range(n)]
    wide_line = ["(%s $1)" % ("d4", "c4", "Nc3", "g3")[i % 4] for i in range(n)]
    notes = ["{note %d}" % i for i in range(n)] + ["$%d" % (i % 139 + 1) for i in range(n)]
    names = [pair for i in range(n) for pair in (("Tag%d" % i, "value %d" % i), ("Annotator", "name %d" % i))]
    return game(names, line[:1] + notes + wide_line + line[1:])


KINDS = {kind.__name__.replace("_", "-"): kind
         for kind in (tags, repeated_tags, repeated_roster, moves, walk, comments, commented_moves, commands, one_comment, nags,
                      wide, many, deep, deep_lines, text, all_kinds)}

if __name__ == "__main__":
    sys.stdout.write(KINDS[sys.argv[1]](int(sys.argv[2])))
