#!/bin/sh
# The lists in the tree equal those that the script writes.
exec "${PYTHON:-python3}" scripts/nibble_lists.py --check
