#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/analyze compares the reports of analysers with the accepted findings. Small programs replace the analysers.
set -eu
analyze=$PWD/scripts/analyze
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/tree/src/room" "$work/tree/scripts"
cd "$work/tree"
PATH=$work/bin:$PATH
touch .clang-tidy src/room/a.c src/room/a.h src/room/b.c

# prints WHAT: each analyser prints this, except gcc, which prints nothing.
prints() {
    printf '#!/bin/sh\n' | tee "$work/bin/gcc" >"$work/bin/cppcheck"
    { cat "$work/bin/gcc"; echo "case \"\$*\" in *room/a.c*) printf '%s\n' '$1' ;; esac; exit ${2:-0}"; } >"$work/bin/clang-tidy"
    chmod +x "$work"/bin/*
}
# wants STATUS PATTERN [ACCEPTED]: runs it, with this list of accepted findings.
wants() {
    status=0
    printf '# comment\n%b' "${3:-}" >scripts/analyze_accepted.tsv
    rm -rf build
    python3 "$analyze" 1 >out 2>&1 || status=$?
    { [ $status = "$1" ] && grep -q "$2" out; } || { echo "wanted status $1 and $2; got $status and:"; cat out; exit 1; }
}

one='src/room/a.c:7:3: warning: odd (value) [check-odd]'
accepted='clang-tidy\tsrc/room/a.c\tcheck-odd\t1\tit "is" even\n'
prints ''
wants 0 '2 files, 0 findings'
wants 1 'src/room/a.c: clang-tidy: check-odd occurs 0 times; scripts/analyze_accepted.tsv lists 1' "$accepted"
prints "$one"
wants 1 '^src/room/a.c:7: odd (value) \[clang-tidy: check-odd\]$'
wants 0 '2 files, 0 findings' "$accepted"
prints "$one
src/room/a.c:9:3: warning: odd (other) [check-odd]"
wants 1 '^src/room/a.c:9: odd (other)' "$accepted"
prints "$PWD/src/room/a.h:1:2: warning: use of NULL [CWE-476] [-Wnull]"
wants 1 '^src/room/a.h:1: use of NULL \[CWE-476\] \[clang-tidy: null\]$'
prints '/usr/include/stdio.h:1:2: warning: odd [check-odd]'
wants 0 '0 findings'
prints 'out of order' 3
wants 1 '^src/room/a.c:0: out of order \[clang-tidy: failed\]$'

# Unchanged files are not analysed again; --only reports no missing findings.
prints "$one"
wants 0 '0 findings' "$accepted"
prints ''
python3 "$analyze" 1 >out || { cat out; exit 1; }
sleep 0.01
touch src/room/a.h
! python3 "$analyze" 1 >out || { cat out; exit 1; }
python3 "$analyze" --only room/b 1 >out || { cat out; exit 1; }
