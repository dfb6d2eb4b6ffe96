#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures how many positions per second the Python package delivers to train models (training_positions.py).
#
# usage: training.sh [FILE...]     archives or PGN; run by `make bench BENCH=training`
#
# Without files, uses lichess_train from $SHARED/corpora, decompressed with zstd.
set -eu
[ $# -gt 0 ] || exec bench/on_corpora "lichess_train" "$0"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts/build_python "$work"
PYTHONPATH=$work:$(dirname "$(scripts/setup --modules)")/python${PYTHONPATH:+:$PYTHONPATH}
export PYTHONPATH
"${PYTHON:-python3}" bench/training_positions.py "$@"
