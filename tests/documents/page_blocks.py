# SPDX-License-Identifier: MIT
"""Finds the blocks of code in a document, and what a test does with each.

A block ```sh, ```python, ```sql or ```c that is followed by an empty line and a block ```text prints this text. A block
without it prints nothing. A comment on the line before a block changes this:

<!-- output varies: REASON -->  the block runs, and its output is not compared
<!-- not run: REASON -->        the block does not run

<!-- set-up: COMMAND --> anywhere in the page runs COMMAND, a line of sh, before all blocks.
"""
import re
from dataclasses import dataclass

KINDS = ("sh", "python", "sql", "c")
BLOCK = re.compile(r"^(?:<!-- (?P<rule>[a-z ]+): (?P<reason>[^\n]*?) -->\n)?(?P<indent> *)```(?P<kind>\w*)\n(?P<text>.*?)^(?P=indent)```\n"
                   r"(?P<output>\n(?P=indent)```text\n(?P<expected>.*?)^(?P=indent)```\n)?", re.M | re.S)
RULES = (None, "output varies", "not run", "set-up")
# A block without a language must not contain commands or programs: these lines would not be tested.
UNTESTED = re.compile(r"^(?:sudo |build/)?(?:stamma|python3?|pip3?|apt|apt-get|make|curl|git|cc|gcc|duckdb|sqlite3|npm|cargo|docker|podman|snap|"
                      r"brew) |^#include|^import \w|^from \w+ import|^SELECT ", re.M)


@dataclass
class Block:
    kind: str
    text: str
    expected: str       # None: no block of text follows
    rule: str           # an element of RULES
    line: int
    span: tuple         # of the block with its output, in the document
    output_span: tuple  # of the output, with the empty line before it


def set_up_of(document):
    """Returns the commands of the comments `set-up`."""
    return "\n".join(re.findall(r"^<!-- set-up: (.*?) -->$", document, re.M | re.S))


def blocks_of(document):
    """Returns the blocks of a document in order. A document without a final newline is invalid."""
    blocks = []
    for match in BLOCK.finditer(document):
        indent = len(match["indent"])
        text, expected = (re.sub("^ {%d}" % indent, "", part, flags=re.M) if part else part for part in (match["text"], match["expected"]))
        output = match.span("output") if match["output"] else (match.end(), match.end())
        blocks.append(Block(match["kind"], text, expected, match["rule"], document.count("\n", 0, match.start()) + 1, match.span(), output))
    return blocks


def faults_of(document):
    """Returns what the comments and blocks of a document break, as lines of text."""
    faults = []
    for block in blocks_of(document):
        if block.rule not in RULES:
            faults.append("%d: a comment has no rule \"%s\"" % (block.line, block.rule))
        if not block.kind and UNTESTED.search(block.text):
            faults.append("%d: a block with commands names no language: %s" % (block.line, UNTESTED.search(block.text).group()))
        if re.search(r"^\$ ", block.text, re.M) and block.kind == "sh":
            faults.append("%d: a block has a prompt" % block.line)
    faults += ["a comment has no reason: %s" % comment for comment in re.findall(r"<!-- (?:not run|output varies):? *-->", document)]
    return faults
