#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma site: the files of a site, their bytes and their order; a site that is written again; folders that are refused.
# The module for browsers is replaced by files with other contents, so that no build of it is needed.
set -u
. tests/support/command_support.bash
[ -x "${BUILD:-build}/generators/sample_games" ] || { echo "no sample_games"; exit 77; }
"${BUILD:-build}/generators/sample_games" --games 4000 >"$scratch/large.pgn"
cp data/games.pgn "$scratch/games.pgn"
export STAMMA=$stamma
cd "$scratch" || exit 1

mkdir module
for name in worker.js stamma.js module.js byte_sources.js site.js stamma.wasm stamma.weights LICENSE THIRD_PARTY.txt; do
    echo "$name" >module/$name
done
run 0 pack -q games.pgn
cp games.stamma two.stamma

# Refused folders, and a module that is missing.
run 2 site --module module games.stamma
says "site: -o DIR is missing"
run 2 site --module nowhere -o site games.stamma
says "does not contain the module"
mkdir used && echo text >used/file
run 2 site --module module -o used games.stamma
says "used: contains files, and is not a site"
equal "$(ls used)" file
run 2 site --module module -o games.pgn games.stamma
says "is not a folder"
run 2 site --module module -o site games.pgn
absent site

# A dry run writes nothing, not even the index.
run 0 site --dry-run --module module -o site games.stamma
absent site games.stamma.index games.stamma.pages
grep -q "not written yet" out || fail "the dry run should say what is missing"

run 0 site --module module -o site --title 'Club <b>&</b> "friends"' --author 'A. <Uthor>' --licence 'CC0 & more' games.stamma two.stamma
grep -q "^  index  *[0-9,]* bytes" out || fail "sizes" "$(cat out)"
[ -e games.stamma.index ] && [ -e two.stamma.pages ] || fail "index files and pages should be next to the archives"
checks=$((checks + 1))
python3 "$tests/command/command_site.py" site module games.stamma two.stamma || fail "the files of the site"

# Written again: nothing changes; then the title, and an archive.
touch -d 2020-01-01 site/index.html site/main.js site/statistics.html
run 0 site --module module -o site --title 'Club <b>&</b> "friends"' --author 'A. <Uthor>' --licence 'CC0 & more' games.stamma two.stamma
says "site: 0 bytes written"
run 0 site --module module -o site games.stamma
equal "$(find site -newermt 2021-01-01 -name '*.html' | sort | tr '\n' ' ')" "site/index.html site/statistics.html "
equal "$(find site/main.js -newermt 2021-01-01)" ""
run 0 append -q games.stamma games.pgn
run 0 site -q --module module -o site games.stamma
equal "$(find site/data -type f | wc -l)" 3
checks=$((checks + 1))
python3 "$tests/command/command_site.py" site module games.stamma || fail "the files of the site that was written again"

# In pieces: joined, they are the files.
run 0 site -q --pieces --no-weights --module module -o cut games.stamma
absent cut/stamma/stamma.weights
checks=$((checks + 1))
python3 "$tests/command/command_site.py" cut module games.stamma || fail "the files of the site in pieces"
run 0 pack -q large.pgn
run 0 site -q --pieces --module module -o cut large.stamma
[ "$(find cut/data -name 1 | wc -l)" -gt 0 ] || fail "a large archive should have several pieces"
checks=$((checks + 1))
python3 "$tests/command/command_site.py" cut module large.stamma || fail "the files of a large site in pieces"

# Games of level 2 need the weights.
run 0 pack -q -2 games.pgn -o slow.stamma
run 2 site -q --no-weights --module module -o slow slow.stamma
says "need the weights"
absent slow
nothing_left .
finish
