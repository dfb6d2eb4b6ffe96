#!/bin/sh
# SPDX-License-Identifier: MIT
# Escape sequences in games, file names and arguments do not reach a terminal.
set -eu
[ -x "$STAMMA" ] || { echo "no command is built"; exit 77; }
python3 -c 'import pty' 2>/dev/null || { echo "Python has no pty"; exit 77; }
stamma=$(realpath "$STAMMA")
tests=$PWD/tests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
LC_ALL=C python3 "$tests/command/terminal_text.py" "$stamma"
