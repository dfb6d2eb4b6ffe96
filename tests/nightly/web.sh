#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the module for WebAssembly and the npm package, installs the package in an empty folder without network, and runs
# the tests of the module and of the page without a server, which need the module.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
command -v node >/dev/null && command -v npm >/dev/null || { echo "no node or npm"; exit 77; }
cache=$(dirname "$(scripts/setup --modules)")
[ -e "$cache/release/python/ziglang" ] && [ -z "$(scripts/release/third_party missing "$cache/release")" ] ||
    { echo "without zig or the third-party code: scripts/setup --web fetches them"; exit 77; }
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES CC CFLAGS CPPFLAGS LDFLAGS
make -j2 npm || { echo "FAILED: make npm"; exit 1; }
package=$(ls "$PWD"/build/release/stamma-*.tgz)
checks=$((checks + 1))
(mkdir "$scratch/empty" && cp data/games.pgn "$scratch/empty" && cd "$scratch/empty" && echo '{"private": true}' >package.json &&
    npm install --offline --no-audit --no-fund "$package" >npm.log 2>&1 && equal "$(ls node_modules)" stamma &&
    node "$tests/web/web_readme.mjs" node_modules/stamma/README.md) || fail "the package in an empty folder"
for test in web_module page_worker; do
    checks=$((checks + 1))
    STAMMA=$stamma "tests/slow/$test.sh" || [ $? -eq 77 ] || fail "$test"
done
finish
