# SPDX-License-Identifier: MIT
"""Compares the standings of `stamma event --all --json` with published final standings.

usage: event_published.py PUBLISHED.tsv EVENTS.json    prints what differs; exits with status 1 if anything does

The table contains facts: the points of players in ten events, and Sonneborn-Berger where it was published. The column
source names who published them; "not verified" are points that no source was found for.
"""
import csv
import json
import sys


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        events = {event["event"]: {player["name"]: player for player in event["standings"]}
                  for event in map(json.loads, file)}
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    wrong = 0
    for row in rows:
        player = events.get(row["event"], {}).get(row["player"], {})
        for key in ("points", "sonneborn"):
            if row[key] and player.get(key) != float(row[key]):
                wrong += 1
                print("%s, %s: %s is %s, not %s" % (row["event"], row["player"], key, player.get(key), row[key]))
    verified = [row for row in rows if row["source"] != "not verified"]
    print("%d events, %d players, %d of them from sources: %d differences" % (
        len({row["event"] for row in rows}), len(rows), len(verified), wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
