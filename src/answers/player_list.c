/* SPDX-License-Identifier: MIT */
/* Lists the names of all players of archives, with the number of their games and the range of their ratings. */
#include "answers/player_list.h"

stamma_error stamma_players_open(const stamma_allocator *given, stamma_players **players)
{
    if (!players || !allocator_is_given(given))
        return STAMMA_ERROR_BAD_ARGUMENT;
    const stamma_allocator allocator = stamma_allocator_or_default(given);
    stamma_players *p = (stamma_players *)memory_allocate(&allocator, sizeof *p);
    if (!p)
        return STAMMA_ERROR_NO_MEMORY;
    memset(p, 0, sizeof *p);
    p->allocator = allocator;
    p->folded_names.copies = p->spellings.copies = true;
    p->folded_names.allocator = p->spellings.allocator = p->rows.allocator = p->words.allocator = &p->allocator;
    p->text.allocator = p->work.allocator = p->segment.allocator = &p->allocator;
    *players = p;
    return STAMMA_OK;
}

void stamma_players_close(stamma_players *p)
{
    if (!p)
        return;
    const stamma_allocator allocator = p->allocator;
    stamma_text_table_release(&p->folded_names);
    stamma_text_table_release(&p->spellings);
    stamma_buffer_release(&p->rows);
    stamma_buffer_release(&p->words);
    stamma_buffer_release(&p->text);
    stamma_buffer_release(&p->work);
    stamma_buffer_release(&p->segment);
    memory_release(&allocator, p);
}

/* ---- rows ---- */

static player_row *row_list(const buffer *rows)
{
    return (player_row *)(void *)rows->data;
}

static void count_rating(player_row *row, unsigned rating)
{
    if (rating == 0)
        return;
    if (row->rating_max == 0 || rating < row->rating_min)
        row->rating_min = (uint16_t)rating;
    if (rating > row->rating_max)
        row->rating_max = (uint16_t)rating;
}

static void add_counts(player_row *sum, const player_row *more)
{
    sum->games[STAMMA_WHITE] += more->games[STAMMA_WHITE];
    sum->games[STAMMA_BLACK] += more->games[STAMMA_BLACK];
    count_rating(sum, more->rating_min);
    count_rating(sum, more->rating_max);
}

/* Returns the row of a folded name; NULL if memory is exhausted. */
static player_row *row_of(stamma_players *p, stamma_text folded)
{
    const uint32_t number = stamma_text_table_add(&p->folded_names, folded);
    const player_row none = {.words = 0};
    while (number > 0 && p->rows.size / sizeof none < number) {
        if (!buffer_reserve(&p->rows, sizeof none))
            return NULL;
        buffer_add(&p->rows, &none, sizeof none);
    }
    return number > 0 ? &row_list(&p->rows)[number - 1] : NULL;
}

/* Shows a name if its bytes sort after those of the earlier spelling, as small letters and letters with accents do. */
static bool keep_spelling(stamma_players *p, player_row *row, stamma_text name)
{
    const stamma_text shown = row->spelling > 0 ? text_table_at(&p->spellings, row->spelling) : (stamma_text){"", 0};
    const int order = memcmp(name.data, shown.data, name.size < shown.size ? name.size : shown.size);
    if (row->spelling > 0 && (order < 0 || (order == 0 && name.size <= shown.size)))
        return true;
    row->spelling = stamma_text_table_add(&p->spellings, name);
    return row->spelling > 0;
}

/* Adds games and ratings to the row of a name. An empty name and `?` have no row. Returns false if memory is
 * exhausted. */
static bool add_named(stamma_players *p, stamma_text name, const player_row *more)
{
    if (name.size == 0 || (name.size == 1 && name.data[0] == '?'))
        return true;
    p->work.size = 0;
    stamma_fold(name, &p->work);
    const stamma_text folded = {p->work.size > 0 ? (const char *)p->work.data : "", p->work.size};
    player_row *row = p->work.failed ? NULL : row_of(p, folded);
    if (!row || !keep_spelling(p, row, name))
        return false;
    add_counts(row, more);
    return true;
}

static bool add_value(stamma_players *p, stamma_text value, const player_row *more)
{
    return stamma_tag_text(value, &p->text) &&
           add_named(p, (stamma_text){p->text.size > 0 ? (const char *)p->text.data : "", p->text.size}, more);
}

/* ---- from games ---- */

