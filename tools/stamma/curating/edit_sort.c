/* SPDX-License-Identifier: MIT */
/* Sorts games of any number: their texts are in a temporary file, only their keys in memory. */
#include "curating/edit_sort.h"

typedef struct edit_entry {
    uint64_t offset, size; /* of the text, with its continuations */
    uint64_t order;        /* games with equal keys keep their order; 0: text before the first game */
    uint32_t flags;
    const edit_sort *sort;
    find_key keys[FIND_SORT_KEYS];
} edit_entry;

static bool fail_file(void)
{
    tool_say(NULL, "the temporary file for sorting: %s", strerror(errno));
    return false;
}

bool edit_sort_open(edit_sort *s, const char *keys)
{
    (void)find_orders_read(keys, s->orders, &s->order_count);
    s->texts = system_temporary();
    return s->texts || fail_file();
}

void edit_sort_close(edit_sort *s)
{
    for (size_t n = 0; n < s->count; n++)
        find_keys_free(s->entries[n].keys, s->order_count);
    if (s->texts)
        (void)fclose(s->texts);
    free(s->entries);
    free(s->tags);
    free(s->text);
    *s = (edit_sort){.count = 0};
}

/* ---- keys ---- */

/* Reads the tags of a text. The names and values point into the text. */
static bool read_tags(edit_sort *s, stamma_text text, size_t *count)
{
    const stamma_pgn_options options = {.size = sizeof options, .tokens_only = true, .max_token = text.size + 256};
    stamma_pgn_reader *reader = NULL;
    stamma_pgn_event event = {.kind = STAMMA_PGN_GAME_BEGIN};
    stamma_error error = stamma_pgn_reader_open_memory(text.data, text.size, &options, &reader);
    *count = 0;
    while (!error && !(error = stamma_pgn_reader_next(reader, &event)) && event.kind != STAMMA_PGN_MOVE &&
           event.kind != STAMMA_PGN_GAME_END && event.kind != STAMMA_PGN_END) {
        if (event.kind != STAMMA_PGN_TAG)
            continue;
        if (*count == s->tag_room) {
            const size_t room = 2 * s->tag_room + 16;
            stamma_tag *tags = realloc(s->tags, room * sizeof *tags);
            error = tags ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
            s->tags = tags ? tags : s->tags;
            s->tag_room = tags ? room : s->tag_room;
        }
        if (!error)
            s->tags[(*count)++] = (stamma_tag){event.text, event.value};
    }
    stamma_pgn_reader_close(reader);
    return !error || tool_fail_memory(NULL);
}

static bool read_keys(edit_sort *s, edit_entry *e, const stamma_archive_game *game, stamma_text text, size_t plies)
{
    stamma_archive_game final = *game;
    if (text.data != game->text.data) {
        if (!read_tags(s, text, &final.tag_count))
            return false;
        final.tags = s->tags;
        final.ply_count = plies;
    }
    for (size_t k = 0; k < s->order_count; k++) {
        e->keys[k].number = (double)e->order;
        find_key_read(s->orders[k].tag, &final, &e->keys[k]);
    }
    return true;
}

/* ---- games ---- */

static bool add_entry(edit_sort *s, uint64_t order, uint32_t flags)
{
    if (s->count == s->room) {
        const size_t room = 2 * s->room + 1024;
        edit_entry *entries = realloc(s->entries, room * sizeof *entries);
        if (!entries)
            return tool_fail_memory(NULL);
        s->entries = entries;
        s->room = room;
    }
    s->entries[s->count++] = (edit_entry){.offset = s->size, .order = order, .flags = flags, .sort = s};
    return true;
}

bool edit_sort_add(edit_sort *s, const stamma_archive_game *game, stamma_text text, size_t plies)
{
    if (game->continuation && s->count == 0 && !add_entry(s, 0, 0))
        return false;
    if (!game->continuation &&
        (!add_entry(s, s->count + 1, game->flags) || !read_keys(s, &s->entries[s->count - 1], game, text, plies)))
        return false;
    if (text.size > 0 && fwrite(text.data, 1, text.size, s->texts) != text.size)
        return fail_file();
    s->entries[s->count - 1].size += text.size;
    s->size += text.size;
    return true;
}

static int compare(const void *left, const void *right)
{
    const edit_entry *a = left, *b = right;
    int order = 0;
    if (a->order > 0 && b->order > 0)
        order = find_keys_compare(a->sort->orders, a->sort->order_count, a->keys, b->keys);
    return order != 0 ? order : a->order < b->order ? -1 : 1;
}

/* Returns the separator after the text of a game: a line end if the text does not end with an empty line. If the text
 * does not end with a line end, tool_rewriting_put adds the separator before the next game. */
static stamma_text separator(stamma_text text)
{
    const char *const ends[] = {"\r\n", "\n", "\r"};
    for (size_t n = 0; n < sizeof ends / sizeof *ends; n++) {
        const size_t size = strlen(ends[n]);
        if (text.size < size || memcmp(text.data + text.size - size, ends[n], size) != 0)
            continue;
        const bool twice = text.size >= 2 * size && memcmp(text.data + text.size - 2 * size, ends[n], size) == 0;
        return twice ? (stamma_text){NULL, 0} : stamma_text_of(ends[n]);
    }
    return (stamma_text){NULL, 0};
}

static bool write_entry(edit_sort *s, const edit_entry *e, tool_rewriting *r)
{
    const size_t size = (size_t)e->size;
    if (s->text_room < size) {
        char *text = realloc(s->text, size);
        if (!text)
            return tool_fail_memory(NULL);
        s->text = text;
        s->text_room = size;
    }
    if (fseeko(s->texts, (off_t)e->offset, SEEK_SET) || fread(s->text, 1, size, s->texts) != size)
        return fail_file();
    const stamma_text text = {s->text, size};
    const bool is_last = e == &s->entries[s->count - 1];
    return (e->order == 0 || tool_rewriting_count(r, e->flags)) && tool_rewriting_put(r, text, true) &&
           (is_last || tool_rewriting_put(r, separator(text), false));
}

bool edit_sort_write(edit_sort *s, tool_rewriting *r)
{
    bool right = true;
    if (s->count > 0)
        qsort(s->entries, s->count, sizeof *s->entries, compare);
    for (size_t n = 0; n < s->count && right; n++)
        right = write_entry(s, &s->entries[n], r);
    return right;
}
