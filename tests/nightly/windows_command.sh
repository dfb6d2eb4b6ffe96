#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The command for Windows, run by Wine on the games of lichess_dev: archives and index files are equal to those of this
# system; paths contain blanks, umlauts and Chinese characters, or have more than 260 characters; a disk is full; files
# are open elsewhere; Ctrl-C removes unfinished files; the server answers.
set -u
. tests/support/command_support.bash
[ -z "${SANITIZE:-}" ] || { echo "only the release build is tested"; exit 77; }
command -v wine >/dev/null || { echo "no wine"; exit 77; }
games=$PWD/../shared/corpora/lichess_dev.pgn.zst
[ -e "$games" ] || { echo "no $games"; exit 77; }
exe=$PWD/build/release/x86_64-windows-gnu/stamma
[ -e "$(dirname "$(scripts/setup --modules)")/release/python/ziglang/zig" ] || { echo "no zig: scripts/setup --release installs it"; exit 77; }
(unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES CC CFLAGS CPPFLAGS LDFLAGS BUILD
    make -s -j "${JOBS:-2}" RELEASE_TARGET=x86_64-windows-gnu "${exe#"$PWD/"}") >"$scratch/make" 2>&1 ||
    { tail -n 20 "$scratch/make"; exit 1; }
export STAMMA_EXE=$exe WINEDEBUG=-all
here=$stamma stamma=$tests/support/wine_stamma
folder="$scratch/Größe der Partien 棋譜"
mkdir "$folder" && cd "$folder" || exit 1
wine cmd /c ver >wine 2>&1 || { echo "wine does not start: $(head -3 wine)"; exit 77; }

# ---- equal files ----
zstd -dqc "$games" >'Züge 1.pgn'
"$here" pack -q -o here.stamma 'Züge 1.pgn'
"$here" index -q here.stamma
run 0 pack -q 'Züge 1.pgn'
same 'Züge 1.stamma' here.stamma
run 0 pack -q -o 棋.stamma "$games"
same 棋.stamma here.stamma
run 0 index -q 棋.stamma
same 棋.stamma.index here.stamma.index
run 0 unpack 棋.stamma
same out 'Züge 1.pgn'
run 0 unpack -q -o 'zurück 1.pgn' 棋.stamma
same 'zurück 1.pgn' 'Züge 1.pgn'
head -c 300000 'Züge 1.pgn' >'mehr 譜.pgn'
cp here.stamma here2.stamma && cp here.stamma.index here2.stamma.index
"$here" append -q here2.stamma 'mehr 譜.pgn'
cp here.stamma 'an 2.stamma' && cp here.stamma.index 'an 2.stamma.index'
run 0 append -q 'an 2.stamma' 'mehr 譜.pgn'
same 'an 2.stamma' here2.stamma
same 'an 2.stamma.index' here2.stamma.index
run 0 dedupe -q -o 'ohne.stamma' 'an 2.stamma'
"$here" dedupe -q -o here3.stamma here2.stamma
same ohne.stamma here3.stamma

# ---- answers ----
both() {
    local status=0
    checks=$((checks + 1))
    "$here" "$@" >expected 2>expected_messages || status=$?
    run "$status" "$@"
    same out expected
}
both find --count 'an 2.stamma' --result 1-0
both find 'an 2.stamma' --white 'a*' --json
both ls 'an 2.stamma' 1..50
both tree 'an 2.stamma' e4 e5
both stats 'an 2.stamma' --json
both cat 'an 2.stamma' 17 --format json
both verify 'an 2.stamma'
both sql 'an 2.stamma' "SELECT eco, count(*) FROM games GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20"
both export -o - 'an 2.stamma' --table games --format csv
run 2 info 'fehlt 無.stamma'
says 'fehlt 無.stamma: No such file or directory'
run 0 pack -q -o alle.stamma '*.pgn'
"$here" pack -q -o alle_hier.stamma ./*.pgn
run 0 find alle.stamma --count
equal "$(cat out)" "$("$here" find alle_hier.stamma --count)"

# ---- long paths ----
long=.
for n in 1 2 3; do long=$long/$(printf '長い%.0s' {1..40})-$n; done
mkdir -p "$long"
run 0 pack -q -o "$long/a.stamma" 'mehr 譜.pgn'
run 0 index -q "$long/a.stamma"
run 0 append -q "$long/a.stamma" 'mehr 譜.pgn'
run 0 verify -q "$long/a.stamma"
nothing_left "$long"

# ---- files that are open elsewhere ----
exec 7<here.stamma 8<>here2.stamma
run 0 pack -q -f -o here2.stamma 'mehr 譜.pgn'
exec 7<&- 8>&-
"$stamma" serve --port 0 'an 2.stamma' 2>serve.err &
server=$!
for _ in $(seq 200); do grep -q http serve.err && break; sleep 0.1; done
address=$(grep -o 'http://[0-9.:]*/' serve.err | head -1)
ask() { python3 -c 'import sys, urllib.request; sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1]).read())' "$address$1"; }
ask 'lichess?play=e2e4' >answer
checks=$((checks + 1))
python3 -c 'import json; assert json.load(open("answer"))["moves"]' || fail "the server does not answer"
# the server has the archive mapped
run 0 append -q 'an 2.stamma' 'mehr 譜.pgn'
run 0 verify -q 'an 2.stamma'
run 0 pack -q -f -o 'an 2.stamma' 'mehr 譜.pgn'
run 0 verify -q 'an 2.stamma'
sleep 3
ask archives >answer
checks=$((checks + 1))
grep -q '"games"' answer || fail "the server does not answer after the archive was replaced"
kill -INT $server
wait $server
equal "$?" 0
# the next replacement deletes the file that the server had mapped
run 0 pack -q -f -o 'an 2.stamma' 'mehr 譜.pgn'
nothing_left .

# ---- Ctrl-C ----
cat "$games" "$games" "$games" "$games" "$games" "$games" >lang.pgn.zst
"$stamma" pack -q -3 -o abgebrochen.stamma lang.pgn.zst 2>err &
packing=$!
for _ in $(seq 100); do [ -n "$(find . -name '.stamma-*')" ] && break; sleep 0.1; done
kill -INT $packing
wait $packing
equal "$?" 130
absent abgebrochen.stamma
nothing_left .

# ---- a full disk ----
mkdir voll
if mount -t tmpfs -o size=512k none voll 2>/dev/null; then
    trap 'umount "$folder/voll"; rm -rf "$scratch"' EXIT
    run 2 pack -q -o voll/zu.stamma 'Züge 1.pgn'
    says 'zu.stamma: No space left on device'
    equal "$(ls -A voll)" ""
    run 0 pack -q -o voll/klein.stamma 'mehr 譜.pgn'
    cp voll/klein.stamma klein.stamma
    run 2 append -q voll/klein.stamma 'Züge 1.pgn'
    says 'No space left on device'
    same voll/klein.stamma klein.stamma
else
    echo "only root can test a full disk"
fi
finish
