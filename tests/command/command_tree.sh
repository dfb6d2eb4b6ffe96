#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma tree, stats and merge-stats: answers at every level and number of threads, addition of answers, conditions,
# books compared with python-chess, trees compared with counts by python-chess, errors.
set -u
. tests/support/command_support.bash
corpus=${SHARED:-../shared}/corpora/otb_dev.pgn.zst
[ ! -e "$corpus" ] || corpus=$(realpath "$corpus")
pgn=$(realpath data/games.pgn)
PYTHONPATH=$(dirname "$(scripts/setup --modules)")/python
export PYTHONPATH
cd "$scratch" || exit 1

cp "$pgn" a.pgn
{ sample; games 100; } >b.pgn
run 0 pack -q a.pgn
run 0 pack -q b.pgn
run 0 merge -q -o both.stamma a.stamma b.stamma

# ---- counts ----
run 0 tree a.stamma --moves "e4 e5"
equal "$(awk '$1 == "Nf3" { print $2, $3, $4, $5, $6 }' out)" "16 76.2 75.0 0.0 25.0"
equal "$(awk '$1 == "all" { print $2, $4, $7 }' out)" "21 66.7 1995.09"
cp out table
run 0 tree a.stamma --fen "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 5 9"
equal "$(tail -n 5 out)" "$(tail -n 5 table)"
run 0 tree a.stamma --fen "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" --moves "1... e5"
equal "$(tail -n 5 out)" "$(tail -n 5 table)"
run 0 tree a.stamma --moves "e4 e5" --limit 1
equal "$(wc -l <out)" 5
run 0 tree a.stamma --white Morphy
run 0 find a.stamma --white Morphy --count
morphy=$(cat out)
run 0 tree a.stamma --white Morphy --json
equal "$(grep -o '"sums":{"games":[0-9]*' out | tail -n 1)" "\"sums\":{\"games\":$morphy"
run 0 stats a.stamma --white Morphy --json
equal "$(grep -o '^{"kind":"stats","games":[0-9]*' out)" "{\"kind\":\"stats\",\"games\":$morphy"
run 1 tree a.stamma --moves "a4 a5 h4 h5"
run 1 tree a.stamma --white Nobody
run 1 stats a.stamma --white Nobody

# ---- ratings with a question mark, as in conditions ----
printf '[WhiteElo "1500?"]\n[BlackElo "1700"]\n[Result "1-0"]\n\n1. e4 1-0\n\n' >provisional.pgn
run 0 pack -q provisional.pgn
run 0 find provisional.stamma --rating 1600 --numbers
run 0 tree provisional.stamma --json
equal "$(grep -o '"averageRating":[0-9]*' out | sort -u)" '"averageRating":1600'
equal "$(grep -o '"white":{"name":null,"rating":[0-9]*' out | sort -u)" '"white":{"name":null,"rating":1500'
run 0 cat --json provisional.stamma
equal "$(grep -o '"white_rating":[0-9]*' out)" '"white_rating":1500'
run 0 stats provisional.stamma --json
equal "$(grep -o '"rated":[0-9]*' out)" '"rated":1'

# ---- levels, threads ----
run 0 tree a.stamma b.stamma --json
cp out tree.json
run 0 stats a.stamma b.stamma --json
cp out stats.json
for level in 2 3; do
    "$stamma" recompress -q -f --level $level -o a$level.stamma a.stamma 2>/dev/null || continue
    mkdir -p l$level
    cp a$level.stamma l$level/a.stamma
    cp b.stamma l$level
    for threads in 1 3; do
        (cd l$level && "$stamma" tree -T $threads b.stamma a.stamma --json >../out)
        same out tree.json
        run 0 stats -T $threads a$level.stamma b.stamma --json
        same out stats.json
    done
done

