/* SPDX-License-Identifier: MIT */
/* A report as one line of JSON. */
#include "reporting/report.h"

#include <math.h>

static void put_score(const char *key, double score)
{
    if (isnan(score))
        tool_json_string(key, NULL);
    else
        tool_json_real(key, score, 2);
}

static void put_results(uint64_t games, uint64_t won, uint64_t drawn, uint64_t lost)
{
    tool_json_number("games", games);
    tool_json_number("wins", won);
    tool_json_number("draws", drawn);
    tool_json_number("losses", lost);
    put_score("score", report_score(won, drawn, lost));
}

static void put_tally(const report_tally *t)
{
    int32_t performance;
    put_results(t->games, t->won, t->drawn, t->lost);
    tool_json_number("plies", t->plies);
    tool_json_known("opponents_rating", report_opposition(t));
    if (stamma_tree_performance(&t->rated, &performance))
        tool_json_integer("performance", performance);
    else
        tool_json_string("performance", NULL);
}

static void put_named_tally(const char *key, const report_tally *t)
{
    tool_json_open(key, '{');
    put_tally(t);
    tool_json_close('}');
}

static void put_names(const char *key, const report_table *t)
{
    tool_json_open(key, '[');
    for (size_t i = 0; i < t->count; i++) {
        tool_json_open(NULL, '{');
        tool_json_text("name", t->rows[i].name);
        put_tally(&t->rows[i].tally);
        tool_json_close('}');
    }
    tool_json_close(']');
}

/* Puts rows by number; `from` is the name of the number. */
static void put_numbers(const char *key, const char *from, const report_table *t)
{
    tool_json_open(key, '[');
    for (size_t i = 0; i < t->count; i++) {
        const report_row *row = &t->rows[i];
        tool_json_open(NULL, '{');
        tool_json_number(from, row->number);
        put_tally(&row->tally);
        tool_json_known("rating", row->rated == 0 ? 0 : (row->rating_sum + row->rated / 2) / row->rated);
        tool_json_close('}');
    }
    tool_json_close(']');
}

static void put_game(const report *r, const report_game *g)
{
    char date[16];
    const char *known = report_date(g, date);
    tool_json_text("archive", stamma_text_of(r->paths[g->archive]));
    tool_json_number("game", g->number);
    tool_json_string("date", g->date.year == 0 ? NULL : known);
    tool_json_string("color", g->color == STAMMA_WHITE ? "white" : "black");
    tool_json_string("outcome", report_outcome_word(g->outcome));
    tool_json_text("opponent", stamma_text_of(g->opponent));
    tool_json_known("rating", g->rating);
    tool_json_known("opponent_rating", g->opponent_rating);
    tool_json_text("event", stamma_text_of(g->event));
    tool_json_named_text(stamma_text_of("eco"), g->eco);
    tool_json_named_text(stamma_text_of("opening"), g->opening);
    tool_json_number("plies", g->plies);
}

static void put_recent(const report *r)
{
    tool_json_open("recent", '[');
    for (size_t i = 0; i < r->count && i < r->recent; i++) {
        tool_json_open(NULL, '{');
        put_game(r, &r->games[r->count - 1 - i]);
        tool_json_close('}');
    }
    tool_json_close(']');
}

static void put_times(const report *r)
{
    tool_json_open("time", '[');
    for (size_t i = 0; i < REPORT_SPEEDS; i++) {
        const report_time *t = &r->time[i];
        if (t->games == 0)
            continue;
        tool_json_open(NULL, '{');
        tool_json_string("speed", i == STAMMA_SPEED_NONE ? NULL : stamma_speed_name((stamma_speed)i));
        tool_json_number("games", t->games);
        tool_json_open("spans", '[');
        for (size_t span = 0; span < REPORT_SPANS; span++) {
            char name[16];
            tool_json_open(NULL, '{');
            tool_json_string("moves", report_span_name(span, name));
            tool_json_number("count", t->moves[span]);
            put_score("seconds", report_span_seconds(t, span));
            tool_json_close('}');
        }
        tool_json_close(']');
        tool_json_number("short_games", t->short_games);
        put_score("short_score",
                  t->short_finished == 0 ? (double)NAN : 50.0 * (double)t->short_points / (double)t->short_finished);
        tool_json_close('}');
    }
    tool_json_close(']');
}

