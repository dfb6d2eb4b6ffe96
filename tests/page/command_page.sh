#!/bin/bash
# SPDX-License-Identifier: MIT
# The page of `stamma serve` in headless Chromium: contents, keys, addresses, names. Screenshots are in
# $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
# Sanitizers would only slow the server; command_serve.sh runs the server with sanitizers.
[ -z "${SANITIZE:-}" ] || { echo "not with sanitizers: command_serve watches the server"; exit 77; }
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }

driver=$(realpath tests/page/page_driver.py)
mkdir -p "${BUILD:=build}/screenshots"
pictures=$(realpath "$BUILD/screenshots")
# RLO: a character that changes the direction of text (U+202E).
sed $'s/RLO/\u202e/' data/games.pgn - >"$scratch/games.pgn" <<'PGN'

[Event "<script>document.title='hurt'</script>"]
[Site "https://example.org/x"]
[Date "2024.03.05"]
[Round "1"]
[White "<img src=x onerror=document.title='hurt'>RLO"]
[Black "O'Hara & \"Söhne\""]
[Result "1-0"]
[WhiteElo "2410"]
[BlackElo "2388"]
[ECO "C50"]
[TimeControl "600+5"]

1. e4 { [%clk 0:09:58] [%eval 0.31] } e5 { [%clk 0:09:57.4] [%eval 0.25] } 2. Nf3 { [%clk 0:09:51] [%eval 0.30] } Nc6 { [%clk 0:09:50] [%eval 0.33] }
3. Bc4 { [%clk 0:09:40] [%eval 0.21] <b onclick=alert(1)>calm</b> } Bc5 { [%clk 0:09:44] [%eval 0.15] } 4. O-O $1 { [%clk 0:09:30] [%eval 0.05] }
( 4. c3 Nf6 ( 4... Qe7 $5 { solid } ) 5. d3 ) 4... d6 { [%clk 0:09:20] [%eval 3.10] } 1-0
PGN
cd "$scratch" || exit 1
run 0 pack -q games.pgn -o games.stamma
start_server games.stamma
! grep "built without" log || exit 77
checks=$((checks + 1))
STAMMA=$stamma python3 "$driver" "$address" games.stamma "$pictures" || fail "the page" "$(cat log)"
finish
