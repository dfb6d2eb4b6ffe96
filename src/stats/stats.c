/* SPDX-License-Identifier: MIT */
/* Statistics of games. Partial statistics can be merged in any order. */
#include "stats/stats.h"

#include <stdlib.h>

/* ---- opening and closing ---- */

/* Makes all members use the allocator of the statistics. */
static void share_allocator(stamma_stats *s)
{
    s->text.allocator = &s->allocator;
    for (unsigned n = 0; n < STAMMA_STATS_TABLES; n++) {
        stats_table *t = &s->tables[n];
        t->names.allocator = t->rows.allocator = t->sorted.allocator = &s->allocator;
    }
}

void stamma_stats_init(stamma_stats *s, const stamma_allocator *allocator)
{
    memset(s, 0, sizeof *s);
    s->allocator = *allocator;
    share_allocator(s);
    for (unsigned n = 0; n < STAMMA_STATS_TABLES; n++)
        s->tables[n].names.copies = true;
}

void stamma_stats_clear(stamma_stats *s)
{
    s->total = (stamma_stats_total){.plies = 0};
    for (unsigned n = 0; n < STAMMA_STATS_TABLES; n++) {
        stats_table *t = &s->tables[n];
        stamma_text_table_clear(&t->names);
        t->names.copies = true;
        t->rows.size = t->sorted.size = 0;
    }
}

void stamma_stats_release(stamma_stats *s)
{
    for (unsigned n = 0; n < STAMMA_STATS_TABLES; n++) {
        stamma_text_table_release(&s->tables[n].names);
        stamma_buffer_release(&s->tables[n].rows);
        stamma_buffer_release(&s->tables[n].sorted);
    }
    stamma_buffer_release(&s->text);
}

stamma_error stamma_stats_open(const stamma_allocator *given, stamma_stats **stats)
{
    if (!stats || !allocator_is_given(given))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator allocator = stamma_allocator_or_default(given);
    stamma_stats *s = (stamma_stats *)memory_allocate(&allocator, sizeof *s);
    if (!s)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_stats_init(s, &allocator);
    *stats = s;
    return STAMMA_OK;
}

void stamma_stats_close(stamma_stats *s)
{
    if (!s)
        return;
    stamma_allocator allocator = s->allocator;
    stamma_stats_release(s);
    memory_release(&allocator, s);
}

/* ---- rows ---- */

void stamma_stats_add_results(stamma_stats_results *sum, const stamma_stats_results *more)
{
    sum->games += more->games;
    sum->white_wins += more->white_wins;
    sum->draws += more->draws;
    sum->black_wins += more->black_wins;
}

static stamma_stats_row *row_list(const stats_table *t)
{
    return (stamma_stats_row *)(void *)t->rows.data;
}

bool stamma_stats_add_row(stamma_stats *s, stamma_stats_table table, const stamma_stats_row *more)
{
    stats_table *t = &s->tables[table];
    uint32_t number = stamma_text_table_add(&t->names, more->name);
    if (number == 0)
        return false;
    t->sorted.size = 0;
    /* adds one row, or several if an earlier call ran out of memory */
    for (size_t n = t->rows.size / sizeof *more; n < number; n++) {
        stamma_stats_row added = {.name = text_table_at(&t->names, n + 1)};
        if (!buffer_reserve(&t->rows, sizeof added))
            return false;
        buffer_add(&t->rows, &added, sizeof added);
    }
    stamma_stats_row *row = &row_list(t)[number - 1];
    stamma_stats_add_results(&row->results[STAMMA_WHITE], &more->results[STAMMA_WHITE]);
    stamma_stats_add_results(&row->results[STAMMA_BLACK], &more->results[STAMMA_BLACK]);
    row->plies += more->plies;
    return true;
}

bool stamma_stats_add_named(stamma_stats *s, stamma_stats_table table, const stamma_stats_row *row, stamma_text name)
{
    stamma_stats_row named = *row;
    named.name = name;
    return name.size == 0 || stamma_stats_add_row(s, table, &named);
}

bool stamma_stats_add_number(stamma_stats *s, stamma_stats_table table, const stamma_stats_row *row, uint64_t number)
{
    char digits[NUMBER_DIGITS];
    const size_t size = (size_t)(digits_write(number, 1, digits) - digits);
    return stamma_stats_add_named(s, table, row, (stamma_text){digits, size});
}

bool stamma_stats_add_value(stamma_stats *s, stamma_stats_table table, const stamma_stats_row *row, stamma_text value)
{
    if (value.size == 0)
        return true;
    return stamma_tag_text(value, &s->text) &&
           stamma_stats_add_named(s, table, row, (stamma_text){(const char *)s->text.data, s->text.size});
}

/* ---- games ---- */

/* The row that a game adds to each table, without its name. */
typedef struct addition {
    stamma_stats *stats;
    stamma_stats_row row;
    bool failed;
} addition;

static void add_named(addition *a, stamma_stats_table table, stamma_text name)
{
    a->failed |= !stamma_stats_add_named(a->stats, table, &a->row, name);
}

