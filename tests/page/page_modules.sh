#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests the page's modules without a browser: addresses, patterns and queries, words, spans, and rules of chess with
# chess.js; repertoires and spaced repetition.
command -v node >/dev/null || { echo "no node"; exit 77; }
MODULES=$(scripts/setup --modules)
[ -d "$MODULES/chess.js" ] || { echo "no chess.js in $MODULES"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# With this package.json, every version of node treats .js files as modules, as browsers do.
echo '{"type": "module"}' >"$scratch/package.json"
cp -r web/. tests/page/page_modules.mjs tests/page/page_training.mjs tests/page/run_checks.mjs "$scratch/" && mkdir -p "$scratch/chess.js/dist/esm" &&
    cp "$MODULES/chess.js/dist/esm/chess.js" "$scratch/chess.js/dist/esm/" && node "$scratch/page_modules.mjs" &&
    node "$scratch/page_training.mjs"
