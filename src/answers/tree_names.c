/* SPDX-License-Identifier: MIT */
/* Reads the names of the players in a tree's example games, and only of these games, from an archive. */
#include "answers/answers.h"
#include "search/block_search.h"

#include <stdlib.h>

/* Maximum number of games in the two lists of a tree; each move has two more. */
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

/* Lists the games without names, in the order of their numbers. */
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

/* Copies a name. A missing name becomes an empty name. */
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

/* ---- names from the tags of blocks ---- */

/* An archive, and the block that was last opened because it is not in the index. */
typedef struct name_source {
    stamma_archive *archive;
    buffer payload; /* of `opened`, if the archive is not in memory */
    const block_list *list;
    kept_block *const *kept; /* NULL: there is no index */
    size_t block;
    kept_block *opened; /* NULL: the block could not be opened */
    search_limits limits;
} name_source;

static const stamma_text names[2] = {{"White", 5}, {"Black", 5}};

/* Opens the parts of a block that are needed for names. Ignores damage, which the reader reports later. */
static stamma_error open_block(name_source *w, size_t block, const stamma_allocator *allocator)
{
    found_block at;
    stamma_kept_block_release(w->opened);
    w->block = block;
    w->opened = NULL;
    stamma_error error = stamma_block_find(&w->list->places[block], &w->archive->bytes, &w->payload, &at);
    if (error == STAMMA_OK && !(w->opened = stamma_kept_block_new(allocator)))
        return STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK) {
        w->opened->index.without_moves = true;
        w->opened->tags.limits = &w->limits;
        error = stamma_block_index_open(&w->opened->index, &at);
    }
    if (error == STAMMA_OK)
        error = stamma_block_tags_open(&w->opened->tags, &w->opened->index, &at, names, 2);
    if (error == STAMMA_OK)
        return STAMMA_OK;
    stamma_kept_block_release(w->opened);
    w->opened = NULL;
    return error == STAMMA_ERROR_NO_MEMORY || error == STAMMA_ERROR_CANCELLED ? error : STAMMA_OK;
}

static stamma_error find_block(name_source *w, uint64_t game, const stamma_allocator *allocator,
                               const kept_block **block)
{
    size_t n = stamma_block_list_find(w->list, game);
    *block = n < w->list->count && w->kept ? w->kept[n] : NULL;
    if (n == w->list->count || *block)
        return STAMMA_OK;
    stamma_error error = n == w->block ? STAMMA_OK : open_block(w, n, allocator);
    *block = w->opened;
    return error;
}

/* Sets the names of a game if the tags of its block contain them; otherwise *named is false. */
static stamma_error name_game(stamma_tree *t, name_source *w, stamma_tree_game *game, buffer *text, bool *named)
{
    const kept_block *k = NULL;
    stamma_error error = find_block(w, game->game, &t->allocator, &k);
    const tag_values *values[2] = {NULL, NULL};
    stamma_text found[2];
    *named = false;
    if (error != STAMMA_OK || !k)
        return error;
    uint64_t first = w->list->places[stamma_block_list_find(w->list, game->game)].spans[SPAN_GAMES].begin;
    size_t record = stamma_block_index_record(&k->index, game->game - first);
    if (record == k->index.records || k->index.marks.data[record] & RECORD_HAS_TAGS)
        return STAMMA_OK;
    for (size_t n = 0; n < 2; n++) {
        values[n] = stamma_block_tags_find(&k->tags, names[n]);
        if (!values[n])
            return STAMMA_OK;
        found[n] = block_tags_text(&k->tags, values[n], tag_values_number(values[n], record));
    }
    *named = true;
    return copy_names(t, found[0], found[1], text, game);
}

/* Sets the names of the games of a list, and removes the games whose names were found from the list. */
static stamma_error name_by_blocks(stamma_tree *t, name_source *w, stamma_tree_game **list, size_t *count, buffer *text)
{
    size_t left = 0;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < *count && error == STAMMA_OK; n++) {
        bool named = false;
        error = name_game(t, w, list[n], text, &named);
        if (!named)
            list[left++] = list[n];
    }
    *count = left;
    stamma_kept_block_release(w->opened);
    w->opened = NULL;
    return error;
}

/* ---- names from an index file ---- */

/* Sets the names of the games of a list. Only the games that the file does not contain remain in the list; *count
 * becomes their number. If the file is damaged, all games remain. */