static void add_tag(addition *a, stamma_stats_table table, const stamma_archive_game *game, const char *tag)
{
    a->failed |= !stamma_stats_add_value(a->stats, table, &a->row, stamma_archive_game_tag(game, stamma_text_of(tag)));
}

static void add_number(addition *a, stamma_stats_table table, uint64_t number)
{
    a->failed |= !stamma_stats_add_number(a->stats, table, &a->row, number);
}

/* Moves the results to the given color's side of the row. */
static void turn_to(addition *a, unsigned color)
{
    stamma_stats_results *r = a->row.results;
    if (r[color].games == 0) {
        r[color] = r[color ^ 1];
        r[color ^ 1] = (stamma_stats_results){.games = 0};
    }
}

static void add_players(addition *a, const stamma_archive_game *game, const game_summary *summary)
{
    static const char *const tags[2] = {"White", "Black"};
    for (unsigned color = STAMMA_WHITE; color <= STAMMA_BLACK; color++) {
        stamma_text name = stamma_archive_game_tag(game, stamma_text_of(tags[color]));
        bool known = !(name.size == 1 && name.data[0] == '?');
        turn_to(a, color);
        if (known)
            add_tag(a, STAMMA_STATS_PLAYERS, game, tags[color]);
        if (summary->ratings[color] > 0)
            add_number(a, STAMMA_STATS_RATINGS, summary->ratings[color] / 100u * 100);
    }
    turn_to(a, STAMMA_WHITE);
}

size_t stamma_stats_first_moves(const stamma_position *start, const stamma_move *moves, size_t count,
                                char text[2 * STAMMA_SAN_SIZE])
{
    size_t length = 0;
    stamma_position p = *start;
    for (size_t ply = 0; ply < count && ply < 2; ply++) {
        if (ply > 0)
            text[length++] = ' ';
        length += stamma_san_write(&p, moves[ply], text + length, STAMMA_SAN_SIZE);
        stamma_position_make(&p, moves[ply], &p);
    }
    return length;
}

static void add_first_moves(addition *a, const stamma_archive_game *game)
{
    char text[2 * STAMMA_SAN_SIZE];
    size_t length = stamma_stats_first_moves(&game->start, game->moves, game->ply_count, text);
    add_named(a, STAMMA_STATS_FIRST_MOVES, (stamma_text){text, length});
}

bool stamma_stats_is_eco(stamma_text value)
{
    bool right = value.size >= 3 && value.data[0] >= 'A' && value.data[0] <= 'E';
    for (size_t n = 1; n < 3 && right; n++)
        right = value.data[n] >= '0' && value.data[n] <= '9';
    return right;
}

/* Returns the number of the opening that was played; 0: none. */
static unsigned add_opening(addition *a, const stamma_archive_game *game, bool usual)
{
    unsigned number = usual ? stamma_opening_find(game->moves, game->ply_count) : 0;
    stamma_text eco = stamma_archive_game_tag(game, stamma_text_of("ECO"));
    if (stamma_stats_is_eco(eco))
        add_named(a, STAMMA_STATS_ECO, (stamma_text){eco.data, 3});
    else if (number > 0)
        add_named(a, STAMMA_STATS_ECO, stamma_opening_code(number));
    if (number > 0)
        add_named(a, STAMMA_STATS_OPENINGS, stamma_opening_name(number));
    return number;
}

stamma_stats_results stamma_stats_results_of(stamma_result result)
{
    return (stamma_stats_results){.games = 1,
                                  .white_wins = result == STAMMA_RESULT_WHITE,
                                  .draws = result == STAMMA_RESULT_DRAW,
                                  .black_wins = result == STAMMA_RESULT_BLACK};
}

void stamma_stats_add_total(stamma_stats_total *sum, const stamma_stats_total *more)
{
    stamma_stats_add_results(&sum->results, &more->results);
    sum->plies += more->plies;
    sum->longest = more->longest > sum->longest ? more->longest : sum->longest;
    sum->set_up += more->set_up;
    sum->rated += more->rated;
}

stamma_error stamma_stats_add(stamma_stats *s, const stamma_archive_game *game)
{
    unsigned opening;
    return stamma_stats_add_game(s, game, &opening);
}

