/* SPDX-License-Identifier: MIT */
/* A report about an opening as one line of JSON. */
#include "reporting/opening.h"

#include <math.h>

static void put_results(uint64_t games, uint64_t won, uint64_t drawn, uint64_t lost)
{
    const double score = report_score(won, drawn, lost);
    tool_json_number("games", games);
    tool_json_number("white_wins", won);
    tool_json_number("draws", drawn);
    tool_json_number("black_wins", lost);
    if (isnan(score))
        tool_json_string("score", NULL);
    else
        tool_json_real("score", score, 2);
}

static void put_rating(uint64_t rated, uint64_t sum)
{
    tool_json_known("rating", rated == 0 ? 0 : (sum + rated / 2) / rated);
}

static void put_date(const char *key, uint32_t date)
{
    char text[16];
    if (date > 0)
        (void)stamma_date_write(date, '-', text, sizeof text);
    tool_json_string(key, date > 0 ? text : NULL);
}

static void put_node(const opening_report *o, size_t index)
{
    const report_node *n = &o->r.trees[STAMMA_WHITE].nodes[index];
    char line[OPENING_LINE_SIZE];
    tool_json_string("line", opening_line_text(o, index, line));
    put_results(n->games, n->won, n->drawn, n->lost);
    put_rating(n->rated, n->rating_sum);
    put_date("last_date", n->last);
    tool_json_named_text(stamma_text_of("opening"), n->opening);
}

static void put_lines(const opening_report *o)
{
    tool_json_open("lines", '[');
    for (size_t i = 0; i < o->line_count; i++) {
        tool_json_open(NULL, '{');
        put_node(o, o->lines[i].node);
        tool_json_close('}');
    }
    tool_json_close(']');
    put_date("recent_from", o->r.recent_from);
    tool_json_open("changes", '[');
    for (size_t i = 0; i < o->change_count; i++) {
        const opening_change *c = &o->changes[i];
        tool_json_open(NULL, '{');
        put_node(o, c->node);
        tool_json_number("recent", o->r.trees[STAMMA_WHITE].nodes[c->node].recent);
        tool_json_real("before_share", c->before, 2);
        tool_json_real("recent_share", c->recent, 2);
        tool_json_real("gained", c->gained, 2);
        tool_json_close('}');
    }
    tool_json_close(']');
}

/* Puts the tree as nested lists. */
static void put_tree(const opening_report *o)
{
    const report_tree *t = &o->r.trees[STAMMA_WHITE];
    unsigned depth = 0;
    tool_json_number("min_games", t->least);
    tool_json_open("moves", '[');
    for (size_t i = 0; i <= t->count; i++) {
        const unsigned next = i < t->count ? t->nodes[i].depth : 1;
        for (; depth >= next; depth--) {
            tool_json_close(']');
            tool_json_close('}');
        }
        if (i == t->count)
            break;
        const report_node *n = &t->nodes[i];
        tool_json_open(NULL, '{');
        tool_json_string("san", n->san);
        tool_json_string("uci", n->uci);
        put_results(n->games, n->won, n->drawn, n->lost);
        put_rating(n->rated, n->rating_sum);
        tool_json_number("recent", n->recent);
        put_date("last_date", n->last);
        tool_json_named_text(stamma_text_of("opening"), n->opening);
        tool_json_bool("again", n->again);
        tool_json_open("moves", '[');
        depth = n->depth;
    }
    tool_json_close(']');
}

static void put_numbers(const char *key, const char *from, const report_table *t)
{
    tool_json_open(key, '[');
    for (size_t i = 0; i < t->count; i++) {
        const report_tally *tally = &t->rows[i].tally;
        tool_json_open(NULL, '{');
        tool_json_number(from, t->rows[i].number);
        put_results(tally->games, tally->won, tally->drawn, tally->lost);
        tool_json_close('}');
    }
    tool_json_close(']');
}

static void put_key_games(const opening_report *o)
{
    char date[16], line[OPENING_LINE_SIZE];
    tool_json_open("key_games", '[');
    for (size_t n = 0; n < 3; n++)
        for (size_t i = 0; i < o->key_counts[n]; i++) {
            const report_game *g = o->key_games[n][i];
            tool_json_open(NULL, '{');
            tool_json_text("archive", stamma_text_of(o->r.paths[g->archive]));
            tool_json_number("number", g->number);
            tool_json_string("date", g->date.year == 0 ? NULL : report_date(g, date));
            tool_json_text("white", stamma_text_of(g->name));
            tool_json_text("black", stamma_text_of(g->opponent));
            tool_json_text("event", stamma_text_of(g->event));
            tool_json_string("result", n == 0 ? "1-0" : n == 1 ? "1/2-1/2" : "0-1");
            tool_json_number("rating", g->opponent_rating);
            tool_json_string("line", opening_game_text(o, g, 20, line));
            tool_json_close('}');
        }
    tool_json_close(']');
}

static void put_features(const char *key, const opening_features *f, bool colored,
                         const char *(*text)(const opening_feature *, char[32]))
{
    char name[STAMMA_FEN_SIZE];
    tool_json_open(key, '[');
    for (size_t i = 0; i < f->count && i < 100; i++) {
        const opening_feature *one = &f->list[i];
        tool_json_open(NULL, '{');
        if (colored)
            tool_json_string("color", opening_feature_color(one) == STAMMA_WHITE ? "white" : "black");
        tool_json_string("name", text ? text(one, name) : opening_structure_text(one, name));
        put_results(one->games, one->won, one->drawn, one->lost);
        tool_json_real("share", answer_percent(one->games, f->games), 2);
        tool_json_close('}');
    }
    tool_json_close(']');
}

bool opening_put_json(const opening_report *o)
{
    char path[OPENING_LINE_SIZE], fen[STAMMA_FEN_SIZE];
    (void)stamma_fen_write(&o->r.start, STAMMA_FEN_STANDARD, fen, sizeof fen);
    tool_json_open(NULL, '{');
    tool_json_string("kind", "opening");
    tool_json_text("opening", stamma_text_of(o->wanted));
    tool_json_open("archives", '[');
    for (size_t i = 0; i < o->r.path_count; i++)
        tool_json_text(NULL, stamma_text_of(o->r.paths[i]));
    tool_json_close(']');
    tool_json_string("fen", fen);
    tool_json_string("line", o->path_count > 0 ? opening_path_text(o, path) : NULL);
    tool_json_named_text(stamma_text_of("eco"), o->eco);
    tool_json_named_text(stamma_text_of("name"), o->name);
    put_results(o->r.all.games, o->r.all.won, o->r.all.drawn, o->r.all.lost);
    put_rating(o->rated, o->rating_sum);
    put_lines(o);
    put_tree(o);
    put_numbers("years", "year", &o->r.years);
    put_numbers("ratings", "from", &o->r.ratings);
    put_numbers("lengths", "from_move", &o->r.lengths);
    put_key_games(o);
    put_features("structures", &o->structures, false, NULL);
    put_features("endgames", &o->endgames, false, opening_endgame_text);
    put_features("squares", &o->placements, true, opening_placement_text);
    put_features("manoeuvres", &o->manoeuvres, true, opening_manoeuvre_text);
    tool_json_close('}');
    tool_json_end();
    return true;
}
