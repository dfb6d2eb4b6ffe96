#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ratings, results, dates and speeds: every command, endpoint and level interprets them in the same way.
set -u
case ${SANITIZE:-} in *memory*) echo "the HTTP library is not built with the memory sanitizer"; exit 77 ;; esac
. tests/support/command_support.bash
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
export STAMMA=$stamma
cd "$scratch" || exit 1
python3 "$tests/command/command_values.py" || fail "the values"
finish
