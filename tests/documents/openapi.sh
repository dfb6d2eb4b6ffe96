#!/bin/sh
# SPDX-License-Identifier: MIT
# doc/reference/openapi.yaml describes the endpoints and parameters of the server: those in its sources, and no others. A server
# answers each described path, and refuses parameters that it describes as required.
set -eu
[ -x "$STAMMA" ] || { echo "no command is built"; exit 77; }
case ${SANITIZE:-} in *memory*) echo "the HTTP library is not built with the memory sanitizer"; exit 77 ;; esac
docs=$(dirname "$(scripts/setup --modules)")/docs
PYTHONPATH=tests/support:$docs
export PYTHONPATH
python3 -c 'import yaml' 2>/dev/null || { echo "no YAML reader for Python"; exit 77; }
STAMMA=$(realpath "$STAMMA")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$STAMMA" pack -q -o "$work/games.stamma" data/games.pgn
python3 tests/documents/openapi.py "$work"
