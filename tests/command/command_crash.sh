#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The order in which the command makes data durable. A preloaded library records its calls.
# - An archive is renamed to its final name only after all its bytes are synced; then the directory is synced.
# - A commit is synced before its last 8 bytes are written, and again after that.
# - The name of a file that a later run can continue is synced.
. tests/support/command_support.bash
[ -z "${SANITIZE:-}" ] || { echo "no library can be loaded before a sanitizer"; exit 77; }

cat >"$scratch/calls.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))
static void note(const char *call, const char *what)
{
    char line[4200];
    const char *log = getenv("CALLS");
    int length = snprintf(line, sizeof line, "%s %s\n", call, what);
    int fd = log ? REAL(open)(log, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    if (fd >= 0 && REAL(write)(fd, line, (size_t)length) < 0)
        abort();
    if (fd >= 0)
        (void)REAL(close)(fd);
}
static void note_fd(const char *call, int fd, const char *more)
{
    char link[64], path[4096], all[4160];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    path[size < 0 ? 0 : size] = 0;
    const char *name = strrchr(path, '/');
    struct stat status;
    int directory = fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
    snprintf(all, sizeof all, "%s%s", directory ? "DIRECTORY" : name ? name + 1 : path, more);
    if (fd > 2)
        note(call, all);
}
ssize_t write(int fd, const void *bytes, size_t size)
{
    int commits = size >= 8 && memcmp((const char *)bytes + size - 8, "StEndCmt", 8) == 0;
    note_fd("write", fd, commits ? size == 8 ? " MAGIC" : " MORE+MAGIC" : "");
    return REAL(write)(fd, bytes, size);
}
int fsync(int fd) { note_fd("fsync", fd, ""); return REAL(fsync)(fd); }
int ftruncate(int fd, off_t size) { note_fd("truncate", fd, ""); return REAL(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { note_fd("truncate", fd, ""); return REAL(ftruncate64)(fd, size); }
static const char *base(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }
int rename(const char *from, const char *to) { note("rename", base(to)); return REAL(rename)(from, to); }
int link(const char *from, const char *to) { note("link", base(to)); return REAL(link)(from, to); }
int unlink(const char *path) { note("unlink", base(path)); return REAL(unlink)(path); }
C
${CC:-cc} -shared -fPIC -o "$scratch/calls.so" "$scratch/calls.c" -ldl 2>"$scratch/errors" ||
    { echo "no library of the tests' own can be built here"; exit 77; }

# calls COMMAND...: prints the command's calls in one line; repeated calls are printed once.
calls() {
    rm -f "$scratch/calls"
    CALLS=$scratch/calls LD_PRELOAD=$scratch/calls.so "$@" >/dev/null 2>&1 || fail "$* failed"
    uniq "$scratch/calls" | tr '\n' ';'
}

LD_PRELOAD=$scratch/calls.so CALLS=$scratch/calls "$stamma" pack -q -o "$scratch/none.stamma" - </dev/null
[ -s "$scratch/calls" ] || { echo "no library can be loaded before the command's"; exit 77; }

printf '1. e4 e5 *\n' >"$scratch/games.pgn"
cd "$scratch" || exit 1
partial=a.stamma.partial
commit="fsync $partial;fsync DIRECTORY;write $partial MAGIC;fsync $partial;"
equals() {
    checks=$((checks + 1))
    [ "$2" = "$3" ] || fail "$1" "$2" "and not" "$3"
}

equals pack "$(calls "$stamma" pack -q games.pgn -o a.stamma)" \
    "write $partial;${commit}link a.stamma;unlink $partial;fsync DIRECTORY;"
equals "pack over" "$(calls "$stamma" pack -q -f games.pgn -o a.stamma)" \
    "write $partial;${commit}rename a.stamma;fsync DIRECTORY;"
equals append "$(calls "$stamma" append -q a.stamma games.pgn)" \
    "truncate a.stamma;fsync a.stamma;write a.stamma;fsync a.stamma;write a.stamma MAGIC;fsync a.stamma;"
# The manifest loses its lines before the archive is cut.
"$stamma" update -q --no-index u.stamma --from games.pgn || fail "update failed"
got=$(calls "$stamma" undo -q u.stamma)
case $got in
*"fsync .stamma-"*";rename u.stamma.manifest;fsync DIRECTORY;truncate u.stamma;fsync u.stamma;") ;;
*) fail undo "$got" ;;
esac
# The archive is complete before the manifest has the file.
got=$(calls "$stamma" update -q --no-index u.stamma --from games.pgn)
case $got in
*"fsync u.stamma;write u.stamma MAGIC;fsync u.stamma;write .stamma-"*";fsync .stamma-"*";rename u.stamma.manifest;fsync DIRECTORY;") ;;
*) fail update "$got" ;;
esac
# A file that no run can continue also receives its final name last.
got=$(calls "$stamma" merge -q -o b.stamma a.stamma a.stamma)
case $got in
*"fsync .stamma-"*";link b.stamma;unlink .stamma-"*";fsync DIRECTORY;") ;;
*) fail merge "$got" ;;
esac
finish