stamma_error stamma_stats_add_game(stamma_stats *s, const stamma_archive_game *game, unsigned *opening)
{
    *opening = 0;
    if (!s || !game || (game->ply_count > 0 && !game->moves && !game->continuation))
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (game->continuation)
        return STAMMA_OK;
    const stamma_position start = stamma_position_start();
    const game_summary summary = stamma_game_summary_of(game);
    const bool usual = !game->no_start && stamma_position_equal(&start, &game->start);
    addition a = {s, {.results = {stamma_stats_results_of(summary.result)}, .plies = game->ply_count}, false};
    stamma_stats_add_total(&s->total, &(stamma_stats_total){.results = a.row.results[0],
                                                            .plies = game->ply_count,
                                                            .longest = game->ply_count,
                                                            .set_up = !usual,
                                                            .rated = summary.ratings[0] > 0 && summary.ratings[1] > 0});
    add_number(&a, STAMMA_STATS_LENGTHS, game->ply_count / 10 * 10);
    if (summary.date > 0)
        add_number(&a, STAMMA_STATS_YEARS, summary.date / 10000);
    add_players(&a, game, &summary);
    if (usual)
        add_first_moves(&a, game);
    *opening = add_opening(&a, game, usual);
    add_tag(&a, STAMMA_STATS_TIME_CONTROLS, game, "TimeControl");
    add_tag(&a, STAMMA_STATS_TERMINATIONS, game, "Termination");
    return a.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* ---- merging ---- */

stamma_error stamma_stats_merge(stamma_stats *into, const stamma_stats *other)
{
    if (!into || !other || into == other)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_stats_add_total(&into->total, &other->total);
    for (unsigned n = 0; n < STAMMA_STATS_TABLES; n++) {
        size_t count;
        const stamma_stats_row *rows = stats_rows(&other->tables[n], &count);
        for (size_t i = 0; i < count; i++)
            if (!stamma_stats_add_row(into, (stamma_stats_table)n, &rows[i]))
                return STAMMA_ERROR_NO_MEMORY;
    }
    return STAMMA_OK;
}

static bool is_same_allocator(const stamma_allocator *a, const stamma_allocator *b)
{
    return a->context == b->context && a->allocate == b->allocate && a->resize == b->resize && a->release == b->release;
}

static bool has_rows(const stamma_stats *s)
{
    size_t size = 0;
    for (unsigned n = 0; n < STAMMA_STATS_TABLES; n++)
        size += s->tables[n].rows.size;
    return size > 0;
}

stamma_error stamma_stats_take(stamma_stats *into, stamma_stats *other)
{
    if (has_rows(into) || into->total.results.games > 0 || !is_same_allocator(&into->allocator, &other->allocator))
        return stamma_stats_merge(into, other);
    const stamma_stats empty = *into;
    *into = *other;
    *other = empty;
    share_allocator(into);
    share_allocator(other);
    return STAMMA_OK;
}

/* ---- sorted rows ---- */

stamma_stats_total stamma_stats_sum(const stamma_stats *s)
{
    return s->total;
}

size_t stamma_stats_row_count(const stamma_stats *s, stamma_stats_table table)
{
    return (unsigned)table < STAMMA_STATS_TABLES ? s->tables[table].rows.size / sizeof(stamma_stats_row) : 0;
}

static int compare_names(const void *first, const void *second)
{
    const stamma_stats_row *a = *(const stamma_stats_row *const *)first, *b = *(const stamma_stats_row *const *)second;
    size_t least = a->name.size < b->name.size ? a->name.size : b->name.size;
    int order = memcmp(a->name.data, b->name.data, least);
    return order != 0 ? order : (a->name.size > b->name.size) - (a->name.size < b->name.size);
}

/* Compares numbers without leading zeros. */
static int compare_numbers(const void *first, const void *second)
{
    size_t a = (*(const stamma_stats_row *const *)first)->name.size;
    size_t b = (*(const stamma_stats_row *const *)second)->name.size;
    return a != b ? (a > b) - (a < b) : compare_names(first, second);
}

static int compare_games(const void *first, const void *second)
{
    const stamma_stats_row *a = *(const stamma_stats_row *const *)first, *b = *(const stamma_stats_row *const *)second;
    uint64_t more = a->results[0].games + a->results[1].games, less = b->results[0].games + b->results[1].games;
    return more != less ? (more < less) - (more > less) : compare_names(first, second);
}

static bool sort_rows(stats_table *t, bool numbers)
{
    size_t count = t->rows.size / sizeof(stamma_stats_row);
    if (t->sorted.size > 0 || count == 0)
        return true;
    if (!buffer_reserve(&t->sorted, count * sizeof(stamma_stats_row *)))
        return false;
    const stamma_stats_row **sorted = (const stamma_stats_row **)(void *)t->sorted.data;
    for (size_t n = 0; n < count; n++)
        sorted[n] = &row_list(t)[n];
    qsort(sorted, count, sizeof *sorted, numbers ? compare_numbers : compare_games);
    t->sorted.size = count * sizeof *sorted;
    return true;
}

stamma_error stamma_stats_row_at(stamma_stats *s, stamma_stats_table table, size_t n, const stamma_stats_row **row)
{
    if (!s || (unsigned)table >= STAMMA_STATS_TABLES || !row)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stats_table *t = &s->tables[table];
    if (!sort_rows(t, table <= STAMMA_STATS_RATINGS))
        return STAMMA_ERROR_NO_MEMORY;
    bool any = n < t->rows.size / sizeof **row;
    *row = any ? ((const stamma_stats_row *const *)(const void *)t->sorted.data)[n] : NULL;
    return STAMMA_OK;
}
