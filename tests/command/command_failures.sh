#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The commands that curate and export archives report failed allocations, a full disk and a closed pipe, and leave no
# incomplete output.
set -u
. tests/support/command_support.bash
[ -z "${SANITIZE:-}" ] || { echo "a sanitizer's own library must come first"; exit 77; }
[ -z "${COVERAGE:-}" ] || { echo "the counts of a coverage build need memory"; exit 77; }
games=$(realpath data/games.pgn)
cd "$scratch" || exit 1

# A preloaded library: allocation number STAMMA_FAIL fails, and with STAMMA_FAIL_ALL also all later allocations. The
# number of allocations is written to STAMMA_COUNT.
cat >failing.c <<'C'
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
static atomic_long count;

static int fails(void)
{
    const char *fail = getenv("STAMMA_FAIL");
    const long number = atomic_fetch_add(&count, 1) + 1, at = fail ? atol(fail) : 0;
    if (at == 0 || number < at || (number > at && !getenv("STAMMA_FAIL_ALL")))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return fails() ? NULL : __libc_calloc(number, size);
}

void *realloc(void *block, size_t size)
{
    return fails() ? NULL : __libc_realloc(block, size);
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv("STAMMA_COUNT");
    const long number = atomic_load(&count);
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        (void)fprintf(file, "%ld\n", number);
        (void)fclose(file);
    }
}
C
if ! ${CC:-cc} -shared -fPIC -o failing.so failing.c 2>log || ! LD_PRELOAD=./failing.so true 2>>log; then
    echo "no library can be put before the system's"
    exit 77
fi
sed 's/Tal, Mikhail/Tal, M/; s/\[Event "\([^"]*\)"\]/[Event "\1 again"]/' "$games" >other.pgn
run 0 pack -q -o a.stamma "$games"
run 0 pack -q -o b.stamma other.pgn
run 0 pack -q -o base.stamma other.pgn
run 0 names -q -o table.csv a.stamma b.stamma
printf '%s\n' "[tal]" "name = Tal, Mikhail" "account = Tal, M @ x" "name = Tal @ 1" >some.persons

python3 - "$stamma" <<'PYTHON' || fail 'see above'
import os, resource, shutil, signal, subprocess, sys

STAMMA = sys.argv[1]
OUT = "made/out"
ONE = ["-T1", "-q"]
# Each command, with the end of the name of its output, or None if it prints.
COMMANDS = [
    (["dedupe", "-n", *ONE, "a.stamma", "b.stamma"], None),
    (["dedupe", *ONE, "--merge", "tags,comments,variations", "a.stamma", "b.stamma"], ".stamma"),
    (["dedupe", *ONE, "-n", "--report", OUT + ".html", "a.stamma", "b.stamma"], None),
    (["diff", "-q", "--json", "a.stamma", "b.stamma"], None),
    (["names", *ONE, "a.stamma", "b.stamma"], None),
    (["names", *ONE, "a.stamma", "b.stamma"], ".csv"),
    (["names", *ONE, "--apply", "table.csv", "a.stamma"], ".stamma"),
    (["names", *ONE, "--write-persons", OUT + ".persons", "a.stamma", "b.stamma"], ".csv"),
    (["names", *ONE, "--names", "table.csv", "--write-persons", OUT + ".persons", "a.stamma", "b.stamma"], ".csv"),
    (["names", *ONE, "--apply", "table.csv", "--fill-in", "id,title", "a.stamma"], ".stamma"),
    (["find", "--persons", "some.persons", "--person", "Tal, Mik", "--query", '{"players": ["@tal", "*"]}', "-T1", "a.stamma"], None),
    (["find", "--persons", "some.persons", "--person", "tal|=Tal, M", "--wdl", "-T1", "a.stamma"], None),
    (["report", *ONE, "--persons", "some.persons", "@tal", "--no-novelties", "a.stamma"], None),
    (["classify", *ONE, "-n", "a.stamma"], None),
    (["classify", *ONE, "a.stamma"], ".stamma"),
    (["edit", *ONE, "--set", "Event=x", "--sort", "date", "a.stamma"], ".stamma"),
    (["edit", *ONE, "--set", "Event=x", "--pgn", "--sort", "date", "a.stamma"], ".pgn"),
    (["export", *ONE, "a.stamma"], ".csv"),
    (["export", *ONE, "--table", "plies", "a.stamma"], ".arrow"),
    (["export", *ONE, "a.stamma"], ".pgn"),
    (["report", *ONE, "Tal", "a.stamma", "b.stamma"], None),
    (["report", *ONE, "Tal", "a.stamma", "b.stamma"], ".html"),
    (["sql", "-T1", "a.stamma", "SELECT white, count(*) FROM games GROUP BY 1 ORDER BY 2, 1"], None),
    (["sql", "-T1", "a.stamma", "--format", "json", "SELECT * FROM tree('e4')"], None),
    (["ls", "--names", "table.csv", "a.stamma"], None),
    (["find", "--names", "table.csv", "--query", '{"player": "Tal", "any": [{"white": "Tal"}, {"plies": "9.."}]}', "-T1",
      "a.stamma"], None),
]
failures = 0


