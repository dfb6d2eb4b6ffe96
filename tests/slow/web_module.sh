#!/bin/bash
# SPDX-License-Identifier: MIT
# The module for WebAssembly and the npm package in Node: archives, games and answers are those of the command; damaged
# archives, cancelled calls and exhausted memory end with errors. Needs `make wasm`. With the packages of
# `scripts/setup --web`, also the types and a bundle.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
export WEB=$PWD/build/web STAMMA=$stamma
modules=$(dirname "$(scripts/setup --modules)")/web/node_modules
[ -e "$WEB/stamma.wasm" ] || { echo "no build/web: scripts/setup --release; make wasm"; exit 77; }
command -v node >/dev/null || { echo "no node"; exit 77; }
web() {
    checks=$((checks + 1))
    node "$tests/web/web_module.mjs" "$@" || fail "web_module.mjs $1"
}
root=$PWD
cp data/games.pgn "$scratch/games.pgn"
cd "$scratch" || exit 1

for level in 1 2; do
    run 0 pack -q -$level games.pgn -o level$level.stamma
    "$stamma" cat --json level$level.stamma >games.json 2>err
    web equal games.pgn level$level.stamma $level games.json
done
run 0 index -q level2.stamma
checks=$((checks + 1))
python3 "$tests/web/web_requests.py" level2.stamma || fail "answers to requests"
for _ in $(seq 40); do cat games.pgn; done >many.pgn
web limits many.pgn
web hostile "$tests"/data/*.stamma "$root"/fuzz/corpus/archive/*

# The package, as npm installs it from a file.
mkdir -p package/node_modules/stamma && cd package || exit 1
cp "$WEB"/* node_modules/stamma/ && cp ../games.pgn .
checks=$((checks + 1))
node "$tests/web/web_readme.mjs" "$WEB/README.md" || fail "examples of the README"
if [ -d "$modules/typescript" ]; then
    cp "$tests/web/web_types.ts" .
    checks=$((checks + 2))
    "$modules/.bin/tsc" --strict --noEmit --target es2022 --module nodenext --moduleResolution nodenext --lib es2022,dom web_types.ts || fail "types"
    echo "import { load } from 'stamma'; load().then((stamma) => console.log(stamma.position().moves.length));" >page.mjs
    "$modules/.bin/esbuild" --log-level=error --bundle --format=esm --platform=neutral --external:node:* --outfile=bundle.mjs page.mjs &&
        cp "$WEB/stamma.wasm" . && equal "$(node bundle.mjs)" 20 || fail "a bundle"
fi
finish
