#!/bin/sh
# SPDX-License-Identifier: MIT
# The tables of the codec room in the tree equal the tables that the script writes.
exec "${PYTHON:-python3}" generators/codec_tables.py --check
