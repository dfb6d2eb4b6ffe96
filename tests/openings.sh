#!/bin/sh
# The table of openings that is checked in is the one that the script writes from its text.
exec "${PYTHON:-python3}" scripts/openings.py --check
