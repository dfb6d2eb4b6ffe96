# SPDX-License-Identifier: MIT
"""Compares the tokens of two PGN files: edit_tokens.py FIRST SECOND [PART...].

The second file must have the tokens of the first in the same order, without the parts: comments, variations, nags. Move
numbers are not compared, and white space only separates tokens. This is a second implementation of the rules of PGN's
tokens: tags, comments in braces and after semicolons, escapes, NAGs and glyphs, parentheses, words."""
import re
import sys

TOKEN = re.compile(rb"""
      (?P<tag>\[[ \t]*\w+[ \t]*"(?:\\.|[^"\\\r\n])*"[ \t]*\])
    | (?P<comment>\{[^}]*\}|;[^\r\n]*)
    | (?P<escape>(?:(?<=\n)|(?<=\r)|^)%[^\r\n]*)
    | (?P<nag>\$\d+|[!?]+|(?<![^\s)}])(?:\+/?-|-/?\+|\+\+|\+--|--\+|\+/?=|=/?\+|=|-/\+|D|N|~|/\\|/^|\#)(?=[\s)({]))
    | (?P<open>\()
    | (?P<close>\))
    | (?P<number>\d*\.+(?!\d))
    | (?P<word>[^\s{}();!?\[\]]+|[{}\[\]])
    """, re.X)


def tokens_of(path, without):
    depth, found = 0, []
    with open(path, "rb") as file:
        text = file.read()
    for match in TOKEN.finditer(text):
        kind, token = match.lastgroup, match.group()
        if kind == "tag":
            depth = 0
        depth += kind == "open"
        inside = depth > 0
        depth -= kind == "close" and inside
        if kind == "number" or (inside and "variations" in without):
            continue
        if kind == "comment" and "comments" in without or kind == "nag" and "nags" in without:
            continue
        found.append(token)
    return found


def main(first, second, *without):
    a, b = tokens_of(first, without), tokens_of(second, ())
    for n, (one, other) in enumerate(zip(a, b)):
        assert one == other, (n, a[max(0, n - 5):n + 5], b[max(0, n - 5):n + 5])
    assert len(a) == len(b), (a[len(b):len(b) + 9], b[len(a):len(a) + 9])
    print(len(a), "tokens")


main(*sys.argv[1:])
