#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/coverage prints the branches and lines that a small program does not execute, and the shares of lines and branches.
set -eu
command -v gcov >/dev/null && command -v gcc >/dev/null || { echo "no gcc"; exit 77; }
coverage=$PWD/scripts/coverage
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src/room" "$work/scripts" "$work/build/src/room"
cd "$work"
cat >src/room/sign.c <<'END'
#include <stdlib.h>
static int sign(int number)
{
    if (number < 0)
        return -1;
    return number > 0;
}
static int unused(int number)
{
    return number > 1 ? abs(number) : 7;
}
int main(int count, char **arguments)
{
    return count > 5 ? unused(atoi(arguments[1])) : sign(count) - 1;
}
END
gcc -O0 --coverage -c -o build/src/room/sign.o src/room/sign.c
gcc --coverage -o build/sign build/src/room/sign.o
build/sign

# prints PATTERN...: the output has a line for each pattern.
prints() {
    python3 "$coverage" build >out
    for pattern; do
        grep -q "$pattern" out || { echo "no line has $pattern:"; cat out; exit 1; }
    done
}
echo '# comment' >scripts/coverage_explained.tsv
prints '^src/room/sign.c:4: sign: 1 of 2 not taken: if (number < 0)$' \
    '^src/room/sign.c:5: sign: not executed: return -1;$' \
    '^src/room/sign.c:8: unused: not executed: ' \
    '^src/room/sign.c:10: unused: 2 of 2 not taken: return number > 1' \
    '^src/room/sign.c:14: main: 1 of 2 not taken: ' \
    '^6 branches and lines of src/ to examine$' \
    '^  62.5 % of     8 lines .* 33.3 % of     6 branches  src/room/sign.c$' \
    '^  62.5 % of     8 lines .* 33.3 % of     6 branches  all$'
printf 'src/room/sign.c\tunused\t3\treason\nsrc/room/sign.c\tmain\t1\treason\n' >scripts/coverage_explained.tsv
prints '^2 branches and lines of src/ to examine$'
printf 'src/room/sign.c\tsign\t3\tone more than is missing\n' >scripts/coverage_explained.tsv
prints '^src/room/sign.c:4: sign: 1 of 2 not taken' '^6 branches and lines of src/ to examine$'
