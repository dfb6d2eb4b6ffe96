/* SPDX-License-Identifier: MIT */
/* Writes trees as JSON in the format of Lichess's opening explorer, with additional sums that can be merged
 * (doc/reference/search.md). */
#include "answers/answers.h"

enum { DATE_SIZE = 16 };

/* Writes the known part of a date, such as "2016-11". Returns {NULL, 0} for 0. */
static stamma_text date_text(uint32_t date, char out[DATE_SIZE])
{
    const size_t size = date == 0 ? 0 : stamma_date_write(date, '-', out, DATE_SIZE);
    return (stamma_text){size > 0 ? out : NULL, size};
}

static void write_date(json_writer *w, const char *key, uint32_t date)
{
    char text[DATE_SIZE];
    stamma_json_text(w, key, date_text(date, text));
}

static void write_opening(json_writer *w, const stamma_position *p)
{
    unsigned number = opening_of_position(p);
    if (number == 0) {
        stamma_json_string(w, "opening", NULL);
        return;
    }
    stamma_json_open(w, "opening", '{');
    stamma_json_text(w, "eco", stamma_opening_code(number));
    stamma_json_text(w, "name", stamma_opening_name(number));
    stamma_json_close(w, '}');
}

/* ---- games ---- */

static void write_player(json_writer *w, const char *key, stamma_text name, unsigned rating)
{
    stamma_json_open(w, key, '{');
    if (name.size > 0)
        stamma_json_text(w, "name", name);
    else
        stamma_json_string(w, "name", NULL);
    if (rating > 0)
        stamma_json_number(w, "rating", rating);
    else
        stamma_json_string(w, "rating", NULL);
    stamma_json_close(w, '}');
}

static void write_id(json_writer *w, const stamma_tree_game *g)
{
    char number[24];
    json_writer digits = {number, sizeof number, 0, false};
    stamma_json_number(&digits, NULL, g->game);
    stamma_json_begin_text(w, "id");
    stamma_json_add_text(w, g->archive);
    if (g->archive.size > 0)
        stamma_json_add_text(w, (stamma_text){":", 1});
    stamma_json_add_text(w, (stamma_text){number, digits.length});
    stamma_json_end_text(w);
}

static void write_year(json_writer *w, uint32_t date)
{
    char text[DATE_SIZE];
    if (date == 0) {
        stamma_json_string(w, "year", NULL);
        stamma_json_string(w, "month", NULL);
        return;
    }
    const bool known = date / 100 % 100 > 0;
    size_t size = stamma_date_write(date / 100 * 100, '-', text, sizeof text);
    stamma_json_number(w, "year", date / 10000);
    stamma_json_text(w, "month", known ? (stamma_text){text, size} : (stamma_text){NULL, 0});
}

static void write_game(json_writer *w, const stamma_tree *t, const char *key, const stamma_tree_game *g)
{
    static const char *const winners[4] = {NULL, "white", "black", NULL};
    char uci[STAMMA_UCI_SIZE];
    stamma_json_open(w, key, '{');
    if (!g->ended) {
        (void)stamma_uci_write(&t->position, g->move, t->chess960, uci, sizeof uci);
        stamma_json_string(w, "uci", uci);
    }
    write_id(w, g);
    stamma_json_string(w, "winner", winners[g->result]);
    write_player(w, "white", g->white, g->white_rating);
    write_player(w, "black", g->black, g->black_rating);
    write_year(w, g->date);
    write_date(w, "date", g->date);
    stamma_json_string(w, "result", stamma_result_words[g->result]);
    stamma_json_close(w, '}');
}

static void write_games(json_writer *w, const stamma_tree *t, const char *key, const tree_games *list, size_t most)
{
    stamma_json_open(w, key, '[');
    for (size_t n = 0; n < list->count && n < most; n++)
        write_game(w, t, NULL, &list->games[n]);
    stamma_json_close(w, ']');
}

/* ---- counts ---- */

static void write_results(json_writer *w, const stamma_tree_counts *c)
{
    stamma_json_number(w, "white", c->white_wins);
    stamma_json_number(w, "draws", c->draws);
    stamma_json_number(w, "black", c->black_wins);
}

