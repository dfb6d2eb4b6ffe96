#!/bin/sh
# The program in the README compiles and lists the twenty first moves. Every file to which the documents link exists,
# and every command that the README shows exists.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

sed -n '/^```c$/,/^```$/p' README.md | sed '/^```/d' >"$work/first.c"
# shellcheck disable=SC2086
$CC -std=c11 $CFLAGS -Wall -Wextra -Werror -Iinclude -o "$work/first" "$work/first.c" \
    ${SANITIZE:+-fsanitize=$SANITIZE} "$BUILD/libstamma.a" -lzstd -lbz2 -lxxhash
"$work/first" >"$work/moves"
[ "$(wc -l <"$work/moves")" = 20 ] && grep -qx Nf3 "$work/moves" || { echo "the README's program prints:"; cat "$work/moves"; status=1; }

for page in *.md */*.md; do
    for link in $(grep -o '](\([^)#]*\)' "$page" | sed 's/^](//' | grep -v :); do
        [ -e "$(dirname "$page")/$link" ] || { echo "$page links to $link, which is not there"; status=1; }
    done
done
for command in $(sed -n 's/^build\/stamma \([a-z]*\).*/\1/p' README.md); do
    [ ! -x "$STAMMA" ] || "$STAMMA" "$command" --help >/dev/null || { echo "README: no command $command"; status=1; }
done
exit $status
