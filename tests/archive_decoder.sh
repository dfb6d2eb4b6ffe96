#!/bin/sh
# What the library packs, the slow decoder that was written from doc/format.md alone unpacks. LONG=1: whole corpora.
exec python3 tests/archive_decoder.py
