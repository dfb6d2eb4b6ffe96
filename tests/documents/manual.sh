#!/bin/sh
# SPDX-License-Identifier: MIT
# The man pages document every command and option of the program, also in the synopsis, and completion offers them.
set -eu
[ -x "$STAMMA" ] || { echo "no command is built"; exit 77; }
page=doc/man/stamma.1
status=0
lack() { echo "$*"; status=1; }

conditions=$("$STAMMA" help conditions | sed -n '/^conditions:/,$s/^  .\{3\} --\([a-z0-9-]*\).*/\1/p')
[ -n "$conditions" ]
for option in $conditions; do # documented once, with the command `find`
    sed -n "/^\.Ss find\$/,/^\.S[sh] /p" $page | grep -Eq "^\.It .*Fl -$option( |\$)" || lack "$page: no condition --$option"
done
commands=$("$STAMMA" --help | sed -n '/^commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
[ -n "$commands" ]
for command in $commands; do
    grep -q "^\.Ss $command\$" $page || lack "$page: no section $command"
    options=$("$STAMMA" "$command" --help | sed -n '/^options:/,/^$/s/^  .\{3\} --\([a-z0-9-]*\).*/\1/p')
    [ -n "$options" ] || lack "$command --help lists no options"
    for option in $options; do
        [ "$option" = help ] || sed -n "/^\.Ss $command\$/,/^\.S[sh] /p" $page | grep -Eq "^\.It .*Fl -$option( |\$)" ||
            lack "$page: $command has no --$option"
    done
done

python3 tests/documents/synopsis.py || status=1

if command -v bash >/dev/null; then
    EMPTY=$(mktemp -d)
    export EMPTY
    trap 'rm -rf "$EMPTY"' EXIT
    offered=$(PATH="$(dirname "$(realpath "$STAMMA")"):$PATH" bash -c '
        . completions/stamma.bash
        COMP_WORDS=(stamma "") COMP_CWORD=1; _stamma; echo "${COMPREPLY[@]}"
        COMP_WORDS=(stamma pack --l) COMP_CWORD=2; _stamma; echo "${COMPREPLY[@]}"
        COMP_WORDS=(stamma cat --format j) COMP_CWORD=3; _stamma; echo "${COMPREPLY[@]}"
        COMP_WORDS=(stamma encode --decode tarrasch-) COMP_CWORD=3; _stamma; echo "${COMPREPLY[@]}"
        COMP_WORDS=(stamma survey --codec san,posi) COMP_CWORD=3; _stamma; echo "${COMPREPLY[@]}"
        COMP_WORDS=(stamma find --has var) COMP_CWORD=3; _stamma; echo "${COMPREPLY[@]}"
        COMP_WORDS=(stamma find --sub) COMP_CWORD=2; _stamma; echo "${COMPREPLY[@]}"
        cd "$EMPTY" && touch a.pgn b.stamma
        COMP_WORDS=(stamma info "") COMP_CWORD=2; _stamma; echo "${COMPREPLY[@]}"
        COMP_WORDS=(stamma append "") COMP_CWORD=2; _stamma; echo "${COMPREPLY[@]}"
        COMP_WORDS=(stamma append b.stamma "") COMP_CWORD=3; _stamma; echo "any ${COMPREPLY[@]}"')
    expected="$(echo $commands) --help --version
--level
json
tarrasch-one-queen
san,position-number san,positions
variations
--sub-fen
b.stamma
b.stamma
any "
    [ "$offered" = "$expected" ] || lack "bash completion offers: $offered"
fi
for shell in zsh fish; do
    case $shell in zsh) file=completions/_stamma ;; fish) file=completions/stamma.fish ;; esac
    command -v $shell >/dev/null && { $shell -n $file || lack "$file: $shell does not read it"; }
done
if command -v mandoc >/dev/null; then
    mandoc -Tlint -Wwarning $page || status=1
fi
exit $status
