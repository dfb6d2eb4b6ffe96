#!/bin/sh
# SPDX-License-Identifier: MIT
# The archives in tests/data are up to date, and the slow decoder and the library read the same texts from them.
exec python3 tests/format/archive_files.py --check
