# SPDX-License-Identifier: MIT
"""Compares two PGN files as python-chess reads them: compare FIRST SECOND [WITHOUT...].

The games of both files must have the same moves, variations, comments, NAGs and tags, apart from the parts named after
the files: comments, variations, nags, tags. Games in which python-chess finds an error in the first file are skipped, and
counted. Values of tags are compared without escapes, which python-chess does not read."""
import sys

import chess.pgn


def parts_of(game, without):
    """Returns the moves with their annotations and variations, in the order of the text."""
    found, waiting = [], [game]
    while waiting:
        node = waiting.pop()
        children = node.variations[:1] if "variations" in without else node.variations
        comments = (" ".join(node.comment.split()), " ".join(node.starting_comment.split()))
        found.append((comments if "comments" not in without else None,
                      sorted(node.nags) if "nags" not in without else None,
                      [child.move.uci() for child in children]))
        waiting += reversed(children)
    return found


def tags_of(game):
    tags = {name: value.replace('\\"', '"').replace("\\\\", "\\") for name, value in game.headers.items()}
    if "FEN" in tags:
        tags["SetUp"] = "1"
    return tags


def main(first, second, *without):
    games = skipped = 0
    with open(first, encoding="utf-8", errors="surrogateescape") as one, \
            open(second, encoding="utf-8", errors="surrogateescape") as other:
        while True:
            a, b = chess.pgn.read_game(one), chess.pgn.read_game(other)
            if a is None or b is None:
                break
            games += 1
            if a.errors:
                skipped += 1
                continue
            assert not b.errors, (games, b.errors)
            assert "tags" in without or tags_of(a) == tags_of(b), (games, tags_of(a), tags_of(b))
            assert parts_of(a, without) == parts_of(b, without), games
        assert a is None and b is None, "the files have different numbers of games"
    print("%d games, %d skipped" % (games, skipped))
    assert games > 2 * skipped


main(*sys.argv[1:])
