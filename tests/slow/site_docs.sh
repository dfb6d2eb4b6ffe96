#!/bin/sh
# SPDX-License-Identifier: MIT
# MkDocs builds the site of the documents without a warning, such as a broken link. Its pages load nothing from other hosts, and
# each command, each public name of the Python package, and each function of the library has its entry. The demonstration is there if
# the module for browsers is built.
set -eu
[ -e "$(dirname "$(scripts/setup --modules)")/docs/mkdocs" ] || { echo "no MkDocs: scripts/setup --docs"; exit 77; }
[ -z "${SANITIZE:-}" ] || { echo "not with sanitizers"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES
make -s site-docs DOCS_SITE="$work/site" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cd "$work/site"
! grep -rlE '<(script|img|link|iframe|source)[^>]* (src|href)="(https?:)?//' --include='*.html' . || { echo "these pages load files of other hosts"; exit 1; }
! grep -rhoE '@import[^;]*//|url\(["'\'']?(https?:)?//[^)]*' --include='*.css' . || { echo "a style sheet loads files of other hosts"; exit 1; }
count() { grep -o "$1" "$2" | sort -u | wc -l; }
[ "$(count 'href="commands/[a-z-]*.html"><code>' reference/commands.html)" -ge 35 ] || { echo "commands are missing"; exit 1; }
[ "$(count '<h3 id="[^"]*"' reference/python_api.html)" -ge 85 ] || { echo "names of Python are missing"; exit 1; }
functions=$(grep -ohE '\bstamma_[a-z0-9_]+\(' "$OLDPWD"/include/stamma/*.h | tr -d '(' | sort -u)
for function in $functions; do
    grep -q "\b$function\b" reference/stamma_h.html || { echo "stamma_h.html has no $function"; exit 1; }
done
[ -e reference/openapi.yaml ] && grep -q '/encode/sizes' reference/endpoints.html
[ -e search/search_index.json ]
if [ -e "$OLDPWD/$BUILD/web/stamma.wasm" ]; then [ -e demo/index.html ]; else grep -q 'make wasm' demo.html; fi
