/* Names of players for the games that a tree gives as examples: an archive is read for these few games alone. */
#include "search/block_search.h"
#include "search/values.h"

#include <stdlib.h>

/* Each has at most these, and each move two more. */
enum { LISTED = 2 * TREE_GAMES };

static bool is_asked_for(const stamma_tree_game *game, stamma_text archive)
{
    return !game->white.data && text_equal(game->archive, archive);
}

static int compare(const void *first, const void *second)
{
    const stamma_tree_game *a = *(stamma_tree_game *const *)first, *b = *(stamma_tree_game *const *)second;
    return (a->game > b->game) - (a->game < b->game);
}

/* The games without names, in the order of their numbers. */
static size_t list_games(stamma_tree *t, stamma_text archive, stamma_tree_game **list)
{
    size_t count = 0;
    for (size_t n = 0; n < t->top.count; n++)
        if (is_asked_for(&t->top.games[n], archive))
            list[count++] = &t->top.games[n];
    for (size_t n = 0; n < t->recent.count; n++)
        if (is_asked_for(&t->recent.games[n], archive))
            list[count++] = &t->recent.games[n];
    for (size_t n = 0; n < stamma_tree_move_count(t); n++) {
        stamma_tree_move *m = (stamma_tree_move *)(void *)t->moves.data + n;
        if (is_asked_for(&m->top, archive))
            list[count++] = &m->top;
        if (is_asked_for(&m->recent, archive))
            list[count++] = &m->recent;
    }
    qsort(list, count, sizeof *list, compare);
    return count;
}

/* A missing name is an empty one. */
static stamma_error copy_name(stamma_tree *t, const stamma_archive_game *game, const char *tag, buffer *text,
                              stamma_text *name)
{
    if (!stamma_tag_text(stamma_archive_game_tag(game, tag), text))
        return STAMMA_ERROR_NO_MEMORY;
    const stamma_text read = {text->size > 0 ? (const char *)text->data : "", text->size};
    uint32_t number = stamma_text_table_add(&t->texts, read);
    if (number == 0)
        return STAMMA_ERROR_NO_MEMORY;
    *name = text_table_at(&t->texts, number);
    return STAMMA_OK;
}

static stamma_error name_games(stamma_tree *t, stamma_archive_reader *reader, stamma_tree_game **list, size_t count,
                               buffer *text)
{
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < count && error == STAMMA_OK; n++) {
        const stamma_archive_game *game = NULL;
        if (n > 0 && list[n]->game == list[n - 1]->game) {
            list[n]->white = list[n - 1]->white;
            list[n]->black = list[n - 1]->black;
            continue;
        }
        error = stamma_archive_reader_seek(reader, list[n]->game);
        if (error == STAMMA_OK)
            error = stamma_archive_reader_next(reader, &game);
        if (error == STAMMA_OK && (!game || game->number != list[n]->game))
            error = STAMMA_ERROR_CORRUPT;
        stamma_text white = {NULL, 0};
        if (error == STAMMA_OK)
            error = copy_name(t, game, "White", text, &white);
        if (error == STAMMA_OK)
            error = copy_name(t, game, "Black", text, &list[n]->black);
        if (error == STAMMA_OK)
            list[n]->white = white;
    }
    return error;
}

stamma_error stamma_tree_name_games(stamma_tree *t, stamma_text name, const void *archive, size_t size,
                                    const stamma_search_options *given)
{
    (void)given;
    if (!t || !text_is_given(name) || (!archive && size > 0))
        return STAMMA_ERROR_BAD_ARGUMENT;
    buffer text = {.allocator = &t->allocator};
    memory_bytes bytes = {(const uint8_t *)archive, size, 0};
    const stamma_input input = stamma_memory_input(&bytes);
    const stamma_archive_reader_options options = {.size = sizeof options, .allocator = &t->allocator};
    stamma_archive_reader *reader = NULL;
    size_t room = LISTED + 2 * stamma_tree_move_count(t);
    stamma_tree_game **list = (stamma_tree_game **)memory_allocate(&t->allocator, size_multiply(room, sizeof *list));
    stamma_error error = list ? stamma_archive_reader_open(&input, &options, &reader) : STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK)
        error = stamma_archive_reader_select(reader, STAMMA_GAME_TAGS);
    if (error == STAMMA_OK)
        error = name_games(t, reader, list, list_games(t, name, list), &text);
    stamma_archive_reader_close(reader);
    stamma_buffer_release(&text);
    memory_release(&t->allocator, list);
    return error;
}
