/* The tags of a block as a table of numbers, one for each different text. */
#include "tags/tags.h"

/* ---- numbers of texts ---- */

static bool grow_texts(text_numbers *t, const stamma_allocator *allocator)
{
    size_t capacity = t->capacity < 1024 ? 1024 : t->capacity * 2, mask = 2 * capacity - 1;
    numbered_text *texts = (numbered_text *)memory_resize(allocator, t->texts, size_multiply(capacity, sizeof *texts));
    if (texts)
        t->texts = texts;
    uint32_t *table = texts ? (uint32_t *)memory_resize(allocator, t->table, 2 * capacity * sizeof *table) : NULL;
    if (!table)
        return false;
    t->table = table;
    t->capacity = capacity;
    memset(table, 0, 2 * capacity * sizeof *table);
    for (uint32_t n = 1; n <= t->count; n++) {
        size_t slot = texts[n].hash & mask;
        while (table[slot] != 0)
            slot = (slot + 1) & mask;
        table[slot] = n;
    }
    return true;
}

/* Where a text's number stands, or 0 where it is to stand. There must be room. */
static uint32_t *find_text(const text_numbers *t, stamma_text text, uint32_t hash)
{
    size_t mask = 2 * t->capacity - 1, slot = hash & mask;
    for (; t->table[slot] != 0; slot = (slot + 1) & mask) {
        const numbered_text *known = &t->texts[t->table[slot]];
        if (known->hash == hash && known->text.size == text.size && memcmp(known->text.data, text.data, text.size) == 0)
            break;
    }
    return &t->table[slot];
}

uint32_t stamma_text_find(const text_numbers *t, stamma_text text)
{
    return t->capacity > 0 ? *find_text(t, text, hash_bytes(text.data, text.size)) : 0;
}

uint32_t stamma_text_number(text_numbers *t, stamma_text text, const stamma_allocator *allocator)
{
    if (t->count + 1 >= t->capacity && !grow_texts(t, allocator))
        return 0;
    uint32_t hash = hash_bytes(text.data, text.size), *number = find_text(t, text, hash);
    if (*number == 0) {
        *number = (uint32_t)++t->count;
        t->texts[t->count] = (numbered_text){text, hash};
    }
    return *number;
}

void stamma_text_numbers_release(text_numbers *t, const stamma_allocator *allocator)
{
    memory_release(allocator, t->texts);
    memory_release(allocator, t->table);
    *t = (text_numbers){0};
}

/* ---- the table ---- */

/* Whether two columns say the same of White and of Black. */
static bool are_counterparts(stamma_text name, stamma_text other)
{
    const size_t size = strlen("White");
    return name.size == other.size && name.size >= size &&
           ((memcmp(name.data, "White", size) == 0 && memcmp(other.data, "Black", size) == 0) ||
            (memcmp(name.data, "Black", size) == 0 && memcmp(other.data, "White", size) == 0)) &&
           memcmp(name.data + size, other.data + size, name.size - size) == 0;
}

static void find_counterparts(tag_table *t)
{
    memset(t->counterparts, TAG_NONE, sizeof t->counterparts);
    for (size_t c = 0; c < t->columns; c++)
        for (size_t other = 0; other < t->columns; other++)
            if (are_counterparts(t->names[c], t->names[other]))
                t->counterparts[c] = (uint8_t)other;
}

static bool number_values(tag_table *t, size_t column)
{
    const char *at = (const char *)t->values[column]->data;
    for (size_t r = 0; r < t->records; r++) {
        uint32_t *number = &t->numbers[column * t->records + r];
        if (*number == 0)
            continue;
        stamma_text text = {at, strlen(at)};
        at += text.size + 1;
        *number = stamma_text_number(&t->texts, text, t->allocator);
        if (*number == 0)
            return false;
    }
    return true;
}

stamma_error stamma_tag_table_fill(tag_table *t)
{
    find_counterparts(t);
    for (size_t c = 0; c < t->columns; c++) {
        t->plans[c] = (tag_plan){.others = {TAG_NONE, TAG_NONE}};
        if (!number_values(t, c))
            return STAMMA_ERROR_NO_MEMORY;
    }
    return STAMMA_OK;
}

void stamma_tag_table_release(tag_table *t)
{
    memory_release(t->allocator, t->numbers);
    stamma_text_numbers_release(&t->texts, t->allocator);
}

uint8_t stamma_tag_column_named(const tag_table *t, const char *name)
{
    for (size_t c = 0; c < t->columns; c++)
        if (t->names[c].size == strlen(name) && memcmp(t->names[c].data, name, t->names[c].size) == 0)
            return (uint8_t)c;
    return TAG_NONE;
}
