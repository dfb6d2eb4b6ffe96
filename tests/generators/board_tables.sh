#!/bin/sh
# SPDX-License-Identifier: MIT
# The tables in the tree equal the tables that the script writes.
exec "${PYTHON:-python3}" generators/board_tables.py --check
