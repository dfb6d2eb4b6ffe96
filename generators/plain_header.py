#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the public headers as plain declarations, for cffi and other tools that parse C without a preprocessor.

The contents of the headers that stamma.h includes are printed in their order, with these changes:
- Conditional lines, includes, STAMMA_API and `inline` are removed.
- A function defined in the header becomes a prototype. The library exports a symbol for each.
- Only macros that are integer constants are kept. Their values are evaluated if they are expressions of other
  constants.

usage: plain_header.py [FOLDER] >stamma_plain.h
"""
import re
import sys

import public_header

INLINE = re.compile(r"^STAMMA_API inline ([^;{]+?)\s*\{(?:.*\}|.*?^\})$", re.M | re.S)
INLINE_LINE = re.compile(r"^STAMMA_API inline ([^;{\n]+?) \{.*\}$", re.M)
CONSTANT = re.compile(r"#\s*define (STAMMA_\w+) (\(?[\w<>() +*-]+\)?)$")
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def prototypes(text):
    """Replaces inline functions by prototypes."""
    text = INLINE_LINE.sub(r"STAMMA_API \1;", text)
    return re.sub(r"^STAMMA_API inline ([^;{]+?)\n\{\n.*?^\}$", r"STAMMA_API \1;", text, flags=re.M | re.S)


def constants(text):
    """Returns a dictionary of the macros that are integers; UINT32_MAX and UINT64_MAX are predefined."""
    known = {"UINT32_MAX": 2**32 - 1, "UINT64_MAX": 2**64 - 1}
    for line in COMMENT.sub("", text).splitlines():
        match = CONSTANT.match(line.rstrip())
        if match:
            value = re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]+\b", r"\1", match.group(2)).replace("(size_t)", "").replace("(uint64_t)", "")
            try:
                known[match.group(1)] = eval(value, {"__builtins__": {}}, known)
            except (NameError, SyntaxError):
                pass
    return known


def plain(text):
    known = constants(text)
    lines = []
    braced = False
    for line in prototypes(text).splitlines():
        define = re.match(r"#\s*define (STAMMA_\w+) ", line)
        if define and define.group(1) in known:
            lines.append("#define %s %d" % (define.group(1), known[define.group(1)]))
        elif line.startswith('extern "C" {') or (line == "}" and lines and not braced):
            continue
        elif not line.startswith("#"):
            lines.append(re.sub(r"^STAMMA_API ", "", line))
        braced = braced and line != "}" or line == "{"
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(plain(public_header.text(*sys.argv[1:2])))
