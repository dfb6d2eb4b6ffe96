#!/bin/sh
# A slow predictor, written from doc/predictor.md only, computes the frequencies that the command prints.
set -eu
[ -x "$STAMMA" ] || { echo "no command is built"; exit 77; }
"$STAMMA" predict --json >/dev/null 2>&1 || { echo "the command was built without weights"; exit 77; }
exec "${PYTHON:-python3}" reference/slow_predictor.py "$STAMMA"
