#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma edit --replace: the tags, the moves or the annotation of one game come from a PGN file. python-chess reads the result:
# the parts that are replaced are those of the file, and all others, and all other games, are unchanged.
set -u
. tests/support/command_support.bash
pgn=$(realpath data/games.pgn)
need_chess
cd "$scratch" || exit 1
cp "$pgn" games.pgn
printf '\n[Event "Crlf"]\r\n[White "A"]\r\n[Black "B"]\r\n[Result "*"]\r\n[PlyCount "2"]\r\n\r\n1. e4 e5 *\r\n' >crlf.pgn
cat >replace.py <<'PYTHON'
import chess.pgn, io, itertools, random, subprocess, sys
stamma = sys.argv[1]
read = lambda text: chess.pgn.read_game(io.StringIO(text))
def run(status, *arguments):
    done = subprocess.run([stamma, *arguments], capture_output=True)
    assert done.returncode == status, (arguments, done.stderr.decode())
    return done.stdout.decode("utf-8", "replace")
def movetext(game):
    exporter = chess.pgn.StringExporter(headers=False, comments=True, variations=True)
    return game.accept(exporter).rsplit(" ", 1)[0]
moves = lambda game: [move.uci() for move in game.mainline_moves()]
run(0, "pack", "-q", "games.pgn")
games = [run(0, "cat", "games.stamma", str(n + 1)) for n in range(86)]
random.seed(5)
checked = 0
for n in random.sample(range(86), 12):
    old = read(games[n])
    new = read(games[n])
    new.headers["Site"], new.headers["Annotator"] = "Elsewhere", "N N"
    del new.headers["Event"]
    for node in itertools.islice(new.mainline(), 0, None, 7):
        node.comment, node.nags = "note %d" % node.ply(), {1}
        if node.parent and node.parent.board().legal_moves.count() > 1:
            other = next(move for move in node.parent.board().legal_moves if move != node.move)
            node.parent.add_variation(other, comment="or this")
    other = read(games[(n + 1) % 86])
    for what in ("tags", "annotation", "moves", "tags,moves", "tags,annotation"):
        source = other if what in ("moves", "tags,moves") and "FEN" not in other.headers and "FEN" not in old.headers else new
        with open("new.pgn", "w", encoding="utf-8") as file:
            print(source, file=file)
        source = read(str(source))
        run(0, "edit", "-q", "-f", "-o", "out.stamma", "games.stamma", str(n + 1), "--replace", what, "--with", "new.pgn")
        text = run(0, "cat", "out.stamma", str(n + 1))
        got = read(text)
        tags, all_moves = "tags" in what, "moves" in what
        headers = dict((source if tags else old).headers)
        if all_moves and not tags:
            headers["Result"] = source.headers["Result"]
            if "PlyCount" in headers:
                headers["PlyCount"] = str(len(moves(source)))
        assert dict(got.headers) == headers, (what, n, dict(got.headers), headers)
        assert moves(got) == moves(source if all_moves else old), (what, n)
        assert movetext(got) == movetext(old if what == "tags" else source), (what, n, movetext(got))
        assert text.split()[-1] == headers["Result"], (what, n)
        others = [line for line in run(0, "diff", "games.stamma", "out.stamma").splitlines() if line]
        assert all({*line.split("\t")[1:3]} <= {"-", str(n + 1)} for line in others), others
        listed = run(0 if others or what != "tags" else 1, "edit", "-n", "-q", "games.stamma", str(n + 1), "--replace", what, "--with", "new.pgn")
        assert ("annotation\treplaced" in listed) == ("annotation" in what) and ("moves\treplaced" in listed) == all_moves, listed
        checked += 1
print(checked, "replacements")
PYTHON
python3 replace.py "$stamma" || fail 'a replacement'

# Bytes around the parts stay.
run 0 pack -q crlf.pgn
printf '[White "x"]\n\n1. e4 {good} e5 2. Nf3 1-0' >new.pgn
run 0 edit -q -f -o out.stamma crlf.stamma 1 --replace moves --with new.pgn
run 0 unpack out.stamma
printf '\n[Event "Crlf"]\r\n[White "A"]\r\n[Black "B"]\r\n[Result "1-0"]\r\n[PlyCount "3"]\r\n\r\n1. e4 {good} e5 2. Nf3 1-0\r\n' >wanted
same out wanted
printf '1. e4 {good} e5 1-0\n' >new.pgn
run 0 edit -q -f -o out.stamma crlf.stamma 1 --replace annotation --with new.pgn
run 0 unpack out.stamma
printf '\n[Event "Crlf"]\r\n[White "A"]\r\n[Black "B"]\r\n[Result "*"]\r\n[PlyCount "2"]\r\n\r\n1. e4 {good} e5 *\r\n' >wanted
same out wanted

# ---- errors ----
cp games.stamma before
"$stamma" cat games.stamma 3 >three.pgn
printf '[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. O-O *\n' >position.pgn
printf '1. e4 e5 2. Ke5 *\n' >illegal.pgn
: >empty.pgn
for wrong in "3 --replace moves" "3 --with three.pgn" "3 --replace all --with three.pgn" "3..4 --replace tags --with three.pgn" \
    "3 4 --replace tags --with three.pgn" "--replace tags --with three.pgn" "100 --replace tags --with three.pgn" \
    "3 --replace tags --with missing.pgn" "3 --replace tags --with games.pgn" "3 --replace moves --with illegal.pgn" \
    "3 --replace moves --with empty.pgn" "3 --replace moves --with position.pgn" "4 --replace annotation --with three.pgn" \
    "3 --replace tags --with position.pgn" "3 --replace tags --with three.pgn --set Event=x" \
    "3 --replace tags --with three.pgn --delete" "3 --replace tags --with three.pgn --player Tal"; do
    # shellcheck disable=SC2086
    run 2 edit -f -o games.stamma games.stamma $wrong
    [ -s err ] || fail "$wrong: no message"
    same games.stamma before
done
run 0 edit -q -f -o games.stamma games.stamma 4 --delete
run 0 edit -q -f -o games.stamma games.stamma 3 --replace tags,moves --with position.pgn
run 0 cat games.stamma 3
grep -q 'FEN' out || fail 'a game from another position'
(ulimit -f 5 && "$stamma" edit -q -f -o games.stamma games.stamma 3 --replace tags --with position.pgn 2>err)
equal $? 2
nothing_left .
finish
