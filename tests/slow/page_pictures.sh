#!/bin/bash
# SPDX-License-Identifier: MIT
# The pictures of README.md and doc/reference/page.md, from sampled games (scripts/demo_serve) and data/games.pgn. Tests that they
# can be made and that doc/images contains pictures of the same views, of at most 150 KB each. To replace the pictures:
# PICTURES=doc/images make check-slow TEST=page_pictures
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
[ -z "${SANITIZE:-}" ] || { echo "not with sanitizers: sampling is slow"; exit 77; }
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
: "${BUILD:=build}"
[ -x "$BUILD/generators/sample_games" ] || { echo "no $BUILD/generators/sample_games"; exit 77; }
"$stamma" predict e4 >/dev/null 2>&1 || { echo "the library was built without weights"; exit 77; }
PICTURES=$(realpath "${PICTURES:-$BUILD/screenshots}")
mkdir -p "$PICTURES"
checks=$((checks + 1))
scripts/demo_serve --make "$BUILD" || fail "demo_serve --make"
demo=$(realpath "$BUILD/demo") driver=$(realpath tests/page/page_pictures_driver.py) images=$(realpath doc/images)
cd "$scratch" || exit 1
start_server "$demo/sampled_otb.stamma" "$demo/games.stamma"
! grep "built without" log || exit 77
checks=$((checks + 1))
STAMMA=$stamma python3 "$driver" "$address" "" "$PICTURES" || fail "the pictures" "$(cat log)"
names="explorer explorer-game explorer-search explorer-encodings explorer-phone explorer-landscape"
engine=$(PATH=$PATH:/usr/games command -v stockfish)
if [ -n "$engine" ]; then
    kill "$server"
    start_server --engine "$engine" "$demo/games.stamma"
    checks=$((checks + 1))
    ENGINE=1 STAMMA=$stamma python3 "$driver" "$address" "" "$PICTURES" || fail "the picture of the engine" "$(cat log)"
    names="$names explorer-engine"
fi
for name in $names; do
    for file in "$PICTURES/$name.png" "$images/$name.png"; do
        checks=$((checks + 1))
        [ -e "$file" ] && [ "$(wc -c <"$file")" -le 153600 ] || fail "$file is missing, or larger than 150 KB"
    done
done
finish
