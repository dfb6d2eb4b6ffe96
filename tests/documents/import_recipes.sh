#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each recipe of doc/howto/import.md runs, in the order of the page, and prints the output that the page shows. A program
# replaces curl and writes files in the formats of the sites; an issue that has not appeared is an error.
set -eu
. tests/support/command_support.bash
recipe_folders
cp data/games.pgn "$scratch/"
cat >"$scratch/bin/curl" <<'PYTHON'
#!/usr/bin/env python3
import os, re, sys, zipfile
address, target = sys.argv[-1], sys.argv[sys.argv.index("-o") + 1]
text = open(os.path.join(os.path.dirname(sys.argv[0]), "..", "games.pgn"), encoding="utf-8").read()
games = [("[Event " + part).rstrip() + "\n\n" for part in re.split(r"^\[Event ", text, flags=re.M)[1:]]
parts = {"https://theweekinchess.com/zips/twic1500g.zip": games[:30],
         "https://theweekinchess.com/zips/twic1501g.zip": games[28:58],
         "https://api.chess.com/pub/player/ann/games/2024/01/pgn": games[:20],
         "https://api.chess.com/pub/player/ann/games/2024/02/pgn": games[20:41],
         "https://lichess.org/api/games/user/Ann?since=1704067200000&until=1709251200000&tags=true&clocks=true&evals=true"
         "&opening=true": games[41:66]}
if address not in parts:
    sys.exit(22)
data = "".join(parts[address]).encode()
if target.endswith(".zip"):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(target.replace("g.zip", ".pgn")), data)
else:
    open(target, "wb").write(data)
PYTHON
chmod +x "$scratch/bin/curl"
cd "$scratch/run"
python3 "$root/tests/documents/run_recipes.py" "$root/doc/howto/import.md" "$@"
