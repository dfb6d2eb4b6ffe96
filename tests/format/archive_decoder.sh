#!/bin/sh
# SPDX-License-Identifier: MIT
# The slow decoder, which was written from doc/format/archive.md only, unpacks the archives that the library packs. LONG=1:
# complete corpora.
exec python3 tests/format/archive_decoder.py
