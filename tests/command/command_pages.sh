#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma pages: tree prints the same with pages, without pages, and with pages that are outdated, damaged or of another
# archive. The file appears only when it is complete.
set -u
. tests/support/command_support.bash
[ -x "${BUILD:-build}/generators/sample_games" ] || { echo "no sample_games"; exit 77; }
"${BUILD:-build}/generators/sample_games" --games 300 >"$scratch/b.pgn"
"${BUILD:-build}/generators/sample_games" --games 600 --seed 5 >"$scratch/c.pgn"
cd "$scratch" || exit 1

sample >a.pgn
run 0 pack -q b.pgn
run 0 cat b.stamma 7
moves=$(sed '/^\[/d; s/{[^}]*}//g' out | tr '\n' ' ' | sed 's/[0-9]*\.\+//g')
game=$(echo $moves | cut -d ' ' -f 1-14) longer=$(echo $moves | cut -d ' ' -f 1-21)

# trees ARCHIVE OPTION...: prints trees, and their exit statuses.
trees() {
    local archive=$1 moves
    shift
    for moves in "" "e4" "e4 e5" "e4 e5 Nf3 Nc6" "Nf3 Nc6 e4 e5" "a3 a6 h3 h6 Ra2" "d4 d5 c4" "c4 Nf6 d4 e6" "$game" "$longer"; do
        for form in table csv tsv json; do
            "$stamma" tree "$archive" "$@" --format "$form" --moves "$moves" 2>>notices
            echo "$form $moves: $?"
        done
    done
    "$stamma" tree "$archive" "$@" --limit 3 --history 2>>notices
    "$stamma" tree "$archive" "$@" --white W --moves e4 2>>notices
    "$stamma" tree "$archive" "$@" --fen "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -" 2>>notices
}

# agrees: checks that the trees are those without pages. Notices are in the file notices.
trees b.stamma >wanted
agrees() {
    : >notices
    trees b.stamma >found
    same found wanted
}

# With pages, with and without an index file.
run 0 pages --min-games 5 b.stamma
says "b.stamma.pages: 300 games in .* bytes"
agrees
[ ! -s notices ] || fail "notices about sound pages" "$(head -3 notices)"
run 0 pages -q -f --min-games 2 --plies 10 b.stamma
agrees
run 0 index -q b.stamma
agrees
run 0 pages -q -f --min-games 2 --plies 10 -o again.pages b.stamma
same b.stamma.pages again.pages
run 0 pages -q -o - --min-games 2 --plies 10 b.stamma
same out again.pages
rm b.stamma.index

# An answer really comes from the pages: the games of the archive are not read.
mkdir static
run 0 pack -q -o static/c.stamma c.pgn
run 0 pages -q static/c.stamma
printf '\377\377\377\377' | dd of=static/c.stamma bs=1 seek=40 conv=notrunc 2>dd
run 0 tree static/c.stamma --moves e4 --format csv
run 2 tree static/c.stamma --moves e4 --format csv --no-index

# Current pages are not written again; other options, -f and changes of the archive write them.
touch -d 2001-01-01 b.stamma.pages
run 0 pages b.stamma
says "is current"
run 0 pages --json -q b.stamma
equal "$(tr , '\n' <out | grep written)" '"written":false'
[ "$(date -r b.stamma.pages +%Y)" = 2001 ] || fail "pages that were current were written"
run 0 pages -q --min-games 3 b.stamma
[ "$(date -r b.stamma.pages +%Y)" != 2001 ] || fail "pages with other options were not written"
run 0 append -q b.stamma a.pgn
trees b.stamma --no-index >wanted
agrees
grep -q "b.stamma.pages: is of an earlier state .* run 'stamma pages b.stamma'" notices || fail "outdated pages" "$(head -3 notices)"
run 0 pages -q b.stamma
agrees
[ ! -s notices ] || fail "notices about new pages" "$(head -3 notices)"

# Damage: flipped bytes everywhere, a cut file, a file of another archive, a text.
run 0 pages -q -f --min-games 3 b.stamma
cp b.stamma.pages sound.pages
size=$(stat -c %s sound.pages)
for at in 0 20 300 2000 4094 4097 4200 $((size / 3)) $((size / 2)) $((size - 5000)) $((size - 3)); do
    cp sound.pages b.stamma.pages
    printf '\125' | dd of=b.stamma.pages bs=1 seek="$at" conv=notrunc 2>dd
    agrees
done
head -c $((size - 1)) sound.pages >b.stamma.pages
agrees
grep -q "is damaged, and is not used; run 'stamma pages -f b.stamma'" notices || fail "cut pages" "$(head -3 notices)"
cp again.pages b.stamma.pages
agrees
cp a.pgn b.stamma.pages
agrees
grep -q "is not a file of pages" notices || fail "a text instead of pages" "$(head -3 notices)"
run 2 pages -q b.stamma
says "exists and is not a file of pages; -f overwrites it"
same a.pgn b.stamma.pages
run 0 pages -q -f b.stamma

# Errors, which leave no file.
run 2 pages
run 2 pages missing.stamma
run 2 pages -
says "not standard input"
run 2 pages -o x.pages b.stamma b.stamma
says "-o requires a single ARCHIVE"
run 2 pages --min-games 1 b.stamma
says "at least 2"
run 2 pages --plies 63 b.stamma
says "at most 62"
run 2 pages -o - --json b.stamma
run 2 pages a.pgn
run 2 pages -q -o static/new.pages static/c.stamma
says "damaged"
run 2 pages -q -f -o b.stamma b.stamma
absent static/new.pages a.pgn.pages
nothing_left .
nothing_left static
: >empty.pgn
run 0 pack -q empty.pgn
run 0 pages empty.stamma
says "0 games"
run 1 tree empty.stamma --format csv
finish
