#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The output of cat, ls, info and perft, for people and for programs.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

sample >games.pgn
run 0 pack games.pgn
says 'games.pgn: line [0-9]*, game 5, after ply 4: illegal move'
equal "$(grep -c 'games.pgn: line' err)" 1
says 'games.stamma: all bytes kept; 1 game kept as text from a move on, [0-9]* B (1 illegal move)$'

# ---- pack --strict, -q, -v ----
run 3 pack --strict -f games.pgn
run 0 unpack games.stamma
same out games.pgn
run 3 pack --strict -qf games.pgn
equal "$(cat err)" ''
run 0 pack -f games.pgn -v
says 'game 5, after ply 4'
head -n 10 games.pgn >good.pgn
run 0 pack --strict good.pgn

# ---- differences in spacing and spelling are not losses ----
game() { printf '[White "%s"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6%s3. %s Kxf7 4. Bc4+ Kg6 1-0\n\n' "$1" "$2" "$3"; }
for i in 1 2 3 4 5 6; do game "$i" ' ' Qxf7+; done >regular.pgn
run 0 pack -q regular.pgn
{ cat regular.pgn; game x ' ' Qxf7; game y '  ' Qxf7+; cat regular.pgn; } >irregular.pgn
run 0 pack --strict -f irregular.pgn
equal "$(grep -c 'game [0-9]*, after ply' err)" 0
says 'irregular.stamma: all bytes kept; 2 games with irregular spacing or spelling, [0-9]* B (-v lists them)$'
run 0 pack -vf irregular.pgn
says 'irregular.pgn: line 34, game 7, after ply 4: unusual layout or spelling: Qxf7, where Qxf7+ is expected$'
says 'irregular.pgn: line 39, game 8, after ply 4: unusual layout or spelling "  3. "$'
sed -n 's/^stamma: irregular.pgn: /  /p' err >reported
run 0 info -v irregular.stamma
grep '^  line ' out >reported_again
same reported_again reported
run 0 info --json -v irregular.stamma
equal "$(grep -c '"games_kept_as_text":\[\],"games_with_irregular_layout":\[{"number":7,"plies":8,"reason":"layout","line":34,"ply":4,"found":"Qxf7","expected":"Qxf7+"},' out)" 1
equal "$(grep -c '"ply":4,"found":"  3. ","expected":null}\]' out)" 1
run 0 cat --format json irregular.stamma 7
equal "$(grep -c '"kept_as_text":null' out)" 1

# ---- games by number ----
run 0 cat games.stamma
same out games.pgn
run 0 cat games.stamma 1..2 3 4..
same out games.pgn
run 0 cat games.stamma ..4 last
same out games.pgn
run 0 cat - <games.stamma
same out games.pgn
cat games.stamma | "$stamma" cat - 2 4.. >piped
run 0 cat games.stamma 2 4..5
same out piped
run 0 cat games.stamma 5 2 2..3
equal "$(grep -a -c '^\[Event ' out) $(grep -a -m1 Event out)" '4 [Event "Broken"]'
cat games.stamma | "$stamma" cat - 5 2 >out 2>err
equal "${PIPESTATUS[1]}" 2
says 'ascending order'
run 0 cat games.stamma last
equal "$(grep White out)" '[White "Dan"]'
run 0 cat games.stamma 3..99
run 2 cat games.stamma 6
says 'there is no game 6; the last game is 5'
equal "$(cat out)" ''
run 2 ls games.stamma 100-200
run 2 ls games.stamma 6..
: >nothing.pgn
run 0 pack -q nothing.pgn
run 1 cat nothing.stamma
run 1 ls nothing.stamma last
run 0 info nothing.stamma

# A game that needs several pieces is still one game.
head -n 11 games.pgn >first
{ head -n 9 first; printf '1. e4 {'; head -c 9000000 /dev/zero | tr '\0' x; printf '} e5 1-0\n\n'; } >second
cat first second first >pieces.pgn
run 0 pack -q pieces.pgn
run 0 cat pieces.stamma 2
same out second
run 0 cat pieces.stamma 1 3
cat first first >wanted
same out wanted
cat pieces.stamma | "$stamma" cat - 1 2 3 >out
same out pieces.pgn
run 0 ls pieces.stamma
equal "$(wc -l <out)" 3
run 0 cat pieces.stamma --format uci last 2
equal "$(wc -l <out)" 2
rm second pieces.* out

# Games that end within a line are separated when several are printed.
printf '1. e4 e5 *' >open.pgn
run 0 pack -q open.pgn
run 0 merge -q -o opens.stamma open.stamma open.stamma
run 0 cat opens.stamma
equal "$(cat out)" "$(printf '1. e4 e5 *\n\n1. e4 e5 *')"
run 0 cat opens.stamma 2
same out open.pgn
run 0 cat opens.stamma --bits
equal "$(grep -v '^; each' out | sed -n 4p | cut -d: -f1)" '; game 2'

