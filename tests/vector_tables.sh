#!/bin/sh
# The moves by vector that are checked in are those that the script writes.
exec "${PYTHON:-python3}" scripts/vector_tables.py --check
