#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stamma serve: its answers compared with the command and python-chess; limits, broken clients, load.
set -u
. tests/support/command_support.bash
serve_folder

slow_archives
run 0 merge -q -o grows3.stamma $(yes a3.stamma | head -n 40)

# ---- errors in the call ----
run 2 serve --port
run 2 serve absent.stamma
says "absent.stamma"
run 2 serve a.pgn --port 0
says "not a Stamma archive"
: >empty.stamma
run 2 serve empty.stamma
says "not a Stamma archive"
run 2 serve .
run 2 serve a.stamma --port 70000
says "option --port"
run 2 serve a.stamma --connections 1
says "option --connections"
run 2 serve a.stamma --host "1 2"
says "option --host"
run 2 serve a.stamma --host 203.0.113.7 --port 0
says "cannot be listened on: Cannot assign requested address"
coproc taken { python3 -c 'import socket, sys
s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1], flush=True); sys.stdin.read()'; }
read -r port <&"${taken[0]}"
run 2 serve a.stamma --port "$port"
says "127.0.0.1:$port: cannot be listened on: Address already in use"
eval "exec ${taken[1]}>&-"

checks=$((checks + 1))
python3 "$tests/serve/command_serve.py" || fail "the server's answers"
finish
