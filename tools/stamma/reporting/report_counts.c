/* SPDX-License-Identifier: MIT */
/* Counts of a player's games: by color, name, year, opening, rating, length, opponent and time. */
#include "reporting/report.h"

#include <math.h>

/* ---- tallies ---- */

static void tally_game(report_tally *t, const report_game *g)
{
    const bool finished = g->outcome != REPORT_UNFINISHED;
    t->games++;
    t->won += g->outcome == REPORT_WON;
    t->drawn += g->outcome == REPORT_DRAWN;
    t->lost += g->outcome == REPORT_LOST;
    t->plies += g->plies;
    if (finished && g->opponent_rating > 0) {
        t->rated.opponents++;
        t->rated.opponent_sum += g->opponent_rating;
        t->rated.half_points += g->outcome == REPORT_WON ? 2 : g->outcome == REPORT_DRAWN;
    }
}

static void merge_tally(report_tally *into, const report_tally *t)
{
    into->games += t->games;
    into->won += t->won;
    into->drawn += t->drawn;
    into->lost += t->lost;
    into->plies += t->plies;
    into->rated.opponents += t->rated.opponents;
    into->rated.opponent_sum += t->rated.opponent_sum;
    into->rated.half_points += t->rated.half_points;
}

double report_score(uint64_t won, uint64_t drawn, uint64_t lost)
{
    const uint64_t finished = won + drawn + lost;
    return finished == 0 ? (double)NAN : 100.0 * ((double)won + 0.5 * (double)drawn) / (double)finished;
}

double report_tally_score(const report_tally *tally)
{
    return report_score(tally->won, tally->drawn, tally->lost);
}

unsigned report_opposition(const report_tally *tally)
{
    const stamma_tree_counts *c = &tally->rated;
    return c->opponents == 0 ? 0 : (unsigned)((c->opponent_sum + c->opponents / 2) / c->opponents);
}

/* ---- tables ---- */

static bool add_row(report_table *t, stamma_text name, uint64_t number, const report_game *g)
{
    if (!tool_list_grow(&t->rows, &t->room, t->count, 1, sizeof *t->rows))
        return false;
    report_row *row = &t->rows[t->count++];
    *row = (report_row){.name = name, .number = number, .rated = g->rating > 0, .rating_sum = g->rating};
    tally_game(&row->tally, g);
    return true;
}

