/* SPDX-License-Identifier: MIT */
/* The statistics of all games of a segment: writes them, and adds them to other statistics. Rows of players are stored
 * without names, in the order of the segment's names. */
#include "index/index_build.h"
#include "query/query.h"

enum { RESULTS_OF_A_SIDE = 4, ROW_NUMBERS = 2 * RESULTS_OF_A_SIDE + 1, TOTALS = 8 };

/* Lists the numbers of a row in the order of the file. */
static void list_numbers(stamma_stats_row *row, uint64_t *numbers[ROW_NUMBERS])
{
    stamma_stats_results *white = &row->results[STAMMA_WHITE], *black = &row->results[STAMMA_BLACK];
    uint64_t *const all[ROW_NUMBERS] = {&white->games,      &white->white_wins, &white->draws,
                                        &white->black_wins, &black->games,      &black->white_wins,
                                        &black->draws,      &black->black_wins, &row->plies};
    memcpy(numbers, all, sizeof all);
}

static void list_totals(stamma_stats_total *total, uint64_t *numbers[TOTALS])
{
    stamma_stats_results *r = &total->results;
    uint64_t *const all[TOTALS] = {&r->games,     &r->white_wins,  &r->draws,      &r->black_wins,
                                   &total->plies, &total->longest, &total->set_up, &total->rated};
    memcpy(numbers, all, sizeof all);
}

/* ---- writing ---- */

static void add_numbers(buffer *out, const stamma_stats_row *row)
{
    stamma_stats_row copy = *row;
    uint64_t *numbers[ROW_NUMBERS];
    list_numbers(&copy, numbers);
    for (size_t n = 0; n < ROW_NUMBERS; n++)
        stamma_buffer_add_varint(out, *numbers[n]);
}

static void add_table(buffer *out, const stats_table *t)
{
    size_t count;
    const stamma_stats_row *rows = stats_rows(t, &count);
    stamma_buffer_add_varint(out, count);
    for (size_t n = 0; n < count; n++) {
        stamma_buffer_add_varint(out, rows[n].name.size);
        buffer_add(out, rows[n].name.data, rows[n].name.size);
        add_numbers(out, &rows[n]);
    }
}

/* Adds the rows of players. Several names of tags may be the same text: only the first of these names has a row. */
static bool add_player_rows(index_build *b, buffer *out)
{
    const buffer *starts = &b->sections[SECTION_NAME_STARTS], *names = &b->sections[SECTION_NAMES];
    const stats_table *t = &b->stats.tables[STAMMA_STATS_PLAYERS];
    size_t count;
    if (starts->failed || names->failed)
        return false;
    const stamma_stats_row *rows = stats_rows(t, &count), none = {.plies = 0};
    buffer text = {.allocator = b->allocator}, used = {.allocator = b->allocator};
    uint8_t *marks = (uint8_t *)buffer_array(&used, count + 1, 1);
    for (size_t n = 1; marks && n <= count; n++)
        marks[n] = 0;
    for (size_t n = 1; marks && n <= b->names.count && !text.failed; n++) {
        const uint32_t begin = load_u32(starts->data + 4 * n), end = load_u32(starts->data + 4 * n + 4);
        const stamma_text name = {(const char *)buffer_at(names, begin), end - begin};
        uint32_t number = 0;
        if (begin < end && stamma_tag_text(name, &text))
            number = stamma_text_table_find(&t->names, (stamma_text){(const char *)text.data, text.size});
        const bool first = number > 0 && !marks[number];
        if (first)
            marks[number] = 1;
        add_numbers(out, first ? &rows[number - 1] : &none);
    }
    const bool added = marks && !text.failed;
    stamma_buffer_release(&text);
    stamma_buffer_release(&used);
    return added;
}

