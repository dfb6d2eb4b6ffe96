/* SPDX-License-Identifier: MIT */
/* Merges the games that are removed into the games that are kept.
 *
 * A removed game may be before or after the game that is kept, in any archive. One pass therefore copies the texts of
 * all removed games to a temporary file, so that the next pass can write the kept games in order. */
#include "curating/dedupe.h"

/* ---- which games are removed ---- */

static bool is_removed(const dedupe_found *f, const stamma_duplicate *game)
{
    return game->kind != STAMMA_DUPLICATE_NONE &&
           (game->kind != STAMMA_DUPLICATE_PROBABLE || (f->least_score > 0 && game->score >= f->least_score));
}

bool dedupe_removes(const dedupe_found *f, uint64_t index, stamma_duplicate *game)
{
    stamma_duplicate kept;
    *game = (stamma_duplicate){.kept = index};
    if (stamma_duplicates_at(f->duplicates, (size_t)index, game) || !is_removed(f, game))
        return false;
    /* The game that is kept instead may be a probable duplicate of another game. */
    if (stamma_duplicates_at(f->duplicates, (size_t)game->kept, &kept) == STAMMA_OK && is_removed(f, &kept))
        game->kept = kept.kept;
    return true;
}

bool dedupe_merges(const dedupe_found *f, uint64_t index, stamma_duplicate *game)
{
    stamma_duplicate first, kept;
    if (!dedupe_removes(f, index, game) || stamma_duplicates_at(f->duplicates, (size_t)index, &first) ||
        stamma_duplicates_at(f->duplicates, (size_t)first.kept, &kept))
        return false;
    return first.reason != STAMMA_DUPLICATE_COLORS &&
           (kept.reason != STAMMA_DUPLICATE_COLORS || first.kept == game->kept);
}

/* ---- the texts of the removed games ---- */

static bool note_piece(dedupe_merge *m, bool removed)
{
    const uint64_t index = m->many->games;
    if (removed && m->count > 0)
        m->records[m->count - 1].complete = false;
    if (removed || (m->pieced_count > 0 && m->pieced[m->pieced_count - 1] == index))
        return true;
    if (!tool_list_grow(&m->pieced, &m->pieced_room, m->pieced_count, 1, sizeof *m->pieced))
        return false;
    m->pieced[m->pieced_count++] = index;
    return true;
}

static bool copy_text(void *context, const stamma_archive_game *game)
{
    dedupe_merge *m = context;
    stamma_duplicate found;
    const dedupe_decision *decision = dedupe_decisions_find(m->decisions, m->many->games);
    const bool removed = dedupe_merges(m->found, m->many->games, &found) && !(decision && decision->keep);
    if (game->continuation)
        return note_piece(m, removed);
    if (!removed)
        return true;
    if (!tool_list_grow(&m->records, &m->room, m->count, 1, sizeof *m->records))
        return false;
    if (fwrite(game->text.data, 1, game->text.size, m->texts) != game->text.size) {
        tool_say("temporary file", "%s", strerror(errno));
        return false;
    }
    m->records[m->count++] = (dedupe_record){
        .index = m->many->games, .kept = found.kept, .offset = m->size, .size = game->text.size, .complete = true};
    m->size += game->text.size;
    return true;
}

static int compare_kept(const void *a, const void *b)
{
    const dedupe_record *x = a, *y = b;
    if (x->kept != y->kept)
        return x->kept < y->kept ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int compare_index(const void *a, const void *b)
{
    const dedupe_record *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

static void sort(dedupe_merge *m, int (*compare)(const void *, const void *))
{
    if (m->count > 1)
        qsort(m->records, m->count, sizeof *m->records, compare);
    m->next = 0;
}

bool dedupe_merge_read(dedupe_merge *m, tool_many *many)
{
    m->many = many;
    m->texts = system_temporary();
    if (!m->texts) {
        tool_say("temporary file", "%s", strerror(errno));
        return false;
    }
    if (!tool_many_visit(many, STAMMA_GAME_TEXT, copy_text, m))
        return false;
    sort(m, compare_kept);
    return true;
}

/* ---- merging ---- */

static bool has_pieces(const dedupe_merge *m, uint64_t index)
{
    size_t first = 0, end = m->pieced_count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (m->pieced[middle] < index)
            first = middle + 1;
        else
            end = middle;
    }
    return first < m->pieced_count && m->pieced[first] == index;
}

static bool read_text(dedupe_merge *m, const dedupe_record *r)
{
    if (m->text.room < r->size) {
        char *more = realloc(m->text.bytes, r->size);
        if (!more)
            return tool_fail_memory(NULL);
        m->text.bytes = more;
        m->text.room = r->size;
    }
    if (fseeko(m->texts, (off_t)r->offset, SEEK_SET) != 0 || fread(m->text.bytes, 1, r->size, m->texts) != r->size) {
        tool_say("temporary file", "%s", strerror(errno));
        return false;
    }
    m->text.size = r->size;
    return true;
}

static void count(dedupe_merge *m, const tool_merged *added)
{
    for (size_t n = 0; n < added->tags.size; n++)
        m->tags += n == 0 || added->tags.bytes[n] == ',';
    m->comments += added->comments;
    m->nags += added->nags;
    m->variations += added->variations;
}

bool dedupe_merge_game(dedupe_merge *m, uint64_t index, stamma_text text, tool_buffer *edited)
{
    const size_t before = edited->size;
    while (m->next < m->count && m->records[m->next].kept < index)
        m->next++;
    if (m->next == m->count || m->records[m->next].kept != index)
        return true;
    stamma_error error = tool_merge_begin(&m->merging, text, !has_pieces(m, index));
    for (; !error && m->next < m->count && m->records[m->next].kept == index; m->next++) {
        dedupe_record *r = &m->records[m->next];
        if (!r->complete)
            continue;
        if (!read_text(m, r))
            return false;
        error = tool_merge_add(&m->merging, (stamma_text){m->text.bytes, m->text.size}, &r->added);
        count(m, &r->added);
    }
    if (!error)
        error = tool_merge_end(&m->merging, edited);
    m->games += edited->size > before;
    if (error)
        tool_say(NULL, "%s", stamma_error_text(error));
    return !error;
}

static bool try_game(void *context, const stamma_archive_game *game)
{
    dedupe_merge *m = context;
    tool_buffer edited = {0};
    bool right = game->continuation || dedupe_merge_game(m, m->many->games, game->text, &edited);
    tool_buffer_free(&edited);
    return right;
}

bool dedupe_merge_try(dedupe_merge *m)
{
    if (!tool_many_visit(m->many, STAMMA_GAME_TEXT, try_game, m))
        return false;
    sort(m, compare_index);
    return true;
}

const tool_merged *dedupe_merge_added(dedupe_merge *m, uint64_t index)
{
    while (m->records[m->next].index < index)
        m->next++;
    return &m->records[m->next].added;
}

void dedupe_merge_close(dedupe_merge *m)
{
    if (m->texts)
        (void)fclose(m->texts);
    for (size_t n = 0; n < m->count; n++)
        tool_buffer_free(&m->records[n].added.tags);
    free(m->records);
    free(m->pieced);
    tool_buffer_free(&m->text);
    tool_merge_close(&m->merging);
}