# ---- games listed in a file, and output to a file ----
printf '5 2\n\n2..3\t1,4\n' >numbers
run 0 cat games.stamma --games numbers
cp out wanted
run 0 cat games.stamma 5 2 2..3 1,4
same out wanted
run 0 cat games.stamma --format uci --games - 5 <<<2
equal "$(cut -c1-8 out)" "$(printf 'e2e4 e7e\nfen 8/P6')"
run 1 cat games.stamma --games nothing.pgn
equal "$(cat out)" ''
run 2 cat games.stamma --games missing.txt
says 'missing.txt: No such file'
echo '1 two' >numbers
run 2 cat games.stamma --games numbers -o printed.pgn
says '"two" is not a list of games'
absent printed.pgn
run 2 cat - --games - <games.stamma
says 'cannot both be standard input'
run 0 cat games.stamma 2 -o printed.pgn
equal "$(cat out)" ''
run 0 cat games.stamma 2
same out printed.pgn
run 2 cat games.stamma 2 -o printed.pgn
says 'printed.pgn: exists already'
run 0 cat games.stamma -fo printed.pgn
same printed.pgn games.pgn
run 2 cat games.stamma -fo games.stamma
says 'games.stamma: is an input of this command, and cannot also be its output'
run 2 cat games.stamma 9 -fo printed.pgn
same printed.pgn games.pgn
if [ -c /dev/full ]; then
    run 2 cat games.stamma -o /dev/full
    says '/dev/full: No space left'
    equal "$(grep -c . err)" 1
fi

# ---- regular files below /dev ----
shared_memory=$(mktemp -d /dev/shm/stamma-test.XXXXXX 2>/dev/null)
if [ -n "$shared_memory" ]; then
    trap 'rm -rf "$scratch" "$shared_memory"' EXIT
    run 0 cat games.stamma 2 -o "$shared_memory/printed.pgn"
    run 0 cat games.stamma 2
    same out "$shared_memory/printed.pgn"
    run 2 cat games.stamma -o "$shared_memory/printed.pgn"
    says 'printed.pgn: exists already'
    same out /dev/null
    ln "$shared_memory/printed.pgn" "$shared_memory/old"
    run 0 cat games.stamma -fo "$shared_memory/printed.pgn"
    same games.pgn "$shared_memory/printed.pgn"
    run 0 cat games.stamma 2
    same out "$shared_memory/old" # the file was replaced, not written in place
    nothing_left "$shared_memory"
fi
: >descriptor.pgn
ln descriptor.pgn descriptor
if is_native; then
    "$stamma" cat games.stamma 2 -o /dev/fd/3 3>descriptor.pgn || fail '/dev/fd/3 was not written'
    run 0 cat games.stamma 2
    same out descriptor # the open file was written, not replaced
fi

# ---- several archives ----
cp games.stamma two.stamma
run 0 ls games.stamma two.stamma 1,2
equal "$(cut -c1-21 out)" "$(printf '%s\n' 'games.stamma:       1' 'games.stamma:       2' 'two.stamma:       1  ' 'two.stamma:       2  ')"
run 0 ls --json games.stamma two.stamma last
equal "$(cut -d, -f1,2 out)" "$(printf '{"archive":"games.stamma","number":5\n{"archive":"two.stamma","number":5')"
run 2 ls games.stamma missing.stamma two.stamma 1
equal "$(wc -l <out)" 2
run 2 ls games.stamma two.stamma 9
equal "$(grep -c 'there is no game 9; the last game is 5' err)" 2
run 0 info games.stamma two.stamma
equal "$(grep -c '^games.stamma:$\|^two.stamma:$\|^what the archive holds$' out)" 4
run 0 info --json games.stamma two.stamma
equal "$(cut -d, -f1,2 out)" "$(printf '{"archive":"games.stamma","games":5\n{"archive":"two.stamma","games":5')"
run 2 info games.pgn games.stamma
equal "$(grep -c '^games.stamma:$' out)" 1
run 0 verify games.stamma two.stamma
equal "$(grep -c ': sound: 5 games' out)" 2
run 2 verify missing.stamma two.stamma games.pgn
equal "$(grep -c ': sound: 5 games' out)" 1
run 0 verify --json games.stamma two.stamma
equal "$(cut -d, -f1,3 out)" "$(printf '{"archive":"games.stamma","sound":true\n{"archive":"two.stamma","sound":true')"
mkdir each && cp games.pgn good.pgn irregular.pgn each/
run 3 pack --strict each/games.pgn each/good.pgn each/irregular.pgn
for name in games good irregular; do
    run 0 unpack each/$name.stamma
    same out $name.pgn
done
run 2 pack -f each/missing.pgn each/good.pgn
says 'each/missing.pgn: No such file'
says 'each/good.stamma: 1 game'
run 2 pack -f each/good.pgn - <good.pgn
says 'pack: -o is required if standard input is packed with other files'
rm -r each two.stamma printed.pgn numbers

