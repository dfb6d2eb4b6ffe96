#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Errors are reported clearly, end with status 2, and leave no incomplete files.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

sample >games.pgn
run 0 pack games.pgn
games 3000 >many.pgn
run 0 pack -q many.pgn

# ---- calls ----
run 2
says 'a command is missing'
run 2 pakc games.pgn
says 'no command "pakc"; did you mean pack?'
run 2 help frobnicate
says 'no command "frobnicate"; stamma --help lists them'
run 2 pack --lever=1 games.pgn
says 'no option --lever; did you mean --level?'
run 2 pack --zzzzzz games.pgn
says 'no option --zzzzzz$'
run 2 pack -x games.pgn
says 'no option -x'
run 2 pack games.pgn -o
says 'option -o needs a value: OUT'
run 2 pack --quiet=yes games.pgn
says '--quiet has no value'
run 2 pack -f -T many games.pgn
says 'option -T: "many"'
run 2 pack -f --memory 12Q games.pgn
says 'option --memory: "12Q"'
run 2 pack -f --memory 1M games.pgn
says 'at least 128M'
# Shared options have the same meaning in all commands.
for command in pack append unpack verify; do
    run 2 $command --memory 127M a b
    says 'option --memory must be at least 128M'
    run 0 $command --help
    grep -A1 -e '--threads' -e '--memory' out >options
    [ -e first ] || cp options first
    equal "$(wc -l <options)" 4
    same options first
done
rm options first
run 2 pack -f --level 99 games.pgn
says 'no level 99'
run 2 pack --resume -o - games.pgn
says '\-\-resume requires an archive in a file'
run 2 unpack
says 'unpack needs the name of an archive: stamma unpack ARCHIVE'
run 2 unpack games.stamma games.stamma
says 'one too many: "games.stamma"'
run 2 cat games.stamma --format xml
says 'no format "xml"'
for range in x 0 17x 5..3 1...2 .. ... -- '' 99999999999999999999; do
    run 2 cat games.stamma -- "$range"
    says "\"$range\" is not a list of games"
done
run 2 cat games.stamma 1 y
equal "$(cat out)" ""
run 2 perft
run 2 perft x
says 'not a depth'
run 2 perft -- -1
run 2 perft 2 --fen 'not a fen'
says '--fen: bad syntax at character'
run 2 perft 2 --fen '8/8/8/8/8/8/8/k7 w - - 0 1'
says 'no white king'
run 2 help pakc

# ---- help and version ----
for command in pack append unpack cat ls info perft; do
    run 0 "$command" --help
    equal "$(head -c $((20 + ${#command})) out)" "usage: stamma $command [OPTI"
    run 0 help "$command"
    equal "$(head -c $((20 + ${#command})) out)" "usage: stamma $command [OPTI"
    run 0 "$command" -h
    for option in $(grep -o '^  ..  --[a-z-]*\|^  -., --[a-z-]*' out | sed 's/.*--//'); do
        "$stamma" "$command" "--$option" 2>&1 </dev/null | grep -q 'has no option' && fail "$command --$option is in the help only"
    done
done
run 0 --version
equal "$(cut -d. -f1 out)" 'stamma 1'
for command in pack append; do
    run 0 $command --help
    grep -q 'at least every 24 MiB' out || fail "$command --help does not say how much an interrupted run loses"
done
run 0 --help

# ---- inputs ----
run 2 pack missing.pgn
says 'missing.pgn: No such file'
absent missing.stamma
run 2 pack "$(printf 'red \033[31m, \303\251.pgn')"
equal "$(cat err)" "$(printf 'stamma: red ?[31m, \303\251.pgn: No such file or directory')"
run 2 pack -o out.stamma games.pgn missing.pgn
says 'missing.pgn: No such file'
absent out.stamma
run 2 unpack missing.stamma
says 'missing.stamma: No such file'
mkdir folder
run 2 pack folder
says 'folder: Is a directory'
absent folder.stamma
run 2 unpack folder
says 'folder: Is a directory'
if is_native; then
    run 2 pack -o out.stamma - <folder
    says 'standard input: Is a directory'
fi
absent out.stamma
if [ "$(id -u)" -ne 0 ]; then
    cp games.pgn secret.pgn && chmod 000 secret.pgn
    run 2 pack secret.pgn
    says 'secret.pgn: Permission denied'
    absent secret.stamma
fi
run 2 pack -o out.stamma - <&-
says 'standard input: '
absent out.stamma
for command in unpack cat ls info; do
    run 2 "$command" games.pgn
    says 'games.pgn: not a Stamma archive'
    run 2 "$command" - </dev/null
    says 'standard input: not a Stamma archive'
done

# ---- damaged layers ----
python3 - <<'PYTHON'
import bz2, gzip, subprocess
text = open("many.pgn", "rb").read()
layers = {"gz": gzip.compress(text), "bz2": bz2.compress(text),
          "zst": subprocess.run(["zstd", "-qc", "many.pgn"], stdout=subprocess.PIPE, check=True).stdout}
