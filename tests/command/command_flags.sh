#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Flags of games: edit sets them, questions understand them, and they stay with their games when archives grow, shrink and are
# written again. A Python program keeps the flags by the texts of games, and reads the file from its description in doc/reference/flags.md.
set -u
. tests/support/command_support.bash
pgn=$(realpath data/games.pgn)
cd "$scratch" || exit 1
# Games without repetitions, so that a text names one game.
cp "$pgn" games.pgn
run 0 pack -q games.pgn
cat >flags.py <<'PYTHON'
"""Prints the flags of an archive and the hashes of the games that have them: flags.py ARCHIVE"""
import ctypes, hashlib, os, subprocess, sys
library = ctypes.CDLL("libxxhash.so.0")
library.XXH64.restype = ctypes.c_uint64
path = sys.argv[1]
data = open(path, "rb").read()
def state(end):
    tail = data[:end - 8][-4096:]
    return "%016x" % library.XXH64(tail, ctypes.c_size_t(len(tail)), ctypes.c_uint64(0))
lines = open(path + ".flags").read().split("\n")
assert lines.pop() == ""
parts = [[]]
for line in lines:
    parts[-1].append(line)
    if line.startswith("end "):
        parts.append([])
for part in parts[:-1]:
    assert part[0] == "stamma flags 1"
    states = [line.split()[1:] for line in part if line.startswith("state ")]
    rows = part[1 + len(states):-1]
    assert part[-1] == "end %d" % len(rows)
    fits = [int(games) for end, check, games in states if int(end) <= len(data) and state(int(end)) == check]
    if fits:
        break
else:
    sys.exit("no part of the file fits")
for row in rows:
    numbers, names = row.split(" ")
    first, _, last = numbers.partition("..")
    for number in range(int(first), int(last or first) + 1):
        if number <= fits[-1]:
            text = subprocess.run([os.environ["STAMMA"], "cat", path, str(number)], capture_output=True, check=True).stdout
            print(hashlib.sha256(text.strip()).hexdigest()[:12], names)
PYTHON
export STAMMA=$stamma
flags() { python3 flags.py "$1" | sort >"$2" || fail "the flags of $1"; }

# ---- setting and asking ----
run 0 edit games.stamma 3 5..7 last --add-flag a --add-flag favourite
says 'the flags of 5 games changed, 5 games have flags'
run 0 edit -n --json games.stamma --player Tal --add-flag deleted
equal "$(head -1 out)" '{"archive":"games.stamma","game":19,"changes":[{"name":"flags","before":null,"after":"deleted"}]}'
equal "$(wc -l <out)" 3
run 0 edit -q games.stamma --player Tal --add-flag deleted
run 0 edit -q games.stamma 6 --remove-flag a --remove-flag favourite
run 1 edit -n games.stamma 3 --add-flag a
cp games.stamma.flags before
run 0 edit games.stamma 3 --add-flag a
same games.stamma.flags before
equal "$(sed '1,2d' games.stamma.flags | tr '\n' ';')" '3 favourite,a;5 favourite,a;7 favourite,a;19 deleted;34 deleted;70 deleted;86 favourite,a;end 7;'
flags games.stamma wanted
equal "$(wc -l <wanted)" 7
ask() { # NUMBERS CONDITION...
    local numbers=$1
    shift
    for index in --no-index --memory=512M; do
        run "$([ -n "$numbers" ] && echo 0 || echo 1)" find $index --numbers games.stamma "$@"
        equal "$(tr '\n' ' ' <out)" "$numbers"
    done
}
for round in 1 2; do
    ask '3 5 7 86 ' --flag a
    ask '19 34 70 ' --flag deleted
    ask '3 5 7 86 ' --flag a --flag favorite
    ask '' --flag a --flag deleted
    ask '3 5 7 86 ' --flag favourite --not-flag deleted
    ask '3 5 7 19 34 70 86 ' --query '{"flag": ["a", "deleted"]}'
    ask '70 ' --query '{"flag": "deleted", "not": {"event": "*Candidates*"}, "white": "Tal"}'
    run 0 find --count games.stamma --not-flag deleted
    equal "$(cat out)" 83
    run 0 find --count games.stamma --query '{"any": [{"flag": "z"}, {"not": {"flag": ["a", "deleted"]}}]}'
    equal "$(cat out)" 79
    run 0 find -q -f -o found.stamma games.stamma --flag a
    equal "$("$stamma" ls found.stamma | wc -l)" 4
    for command in tree stats; do # the same as for an archive with only these games
        run 0 $command --json found.stamma
        sed 's/"\(number\|game\)":[0-9]*//g; s/found.stamma/games.stamma/g; s/"id":"[^"]*"//g' out >only
        run 0 $command --json games.stamma --flag a
        sed 's/"\(number\|game\)":[0-9]*//g; s/"id":"[^"]*"//g' out >flagged
        same flagged only
    done
    run 0 index -q games.stamma
