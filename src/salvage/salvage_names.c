/* SPDX-License-Identifier: MIT */
/* Finds the names of tags that are certain in a block whose head is damaged (11.7). */
#include "salvage/salvage.h"

void stamma_salvage_names_init(salvage_names *names, const stamma_allocator *allocator)
{
    memset(names, 0, sizeof *names);
    names->confirmed.allocator = names->nearby.allocator = allocator;
    names->confirmed.copies = names->nearby.copies = true;
}

void stamma_salvage_names_release(salvage_names *names)
{
    stamma_text_table_release(&names->confirmed);
    stamma_text_table_release(&names->nearby);
}

/* Adds the names of the tag columns in a head, which may be damaged. */
static stamma_error add_names(text_table *table, cursor head)
{
    block_head h;
    column_entry e;
    if (stamma_block_read_head(&head, &h) != STAMMA_OK)
        return STAMMA_OK;
    for (uint64_t n = 0; n < h.columns && stamma_column_read_entry(&head, &e); n++)
        if (e.id == COLUMN_TAG && stamma_text_table_add(table, e.name) == 0)
            return STAMMA_ERROR_NO_MEMORY;
    return STAMMA_OK;
}

stamma_error stamma_salvage_names_add(salvage_names *names, cursor head)
{
    return add_names(&names->nearby, head);
}

/* Returns whether two names differ in one byte, which may be damaged. */
static bool may_be(stamma_text name, stamma_text other)
{
    size_t differ = 0;
    for (size_t n = 0; name.size == other.size && n < name.size; n++)
        differ += name.data[n] != other.data[n];
    return differ == 1;
}

/* Returns whether a neighbouring block contains the name, and the name cannot be the damaged form of another name of a
 * neighbour. If neighbours contain EloA and EloB, and the damaged block contains only EloA, then EloA may be a damaged
 * EloB. */
static bool is_nearby(const salvage_names *names, const text_table *own, stamma_text name)
{
    const text_table *nearby = &names->nearby;
    if (stamma_text_table_find(nearby, name) == 0)
        return false;
    for (size_t n = 1; n <= nearby->count; n++) {
        const stamma_text other = text_table_at(nearby, n);
        if (may_be(name, other) && stamma_text_table_find(own, other) == 0)
            return false;
    }
    return true;
}

stamma_error stamma_salvage_names_compare(salvage_names *names, cursor head)
{
    text_table own = {.allocator = names->nearby.allocator, .copies = true};
    stamma_error error = add_names(&own, head);
    for (size_t n = 1; n <= own.count && error == STAMMA_OK; n++) {
        const stamma_text name = text_table_at(&own, n);
        if (is_nearby(names, &own, name) && stamma_text_table_add(&names->confirmed, name) == 0)
            error = STAMMA_ERROR_NO_MEMORY;
    }
    stamma_text_table_release(&own);
    return error;
}

void stamma_salvage_names_use(salvage_names *names, const block_reader *b)
{
    const sorted_roster *roster = &b->state.roster;
    for (size_t n = 0; block_reads_tags(b) && n < roster->size; n++)
        names->used[roster->columns[n]] = true;
}

stamma_error stamma_salvage_names_confirm(salvage_names *names, const block_reader *b)
{
    const tag_reader *tags = &b->columns.tags;
    for (size_t n = 0; n < tags->count; n++)
        if (names->used[n] && stamma_text_table_add(&names->confirmed, tag_column_name(tags, n)) == 0)
            return STAMMA_ERROR_NO_MEMORY;
    return STAMMA_OK;
}

bool stamma_salvage_name_is_sure(const salvage_names *names, stamma_text name)
{
    return !names->doubtful || stamma_text_table_find(&names->confirmed, name) != 0;
}
