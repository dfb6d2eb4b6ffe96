#!/bin/bash
# SPDX-License-Identifier: MIT
# The view Encodings of the page of `stamma serve` without archives, in headless Chromium: the codes are those of `stamma
# encode`; fields, decoding, sizes, boards; three widths, axe-core. Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
[ -z "${SANITIZE:-}" ] || { echo "not with sanitizers: serve_encode watches the server"; exit 77; }
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
AXE=$(scripts/setup --modules)/axe-core/axe.min.js
[ ! -e "$AXE" ] || export AXE
mkdir -p "${BUILD:=build}/screenshots"
pictures=$(realpath "$BUILD/screenshots") driver=$(realpath tests/page/page_encodings_driver.py)
cd "$scratch" || exit 1
sample >sample.pgn # page_axe_driver.py reads it
start_server
! grep "built without" log || exit 77
checks=$((checks + 1))
STAMMA=$stamma python3 "$driver" "$address" "" "$pictures" || fail "the page" "$(cat log)"
finish
