#!/bin/sh
# The lists in the tree equal those that the script writes.
exec "${PYTHON:-python3}" generators/nibble_lists.py --check
