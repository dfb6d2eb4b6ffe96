#!/bin/bash
# SPDX-License-Identifier: MIT
# /uploads of stamma serve packs files to the archives of the command, and restores the sent bytes. Also tests invalid
# files, names, origins and types, limits, cut connections, and the files that are left in the folder.
set -u
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
[ -e /proc/self/exe ] || { echo "no /proc, which names the running program"; exit 77; }
serve_folder
cp "$pgn" games.pgn
sample >sample.pgn
games 3000 >many.pgn
run 0 pack -q games.pgn
: >empty.pgn
run 0 pack -q empty.pgn
run 0 pack -q many.pgn
run 0 pack sample.pgn
cp err sample.err
mkdir up
: >file

# ---- errors in the call ----
run 2 serve --uploads absent
says "absent: No such file or directory"
run 2 serve --uploads file
says "file: Not a directory"
run 2 serve --uploads up --host 0.0.0.0
says "option --uploads: only with a loopback address"
run 2 serve --uploads up --upload-limit 1K
says "option --upload-limit"
# The folder is deleted if the server cannot start.
run 2 serve --uploads up absent.stamma
equal "$(find up)" up

checks=$((checks + 1))
python3 "$tests/serve/serve_uploads.py" || fail "uploads"
finish
