/* SPDX-License-Identifier: MIT */
/* Mapped files and memory of Windows. */
#include "system/windows_system.h"

#include <psapi.h>

const void *system_map(int file, size_t size)
{
    const HANDLE handle = windows_handle(file);
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    const HANDLE mapping = CreateFileMappingW(handle, NULL, PAGE_READONLY, 0, 0, NULL);
    const void *bytes = mapping ? MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size) : NULL;
    if (!bytes)
        (void)windows_fail();
    if (mapping)
        (void)CloseHandle(mapping);
    return bytes;
}

void system_unmap(const void *bytes, size_t size)
{
    (void)size;
    (void)UnmapViewOfFile(bytes);
}

/* Unlocking pages that are not locked removes them from the memory of the program. */
size_t system_map_forget(const void *bytes, size_t size)
{
    enum { PAGE = 4096 };
    const size_t whole = size / PAGE * PAGE;
    (void)VirtualUnlock((void *)(uintptr_t)bytes, whole);
    return whole;
}

/* Mapped files cannot be truncated. */
bool system_guard(void)
{
    return true;
}

const void *system_map_guarded(int file, size_t size)
{
    return system_map(file, size);
}

void system_unmap_guarded(const void *bytes, size_t size)
{
    system_unmap(bytes, size);
}

void *system_pages(size_t size)
{
    return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void system_pages_release(void *memory, size_t size)
{
    (void)size;
    (void)VirtualFree(memory, 0, MEM_RELEASE);
}

/* The system's malloc returns large blocks. */
void system_memory_return(void) {}

uint64_t system_resident(void)
{
    PROCESS_MEMORY_COUNTERS counters;
    return K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters) ? counters.WorkingSetSize : 0;
}

/* ---- text ---- */

/* The C library has no streams in memory: the text is in a temporary file, which the system keeps in memory. */
bool system_text_open(system_text *text)
{
    *text = (system_text){.stream = system_temporary()};
    return text->stream != NULL;
}

bool system_text_close(system_text *text)
{
    const long size = fflush(text->stream) == 0 && !ferror(text->stream) ? ftell(text->stream) : -1;
    text->text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (text->text) {
        rewind(text->stream);
        text->size = fread(text->text, 1, (size_t)size, text->stream);
        text->text[text->size] = 0;
    }
    (void)fclose(text->stream);
    return text->text != NULL;
}