def fail(*words):
    global failures
    failures += 1
    print("FAILED:", *words)
    if failures > 20:
        sys.exit(1)


def call(arguments, ending, limit=None, stdout=subprocess.PIPE, **variables):
    """Returns the exit status, the output and the messages of a command, which runs in an empty folder `made`."""
    shutil.rmtree("made", ignore_errors=True)
    os.mkdir("made")
    if ending:
        arguments = [*arguments, "-o", OUT + ending]

    def prepare():
        if limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    done = subprocess.run([STAMMA, *arguments], stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, check=False,
                          preexec_fn=prepare, env={**os.environ, **variables})
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def made():
    """Returns the contents of the files that were written."""
    return {name: open(os.path.join("made", name), "rb").read() for name in os.listdir("made")}


def check(arguments, ending):
    preload = {"LD_PRELOAD": os.path.realpath("failing.so")}
    wanted = *call(arguments, ending, STAMMA_COUNT=os.path.realpath("count"), **preload), made()
    if wanted[0] not in (0, 1) or not (wanted[1] or wanted[3]):
        return fail(arguments, wanted[:3])
    total = int(open("count").read())
    numbers = sorted({*range(1, 12), *(1 + i * total // 24 for i in range(24))})
    reported = 0
    for number in numbers:
        more = {"STAMMA_FAIL": str(number), **({"STAMMA_FAIL_ALL": "1"} if number % 2 else {}), **preload}
        status, out, messages = call(arguments, ending, **more)
        if status == wanted[0] and out == wanted[1] and made() == wanted[3]:
            continue  # the command does not need this allocation
        reported += 1
        if status != 2 or "stamma: " not in messages or "memory" not in messages:
            fail(arguments, "allocation", number, "of", total, "status", status, messages)
        if made():
            fail(arguments, "allocation", number, "of", total, "leaves", list(made()))
    if reported < len(numbers) // 3:
        fail(arguments, "only", reported, "of", len(numbers), "failing allocations are reported")
    if made_by_command(arguments, ending):
        status, _, messages = call(arguments, ending, limit=100)
        if status != 2 or "File too large" not in messages:
            fail(arguments, "with a limit of the size of files: status", status, messages)
        if made():
            fail(arguments, "with a limit of the size of files leaves", list(made()))
    if not ending:
        check_standard_output(arguments)


def made_by_command(arguments, ending):
    return ending or "--report" in arguments


def check_standard_output(arguments):
    with open("/dev/full", "wb") as full:
        status, _, messages = call(arguments, None, stdout=full)
        if "--report" not in arguments and (status != 2 or "No space left" not in messages):
            fail(arguments, "on a full disk: status", status, messages)
    reading, writing = os.pipe()
    os.close(reading)
    status, _, messages = call(arguments, None, stdout=writing)
    os.close(writing)
    if status not in (-signal.SIGPIPE, 128 + signal.SIGPIPE, 2) or (status != 2 and messages):
        fail(arguments, "with a closed pipe: status", status, messages)


for command, ending in COMMANDS:
    check(command, ending)
sys.exit(1 if failures else 0)
PYTHON
checks=$((checks + 20))

# import changes an archive in place: after a failure, the same command results in the same archive.
LC_ALL=C sed 's/Tal, Mikhail/Nobody, N/' "$games" >new.pgn
cp base.stamma wanted.stamma
run 0 import -q -T1 --no-index --from twic -o wanted.stamma new.pgn
run 0 unpack -q -o wanted.pgn wanted.stamma
for number in 1 2 3 5 9 20 50 100 150 200 300 500 1000 2000 5000; do
    cp base.stamma in.stamma
    rm -f in.stamma.manifest
    status=0
    STAMMA_FAIL=$number STAMMA_FAIL_ALL=1 LD_PRELOAD=$scratch/failing.so "$stamma" import -q -T1 --no-index --from twic \
        --into in.stamma new.pgn >out 2>err || status=$?
    case $status in
    0) ;;
    2) says memory ;;
    *) fail "import, allocation $number: exit status $status" "$(head -3 err)" ;;
    esac
    run 0 verify -q in.stamma
    run 0 import -q -T1 --no-index --from twic -o in.stamma new.pgn
    run 0 unpack -q -f -o in.pgn in.stamma
    same in.pgn wanted.pgn
    nothing_left .