static stamma_error add_game(void *part, stamma_text archive, const stamma_archive_game *game)
{
    static const char *const sides[2] = {"White", "Black"};
    const game_summary summary = stamma_game_summary_of(game);
    bool added = true;
    (void)archive;
    for (unsigned color = STAMMA_WHITE; color <= STAMMA_BLACK && added; color++) {
        player_row row = {.words = 0};
        row.games[color] = 1;
        count_rating(&row, summary.ratings[color]);
        added = add_value((stamma_players *)part, stamma_archive_game_tag(game, stamma_text_of(sides[color])), &row);
    }
    return added ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

/* ---- from an index file ---- */

/* Counts the game of a rank in the rows of the segment's names. Returns false if the index is damaged. */
static bool count_rank(index_file *x, const index_segment *s, uint32_t rank, player_row *rows)
{
    uint32_t names[2];
    index_facts facts;
    if (!stamma_index_players(x, s, stamma_index_record(x, s, rank), names) ||
        !stamma_index_facts(x, s, rank, &facts, NULL))
        return false;
    for (unsigned color = STAMMA_WHITE; color <= STAMMA_BLACK; color++) {
        rows[names[color]].games[color]++;
        count_rating(&rows[names[color]], facts.rating[color]);
    }
    return true;
}

static stamma_error add_names(stamma_players *p, index_file *x, const index_segment *s, const player_row *rows)
{
    for (uint32_t n = 1; n <= s->counts[COUNT_NAMES]; n++) {
        const stamma_text name = stamma_index_name(x, s, n);
        if (!name.data)
            return STAMMA_ERROR_CORRUPT;
        if (rows[n].games[STAMMA_WHITE] + rows[n].games[STAMMA_BLACK] > 0 && !add_value(p, name, &rows[n]))
            return STAMMA_ERROR_NO_MEMORY;
    }
    return STAMMA_OK;
}

static stamma_error add_segment(stamma_players *p, const file_search *from, const index_segment *s)
{
    enum { AT_ONCE = 4096 }; /* games between checks of the limits */
    index_file *x = from->index->file;
    const size_t count = (size_t)s->counts[COUNT_NAMES] + 1;
    player_row *rows = (player_row *)buffer_array(&p->segment, count, sizeof *rows);
    if (!rows)
        return STAMMA_ERROR_NO_MEMORY;
    memset(rows, 0, count * sizeof *rows);
    for (uint32_t rank = 0; rank < s->counts[COUNT_GAMES]; rank++) {
        if (rank % AT_ONCE == 0 && stamma_search_is_stopped(from->limits))
            return STAMMA_ERROR_CANCELLED;
        if (!count_rank(x, s, rank, rows))
            return stamma_index_damaged(x);
    }
    return add_names(p, x, s, rows);
}

static stamma_error add_file(void *part, const file_search *from, search_plan *plan)
{
    const index_file *x = from->index->file;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < x->segment_count && error == STAMMA_OK; n++)
        error = add_segment((stamma_players *)part, from, &x->segments[n]);
    plan->usable = error == STAMMA_OK;
    return error;
}

/* ---- archives ---- */

static stamma_error open_part(const void *whole, const stamma_allocator *allocator, void **part)
{
    stamma_players *p = NULL;
    stamma_error error = stamma_players_open(allocator, &p);
    (void)whole;
    *part = p;
    return error;
}

static stamma_error merge_parts(void *whole, void *part)
{
    stamma_players *into = (stamma_players *)whole;
    const stamma_players *p = (const stamma_players *)part;
    for (size_t n = 0; n < p->rows.size / sizeof(player_row); n++)
        if (!add_named(into, player_name(p, n), &row_list(&p->rows)[n]))
            return STAMMA_ERROR_NO_MEMORY;
    return STAMMA_OK;
}

static void close_part(void *part)
{
    stamma_players_close((stamma_players *)part);
}

stamma_error stamma_players_add_archive(stamma_players *players, stamma_archive *archive,
                                        const stamma_search_options *options, stamma_place *place)
{
    if (!players)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const gathering g = {.whole = players,
                         .parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT,
                         .open = open_part,
                         .add_game = add_game,
                         .add_file = add_file,
                         .merge = merge_parts,
                         .close = close_part};
    stamma_error error = stamma_gather(archive, NULL, options, &g, place);
    return error == STAMMA_OK && !stamma_players_fold(players) ? STAMMA_ERROR_NO_MEMORY : error;
}
