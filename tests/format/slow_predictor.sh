#!/bin/sh
# SPDX-License-Identifier: MIT
# A slow predictor, written from doc/format/predictor.md only, computes the frequencies that the command prints.
set -eu
[ -x "$STAMMA" ] || { echo "no command is built"; exit 77; }
"$STAMMA" predict --json >/dev/null 2>&1 || { echo "the command was built without weights"; exit 77; }
PYTHONPATH=reference exec "${PYTHON:-python3}" tests/format/predictor_frequencies.py "$STAMMA"