for kind, data in layers.items():
    for cut in (4, 10, 15, len(data) // 2, len(data) - 9, len(data) - 1):
        open("cut%d.%s" % (cut, kind), "wb").write(data[:cut])
    for at in (len(data) // 2, len(data) - 3):
        open("altered%d.%s" % (at, kind), "wb").write(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1:])
    open("garbage.%s" % kind, "wb").write(data + b"garbage")
    if kind != "gz": # gzip permits zeros
        open("zeros.%s" % kind, "wb").write(data + bytes(512))
    open("next.%s" % kind, "wb").write(data + data[:len(data) // 2])
PYTHON
for name in cut*.* altered*.* garbage.* zeros.* next.*; do
    run 2 pack -o layer.stamma "$name"
    says "$name: [a-z0-9]* data at byte [0-9]*: "
    absent layer.stamma
done
run 2 pack -o layer.stamma games.pgn cut10.gz
absent layer.stamma

# ---- outputs ----
cp games.stamma before.stamma
run 2 pack many.pgn -o games.stamma
says 'games.stamma: exists already'
same games.stamma before.stamma
run 2 unpack games.stamma -o many.pgn
says 'many.pgn: exists already'
run 2 unpack -f -o games.stamma games.stamma
says 'games.stamma: is an input of this command, and cannot also be its output'
same games.stamma before.stamma
run 2 unpack -f -o games.stamma - <games.stamma
same games.stamma before.stamma
run 2 pack -f -o games.stamma games.pgn cut10.gz
same games.stamma before.stamma
if is_native; then
    chmod 640 games.stamma && ln -s games.stamma link.stamma
    run 0 pack -qf -o link.stamma many.pgn
    equal "$(readlink link.stamma) $(stat -c %a games.stamma)" 'games.stamma 640'
    same games.stamma many.stamma
    cp before.stamma games.stamma
    (umask 027 && "$stamma" pack -q -o masked.stamma games.pgn)
    equal "$(stat -c %a masked.stamma)" 640
fi
run 2 pack -o folder games.pgn
says 'folder: Is a directory'
run 2 pack -o missing/out.stamma games.pgn
says 'missing/out.stamma: No such file'
run 2 pack -o '' games.pgn
says '"": No such file'
run 2 pack -f -o many.pgn games.pgn many.pgn
says 'many.pgn: is an input of this command, and cannot also be its output'
run 2 unpack many.pgn # nothing has changed
nothing_left .
if [ -c /dev/full ]; then
    run 2 pack -o /dev/full many.pgn
    says '/dev/full: No space left'
    run 2 unpack -o /dev/full many.stamma
    says '/dev/full: No space left'
    for command in 'unpack many.stamma' 'pack - -f' 'cat many.stamma' 'cat games.stamma' 'ls games.stamma' 'ls --json many.stamma' \
        'info games.stamma' 'perft 1' '--help' '--version' 'pack --help'; do
        # shellcheck disable=SC2086
        "$stamma" $command <many.pgn >/dev/full 2>err
        equal "$command: $?" "$command: 2"
        says 'standard output: No space left'
        equal "$(grep -c . err)" 1
    done
fi
# A file that would exceed its size limit, as on a full disk.
head -c 200000 /dev/urandom >noise
if is_native; then
    (ulimit -f 40 && "$stamma" pack -q noise 2>err)
    equal $? 2
    says 'noise.stamma: File too large'
    absent noise.stamma
fi
# Closed standard streams: no message may be written into a file.
if is_native; then # Wine waits for ever
    "$stamma" pack games.pgn -o closed.stamma 2>&- <&- >&-
    equal $? 0
    same closed.stamma before.stamma
fi
"$stamma" cat games.stamma >&- 2>err
equal $? 2
says 'standard output: '
nothing_left .

# ---- a closed pipe ----
for command in 'cat many.stamma' 'cat many.stamma --format json' 'ls many.stamma' 'unpack many.stamma'; do
    # shellcheck disable=SC2086
    "$stamma" $command 2>err | head -c 1 >/dev/null
    equal "$command: ${PIPESTATUS[0]}" "$command: 141"
    equal "$(cat err)" ""
done

# ---- signals ----
is_native || finish
python3 - "$stamma" <<'PYTHON' || fail "a signal left something"
import os, signal, subprocess, sys, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGALRM, signal.SIGXCPU,
               signal.SIGUSR1, signal.SIGUSR2, signal.SIGVTALRM):
    os.mkdir("signal")
    child = subprocess.Popen([sys.argv[1], "pack", "-o", "signal/out.stamma", "-"], stdin=subprocess.PIPE,
                             preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    child.stdin.write(b"[Event \"?\"]\n\n1. e4 e5 *\n\n" * 1000)
    child.stdin.flush()
    end = time.monotonic() + 20
    while not os.listdir("signal") and time.monotonic() < end:
        time.sleep(0.01)
    assert os.listdir("signal") == ["out.stamma.partial"], "no temporary file was made"
    child.send_signal(number)
    assert child.wait(20) == -number, "it did not end by the signal"
    assert os.listdir("signal") == [], os.listdir("signal")
    os.rmdir("signal")
PYTHON

finish
