#!/bin/sh
# SPDX-License-Identifier: MIT
# The example in doc/format/archive.md equals the archive that the library packs, and decodes to the text in the document.
# `generators/format_example.py --write doc/format/archive.md ARCHIVE` replaces the example.
set -e
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
text=$(sed -n '/^## 13\. /,/^<!-- example -->/p' doc/format/archive.md | sed -n '/^```$/,/^```$/p' | sed '1d;$d')
printf '%s\n' "$text" >"$scratch/example.pgn"
grep -q '1\. e4' "$scratch/example.pgn"
"${STAMMA:-build/stamma}" pack -q -o "$scratch/example.stamma" "$scratch/example.pgn"
python3 generators/format_example.py --check doc/format/archive.md "$scratch/example.stamma"
python3 reference/decode_archive.py "$scratch/example.stamma" | cmp - "$scratch/example.pgn"
