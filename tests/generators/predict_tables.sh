#!/bin/sh
# SPDX-License-Identifier: MIT
# The predictor's constant tables in the tree equal the tables that the script writes.
exec "${PYTHON:-python3}" generators/predict_tables.py --check
