#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma dedupe --merge adds tags, comments and variations of removed games to the game that is kept, and loses nothing.
set -eu
stamma=$PWD/${STAMMA:-build/stamma}
tree=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
corpus=$(realpath "${SHARED:-../shared}")/corpora/annotated_dev.pgn.zst
PYTHONPATH=${XDG_CACHE_HOME:-$HOME/.cache}/stamma/python
export PYTHONPATH
cd "$dir"

fail() { echo "FAILED: $1"; exit 1; }
equal() { diff "$2" "$3" || fail "$1"; }
rest="b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4"
end="17. Bg5 h6 18. Be3 Nc5 19. Qd2 h5 20. Bg5 Be7 21. Ra3"

# A game with CRLF, to which everything is added.
sed 's/$/\r/' >a.pgn <<PGN
[Event "Open"]
[Date "2010.??.??"]
[Round "3"]
[White "Andreikin, Dmitry"]
[Black "Svidler, Peter"]
[Result "1-0"]
[Annotator "?"]

1. e4 e5 2. Nf3 {K: a comment} Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 (6. d3 d6 7. c3) $rest $end Rb8 1-0

PGN
cat >b.pgn <<PGN
[Event "Open"]
[Site "Moscow"]
[Date "2010.05.03"]
[White "Andreikin,D"]
[Black "Svidler,P"]
[WhiteElo "2700"]
[ECO "C95"]
[Result "1-0"]

{before all} 1. e4 \$1 e5 2. Nf3 {a  comment} Nc6 {another "one"} 3. Bb5 (3. Bc4 {Italian} Bc5 (3... Nf6 4. Ng5)) a6
4. Ba4 Nf6 5. O-O Be7 6. Re1 (6. d3 d6 7. c3 Bg4 {long}) $rest $end Rb8 (21... Rb8 {again} 22. h4) 1-0

PGN
cat >c.pgn <<PGN
[Event "Open"]
[Site "Elsewhere"]
[Date "2010.05.03"]
[White "Andreikin,D"]
[Black "Svidler,P"]
[BlackElo "2750"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 $rest $end Qb6 \$2 {wrong} 1-0

PGN
sed 's/$/\r/' >expected <<PGN
[Event "Open"]
[Date "2010.05.03"]
[Round "3"]
[White "Andreikin, Dmitry"]
[Black "Svidler, Peter"]
[Result "1-0"]
[Annotator "?"]
[Site "Moscow"]
[WhiteElo "2700"]
[BlackElo "2750"]

{before all} 1. e4 \$1 e5 2. Nf3 {K: a comment} 2... Nc6 {another "one"} 3. Bb5
(3. Bc4 {Italian} 3... Bc5 (3... Nf6 4. Ng5)) 3... a6 4. Ba4 Nf6 5. O-O Be7 6.
Re1 (6. d3 d6 7. c3 Bg4 {long}) 6... b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4
Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4 17.
Bg5 h6 18. Be3 Nc5 19. Qd2 h5 20. Bg5 Be7 21. Ra3 Rb8 (21... Rb8 {again} 22.
h4) (21... Qb6 \$2 {wrong}) 1-0

PGN
for file in a b c; do "$stamma" pack -q -o $file.stamma $file.pgn; done
all="--keep first --merge tags,comments,variations"
# shellcheck disable=SC2086
"$stamma" dedupe -n $all a.stamma b.stamma c.stamma >list
printf '%s\t%s\t1\ta.stamma\t1\t%s\t%s\t%s\t%s\n' spelling b.stamma Site,Date,WhiteElo 2 1 3 \
    similar c.stamma BlackElo 0 0 1 >expected_list
equal "list" list expected_list
# shellcheck disable=SC2086
"$stamma" dedupe -n --json $all a.stamma b.stamma | grep -q \
    '"adds":{"tags":\["Site","Date","WhiteElo"\],"comments":2,"nags":1,"variations":3}' || fail "json"
# shellcheck disable=SC2086
"$stamma" dedupe -q -o all.stamma $all a.stamma b.stamma c.stamma
"$stamma" unpack -q -o all.pgn all.stamma
equal "everything" all.pgn expected

# If only tags are added, the movetext is unchanged, byte for byte. If there is nothing to add, the complete game is
# unchanged.
"$stamma" dedupe -q -o tags.stamma --keep first --merge tags a.stamma b.stamma
"$stamma" unpack -q -o tags.pgn tags.stamma
sed 's/2010.??.??/2010.05.03/; /Annotator/a[Site "Moscow"]\r\n[WhiteElo "2700"]\r' a.pgn >expected
equal "tags" tags.pgn expected
"$stamma" dedupe -q -f -o tags.stamma --keep last --merge comments c.stamma a.stamma
"$stamma" unpack -q -f -o tags.pgn tags.stamma
equal "nothing to add" tags.pgn a.pgn

[ -e "$corpus" ] || { echo "no corpus annotated_dev"; exit 77; }
command -v zstd >/dev/null || { echo "no zstd"; exit 77; }
python3 -c 'import chess.pgn' 2>/dev/null || { echo "no python-chess"; exit 77; }
zstd -q -d -c --long=27 "$corpus" | head -c 1000000 >source.pgn || true
python3 "$tree/tests/command/dedupe_merge.py" strip source.pgn full.pgn bare.pgn 2>/dev/null
"$stamma" pack -q -o full.stamma full.pgn
"$stamma" pack -q -o bare.stamma bare.pgn
# shellcheck disable=SC2086
"$stamma" dedupe -q -o merged.stamma $all bare.stamma full.stamma
"$stamma" unpack -q -o merged.pgn merged.stamma
python3 "$tree/tests/command/dedupe_merge.py" compare full.pgn merged.pgn >lost || { head -3 lost; fail "annotations are lost"; }
