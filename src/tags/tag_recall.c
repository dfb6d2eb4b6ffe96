/* SPDX-License-Identifier: MIT */
/* Functions that reading and passing records share: the next literal of a column, and the value that a column recalls
 * by a key (clause 15). */
#include "tags/tags.h"

stamma_text stamma_tag_literal(tag_reader *r, tag_column *c)
{
    if (!c->later)
        return cursor_text(&c->at);
    c->literal.size = 0;
    c->at.failed = stamma_field_column_take(c->fields, ++c->taken, &c->literal) != STAMMA_OK;
    r->no_memory |= c->literal.failed;
    size_t begin = c->literals.size, room = c->literals.capacity - begin;
    if (c->at.failed || c->literal.size > room)
        return (stamma_text){"", 0};
    buffer_add(&c->literals, c->literal.data, c->literal.size);
    return (stamma_text){(const char *)c->literals.data + begin, c->literal.size - 1};
}

uint32_t *stamma_tag_memory_grow(tag_reader *r, buffer *memory, uint32_t key)
{
    size_t size = (key + (size_t)1) * sizeof(uint32_t);
    if (!buffer_reserve(memory, size - memory->size)) {
        r->no_memory = true;
        return NULL;
    }
    memset(memory->data + memory->size, 0, size - memory->size);
    memory->size = size;
    return (uint32_t *)(void *)memory->data + key;
}

/* Searches the setters that are newer than the opening's memory entry, latest first. */
stamma_error stamma_tag_column_recall(tag_reader *r, tag_column *c, uint32_t opening, uint32_t *memory)
{
    tag_setter *setters = (tag_setter *)(void *)c->setters.data;
    uint32_t *since = tag_memory(r, &c->since, opening);
    if (!since)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t i = c->setters.size / sizeof *setters; i-- > 0 && setters[i].record >= *since;) {
        unsigned found = 0;
        stamma_error error = STAMMA_OK;
        if (setters[i].opening == OPENING_NOT_FOUND)
            error = r->opening_of.find(r->opening_of.context, setters[i].record, &found);
        if (error != STAMMA_OK)
            return error;
        if (setters[i].opening == OPENING_NOT_FOUND)
            setters[i].opening = found;
        if (setters[i].opening == opening) {
            *memory = setters[i].index;
            break;
        }
    }
    *since = (uint32_t)r->record;
    return STAMMA_OK;
}