# ---- formats ----
run 0 cat games.stamma --format uci
cat >wanted <<'LINES'
e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7
fen 8/P6k/8/8/8/8/7K/8 w - - 0 60 moves a7a8n h7g6 a8b6
fen rkr5/ppp5/8/8/8/8/PPP5/RKR5 w QCqc - 0 9 moves b1c1 c8e8
d2d4 d7d5 c2c4
e2e4 e7e5 g1f3 b8c6
LINES
sed -i 's/ w [A-Za-z]* - 0 9/ w CASTLING - 0 9/' out wanted # the spelling of castling rights is tested in notation
same out wanted
run 0 cat --format=fen games.stamma 1
equal "$(wc -l <out)" 9
equal "$(head -n 2 out)" "$(printf '%s\n' 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' \
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1')"
equal "$(sed -n 8,9p out)" 'r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4'
run 0 cat --format epd games.stamma 2
cat >wanted <<'LINES'
8/P6k/8/8/8/8/7K/8 w - - fmvn 60; hmvc 0; id "game 2, ply 0"; sm a8=N;
N7/7k/8/8/8/8/7K/8 b - - fmvn 60; hmvc 0; id "game 2, ply 1"; sm Kg6;
N7/8/6k1/8/8/8/7K/8 w - - fmvn 61; hmvc 1; id "game 2, ply 2"; sm Nb6;
8/8/1N4k1/8/8/8/7K/8 b - - fmvn 61; hmvc 2; id "game 2, ply 3";
LINES
same out wanted
run 0 cat --bits games.stamma 1
equal "$(grep -c '^; game 1: 7 plies, [0-9]* bits, [0-9.]* bits per ply$' out)" 1
grep -v '^; ' out >without; head -n 11 games.pgn >wanted
same without wanted
run 0 cat --format json games.stamma
cp out games.json
run 0 ls --json games.stamma
cp out list.json
run 0 ls --csv games.stamma
cp out listed.csv
run 0 info --json games.stamma
cp out info.json
run 0 info --json --verbose games.stamma
cp out verbose.json
run 0 info --json --totals games.stamma
cp out totals.json
equal "$(python3 -c 'import json; all = json.load(open("info.json")); totals = json.load(open("totals.json"))
print({key: all[key] for key in totals} == totals, len(totals))')" 'True 11'
piped=$("$stamma" info --json --totals - <games.stamma)
equal "$(cat games.stamma | "$stamma" info --json --totals -)" "$piped"
equal "$piped" "$(cat totals.json)"
run 0 info --totals games.stamma
grep -q 'games whole' out || fail 'info --totals does not print what is kept as text'
! grep -q 'by column' out || fail 'info --totals prints columns'
run 0 info games.stamma -v
equal "$(grep -c 'game 5, after ply 4: illegal move' out)" 1
for key in games plies moves 'bits per ply' 'kept as text'; do
    grep -q "$key" out || fail "info does not print: $key"
done
run 0 ls games.stamma
equal "$(wc -l <out)" 5
equal "$(head -n 1 out)" '       1  Ann                     Bob                     1-0      2024.01.02  C20      7  Casual'
equal "$(sed -n 4p out)" '       4  Müller                  Bob                     0-1      2024.01.05           3  Club "A"'
sed -n 4p out | iconv -f UTF-8 -t UTF-8 >/dev/null || fail 'ls prints what is no UTF-8'
printf '[Event "a\033[31mb\tc"]\n[White "\303\274\342\202\254"]\n\n1. e4 *\n' >control.pgn
run 0 pack -qf control.pgn
run 0 ls control.stamma
equal "$(grep -c '  a?\[31mb?c$' out)" 1
grep -q '€' out || fail 'ls does not print UTF-8 as it is'

python3 - "$(wc -c <games.stamma)" "$(wc -c <games.pgn)" <<'PYTHON' || fail 'JSON'
import json, sys
games = [json.loads(line) for line in open("games.json", encoding="utf-8")]
assert [g["number"] for g in games] == [1, 2, 3, 4, 5]
assert games[0]["san"] == "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#".split() and games[0]["fen"] is None
assert list(games[0]["tags"]) == ["Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO"]
assert games[1]["fen"] == "8/P6k/8/8/8/8/7K/8 w - - 0 60" and games[1]["uci"] == ["a7a8n", "h7g6", "a8b6"]
assert games[2]["chess960"] and not games[0]["chess960"] and games[2]["san"] == ["O-O", "Re8"]
assert games[3]["tags"]["Event"] == 'Club "A"' and games[3]["tags"]["White"] == "M\u00fcller"
assert games[3]["tags"]["Annotator"] == "one" and games[3]["repeated_tags"] == [["Annotator", "two"]]
assert games[4]["kept_as_text"] == "illegal_move" and games[0]["kept_as_text"] is None
assert games[4]["san"] == ["e4", "e5", "Nf3", "Nc6"]
for g in games:
    assert g["plies"] == len(g["uci"]) == len(g["san"]) and g["result"] in ("1-0", "0-1", "1/2-1/2", "*")
