#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# System calls fail after an archive is complete: the file exists, and the command reports this.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

if [ -n "${SANITIZE:-}" ]; then
    echo "skipped: a sanitizer's own library must come first"
    exit 77
fi

# A preloaded library: STAMMA_FAULT selects the call that fails, either without any effect or after completing.
cat >fault.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static int is(const char *name)
{
    const char *fault = getenv("STAMMA_FAULT");
    return fault && strcmp(fault, name) == 0;
}

int unlink(const char *path)
{
    int (*real)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
    if (!is("unlink"))
        return real(path);
    errno = EBUSY;
    return -1;
}

int fsync(int fd)
{
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    if (!is("fsync"))
        return real(fd);
    errno = EIO;
    return -1;
}

int close(int fd)
{
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "close");
    int written = (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
    int result = real(fd);
    if (!is("close") || !written)
        return result;
    errno = EIO;
    return -1;
}
C
if ! ${CC:-cc} -shared -fPIC -o fault.so fault.c -ldl 2>fault.log || ! LD_PRELOAD=./fault.so true 2>>fault.log; then
    echo "skipped: no library can be put before the system's"
    exit 77
fi

# faulty CALL STATUS ARGUMENT...
faulty() {
    export STAMMA_FAULT=$1 LD_PRELOAD=$scratch/fault.so
    shift
    run "$@"
    unset STAMMA_FAULT LD_PRELOAD
}

sample >games.pgn
run 0 pack -q -o wanted.stamma games.pgn

# The final name is made, but the temporary name cannot be removed.
faulty unlink 0 pack -q games.pgn
says 'games.stamma: is written, but its temporary name, .*games.stamma.partial, cannot be removed: Device or resource busy'
same games.stamma wanted.stamma
rm -f games.stamma games.stamma.partial
faulty unlink 0 unpack -o back.pgn wanted.stamma
says 'back.pgn: is written, but its temporary name, .stamma-.*, cannot be removed'
same back.pgn games.pgn
rm -f back.pgn .stamma-*

# Closing fails after the rename; the data was made durable before, so the file is complete.
faulty close 0 pack -q games.pgn
same games.stamma wanted.stamma
nothing_left .
faulty close 0 pack -q -f games.pgn
same games.stamma wanted.stamma
faulty close 0 unpack -o back.pgn wanted.stamma
same back.pgn games.pgn
rm -f back.pgn

# Data that cannot be made durable is a failure.
faulty fsync 2 unpack -o back.pgn wanted.stamma
says 'back.pgn: Input/output error'
absent back.pgn
faulty fsync 2 pack -q -f games.pgn
says 'Input/output error'
same games.stamma wanted.stamma
nothing_left .
finish
