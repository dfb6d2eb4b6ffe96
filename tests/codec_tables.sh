#!/bin/sh
# The tables of the codec room in the tree equal those that the script writes.
exec "${PYTHON:-python3}" scripts/codec_tables.py --check
