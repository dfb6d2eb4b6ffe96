# SPDX-License-Identifier: MIT
"""Answers requests of blocks of documents to sites (programs/curl), with games from data/games.pgn, in the formats of the sites. An
address that is not in the list is an error (status 22)."""
import os
import re
import sys
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LICHESS = "https://lichess.org/api/games/user/Ann?since=1704067200000&until=1709251200000&tags=true&clocks=true&evals=true&opening=true"
# Addresses, and the games that each answers.
ANSWERS = {"https://theweekinchess.com/zips/twic1500g.zip": (0, 30), "https://theweekinchess.com/zips/twic1501g.zip": (28, 58),
           "https://api.chess.com/pub/player/ann/games/2024/01/pgn": (0, 20),
           "https://api.chess.com/pub/player/ann/games/2024/02/pgn": (20, 41), LICHESS: (41, 66)}


def games():
    with open(os.path.join(ROOT, "data", "games.pgn"), encoding="utf-8") as file:
        parts = re.split(r"^\[Event ", file.read(), flags=re.M)[1:]
    return [("[Event " + part).rstrip() + "\n\n" for part in parts]


def main(arguments):
    address = next(word for word in arguments if word.startswith("https://"))
    if address not in ANSWERS:
        return 22
    data = "".join(games()[slice(*ANSWERS[address])]).encode()
    name = os.path.basename(address)
    target = arguments[arguments.index("-o") + 1] if "-o" in arguments else name if "-O" in " ".join(arguments) else "/dev/stdout"
    if name.endswith(".zip"):
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo(name.replace("g.zip", ".pgn")), data)
    else:
        with open(target, "wb") as file:
            file.write(data)
    return 0


sys.exit(main(sys.argv[1:]))
