#!/bin/sh
# The tables in the tree equal those that the script writes.
exec "${PYTHON:-python3}" scripts/board_tables.py --check
