#!/bin/sh
# SPDX-License-Identifier: MIT
# The archives in tests/data/written are written again with the same bytes, and read by the library and the slow decoder.
[ -x "$STAMMA" ] || { echo "no command is built"; exit 77; }
exec python3 tests/format/written_archives.py
