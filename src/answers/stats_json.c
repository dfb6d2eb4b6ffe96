/* SPDX-License-Identifier: MIT */
/* Writes statistics as JSON (doc/reference/search.md). */
#include "answers/answers.h"

const stats_form stamma_stats_forms[STAMMA_STATS_TABLES] = {
    [STAMMA_STATS_LENGTHS] = {"lengths", "from", true, false},
    [STAMMA_STATS_YEARS] = {"years", "year", true, false},
    [STAMMA_STATS_RATINGS] = {"ratings", "from", true, true},
    [STAMMA_STATS_PLAYERS] = {"players", "name", false, true},
    [STAMMA_STATS_FIRST_MOVES] = {"first_moves", "moves", false, false},
    [STAMMA_STATS_ECO] = {"eco", "code", false, false},
    [STAMMA_STATS_OPENINGS] = {"openings", "name", false, false},
    [STAMMA_STATS_TIME_CONTROLS] = {"time_controls", "name", false, false},
    [STAMMA_STATS_TERMINATIONS] = {"terminations", "name", false, false},
};

static void write_results(json_writer *w, const stamma_stats_results *r)
{
    stamma_json_number(w, "games", r->games);
    stamma_json_number(w, "white_wins", r->white_wins);
    stamma_json_number(w, "draws", r->draws);
    stamma_json_number(w, "black_wins", r->black_wins);
}

static void write_side(json_writer *w, const char *key, const stamma_stats_results *r)
{
    stamma_json_open(w, key, '{');
    write_results(w, r);
    stamma_json_close(w, '}');
}

static void write_mean(json_writer *w, uint64_t plies, uint64_t games)
{
    stamma_json_hundredths(w, "mean_plies", games == 0 ? 0 : (plies * 100 + games / 2) / games);
}

static void write_row(json_writer *w, const stats_form *form, const stamma_stats_row *row)
{
    const stamma_stats_results *white = &row->results[STAMMA_WHITE], *black = &row->results[STAMMA_BLACK];
    stamma_json_open(w, NULL, '{');
    if (form->number)
        stamma_json_digits(w, form->name, row->name);
    else
        stamma_json_text(w, form->name, row->name);
    if (form->sides) {
        stamma_json_number(w, "games", white->games + black->games);
        stamma_json_hundredths(w, "points",
                               (2 * (white->white_wins + black->black_wins) + white->draws + black->draws) * 50);
        write_side(w, "as_white", white);
        write_side(w, "as_black", black);
    } else {
        write_results(w, white);
    }
    stamma_json_number(w, "plies", row->plies);
    write_mean(w, row->plies, white->games + black->games);
    stamma_json_close(w, '}');
}

static stamma_error write_table(json_writer *w, stamma_stats *s, stamma_stats_table table, size_t rows)
{
    const stamma_stats_row *row = NULL;
    const stats_form *form = &stamma_stats_forms[table];
    stamma_json_open(w, form->key, '[');
    for (size_t n = 0; n < rows; n++) {
        stamma_error error = stamma_stats_row_at(s, table, n, &row);
        if (error != STAMMA_OK)
            return error;
        if (!row)
            break;
        write_row(w, form, row);
    }
    stamma_json_close(w, ']');
    return STAMMA_OK;
}

stamma_error stamma_stats_write_json(stamma_stats *s, size_t rows, char *out, size_t size, size_t *length)
{
    if (!s || !length || (!out && size > 0))
        return STAMMA_ERROR_BAD_ARGUMENT;
    json_writer w = {out, size, 0, false};
    const stamma_stats_total *t = &s->total;
    const stamma_stats_results *r = &t->results;
    stamma_error error = STAMMA_OK;
    stamma_json_open(&w, NULL, '{');
    stamma_json_string(&w, "kind", "stats");
    write_results(&w, r);
    stamma_json_number(&w, "unfinished", r->games - r->white_wins - r->draws - r->black_wins);
    stamma_json_number(&w, "plies", t->plies);
    write_mean(&w, t->plies, r->games);
    stamma_json_number(&w, "longest", t->longest);
    stamma_json_number(&w, "set_up", t->set_up);
    stamma_json_number(&w, "rated", t->rated);
    for (unsigned n = 0; n < STAMMA_STATS_TABLES && error == STAMMA_OK; n++)
        error = write_table(&w, s, (stamma_stats_table)n, rows);
    stamma_json_close(&w, '}');
    if (error == STAMMA_OK)
        *length = stamma_json_end(&w);
    return error;
}
