#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Archives with valid checksums that require much work or memory: each command ends with an error, within a second of
# processor time and within --memory.
set -u
[ -z "${SANITIZE:-}" ] || { echo "a sanitizer's own time and memory are counted too"; exit 77; }
. tests/support/command_support.bash
python3 tests/format/hostile_archives.py "$stamma" "$scratch" >"$scratch/out" || fail "an archive needs too much"
checks=$(grep -c ok "$scratch/out")
finish
