#!/usr/bin/env bash
# stamma serve while archives and index files are replaced, grow, and are cut short or damaged.
set -u
# shellcheck source=tests/command_support.bash
. tests/command_support.bash
serve_folder
slow_archives
checks=$((checks + 1))
python3 "$tests/serve_files.py" || fail "the server's answers"
finish
