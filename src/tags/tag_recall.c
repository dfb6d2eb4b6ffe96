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

uint32_t stamma_tag_literal_add(tag_reader *r, tag_column *c)
{
    tag_column *owner = &r->columns[c->owner];
    if (!owner->spelt) {
        const stamma_text text = stamma_tag_literal(r, c);
        if (c->at.failed)
            return 0;
        buffer_add(&owner->texts, &text, sizeof text);
    }
    const uint32_t index = stamma_tag_dictionary_add(&owner->dictionary, c->plan.indexed);
    r->no_memory |= owner->dictionary.older.failed | owner->texts.failed;
    return r->no_memory ? 0 : index;
}

bool stamma_tag_spell(tag_reader *r, tag_column *owner, uint32_t index)
{
    stamma_error error = STAMMA_OK;
    owner->spelt->stop = r->stop;
    while (owner->texts.size / sizeof(stamma_text) < index && error == STAMMA_OK) {
        stamma_text text;
        error = stamma_spelt_take(owner->spelt, &text);
        if (error == STAMMA_OK)
            buffer_add(&owner->texts, &text, sizeof text);
        r->no_memory |= error == STAMMA_ERROR_NO_MEMORY || owner->texts.failed;
        error = owner->texts.failed ? STAMMA_ERROR_NO_MEMORY : error;
    }
    return error == STAMMA_OK;
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