# ---- addition: merged answers equal the answer for all archives, byte for byte ----
for answer in tree stats; do
    run 0 $answer a.stamma --json
    cp out one.json
    run 0 $answer b.stamma --json
    cp out other.json
    run 0 merge-stats one.json
    same out one.json
    run 0 merge-stats one.json other.json
    same out $answer.json
    run 0 merge-stats other.json one.json
    same out $answer.json
    checks=$((checks + 1))
    cat one.json other.json | "$stamma" merge-stats - >out || fail "merge-stats of standard input"
    same out $answer.json
    run 0 $answer a.stamma b.stamma
    cp out table
    run 0 merge-stats one.json other.json --format table
    same out table
done
run 0 stats both.stamma --json
same out stats.json

# Results, and trees with a history.
run 0 find a.stamma --wdl --json
cp out one.json
run 0 find b.stamma --wdl --json
cp out other.json
run 0 find both.stamma --wdl --json
cp out results.json
run 0 merge-stats one.json other.json
same out results.json
run 0 find both.stamma --wdl
cp out table
run 0 merge-stats other.json one.json --format table
same out table
run 0 tree a.stamma --json --history
cp out one.json
run 0 tree b.stamma --json --history
cp out other.json
run 0 tree a.stamma b.stamma --json --history
cp out history.json
run 0 merge-stats one.json other.json
same out history.json
grep -q '"history":\[{"month":"' history.json || fail "no history"
run 0 tree a.stamma b.stamma --history
equal "$(sed -n '/^month /,$p' out | awk 'NR > 1 {print $1}' | paste -sd' ')" \
    "$(sed 's/.*"history":\[//; s/\].*//' history.json | grep -o '"month":"[^"]*"' | cut -d'"' -f4 | paste -sd' ')"

# Games by group: the groups of one kind are all games, and the rows of a group are conditions that find its games.
run 0 find a.stamma --ply 16 --count
placed=$(cat out)
for group in pawns material; do
    run 0 stats a.stamma --by $group --ply 16 --json
    equal "$(grep -o '"games":[0-9]*' out | awk -F: '{ sum += $2 } END { print sum }')" "$placed"
    first=$(grep -o '"name":"[^"]*","games":[0-9]*' out | head -1)
    run 0 find a.stamma --ply 16 --$group "$(echo "$first" | cut -d'"' -f4)" --count
    equal "$(cat out)" "${first##*:}"
done
run 0 stats a.stamma --json
cp out all.json
run 0 stats a.stamma --by year --json
equal "$(grep -o '"name":"[0-9]*","games":[0-9]*' out | sed 's/.*name":"\([0-9]*\)","games":/\1 /' | head -5)" \
    "$(grep -o '"year":[0-9]*,"games":[0-9]*' all.json | sed 's/.*year":\([0-9]*\),"games":/\1 /' | head -5)"
# The formats of trees and statistics have the same numbers.
for command in tree stats 'stats --by opening'; do
    run 0 $command a.stamma --format json
    cp out format.json
    run 0 $command a.stamma --json
    same out format.json
    run 0 $command a.stamma --format csv
    cp out format.csv
    run 0 $command a.stamma --format tsv
    python3 - "$command" <<'PYTHON' || fail "$command --format"
import csv, json, sys
answer = json.load(open("format.json"))
rows = list(csv.DictReader(open("format.csv", newline="")))
assert rows == list(csv.DictReader(open("out"), delimiter="\t"))
def same(row, wanted, keys):
    assert all(row[key] == str(wanted[key] or "") or row[key] == str(wanted[key]) for key in keys), (row, wanted)
if sys.argv[1] == "tree":
    assert len(rows) == len(answer["moves"]) > 2
    for row, move in zip(rows, answer["moves"]):
        same(row, move, ("uci", "san", "draws", "performance"))
        assert [row["white_wins"], row["black_wins"]] == [str(move["white"]), str(move["black"])]
        assert int(row["rating"] or 0) == move["averageRating"]
elif sys.argv[1] == "stats":
    same(rows[0], answer, ("games", "plies"))
    for table, key in (("years", "year"), ("openings", "name"), ("ratings", "from"), ("players", "name"), ("lengths", "from")):
        part = [row for row in rows if row["grouping"] == table[:-1]]
        for wanted in answer[table]:
            sides = [side for side in ("as_white", "as_black") if side in wanted and wanted[side]["games"] > 0]
            for side in sides or ("",):
                row = part.pop(0)
                assert row["name"] == str(wanted[key]).replace("\t", " ") and row["side"] == side[3:], (row, wanted)
                same(row, wanted[side] if side else wanted, ("games", "white_wins", "draws", "black_wins"))
                assert row["plies"] == ("" if side else str(wanted["plies"]))
        assert not part
else:
    assert len(rows) == answer["groups"]
    for row, wanted in zip(rows, answer["rows"]):
        same(row, wanted, row)
PYTHON
done
run 2 tree a.stamma --format pgn
says 'tree has no format "pgn"; the formats are table, json, csv and tsv'
run 2 tree a.stamma --format csv --history
says "history requires the format table or json"
run 2 stats a.stamma --json --format tsv
says "json and --format tsv cannot be used together"
run 0 stats a.stamma --by opening --limit 2
equal "$(sed -n 1p out | cut -c1-7) $(wc -l <out)" "opening 4"
cat >groups.pgn <<'PGN'
[Event "Cup"]
[Site "Riga (LAT)"]
[White "A"]
[Black "B"]
[Result "1-0"]
[WhiteTitle "GM"]
[WhiteFed "LAT"]
[BlackFederation "EST"]

1. e4 1-0

[Event "Cup"]
[Site "https://lichess.org/abcd"]
[White "B"]
[Black "C"]
[Result "1/2-1/2"]
[BlackTitle "GM"]
[WhiteFed "EST"]

1. e4 e5 1/2-1/2

[Event "?"]
[Site "Riga LAT"]
[White "A"]
[Black "C"]
[Result "0-1"]
[WhiteTitle "GM"]

1. d4 0-1

PGN
run 0 pack -q groups.pgn
group_rows() { # OPTION...: rows of groups: name, games, results
    run 0 stats groups.stamma --format csv "$@"
    tail -n +2 out | tr -d '\r' | cut -d, -f1-5 | paste -sd ' '
}
equal "$(group_rows --by event)" 'Cup,2,1,1,0 ?,1,0,0,1'
equal "$(group_rows --by site)" 'Riga (LAT),1,1,0,0 Riga LAT,1,0,0,1 lichess.org,1,0,1,0'
equal "$(group_rows --by country)" 'LAT,2,1,0,1 ?,1,0,1,0'
equal "$(group_rows --by title)" 'GM,3,1,1,1 none,3,1,1,1' # each game counts for both players
equal "$(group_rows --by federation)" '?,3,1,1,1 EST,2,0,1,1 LAT,1,1,0,0'
equal "$(group_rows --by title --player B)" 'GM,2,0,1,1'
equal "$(group_rows --by federation --player C)" '?,1,1,0,0 EST,1,0,1,0'
run 0 stats groups.stamma --by title --json
equal "$(jq -c '.rows[0] | [.name, .wins, .draws, .losses]' out)" '["GM",1,1,1]'
run 0 stats a.stamma --by opponent --player Morphy --json
grep -q '"kind":"groups","by":"opponent"' out || fail "no groups of opponents"
won=$(grep -o '"wins":[0-9]*' out | awk -F: '{ sum += $2 } END { print sum }')
run 0 find a.stamma --player Morphy --wdl --json
equal "$(grep -o '"wins":[0-9]*' out)" "\"wins\":$won"
run 0 stats a.stamma --by white --ply 1
run 2 stats a.stamma --by opponent
says "requires one --player"
run 2 stats a.stamma --by pawns
says "such as --ply 40"
run 1 stats a.stamma --by year --white Nobody
run 2 stats a.stamma --by month
says 'unknown word "month"; expected pawns, material'
run 0 stats a.stamma --by White --ply 1

# ---- errors ----
run 2 merge-stats history.json tree.json
says "history"
run 2 merge-stats results.json tree.json
says "its kind differs"
# Version 1.0.0-rc1 called results of games white and black.
for answer in results stats; do
    sed -e 's/"white_wins"/"white"/g; s/"black_wins"/"black"/g' $answer.json >earlier.json
    run 0 merge-stats earlier.json
    same out $answer.json
done
for change in 's/"games":[0-9]*/"games":7777/' 's/"white_wins":[0-9]*/"white_wins":-1/' 's/"draws"/"drawn"/' 's/"kind":"results"/"kind":"result"/'; do
    sed "$change" results.json >bad.json
    run 2 merge-stats bad.json
done
run 2 merge-stats tree.json stats.json
says "its kind differs"
run 0 tree a.stamma --moves e4 --json
cp out e4.json
run 2 merge-stats tree.json e4.json
says "another position"
echo '{"kind": "tree", "fen": "8/8/8/4k3/8/8/3KP3/8 w - - 0 1", "white": -1}' >bad.json
run 2 merge-stats bad.json
says "line 1, column"
for change in 's/"games":[0-9]*/"games":0/' 's/"uci":"e2e4"/"uci":"e2e5"/' 's/"topGames"/"top"/' 's/"id":"[^"]*"/"id":"a"/' \
    's/"kind":"tree"/"kind":"x"/' 's/"halfPoints":0/"halfPoints":99/' 's/.$//' 's/"rating":null/"rating":123456/'; do
    sed "$change" tree.json >bad.json
    run 2 merge-stats bad.json
done
: >empty.json
run 2 merge-stats empty.json
says "no input"
run 2 merge-stats absent.json
run 2 tree absent.stamma
run 2 tree a.stamma --moves "e4 e4"
says "moves"
run 2 tree a.stamma --moves e4 --ignore-castling
says "option --ignore-castling: a tree is of one position"
run 2 tree a.stamma --moves e4 --moves d4
says "twice"
run 2 tree a.stamma --json --polyglot book.bin
absent book.bin
run 2 tree a.stamma --ratig 2000..
run 2 stats a.pgn
head -c 3000 a.stamma >cut.stamma
run 2 tree cut.stamma --polyglot book.bin
absent book.bin
nothing_left .

# ---- books ----
run 0 tree a.stamma --polyglot book.bin
says "moves"
run 2 tree a.stamma --polyglot book.bin
run 0 tree a.stamma -q -f --min-games 1 --depth 6 --polyglot book.bin
equal "$(wc -c <err)" 0
run 1 tree a.stamma -q -f --min-games 1000 --polyglot none.bin
python=python3
if ! "$python" -c 'import chess.polyglot, chess.pgn' 2>/dev/null; then
    echo "books and trees are not compared: there is no python-chess"
    finish
fi

# python-chess plays every game to compute the book's contents: six plies, with no minimum number of games.
checks=$((checks + 1))
"$python" - a.pgn book.bin <<'PYTHON' || fail "python-chess makes another book"
import collections, sys
import chess, chess.pgn, chess.polyglot
wanted = collections.defaultdict(int)
points = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1)}
with open(sys.argv[1], encoding="latin-1") as text:
    while (game := chess.pgn.read_game(text)) is not None:
        board, seen = game.board(), set()
        if board.fen() != chess.STARTING_FEN:
            continue
        for ply, move in enumerate(game.mainline_moves()):
            if ply == 6:
                break
            key = chess.polyglot.zobrist_hash(board)
            if key not in seen:
                score = points.get(game.headers["Result"], (0, 0))[0 if board.turn else 1]
                wanted[key, move.uci()] += score
            seen.add(key)
            board.push(move)
