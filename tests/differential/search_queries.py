#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints queries of every kind for the search, derived from the games to be searched. Most queries find games, some
find none.

usage: search_queries.py [--kinds] GAMES.pgn [SEED [EACH]]

Prints one query per line. The output depends only on the games and the seed. --kinds prints the number of queries of
each kind. Needs python-chess."""
import collections
import json
import re
import sys

from query_source import KINDS, Source, kind, material, placement, san, turning
import position_queries  # adds its kinds
from search_games import games_of


# ---- moves ----

@kind
def move(s):
    return {"move": san(s.move(), s.choice([0, 1, 2])) + s.choice(["", "", "+", "!", "#", "?!"])}


@kind
def move_uci(s):
    return {"move": min(s.move(s.choice([None, None, "castling", "promotion"])).uci)}


@kind
def move_promotion(s):
    return {"move": san(s.move("promotion"), s.choice([0, 1, 2]))}


@kind
def move_of_side(s):
    made = s.move()
    return {s.choice(["white-move", "black-move"]): san(made, s.choice([0, 1])), **s.choice([{}, {"flipcolor": True}, {"ply": "..30"}])}


@kind
def move_turned(s):
    made = s.move(s.choice([None, "promotion"]))
    return {s.choice(["move", "move", "white-move"]): s.choice([san(made, 1), min(made.uci)]), "ply": s.choice(["..40", "20.."]),
            **s.choice([{"mirror": True}, {"flipcolor": True}, {"mirror": True, "flipcolor": True}])}


@kind
def move_list(s):
    return {"move": [san(s.move(), 1) for _ in range(3)], "ply": "20.."}


@kind
def move_castles(s):
    return {"move": s.choice(["O-O", "O-O-O"]), "ply": s.choice(["..12", "30..", "17"])}


@kind
def move_from(s):
    return {"move": s.choice(["Nbd2", "Rad1", "R1e2", "exd5", "cxd4", "Nge2", "R8c7", "Rfd8", "N5f3", "fxe6"])}


@kind
def moved(s):
    return {"moved": s.choice(["P", "k", "Q", "NB", "r"]), "captured": s.choice(["Q", "p", "", "NB", "R"]), "ply": s.choice(["..20", "30..40", "60.."])}


@kind
def captured(s):
    return {"captured": s.choice(["q", "R", "", "BN", ["Q", "R"]]), "by": s.choice(["white", "black"]), "ply": s.choice(["..12", "80..", "20..25"])}


@kind
def promoted(s):
    return {"promoted": s.choice(["Q", "N", "R", "b", "QRBN", "", "nrb"]), "by": s.choice(["white", "black"]), "ply": s.choice(["..80", "80..", "100.."])}


@kind
def castling(s):
    return {"castling": s.choice(["short", "long", "any", ["short", "long"]]), **s.choice([{}, {"by": "black"}, {"ply": "..8"}, {"check": True}])}


@kind
def en_passant(s):
    return {"en-passant": s.chance(80), **s.choice([{}, {"by": "white"}, {"ply": "..24"}, {"check": True}])}


@kind
def by(s):
    return {"by": s.choice(["white", "black"]), "captured": "P", "moved": s.choice("KQRBNP"), "ply": s.around(s.random.randrange(10, 90))}


# ---- conditions inside a condition that is transformed ----

@kind
def gift_turned(s):
    """A sacrifice of either side is one query."""
    return {"streak": [{"white-move": s.choice(["Bxh7", "Bxf7", "Nxf7"])}, {"black-move": s.choice(["Kxh7", "Kxf7", "K"][:2])}], **turning(s)}


@kind
def nested_turned(s):
    game, number = s.place(None, 6, 60)
    moves = [{"white-move" if ply.move.white else "black-move": san(ply.move, 1)} for ply in game.plies[number:number + 2]
             if ply.move and not ply.move.null]
    return {s.choice(["streak", "sequence"]): moves or [{"by": "white"}], **turning(s)}


@kind
def composed_turned(s):
    return {s.choice(["all", "any", "sequence"]): [simple(s), {"by": "white"}, simple(s)][:s.choice([2, 3])], **turning(s)}


@kind
def denied_turned(s):
    return {s.choice(["not", "never", "final"]): {**simple(s), "stm": "white"}, "imbalance": s.choice(["v", "Pv"]), **turning(s)}


@kind
def turned_twice(s):
    """A transformation inside another transformation."""
    return {"any": [{"all": [simple(s), {"stm": "white"}], **turning(s)}, {**simple(s), "by": "white"}], "ply": "10..", **turning(s)}


# ---- moments ----

def cents(s, value, spread=50):
    low, high = value - s.random.randrange(spread) / 100, value + s.random.randrange(spread) / 100
    return s.choice(["%.2f..%.2f" % (low, high), "%.2f.." % low, "..%.2f" % high, "%.2f" % value])


@kind
def evaluation(s):
    value = s.position("evaluated").evaluation or 0
    return {"evaluation": cents(s, float(value)), **s.choice([{}, {"by": "white"}, {"ply": "60.."}])}


@kind
def evaluation_known(s):
    return {"evaluation": s.choice(["100..", "..-100", 0, "-0.1..0.1", "3..", "..-5.5", 100, "-99..-10"])}


@kind
def swing(s):
    return {"swing": s.choice(["2..", "1..1.5", "0.5..", 0, "100..", "5..50", "0.01"]), **s.choice([{}, {"by": "black"}, {"ply": "40.."}])}


@kind
def mover_swing(s):
    return {"mover-swing": s.choice(["..-2", "1..", "-0.5..0.5", 0, "..-50", "50.."]), **s.choice([{}, {"by": "black"}, {"ply": "40.."}])}


@kind
def nag(s):
    return {"nag": s.choice(["!", "?", "!!", "??", "!?", "?!", 1, "1..6", "7..", [10, 14], 6]), **s.choice([{}, {"by": "white"}, {"not": {"nag": "?"}}])}


@kind
def ply_comment(s):
    comments = [(ply, c) for game in s.games for ply in game.plies for c in ply.comments]
    ply, comment = s.choice(comments) if comments else (None, "a")
    words = [w for w in comment.split() if w.isalpha() and len(w) > 1] or ["a"]
    return {"ply-comment": s.choice(words), **s.choice([{}, {"ply": 0}, {"by": "white"}, {"for": 1}])}


@kind
def clock(s):
    value = s.position("timed").clock or 0
    return {"clock": cents(s, float(value), 900), **s.choice([{}, {"by": "white"}, {"ply": "60.."}])}


@kind
def clock_known(s):
    return {"clock": s.choice(["..5", "..0", "600..", 30, "10..12.5", "..0.5"])}


@kind
def passing(s):
    return {"pass": s.choice([True, None, "", 1]), **s.choice([{}, {"ply": "200.."}])}


# ---- games ----

def name_query(s, name):
    """Returns a name or the beginning of a name, also in other case or with a wildcard."""
    cut = name[:s.random.randrange(1, len(name) + 1)] if s.chance(50) else name.split(",")[0]
    return s.choice([name, "=" + name, "=" + cut, "=" + name.upper(), cut, cut.upper(), cut.lower(), cut[:2] + "*" + cut[4:] if len(cut) > 4 else cut, cut[:1] + "?" + cut[2:], "*" + cut[1:]])


@kind
def player(s):
    return {"player": name_query(s, s.value(s.choice(["White", "Black"])))}


@kind
def accents(s):
    names = [v for game in s.games for v in (game.tag("White"), game.tag("Black")) if v and not v.isascii()]
    name = s.choice(names or ["M\u00fcller"])
    plain = "".join(c for c in __import__("unicodedata").normalize("NFKD", name) if ord(c) < 0x300)
    return {"player": s.choice([name, plain, plain.upper(), name.upper(), name.lower()])}


@kind
def accents_asked(s):
    """A query with accents for a name without accents."""
    return {"player": s.value("White").translate(str.maketrans("aeouncz", "\u00e4\u00e9\u00f6\u00fc\u00f1\u00e7\u017e"))}


@kind
def white_or_black(s):
    return {s.choice(["white", "black"]): name_query(s, s.value(s.choice(["White", "Black"])))}


@kind
def players(s):
    game = s.game()
    both = [name_query(s, game.tag("White") or "x"), name_query(s, game.tag("Black") or "x")]
    return {"players": both if s.chance(60) else both[::-1]}


@kind
def player_list(s):
    return {"player": [s.value("White"), s.value("Black"), "Nobody at all"]}


@kind
def same_player_twice(s):
    return {"white": s.value("White"), "result": s.choice(["1-0", "0-1", "1/2-1/2", "*"])}


def pattern(s, value):
    cut = value[:max(1, len(value) // 2)]
    return s.choice([value, value.upper(), cut + "*", "*" + value[len(cut):], cut, "?" + value[1:], "*" + value[1:-1] + "*"])


@kind
def tag_patterns(s):
    name, tag = s.choice([("event", "Event"), ("site", "Site"), ("round", "Round"), ("time-control", "TimeControl"), ("termination", "Termination")])
    return {name: pattern(s, s.value(tag))}


@kind
def speed(s):
    return {"speed": s.choice(["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence", ["bullet", "blitz"]])}


@kind
def tag(s):
    tags = [t for t in s.game().tags if t[1].strip()]
    chosen = s.random.sample(tags, min(len(tags), s.choice([1, 1, 2])))
    return {"tag": {name: pattern(s, value) for name, value in chosen}}


@kind
def eco(s):
    code = s.value("ECO")
    code = code if re.match("[A-E][0-9][0-9]", code) else "B90"
    return {"eco": s.choice([code, code[:2], code[:1], "%s..%s" % (min(code, "B50"), max(code, "B50")), "%s.." % code, "..%s" % code, [code, "A00"], "C..D1"])}


@kind
def opening(s):
    name = s.value("Opening")
    return {"opening": s.choice([name, name.upper(), name[3:9], name[:4] + "*" + name[-3:], "defen", "Sicilian", "gambit", ["Q?een", "King"]])}


@kind
def result(s):
    return {"result": s.choice(["1-0", "0-1", "1/2-1/2", "*", ["*", "1/2-1/2"]]), **s.choice([{}, {"plies": "..20"}, {"ply": "200.."}])}


@kind
def unfinished(s):
    game, number = s.place("unfinished")
    return {"result": s.choice(["*", "*", "1/2-1/2"]), "fen": game.plies[number].fen()}


@kind
def rating(s):
    value = s.choice([1500, 2000, 2200, 2400, 2600, 3200])
    return {s.choice(["rating", "white-rating", "black-rating", "each-rating"]): s.choice(["%d.." % value, "..%d" % value, "%d..%d" % (value, value + 300)])}


@kind
def rating_exact(s):
    game = s.game()
    ratings = [int(v) for v in (game.tag("WhiteElo"), game.tag("BlackElo")) if v and v.isdigit() and int(v)] or [2000]
    mean = sum(ratings) // len(ratings)
    return s.choice([{"white-rating": ratings[0]}, {"rating": mean}, {"rating": "%d..%d" % (mean, mean + 1)}, {"each-rating": "%d..%d" % (min(ratings), max(ratings))}])


@kind
def rating_difference(s):
    return {"rating-difference": s.choice(["0", "100..", "..-100", "-50..50", "300.."])}


@kind
def date(s):
    value = s.value(s.choice(["Date", "Date", "UTCDate"]))
    known = [part for part in value.split(".") if part.isdigit()]
    text = ".".join(known) if known and len(known[0]) == 4 else "2010"
    year = text[:4]
    return {"date": s.choice([text, year, year + ".01.." + year + ".06", text + "..", ".." + text, "..%s" % year, "%s..%d" % (year, int(year) + 2), [year, "1999"], year + ".05.31"])}


@kind
def date_partial(s):
    values = [game.tag("Date") for game in s.games if "?" in (game.tag("Date") or "") and (game.tag("Date") or "?")[0] != "?"]
    year = s.choice(values or ["2010.??.??"])[:4]
    return {"date": s.choice([year + ".05.31", year + ".02", "%s.12.31.." % year, "..%s.01.01" % year, "%d.12.31" % (int(year) - 1), year])}


@kind
def plies(s):
    return {"plies": s.around(len(s.game().plies) - 1, 20)}


@kind
def comment(s):
    words = [w for game in s.games for c in game.comments[:20] for w in c.split() if w.isalpha() and len(w) > 2]
    word = s.choice(words or ["move"])
    return {"comment": s.choice([word, word.upper(), word[1:], word.lower()])}


@kind
def has(s):
    what = s.choice(["clocks", "evaluations", "comments", "variations", "nags", "setup", ["nags", "clocks"]])
    return s.choice([{"has": what}, {"not": {"has": what}}, {"has": what, "result": "1-0"}])


# ---- conditions of conditions ----

SIMPLE = []


def simple(s):
    """Returns a condition that holds at some plies of many games."""
    return s.choice(SIMPLE)(s)


SIMPLE += [
    lambda s: {"moved": s.choice("KQRBNP")}, lambda s: {"captured": s.choice("QRBNP")}, lambda s: {"check": True},
    lambda s: {"move": san(s.move())}, lambda s: {"stm": s.choice(["white", "black"])}, lambda s: {"castling": s.choice(["short", "long", "any"])},
    lambda s: {"material": material(s.position(None, 20).text)}, lambda s: {"imbalance": s.choice(["v", "Pv", "vP", "BvN"])},
    lambda s: {"sub-fen": s.mask(s.position(None, 10, 60).text, s.choice([2, 3]))}, lambda s: {"ply": "%d.." % s.random.randrange(60)},
    lambda s: {"attacks": s.choice(["Nxq", "bxQ", "Rxe8", "Pxa"])}, lambda s: {"pinned": s.choice("NnBbQq")},
    lambda s: {"passed": {s.choice(["white", "black"]): "1.."}}, lambda s: {"count": {"pieces": s.choice("Pp"), "squares": "d4 e4 d5 e5", "n": "1.."}},
    lambda s: {"moved": "P", "captured": "P", "by": s.choice(["white", "black"])}, lambda s: {"fen": s.position(None, 2, 14).fen()},
]


@kind
def all_of(s):
    return {"all": [simple(s) for _ in range(2)]}


@kind
def any_of(s):
    return {"any": [{**simple(s), "ply": "30..50"} for _ in range(2)]}


@kind
def not_so(s):
    return {"not": simple(s), "all": [simple(s)]}


@kind
def never(s):
    return {"never": simple(s), **s.choice([{}, {"result": "1-0"}, {"ply": "50.."}])}


@kind
def final(s):
    return {"final": simple(s), **s.choice([{}, {"result": "1-0"}, {"ply": "30"}])}


@kind
def sequence(s):
    return {"sequence": [simple(s) for _ in range(s.choice([2, 2, 3, 4]))]}


@kind
def sequence_gap(s):
    return {"sequence": [simple(s) for _ in range(s.choice([2, 3]))], "gap": s.choice([1, 2, 3, 5, 20])}


@kind
def sequence_of_a_game(s):
    """Moves of a game in their order."""
    game = s.choice([game for game in s.games if len(game.plies) > 20] or s.games)
    numbers = sorted(s.random.sample(range(1, len(game.plies)), min(3, len(game.plies) - 1)))
    gaps = [b - a for a, b in zip(numbers, numbers[1:])]
    return {"sequence": [{"move": san(game.plies[n].move)} for n in numbers], **({"gap": max(gaps)} if gaps and s.chance(40) else {})}


@kind
def sequence_wrong_order(s):
    return {"sequence": [{"captured": "Q"}, {"ply": "..40", "castling": "any"}]}


@kind
def sequence_backtracks(s):
    """A sequence in which the other parts may only follow a later match of the first part."""
    return {"sequence": [{"moved": "N"}, {"captured": "P"}, {"moved": "N", "by": s.choice(["white", "black"])}], "gap": s.choice([1, 2, 3])}


@kind
def streak(s):
    game = s.choice([game for game in s.games if len(game.plies) > 10] or s.games)
    number = s.random.randrange(1, max(2, len(game.plies) - 3))
    return {"streak": [{"move": san(ply.move)} if s.chance(60) else {"moved": ply.move.piece} for ply in game.plies[number:number + 3] if not ply.move.null]
            or [{"pass": True}]}


@kind
def streak_passing(s):
    return {"streak": [{"captured": "Q"}, {"captured": "Q"}, {"pass": True}, {"stm": s.choice(["white", "black"])}]}


@kind
def streak_in_sequence(s):
    streaks = {"streak": [{"moved": s.choice("PNBQ")}, {"captured": s.choice(["", "P", "N"])}]}
    return {"sequence": s.choice([[streaks, simple(s)], [simple(s), streaks], [streaks, streaks]]), **({"gap": s.choice([1, 4, 10])} if s.chance(40) else {})}


@kind
def for_plies(s):
    return {**simple(s), "for": s.choice([1, 2, 3, 6])}


@kind
def nested(s):
    return {"any": [{"all": [simple(s), {"not": simple(s)}]}, {"sequence": [simple(s), {"any": [simple(s), simple(s)]}]}], "stm": s.choice(["white", "black"])}


@kind
def never_for(s):
    return {"never": {"check": True, "for": s.choice([1, 3])}, "final": {"not": {"imbalance": "v"}}}


@kind
def not_sequence(s):
    return {"not": {"sequence": [simple(s), simple(s)]}, "result": ["1-0", "0-1"]}


@kind
def combined(s):
    return {**simple(s), **s.choice([{"result": "1-0"}, {"plies": "60.."}, {"rating": "2300.."}, {"eco": "B"}, {"date": "2010.."}, {"not": {"check": True}}])}


@kind
def skip_limit(s):
    return {**simple(s), "skip": s.choice([0, 1, 5]), "limit": s.choice([1, 3, 10])}


@kind
def all_matches(s):
    return {**s.choice([simple(s), {"sequence": [simple(s), simple(s)]}, {"result": "1-0"}, {"material": "KR+P*KR+P*"}, {"any": [simple(s), {"fen": s.position(None, 2, 14).fen()}]}]),
            "all-matches": s.chance(90)}


@kind
def variations(s):
    return {**s.choice([simple(s), {"sequence": [simple(s), simple(s)]}, {"move": san(s.move()), "ply": "..%d" % s.random.randrange(40)}, {"nag": "1..6"},
                        {"fen": s.position(None, 4, 14).fen()}, {"mate": True}, {"never": simple(s)}, {"ply-comment": "e"}, {"balance": "3..", "result": "1-0"},
                        {"material": material(s.position("endgame").text)}, {"all": [simple(s), {"plies": "..60"}]}, {"streak": [{"captured": "Q"}, {"captured": "Q"}]}]),
            "variations": True, **s.choice([{}, {"all-matches": True}])}


@kind
def variation_of_a_game(s):
    lines = [line for game in s.games for line in game.lines if len(line.plies) > 1]
    if not lines:
        return {"variations": True, "mate": True}
    plies = s.choice(lines).plies[1:]
    begin = s.random.randrange(len(plies))
    moves = [{"move": san(ply.move, 1)} for ply in plies[begin:begin + 3] if not ply.move.null] or [{}]
    return {s.choice(["streak", "sequence"]): moves, "variations": s.chance(90)}


# ---- games that an index file selects by players or positions, with more rules ----

def selected(s):
    """Returns a rule that selects games, so that the other rules are tested with the moves of these games."""
    game, number = s.place(None, 0, 14)
    return s.choice([{"player": s.choice(["*", name_query(s, s.value("White")), name_query(s, s.value("Black"))])},
                     {s.choice(["white", "black"]): name_query(s, s.value(s.choice(["White", "Black"])))},
                     {"fen": game.plies[number].fen()}])


@kind
def planned(s):
    return {**selected(s), **simple(s), **s.choice([{}, {"result": "1-0"}, {"plies": "40.."}, {"date": "2010.."}, {"result-type": "mate"}])}


@kind
def planned_turned(s):
    game, number = s.place(None, 0, 14)
    rules = s.choice([{"material": material(s.position(None, 30).text)}, {"sub-fen": s.mask(s.position(None, 10, 60).text, 2)},
                      {"fen": game.plies[number].fen(), "ignore-castling": s.chance(50)}, {"imbalance": s.choice(["v", "Pv"])},
                      {"pawns": placement([c if c in "Pp" else "1" for c in s.position(None, 0, 20).text])}])
    return {**s.choice([{}, selected(s)]), **rules, **turning(s)}


@kind
def planned_course(s):
    return {**selected(s), s.choice(["sequence", "streak", "any"]): [simple(s), simple(s)]}


@kind
def planned_ends(s):
    return {**selected(s), s.choice(["final", "never", "not"]): simple(s), **s.choice([{}, {"for": s.choice([2, 5])}])}


@kind
def planned_sides(s):
    """A player's position with either colour."""
    name, rule = name_query(s, s.value("White")), simple(s)
    return {"player": name, "any": [{"white": name, **rule}, {"black": name, **rule, "ply": "10.."}]}


@kind
def planned_plies(s):
    return {**selected(s), **s.choice([simple(s), {"captured": "P"}, {"check": True}]), "all-matches": True}


@kind
def everything(s):
    return {}


def queries_of(games, seed=1, each=6):
    """Returns (kind, query), with up to `each` different queries of a kind."""
    source = Source(games, seed)
    made = []
    for name, function in KINDS:
        found = {}
        for _ in range(each * 4):
            if len(found) == each:
                break
            query = function(source)
            found[json.dumps(query, sort_keys=True)] = query
        made += [(name, query) for query in found.values()]
    return made


def main():
    arguments = [a for a in sys.argv[1:] if a != "--kinds"]
    queries = queries_of(games_of(arguments[0]), *map(int, arguments[1:]))
    if "--kinds" in sys.argv:
        for name, number in collections.Counter(name for name, _ in queries).items():
            print("%-26s %d" % (name, number))
        return
    for _, query in queries:
        print(json.dumps(query))


if __name__ == "__main__":
    main()
