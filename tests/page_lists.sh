#!/bin/bash
# The page's lists of games in headless Chromium: neighbours of a game, the way back, small boards, playing, sounds, new
# moves, and orders of moves. Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/command_support.bash
. tests/command_support.bash
[ -z "${SANITIZE:-}" ] || { echo "not with sanitizers: serve_novelty watches the server"; exit 77; }
python3 tests/page_driver.py --browser || { echo "no Chromium"; exit 77; }
PYTHONPATH=$(dirname "$(scripts/setup --modules)")/python
export PYTHONPATH
python3 -c 'import chess.pgn' 2>/dev/null || { echo "no python-chess"; exit 77; }

tests=$PWD/tests
mkdir -p "${BUILD:=build}/screenshots"
pictures=$(realpath "$BUILD/screenshots")
python3 tests/player_games.py 600 >"$scratch/games.pgn"
cd "$scratch" || exit 1
run 0 pack -q games.pgn
run 0 index -q games.stamma
drive_page page_lists_driver.py
finish
