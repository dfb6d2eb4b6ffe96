#!/bin/sh
# The lists that are checked in are those that the script writes.
exec "${PYTHON:-python3}" scripts/nibble_lists.py --check
