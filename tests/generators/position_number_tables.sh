#!/bin/sh
# SPDX-License-Identifier: MIT
# The counts in the tree equal the counts that the script writes.
exec "${PYTHON:-python3}" generators/position_number_tables.py --check
