/* SPDX-License-Identifier: MIT */
/* The tags of a block as a table of numbers. Each different text has a number. */
#include "tags/tags.h"

/* Returns whether two columns have the same tag of White and of Black. */
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
    stamma_text last = {"", 0};
    uint32_t last_number = 0;
    for (size_t r = 0; r < t->records; r++) {
        uint32_t *number = &t->numbers[column * t->records + r];
        if (*number == 0)
            continue;
        stamma_text text = {at, strlen(at)};
        at += text.size + 1;
        if (last_number == 0 || !text_equal(text, last)) /* values often repeat in consecutive records */
            last_number = stamma_text_table_add(&t->texts, text);
        *number = last_number;
        last = text;
        if (last_number == 0)
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
    stamma_text_table_release(&t->texts);
}

uint8_t stamma_tag_column_named(const tag_table *t, const char *name)
{
    for (size_t c = 0; c < t->columns; c++)
        if (t->names[c].size == strlen(name) && memcmp(t->names[c].data, name, t->names[c].size) == 0)
            return (uint8_t)c;
    return TAG_NONE;
}
