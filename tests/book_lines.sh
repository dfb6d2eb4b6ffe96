#!/bin/sh
# The opening lines that are checked in are those that the script writes from their text.
exec "${PYTHON:-python3}" scripts/book_lines.py --check
