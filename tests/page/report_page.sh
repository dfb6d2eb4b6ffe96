#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Pages of stamma report and stamma event in headless Chromium: layout, contrast, print, and texts with markup. Screenshots are in
# $BUILD/screenshots; report.png, of the corpus otb_dev, is the picture of doc/howto/prepare_opponent.md.
set -eu
export PYTHONPATH=tests/support
python3 tests/page/page_driver.py --browser || { echo "no Chromium"; exit 77; }
stamma=${STAMMA:-build/stamma}
shared=${SHARED:-../shared}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "${BUILD:=build}/screenshots"

# RLO: a character that changes the direction of text (U+202E).
sed $'s/RLO/\u202e/' >"$work/hostile.pgn" <<'PGN'
[Event "<script>document.title='hurt'</script><b>\"'&RLO"]
[Date "2024.03.05"]
[White "<script>document.title='hurt'</script><b>\"'&RLO"]
[Black "<script>document.title='hurt'</script><b>\"'&RLO"]
[Result "1-0"]
[WhiteElo "2410"]
[BlackElo "2388"]
[TimeControl "600+5"]

1. e4 { [%clk 0:09:58] } e5 { [%clk 0:09:57.4] } 2. Nf3 { [%clk 0:09:51] } Nc6 { [%clk 0:09:50] } 3. Bc4 1-0

[Event "Verylongwordwithoutanyblanksinitwhichmustbebrokensothatnothingoverflowsthewindow"]
[Date "2023.03.05"]
[White "<script>Verylongwordwithoutanyblanksinitwhichmustbebrokensothatnothingoverflowsthewindow"]
[Black "Verylongwordwithoutanyblanksinitwhichmustbebrokensothatnothingoverflowsthewindow"]
[Result "0-1"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 0-1

PGN
"$stamma" pack -q "$work/hostile.pgn"
"$stamma" report '<script>' "$work/hostile.stamma" --min-games 1 --novelties 4 -q -o "$work/hostile.html"
pages=()
report() { # NAME PLAYER CORPUS
    zstd -dcq "$shared/corpora/$3.pgn.zst" | "$stamma" pack -q -o "$work/$3.stamma" -
    (cd "$work" && "$stamma" report "$2" "$3.stamma" -q -o "$1.html")
    pages+=("$work/$1.html")
}
event() { # NAME CORPUS [CONDITION...]
    local name=$1 corpus=$2
    shift 2
    [ -e "$work/$corpus.stamma" ] || zstd -dcq "$shared/corpora/$corpus.pgn.zst" | "$stamma" pack -q -o "$work/$corpus.stamma" -
    (cd "$work" && "$stamma" event "$corpus.stamma" "$@" -q -o "$name.html")
    pages+=("$work/$name.html")
}
stamma=$(realpath "$stamma")
if [ -e "$shared/corpora/otb_dev.pgn.zst" ]; then
    shared=$(realpath "$shared")
    report report Andreikin otb_dev
    report report-clocks jishanshaikh4 lichess_dev
    (cd "$work" && "$stamma" report otb_dev.stamma --opening "e4 c5 Nf3 d6 d4" -q -o opening.html)
    pages+=("$work/opening.html")
    event event-list twic_dev --limit 60
    event event-round-robin twic_dev --event "80th Tata Steel GpA"
    event event-swiss twic_dev --event "Gibraltar*" --limit 60
    event event-team twic_dev --event "Bundesliga*" --limit 40
    event event-knock-out twic_dev --event "ch-GBR KO 2017"
    (cd "$work" && "$stamma" event hostile.stamma --all -q -o hostile-event.html)
    (cd "$work" && "$stamma" report hostile.stamma --opening "e4" --min-games 1 -q -o hostile-opening.html)
    pages+=("$work/hostile-event.html" "$work/hostile-opening.html")
fi
python3 tests/page/report_page.py "$BUILD/screenshots" "$work/hostile.html" "${pages[@]}"
