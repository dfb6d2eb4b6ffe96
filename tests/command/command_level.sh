#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Levels: pack, append, recompress and merge make and keep them. All levels unpack to the same text. info and cat report
# them.
set -u
repository=$PWD
. tests/support/command_support.bash
cd "$scratch" || exit 1

sample >a.pgn
cp "$repository/data/games.pgn" b.pgn
printf '1. e4 e5 2. Nf3' >open.pgn # ends within a game, without a line end

"$stamma" predict e4 >/dev/null 2>&1 || {
    run 2 pack -2 a.pgn
    says 'no level 2'
    echo "the command was built without weights: level 2 is not here"
    exit 77
}

# levels ARCHIVE: prints the levels that info reports.
levels() {
    run 0 info --json "$1"
    python3 -c 'import json, sys; print(*("%s:%s" % item for item in sorted(json.load(sys.stdin)["levels"].items())))' <out
}

run 0 pack -q -o one.stamma b.pgn
run 0 pack -q -2 -o two.stamma b.pgn
run 0 pack -q -3 -T 1 -o three.stamma b.pgn
run 0 pack -q --level 2 -T 3 --no-check -o two-again.stamma b.pgn
same two.stamma two-again.stamma
run 0 pack -q --level 3 -T 3 --no-check -o three-again.stamma b.pgn
same three.stamma three-again.stamma
equal "$(levels one.stamma)" "1:1"
equal "$(levels two.stamma)" "2:1"
equal "$(levels three.stamma)" "3:1"
run 0 info three.stamma
grep -Eq '^ *blocks of level 3 +1$' out || fail "info does not say of what level it is"
[ "$(stat -c %s two.stamma)" -lt "$(stat -c %s one.stamma)" ] || fail "level 2 is not smaller"
[ "$(stat -c %s three.stamma)" -lt "$(stat -c %s two.stamma)" ] || fail "level 3 is not smaller"
for archive in one two three; do
    run 0 unpack -f -o back.pgn $archive.stamma
    same back.pgn b.pgn
    run 0 unpack - <$archive.stamma
    same out b.pgn
    run 0 verify $archive.stamma
done

# Every command prints the same games for all levels.
for what in "cat" "cat --format uci" "cat --format fen 7..9" "ls" "ls 12" "cat --format json --columns number,san,clock_ms last" \
    "cat --format plies 3"; do
    set -- $what
    command=$1
    shift
    run 0 $command one.stamma "$@"
    mv out wanted
    for archive in two three; do
        run 0 $command $archive.stamma "$@"
        same out wanted
    done
done

# Recompressing from any level to another level makes the archive that pack makes.
run 0 recompress -q --level 2 -o r2.stamma one.stamma
same r2.stamma two.stamma
run 0 recompress -q -1 -T 2 -o r1.stamma two.stamma
same r1.stamma one.stamma
run 0 recompress -q -2 -f -o r1.stamma r1.stamma
same r1.stamma two.stamma
run 0 recompress -q -2 -f -o r1.stamma - <two.stamma
same r1.stamma two.stamma
run 0 recompress -2 -f -o r1.stamma one.stamma
says '86 games'
for archive in one two three; do
    run 0 recompress -q -3 -T 2 -f -o r3.stamma $archive.stamma
    same r3.stamma three.stamma
done
run 0 recompress -q -2 -f -o r3.stamma three.stamma
same r3.stamma two.stamma
run 0 recompress -q -1 -f -o r3.stamma three.stamma
same r3.stamma one.stamma

# Appended inputs and merged archives stay separate: their games keep their numbers.
cp open.pgn all.pgn
cat b.pgn >>all.pgn
run 0 pack -q -f -o mixed.stamma open.pgn
run 0 append -q -2 mixed.stamma b.pgn
equal "$(levels mixed.stamma)" "1:1 2:1"
run 0 append -q -3 mixed.stamma b.pgn
equal "$(levels mixed.stamma)" "1:1 2:1 3:1"
cat b.pgn >>all.pgn
run 0 unpack -f -o back.pgn mixed.stamma
same back.pgn all.pgn
run 0 recompress -q -2 -o m2.stamma mixed.stamma
run 0 recompress -q -1 -o m1.stamma mixed.stamma
run 0 recompress -q -2 -f -o m12.stamma m1.stamma
same m12.stamma m2.stamma
run 0 recompress -q -1 -f -o m21.stamma m2.stamma
same m21.stamma m1.stamma
run 0 unpack -f -o back.pgn m2.stamma
same back.pgn all.pgn
run 0 recompress -q -3 -o m3.stamma mixed.stamma
run 0 recompress -q -3 -f -o m13.stamma m1.stamma
same m13.stamma m3.stamma
for number in 1 2 87 88 100 173; do
    run 0 cat mixed.stamma $number
    mv out wanted
    for archive in m2 m3; do
        run 0 cat $archive.stamma $number
        same out wanted
    done
done
run 0 pack -q -f -o open.stamma open.pgn
run 0 merge -q -o merged.stamma open.stamma two.stamma three.stamma
equal "$(levels merged.stamma)" "1:1 2:1 3:1"

# A run that is continued at another level keeps no block of the first run.
run 0 pack -q -2 --resume -f -o again.stamma b.pgn
same again.stamma two.stamma
run 0 pack -q -3 --resume -f -o again.stamma b.pgn
same again.stamma three.stamma
run 0 pack -q -2 --resume -f -o again.stamma b.pgn
same again.stamma two.stamma

# The information content of each move is the same at all levels.
for archive in one two three; do
    run 0 cat --json --columns number,bits $archive.stamma 5
    mv out bits.$archive
done
same bits.one bits.two
same bits.one bits.three
run 0 cat --bits two.stamma 5
grep -q '^; game 5: .* bits per ply$' out || fail "no line of bits"
grep -Eq '^; each:( [0-9]+\.[0-9][0-9])+$' out || fail "no bits of each move"
run 0 cat --format csv --columns number,moves_bits,bits two.stamma 5
grep -Eq '^5,[1-9][0-9]*,[0-9]+\.[0-9][0-9]( [0-9]+\.[0-9][0-9])+.?$' out || fail "no cell of bits: $(cat out)"
run 0 cat --bits --json --columns number two.stamma 5
equal "$(cat out)" '{"number":5}'
run 0 cat --bits --format plies two.stamma 5
head -n 1 out | grep -q ',bits' || fail "no column of bits"

# ---- errors ----
run 2 pack -f -4 b.pgn
says 'no level 4'
run 2 recompress -o x.stamma one.stamma
says '--level is required'
run 2 recompress -2 one.stamma
says '-o is required'
run 2 recompress -2 -o one.stamma two.stamma
run 2 recompress -2 -o x.stamma b.pgn
[ ! -e x.stamma ] || fail "an archive of no archive"
head -c 3000 two.stamma >cut.stamma
run 2 recompress -1 -q -o x.stamma cut.stamma
[ ! -e x.stamma ] || fail "an archive of half an archive"
finish
