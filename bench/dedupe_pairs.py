#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a PGN file with known duplicates, and scores the answers of a detector.

usage: dedupe_pairs.py make SOURCE PAIRS OUT.pgn TRUTH [SEED]
       dedupe_pairs.py score TRUTH < OUTPUT-OF-dedupe--dry-run
       dedupe_pairs.py score-kept TRUTH KEPT.pgn
       dedupe_pairs.py score-removed TRUTH < NUMBERS-OF-GAMES
       dedupe_pairs.py overlap FILE.pgn... < OUTPUT-OF-dedupe--dry-run
       dedupe_pairs.py corrected FILE.pgn... < OUTPUT-OF-dedupe--dry-run

`make` reads PAIRS games of a PGN file, adds a changed copy of each, and adds games that look like duplicates and are
not: openings of other games, and copies of long games with contradictory names or events. Each line of TRUTH is "game label change": games with the same label are the same game. Each game has a tag
TruthNumber, so that score-kept can read the output of any program. Moves are changed with python-chess. Results are
the same every time; another SEED (default 25) makes other changes and decoys.

`overlap` prints how many games of the files have the same 40 plies or more, and the same year, as an earlier game,
and how many of these pairs the detector found. Archives in its output have the names of the files.

`corrected` does the same for games that a source wrote again with other moves or tags: the surnames and first letters
of both players, the complete date, the round, the first 16 plies and half of the plies are the same, and the texts
differ. It also lists the games that the detector found with other players, another year or fewer than 16 plies in common.
"""
import collections
import datetime
import io
import os
import random
import re
import sys

CHANGES = ["annotated", "initials", "reversed", "no_day", "no_date", "event", "result", "truncated", "last_move",
           "transposed", "typo", "fewer_tags", "incomplete", "ending", "cut_result", "year", "colors", "repetition",
           "letters", "first_day"]
# Copies that are different games. The last two have other moves: the same line in the next round, and another game of
# the same round.
DECOYS = ["early_late", "rapid_blitz", "digit", "first_name", "feminine", "next_round", "tiebreak"]
# German spellings of Russian names that are written in English letters.
LETTERS = [("ch", "tsch"), ("sh", "sch"), ("v", "w"), ("y", "j")]
OPPOSITE = {"White": "Black", "Black": "White"}
TAG = re.compile(r'^\[(\w+) "(.*)"\]$')


def read_games(path):
    import chess.pgn
    with open(path, encoding="latin-1") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            moves = [move for move in game.mainline_moves()]
            headers = dict(game.headers)
            if not game.errors and "FEN" not in headers and "?" not in headers["Date"] and "," in headers["White"] + \
                    headers["Black"]:
                yield headers, moves


def text_of(headers, moves, number, comments=None):
    import chess
    board, words = chess.Board(), []
    for ply, move in enumerate(moves):
        if ply % 2 == 0:
            words.append("%d." % (ply // 2 + 1))
        words.append(board.san(move))
        board.push(move)
        if comments and ply in comments:
            words.append("{ %s }" % comments[ply])
    tags = "".join('[%s "%s"]\n' % pair for pair in headers.items())
    return '%s[TruthNumber "%d"]\n\n%s %s\n\n' % (tags, number, " ".join(words), headers["Result"])


def spelled(name):
    for one, other in LETTERS:
        name = re.sub(one, other, name)
        name = re.sub(one.capitalize(), other.capitalize(), name)
    return name


def renamed(name, change, rng):
    surname, _, first = name.partition(",")
    first = first.strip()
    if change == "letters":
        return spelled(name)
    if change == "initials":
        return surname + ("," + first[0] if first else "")
    if change == "reversed":
        return (first + " " + surname).strip()
    if change == "typo" and len(surname) > 6:
        at = rng.randrange(1, len(surname) - 1)
        return surname[:at] + surname[at + 1:] + ("," + first if first else "")
    return name


def transposed(moves, rng):
    """Exchanges two moves of a side if both orders are legal and lead to the same position."""
    import chess
    for at in rng.sample(range(len(moves) - 3), len(moves) - 3):
        other = moves[:at] + [moves[at + 2], moves[at + 1], moves[at]] + moves[at + 3:]
        board, legal = chess.Board(), True
        for ply, move in enumerate(other):
            legal = legal and board.is_legal(move)
            if not legal:
                break
            board.push(move)
        if legal and other != moves:
            return other
    return None


def repeated(moves, rng):
    """Adds four plies with which both sides return to the position."""
    import chess
    board, places = chess.Board(), []

    def shuffles():
        for move in board.legal_moves:
            if board.piece_type_at(move.from_square) in (chess.KNIGHT, chess.BISHOP, chess.QUEEN) and not board.is_capture(move):
                yield move, chess.Move(move.to_square, move.from_square)

    for ply, played in enumerate(moves):
        if ply >= 8:
            places.append((ply, board.copy(stack=False)))
        board.push(played)
    for ply, start in rng.sample(places, len(places)):
        board = start.copy()
        for one, back in shuffles():
            board = start.copy()
            board.push(one)
            for other, return_other in list(shuffles())[:4]:
                again = board.copy()
                again.push(other)
                if back in again.legal_moves:
                    again.push(back)
                    if return_other in again.legal_moves:
                        again.push(return_other)
                        if again.board_fen() == start.board_fen() and moves[ply] in again.legal_moves:
                            return moves[:ply] + [one, other, back, return_other] + moves[ply:]
            board = start.copy()
            break
    return None


def exchanged(headers):
    """Exchanges the values of all tags whose names begin with White and Black."""
    def of(tag):
        color = tag[:5]
        return headers.get(OPPOSITE[color] + tag[5:], "?") if color in OPPOSITE else headers[tag]
    return {tag: of(tag) for tag in headers}


def later(date, days):
    return (datetime.date(*map(int, date.split("."))) + datetime.timedelta(days)).strftime("%Y.%m.%d")


def wrong_end(moves, count, rng):
    """Replaces the last moves by other legal moves; None if there are none."""
    import chess
    board = chess.Board()
    for move in moves[:-count]:
        board.push(move)
    for move in moves[-count:]:
        others = [one for one in board.legal_moves if one != move]
        if not others:
            return None
        board.push(rng.choice(others))
    return list(board.move_stack)


def prepared(headers, moves, change, rng):
    """Returns the original of a pair."""
    h, m = dict(headers), moves
    if change == "incomplete":
        h["Date"], m = h["Date"][:4] + ".??.??", m[:rng.randrange(2, 16)]
    elif change == "repetition":
        m = repeated(moves, rng) or moves
    elif change == "letters":
        for tag in ("WhiteFideId", "BlackFideId"):
            h.pop(tag, None)
    elif change in ("early_late", "rapid_blitz"):
        h["Event"] = re.sub(r" *\b(early|late|rapid|blitz|bullet)\b", "", h["Event"], flags=re.I) + " " + change.partition("_")[0].capitalize()
    elif change == "feminine":
        h["Black"] = "Petrov" + "," + h["Black"].partition(",")[2]
    elif change == "first_name":
        h["White"] = h["White"].partition(",")[0] + ", J"
    return h, m


def changed(headers, moves, change, rng):
    import chess
    h, m, comments = dict(headers), list(moves), None
    if change == "ending":
        m, h["Result"] = wrong_end(m[:rng.randrange(28, len(m))], 3, rng), "*"
    elif change == "cut_result":
        m = m[:-6]
        h["Result"] = rng.choice([one for one in ("1-0", "0-1", "1/2-1/2") if one != h["Result"]])
    elif change == "year":
        h["Date"] = "%04d%s" % (int(h["Date"][:4]) + rng.choice([-10, -1, 1, 10]), h["Date"][4:])
    elif change == "colors":
        h = exchanged(h)
    elif change == "first_day":
        h["Date"] = later(h["Date"], -rng.randrange(1, 10))
    elif change in ("initials", "reversed", "typo", "letters"):
        for color in ("White", "Black"):
            h[color] = renamed(h[color], change, rng)
        if change == "letters" and h == headers:
            m = None # no letter is spelled differently
    elif change == "annotated":
        comments = {ply: "a comment on ply %d" % ply for ply in range(5, len(m), 7)}
    elif change == "no_day":
        h["Date"] = h["Date"][:8] + "??"
    elif change == "no_date":
        h["Date"] = "????.??.??"
    elif change == "event":
        h["Event"], h["Site"] = "Open of " + h["Site"], "?"
    elif change == "result":
        h["Result"] = "*"
    elif change == "fewer_tags":
        h = {k: h[k] for k in ("Event", "Site", "Date", "Round", "White", "Black", "Result")}
    elif change == "truncated":
        m, h["Result"] = m[:rng.randrange(20, len(m))], "*"
    elif change == "last_move":
        board = chess.Board()
        for move in m[:-1]:
            board.push(move)
        others = [move for move in board.legal_moves if move != m[-1]]
        m = m[:-1] + [rng.choice(others)] if others else m
    elif change == "transposed":
        m = transposed(m, rng)
    return h, m, comments


def decoy(headers, moves, other, rng):
    """Returns a different game: the same opening by other players, or by the same players two years before."""
    h, m = dict(headers), moves[:rng.randrange(8, 24)]
    if rng.random() < 0.5 and {h["White"], h["Black"]}.isdisjoint((other["White"], other["Black"])):
        h["White"], h["Black"] = other["White"], other["Black"]
        for tag in ("WhiteFideId", "BlackFideId"):
            h.pop(tag, None)
    else:
        h["Date"] = "%04d%s" % (int(h["Date"][:4]) - 2, h["Date"][4:])
    h["Result"] = "1/2-1/2"
    return h, m


def contradiction(headers, moves, change, other, rng):
    """Returns a different game that looks like a copy of a long game."""
    h, m = dict(headers), list(moves)
    if change in ("early_late", "rapid_blitz"):
        one, second = (word.capitalize() for word in change.split("_"))
        h["Event"] = h["Event"][:-len(one)] + second
    elif change == "digit":
        h["White"] += "2"
    elif change == "first_name":
        h["White"] = h["White"][:-1] + "Zsuzsa"
    elif change == "feminine":
        h["Black"] = h["Black"].replace("Petrov,", "Petrova,")
    elif change == "next_round":
        m = m[:rng.randrange(30, 40)]
        h["Date"], h["Round"], h["Result"] = later(h["Date"], 1), "99", "1/2-1/2"
    else:
        m = list(other)
    for tag in ("WhiteFideId", "BlackFideId"):
        if change in ("digit", "first_name", "feminine"):
            h.pop(tag, None) # the same id would decide
    return h, m


def make(source, pairs, out, truth, seed):
    rng, games, label = random.Random(seed), [], 0
    pool = []
    for game in read_games(source):
        pool.append(game)
        if len(pool) >= 2 * pairs:
            break
    for n, (headers, moves) in enumerate(pool):
        change = CHANGES[n % len(CHANGES)] if n < pairs else DECOYS[n % len(DECOYS)]
        usable = len(moves) >= (32 if n < pairs else 44)
        original = prepared(headers, moves, change, rng) if usable else (headers, moves)
        games.append((*original, None, n, "original"))
        if not usable:
            continue
        if n >= pairs:
            games.append((*contradiction(*original, change, pool[(n + 7) % len(pool)][1], rng), None, len(pool) + n, change))
            continue
        h, m, comments = (original[0], moves, None) if change == "repetition" else changed(*original, change, rng)
        if m is not None and (change != "repetition" or m != original[1]):
            games.append((h, m, comments, n, change))
        if n % 3 == 0:
            d = decoy(headers, moves, pool[(n + 7) % len(pool)][0], rng)
            games.append((*d, None, len(pool) + n, "decoy"))
    rng.shuffle(games)
    with open(out, "w", encoding="latin-1") as file, open(truth, "w") as answers:
        for number, (h, m, comments, label, change) in enumerate(games, 1):
            file.write(text_of(h, m, number, comments))
            answers.write("%d %d %s\n" % (number, label, change))


def is_right(label, members, game, kept):
    return len(members[label[game]]) > 1 and (kept is None or label[game] == label[kept])


def report(truth, removed, probable=None):
    """`removed` and `probable`: for each game, the game kept, or None if the program does not say which."""
    rows = [line.split() for line in open(truth)]
    label = {int(n): int(name) for n, name, _ in rows}
    change = {int(n): c for n, _, c in rows}
    listed = {**(probable or {}), **removed}
    members = collections.defaultdict(list)
    for n in label:
        members[label[n]].append(n)
    right = sum(is_right(label, members, n, kept) for n, kept in removed.items())
    for n, kept in sorted(removed.items()):
        if kept is not None and label[n] != label[kept]:
            print("  not the same game: %d %s, %d %s" % (n, change[n], kept, change[kept]))
    found, total, gone = collections.Counter(), collections.Counter(), collections.Counter()
    for name, games in members.items():
        if len(games) == 2:
            kind = next(change[n] for n in games if change[n] != "original")
            total[kind] += 1
            found[kind] += any(n in listed for n in games)
            gone[kind] += any(n in removed for n in games)
    for kind in CHANGES:
        if total[kind]:
            print("  %-11s %5d of %5d%s" % (kind, found[kind], total[kind],
                                           ", %d removed" % gone[kind] if gone[kind] < found[kind] else ""))
    if probable:
        print("  listed as probable: %d, of which %d are right" % (
            len(probable), sum(is_right(label, members, n, kept) for n, kept in probable.items())))
    print("pairs %d, precision %.4f (%d of %d removed), recall %.4f" % (
        sum(total.values()), right / max(1, len(removed)), right, len(removed), sum(found.values()) / sum(total.values())))


MOVE = re.compile(r"[KQRBNa-hO][-+#=a-h0-8xKQRBNO]+")


def played(path):
    """Yields the tags and moves of games, without playing them."""
    tags, text = {}, []
    with io.open(path, encoding="latin-1") as file:
        for line in file:
            if line.startswith("["):
                if text:
                    yield tags, " ".join(MOVE.findall(re.sub(r"\{[^}]*\}", " ", " ".join(text))))
                    tags, text = {}, []
                match = TAG.match(line.strip())
                if match:
                    tags[match[1]] = match[2]
            elif line.strip():
                text.append(line.strip())
    if text:
        yield tags, " ".join(MOVE.findall(re.sub(r"\{[^}]*\}", " ", " ".join(text))))


def short(path):
    return os.path.basename(path).rsplit(".", 1)[0]


def player(name):
    """Returns the surname and the first letter of the first name."""
    surname, _, first = name.casefold().partition(",")
    letters = re.sub(r"[^a-z]", "", surname)
    return letters, re.sub(r"[^a-z]", "", first)[:1]


def corrected(paths, lines):
    games, places = {}, collections.defaultdict(list)
    for path in paths:
        for number, (tags, moves) in enumerate(played(path), 1):
            place = short(path), number
            moves = moves.replace("+", "").replace("#", "").split()
            names = player(tags.get("White", "")), player(tags.get("Black", ""))
            games[place] = names, tags.get("Date", ""), tags.get("Round", "?"), moves
            ids = tags.get("WhiteFideId"), tags.get("BlackFideId")
            if len(moves) >= 16 and "?" not in tags.get("Date", "?") + tags.get("Round", "?") and names[0][0] and names[1][0]:
                places[names, tags["Date"], tags["Round"], tuple(moves[:16])].append((place, tags, moves, ids))
    kept, listed = {}, {}
    for line in lines:
        kind, archive, number, kept_archive, kept_number = line.rstrip("\n").split("\t")[:5]
        if kind == "probable":
            listed[short(archive), int(number)] = short(kept_archive), int(kept_number)
            continue
        kept[short(archive), int(number)] = short(kept_archive), int(kept_number)
    total = found = probable = 0
    for same in places.values():
        for (a, tags, moves, ids), (b, other, others, other_ids) in zip(same, same[1:]):
            clash = any(x and y and x != y for x, y in zip(ids, other_ids))
            alike = sum(x == y for x, y in zip(moves, others))
            if (tags, moves) == (other, others) or clash or 2 * alike < min(len(moves), len(others)):
                continue
            total += 1
            found += kept.get(a, a) == kept.get(b, b)
            probable += listed.get(a) == b or listed.get(b) == a
            if kept.get(a, a) != kept.get(b, b):
                print("    not found: %s %d, %s %d: %d of %d and %d plies alike" % (*a, *b, alike, len(moves), len(others)))
    print("  written again with other moves or tags: %d pairs, of which %d were found, and %d listed as probable" % (
        total, found, probable))
    doubtful = 0
    for a, b in sorted(kept.items()):
        (names, date, _, moves), (other_names, other_date, _, others) = games[a], games[b]
        alike = sum(x == y for x, y in zip(moves, others))
        if names != other_names or date[:4] != other_date[:4] or alike < min(16, len(moves), len(others)):
            doubtful += 1
            print("    to read: %s %d, %s %d: %d of %d and %d plies alike, %s and %s, %s and %s" % (
                *a, *b, alike, len(moves), len(others), names, other_names, date, other_date))
    print("  %d of %d games that were found have other players, another year or other moves" % (doubtful, len(kept)))


def overlap(paths, lines):
    first, pairs = {}, []
    for path in paths:
        name = short(path)
        for number, (tags, moves) in enumerate(played(path), 1):
            if moves.count(" ") < 39:
                continue
            key = (moves.replace("+", "").replace("#", ""), tags.get("Date", "")[:4])
            if key in first:
                pairs.append((first[key], (name, number)))
            else:
                first[key] = (name, number)
    groups = {}
    for line in lines:
        kind, archive, number, kept_archive, kept_number = line.rstrip("\n").split("\t")[:5]
        if kind == "probable":
            continue
        groups[short(archive), int(number)] = short(kept_archive), int(kept_number)
    same = sum(groups.get(a, a) == groups.get(b, b) for a, b in pairs)
    print("  same moves (40 plies or more) in the same year: %d pairs, of which %d were found; %d others were found" % (
        len(pairs), same, len(groups) - same))
    for a, b in pairs:
        if groups.get(a, a) != groups.get(b, b):
            print("    not found: %s %d, %s %d" % (*a, *b))


def main():
    task = sys.argv[1]
    if task == "make":
        make(sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5], int((sys.argv[6:] or ["25"])[0]))
    elif task == "score":
        rows = [line.rstrip("\n").split("\t") for line in sys.stdin]
        probable = {int(r[2]): int(r[4]) for r in rows if r[0] == "probable"}
        report(sys.argv[2], {int(r[2]): int(r[4]) for r in rows if r[0] != "probable"}, probable)
    elif task == "corrected":
        corrected(sys.argv[2:], sys.stdin)
    elif task == "overlap":
        overlap(sys.argv[2:], sys.stdin)
    elif task == "score-removed":
        report(sys.argv[2], {int(line): None for line in sys.stdin})
    else:
        kept = {int(n) for n in re.findall(r'\[TruthNumber "(\d+)"\]', io.open(sys.argv[3], encoding="latin-1").read())}
        every = [int(line.split()[0]) for line in open(sys.argv[2])]
        report(sys.argv[2], {n: None for n in every if n not in kept})


main()
