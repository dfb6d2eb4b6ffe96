#!/bin/sh
# SPDX-License-Identifier: MIT
# The lists in the tree equal the lists that the script writes.
exec "${PYTHON:-python3}" generators/nibble_lists.py --check