bool stamma_index_make_stats(index_build *b)
{
    buffer *out = &b->sections[SECTION_STATS];
    stamma_stats_total total = b->stats.total;
    uint64_t *numbers[TOTALS];
    list_totals(&total, numbers);
    for (size_t n = 0; n < TOTALS; n++)
        stamma_buffer_add_varint(out, *numbers[n]);
    for (unsigned n = 0; n < STAMMA_STATS_TABLES; n++)
        if (n != STAMMA_STATS_PLAYERS)
            add_table(out, &b->stats.tables[n]);
    return add_player_rows(b, out);
}

/* ---- reading ---- */

static stamma_stats_row read_numbers(cursor *in)
{
    stamma_stats_row row = {.plies = 0};
    uint64_t *numbers[ROW_NUMBERS];
    list_numbers(&row, numbers);
    for (size_t n = 0; n < ROW_NUMBERS; n++)
        *numbers[n] = stamma_cursor_varint(in);
    return row;
}

/* Returns whether a name can be written as JSON. */
static bool is_name(stamma_stats_table table, stamma_text name)
{
    bool digits = true;
    for (size_t n = 0; n < name.size; n++)
        digits &= name.data[n] >= '0' && name.data[n] <= '9';
    return name.size > 0 && stamma_text_is_utf8(name) && (digits || table > STAMMA_STATS_RATINGS);
}

static stamma_error read_table(index_file *x, cursor *in, stamma_stats *stats, stamma_stats_table table)
{
    for (uint64_t count = stamma_cursor_varint(in); count > 0; count--) {
        const uint64_t size = stamma_cursor_varint(in);
        const stamma_text name = {(const char *)cursor_take(in, size), (size_t)size};
        stamma_stats_row row = read_numbers(in);
        row.name = name;
        if (in->failed || !is_name(table, name))
            return stamma_index_damaged(x);
        if (!stamma_stats_add_row(stats, table, &row))
            return STAMMA_ERROR_NO_MEMORY;
    }
    return in->failed ? stamma_index_damaged(x) : STAMMA_OK;
}

static stamma_error read_players(index_file *x, const index_segment *s, cursor *in, stamma_stats *stats)
{
    for (uint32_t name = 1; name <= s->counts[COUNT_NAMES] && !in->failed; name++) {
        const stamma_stats_row row = read_numbers(in);
        if (in->failed || row.results[STAMMA_WHITE].games + row.results[STAMMA_BLACK].games == 0)
            continue;
        const stamma_text text = stamma_index_name(x, s, name);
        if (!text.data)
            return STAMMA_ERROR_CORRUPT;
        if (!stamma_stats_add_value(stats, STAMMA_STATS_PLAYERS, &row, text))
            return STAMMA_ERROR_NO_MEMORY;
    }
    if (in->failed || cursor_left(in) > 0)
        return stamma_index_damaged(x);
    /* starts of names that cannot be read are 0 */
    return atomic_load_explicit(&x->damaged, memory_order_relaxed) ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}

stamma_error stamma_index_stats_read(index_file *x, const index_segment *s, stamma_stats *stats)
{
    const uint64_t size = s->parts[SECTION_STATS].size;
    const uint8_t *at = index_bytes(x, s, SECTION_STATS, 0, size);
    if (!at)
        return STAMMA_ERROR_CORRUPT;
    cursor in = {at, at + size, false};
    stamma_stats_total total = {.plies = 0};
    uint64_t *numbers[TOTALS];
    list_totals(&total, numbers);
    for (size_t n = 0; n < TOTALS; n++)
        *numbers[n] = stamma_cursor_varint(&in);
    if (in.failed || total.results.games != s->counts[COUNT_GAMES])
        return stamma_index_damaged(x);
    stamma_stats_add_total(&stats->total, &total);
    stamma_error error = STAMMA_OK;
    for (unsigned n = 0; n < STAMMA_STATS_TABLES && error == STAMMA_OK; n++)
        if (n != STAMMA_STATS_PLAYERS)
            error = read_table(x, &in, stats, (stamma_stats_table)n);
    return error == STAMMA_OK ? read_players(x, s, &in, stats) : error;
}