lines = [json.loads(line) for line in open("list.json", encoding="utf-8")]
listed = ("number white black white_rating black_rating result date event site round TimeControl ECO Opening plies").split()
assert list(lines[0]) == listed and open("listed.csv", newline="").readline() == ",".join(listed) + "\r\n"
assert lines[0]["ECO"] == "C20" and lines[1]["ECO"] is None and lines[3]["white"] == "M\u00fcller"
assert [l["plies"] for l in lines] == [7, 3, 2, 3, 4]
info = json.load(open("info.json"))
for key in ("games plies text_size archive_size moves_bytes bits_per_ply columns games_verbatim games_partly_verbatim "
            "games_corrected verbatim_bytes reasons variation_plies").split():
    assert key in info, key
assert (info["games"], info["plies"]) == (5, 19)
assert info["text_size"] == int(sys.argv[2]) and info["archive_size"] == int(sys.argv[1])
assert abs(info["bits_per_ply"] - 8 * info["moves_bytes"] / info["plies"]) < 1e-3
assert info["columns"]["moves"] == info["moves_bytes"]
assert sum(info["columns"].values()) <= info["archive_size"]
assert (info["games_verbatim"], info["games_partly_verbatim"]) == (0, 1) and info["verbatim_bytes"] > 0
assert info["reasons"]["illegal_move"] == 1
verbose = json.load(open("verbose.json"))
assert verbose["games_kept_as_text"] == [{"number": 5, "plies": 4, "reason": "illegal_move",
                                          "line": 57, "ply": 4}]
assert verbose["games_with_irregular_layout"] == []
assert {k: v for k, v in verbose.items() if not k.startswith("games_kept") and not k.startswith("games_with")} == info
PYTHON

# ---- fields of comments ----
for ((i = 0; i < 40; i++)); do
    printf '[Event "%d"]\n\n1. e4 { [%%eval 0.3%d] [%%clk 0:03:00] } e5 { [%%eval #%d] [%%clk 0:02:5%d] } *\n\n' \
        $i $((i % 7)) $((i % 5)) $((i % 9))
done >clocks.pgn
run 0 pack -q clocks.pgn
run 0 info clocks.stamma
for line in '\[%clk .* 80 ' 'all clocks .* 80 ' 'all evaluations .* 80 '; do
    grep -q "$line" out || fail "info does not print: $line"
done
run 0 info --json clocks.stamma
python3 - out <<'PYTHON' || fail "the fields of info --json"
import json, sys
info = json.load(open(sys.argv[1]))
assert {name: field["values"] for name, field in info["fields"].items()} == {"[%clk": 80, "[%eval": 40, "[%eval #": 40}
assert info["bits_per_clock"] == info["fields"]["[%clk"]["bits_each"] > 0 and info["bits_per_evaluation"] > 0
assert sum(field["bytes"] for field in info["fields"].values()) <= info["columns"]["comments"]
PYTHON

# ---- perft ----
run 0 perft 4
equal "$(cat out)" 197281
run 0 perft 0
equal "$(cat out)" 1
run 0 perft --divide 0
equal "$(cat out)" 1
run 0 perft --divide 2
equal "$(head -n 1 out) $(wc -l <out) $(tail -n 1 out)" 'a2a3: 20 22 400'
run 0 perft --fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -' 3 --divide
equal "$(grep '^e1' out | tr '\n' ' ')$(tail -n 1 out)" 'e1c1: 1887 e1d1: 1894 e1f1: 1855 e1g1: 2059 97862'
run 0 perft --fen 'bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9' 3
equal "$(cat out)" 12189
run 0 perft --divide --fen 'rkr5/ppp5/8/8/8/8/PPP5/RKR5 w CAca - 0 9' 1
equal "$(grep '^b1' out | tr '\n' ' ')" 'b1c1: 1 '
for board in bitboard array-8x8 mailbox-12x12 mailbox-10x12 array-16x16 x88 nibble-rows piece-list; do
    run 0 perft --board $board 3 --fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -' --divide
    equal "$(grep '^e1' out | tr '\n' ' ')$(tail -n 1 out)" 'e1c1: 1887 e1d1: 1894 e1f1: 1855 e1g1: 2059 97862'
    run 0 perft --board $board 0
    equal "$(cat out)" 1
    "$stamma" perft --help | grep -q "[ ,]$board\b" || fail "perft --help does not name $board"
done
run 2 perft 1 --board nine-by-nine
says 'no board "nine-by-nine"; the boards are bitboard, array-8x8'
run 0 perft 1 --fen '4k3/8/8/8/8/8/8/4K3 w KQ e3 0 1'
says 'left out: '
equal "$(cat out)" 5

