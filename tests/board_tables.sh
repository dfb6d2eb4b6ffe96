#!/bin/sh
# The tables that are checked in are those that the script writes.
exec "${PYTHON:-python3}" scripts/board_tables.py --check
