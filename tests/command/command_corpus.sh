#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every corpus and every nasty file packs and unpacks byte for byte, nasty files also with --raw. Large training files
# are included only with LONG=1; under sanitizers only the annotated games are used.
set -u
. tests/support/command_support.bash
shared=$(realpath "${SHARED:-../shared}")
[ -d "$shared/corpora" ] || { echo "../shared/corpora is not here"; exit 77; }
cd "$scratch" || exit 1

for file in "$shared"/corpora/*.pgn.zst; do
    case $file in
    *annotated_dev*) ;;
    *_train*) [ "${LONG:-}" ] || continue ;;
    *) [ -z "${SANITIZE:-}" ] || continue ;;
    esac
    zstd -qdc --long=27 "$file" >text
    run 0 pack -q -f -o packed.stamma "$file"
    run 0 unpack -f -o back packed.stamma
    same back text
done
for file in "$shared"/corpora/nasty/*/*; do
    zstd -qdc "$file" >text 2>/dev/null || cp -f "$file" text # compression is recognized by content
    run 0 pack -q -f -o packed.stamma "$file"
    run 0 unpack -f -o back packed.stamma
    cmp -s back text || fail "$file does not come back"
    run 0 info --json packed.stamma
    "$stamma" cat packed.stamma --format json 2>err >out
    [ $? -lt 2 ] || fail "cat --format json of $file" "$(cat err)"
    run 0 pack -q -f --raw -o packed.stamma "$file"
    run 0 unpack -f -o back packed.stamma
    cmp -s back "$file" || fail "$file does not come back with --raw"
done
finish
