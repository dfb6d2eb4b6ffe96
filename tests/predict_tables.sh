#!/bin/sh
# The predictor's constant tables that are checked in are those that the script writes.
exec "${PYTHON:-python3}" scripts/predict_tables.py --check
