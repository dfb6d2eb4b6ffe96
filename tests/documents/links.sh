#!/bin/sh
# SPDX-License-Identifier: MIT
# Every link of the documents of the tree leads to a file and a heading that exist, and so do the links of the documents that
# `make install` installs, in their folder. tests/tree/install.sh checks that `make install` installs these files.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2046
python3 tests/documents/links.py . $( (ls -d -- *.md */*.md; scripts/linked_files | grep '\.md$') | sort -u)
scripts/linked_files >"$work/files"
tar -c -T "$work/files" | (mkdir "$work/installed" && tar -x -C "$work/installed")
python3 tests/documents/links.py "$work/installed"
