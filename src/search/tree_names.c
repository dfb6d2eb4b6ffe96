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
static stamma_error copy_name(stamma_tree *t, stamma_text value, buffer *text, stamma_text *name)
{
    if (!stamma_tag_text(value, text))
        return STAMMA_ERROR_NO_MEMORY;
    const stamma_text read = {text->size > 0 ? (const char *)text->data : "", text->size};
    uint32_t number = stamma_text_table_add(&t->texts, read);
    if (number == 0)
        return STAMMA_ERROR_NO_MEMORY;
    *name = text_table_at(&t->texts, number);
    return STAMMA_OK;
}

static stamma_error copy_names(stamma_tree *t, stamma_text white, stamma_text black, buffer *text,
                               stamma_tree_game *game)
{
    stamma_text name = {NULL, 0};
    stamma_error error = copy_name(t, white, text, &name);
    if (error == STAMMA_OK)
        error = copy_name(t, black, text, &game->black);
    if (error == STAMMA_OK)
        game->white = name;
    return error;
}

/* ---- from an index ---- */

static const tag_values *values_of(const kept_block *k, const char *name)
{
    return stamma_block_tags_find(&k->tags, (stamma_text){name, strlen(name)});
}

/* Names those games that the index knows the names of, and takes them off the list. */
static stamma_error name_by_index(stamma_tree *t, const stamma_search_index *index, stamma_tree_game **list,
                                  size_t *count, buffer *text)
{
    size_t left = 0, record;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < *count && error == STAMMA_OK; n++) {
        const kept_block *k = stamma_search_index_find(index, list[n]->game, &record);
        const tag_values *white = k ? values_of(k, "White") : NULL, *black = k ? values_of(k, "Black") : NULL;
        if (white && black)
            error = copy_names(t, block_tags_text(&k->tags, white, tag_values_number(white, record)),
                               block_tags_text(&k->tags, black, tag_values_number(black, record)), text, list[n]);
        else
            list[left++] = list[n];
    }
    *count = left;
    return error;
}

/* ---- from the archive ---- */

static stamma_error read_game(stamma_archive_reader *reader, uint64_t number, const stamma_archive_game **game)
{
    stamma_error error = stamma_archive_reader_seek(reader, number);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_next(reader, game);
    return error == STAMMA_OK && (!*game || (*game)->number != number) ? STAMMA_ERROR_CORRUPT : error;
}

static stamma_error name_by_reader(stamma_tree *t, stamma_archive_reader *reader, stamma_tree_game **list, size_t count,
                                   buffer *text)
{
    stamma_error error = stamma_archive_reader_select(reader, STAMMA_GAME_TAGS);
    for (size_t n = 0; n < count && error == STAMMA_OK; n++) {
        const stamma_archive_game *game = NULL;
        if (n > 0 && list[n]->game == list[n - 1]->game) {
            list[n]->white = list[n - 1]->white;
            list[n]->black = list[n - 1]->black;
            continue;
        }
        error = read_game(reader, list[n]->game, &game);
        if (error == STAMMA_OK)
            error = copy_names(t, stamma_archive_game_tag(game, "White"), stamma_archive_game_tag(game, "Black"), text,
                               list[n]);
    }
    return error;
}

static stamma_error name_games(stamma_tree *t, stamma_text name, memory_bytes *bytes, const stamma_search_index *index,
                               stamma_tree_game **list, buffer *text)
{
    const stamma_input input = stamma_memory_input(bytes);
    const stamma_archive_reader_options options = {.size = sizeof options, .allocator = &t->allocator};
    stamma_archive_reader *reader = NULL;
    size_t count = list_games(t, name, list);
    stamma_error error = index ? name_by_index(t, index, list, &count, text) : STAMMA_OK;
    if (error != STAMMA_OK || (index && count == 0))
        return error;
    error = stamma_archive_reader_open(&input, &options, &reader);
    if (error == STAMMA_OK)
        error = name_by_reader(t, reader, list, count, text);
    stamma_archive_reader_close(reader);
    return error;
}

stamma_error stamma_tree_name_games(stamma_tree *t, stamma_text name, const void *archive, size_t size,
                                    const stamma_search_options *given)
{
    stamma_search_options options = {.size = 0};
    if (!t || !text_is_given(name) || (!archive && size > 0))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error =
        stamma_archive_options_read(given, &options, sizeof options, &options.allocator, &options.executor);
    if (error == STAMMA_OK && options.index && !stamma_search_index_is_of(options.index, archive, size))
        error = STAMMA_ERROR_BAD_ARGUMENT;
    if (error != STAMMA_OK)
        return error;
    buffer text = {.allocator = &t->allocator};
    memory_bytes bytes = {(const uint8_t *)archive, size, 0};
    size_t room = LISTED + 2 * stamma_tree_move_count(t);
    stamma_tree_game **list = (stamma_tree_game **)memory_allocate(&t->allocator, size_multiply(room, sizeof *list));
    error = list ? name_games(t, name, &bytes, options.index, list, &text) : STAMMA_ERROR_NO_MEMORY;
    stamma_buffer_release(&text);
    memory_release(&t->allocator, list);
    return error;
}
