/* SPDX-License-Identifier: MIT */
/* Reads the classes of a stream's symbols (doc/format/block_columns.md, clause 14.10). */
#include "entropy/entropy.h"

/* The cells of a part of the tree: for each context the levels from `from` up to `to`, exclusive. */
typedef struct box {
    uint8_t from[CONTEXTS_USED], to[CONTEXTS_USED];
} box;

/* Assigns the next class to all cells of a box. Returns false if there are too many classes. */
static bool fill_box(const box *b, class_map *c)
{
    if (c->count == CLASSES_MAX)
        return false;
    for (unsigned z = b->from[2]; z < b->to[2]; z++)
        for (unsigned y = b->from[1]; y < b->to[1]; y++)
            memset(&c->of[(z * CONTEXT_LEVELS + y) * CONTEXT_LEVELS + b->from[0]], (int)c->count,
                   (size_t)(b->to[0] - b->from[0]));
    c->count++;
    return true;
}

/* A cut must have levels on both sides. The parts therefore become smaller and the recursion ends. */
static bool read_node(cursor *in, const box *b, class_map *c)
{
    unsigned node = cursor_byte(in), which = node / CONTEXT_LEVELS, cut = node % CONTEXT_LEVELS;
    if (in->failed)
        return false;
    if (node == 0)
        return fill_box(b, c);
    if (which >= CONTEXTS_USED || cut <= b->from[which] || cut >= b->to[which])
        return false;
    box below = *b, above = *b;
    below.to[which] = above.from[which] = (uint8_t)cut;
    return read_node(in, &below, c) && read_node(in, &above, c);
}

bool stamma_classes_read_tree(cursor *in, unsigned kinds, class_map *c)
{
    box all = {{0}, {0}};
    for (size_t i = 0; i < CONTEXTS_USED; i++) {
        all.to[i] = CONTEXT_LEVELS;
        c->contexts[i] = cursor_byte(in);
        if (c->contexts[i] >= kinds)
            return false;
    }
    c->count = 0;
    return read_node(in, &all, c);
}

stamma_error stamma_classes_read(cursor *in, unsigned kinds, unsigned *left, buffer *classes)
{
    number_frequencies f;
    if (!buffer_reserve(classes, sizeof(number_classes)))
        return STAMMA_ERROR_NO_MEMORY;
    class_map *map = (class_map *)(void *)(classes->data + classes->size);
    if (!stamma_classes_read_tree(in, kinds, map) || map->count > *left)
        return STAMMA_ERROR_CORRUPT;
    size_t count = map->count, size = number_classes_size(count);
    *left -= map->count;
    if (!buffer_reserve(classes, size))
        return STAMMA_ERROR_NO_MEMORY;
    number_classes *c = (number_classes *)(void *)(classes->data + classes->size);
    for (size_t n = 0; n < count; n++) {
        if (!stamma_number_read_frequencies(in, &f))
            return STAMMA_ERROR_CORRUPT;
        stamma_number_fill_slots(&f, &c->slots[n]);
    }
    classes->size += size;
    return STAMMA_OK;
}
