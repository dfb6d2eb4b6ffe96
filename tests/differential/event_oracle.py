# SPDX-License-Identifier: MIT
"""Computes the standings of events again, and compares them with the output of `stamma event --all --json`.

usage: event_oracle.py GAMES.pgn EVENTS.json    prints what differs; exits with status 1 if anything does

Tags are read by python-chess. Points, tie-breaks, performance ratings and changes of ratings follow the texts of FIDE's
handbook (C.07 and B.02) directly, without the structures of the library. The type of an event and its number of cycles
are taken from the JSON.
"""
import collections
import fractions
import json
import sys

import chess.pgn

HALF = fractions.Fraction(1, 2)
POINTS = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (HALF, HALF)}
# FIDE Handbook B.02: table 8.1.1 from 50 %, and the upper ends of table 8.1.2.
DP = [int(word) for word in """0 7 14 21 29 36 43 50 57 65 72 80 87 95 102 110 117 125 133 141 149 158 166 175 184 193 202 211 220
      230 240 251 262 273 284 296 309 322 336 351 366 383 401 422 444 470 501 538 589 677 800""".split()]
PD = [int(word) for word in """3 10 17 25 32 39 46 53 61 68 76 83 91 98 106 113 121 129 137 145 153 162 170 179 188 197 206 215
      225 235 245 256 267 278 290 302 315 328 344 357 374 391 411 432 456 484 517 559 619 735""".split()]


def rounded(value):
    """Rounds a number that is not negative to the nearest whole number, 0.5 up."""
    return int(value + HALF)


def read_games(path):
    games = []
    with open(path, encoding="latin-1") as file:
        while (headers := chess.pgn.read_headers(file)) is not None:
            games.append(headers)
    return games


class Player:
    def __init__(self):
        self.rows = []  # (round, opponent, points, unplayed), in the order of the games
        self.rated = []  # (rating, opponent's rating, points)

    def points(self):
        return sum(row[2] for row in self.rows)


def gather(event, headers):
    """Returns the players of an event, whose games the JSON lists by number."""
    players = [Player() for _ in event["standings"]]
    for game in event["game_list"]:
        tags = headers[game["number"] - 1]
        if game["repeated"]:
            continue
        points = POINTS.get(tags["Result"], (0, 0))
        round_number = tags["Round"].split(".")[0]
        for side, color in enumerate(("white", "black")):
            player = players[game[color]]
            other = game["black" if side == 0 else "white"]
            player.rows.append((int(round_number) if round_number.isdigit() else 0, other, points[side], game["unplayed"]))
            ratings = [int(tags.get(name, "0") or 0) for name in ("WhiteElo", "BlackElo")]
            if tags["Result"] in POINTS and not game["unplayed"] and ratings[1 - side]:
                player.rated.append((ratings[side], ratings[1 - side], points[side]))
    return players


def absent(player, rounds):
    return [number for number in range(1, rounds + 1) if number not in {row[0] for row in player.rows}]


def as_opponent(player, rounds):
    """The points of an opponent in a Swiss event: absences after the last game are draws, but not forfeits (16.3)."""
    last = max([row[0] for row in player.rows if not row[3] or row[2] == 1], default=0)
    forfeits = sum(row[0] > last for row in player.rows)
    return sum(row[2] for row in player.rows if row[0] <= last) + HALF * (rounds - last - forfeits)


def tie_breaks(event, players, index):
    player, rounds, swiss = players[index], event["rounds"], event["type"] == "swiss"
    values = [(player.points() if swiss and unplayed else
               as_opponent(players[other], rounds) if swiss else players[other].points(), points)
              for _, other, points, unplayed in player.rows]
    missing = absent(player, rounds) if swiss else []
    buchholz = [value for value, _ in values] + [player.points()] * len(missing)
    voluntary = missing or swiss and any(unplayed and points < 1 for _, _, points, unplayed in player.rows)
    cut = player.points() if voluntary else min(buchholz, default=0)
    need = {"round-robin": HALF * event["cycles"] * (len(players) - 1), "swiss": HALF * rounds}
    koya = sum(points for _, other, points, _ in player.rows
               if players[other].points() >= need.get(event["type"], HALF * len(players[other].rows)))
    return {"points": player.points(), "buchholz": sum(buchholz), "buchholz_cut": sum(buchholz) - cut,
            "sonneborn": sum(value * points for value, points in values),
            "won": sum(row[2] == 1 for row in player.rows), "koya": koya}


def ratings(player):
    """The performance rating, the expected points and the change of the rating."""
    if not player.rated:
        return {"performance": None, "expected": 0, "rating_change": 0}
    mean = rounded(fractions.Fraction(sum(row[1] for row in player.rated), len(player.rated)))
    percent = rounded(fractions.Fraction(100 * sum(row[2] for row in player.rated), len(player.rated)))
    change = expected_points = 0
    for own, other, points in player.rated:
        if not own:
            continue
        distance = min(abs(own - other), 400)
        above = sum(distance > limit for limit in PD)
        expected = fractions.Fraction(50 + above if own > other else 50 - above, 100)
        expected_points += expected
        change += (10 if own >= 2400 else 20) * (points - expected)
    return {"performance": mean + (DP[percent - 50] if percent >= 50 else -DP[50 - percent]),
            "expected": expected_points, "rating_change": change}


