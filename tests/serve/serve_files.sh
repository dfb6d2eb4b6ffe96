#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma serve while archives and index files are replaced, grow, and are truncated or damaged.
set -u
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
serve_folder
slow_archives
checks=$((checks + 1))
python3 "$tests/serve/serve_files.py" || fail "the server's answers"
finish
