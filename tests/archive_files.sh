#!/bin/sh
# The archives below tests/data are as they would be made, and the slow decoder reads them as the library does.
exec python3 tests/archive_files.py --check
