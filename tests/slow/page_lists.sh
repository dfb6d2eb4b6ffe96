#!/bin/bash
# SPDX-License-Identifier: MIT
# The page's lists of games in headless Chromium: the previous and the next game, the way back, small boards, playing,
# sounds, new moves, and orders of moves. Screenshots are in $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
player_archive
# A game with a new move after the beginning, which has a mark.
cat >late.pgn <<'PGN'
[Event "Late"]
[Site "?"]
[Date "2024.05.01"]
[Round "1"]
[White "Leko,P"]
[Black "Short,N"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Qe2 b5 1-0

PGN
cat late.pgn >>games.pgn
run 0 append -q games.stamma late.pgn
drive_page page_lists_driver.py
finish