static void put_last(uint32_t date)
{
    char text[16];
    if (date > 0)
        (void)stamma_date_write(date, '-', text, sizeof text);
    tool_json_string("last_date", date > 0 ? text : NULL);
}

/* Puts nodes as nested lists. */
static void put_tree(const char *key, const report_tree *t)
{
    unsigned depth = 0;
    tool_json_open(key, '{');
    tool_json_number("games", t->games);
    tool_json_number("min_games", t->least);
    tool_json_open("moves", '[');
    for (size_t i = 0; i < t->count; i++) {
        const report_node *n = &t->nodes[i];
        for (; depth >= n->depth; depth--) {
            tool_json_close(']');
            tool_json_close('}');
        }
        tool_json_open(NULL, '{');
        tool_json_string("san", n->san);
        tool_json_string("uci", n->uci);
        put_results(n->games, n->won, n->drawn, n->lost);
        tool_json_number("continued", n->continued);
        tool_json_named_text(stamma_text_of("opening"), n->opening);
        tool_json_bool("again", n->again);
        put_last(n->last);
        if (!isnan(n->bits))
            tool_json_real("bits", n->bits, 2);
        tool_json_open("moves", '[');
        depth = n->depth;
    }
    for (; depth > 0; depth--) {
        tool_json_close(']');
        tool_json_close('}');
    }
    tool_json_close(']');
    tool_json_close('}');
}

static bool put_novelties(const report *r)
{
    bool right = true;
    tool_json_open("novelties", '[');
    for (size_t i = 0; i < r->novelty_count && right; i++) {
        const report_novelty *n = &r->novelties[i];
        char *line = report_line(n->game, n->ply);
        right = line != NULL;
        tool_json_open(NULL, '{');
        put_game(r, n->game);
        tool_json_number("ply", n->ply);
        tool_json_string("line", line);
        tool_json_number("later_games", n->followers);
        tool_json_close('}');
        free(line);
    }
    tool_json_close(']');
    return right;
}

bool report_put_json(const report *r)
{
    tool_json_open(NULL, '{');
    tool_json_string("kind", "report");
    tool_json_text("player", stamma_text_of(r->player));
    tool_json_open("archives", '[');
    for (size_t i = 0; i < r->path_count; i++)
        tool_json_text(NULL, stamma_text_of(r->paths[i]));
    tool_json_close(']');
    put_named_tally("all", &r->all);
    put_named_tally("as_white", &r->colors[STAMMA_WHITE]);
    put_named_tally("as_black", &r->colors[STAMMA_BLACK]);
    put_named_tally("recent_games", &r->last);
    tool_json_number("other_start", r->set_up);
    put_names("names", &r->names);
    put_recent(r);
    put_numbers("years", "year", &r->years);
    put_numbers("opponents_ratings", "from", &r->ratings);
    put_numbers("lengths", "from_move", &r->lengths);
    put_names("opponents", &r->opponents);
    tool_json_open("openings", '{');
    put_names("as_white", &r->openings[STAMMA_WHITE]);
    put_names("as_black", &r->openings[STAMMA_BLACK]);
    tool_json_close('}');
    tool_json_open("repertoire", '{');
    put_tree("as_white", &r->trees[STAMMA_WHITE]);
    put_tree("as_black", &r->trees[STAMMA_BLACK]);
    tool_json_close('}');
    put_times(r);
    tool_json_number("clocks_without_time_control", r->untimed);
    bool right = r->no_novelties || put_novelties(r);
    tool_json_close('}');
    tool_json_end();
    return right;
}