done
run 0 find --format csv --columns number,flags games.stamma --flag deleted
equal "$(cut -d , -f 1,2 out | tr '\n' ' ')" 'number,flags 19,deleted 34,deleted 70,deleted '
run 0 ls --json --columns number,flags games.stamma 2..3
equal "$(tr '\n' ' ' <out)" '{"number":2,"flags":null} {"number":3,"flags":"favourite,a"} '
run 0 cat --json --columns flags games.stamma 3
equal "$(cat out)" '{"flags":"favourite,a"}'
run 0 export -q games.stamma --not-flag deleted -o out.csv
equal "$(wc -l <out.csv)" 84
run 0 export -q games.stamma --clean-pgn --flag a -o out.pgn
equal "$(grep -c '^\[Event ' out.pgn)" 4

# ---- archives that grow and shrink ----
cp games.stamma grown.stamma && cp games.stamma.flags grown.stamma.flags
sed 's/Site "/Site "x/' games.pgn >more.pgn
run 0 append -q grown.stamma more.pgn
flags grown.stamma got && same got wanted
run 0 edit -q grown.stamma 100 --add-flag b
equal "$(grep -c '^state' grown.stamma.flags)" 2
run 0 undo -q grown.stamma # game 100 does not exist any more
flags grown.stamma got && same got wanted
run 0 append -q grown.stamma games.pgn # another game 100
run 1 find --numbers grown.stamma --flag b
run 0 find --count grown.stamma --flag a
equal "$(cat out)" 4
run 0 update -q --no-index grown.stamma --from more.pgn
flags grown.stamma got && same got wanted

