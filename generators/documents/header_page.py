# SPDX-License-Identifier: MIT
"""The reference of the library in C, from the public headers: the comments, and the declarations below them."""
import os
import re

from command_pages import linked, with_lists

INCLUDE = re.compile(r'^#include "(stamma/\w+\.h)"', re.M)
# What is no declaration: guards, includes, and the frame for C++.
FRAME = re.compile(r'^(#ifndef STAMMA_API_\w+|#define STAMMA_API_\w+|#ifdef __cplusplus|extern "C" \{|\}|#include .*)$', re.M)
NAME = re.compile(r"\b(stamma_\w+)\(|^typedef (?:struct|enum) (?:stamma_\w+ )?\*?(stamma_\w+);|^typedef (?:struct|enum|union) (stamma_\w+) \{", re.M)


def plain(comment):
    """Returns the text of a comment, without its frame. Its indented lines are code."""
    lines = [re.sub(r"^ ?\* ?", "", line) for line in comment.strip()[2:-2].strip().split("\n")]
    text = with_lists("\n".join(line.rstrip() for line in lines).strip())
    return re.sub(r"((?:^ {4}.*\n?)+)", lambda code: "\n```c\n%s\n```\n" % re.sub("^ {4}", "", code.group(1).rstrip("\n"), flags=re.M), text, flags=re.M)


def escaped(text):
    """Escapes emphasis and HTML outside code."""
    parts = re.split(r"(```.*?```|`[^`\n]*`)", text, flags=re.S)
    return "".join(part if part.startswith("`") else re.sub(r"([*_<])", r"\\\1", part) for part in parts)


def pieces(text):
    """Splits a header at blank lines outside braces, into comments and declarations."""
    depth, piece = 0, []
    for line in text.split("\n"):
        if not line.strip() and depth == 0:
            yield "\n".join(piece)
            piece = []
        else:
            piece.append(line)
            bare = re.sub(r"/\*.*?\*/|'.'", "", line)
            depth += bare.count("{") - bare.count("}") if "extern" not in line else 0
            depth = max(depth, 0)
    yield "\n".join(piece)


def section(piece):
    """Returns the Markdown of a piece: a heading with its first name, its comment, its declarations."""
    piece = FRAME.sub("", piece).strip("\n")
    match = re.match(r"(/\*.*?\*/)\n?(.*)", piece, re.S)
    comment, code = (match.group(1), match.group(2).strip("\n")) if match else ("", piece)
    title = re.match(r"/\* -+ (.*?) -+ \*/$", comment)
    if title:
        return "\n\n### %s\n\n%s" % (title.group(1)[0].upper() + title.group(1)[1:], section(code) if code else "")
    if not piece.strip() or "SPDX" in comment and not code:
        return ""
    names = [next(filter(None, found)) for found in NAME.findall(code)]
    parts = ["#### `%s`" % names[0]] if names else []
    parts += [linked(escaped(plain(comment)), "../")] if comment else []
    parts += ["```c\n%s\n```" % code] if code else []
    return "\n\n".join(parts)


def header(path, name):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^/\* SPDX.*\*/\n", "", file.read())
    # The ends of the guard and of the frame for C++.
    text = re.sub(r"#endif[^\n]*\s*\Z", "", re.sub(r"(#ifdef __cplusplus\n(?:extern \"C\" \{|\})\n)#endif", r"\1", text))
    about = re.match(r"/\*.*?\*/", text, re.S)
    parts = ["## %s" % name, escaped(plain(about.group()))] + [section(piece) for piece in pieces(text[about.end():])]
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())


def page(folder="include"):
    with open(os.path.join(folder, "stamma.h"), encoding="utf-8") as file:
        names = INCLUDE.findall(file.read())
    first = "# stamma.h\n\nThe library's functions, types and constants, from the comments of its headers. `#include <stamma.h>` declares all of them."
    return "\n\n".join([first] + [header(os.path.join(folder, name), name) for name in names]) + "\n"
