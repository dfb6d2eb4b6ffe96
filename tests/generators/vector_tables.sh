#!/bin/sh
# SPDX-License-Identifier: MIT
# The moves by vector in the tree equal the moves that the script writes.
exec "${PYTHON:-python3}" generators/vector_tables.py --check