def direct(event, players, group):
    """Divides a group by direct encounter (C.07, article 6). Returns the parts, best first."""
    scores, met = {}, {}
    for index in group:
        by_opponent = collections.defaultdict(list)
        for _, other, points, unplayed in players[index].rows:
            if other in group and (not unplayed or event["type"] == "round-robin"):
                by_opponent[other].append(points)
        scores[index] = sum(fractions.Fraction(sum(list_)) / len(list_) for list_ in by_opponent.values())
        met[index] = len(by_opponent)
    if event["type"] == "round-robin" or all(count == len(group) - 1 for count in met.values()):
        values = sorted(set(scores.values()), reverse=True)
        return [[index for index in group if scores[index] == value] for value in values]
    most = {index: scores[index] + len(group) - 1 - met[index] for index in group}
    parts, rest = [], list(group)
    while len(rest) > 1:
        first = max(rest, key=lambda index: (scores[index], most[index]))
        if scores[first] <= max(most[index] for index in rest if index != first):
            break
        parts.append([first])
        rest.remove(first)
    return parts + [rest] if rest else parts


def ranked(event, players, group, rules):
    """Divides a group by the rules, one after another. Returns the groups of players who are still tied."""
    if len(group) == 1 or not rules:
        return [group]
    if rules[0] == "DE":
        parts = direct(event, players, group)
    else:
        values = {index: players[index].found[NAMES[rules[0]]] for index in group}
        parts = [[index for index in group if values[index] == value] for value in sorted(set(values.values()), reverse=True)]
    again = rules if rules[0] == "DE" and len(parts) > 1 else rules[1:]
    return [last for part in parts for last in ranked(event, players, part, again)]


def elimination(event, index):
    """The round in which a player of a knock-out first lost a match, and the number of matches won."""
    name, matches = event["standings"][index]["name"], event["matches"]
    later = lambda who, n: any(who in (match["first"], match["second"]) for match in matches[n + 1:])
    lost, won = 10000, 0
    for n, match in enumerate(matches):
        if name not in (match["first"], match["second"]):
            continue
        other = match["second"] if name == match["first"] else match["first"]
        own, theirs = match["first_points"], match["second_points"]
        own, theirs = (own, theirs) if name == match["first"] else (theirs, own)
        wins = own > theirs or own == theirs and later(name, n) and not later(other, n)
        loses = own < theirs or own == theirs and later(other, n) and not later(name, n)
        won += wins
        lost = min(lost, match["round"] or 0) if loses else lost
    return lost, won


NAMES = {"KO": "stage", "PTS": "points", "BH": "buchholz", "BH-C1": "buchholz_cut", "SB": "sonneborn", "WIN": "won", "KS": "koya"}


def check(event, headers):
    """Yields what differs in an event."""
    players = gather(event, headers)
    for index, player in enumerate(players):
        player.found = {**tie_breaks(event, players, index), **ratings(player)}
        row = event["standings"][index]
        for key, value in player.found.items():
            if row[key] != (float(value) if value is not None else None):
                yield "%s, %s: %s is %s, not %s" % (event["event"], row["name"], key, row[key], value)
        player.found["stage"] = elimination(event, index) if event["type"] == "knock-out" else 0
    place = 1
    for group in ranked(event, players, list(range(len(players))), ["KO", "PTS", *event["tie_breaks"]]):
        for index in group:
            if event["standings"][index]["rank"] != place:
                yield "%s, %s: rank %d, not %d" % (event["event"], event["standings"][index]["name"],
                                                   event["standings"][index]["rank"], place)
        place += len(group)


def check_division(events, headers):
    """Yields events that are not all games with their tags Event and EventDate, and players who are not all games with
    their FIDE identifier."""
    wanted = collections.Counter((tags["Event"], tags.get("EventDate")) for tags in headers)
    found = collections.Counter()
    for event in events:
        dates = collections.Counter(headers[game["number"] - 1].get("EventDate") for game in event["game_list"])
        found[event["event"], dates.most_common(1)[0][0]] += len(event["game_list"])
        ids = collections.defaultdict(set)
        for game in event["game_list"]:
            tags = headers[game["number"] - 1]
            for side in ("White", "Black"):
                if tags.get(side + "FideId"):
                    ids[tags[side + "FideId"]].add(game[side.lower()])
        for number, players in ids.items():
            if len(players) > 1:
                yield "%s: FIDE id %s is %d players" % (event["event"], number, len(players))
    for key in wanted:
        if key[1] and found[key] < wanted[key]:
            yield "%s: %d games, not %d" % (key[0], found[key], wanted[key])


def main():
    headers = read_games(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        events = [json.loads(line) for line in file]
    wrong = list(check_division(events, headers))
    for event in events:
        wrong += check(event, headers)
    for line in wrong[:20]:
        print(line)
    print("%d events, %d players, %d games, %d differences" % (
        len(events), sum(event["players"] for event in events), sum(len(event["game_list"]) for event in events), len(wrong)))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
