#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the precision and recall of the decisions of `stamma names`, with FIDE ids as truth, and its time and memory
# (doc/reference/names.md).
#
# usage: names.sh [FILE.pgn...]     run by `make bench BENCH=names`
#
# The ids of all files are hidden from the command, and then visible. Without files, uses corpora in $SHARED/corpora. With
# Debian's list of players (scid-spell-data, or the file $SPELLING), compares the first file with ids with this list.
set -eu
[ $# -gt 0 ] || exec bench/on_corpora "twic_dev chesscom2_train annotated_dev otb_dev otb_train" "$0"
stamma=${BUILD:-build}/stamma
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The files with ids.
ids=
for file; do
    ! grep -q '^\[WhiteFideId "[1-9]' "$file" || ids="$ids $file"
done
command -v /usr/bin/time >/dev/null && time="/usr/bin/time -f %es,%MKiB" || time=

score() { # NAME FILE...
    name=$1
    shift
    python3 bench/names_truth.py make "$work/$name.pgn" "$work/$name.truth" "$@"
    "$stamma" pack -q -o "$work/$name.stamma" "$work/$name.pgn"
    echo "$name:"
    $time "$stamma" names -q "$work/$name.stamma" >"$work/$name.csv"
    python3 bench/names_truth.py score "$work/$name.truth" "$work/$name.csv"
}

# shellcheck disable=SC2086
score ids-hidden $ids
score ids-hidden-and-others "$@"

echo "ids visible: the decisions are applied to the files with ids"
# shellcheck disable=SC2086
cat $ids >"$work/visible.pgn"
"$stamma" pack -q -o "$work/visible.stamma" "$work/visible.pgn"
"$stamma" names -q -o "$work/visible.csv" "$work/visible.stamma"
"$stamma" names --apply "$work/visible.csv" -o "$work/after.stamma" "$work/visible.stamma"
"$stamma" unpack -q -o "$work/after.pgn" "$work/after.stamma"
# shellcheck disable=SC2086
python3 bench/names_truth.py make "$work/unused.pgn" "$work/visible.truth" $ids
python3 bench/names_truth.py score "$work/visible.truth" "$work/visible.csv"
python3 bench/names_truth.py ids "$work/visible.pgn" "$work/after.pgn"

list=${SPELLING:-/usr/share/scid/data/spelling.ssp}
[ -e "$list" ] || { echo "names: there is no list $list"; exit 0; }
# The corpus twic_dev, or the first file with ids.
first=${ids%%.pgn*}.pgn
first=${first# }
for file in $ids; do
    case $file in *twic_dev*) first=$file ;; esac
done

listed() { # NAME GAMES.pgn: decides and applies
    "$stamma" pack -q -o "$work/$1.stamma" "$2"
    $time "$stamma" names -q --kinds player --spelling "$list" -o "$work/$1.csv" "$work/$1.stamma"
    "$stamma" names -q --apply "$work/$1.csv" -o "$work/$1.after.stamma" "$work/$1.stamma"
    "$stamma" unpack -q -o "$work/$1.after.pgn" "$work/$1.after.stamma"
    echo "rows to read: $(grep -c ',no,' "$work/$1.csv") of $(wc -l <"$work/$1.csv")"
    python3 bench/names_truth.py entries "$first" "$work/$1.after.pgn" "$list" || :
}

echo "with $list, ids visible:"
listed listed "$first"
python3 bench/names_truth.py ids "$first" "$work/listed.after.pgn"
echo "with $list, ids hidden:"
python3 bench/names_truth.py make "$work/listed-hidden.pgn" "$work/unused.truth" "$first"
listed hidden "$work/listed-hidden.pgn"
python3 bench/names_truth.py chances "$first" "$work/hidden.csv" "$list"
"$stamma" names -q --kinds player --spelling "$list" --fill-in id -o "$work/fill.csv" "$work/hidden.stamma"
"$stamma" names -q --apply "$work/fill.csv" --fill-in id -o "$work/filled.stamma" "$work/hidden.stamma"
"$stamma" unpack -q -o "$work/filled.pgn" "$work/filled.stamma"
python3 bench/names_truth.py filled "$first" "$work/filled.pgn"
