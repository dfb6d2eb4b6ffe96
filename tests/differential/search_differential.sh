#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Searches find the same games and plies as an independent, slow and plain search. Uses games of several collections and
# hand-made games, packed at each level, with one and with two threads, with and without search columns, with and
# without index files.
#
# LONG=1: more games, more queries, and each query in every way.
set -eu
case ${SANITIZE:-} in *memory*) echo "its program is linked without tests/memory_sanitizer"; exit 77 ;; esac
shared=${SHARED:-../shared} build=${BUILD:-build} long=${LONG:-}
stamma=$(realpath "${STAMMA:-$build/stamma}")
tests=tests/differential
PYTHONPATH=$(dirname "$(scripts/setup --modules)")/python
export PYTHONPATH
python3 -c 'import chess' 2>/dev/null || { echo "no python-chess"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

sample="otb_dev:30 lichess_dev:16 chess960_dev:5 annotated_dev:16 engine_dev:3"
few="otb_dev:6 lichess_dev:3 chess960_dev:1"
queries="1 1" few_queries="1 1" # one query of each kind
if [ -n "$long" ]; then
    sample="otb_dev:400 lichess_dev:150 chess960_dev:40 annotated_dev:200 engine_dev:40"
    few="otb_dev:60 lichess_dev:30 chess960_dev:8 annotated_dev:30 engine_dev:6"
    queries="${SEED:-2} 10" few_queries="${SEED:-2} 4"
fi
[ -d "$shared/corpora" ] || echo "no $shared/corpora: only the games made by hand are searched"

# shellcheck disable=SC2086
${CC:-cc} -std=c11 -O1 ${SANITIZE:+-fsanitize=$SANITIZE} ${CFLAGS:-} -Iinclude $tests/match_queries.c \
    "$build/libstamma.a" -lzstd -lbz2 -lxxhash -lm -o "$work/match_queries"

# make_set NAME SAMPLE SEED EACH: makes games, queries and the answers of the slow search.
make_set() {
    # shellcheck disable=SC2086
    python3 $tests/search_sample.py "$work/$1.pgn" "$shared/corpora" $2
    cp "$work/$1.pgn" "$work/$1.sample.pgn"
    cat $tests/search_cases.pgn >>"$work/$1.pgn"
    python3 $tests/search_queries.py "$work/$1.pgn" "$3" "$4" >"$work/$1.jsonl"
    python3 $tests/search_oracle.py "$work/$1.jsonl" "$work/$1.pgn" >"$work/$1.wanted"
}

# make_indexed SET LEVEL: packs the set with an index file of two segments, because the second part is smaller.
make_indexed() {
    "$stamma" pack -q --level "$2" -o "$work/indexed$2.stamma" "$work/$1.sample.pgn"
    "$stamma" index -q "$work/indexed$2.stamma"
    "$stamma" append -q --level "$2" "$work/indexed$2.stamma" $tests/search_cases.pgn
    "$stamma" index "$work/indexed$2.stamma" 2>&1 | grep -q "is current" || { echo "the index is not current"; failed=1; }
}

compare() { python3 $tests/search_compare.py "$@" || failed=1; }

# some SET EVERY FIRST: chooses every EVERY-th query of a set, from query FIRST on.
some() {
    local first=$(($2 > 1 ? $3 : 1))
    sed -n "$first~$2p" "$work/$1.jsonl" >"$work/some.jsonl"
    sed -n "$first~$2p" "$work/$1.wanted" >"$work/some.wanted"
}

# matched SET EVERY NAME ARCHIVE: tests every EVERY-th query on every game.
matched() {
    some "$1" "$2" 1
    "$work/match_queries" "$work/some.jsonl" "$4" >"$work/found"
    compare "$work/some.jsonl" "$work/some.wanted" "$work/found" "$3"
}

# found SET EVERY FIRST NAME ARCHIVE OPTION...: runs the command for every EVERY-th query, each in a separate process.
found() {
    local name=$4
    some "$1" "$2" "$3"
    shift 4
    python3 $tests/search_ask.py "$work/some.jsonl" "$stamma" find "$@" >"$work/found"
    compare "$work/some.jsonl" "$work/some.wanted" "$work/found" "$name"
}

# shellcheck disable=SC2086
make_set games "$sample" $queries
# shellcheck disable=SC2086
make_set few "$few" $few_queries
for level in 1 2; do
    "$stamma" pack -q --level $level -o "$work/$level.stamma" "$work/games.pgn"
done
"$stamma" pack -q --level 3 -o "$work/3.stamma" "$work/few.pgn"
bare=
if "$stamma" pack --help | grep -q -e --no-search-columns; then
    bare=$work/bare.stamma
    "$stamma" pack -q --level 1 --no-search-columns -o "$bare" "$work/games.pgn"
else
    echo "there is no pack --no-search-columns yet: left out"
fi

every=${long:+1}
matched games 1 "matched, level 1" "$work/1.stamma"
matched games "${every:-8}" "matched, level 2" "$work/2.stamma"
matched few "${every:-4}" "matched, level 3" "$work/3.stamma"
if "$stamma" find --help >/dev/null 2>&1; then
    found games 1 1 "level 1" "$work/1.stamma" -T 1
    found games "${every:-3}" 1 "level 1, two threads" "$work/1.stamma" -T 2
    found games "${every:-5}" 1 "level 2" "$work/2.stamma" -T 1
    found games "${every:-10}" 3 "level 2, two threads" "$work/2.stamma" -T 2
    found few "${every:-6}" 1 "level 3, two threads" "$work/3.stamma" -T 2
    [ -z "$bare" ] || found games "${every:-2}" 1 "without search columns" "$bare" -T 1
    [ -z "$bare" ] || found games "${every:-6}" 1 "without search columns, two threads" "$bare" -T 2
    if "$stamma" index --help >/dev/null 2>&1; then
        make_indexed games 1
        make_indexed games 2
        make_indexed few 3
        found games 1 1 "level 1, index file" "$work/indexed1.stamma" -T 1
        found games "${every:-3}" 2 "level 1, index file, two threads" "$work/indexed1.stamma" -T 2
        found games "${every:-4}" 2 "level 2, index file" "$work/indexed2.stamma" -T 1
        found few "${every:-4}" 3 "level 3, index file, two threads" "$work/indexed3.stamma" -T 2
    fi
else
    echo "there is no command find yet: left out"
fi
exit $failed
