#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The command reads the data of games in all spellings that occur: results, times, evaluations, variants, names of tags,
# and encodings.
set -u
. tests/support/command_support.bash
cases=$PWD/../shared/cases
cd "$scratch" || exit 1

# json FIELDS ARCHIVE: prints the fields of each game as JSON.
json() {
    "$stamma" cat --format json --columns "$1" "$2"
}

# restores FILE ARCHIVE: checks that the archive has exactly the bytes of the file, and is sound.
restores() {
    run 0 unpack -f -o restored.pgn "$2"
    same restored.pgn "$1"
    run 0 verify -q "$2"
}

# ---- results: the tag and the movetext in every spelling, and all ways to search for them ----
half=$(printf '\302\275-\302\275')
{
    printf '[Event "1"]\n[Result "0.5-0.5"]\n\n1. d4 d5 0.5-0.5\n\n[Event "2"]\n[Result "%s"]\n\n1. d4 d5 %s\n\n' "$half" "$half"
    printf '[Event "3"]\n[Result "0.5-0.5"]\n\n1. d4 d5 *\n\n[Event "4"]\n[Result "1/2"]\n\n1. d4 d5\n\n'
    printf '[Event "5"]\n[Result "1/2-1/2"]\n\n1. d4 d5 0.5-0.5\n\n[Event "6"]\n\n1. d4 d5 \275-\275\n\n'
    printf '[Event "7"]\n[Result "1-0F"]\n\n1. d4 d5 *\n\n[Event "8"]\n[Result "0.5-0.5"]\n\n1. d4 d5 1-0\n\n'
    printf '[Event "9"]\n[Result "*"]\n\n1. d4 d5 1/2-1/2\n\n'
} >half.pgn
run 0 pack -q --strict -o half.stamma half.pgn
restores half.pgn half.stamma
equal "$(json result half.stamma | tr -d '\n')" \
    '{"result":"1/2-1/2"}{"result":"1/2-1/2"}{"result":"1/2-1/2"}{"result":"1/2-1/2"}{"result":"1/2-1/2"}{"result":"1/2-1/2"}{"result":"*"}{"result":"1-0"}{"result":"*"}'
counts() {
    for result in 1/2-1/2 1-0 0-1 '*'; do
        printf '%s ' "$("$stamma" find --count --result "$result" half.stamma | cut -f1)"
    done
    "$stamma" stats --json half.stamma | python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["draws"], r["white_wins"], r["black_wins"], r["unfinished"])'
}
equal "$(counts)" '6 1 0 2 6 1 0 2'
run 0 index half.stamma
equal "$(counts)" '6 1 0 2 6 1 0 2'
rm half.stamma.index
run 0 pack -qf --no-search-columns -o half.stamma half.pgn
equal "$(counts)" '6 1 0 2 6 1 0 2'

# ---- times and evaluations ----
times() {
    printf '[Event "x"]\n\n1. e4 {%s} e5 {%s} *\n' "$1" "$2" >times.pgn
    run 0 pack -qf --strict -o times.stamma times.pgn
    restores times.pgn times.stamma
    json clock_ms,time_spent_ms,eval_cp,mate times.stamma | tr -d '"{}\n'
}
equal "$(times '[%clk 1:30]' '[%clk 00:00:45,6][%emt 0:00:05]')" 'clock_ms:[90000,45600],time_spent_ms:[null,5000],eval_cp:[null,null],mate:[null,null]'
equal "$(times '-1.15/19, 0.609s' '+M3/17, 0.158s')" 'clock_ms:[null,null],time_spent_ms:[609,158],eval_cp:[-115,null],mate:[null,-2]'
equal "$(times '+0.31/18 1.2s, pv=e4' 'd=9, mt=5000, tl=00:01:00, wv=-0.10')" 'clock_ms:[null,60000],time_spent_ms:[1200,5000],eval_cp:[31,-10],mate:[null,null]'
equal "$("$stamma" cat --format plies --columns ply,clock_ms,time_spent_ms times.stamma | tail -n 1 | tr -d '\r' | tr '\t,' '  ')" '2 60000 5000'

# ---- variants, and names of tags in another case ----
printf '[Variant "%s"]\n[Fen "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"]\n[WhiteELO "2850"]\n[RESULT "1-0"]\n[date "2024.01.02"]\n\n1. a4 h5 *\n\n' \
    960 Freestyle 'Fischer Random Chess' >variants.pgn
run 0 pack -q --strict -o variants.stamma variants.pgn
restores variants.pgn variants.stamma
for n in 1 2 3; do
    equal "$(json plies,chess960,white_rating,result,kept_as_text variants.stamma | sed -n "${n}p")" \
        '{"plies":2,"chess960":true,"white_rating":2850,"result":"1-0","kept_as_text":null}'
done
equal "$("$stamma" find --count --white-rating 2850 --date 2024 --result 1-0 variants.stamma | cut -f1)" 3
run 0 edit -q --set WhiteElo=1000 -o edited.stamma variants.stamma
equal "$(json white_rating edited.stamma | sort -u)" '{"white_rating":1000}'
equal "$("$stamma" unpack -o - edited.stamma | grep -c '^\[WhiteELO "1000"\]$')" 3

# ---- encodings ----
printf '[Event "\212ime \223x\224 \200"]\n[White "\212imek"]\n\n1. e4 {\204gut\223 \226 \344} e5 *\n' >windows.pgn
run 0 pack -o windows.stamma windows.pgn
says 'windows.pgn: some text is in Windows-1252, not in UTF-8'
restores windows.pgn windows.stamma
equal "$(json Event,White,comments windows.stamma | python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin), ensure_ascii=False, separators=(",", ":")))')" \
    '{"Event":"Šime “x” €","White":"Šimek","comments":[{"ply":1,"text":"„gut“ – ä"}]}'
equal "$("$stamma" cat --format csv --columns Event windows.stamma | tail -n 1 | tr -d '\r')" 'Šime “x” €'
equal "$("$stamma" ls windows.stamma | grep -c Šimek)" 1
equal "$("$stamma" find --count --white simek windows.stamma | cut -f1)" 1
run 0 index windows.stamma
equal "$("$stamma" find --count --white Šimek windows.stamma | cut -f1)" 1
printf '[Event "\201"]\n\n1. e4 *\n' >other.pgn
run 0 pack -o other.stamma other.pgn
says 'other.pgn: some text is neither in UTF-8 nor in Windows-1252'
printf '[Event "\303\244 \360\237\231\202"]\n\n1. e4 *\n' >utf8.pgn
run 0 pack -o utf8.stamma utf8.pgn
equal "$(grep -c 'Windows\|UTF' err)" 0
for encoding in UTF-16 UTF-16LE UTF-16BE UTF-32; do
    iconv -f UTF-8 -t "$encoding" utf8.pgn >wide.pgn
    run 0 pack -f -o wide.stamma wide.pgn
    says "wide.pgn: the text is in ${encoding:0:6}, .*iconv -f $encoding -t UTF-8"
    restores wide.pgn wide.stamma
done
run 0 pack -qf -o wide.stamma wide.pgn
equal "$(cat err)" ''

# ---- the shared cases ----
for name in emt fastchess-comma half-results utf16; do
    [ -e "$cases/$name.pgn" ] || continue
    run 0 pack -qf -o case.stamma "$cases/$name.pgn"
    restores "$cases/$name.pgn" case.stamma
done
finish