found, last = {}, (-1, 0)
with chess.polyglot.open_reader(sys.argv[2]) as reader:
    for entry in reader:
        assert (entry.key, -entry.weight) >= last, "the order"
        last = (entry.key, -entry.weight)
        found[entry.key, entry.move.uci()] = entry.weight
    board = chess.Board()
    for uci in "e2e4 e7e5 g1f3 b8c6".split():
        assert uci in [e.move.uci() for e in reader.find_all(board)], uci
        board.push_uci(uci)
assert all(e.learn == 0 for e in chess.polyglot.open_reader(sys.argv[2]))
castles = {"e1h1": "e1g1", "e8h8": "e8g8", "e1a1": "e1c1", "e8a8": "e8c8"}
found = {(k, castles.get(u, u)): w for (k, u), w in found.items()}
assert found == dict(wanted), (len(found), len(wanted))
PYTHON

# python-chess counts the trees of some positions over a sample of games.
if [ -e "$corpus" ]; then
    zstd -dcq "$corpus" | head -n 12000 >corpus.pgn
else
    echo "no $corpus: trees are compared over the sample games"
    cp a.pgn corpus.pgn
fi
run 0 pack -q corpus.pgn
: >trees
while read -r moves; do
    run 0 tree corpus.stamma --moves "$moves" --json
    cat out >>trees
