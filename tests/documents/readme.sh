#!/bin/sh
# SPDX-License-Identifier: MIT
# The first program in the README compiles and lists the twenty first moves; the second is an example, which
# tests/tree/examples.sh runs. Every file to which the documents link exists, and every command that the README shows
# exists.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

awk -v folder="$work" '/^```c$/ { n++; on = 1; next } /^```$/ { on = 0 } on { print > folder "/" n ".c" }' README.md
mv "$work/1.c" "$work/first.c"
sed -e '1,/^ \* usage/d' -e '/clang-format off/d' examples/archive_over_callbacks.c | diff - "$work/2.c" ||
    { echo "the README's second program is not examples/archive_over_callbacks.c"; status=1; }
# shellcheck disable=SC2086
$CC -std=c11 $CFLAGS -Wall -Wextra -Werror -Iinclude -o "$work/first" "$work/first.c" \
    ${SANITIZE:+-fsanitize=$SANITIZE} "$BUILD/libstamma.a" -lzstd -lbz2 -lxxhash
"$work/first" >"$work/moves"
[ "$(wc -l <"$work/moves")" = 20 ] && grep -qx Nf3 "$work/moves" || { echo "the README's program prints:"; cat "$work/moves"; status=1; }

for page in *.md */*.md doc/*/*.md; do
    for link in $(grep -o '](\([^)#]*\)' "$page" | sed 's/^](//' | grep -v :); do
        [ -e "$(dirname "$page")/$link" ] || { echo "$page links to $link, which is not there"; status=1; }
    done
done
for command in $(sed -n 's/^build\/stamma \([a-z]*\).*/\1/p' README.md); do
    [ ! -x "$STAMMA" ] || "$STAMMA" "$command" --help >/dev/null || { echo "README: no command $command"; status=1; }
done
exit $status
