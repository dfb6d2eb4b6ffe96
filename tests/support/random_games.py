# SPDX-License-Identifier: MIT
"""Compares random games with their expected parts, which a file contains as one line of JSON per game."""
import json


def wanted_of(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def demand_same(wanted, found):
    for number, (one, other) in enumerate(zip(wanted, found, strict=True), 1):
        assert one == other, f"game {number}:\n{one}\n{other}"
