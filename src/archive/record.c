/* A game, or a piece of one, in memory. */
#include "archive/archive.h"

/* Makes room for one more element of `size` bytes; `*capacity` counts elements. */
static bool grow(void **elements, size_t count, size_t *capacity, size_t size, const stamma_allocator *allocator)
{
    if (count < *capacity)
        return true;
    size_t more = *capacity < 64 ? 64 : *capacity * 2;
    void *resized = memory_resize(allocator, *elements, size_multiply(more, size));
    if (!resized)
        return false;
    *elements = resized;
    *capacity = more;
    return true;
}

item *stamma_record_add(record *r, const stamma_allocator *allocator)
{
    void *items = r->items;
    if (!grow(&items, r->item_count, &r->item_capacity, sizeof *r->items, allocator))
        return NULL;
    r->items = (item *)items;
    item *added = &r->items[r->item_count++];
    *added = (item){0};
    return added;
}

bool stamma_record_except(record *r, uint32_t slot, stamma_text text, const stamma_allocator *allocator)
{
    void *exceptions = r->exceptions;
    if (!grow(&exceptions, r->exception_count, &r->exception_capacity, sizeof *r->exceptions, allocator))
        return false;
    r->exceptions = (exception *)exceptions;
    r->exceptions[r->exception_count++] = (exception){slot, text};
    return true;
}

void stamma_record_clear(record *r)
{
    item *items = r->items;
    exception *exceptions = r->exceptions;
    size_t item_capacity = r->item_capacity, exception_capacity = r->exception_capacity;
    *r = (record){.items = items,
                  .item_capacity = item_capacity,
                  .exceptions = exceptions,
                  .exception_capacity = exception_capacity};
}

void stamma_record_release(record *r, const stamma_allocator *allocator)
{
    memory_release(allocator, r->items);
    memory_release(allocator, r->exceptions);
    *r = (record){0};
}

stamma_text stamma_record_tag(const record *r, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < r->item_count && r->items[i].kind != ITEM_MOVE; i++) {
        const item *it = &r->items[i];
        if (it->kind == ITEM_TAG && it->name.size == size && memcmp(it->name.data, name, size) == 0)
            return it->text;
    }
    return (stamma_text){NULL, 0};
}