# ---- archives that are written again ----
rewritten() { # NAME ARGUMENT...
    local name=$1
    shift
    cp games.stamma again.stamma && cp games.stamma.flags again.stamma.flags
    run 0 "$@" -q -f -o again.stamma again.stamma
    flags again.stamma got
    cut -d ' ' -f 2 got | sort >names.got
    cut -d ' ' -f 2 wanted | sort >names.wanted
    same names.got names.wanted
    run 0 find --format csv --columns White,Black,flags again.stamma --flag a
    sort out >white.got
    run 0 find --format csv --columns White,Black,flags games.stamma --flag a
    sort out >white.wanted
    same white.got white.wanted
    nothing_left .
}
printf 'from,to\nNobody,N\n' >names.csv
rewritten sort edit --sort -number --set Annotator=x
rewritten classify classify --overwrite
rewritten merge merge
rewritten recompress recompress --level 2
cp games.stamma again.stamma && cp games.stamma.flags again.stamma.flags
run 1 names -q --apply names.csv -f -o again.stamma again.stamma
flags again.stamma got && same got wanted
run 0 edit -q -o cut.stamma games.stamma 1..4 19 --delete
flags cut.stamma got
equal "$(wc -l <got)" 5
[ -z "$(comm -13 wanted got)" ] || fail 'flags after --delete'
# Of games that are one game, the kept game, 186, gets the flags of all, except deleted.
run 0 edit -q grown.stamma 89 --add-flag deleted
run 0 append -q grown.stamma more.pgn
run 0 edit -q grown.stamma 3 --add-flag x
run 0 edit -q grown.stamma 186 --add-flag y
run 0 dedupe -q -o deduped.stamma grown.stamma
run 0 find --format csv --columns flags deduped.stamma --flag y
equal "$(tail -1 out | cut -d '"' -f 2)" 'favourite,a,x,y'
# Only new games are written: the flags of those that are removed instead of an old game are not.
"$stamma" cat games.stamma 1 | sed 's/Anderssen, Adolf/Nobody, Carl/; s/Kieseritzky, Lionel/Somebody, Ann/; s/1851/1951/' >new.pgn
cat games.pgn new.pgn new.pgn >news.pgn
run 0 pack -q news.pgn
run 0 edit -q news.stamma 87 --add-flag n
run 0 edit -q news.stamma 3 --add-flag m
run 0 dedupe --new-only -o fresh.stamma games.stamma news.stamma
says '1 game with flags was not written'
run 0 find --count --flag n fresh.stamma
equal "$(cat out)" 1
run 1 find --count --flag m fresh.stamma
# Archives one after another.
run 0 edit -q found.stamma 2 --add-flag c
run 0 merge -q -o merged.stamma found.stamma games.stamma
run 0 find --numbers merged.stamma --flag c
equal "$(cat out)" 2
run 0 find --numbers merged.stamma --flag a
equal "$(tr '\n' ' ' <out)" '7 9 11 90 '
run 0 merge -q --unique -o unique.stamma found.stamma games.stamma
says 'the flags of games are not written with --unique'
# Compact.
cp grown.stamma small.stamma && cp grown.stamma.flags small.stamma.flags
flags small.stamma small.wanted
run 0 compact -q small.stamma
flags small.stamma got && same got small.wanted
run 0 compact --json -n --deleted small.stamma
grep -q '"removed":4' out || fail 'compact -n --deleted'
run 0 compact -q --deleted small.stamma
flags small.stamma got
grep -v deleted small.wanted >some.wanted
same got some.wanted
run 0 compact --json --deleted small.stamma
grep -q '"written":false,"removed":0' out || fail 'compact --deleted twice'
run 2 compact --level 2 small.stamma

# ---- files that do not fit ----
cp games.stamma other.stamma && cp games.stamma.flags other.stamma.flags
run 0 edit -q -f --pgn -o - other.stamma --set Event=y
cp out other.pgn
run 0 pack -q -f other.pgn -o other.stamma
cp other.stamma before && cp other.stamma.flags before.flags
for wrong in "find other.stamma --flag a" "tree other.stamma --not-flag a" "export -f other.stamma --flag a -o out.csv" \
    "ls other.stamma --json --columns flags" "edit -f -o other.stamma other.stamma --set Event=z" "edit other.stamma 1 --add-flag a" \
    "dedupe -f -o other.stamma other.stamma" "merge -f -o other.stamma other.stamma" "recompress --level 2 -f -o other.stamma other.stamma" \
    "export -f other.stamma --flag a --clean-pgn -o out.pgn"; do
    # shellcheck disable=SC2086
    run 2 $wrong
    grep -q 'other.stamma.flags' err || fail "$wrong: no message" "$(cat err)"
    same other.stamma before
    same other.stamma.flags before.flags
done
run 2 sql other.stamma "SELECT count(*) FROM games WHERE query='{\"flag\": \"a\"}'"
says 'other.stamma.flags: does not fit the archive'
run 0 sql games.stamma "SELECT count(*) FROM games WHERE query='{\"flag\": \"a\"}'"
equal "$(tail -1 out | tr -d ' ')" 4
run 0 find --count other.stamma --player Tal # flags are not used
equal "$(cat err)" ''
head -c -3 games.stamma.flags >cut.flags
cp games.stamma again.stamma && cp cut.flags again.stamma.flags
run 2 find again.stamma --flag a
says 'again.stamma.flags: is not a file of flags, or is damaged'

