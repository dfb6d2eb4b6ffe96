#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares the sizes of archives with general compressors and with Scid's files of the same games, and the time that
# each needs.
#
# usage: archive_sizes.sh [FILE.pgn...]     run by `make bench BENCH=archive_sizes`
#
# Without files, uses *_dev corpora from $SHARED/corpora. Prints bytes, the ratio to xz -9e, and processor seconds to
# pack and unpack, each measured once. PEERS=all adds zpaq -m5, which needs minutes. Programs that are not installed are
# omitted.
set -eu
: "${STAMMA:=build/stamma}" "${PEERS:=}"
[ $# -gt 0 ] || exec bench/on_corpora "otb_dev lichess_dev chesscom_dev engine_dev engine2_dev lichess_dump_dev twic_dev" "$0"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the processor time of a shell command, in seconds.
time_of() {
    LC_ALL=C bash -c "TIMEFORMAT='%U %S'; time { $1; } 2>/dev/null" 2>"$work/time" || true
    tail -n 1 "$work/time" | awk '{ print $1 + $2 }'
}

# Prints a row: name, size, seconds to pack, seconds to unpack.
row() { awk -v n="$1" -v s="$2" -v x="$xz" -v p="$3" -v u="$4" \
    'BEGIN { printf "  %-22s %11d  %5.3f  %9.2f %9s\n", n, s, s / x, p, u }'; }

# Packs and unpacks with commands that read $in and write $out.
peer() {
    p=$(time_of "$2 <'$file' >'$work/packed'")
    u=$(time_of "$3 <'$work/packed' >/dev/null")
    row "$1" "$(wc -c <"$work/packed")" "$p" "$u"
}

scid_row() {
    command -v tkscid >/dev/null || return 0
    cat >"$work/import.tcl" <<'TCL'
set base [sc_base create [lindex $argv 1]]
sc_base import $base [lindex $argv 0]
sc_base close $base
exit 0
TCL
    rm -f "$work"/scid.s*
    p=$(time_of "tkscid '$work/import.tcl' '$file' '$work/scid' >/dev/null")
    ls "$work"/scid.s* >/dev/null 2>&1 || return 0
    row "Scid (si4 sn4 sg4)" "$(cat "$work"/scid.s* | wc -c)" "$p" -
}

zpaq_row() {
    [ "$PEERS" = all ] && command -v zpaq >/dev/null || return 0
    p=$(time_of "zpaq a '$work/out.zpaq' '$file' -m5 -t1 >/dev/null")
    row "zpaq -m5" "$(wc -c <"$work/out.zpaq")" "$p" -
    rm -f "$work/out.zpaq"
}

for file in "$@"; do
    p=$(time_of "xz -9e -T1 -c '$file' >'$work/packed'")
    xz=$(wc -c <"$work/packed")
    u=$(time_of "xz -dc '$work/packed' >/dev/null")
    echo "$(basename "$file"), $(wc -c <"$file") bytes"
    printf '  %-22s %11s  %5s  %9s %9s\n' "" bytes "of xz" "pack, s" "unpack, s"
    for level in 1 2 3; do
        ps=$(time_of "'$STAMMA' pack -q -f -T 1 --level $level -o '$work/out.stamma' '$file'")
        us=$(time_of "'$STAMMA' unpack -T 1 -o /dev/null '$work/out.stamma'")
        row "stamma, level $level" "$(wc -c <"$work/out.stamma")" "$ps" "$us"
    done
    row "xz -9e" "$xz" "$p" "$u"
    peer "gzip -9" "gzip -9 -c" "gzip -dc"
    peer "bzip2 -9" "bzip2 -9 -c" "bzip2 -dc"
    peer "zstd -19 --long=27" "zstd -q -19 --long=27 --single-thread -c" "zstd -q -dc --long=27"
    scid_row
    zpaq_row
done
