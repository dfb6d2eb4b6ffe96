#!/bin/sh
# The tables of the codec room that are checked in are those that the script writes.
exec "${PYTHON:-python3}" scripts/codec_tables.py --check
