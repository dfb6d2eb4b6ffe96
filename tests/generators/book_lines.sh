#!/bin/sh
# SPDX-License-Identifier: MIT
# The opening lines in the tree equal the lines that the script writes from their text.
exec "${PYTHON:-python3}" generators/book_lines.py --check
