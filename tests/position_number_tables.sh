#!/bin/sh
# The counts that are checked in are those that the script writes.
exec "${PYTHON:-python3}" scripts/position_number_tables.py --check
