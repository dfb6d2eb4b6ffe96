#!/bin/bash
# SPDX-License-Identifier: MIT
# stamma serve without archives, and --open with programs that replace the browser.
set -u
case ${SANITIZE:-} in *memory*) echo "the HTTP library is not built with the memory sanitizer"; exit 77 ;; esac
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
command -v curl >/dev/null || { echo "no curl"; exit 77; }
sample >"$scratch/a.pgn"
cd "$scratch" || exit 1
run 0 pack -q a.pgn
mkdir bin empty
PATH=$scratch/bin:$PATH

# answer STATUS PATH: checks the status of a request, and stores the answer in ./answer.
answer() {
    checks=$((checks + 1))
    local status
    status=$(curl -s -o answer -w '%{http_code}' "$address$2")
    [ "$status" = "$1" ] || fail "$2: status $status, not $1" "$(head -c 300 answer)"
}

# has WORDS: checks that the last answer contains these words.
has() {
    checks=$((checks + 1))
    grep -qF -- "$1" answer || fail "the answer should contain $1" "$(head -c 300 answer)"
}

# stop: ends the server, and checks its exit status.
stop() {
    checks=$((checks + 1))
    kill "$server"
    wait "$server" || fail "the server ended with status $?" "$(cat log)"
    trap 'rm -rf "$scratch"' EXIT
}

# logged WORDS: waits until the server has printed these words.
logged() {
    checks=$((checks + 1))
    for _ in {1..100}; do
        grep -q -- "$1" log && return
        sleep 0.1
    done
    fail "the server should print \"$1\"" "$(cat log)"
}

# ---- no archive ----
start_server
logged "serves no archive: the page describes how to begin"
answer 200 archives
equal "$(cat answer)" "[]"
answer 200 health
has '"status":"ok"'
has '"archives":0'
answer 200 metrics
for path in masters lichess 'lichess?history=1&bits=1' 'lichess?archive=' lichess/history find 'find?count=1' stats 'find?format=pgn' 'find?format=csv' \
    'player?player=Ann&color=white' ''; do
    answer 200 "$path"
done
answer 200 lichess
has '"white":0,"draws":0,"black":0'
for path in 'lichess?archive=0' 'find?archive=0' 'stats?archive=7' game/1 game/BAAAAAAB masters/pgn/BAAAAAAB; do
    answer 404 "$path"
done
answer 404 'lichess?archive=0'
has "none is served"
stop

# ---- the browser ----
cat >bin/xdg-open <<'PROGRAM'
#!/bin/sh
for one; do printf '%s\n' "$one"; done >opened.new
for fd in /proc/self/fd/[3-9]*; do readlink "$fd" | grep -q socket && echo "a socket is open" >>opened.new; done
mv opened.new opened
PROGRAM
chmod +x bin/xdg-open
start_server --open a.stamma
checks=$((checks + 1))
for _ in {1..100}; do [ -e opened ] && break; sleep 0.1; done
equal "$(cat opened)" "$address"
answer 200 archives
has '"name":"a.stamma"'
stop
equal "$(grep -c "no browser" log)" 0

printf '#!/bin/sh\nexit 3\n' >bin/xdg-open
start_server --open
logged "no browser was opened: xdg-open: exit status 3; the page is at $address"
answer 200 archives
stop
# shellcheck disable=SC2016
printf '#!/bin/sh\nkill -9 $$\n' >bin/xdg-open
start_server --open
logged "no browser was opened: xdg-open: ended by signal 9; the page is at $address"
stop
real=$stamma
stamma=$scratch/bin/stamma
# shellcheck disable=SC2016
printf '#!/bin/sh\nPATH=%s exec %s "$@"\n' "$scratch/empty" "$real" >"$stamma"
chmod +x "$stamma"
start_server --open a.stamma
stamma=$real
logged "no browser was opened: xdg-open: No such file or directory; the page is at $address"
answer 200 archives
stop
# The server can end while the browser is still open.
printf '#!/bin/sh\nexec sleep 3\n' >bin/xdg-open
start_server --open a.stamma
answer 200 health
stop
equal "$(grep -c "no browser" log)" 0
finish