done <<'MOVES'
e4
d4 Nf6
c4 e6 d4 d5
Nf3 d5 d4
d4 d5 c4 e6 Nc3 Nf6
e4 e5 Nf3 Nc6 Bb5
MOVES
checks=$((checks + 1))
"$python" - corpus.pgn trees <<'PYTHON' || fail "python-chess counts other trees"
import collections, json, sys
import chess, chess.pgn
trees = [json.loads(line) for line in open(sys.argv[2])]
def identity(board):
    return board._transposition_key()  # the en passant square counts only if a capture is legal
wanted = {}
for n, tree in enumerate(trees):
    wanted.setdefault(identity(chess.Board(tree["fen"])), []).append(n)
counts = [collections.defaultdict(lambda: collections.Counter()) for _ in trees]
def rating(game, tag):
    return int(game.headers[tag]) if game.headers.get(tag, "").isdigit() else 0
with open(sys.argv[1], encoding="latin-1") as text:
    while (game := chess.pgn.read_game(text)) is not None:
        board, seen, moves = game.board(), set(), list(game.mainline_moves())
        for ply in range(len(moves) + 1):
            key = identity(board)
            if key in wanted and key not in seen:
                seen.add(key)
                for n in wanted[key]:
                    for name in [moves[ply].uci()] * (ply < len(moves)) + ["all"]:
                        c = counts[n][name]
                        white, black = rating(game, "WhiteElo"), rating(game, "BlackElo")
                        c["games"] += 1
                        c[game.headers["Result"]] += 1
                        if white and black:
                            c["rated"] += 1
                            c["ratings"] += white + black
                        opponent = black if board.turn else white
                        if opponent and game.headers["Result"] != "*":
                            c["opponents"] += 1
                            c["opponentRatings"] += opponent
            if ply < len(moves):
                board.push(moves[ply])
for tree, count in zip(trees, counts):
    assert len(tree["moves"]) == len(count) - 1, tree["fen"]
    for entry in tree["moves"] + [dict(tree, uci="all")]:
        c = count[entry["uci"]]
        given = [entry["white"], entry["draws"], entry["black"]] + [entry["sums"][k] for k in
                 ("games", "rated", "ratings", "opponents", "opponentRatings")]
        assert given == [c["1-0"], c["1/2-1/2"], c["0-1"]] + [c[k] for k in
                         ("games", "rated", "ratings", "opponents", "opponentRatings")], (tree["fen"], entry["uci"])
PYTHON
finish