# ---- games as data ----
cat >annotated.pgn <<'GAMES'
[Event "Club, "]
[White "Ann	B"]
[Black "Bob \"x\""]
[WhiteElo "2100"]
[BlackElo "?"]
[Result "1-0"]

{ start } 1. e4 { [%eval 0.35] [%clk 0:10:00] } 1... e5 $1 { [%clk 1:02:03.5] [%eval -0.05,20] } (1... c5 { Sicilian }
2. Nf3 $2 (2. c3 d5) 2... d6) 2. Nf3 { [%eval #-3] } 2... Nc6 1-0

[Event "Passing"]
[Result "*"]

1. e4 a6 2. e5 d5 3. exd6 *

GAMES
run 0 pack -q annotated.pgn
run 0 cat annotated.stamma --format json
cp out annotated.json
run 0 cat annotated.stamma --format plies --json
cp out plies.json
run 0 cat annotated.stamma --format csv
cp out table.csv
run 0 cat annotated.stamma --format plies
cp out plies.csv
run 0 cat annotated.stamma --json --columns plies,White,Round,clock_ms
cp out fields.json
run 0 ls games.stamma annotated.stamma --format csv --columns White,number,uci
cp out list.csv
python3 - <<'PYTHON' || fail 'games as data'
import csv, json
first, second = (json.loads(line) for line in open("annotated.json"))
assert first["white_rating"] == 2100 and first["black_rating"] is None and first["tags"]["WhiteElo"] == "2100"
assert first["clock_ms"] == [600000, 3723500, None, None]
assert first["eval_cp"] == [35, -5, None, None] and first["mate"] == [None, None, -3, None]
assert [first[key] for key in ("eco", "eco_derived", "opening", "opening_derived")] == ["C44", True, "King's Knight Opening: Normal Variation", True]
assert [c["ply"] for c in first["comments"]] == [0, 1, 2, 3] and first["comments"][0]["text"] == " start "
assert first["nags"] == [{"ply": 2, "nag": 1}]
assert first["variations"] == [
    {"ply": 2, "within": None, "uci": ["c7c5", "g1f3", "d7d6"], "san": ["c5", "Nf3", "d6"], "comments": [{"ply": 2, "text": " Sicilian "}],
     "nags": [{"ply": 3, "nag": 2}]},
    {"ply": 3, "within": 0, "uci": ["c2c3", "d7d5"], "san": ["c3", "d5"], "comments": [], "nags": []}]
assert second["clock_ms"] == [None] * 5 and second["variations"] == [] and second["comments"] == []
rows = [json.loads(line) for line in open("plies.json")]
assert len(rows) == 9 and list(rows[0]) == ["game", "ply", "uci", "san", "fen_before", "clock_ms", "eval_cp", "mate"]
assert rows[1] == {"game": 1, "ply": 2, "uci": "e7e5", "san": "e5", "clock_ms": 3723500, "eval_cp": -5, "mate": None,
                   "fen_before": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"}
cells = list(csv.DictReader(open("plies.csv", newline="")))
assert len(cells) == 9 and [c["eval_cp"] + c["mate"] for c in cells[:4]] == ["35", "-5", "-3", ""]
assert [c["clock_ms"] for c in cells[:3]] == ["600000", "3723500", ""] and all(c["fen_before"] == r["fen_before"] for c, r in zip(cells, rows))
games = list(csv.DictReader(open("table.csv", newline="")))
assert [g["white"] for g in games] == ["Ann\tB", ""] and games[0]["black"] == 'Bob "x"' and games[0]["event"] == "Club, "
assert [(g["number"], g["plies"], g["white_rating"]) for g in games] == [("1", "4", "2100"), ("2", "5", "")]
assert list(map(json.loads, open("fields.json"))) == [
    {"plies": 4, "White": "Ann\tB", "Round": None, "clock_ms": [600000, 3723500, None, None]},
    {"plies": 5, "White": None, "Round": None, "clock_ms": [None] * 5}]
rows = list(csv.DictReader(open("list.csv", newline="")))
assert list(rows[0]) == ["archive", "White", "number", "uci"] and len(rows) == 7
assert rows[-1] == {"archive": "annotated.stamma", "White": "", "number": "2", "uci": "e2e4 a7a6 e4e5 d7d5 e5d6"}
PYTHON
# Each member has only one type, because pyarrow requires this.
if PYTHONPATH="${XDG_CACHE_HOME:-$HOME/.cache}/stamma/python" python3 - 2>out <<'PYTHON'
import sys
try:
    import pyarrow.json
except ImportError:
    sys.exit()
table = pyarrow.json.read_json("annotated.json")
assert table["eval_cp"].to_pylist() == [[35, -5, None, None], [None] * 5]
assert table["mate"].type == table["eval_cp"].type == pyarrow.list_(pyarrow.int64())
PYTHON
then :; else fail 'pyarrow reads typed evaluations' "$(cat out)"; fi
# Text between moves: the first clock and the first evaluation after a ply; evaluations of engines from the side that
# moved (Black moves first in this game); nested variations, before any move, with Chess960 castling, a null move and a
# non-standard spelling of a move; and a game whose remainder is stored as text.
cat >between.pgn <<'GAMES'
[FEN "4k3/8/8/8/8/8/4P3/4K2R b K - 0 1"]
[SetUp "1"]

1... Kd7 { +0.31/12 1.2s } 2. e4 { -0.20/9 0.1s } Kd6 { d=9, wv=-M4, } 3. Kd2 { [%clk 0:00:05] [%clk 0:00:04] }
{ [%clk 0:00:03] [%eval 0.5] } 3... Kd7 { [%clk 0:01] } { [%clk
0:00:09] [%eval 1.5] } *

[Variant "Chess960"]
[FEN "4k2r/8/8/8/8/8/3N4/RK3N2 w A - 0 1"]

( 1. O-O-O Kd7 ( 1... -- 2. Nd2b3 ) ) 1. Nf3 (1. Ndb3 ( 1. Nde4 $3 Ke7 (1... Kf8 2. O-O-O {so} ) ) ) 1... Ke7 ( ( ( 1... Rh1 ) 1... Rh2 ) ) *

1. e4 { typed } e5 (1... c5 2. Qh9 { lost } Nc6) 2. Ke3 { text } Ke7 *

GAMES
run 0 pack -q between.pgn
run 0 cat between.stamma --json --columns clock_ms,eval_cp,mate
equal "$(cat out)" '{"clock_ms":[null,null,null,5000,1000],"eval_cp":[-31,-20,null,50,150],"mate":[null,null,-2,null,null]}
{"clock_ms":[null,null],"eval_cp":[null,null],"mate":[null,null]}
{"clock_ms":[null,null],"eval_cp":[null,null],"mate":[null,null]}'
run 0 cat between.stamma 2 --json --columns variations
python3 - <<'PYTHON' >lines
import json
for v in json.load(open("out"))["variations"]:
    notes = [c["text"] for c in v["comments"]] + [n["nag"] for n in v["nags"]]
    print(json.dumps([v["ply"], v["within"], " ".join(v["uci"]), " ".join(v["san"])] + notes, separators=(",", ":")))
PYTHON
equal "$(cat lines)" '[1,null,"b1a1 e8d7","O-O-O Kd7"]
[2,0,"0000 d2b3","-- Nb3"]
[1,null,"d2b3","Nb3"]
[1,2,"d2e4 e8e7","Ne4 Ke7",3]
[2,3,"e8f8 b1a1","Kf8 O-O-O","so"]
[2,null,"",""]
[2,5,"h8h2","Rh2"]
[2,6,"h8h1","Rh1"]'
run 0 cat between.stamma 3 --json --columns san,comments,variations,kept_as_text
equal "$(cat out)" '{"san":["e4","e5"],"comments":[{"ply":1,"text":" typed "}],"variations":[{"ply":2,"within":null,"uci":["c7c5"],"san":["c5"],"comments":[],"nags":[]}],"kept_as_text":"illegal_move"}'
run 0 cat annotated.stamma 1 --format tsv --columns White,Black
equal "$(cat out)" "$(printf 'White\tBlack\nAnn B\tBob "x"')"
run 0 ls annotated.stamma 2 --format tsv
equal "$(wc -l <out) $(cut -f1,8,14 out | tail -n 1)" "$(printf '2 2\tPassing\t5')"
run 0 cat annotated.stamma 2 --format fen
equal "$(cut -d' ' -f4 out | tr '\n' ' ')" '- e3 - - d6 -  '
run 0 cat annotated.stamma 2 --format fen --en-passant legal
equal "$(cut -d' ' -f4 out | tr '\n' ' ')" '- - - - d6 -  '
run 0 cat annotated.stamma 2 --format epd --en-passant=legal
equal "$(cut -d' ' -f4 out | tr '\n' ' ')" '- - - - d6 - '
run 2 cat annotated.stamma --format fen --en-passant never
says '"never" is not always or legal'
run 2 cat annotated.stamma --format json --columns plies,elo
says 'there is no column "elo"'
run 2 cat annotated.stamma --format csv --columns comments
says 'there is no column "comments" in a table'
run 0 cat annotated.stamma 1 --format csv --columns clock_ms,eval_cp,mate,eco_derived
equal "$(tr -d '\r' <out)" 'clock_ms,eval_cp,mate,eco_derived
600000 3723500 - -,35 -5 - -,- - -3 -,true'
run 0 cat annotated.stamma 1 --format plies --columns ply,White,clock_ms,mate,fen
equal "$(tr -d '\r' <out | sed -n 2p)" $'1,Ann\tB,600000,,rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'
equal "$(tr -d '\r' <out | sed -n 4p | cut -d, -f1-4)" $'3,Ann\tB,,-3'
run 2 cat annotated.stamma --format plies --columns elo
says 'there is no column "elo" of a ply'
run 2 cat annotated.stamma --format nothing
run 2 cat annotated.stamma --columns plies
says 'columns requires the format json, plies, tsv or csv'
run 2 ls annotated.stamma --format pgn
says 'ls has no format "pgn"; the formats are table, json, csv and tsv'
run 2 ls annotated.stamma --json --format csv
says 'json and --format csv cannot be used together'
run 2 ls annotated.stamma --columns White
says 'columns requires the format json, csv or tsv'
run 0 ls annotated.stamma --json
cp out list.json
run 0 ls annotated.stamma --format json
same out list.json
run 0 ls annotated.stamma 1 --format json --columns number,opening,nags
equal "$(cat out)" '{"number":1,"opening":"King'"'"'s Knight Opening: Normal Variation","nags":[{"ply":2,"nag":1}]}'
run 0 ls annotated.stamma
cp out rows
run 0 ls annotated.stamma --format table
same out rows
# JSON escapes characters that change the direction of text; its values are unchanged.
printf '[White "x\u202Ey \u00e9\u2066\u061C\u200E"]\n\n1. e4 *\n\n' >direction.pgn
run 0 pack -q direction.pgn
for command in 'cat --json' 'ls --json' 'find --json' 'stats --json' 'tree --json'; do
    run 0 $command direction.stamma
    ! grep -q $'\u202E\|\u2066\|\u200E' out || fail "$command prints a character that changes the direction"
    grep -q 'x\\u202ey é\\u2066' out || fail "$command does not escape U+202E" "$(cat out)"
    python3 -c 'import json; assert "x\u202ey \u00e9\u2066\u061c\u200e" in json.dumps(json.load(open("out")), ensure_ascii=False)' ||
        fail "$command changes a value"
done
# A table of games of Lichess has the same columns, in every command.
printf '[White "A"]\n[UTCDate "2024.01.02"]\n[TimeControl "60+0"]\n[Opening "Réti Opening"]\n\n1. Nf3 *\n\n' >lichess.pgn
run 0 pack -q lichess.pgn
for command in cat ls find; do
    run 0 $command lichess.stamma --format tsv
    equal "$(cut -f1-14 out)" "$(printf 'number\twhite\tblack\twhite_rating\tblack_rating\tresult\tdate\tevent\tsite\tround\tTimeControl\tECO\tOpening\tplies
1\tA\t\t\t\t*\t2024-01-02\t\t\t\t60+0\t\tRéti Opening\t1')"
done
run 2 cat annotated.stamma --json --format uci
says 'json requires the format json or plies'

# ---- on a terminal ----
is_native || finish
for ((i = 0; i < 30; i++)); do
    printf '[Event "%d"]\n\n1. e4 e5 2. Ke5 *\n\n' $i
done >bad.pgn
python3 - "$stamma" <<'PYTHON' || fail 'on a terminal'
import fcntl, os, pty, signal, struct, subprocess, sys, termios, time

def on_terminal(arguments, halts=0, prints=False, columns=80):
    """Returns what the command prints when standard error is a terminal, with `prints` also standard output. A halt is
    longer than the interval between two updates of the bar, so that the next piece of work updates it on any machine."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    child = subprocess.Popen([sys.argv[1]] + arguments, stdout=slave if prints else subprocess.DEVNULL, stderr=slave)
    os.close(slave)
    for _ in range(halts):
        time.sleep(0.01)
        child.send_signal(signal.SIGSTOP)
        time.sleep(0.15)
        child.send_signal(signal.SIGCONT)
    seen = b""
    while True:
        try:
            data = os.read(master, 4096)
        except OSError:
            break
        if not data:
            break
        seen += data
    os.close(master)
    return child.wait(), seen.decode()

text = open("games.pgn", "rb").read()
# The random comments make the archives so large that each command reads them in several pieces.
with open("large.pgn", "wb") as file:
    for n in range(40000):
        file.write(text[:text.index(b"Broken") - 8])
        if n % 3 == 0:
            file.write(b'[Event "Random"]\n\n1. e4 {%s} *\n\n' % os.urandom(100).hex().encode())
status, seen = on_terminal(["pack", "large.pgn"], halts=8)
assert status == 0 and "packing  [" in seen and "%" in seen and "/s" in seen, seen
assert "173,334 games" in seen.split("\r")[-2], seen
status, seen = on_terminal(["unpack", "large.stamma"], halts=8)
assert status == 0 and "unpacking  [" in seen and seen.endswith(" \r"), seen
assert on_terminal(["unpack", "-q", "large.stamma"]) == (0, "")
assert on_terminal(["merge", "-q", "-o", "larger.stamma"] + ["large.stamma"] * 10) == (0, "")
status, seen = on_terminal(["verify", "larger.stamma"], halts=8)
assert status == 0 and "verifying  [" in seen and seen.endswith(" \r"), seen
assert on_terminal(["verify", "-q", "large.stamma"]) == (0, "")
assert on_terminal(["pack", "-qf", "large.pgn"]) == (0, "")

# Lines listed on a terminal fit its width.
with open("wide.pgn", "w") as file:
    for name in "Ann", "A player of a long name, as there are", "\u738b" * 30, "e\u0301" * 25:
        file.write('[Event "An event that takes its time"]\n[White "%s"]\n[Black "%s"]\n[Date "2024.01.02"]\n'
                   '[Result "1/2-1/2"]\n[ECO "B01"]\n\n1. e4 1/2-1/2\n\n' % (name, name))
assert on_terminal(["pack", "-q", "wide.pgn"]) == (0, "")
def width_of(line):
    return sum(0 if c == "\u0301" else 2 if c == "\u738b" else 1 for c in line)
for columns in 40, 60, 80, 100, 150:
    status, seen = on_terminal(["ls", "wide.stamma"], prints=True, columns=columns)
    rows = seen.splitlines()
    assert status == 0 and len(rows) == 4 and all(width_of(row) <= columns for row in rows), (columns, rows)
    assert len(set(width_of(row[:row.index("1/2-1/2")]) for row in rows)) == 1, (columns, rows)
    assert "Ann " in rows[0] and "\u2026" not in rows[0][:30] and "\u2026" in rows[1], (columns, rows)
    assert ("2024.01.02  B01      1" in rows[1]) == (columns >= 80), (columns, rows)
assert on_terminal(["unpack", "-q", "good.stamma"], prints=True) == (2, "stamma: unpack: set the file to write with -o; "
                                                                  "-o - writes to the terminal\r\n")
assert on_terminal(["unpack", "-q", "-o", "-", "good.stamma"], prints=True)[1].startswith("[Event ")
assert on_terminal(["pack", "-f", "bad.pgn"])[1].count("after ply 2") == 20
assert on_terminal(["pack", "-fv", "bad.pgn"])[1].count("after ply 2") == 30
PYTHON
run 0 pack -f bad.pgn
equal "$(grep -c 'after ply 2' err)" 20
says '30 games kept as text .*(-v lists them)'
run 0 pack -fv bad.pgn
equal "$(grep -c 'after ply 2' err)" 30

nothing_left .
# ---- games in another order ----
python3 - >many.pgn <<'PYTHON'
for n in range(1, 1201):
    print('[Event "%d"]\n\n1. e4 {%s} *\n' % (n, "x" * (n % 50)))
PYTHON
run 0 pack -qf many.pgn
python3 -c 'print("\n".join(str(n * 7919 % 1200 + 1) for n in range(1300)))' >numbers
run 0 cat many.stamma --games numbers --format tsv --columns number
sed 1d out | cmp -s - numbers || fail "games in another order"
run 2 cat many.stamma 7 9999 3 --format tsv --columns number
[ "$(sed 1d out | tr '\n' ' ')" = "7 3 " ] || fail "a game that is missing" "$(cat out)"

# ---- cells that spreadsheets would evaluate, and characters that change the direction of text ----
printf '[Event "=1+2"]\n[Site "+cmd"]\n[White "@a"]\n[Black "A\342\200\256B"]\n[Round "-"]\n[WhiteElo "+12"]\n[BlackElo "-7.5"]\n[Date "-x,y"]\n\n1. e4 *\n' >cells.pgn
run 0 pack -qf cells.pgn
fields=Event,Site,White,Round,WhiteElo,BlackElo,Date
guarded="'=1+2,'+cmd,'@a,-,+12,-7.5,\"'-x,y\""
raw='=1+2,+cmd,@a,-,+12,-7.5,"-x,y"'
for call in 'ls --format csv' 'cat --format csv' 'find --format csv'; do
    # shellcheck disable=SC2086
    run 0 ${call%% *} cells.stamma ${call#* } --columns "$fields"
    grep -qF "$guarded" out || fail "$call" "$(cat out)"
    # shellcheck disable=SC2086
    run 0 ${call%% *} cells.stamma ${call#* } --csv-raw --columns "$fields"
    grep -qF "$raw" out && ! grep -qF "$guarded" out || fail "$call --csv-raw" "$(cat out)"
done
run 0 find cells.stamma --format tsv --columns Event
grep -q '^=1+2' out || fail "tabs" "$(cat out)"
run 0 ls cells.stamma
grep -q 'A?B' out || fail "a change of direction is printed" "$(cat out)"
printf '[Event "x"]\n[A\342\200\256B "v"]\n\n1. e4 *\n' >names.pgn
run 0 pack -qf names.pgn
run 0 info names.stamma
grep -q 'tag:A?B  ' out || fail "a change of direction in a tag's name is printed" "$(cat out)"

finish
