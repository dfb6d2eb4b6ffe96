#!/bin/sh
# SPDX-License-Identifier: MIT
# The table of openings in the tree equals the table that the script writes from its text.
exec "${PYTHON:-python3}" generators/openings.py --check
