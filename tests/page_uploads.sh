#!/bin/bash
# The view Archives of the page of `stamma serve`, in headless Chromium: first use without archives, the list of archives,
# files that are chosen and dropped.
# Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/command_support.bash
. tests/command_support.bash
python3 tests/page_driver.py --browser || { echo "no Chromium"; exit 77; }
AXE=$(scripts/setup --modules)/axe-core/axe.min.js
[ ! -e "$AXE" ] || export AXE
page_archive

# drive PART ARGUMENT...: starts a server, and runs a part of the driver.
drive() {
    local part=$1
    shift
    start_server "$@"
    ! grep "built without" log || exit 77
    checks=$((checks + 1))
    STAMMA=$stamma python3 "$tests/page_uploads_driver.py" "$address" games.stamma "$pictures" "$part" || fail "the page, $part" "$(cat log)"
    kill "$server"
    wait "$server"
    trap 'rm -rf "$scratch"' EXIT
}

cp games.stamma other.stamma
sample >sample.pgn
run 0 pack sample.pgn
cp err sample.err
gzip -k games.pgn
head -c 2000 games.pgn.gz >half.pgn.gz
games 8000 >many.pgn
echo "this is no game" >bad.pgn
: >empty.pgn
mkdir uploads
run 0 index -q other.stamma
drive empty
drive listed games.stamma other.stamma
drive uploads --uploads uploads --upload-limit 2M
equal "$(ls uploads)" ""
finish