static int compare_texts(stamma_text a, stamma_text b)
{
    const size_t size = a.size < b.size ? a.size : b.size;
    int order = size > 0 ? memcmp(a.data, b.data, size) : 0;
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare_keys(const void *left, const void *right)
{
    const report_row *a = left, *b = right;
    return a->number != b->number ? (a->number > b->number) - (a->number < b->number) : compare_texts(a->name, b->name);
}

static int compare_games(const void *left, const void *right)
{
    const uint64_t a = ((const report_row *)left)->tally.games, b = ((const report_row *)right)->tally.games;
    return a != b ? (a < b) - (a > b) : compare_keys(left, right);
}

static void sort(report_table *t, int (*compare)(const void *, const void *))
{
    if (t->count > 1)
        qsort(t->rows, t->count, sizeof *t->rows, compare);
}

/* Merges rows with equal keys. */
static void merge_rows(report_table *t)
{
    size_t kept = 0;
    sort(t, compare_keys);
    for (size_t i = 0; i < t->count; i++) {
        report_row *last = kept > 0 ? &t->rows[kept - 1] : NULL, *next = &t->rows[i];
        if (!last || compare_keys(last, next) != 0) {
            t->rows[kept++] = *next;
            continue;
        }
        merge_tally(&last->tally, &next->tally);
        last->rated += next->rated;
        last->rating_sum += next->rating_sum;
    }
    t->count = kept;
}

/* ---- keys ---- */

enum { RATING_SPAN = 100 };

/* Returns the part of an opening's name before its variations: "Sicilian Defense". */
static stamma_text family_of(const report_game *g)
{
    stamma_text name = g->opening;
    const char *end = name.size > 0 ? memchr(name.data, ':', name.size) : NULL;
    if (!g->standard)
        return stamma_text_of("other start position");
    return end ? (stamma_text){name.data, (size_t)(end - name.data)} : name.size > 0 ? name : stamma_text_of("?");
}

/* Adds a game to the tables by number. */
static bool add_numbers(report *r, const report_game *g)
{
    const stamma_text none = {NULL, 0};
    const uint64_t moves = (g->before + g->plies + 1) / 2;
    return add_row(&r->lengths, none, moves == 0 ? 0 : (moves - 1) / REPORT_SPAN_MOVES * REPORT_SPAN_MOVES + 1, g) &&
           (g->date.year == 0 || add_row(&r->years, none, g->date.year, g)) &&
           (g->opponent_rating == 0 || add_row(&r->ratings, none, g->opponent_rating / RATING_SPAN * RATING_SPAN, g));
}

static bool add_to_tables(report *r, const report_game *g)
{
    return add_row(&r->names, stamma_text_of(g->name), 0, g) &&
           add_row(&r->opponents, stamma_text_of(g->opponent), 0, g) &&
           add_row(&r->openings[g->color], family_of(g), 0, g) && add_numbers(r, g);
}

static void add_time(report_time *t, const report_time *one)
{
    t->games += one->games;
    t->short_games += one->short_games;
    t->short_points += one->short_points;
    t->short_finished += one->short_finished;
    for (size_t i = 0; i < REPORT_SPANS; i++) {
        t->moves[i] += one->moves[i];
        t->spent_ms[i] += one->spent_ms[i];
    }
}

/* Adds rows without games for the years between others, unless a date must be wrong. */
static bool fill_years(report_table *t)
{
    enum { CAREER = 100 };
    const size_t count = t->count;
    if (count == 0 || t->rows[count - 1].number - t->rows[0].number > CAREER)
        return true;
    for (size_t i = 0; i + 1 < count; i++)
        for (uint64_t year = t->rows[i].number + 1; year < t->rows[i + 1].number; year++) {
            if (!tool_list_grow(&t->rows, &t->room, t->count, 1, sizeof *t->rows))
                return false;
            t->rows[t->count++] = (report_row){.number = year};
        }
    sort(t, compare_keys);
    return true;
}

bool report_count(report *r)
{
    report_table *const by_key[] = {&r->years, &r->ratings, &r->lengths};
    report_table *const by_games[] = {&r->names, &r->opponents, &r->openings[0], &r->openings[1]};
    for (size_t i = 0; i < r->count; i++) {
        const report_game *g = &r->games[i];
        tally_game(&r->all, g);
        tally_game(&r->colors[g->color], g);
        if (r->count - i <= r->recent)
            tally_game(&r->last, g);
        add_time(&r->time[g->speed], &g->time);
        r->complete += g->standard && g->date.day > 0;
        if (!add_to_tables(r, g))
            return false;
    }
    for (size_t i = 0; i < sizeof by_key / sizeof *by_key; i++)
        merge_rows(by_key[i]);
    if (!fill_years(&r->years))
        return false;
    for (size_t i = 0; i < sizeof by_games / sizeof *by_games; i++) {
        merge_rows(by_games[i]);
        sort(by_games[i], compare_games);
    }
    return true;
}

bool report_count_opening(report *r)
{
    report_table *const tables[] = {&r->years, &r->ratings, &r->lengths};
    for (size_t i = 0; i < r->count; i++) {
        tally_game(&r->all, &r->games[i]);
        if (!add_numbers(r, &r->games[i]))
            return false;
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        merge_rows(tables[i]);
    return fill_years(&r->years);
}

void report_counts_close(report *r)
{
    report_table *const tables[] = {&r->names,     &r->years,       &r->ratings,    &r->lengths,
                                    &r->opponents, &r->openings[0], &r->openings[1]};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        free(tables[i]->rows);
}

/* ---- words ---- */

const char *report_row_name(report_kind kind, const report_row *row, char out[32])
{
    const uint64_t span = kind == REPORT_RATINGS ? RATING_SPAN : REPORT_SPAN_MOVES;
    if (kind == REPORT_YEARS || row->number == 0)
        (void)snprintf(out, 32, "%" PRIu64, row->number);
    else
        (void)snprintf(out, 32, "%" PRIu64 "-%" PRIu64, row->number, row->number + span - 1);
    return out;
}

const char *report_date(const report_game *game, char out[16])
{
    const stamma_date *d = &game->date;
    if (d->year == 0)
        (void)snprintf(out, 16, "?");
    else
        (void)stamma_date_write(d->year * 10000u + d->month * 100u + d->day, '-', out, 16);
    return out;
}

const char *report_outcome_word(report_outcome outcome)
{
    static const char *const words[] = {"unfinished", "won", "drawn", "lost"};
    return words[outcome];
}

const char *report_span_name(size_t span, char out[16])
{
    const size_t first = span * REPORT_SPAN_MOVES + 1;
    if (span + 1 == REPORT_SPANS)
        (void)snprintf(out, 16, "%zu+", first);
    else
        (void)snprintf(out, 16, "%zu-%zu", first, first + REPORT_SPAN_MOVES - 1);
    return out;
}

double report_span_seconds(const report_time *time, size_t span)
{
    return time->moves[span] == 0 ? (double)NAN : (double)time->spent_ms[span] / 1000 / (double)time->moves[span];
}
