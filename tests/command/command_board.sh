#!/bin/bash
# SPDX-License-Identifier: MIT
# stamma board draws pieces, marks and titles as python-chess has them, rejects invalid arguments, and reports full
# disks. If Chromium is installed, it shows the drawings; screenshots are in $BUILD/screenshots.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
root=$PWD
mkdir -p "${BUILD:=build}/screenshots"
build=$(realpath "$BUILD")
pieces=$(scripts/setup --modules)/cm-chessboard/assets/pieces/standard.svg
modules=$(dirname "$(scripts/setup --modules)")/python
[ ! -d "$modules" ] || export PYTHONPATH="$modules${PYTHONPATH:+:$PYTHONPATH}"
cd "$scratch" || exit 1
game='r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'

# ---- contents ----
run 0 board
same out <("$stamma" board --fen 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' -o -)
run 0 board --fen "$game" --last f1c4 --arrows Rf8c5,g8f6,Bd7d6,Yc4f7 --circles Yf7,e5 -o marks.svg
equal "$(cat out err)" ""
equal "$(grep -c '<script\|href="[^#]\|url(' marks.svg)" 0
run 0 board --fen '7k/P7/8/8/8/8/8/K7 w - - 0 1' --last a6a7 --size 80 --no-coordinates -o small.svg
grep -q 'width="80" height="80" viewBox="0 0 320 320"' small.svg || fail "the size is not 80"
! grep -q 'coordinates' small.svg || fail "there are coordinates"
python3 -c 'import xml.dom.minidom as xml, sys; [xml.parse(one) for one in sys.argv[1:]]' marks.svg small.svg || fail "this is not XML"
if python3 -c 'import chess' 2>/dev/null; then
    STAMMA=$stamma python3 "$root/tests/command/board_picture.py" pieces || fail "pieces and marks"
else
    echo "no python-chess: pieces are not compared"
fi
if [ -f "$pieces" ] && python3 "$root/tests/page/page_driver.py" --browser; then
    run 0 board --fen "$game" --last f1c4 --arrows Rf8c5,g8f6 --circles Ye5
    same out "$root/doc/images/board.svg" # the picture of doc/howto/draw_diagram.md
    grep -q 'CC BY-SA 3.0' marks.svg || fail "the authors of the pieces are not named"
    python3 "$root/tests/command/board_picture.py" drawings "$pieces" "$build/screenshots/board-marks.png" || fail "drawings"
else
    echo "no Chromium, or no pieces: drawings are not examined"
fi

# ---- a build without packages has the plain pieces ----
# Linking the objects again would need the sanitizers' flags.
if [ -z "${SANITIZE:-}" ] && [ -d "$build/tools" ]; then
    python3 "$root/scripts/embed_web" "$root/web" "$scratch/nothing" files.c
    cat >main.c <<'C'
#include "shared/tool.h"
int main(int argc, char **argv)
{
    int status = tool_board(argc, argv);
    return tool_print_finish() ? status : TOOL_ERROR;
}
C
    ${CC:-cc} -std=c11 -I"$root/tools/stamma" -I"$root/include" -o plain main.c files.c "$build/tools.a" \
        "$build/libstamma.a" -lz -lbz2 -llzma -lmd -lzstd -lxxhash -lpthread -lm 2>link ||
        fail "the command does not link" "$(head -5 link)"
    ./plain --fen "$game" >plain.svg || fail "no picture"
    "$stamma" board --fen "$game" >complete.svg
    same <(grep '<use' plain.svg) <(grep '<use' complete.svg)
    equal "$(grep -c '^<g id="[wb][kqrbnp]"' plain.svg)" 12
    equal "$(sed -n 's/^<g id="wk" fill="\([^"]*\)".*/\1/p' plain.svg)" "#fff"
    ! grep -q 'CC BY-SA' plain.svg || fail "the plain pieces have another licence"
    python3 -c 'import xml.dom.minidom as xml; xml.parse("plain.svg")' || fail "this is not XML"
fi

# ---- output files ----
run 2 board -o marks.svg
says 'marks.svg: '
run 0 board --force -o marks.svg
nothing_left .
if [ -c /dev/full ]; then
    run 2 board -o /dev/full
    says '/dev/full: No space left'
    "$stamma" board >/dev/full 2>err
    equal $? 2
    says 'standard output: No space left'
fi
run 2 board -o missing/x.svg
says 'missing/x.svg: No such file'

# ---- invalid arguments ----
refused() {
    run 2 board "${@:2}" -o refused.svg
    says "$1"
    absent refused.svg
    equal "$(wc -c <out)" 0
}
refused '--fen: bad syntax at character 2' --fen 'nonsense'
refused '--fen: no white king' --fen '8/8/8/8/8/8/8/k7 w - - 0 1'
refused '--arrows: "e2" is not an arrow' --arrows d2d4,e2
refused '--arrows: "e2e2" is not an arrow' --arrows e2e2
refused '--arrows: "ge2e4" is not an arrow' --arrows ge2e4
refused '--arrows: "" is not an arrow' --arrows ,e2e4
refused '--arrows: "e2e4 d2d4" is not an arrow' --arrows 'e2e4 d2d4'
refused '--circles: "e9" is not a square' --circles e9
refused '--circles: "Ge2e4" is not a square' --circles Ge2e4
refused '--last: "Nf3" is not a move' --last Nf3
refused '--last: "e7e8k" is not a move' --last e7e8k
refused '--last: "" is not a move' --last ''
refused 'option --size: 1 to 10000' --size 0
refused 'option --size: 1 to 10000' --size 10001
refused '--arrows: more than 128 arrows and circles' --circles e4 --arrows "$(printf 'e2e4,%.0s' {1..128})"
refused 'one too many' games.pgn
run 0 board --last e7e8q --circles "$(printf 'Ba1,%.0s' {1..128})"
finish