static stamma_error name_by_file(stamma_tree *t, index_file *file, stamma_tree_game **list, size_t *count, buffer *text)
{
    size_t n = 0;
    stamma_error error = STAMMA_OK;
    for (; n < *count && error == STAMMA_OK; n++) {
        uint32_t record, numbers[2];
        const index_segment *s = stamma_index_find_game(file, list[n]->game, &record);
        if (!s || !stamma_index_players(file, s, record, numbers))
            break;
        const stamma_text white = stamma_index_name(file, s, numbers[0]),
                          black = stamma_index_name(file, s, numbers[1]);
        error = copy_names(t, white, black, text, list[n]);
    }
    const bool damaged = atomic_load_explicit(&file->damaged, memory_order_relaxed);
    for (; damaged && n > 0; n--) /* names that were read before the damage was found may be wrong */
        list[n - 1]->white = list[n - 1]->black = (stamma_text){NULL, 0};
    *count -= n;
    memmove(list, list + n, *count * sizeof *list);
    return error;
}

/* ---- names from the archive ---- */

static stamma_error read_game(stamma_archive_reader *reader, uint64_t number, const stamma_archive_game **game)
{
    stamma_error error = stamma_archive_reader_seek(reader, number);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_next(reader, game);
    return error == STAMMA_OK && !*game ? STAMMA_ERROR_CORRUPT : error;
}

static stamma_error name_by_reader(stamma_tree *t, stamma_archive_reader *reader, stamma_tree_game **list, size_t count,
                                   search_limits *limits, buffer *text)
{
    stamma_error error = stamma_archive_reader_select(reader, STAMMA_GAME_TAGS);
    for (size_t n = 0; n < count && error == STAMMA_OK; n++) {
        const stamma_archive_game *game = NULL;
        if (n > 0 && list[n]->game == list[n - 1]->game) {
            list[n]->white = list[n - 1]->white;
            list[n]->black = list[n - 1]->black;
            continue;
        }
        error = stamma_search_is_stopped(limits) ? STAMMA_ERROR_CANCELLED : read_game(reader, list[n]->game, &game);
        if (error == STAMMA_OK)
            error = copy_names(t, stamma_archive_game_tag(game, stamma_text_of("White")),
                               stamma_archive_game_tag(game, stamma_text_of("Black")), text, list[n]);
    }
    return error;
}

static stamma_error read_names(stamma_tree *t, name_source *w, stamma_tree_game **list, size_t count, buffer *text)
{
    const stamma_archive_reader_options options = {
        .size = sizeof options, .context = &w->limits, .stop = w->limits.check.is_stopped};
    stamma_archive_reader *reader = NULL;
    stamma_error error = stamma_archive_reader_open(w->archive, &options, &reader);
    if (error == STAMMA_OK)
        error = name_by_reader(t, reader, list, count, &w->limits, text);
    stamma_archive_reader_close(reader);
    return error;
}

static stamma_error name_games(stamma_tree *t, stamma_text name, stamma_archive *archive,
                               const stamma_search_options *options, stamma_tree_game **list)
{
    buffer text = {.allocator = &t->allocator};
    const stamma_search_index *index = handle_index(archive);
    name_source w = {.archive = archive,
                     .payload = {.allocator = &t->allocator},
                     .list = index ? &index->list : NULL,
                     .kept = index ? index->blocks : NULL,
                     .block = SIZE_MAX};
    stamma_search_limits_init(&w.limits, options);
    size_t count = list_games(t, name, list);
    stamma_error error = index ? STAMMA_OK : stamma_handle_list(archive, false, &w.list);
    if (error == STAMMA_OK && index && index->file)
        error = name_by_file(t, index->file, list, &count, &text);
    if (error == STAMMA_OK)
        error = name_by_blocks(t, &w, list, &count, &text);
    if (error == STAMMA_OK && count > 0)
        error = read_names(t, &w, list, count, &text);
    stamma_buffer_release(&text);
    stamma_buffer_release(&w.payload);
    return error;
}

stamma_error stamma_tree_name_games(stamma_tree *t, stamma_text name, stamma_archive *archive,
                                    const stamma_search_options *given)
{
    stamma_search_options options = {.size = 0};
    const stamma_allocator *none = NULL;
    if (!t || !archive || !text_is_given(name))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_archive_options_read(given, &options, sizeof options, &none, &options.executor);
    if (error != STAMMA_OK)
        return error;
    size_t room = LISTED + 2 * stamma_tree_move_count(t);
    stamma_tree_game **list = (stamma_tree_game **)memory_allocate(&t->allocator, size_multiply(room, sizeof *list));
    error = list ? name_games(t, name, archive, &options, list) : STAMMA_ERROR_NO_MEMORY;
    memory_release(&t->allocator, list);
    return error;
}
