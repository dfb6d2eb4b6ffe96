#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests the slow decoder, which other tests use to check the library's archives.
exec python3 tests/format/decode_archive_test.py