done
# So does update. undo and compact leave the archive unchanged, or complete.
cp base.stamma wanted.stamma
rm wanted.stamma.manifest
cp table.csv wanted.stamma.names && cp table.csv in.stamma.names
run 0 update -q -T1 wanted.stamma --from new.pgn
cp wanted.stamma updated.stamma && cp wanted.stamma.manifest updated.stamma.manifest
run 0 unpack -q -f -o wanted.pgn wanted.stamma
run 0 compact -q wanted.stamma
for number in 1 2 3 5 9 20 50 100 150 200 300 500 1000 2000 5000; do
    for command in update undo compact; do
        cp updated.stamma in.stamma && cp updated.stamma.manifest in.stamma.manifest
        rm -f in.stamma.index
        [ $command != update ] || { cp base.stamma in.stamma && rm in.stamma.manifest; }
        arguments=$command
        [ $command != update ] || arguments="update --from new.pgn"
        status=0
        # shellcheck disable=SC2086
        STAMMA_FAIL=$number STAMMA_FAIL_ALL=1 LD_PRELOAD=$scratch/failing.so "$stamma" $arguments -q -T1 in.stamma >out 2>err || status=$?
        case $status in
        0) ;;
        2) says memory ;;
        *) fail "$command, allocation $number: exit status $status" "$(head -3 err)" ;;
        esac
        run 0 verify -q in.stamma
        case $command in
        update)
            run 0 update -q -T1 in.stamma --from new.pgn
            run 0 unpack -q -f -o in.pgn in.stamma
            same in.pgn wanted.pgn
            ;;
        undo) cmp -s in.stamma base.stamma || same in.stamma updated.stamma ;;
        compact) cmp -s in.stamma wanted.stamma || same in.stamma updated.stamma ;;
        esac
        nothing_left .
    done
done
rm in.stamma.names
(
    trap '' XFSZ
    ulimit -f 13
    cp base.stamma in.stamma
    rm -f in.stamma.manifest
    "$stamma" import -q -T1 --no-index --from twic -o in.stamma new.pgn >out 2>err
    echo $? >status
)
equal "$(cat status)" 2
says 'File too large'
run 0 verify -q in.stamma
finish