static void write_side(json_writer *w, const char *key, const stamma_tree_counts *c, unsigned color)
{
    stamma_json_open(w, key, '{');
    stamma_json_number(w, "opponents", c->opposed[color]);
    stamma_json_number(w, "opponentRatings", c->opposed_sum[color]);
    stamma_json_number(w, "halfPoints", c->opposed_points[color]);
    stamma_json_close(w, '}');
}

/* Writes the members that the explorer's format does not have. */
static void write_counts(json_writer *w, const stamma_tree_counts *c)
{
    int32_t performance;
    if (stamma_tree_performance(c, &performance))
        stamma_json_integer(w, "performance", performance);
    else
        stamma_json_string(w, "performance", NULL);
    write_date(w, "lastDate", c->last_date);
    stamma_json_open(w, "sums", '{');
    stamma_json_number(w, "games", c->games);
    stamma_json_number(w, "rated", c->rated);
    stamma_json_number(w, "ratings", c->rating_sum);
    stamma_json_number(w, "opponents", c->opponents);
    stamma_json_number(w, "opponentRatings", c->opponent_sum);
    stamma_json_number(w, "halfPoints", c->half_points);
    write_side(w, "white", c, STAMMA_WHITE);
    write_side(w, "black", c, STAMMA_BLACK);
    stamma_json_close(w, '}');
}

static void write_move(json_writer *w, const stamma_tree *t, const stamma_tree_move *m)
{
    char uci[STAMMA_UCI_SIZE], san[STAMMA_SAN_SIZE];
    stamma_position after;
    (void)stamma_uci_write(&t->position, m->move, t->chess960, uci, sizeof uci);
    (void)stamma_san_write(&t->position, m->move, san, sizeof san);
    stamma_position_make(&t->position, m->move, &after);
    stamma_json_open(w, NULL, '{');
    stamma_json_string(w, "uci", uci);
    stamma_json_string(w, "san", san);
    stamma_json_number(w, "averageRating", stamma_tree_rating(&m->counts));
    write_results(w, &m->counts);
    if (m->counts.games == 1)
        write_game(w, t, "game", &m->top);
    else
        stamma_json_string(w, "game", NULL);
    write_opening(w, &after);
    write_counts(w, &m->counts);
    write_game(w, t, "topGame", &m->top);
    write_game(w, t, "recentGame", &m->recent);
    stamma_json_close(w, '}');
}

static void write_history(json_writer *w, const stamma_tree *t)
{
    stamma_tree_month m = {.month = 0};
    stamma_json_open(w, "history", '[');
    while (stamma_tree_next_month(t, &m)) {
        char text[DATE_SIZE];
        size_t size = stamma_date_write(m.month * 100, '-', text, sizeof text);
        stamma_json_open(w, NULL, '{');
        stamma_json_text(w, "month", (stamma_text){text, size});
        stamma_json_number(w, "white", m.white_wins);
        stamma_json_number(w, "draws", m.draws);
        stamma_json_number(w, "black", m.black_wins);
        stamma_json_close(w, '}');
    }
    stamma_json_close(w, ']');
}

size_t stamma_tree_write_json(const stamma_tree *t, size_t moves, size_t games, char *out, size_t size)
{
    char fen[STAMMA_FEN_SIZE];
    json_writer w = {out, size, 0, false};
    (void)stamma_fen_write(&t->position, t->chess960 ? STAMMA_FEN_SHREDDER : STAMMA_FEN_STANDARD, fen, sizeof fen);
    stamma_json_open(&w, NULL, '{');
    stamma_json_string(&w, "kind", "tree");
    stamma_json_string(&w, "fen", fen);
    write_results(&w, &t->counts);
    stamma_json_open(&w, "moves", '[');
    for (size_t n = 0; n < stamma_tree_move_count(t) && n < moves; n++)
        write_move(&w, t, stamma_tree_move_at(t, n));
    stamma_json_close(&w, ']');
    write_games(&w, t, "topGames", &t->top, games);
    write_games(&w, t, "recentGames", &t->recent, games);
    write_opening(&w, &t->position);
    stamma_json_number(&w, "averageRating", stamma_tree_rating(&t->counts));
    write_counts(&w, &t->counts);
    if (t->history)
        write_history(&w, t);
    stamma_json_close(&w, '}');
    return stamma_json_end(&w);
}
