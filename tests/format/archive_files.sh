#!/bin/sh
# The archives in tests/data are up to date, and the slow decoder reads them as the library does.
exec python3 tests/format/archive_files.py --check
