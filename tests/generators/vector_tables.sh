#!/bin/sh
# The moves by vector in the tree equal those that the script writes.
exec "${PYTHON:-python3}" generators/vector_tables.py --check
