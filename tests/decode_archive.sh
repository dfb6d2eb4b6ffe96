#!/bin/sh
# Tests of the slow decoder that the library's archives are checked against.
exec python3 tests/decode_archive_test.py
