#!/bin/sh
# The predictor's constant tables in the tree equal those that the script writes.
exec "${PYTHON:-python3}" generators/predict_tables.py --check
