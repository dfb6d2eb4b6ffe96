#!/bin/sh
# The slow reader of index files, which was written from doc/index.md only, finds what the library finds without an index.
exec python3 tests/index_reader.py
