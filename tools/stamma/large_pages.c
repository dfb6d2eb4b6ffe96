/* Memory for unpacking: malloc, with large blocks in large pages where the system has them. Else every block of games
 * costs thousands of page faults, a tenth of the time that it takes. Not for packing, whose buffers grow: to move large
 * pages about costs more than they save. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* for madvise */
#endif
#include "tool.h"

#include <sys/mman.h>

/* A large page; and from which size on a block is worth some, in bytes. */
#define LARGE_PAGE ((size_t)2 << 20)
#define LARGE_BLOCK (2 * LARGE_PAGE)

static void *allocate(void *context, size_t size)
{
    (void)context;
    void *memory = NULL;
    if (size < LARGE_BLOCK)
        return malloc(size);
    if (posix_memalign(&memory, LARGE_PAGE, size) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE /* where it is refused, nothing is lost */
    (void)madvise(memory, size / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
#endif
    return memory;
}

static void *resize(void *context, void *memory, size_t size)
{
    return memory ? realloc(memory, size) : allocate(context, size);
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

const stamma_allocator tool_large_pages = {NULL, allocate, resize, release};
