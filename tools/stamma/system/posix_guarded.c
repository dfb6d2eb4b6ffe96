/* SPDX-License-Identifier: MIT */
/* Mapped files that may be truncated. Reading their missing pages raises SIGBUS; a page of zeros then replaces the
 * missing page. */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE 1
#define _FILE_OFFSET_BITS 64
#include "system/posix_system.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/* Mapped files, for the signal handler. `size` is 0 for a free entry and 1 while an entry is being used first. */
enum { PIECES = 8192 };
static struct piece {
    atomic_uintptr_t begin;
    atomic_size_t size;
} pieces[PIECES];
static size_t page;

static bool is_mapped(uintptr_t address)
{
    for (size_t i = 0; i < PIECES; i++) {
        const size_t size = atomic_load(&pieces[i].size);
        if (size > 1 && address - atomic_load(&pieces[i].begin) < size)
            return true;
    }
    return false;
}

static void put_zeros(int number, siginfo_t *info, void *context)
{
    const uintptr_t address = (uintptr_t)info->si_addr;
    void *at = (void *)(address / page * page);
    (void)context;
    if (!is_mapped(address) || mmap(at, page, PROT_READ, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
        (void)signal(number, SIG_DFL); /* the signal is raised again */
}

bool system_guard(void)
{
    struct sigaction action = {.sa_sigaction = put_zeros, .sa_flags = SA_SIGINFO};
    page = (size_t)sysconf(_SC_PAGESIZE);
    (void)sigemptyset(&action.sa_mask);
    return sigaction(SIGBUS, &action, NULL) == 0;
}

static bool note(const void *bytes, size_t size)
{
    for (size_t i = 0; i < PIECES; i++) {
        size_t none = 0;
        if (!atomic_compare_exchange_strong(&pieces[i].size, &none, 1))
            continue;
        atomic_store(&pieces[i].begin, (uintptr_t)bytes);
        atomic_store(&pieces[i].size, (size + page - 1) / page * page);
        return true;
    }
    errno = ENOMEM;
    return false;
}

const void *system_map_guarded(int file, size_t size)
{
    const void *bytes = system_map(file, size);
    if (!bytes || note(bytes, size))
        return bytes;
    system_unmap(bytes, size);
    return NULL;
}

void system_unmap_guarded(const void *bytes, size_t size)
{
    for (size_t i = 0; i < PIECES; i++)
        if (atomic_load(&pieces[i].begin) == (uintptr_t)bytes && atomic_load(&pieces[i].size) > 1) {
            atomic_store(&pieces[i].begin, 0);
            atomic_store(&pieces[i].size, 0);
            break;
        }
    system_unmap(bytes, size);
}
