#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma classify writes the tags that are derived from the moves, equal to the results of python-chess, pgn-extract and
# Scid, and changes nothing else; --check finds each kind of contradiction.
set -u
. tests/support/command_support.bash
root=$PWD
modules=$(dirname "$(scripts/setup --modules)")/python
[ ! -d "$modules" ] || export PYTHONPATH="$modules${PYTHONPATH:+:$PYTHONPATH}"
cd "$scratch" || exit 1
cp "$root/data/games.pgn" games.pgn
"$stamma" pack -q games.pgn
cp games.stamma games.before

# ---- tags ----
cat >four.pgn <<'PGN'
[Event "Najdorf"]
[Result "*"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 *

[Event "Mate"]
[ECO "?"]
[Result "*"]
[PlyCount "3"]

1. f3 e5 {why?} 2. g4 Qh4# *

[Event "Stalemate"]
[SetUp "1"]
[FEN "7k/8/6Q1/8/8/8/8/K7 w - - 0 1"]

1.Qf7 *

[Event "Broken"]
[Result "1-0"]
[ECO "A00"]

1. e4 e5 2. Ke5 Qh4 *

PGN
"$stamma" pack -q four.pgn
run 0 classify four.stamma -o out.pgn
says "out.pgn: 4 of 4 games changed"
equal "$(cat out.pgn)" '[Event "Najdorf"]
[Result "*"]
[ECO "B90"]
[Opening "Sicilian Defense"]
[Variation "Najdorf Variation, English Attack"]
[PlyCount "11"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 *

[Event "Mate"]
[ECO "A00"]
[Result "0-1"]
[PlyCount "3"]
[Opening "Barnes Opening"]
[Variation "Fool'"'"'s Mate"]

1. f3 e5 {why?} 2. g4 Qh4# 0-1

[Event "Stalemate"]
[SetUp "1"]
[FEN "7k/8/6Q1/8/8/8/8/K7 w - - 0 1"]
[PlyCount "1"]
[Result "1/2-1/2"]

1.Qf7 1/2-1/2

[Event "Broken"]
[Result "1-0"]
[ECO "A00"]

1. e4 e5 2. Ke5 Qh4 1-0'
run 0 classify four.stamma -q -o - --tags Opening,PlyCount --overwrite
equal "$("$stamma" unpack -o - out | grep -e Opening -e PlyCount -e Variation)" '[Opening "Sicilian Defense: Najdorf Variation, English Attack"]
[PlyCount "11"]
[PlyCount "4"]
[Opening "Barnes Opening: Fool'"'"'s Mate"]
[PlyCount "1"]'
cat >small.eco <<'ECO'
# A comment.
A00a "Start position" *
B00x "King's Pawn"
  1.e4 *   # another comment
B20a1 "Sicilian: Open" 1.e4 c5 2.Nf3 e6 3.d4 cxd4
4.Nxd4 d6 5.Nc3 a6 *
C99 "Mate" 1.f3 e5 2.g4 Qh4# *
ECO
run 0 classify four.stamma -q --dry-run --eco-table small.eco --tags ECO,Opening --overwrite
equal "$(cat out)" "$(printf 'four.stamma\t1\tECO\t-\tB00\nfour.stamma\t1\tOpening\t-\tKing'"'"'s Pawn\nfour.stamma\t2\tECO\t?\tC99\nfour.stamma\t2\tOpening\t-\tMate')"
run 0 classify four.stamma -q -n --json --tags PlyCount --overwrite
equal "$(sed -n 2p out)" '{"archive":"four.stamma","game":2,"changes":[{"name":"PlyCount","before":"3","after":"4"}]}'
printf '[ECO "C20"]\n[Opening "?"]\n\n1. d4 d5 *\n\n[Opening "Mine"]\n[Variation "Old"]\n\n1. e4 c5 2. Nf3 d6 3. d4 *\n' >other.pgn
"$stamma" pack -q other.pgn
run 0 classify other.stamma -q -n --tags ECO,Opening,Variation # no Opening beside another ECO, no Variation beside another Opening
equal "$(cut -f2- out)" "$(printf '2\tECO\t-\tB50')"
run 0 classify other.stamma -q -n --tags Opening,Variation --overwrite
equal "$(cut -f2-4 out | tr '\n' ' ')" "$(printf '1\tOpening\t? 2\tOpening\tMine 2\tVariation\tOld ')"
run 1 classify -n --tags Result games.stamma
same games.stamma games.before

# ---- only tags change, and other programs agree ----
corpus=$root/${SHARED:-../shared}/corpora
if [ -e "$corpus/twic_dev.pgn.zst" ]; then
    zstd -dqc --long=27 "$corpus/twic_dev.pgn.zst" 2>/dev/null | head -c 3000000 | "$stamma" pack -q -o all.stamma - 2>/dev/null
    "$stamma" cat all.stamma 1..3000 >twic.pgn
fi
for file in games twic; do
    [ -e $file.pgn ] || continue
    "$stamma" pack -q -f $file.pgn
    run 0 classify $file.stamma -q -f -o $file.new.pgn
    checks=$((checks + 1))
    python3 - $file.pgn $file.new.pgn <<'PYTHON' || fail "$file: more than missing tags changed"
import re, sys
TAG = re.compile(rb'(?m)^\[(ECO|Opening|Variation|PlyCount) ".*"\]\r?\n')
old, new = (open(name, "rb").read() for name in sys.argv[1:])
assert TAG.sub(b"", old) == TAG.sub(b"", new)
assert set(m.group() for m in TAG.finditer(old)) <= set(m.group() for m in TAG.finditer(new))
PYTHON
    run 0 classify $file.stamma -q -f -o $file.all.stamma --overwrite
    "$stamma" unpack -q -f -o $file.all.pgn $file.all.stamma
    if python3 -c 'import chess.pgn' 2>/dev/null; then
        checks=$((checks + 1))
        python3 - $file.all.pgn <<'PYTHON' || fail "$file: python-chess finds other plies or results"
import chess.pgn, sys
ends = 0
with open(sys.argv[1], encoding="utf-8", errors="replace") as text:
    for number in range(600):
        game = chess.pgn.read_game(text)
        if game is None:
            break
        board = game.end().board()
        assert game.headers.get("PlyCount", "0") == str(len(list(game.mainline_moves()))), game.headers
        if board.is_checkmate() or board.is_stalemate():
            assert game.headers["Result"] == board.result(), game.headers
            ends += 1
assert ends > 0
PYTHON
    fi
done
# agree FILE FILE SHARE: at least this share of the lines with codes in both files are equal.
agree() {
    checks=$((checks + 1))
    paste "$1" "$2" | awk -F '\t' -v least="$3" '$1 != "" && $2 != "" { n++; same += $1 == $2 }
        END { if (n == 0 || same < least * n) { print same " of " n " codes are equal"; exit 1 } }' >differ ||
        fail "$1 and $2" "$(cat differ)"
}
codes() { "$stamma" cat "$1" --format tsv --columns ECO | tail -n +2; }
table=/usr/share/pgn-extract/eco.pgn
file=$([ -e twic.pgn ] && echo twic || echo games)
if command -v pgn-extract >/dev/null && [ -e $table ]; then
    python3 "$root/tests/command/eco_openings.py" $table >other.eco
    pgn-extract -s -e$table -o theirs.pgn $file.pgn 2>/dev/null
    "$stamma" pack -q -f theirs.pgn
    run 0 classify $file.stamma -q -f --overwrite --eco-table other.eco -o ours.stamma
    codes ours.stamma >ours
    codes theirs.stamma >theirs
    equal "$(wc -l <ours)" "$(wc -l <theirs)"
    agree ours theirs 0.995 # pgn-extract also accepts some positions that are reached some moves later
else
    echo "no pgn-extract: codes are not compared"
fi
scid=/usr/share/scid/data/scid.eco
if command -v tkscid >/dev/null && [ -e $scid ]; then
    cat >classify.tcl <<'TCL'
sc_eco read [lindex $argv 0]
set base [sc_base create [lindex $argv 1]]
sc_base import $base [lindex $argv 2]
sc_base switch $base
sc_eco base 1 0
for {set n 1} {$n <= [sc_base numGames $base]} {incr n} {
    sc_game load $n
    puts [sc_game tags get ECO]
}
sc_base close $base
exit 0
TCL
    tkscid classify.tcl $scid "$scratch/base" $file.pgn >theirs 2>/dev/null
    run 0 classify $file.stamma -q -f --overwrite --eco-table $scid -o ours.stamma
    "$stamma" cat ours.stamma --format tsv --columns ECO,plies | tail -n +2 | awk -F '\t' '{ print ($2 > 0 ? $1 : "") }' >ours
    equal "$(wc -l <ours)" "$(wc -l <theirs)"
    agree ours theirs 0.999 # Scid also compares en passant squares
else
    echo "no Scid: codes are not compared"
fi

# ---- contradictions ----
check() { # CHECK TEXT TAGS MOVES: the only contradiction of a game is of this kind
    printf '%s\n\n%s\n' "$3" "$4" >one.pgn
    "$stamma" pack -q -f one.pgn
    run 0 classify --check-tags -q one.stamma
    equal "$(cut -f3- out)" "$(printf '%s\t%s' "$1" "$2")"
}
mate='1. f3 e5 2. g4 Qh4#'
check result 'Result "1-0", but 0-1 after the moves' '[Result "1-0"]' '1. e4 0-1'
check result 'Result "2-0": not a result' '[Result "2-0"]' '1. e4 *'
check position 'White is mated, but Black did not win' '[Result "1/2-1/2"]' "$mate 1/2-1/2"
check position 'Black is mated, but White did not win' '[Result "0-1"]' '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 0-1'
check position 'stalemate, but a side won' '[SetUp "1"]
[FEN "7k/8/6Q1/8/8/8/8/K7 w - - 0 1"]' '1. Qf7 1-0'
check position 'no side can mate with this material, but a side won' '[Result "1-0"]
[FEN "7k/8/8/8/8/8/8/KN6 w - - 0 1"]' '1. Nc3 1-0'
check rating 'WhiteElo "4001": a rating above 4000' '[WhiteElo "4001"]
[BlackElo "4000"]' '*'
check rating 'BlackElo "strong": not a rating' '[BlackElo "strong"]
[WhiteElo "1500?"]' '*'
check date 'Date "2010.02.30": a day that does not exist' '[Date "2010.02.30"]' '*'
check date 'Date "2100.02.29": a day that does not exist' '[Date "2100.02.29"]' '*'
check date 'Date "2010.06.31": a day that does not exist' '[Date "2010.06.31"]' '*'
check date 'Date "2010.00.??": a day that does not exist' '[Date "2010.00.??"]' '*'
check date 'Date "2010.13.??": a day that does not exist' '[Date "2010.13.??"]' '*'
check date 'EventDate "31.12.2010": not a date of the form YYYY.MM.DD' '[EventDate "31.12.2010"]' '*'
check date 'UTCDate "2999.01.01": after today' '[UTCDate "2999.01.01"]' '*'
check event-date 'EventDate "2010.03.01": after the Date' '[EventDate "2010.03.01"]
[Date "2010.02.??"]' '*'
check eco 'ECO "B90": no position of this code; the moves are C20' '[ECO "B90"]' '1. e4 e5 *'
check eco 'ECO "Spanish": not an ECO code' '[ECO "Spanish"]' '1. e4 e5 *'
check ply-count 'PlyCount "3": the game has 2 plies' '[PlyCount "3"]' '1. e4 e5 *'
check players 'White "Tal": also Black'"'"'s name' '[White "Tal"]
[Black "Tal"]' '*'
check players 'WhiteFideId "1503014": also Black'"'"'s' '[WhiteFideId "1503014"]
[BlackFideId "1503014"]' '*'
check setup 'SetUp "1", but there is no FEN' '[SetUp "1"]' '1. e4 *'
check setup 'SetUp "0", but there is a FEN' '[SetUp "0"]
[FEN "7k/8/6Q1/8/8/8/8/K7 w - - 0 1"]' '1. Qf6 *'
check setup 'FEN "7k/8": not a legal position' '[SetUp "1"]
[FEN "7k/8"]' '1. Qf6 *'
check fide-id 'BlackFideId "GM": not a FIDE id' '[WhiteFideId "0"]
[BlackFideId "GM"]' '*'
# nothing is wrong with unknown values, and with codes of earlier positions
printf '%s\n\n1. e4 c5 2. Nf3 d6 *\n' '[Date "2000.02.29"]
[UTCDate "????.02.29"]
[EventDate "2000.02.28"]
[White "?"]
[Black "?"]
[ECO "B20"]
[WhiteElo "-"]
[PlyCount ""]' >one.pgn
"$stamma" pack -q -f one.pgn
run 1 classify --check-tags one.stamma
says "0 of 1 games have contradictions"
run 0 classify --check-tags -q --json four.stamma one.stamma
equal "$(cat out)" '{"archive":"four.stamma","game":2,"contradictions":[{"name":"ply-count","text":"PlyCount \"3\": the game has 4 plies"}]}'
if [ -e twic.pgn ] && command -v pgn-extract >/dev/null; then # pgn-extract reports the same mates
    "$stamma" pack -q -f -o twic.stamma twic.pgn
    "$stamma" classify --check-tags -q twic.stamma | grep -c 'mated, but\|stalemate' >ours
    pgn-extract -r twic.pgn 2>&1 | grep -c 'is inconsistent with' >theirs
    same ours theirs
fi

# ---- errors ----
for wrong in "" "-n -o x" "--check -o x" "-n --check" "--json -o x" "--check --overwrite" "--check --tags ECO" "-o x --tags Eco" \
    "-n --eco missing.eco" "-o games.stamma"; do
    # shellcheck disable=SC2086
    run 2 classify games.stamma -q $wrong
    [ -s err ] || fail "classify $wrong: no message"
done
for line in 'X90 "a" 1.e4 *:expected an ECO code' 'B90 a 1.e4 *:expected a name in quotes' 'B90 "a:not closed' \
    'B90 "a" 1.e5 *:not legal' 'B90 "a" 1.e4 e5:do not end with' '# nothing:no opening'; do
    printf '\n%s' "${line%:*}" >wrong.eco
    run 2 classify games.stamma -n --eco-table wrong.eco
    says "wrong.eco.*${line##*:}"
done
run 2 classify games.stamma - -n
says "standard input cannot be used"
python3 - <<'PYTHON'
bytes = bytearray(open("games.stamma", "rb").read())
bytes[len(bytes) // 2] ^= 1
open("damaged.stamma", "wb").write(bytes)
PYTHON
for wrong in "-o x" "-n"; do # --check reads only a part of each game
    # shellcheck disable=SC2086
    run 2 classify damaged.stamma -q $wrong
    says "damaged.stamma"
done
if [ -w /dev/full ]; then
    run 2 classify games.stamma -q -o /dev/full
    says "/dev/full"
    "$stamma" classify games.stamma -q -n >/dev/full 2>err
    equal "$? $(grep -c 'standard output' err)" "2 1"
fi
absent x
nothing_left .
finish