# ---- crashes: the file of flags fits the archive before and after it is replaced ----
cat games.stamma.flags cut.stamma.flags >both.flags
for archive in games cut; do
    cp $archive.stamma both.stamma && cp both.flags both.stamma.flags
    flags both.stamma got
    flags $archive.stamma part.wanted && same got part.wanted
done
cat >fault.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int rename(const char *from, const char *to)
{
    const char *at = getenv("KILL_BEFORE"), *after = getenv("KILL_AFTER");
    const size_t size = strlen(to);
    if (at && size >= strlen(at) && strcmp(to + size - strlen(at), at) == 0)
        _exit(9);
    const int result = ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(from, to);
    if (after && size >= strlen(after) && strcmp(to + size - strlen(after), after) == 0)
        _exit(9);
    return result;
}
C
if is_native && [ -z "${SANITIZE:-}" ] && ${CC:-cc} -shared -fPIC -o fault.so fault.c -ldl 2>log; then
    for moment in KILL_BEFORE=killed.stamma.flags KILL_AFTER=killed.stamma.flags KILL_BEFORE=killed.stamma KILL_AFTER=killed.stamma; do
        cp games.stamma killed.stamma && cp games.stamma.flags killed.stamma.flags
        env $moment LD_PRELOAD=$scratch/fault.so "$stamma" edit -q -f -o killed.stamma killed.stamma --sort -number
        equal $? 9
        flags killed.stamma got && same got wanted
        rm -f .stamma-*
    done
fi

# ---- errors ----
cp games.stamma.flags before
for wrong in "edit games.stamma --add-flag zz" "edit games.stamma 3 --add-flag a --remove-flag a" "edit games.stamma 100 --add-flag a" \
    "edit games.stamma 3 --add-flag a --set Event=x -o x.stamma" "edit games.stamma 3 --add-flag a -o x.stamma" \
    "edit games.stamma found.stamma 3 --add-flag a" "edit games.stamma --delete -o x.stamma" "edit games.stamma 3 --delete" \
    "edit games.stamma 3 --delete --set Event=x -o x.stamma" "edit missing.stamma 3 --add-flag a" "find games.stamma --flag A" \
    "edit games.stamma 3 --add-flag" "find games.stamma --query {\"flag\":1}"; do
    # shellcheck disable=SC2086
    run 2 $wrong
    [ -s err ] || fail "$wrong: no message"
done
same games.stamma.flags before
absent x.stamma x.stamma.flags
if is_native; then
    (ulimit -f 0 && "$stamma" edit -q games.stamma 3 --add-flag q 2>/dev/null)
    equal $? 2
    same games.stamma.flags before
fi
"$stamma" edit -n -q games.stamma 1..50 --add-flag q >/dev/full 2>err
equal $? 2
nothing_left .

# ---- the server ----
case ${SANITIZE:-} in *memory*) finish ;; esac
start_server games.stamma
if ! grep -q "built without" log; then
    get() { python3 -c 'import sys, urllib.request; sys.stdout.write(urllib.request.urlopen(sys.argv[1]).read().decode())' "$address$1" 2>/dev/null; }
    count() { get "/find?$1" | python3 -c 'import json, sys; print(sum(1 for line in sys.stdin if "white" in line))' 2>/dev/null; }
    total() { get "/find?count=1&$1" | grep -o '"count":[0-9]*\|"games":[0-9]*' | head -1 | cut -d : -f 2; }
    equal "$(total flag=a)" 4
    equal "$(total 'query=%7B%22not%22%3A%7B%22flag%22%3A%22deleted%22%7D%7D')" 83
    run 0 edit -q games.stamma 1..2 --add-flag a
    for _ in {1..50}; do
        [ "$(total flag=a)" != 6 ] || break
        sleep 0.1
    done
    equal "$(total flag=a)" 6
    cp other.stamma.flags games.stamma.flags && sed -i 's/^state [0-9]*/state 7/' games.stamma.flags
    for _ in {1..50}; do
        [ -n "$(total flag=a)" ] || break
        sleep 0.1
    done
    equal "$(total flag=a)" ''
    equal "$(total player=Tal)" 3
fi
finish
