/* SPDX-License-Identifier: MIT */
/* An allocator whose n-th allocation fails, for the extension module: linked with -Wl,--wrap of malloc, calloc, realloc
 * and free (tests/python/python.sh). The allocations of Python's objects can fail, too. Python calls the functions
 * below through ctypes. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stamma.h" /* STAMMA_API exports a function */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *memory);
STAMMA_API void failing_begin(uint64_t n, bool lasting);
STAMMA_API uint64_t failing_end(void);
STAMMA_API int64_t failing_alive(void);
STAMMA_API void failing_python(bool on);

/* Declared by CPython for embedding programs (cpython/pymem.h). */
typedef struct python_allocator {
    void *context;
    void *(*malloc)(void *context, size_t size);
    void *(*calloc)(void *context, size_t count, size_t size);
    void *(*realloc)(void *context, void *old, size_t size);
    void (*free)(void *context, void *memory);
} python_allocator;
void PyMem_GetAllocator(int domain, python_allocator *allocator);
void PyMem_SetAllocator(int domain, python_allocator *allocator);
enum { DOMAIN_MEMORY = 1, DOMAIN_OBJECTS = 2, DOMAINS = 3 };

static _Atomic uint64_t calls, fail_at, fail_to;
static _Atomic int64_t alive;
static atomic_bool for_python; /* Python's allocations fail, but not C's allocations */

/* Lets the n-th allocation from now on fail, and all later ones if `lasting`. 0: none fails. */
void failing_begin(uint64_t n, bool lasting)
{
    calls = 0;
    fail_to = lasting ? UINT64_MAX : n;
    fail_at = n;
}

/* Lets allocations succeed again. Returns the number of allocations since failing_begin. */
uint64_t failing_end(void)
{
    fail_at = 0;
    return calls;
}

/* Returns the number of allocations that are not freed. */
int64_t failing_alive(void)
{
    return alive;
}

static bool fails(bool python)
{
    if (python != for_python)
        return false;
    const uint64_t n = ++calls;
    return fail_at > 0 && n >= fail_at && n <= fail_to;
}

static void *counted(void *memory)
{
    alive += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return fails(false) ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails(false) ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (fails(false))
        return NULL;
    void *memory = __real_realloc(old, size);
    return old ? memory : counted(memory);
}

void __wrap_free(void *memory)
{
    alive -= memory != NULL;
    __real_free(memory);
}

/* ---- allocations of Python ---- */

static python_allocator before[DOMAINS];

static void *python_malloc(void *context, size_t size)
{
    const python_allocator *a = context;
    return fails(true) ? NULL : a->malloc(a->context, size);
}

static void *python_calloc(void *context, size_t count, size_t size)
{
    const python_allocator *a = context;
    return fails(true) ? NULL : a->calloc(a->context, count, size);
}

static void *python_realloc(void *context, void *old, size_t size)
{
    const python_allocator *a = context;
    return fails(true) ? NULL : a->realloc(a->context, old, size);
}

static void python_free(void *context, void *memory)
{
    const python_allocator *a = context;
    a->free(a->context, memory);
}

/* Selects whether Python's allocations are counted and fail, instead of C's allocations. */
void failing_python(bool on)
{
    for_python = on;
    for (int domain = DOMAIN_MEMORY; domain < DOMAINS; domain++) {
        if (on)
            PyMem_GetAllocator(domain, &before[domain]);
        python_allocator counting = {&before[domain], python_malloc, python_calloc, python_realloc, python_free};
        PyMem_SetAllocator(domain, on ? &counting : &before[domain]);
    }
}
