#!/bin/sh
# The predictor's constant tables in the tree equal those that the script writes.
exec "${PYTHON:-python3}" scripts/predict_tables.py --check
