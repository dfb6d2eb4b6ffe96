#!/bin/sh
# The archives in tests/written are written again with the same bytes, and read by the library and the slow decoder.
[ -x "$STAMMA" ] || { echo "no command is built"; exit 77; }
exec python3 tests/written_archives.py
