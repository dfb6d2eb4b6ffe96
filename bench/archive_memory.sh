#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the memory that packing and unpacking use, which does not depend on the size of the input.
#
# usage: archive_memory.sh [FILE.pgn...]     run by `make bench BENCH=archive_memory`
#
# Writes the files repeatedly into a pipe until $GIGABYTES (default 4) are written; no file of that size is needed.
# Without files, uses all *_dev corpora in $SHARED/corpora, or data/games.pgn if there are none. Prints the largest
# resident set of each run, which includes the pages of the program and of the system's libraries.
set -eu
: "${STAMMA:=build/stamma}" "${SHARED:=../shared}" "${GIGABYTES:=4}" "${PYTHON:=python3}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ $# -eq 0 ] && [ -e "$SHARED/corpora" ]; then
    for file in "$SHARED"/corpora/*_dev.pgn.zst; do
        zstd -q -d --long=27 "$file" -o "$work/$(basename "$file" .zst)"
    done
    set -- "$work"/*.pgn
fi
[ $# -gt 0 ] || set -- data/games.pgn

# Prints the largest resident set in MiB of a command that reads the files repeatedly, and the time.
peak() {
    "$PYTHON" - "$GIGABYTES" "$work/files" "$@" <<'PYTHON'
import os, subprocess, sys, time
left, files, command = int(float(sys.argv[1]) * 1e9), open(sys.argv[2]).read().split("\n")[:-1], sys.argv[3:]
started = time.monotonic()
child = subprocess.Popen(command, stdin=subprocess.PIPE if "-" in command else subprocess.DEVNULL)
while child.stdin and left > 0:
    for name in files:
        with open(name, "rb") as file:
            left -= child.stdin.write(file.read(left)) if left > 0 else 0
if child.stdin:
    child.stdin.close()
_, status, used = os.wait4(child.pid, 0)
if status != 0:
    sys.exit("archive_memory: %s failed" % " ".join(command))
print("  %-44s %6.1f MiB  %7.1f s" % (" ".join(command[1:4 + ("--memory" in command) * 2]),
                                      used.ru_maxrss / 1024, time.monotonic() - started))
PYTHON
}

printf '%s\n' "$@" >"$work/files"
echo "$GIGABYTES GB from $# files: largest resident set, and elapsed time"
for options in "-T 2" "-T 2 --memory 256M" "-T 1 --memory 128M"; do
    # shellcheck disable=SC2086 # the options are words
    peak "$STAMMA" pack $options -q -f -o "$work/out.stamma" -
done
for options in "-T 2" "-T 1"; do
    # shellcheck disable=SC2086
    peak "$STAMMA" unpack $options -f -o /dev/null "$work/out.stamma"
done
ls -l "$work/out.stamma" | awk '{ printf "  the archive: %d bytes\n", $5 }'
