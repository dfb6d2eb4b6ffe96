#!/bin/sh
# SPDX-License-Identifier: MIT
# The tour (doc/start/tour.md) shows every command, and every command that README.md and the first pages show exists.
set -eu
[ -x "$STAMMA" ] || { echo "no command is built"; exit 77; }
status=0
commands=$("$STAMMA" --help | sed -n '/^commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 37 ] || { echo "stamma --help lists too few commands: $commands"; exit 1; }
for command in $commands; do
    grep -q "stamma $command\\>" doc/start/tour.md || { echo "doc/start/tour.md does not show stamma $command"; status=1; }
done
for command in $(sed -n 's/^stamma \([a-z-]*\).*/\1/p' README.md doc/start/*.md | sort -u); do
    echo "$commands" | grep -qx -- "$command" || { echo "a first page shows stamma $command, which does not exist"; status=1; }
done
exit $status
