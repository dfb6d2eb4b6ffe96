#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/run_tests counts tests that pass, fail, crash, hang and are skipped, and sets its exit status.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program() {
    { echo '#!/bin/sh'; cat; } >"$work/$1"
    chmod +x "$work/$1"
}
sums() {
    expected=$1 expected_status=$2
    shift 2
    status=0
    BUILD=$work python3 scripts/run_tests --timeout 2 "$@" >"$work/out" 2>&1 || status=$?
    [ "$(tail -n 1 "$work/out")" = "$expected" ] && [ $status = "$expected_status" ] && return
    echo "wanted: $expected, exit status $expected_status; got $status and:"
    cat "$work/out"
    exit 1
}

echo 'exit 0' | program passes
echo 'echo broken; exit 3' | program fails
echo 'echo "no bread"; exit 77' | program skips
echo 'kill -SEGV $$' | program crashes
echo 'sleep 20' | program hangs
program cases <<'END'
echo '[       OK ] one'; echo '[  FAILED  ] two'
echo '[ RUN      ] three'; echo 'no butter'; echo '[  SKIPPED ] three'
echo '[  SKIPPED ] 1 test(s), listed below:'; echo '[  SKIPPED ] three'
exit 1
END
program crashes_late <<'END'
echo '[       OK ] one'
kill -ABRT $$
END

sums '1 passed, 0 failed, 1 skipped' 0 "$work/passes" "$work/skips"
grep -q 'skipped: no bread' "$work/out"
sums '0 passed, 3 failed, 0 skipped' 1 "$work/fails" "$work/crashes" "$work/missing"
grep -q '| broken' "$work/out"
sums '0 passed, 1 failed, 0 skipped' 1 "$work/hangs"
sums '1 passed, 1 failed, 1 skipped' 1 "$work/cases"
grep -q 'skipped: three (no butter)' "$work/out"
sums '1 passed, 1 failed, 0 skipped' 1 "$work/crashes_late"
sums '0 passed, 0 failed, 0 skipped' 1
grep -qx 'no test was selected' "$work/out"

many=
for n in $(seq 25); do
    echo 'exit 0' | program "many$n"
    many="$many $work/many$n"
done
# shellcheck disable=SC2086
sums '25 passed, 0 failed, 0 skipped' 0 $many
[ "$(grep -c '^ *[0-9.]* s  many' "$work/out")" = 20 ]

# A file that a test leaves in the work tree is a failure; a file in build is not.
command -v git >/dev/null || exit 0
runner=$PWD/scripts/run_tests
mkdir -p "$work/tree/build"
cd "$work/tree"
git init -q
printf '#!/bin/sh\necho >left\n' >"$work/leaves"
printf '#!/bin/sh\necho >build/left\n' >"$work/builds"
chmod +x "$work/leaves" "$work/builds"
wanted() { # SUM PROGRAM
    BUILD=$work python3 "$runner" "$2" >"$work/out" || true
    [ "$(tail -n 1 "$work/out")" = "$1" ] || { echo "wanted: $1, got:"; cat "$work/out"; exit 1; }
}
wanted '1 passed, 0 failed, 0 skipped' "$work/builds"
wanted '1 passed, 1 failed, 0 skipped' "$work/leaves"
grep -q 'changed the tree: ?? left' "$work/out"
wanted '1 passed, 0 failed, 0 skipped' "$work/leaves" # no new files
