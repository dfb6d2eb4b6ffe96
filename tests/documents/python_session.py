# SPDX-License-Identifier: MIT
"""Runs blocks of Python that share their variables: reads the length of a block, a newline and the block from standard
input, runs it, and writes a zero byte after its output, until the input ends. Blocks with `>>> ` are doctests."""
import doctest
import os
import sys
import traceback

shared = {"__name__": "__main__"}
source, sys.stdin = sys.stdin.buffer, open(os.devnull, encoding="utf-8")
# What another program or a library in C writes to the file descriptor has the right order only without a buffer.
sys.stdout.reconfigure(write_through=True)


def run(text):
    if text.startswith(">>> "):
        test = doctest.DocTestParser().get_doctest(text, shared, "block", None, 0)
        doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(test, clear_globs=False)
    else:
        exec(compile(text, "block", "exec"), shared)


while True:
    size = source.readline()
    if not size:
        break
    try:
        run(source.read(int(size)).decode())
    except SystemExit as end:
        print("status", end.code)
    except BaseException as error:
        print("".join(traceback.format_exception_only(type(error), error)), end="")
        print("status 1")
    sys.stdout.flush()
    os.write(1, b"\0")
