#!/bin/sh
# SPDX-License-Identifier: MIT
# The slow reader of index files, which was written from doc/format/index_files.md only, finds the same results as the library
# without an index.
exec python3 tests/format/index_reader.py
