/* SPDX-License-Identifier: MIT */
/* Archives and index files as mapped files. These files normally only grow or are replaced. If a file is truncated,
 * reading its missing pages raises SIGBUS; a page of zeros then replaces the missing page. The checksums of an archive
 * detect this; index files are compared with their state when they were opened after each search. */
#include "serving/serve_files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* Mapped files, for the signal handler. `size` is 0 for a free entry and 1 while an entry is being used first. */
enum { PIECES = 8192 };
static struct piece {
    atomic_uintptr_t begin;
    atomic_size_t size;
} pieces[PIECES];
static int zeros = -1; /* /dev/zero */
static size_t page;

static bool is_mapped(uintptr_t address)
{
    for (size_t i = 0; i < PIECES; i++) {
        size_t size = atomic_load(&pieces[i].size);
        if (size > 1 && address - atomic_load(&pieces[i].begin) < size)
            return true;
    }
    return false;
}

static void put_zeros(int number, siginfo_t *info, void *context)
{
    uintptr_t address = (uintptr_t)info->si_addr;
    void *at = (void *)(address / page * page);
    (void)context;
    if (!is_mapped(address) || mmap(at, page, PROT_READ, MAP_FIXED | MAP_PRIVATE, zeros, 0) == MAP_FAILED)
        (void)signal(number, SIG_DFL); /* the signal is raised again */
}

bool serve_mapping_watch(void)
{
    struct sigaction action = {.sa_sigaction = put_zeros, .sa_flags = SA_SIGINFO};
    page = (size_t)sysconf(_SC_PAGESIZE);
    (void)sigemptyset(&action.sa_mask);
    if (zeros < 0)
        zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    if (zeros >= 0 && sigaction(SIGBUS, &action, NULL) == 0)
        return true;
    tool_say("/dev/zero", "%s", strerror(errno));
    return false;
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

const uint8_t *serve_map(int fd, size_t size)
{
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return NULL;
    if (note(bytes, size))
        return bytes;
    (void)munmap(bytes, size);
    return NULL;
}

void serve_unmap(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < PIECES; i++)
        if (atomic_load(&pieces[i].begin) == (uintptr_t)bytes && atomic_load(&pieces[i].size) > 1) {
            atomic_store(&pieces[i].begin, 0);
            atomic_store(&pieces[i].size, 0);
            break;
        }
    (void)munmap((void *)(uintptr_t)bytes, size);
}
