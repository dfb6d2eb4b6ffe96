/* SPDX-License-Identifier: MIT */
/* A copy of a game in one block of memory, which outlives the reader's next call. */
#include "shared/tool.h"

/* Destination of a copy. If `room` has no memory yet, only the size is counted. */
typedef struct copying {
    char *memory;
    size_t size;
} copying;

/* Copies a list or a text, with an alignment that fits any type. */
static const void *take(copying *c, const void *from, size_t size)
{
    enum { ALIGNED = 8 };
    c->size = (c->size + ALIGNED - 1) / ALIGNED * ALIGNED;
    char *to = c->memory ? c->memory + c->size : NULL;
    if (to && size > 0)
        memcpy(to, from, size);
    c->size += size;
    return from ? to : NULL;
}

static stamma_text take_text(copying *c, stamma_text text)
{
    return (stamma_text){take(c, text.data, text.size), text.size};
}

static void take_tags(copying *c, const stamma_archive_game *game, stamma_archive_game *copy)
{
    copy->tags = take(c, game->tags, game->tag_count * sizeof *game->tags);
    for (size_t i = 0; game->tags && i < game->tag_count; i++) {
        const stamma_tag tag = {take_text(c, game->tags[i].name), take_text(c, game->tags[i].value)};
        if (copy->tags)
            ((stamma_tag *)(uintptr_t)copy->tags)[i] = tag;
    }
}

static void take_items(copying *c, const stamma_archive_game *game, stamma_archive_game *copy)
{
    copy->items = take(c, game->items, game->item_count * sizeof *game->items);
    for (size_t i = 0; game->items && i < game->item_count; i++) {
        stamma_text text = take_text(c, game->items[i].text);
        if (copy->items)
            ((stamma_archive_item *)(uintptr_t)copy->items)[i].text = text;
    }
}

/* Copies a game. Without memory, the result is only used for its size. */
static stamma_archive_game copy_into(copying *c, const stamma_archive_game *game)
{
    stamma_archive_game copy = *game;
    copy.text = take_text(c, game->text);
    copy.result = take_text(c, game->result);
    copy.found = take_text(c, game->found);
    copy.expected = take_text(c, game->expected);
    take_tags(c, game, &copy);
    take_items(c, game, &copy);
    copy.moves = take(c, game->moves, game->moves ? game->ply_count * sizeof *game->moves : 0);
    copy.clocks_ms = take(c, game->clocks_ms, game->clocks_ms ? game->ply_count * sizeof *game->clocks_ms : 0);
    copy.times_spent_ms =
        take(c, game->times_spent_ms, game->times_spent_ms ? game->ply_count * sizeof *game->times_spent_ms : 0);
    copy.evaluations = take(c, game->evaluations, game->evaluations ? game->ply_count * sizeof *game->evaluations : 0);
    return copy;
}

bool tool_game_copy(const stamma_archive_game *game, stamma_archive_game *copy, void **memory)
{
    copying measured = {NULL, 0};
    (void)copy_into(&measured, game);
    copying made = {malloc(measured.size + 1), 0};
    if (!made.memory)
        return tool_fail_memory(NULL);
    *copy = copy_into(&made, game);
    *memory = made.memory;
    return true;
}
