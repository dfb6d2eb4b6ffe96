#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures what each mechanism of the format saves, with mechanisms.py. LEVEL is the level (1).
#
# usage: mechanisms.sh [FILE.pgn...]     run by `make bench BENCH=mechanisms`
#
# Without files, uses nine corpora from $SHARED/corpora. Levels 2 and 3 need about a minute per 20 MB and mechanism.
set -eu
: "${LEVEL:=1}"
corpora="otb_dev lichess_dev lichess_dump_dev twic_dev chesscom_dev annotated_dev engine_dev engine2_dev chess960_dev"
[ $# -gt 0 ] || exec bench/on_corpora "$corpora" "$0"
exec python3 bench/mechanisms.py --level "$LEVEL" "$@"
