# SPDX-License-Identifier: MIT
# Functions for the tests of the command and of its server. The tests source this file; they run in the project's root. A
# check that fails prints a line and the output; `finish` ends the test. Python finds the modules of tests/support.

stamma=$(realpath "${STAMMA:-${BUILD:-build}/stamma}")
[ -x "$stamma" ] || { echo "there is no $stamma"; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tests=$PWD/tests
export PYTHONPATH="$tests/support${PYTHONPATH:+:$PYTHONPATH}"
failures=0
checks=0

# Whether the command runs without Wine, which ends when a file becomes too large (ulimit -f), and needs $TMPDIR itself.
is_native() { [ -z "${STAMMA_EXE:-}" ]; }

fail() {
    failures=$((failures + 1))
    echo "FAILED: $1"
    shift
    [ $# -eq 0 ] || printf '    %s\n' "$@"
    [ "$failures" -lt 20 ] || finish
}

# run STATUS ARGUMENT...: runs the command, and stores its output in ./out and ./err.
run() {
    local wanted=$1 status=0
    shift
    checks=$((checks + 1))
    "$stamma" "$@" >out 2>err || status=$?
    [ "$status" -eq "$wanted" ] || fail "stamma $*: exit status $status, not $wanted" "$(head -5 err)"
}

# says WORDS: checks that a message of the last run contains these words on one line, after the usual prefix.
says() {
    checks=$((checks + 1))
    grep -q "^stamma: .*$1" err || fail "the message should say \"$1\"" "$(head -5 err)"
}

# same FILE FILE: checks that the files are equal.
same() {
    checks=$((checks + 1))
    cmp -s "$1" "$2" || fail "$1 and $2 differ (${FUNCNAME[1]}, line ${BASH_LINENO[0]})"
}

# absent FILE...: checks that the files do not exist.
absent() {
    local file
    checks=$((checks + 1))
    for file; do
        [ ! -e "$file" ] || fail "$file should not be there"
    done
}

# equal WORDS WORDS: checks that the texts are equal.
equal() {
    checks=$((checks + 1))
    [ "$1" = "$2" ] || fail "line ${BASH_LINENO[0]}: got \"$1\", not \"$2\""
}

# nothing_left DIRECTORY: checks that the directory contains no temporary file.
nothing_left() {
    checks=$((checks + 1))
    [ -z "$(find "$1" -name '.stamma-*' -o -name '*.partial')" ] || fail "a temporary file was left in $1"
}

finish() {
    echo "$checks checks, $failures failed"
    [ "$failures" -eq 0 ]
    exit
}

# Prints text of four blocks: small games, up to the maximum number per block, and then games with long comments, which
# pack fastest. The first commit comes after the second block. Three games, in different blocks, are broken.
many_games() {
    python3 - <<'PYTHON'
import sys
SMALL, SIZE, BROKEN = 65536, 36000000, (77, 66077, 68077)
size = number = 0
while size < SIZE:
    comment = "so it began" if number < SMALL else "so it went on " * 700
    size += sys.stdout.write("1.e4 e5%d\n" % number if number in BROKEN else "1.e4 {%s} *\n" % comment)
    number += 1
PYTHON
}

# Prints five games: a plain game; a set-up with a promotion; Chess960 with castling; a game with repeated tags, quotes,
# Latin-1, a comment and a variation; and a game with an illegal fifth ply.
sample() {
    cat <<'GAMES'
[Event "Casual"]
[Site "Here"]
[Date "2024.01.02"]
[Round "1"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[ECO "C20"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Event "Study"]
[Site "?"]
[Date "2024.01.03"]
[Round "-"]
[White "White"]
[Black "Black"]
[Result "*"]
[SetUp "1"]
[FEN "8/P6k/8/8/8/8/7K/8 w - - 0 60"]

60. a8=N Kg6 61. Nb6 *

[Event "Nine hundred and sixty"]
[Site "?"]
[Date "2024.01.04"]
[Round "1"]
[White "Ann"]
[Black "Carl"]
[Result "1/2-1/2"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "rkr5/ppp5/8/8/8/8/PPP5/RKR5 w CAca - 0 9"]

9. O-O Re8 1/2-1/2

GAMES
    printf '[Event "Club \\"A\\""]\n[Site "M\374nchen"]\n[Date "2024.01.05"]\n[Round "1"]\n[White "M\374ller"]\n'
    printf '[Black "Bob"]\n[Result "0-1"]\n[Annotator "one"]\n[Annotator "two"]\n\n'
    printf '1. d4 d5 {solid} (1... Nf6 2. c4) 2. c4 $1 0-1\n\n'
    cat <<'GAMES'
[Event "Broken"]
[Site "?"]
[Date "????.??.??"]
[Round "1"]
[White "Dan"]
[Black "Eve"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. Ke5 a6 *

GAMES
}

# games COUNT: prints that number of different games.
games() {
    local i
    for ((i = 1; i <= $1; i++)); do
        printf '[Event "E%d"]\n[Site "?"]\n[Date "2024.01.02"]\n[Round "%d"]\n[White "W%d"]\n[Black "B%d"]\n[Result "1-0"]\n\n' \
            $((i % 7)) "$i" $((i * 31 % 97)) $((i * 17 % 89))
        printf '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0\n\n'
    done
}

# packing_command SOURCES BUILD COMPILER...: builds BUILD/stamma, with only `pack`, `unpack` and `index`, from these
# sources and BUILD/libstamma.a. This works because the command's folder `packing` depends only on `shared`.
packing_command() {
    local sources=$1 build=$2
    shift 2
    sed '/^    {"/{/tool_\(pack\|unpack\|index\)}/!d}' "$sources/tools/stamma/main.c" >"$build/main.c"
    "$@" -std=c11 -w -I"$sources/include" -I"$sources/tools/stamma" "$build/main.c" "$sources"/tools/stamma/{packing,shared}/*.c \
        "$build/libstamma.a" -o "$build/stamma" -lzstd -lbz2 -lxxhash -lz -llzma -lmd -lpthread -lm
}

# Prepares tests of `export`: adds the Python modules to PYTHONPATH, and makes games.stamma and sample.stamma in the
# scratch folder.
exported_archives() {
    local modules
    root=$PWD
    modules=$(dirname "$(scripts/setup --modules)")/python
    [ ! -d "$modules" ] || export PYTHONPATH="$modules${PYTHONPATH:+:$PYTHONPATH}"
    cd "$scratch" || exit 1
    "$stamma" pack -q -o games.stamma "$root/data/games.pgn"
    sample | "$stamma" pack -q -o sample.stamma -
}

# Prepares tests of recipes: creates $scratch/bin, which contains the command and is added to PATH, and the empty folder
# $scratch/run.
recipe_folders() {
    root=$PWD
    mkdir "$scratch/bin" "$scratch/run"
    ln -s "$stamma" "$scratch/bin/stamma"
    PATH=$scratch/bin:$PATH
}

# Adds the Python packages of scripts/setup. Skips the test if there is no python-chess.
need_chess() {
    PYTHONPATH=$PYTHONPATH:$(dirname "$(scripts/setup --modules)")/python
    python3 -c 'import chess.pgn' 2>/dev/null || { echo "no python-chess"; exit 77; }
}

# Prepares tests of `stamma serve` by programs in Python: sets $pgn (data/games.pgn) and their environment. The scratch
# folder becomes the current folder.
serve_folder() {
    case ${SANITIZE:-} in *memory*) echo "the HTTP library is not built with the memory sanitizer"; exit 77 ;; esac
    command -v python3 >/dev/null || { echo "no python3"; exit 77; }
    pgn=$(realpath data/games.pgn)
    STAMMA=$stamma
    # A stopping server waits at most 0.2 s for its threads. The system ends threads that still search.
    TSAN_OPTIONS="${TSAN_OPTIONS:-} report_thread_leaks=0"
    export STAMMA TSAN_OPTIONS
    cd "$scratch" || exit 1
}

# slow_archives: makes a.stamma (data/games.pgn), b.stamma (sample games), a3.stamma (a.pgn at level 3) and slow.stamma in the
# current folder.
slow_archives() {
    cp "$pgn" a.pgn
    { sample; games 100; } >b.pgn
    run 0 pack -q a.pgn
    run 0 pack -q b.pgn
    # A search of slow.stamma needs a minute or more. The archive has many blocks, so the search can be stopped between
    # two blocks.
    run 0 pack -q -3 -o a3.stamma a.pgn
    run 0 merge -q -o many.stamma $(yes a3.stamma | head -n 400)
    run 0 merge -q -o slow.stamma many.stamma many.stamma many.stamma many.stamma many.stamma
}

# start_server ARGUMENT...: starts `stamma serve` on a free port. Stores its address in $address, its process in $server
# and its messages in ./log. The server ends with the test.
start_server() {
    : >log
    "$stamma" serve --port 0 "$@" 2>log &
    server=$!
    trap 'kill $server; rm -rf "$scratch"' EXIT
    for _ in {1..100}; do
        grep -q http log && break
        sleep 0.1
    done
    address=$(grep -o 'http://[^ ]*' log | head -n 1)
}

# page_archive: prepares tests of the page. Makes games.stamma in the scratch folder, which becomes the current folder:
# the games of data/games.pgn, followed by the games of tests/support/page_games.py. Creates the folder of screenshots,
# $pictures.
page_archive() {
    # Sanitizers would only slow the server; command_serve.sh runs the server with sanitizers.
    [ -z "${SANITIZE:-}" ] || { echo "not with sanitizers: command_serve watches the server"; exit 77; }
    mkdir -p "${BUILD:=build}/screenshots"
    pictures=$(realpath "$BUILD/screenshots")
    "$stamma" pack -q data/games.pgn -o "$scratch/few.stamma"
    "$stamma" cat --json "$scratch/few.stamma" 49 >"$scratch/game.json"
    python3 tests/support/page_games.py "$scratch/game.json" | cat data/games.pgn - >"$scratch/games.pgn"
    cd "$scratch" || exit 1
    run 0 pack -q games.pgn -o games.stamma
}

# player_archive: like page_archive, but games.stamma contains 600 games of few players and has an index file. Needs
# python-chess.
player_archive() {
    [ -z "${SANITIZE:-}" ] || { echo "not with sanitizers: the tests serve_* watch the server"; exit 77; }
    need_chess
    mkdir -p "${BUILD:=build}/screenshots"
    pictures=$(realpath "$BUILD/screenshots")
    python3 tests/support/player_games.py 600 >"$scratch/games.pgn"
    cd "$scratch" || exit 1
    run 0 pack -q games.pgn
    run 0 index -q games.stamma
}

# drive_page DRIVER [ARCHIVE...]: starts the server of page_archive, also with these archives, and runs a browser driver
# of tests/page: DRIVER ADDRESS games.stamma SCREENSHOTS.
drive_page() {
    start_server games.stamma "${@:2}"
    ! grep "built without" log || exit 77
    checks=$((checks + 1))
    STAMMA=$stamma python3 "$tests/page/$1" "$address" games.stamma "$pictures" || fail "the page" "$(cat log)"
}

# fake_engine NAME [ARGUMENT...]: makes ./NAME, a program that behaves as tests/support/fake_engine.py describes.
fake_engine() {
    printf '#!/bin/sh\nexec python3 %s/support/fake_engine.py %s\n' "$tests" "$*" >"$1"
    chmod +x "$1"
}

# following_engine: makes ./follows, an engine that answers with the continuations in games.stamma.
following_engine() {
    "$stamma" cat --format uci games.stamma >games.uci
    fake_engine follows "$PWD/games.uci"
}

# drive_all_of_page DRIVER: like drive_page, for a server with uploads and with the engine `follows`.
drive_all_of_page() {
    following_engine
    sample >sample.pgn
    mkdir uploads
    drive_page "$1" --engine ./follows --uploads uploads
}
