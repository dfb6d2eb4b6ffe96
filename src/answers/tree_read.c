/* SPDX-License-Identifier: MIT */
/* Reads trees from JSON that stamma_tree_write_json has written. */
#include "answers/answers.h"

#define RATING_MAX UINT64_C(9999)

static stamma_move read_move(value_reader *r, const stamma_tree *t, const json_value *object)
{
    stamma_move move = STAMMA_MOVE_NULL;
    stamma_error error = stamma_uci_read(&t->position, stamma_json_word(r, object, "uci"), &move);
    stamma_json_expect(r, error == STAMMA_OK, object, "uci");
    return move;
}

static uint32_t read_date(value_reader *r, const json_value *object, const char *name)
{
    return stamma_date_number(stamma_json_word_or_null(r, object, name));
}

/* Reads an archive's name and a game's number, separated by a colon. An empty name has no colon. */
static void read_id(value_reader *r, const json_value *object, stamma_tree_game *game)
{
    stamma_text id = stamma_json_word(r, object, "id");
    size_t at = id.size;
    uint64_t place = 1;
    for (; at > 0 && id.data[at - 1] >= '0' && id.data[at - 1] <= '9' && id.size - at < 18; at--, place *= 10)
        game->game += place * (uint64_t)(id.data[at - 1] - '0');
    bool named = at > 1 && id.data[at - 1] == ':';
    stamma_json_expect(r, at < id.size && (at == 0 || named), object, "id");
    game->archive = (stamma_text){id.data, named ? at - 1 : 0};
}

static void read_player(value_reader *r, const json_value *object, const char *name, stamma_text *player,
                        uint16_t *rating)
{
    const json_value *member = stamma_json_member(r, object, name, JSON_OBJECT);
    if (!member)
        return;
    const json_value *given = stamma_json_find(r, member, "rating");
    *player = stamma_json_word_or_null(r, member, "name");
    uint64_t number = given && given->kind == JSON_NULL ? 0 : stamma_json_count(r, member, "rating");
    stamma_json_expect(r, number <= RATING_MAX, member, "rating");
    *rating = number <= RATING_MAX ? (uint16_t)number : 0;
}

static stamma_tree_game read_game(value_reader *r, const stamma_tree *t, const json_value *object)
{
    stamma_tree_game game = {.ended = !stamma_json_find(r, object, "uci")};
    if (!game.ended)
        game.move = read_move(r, t, object);
    read_id(r, object, &game);
    read_player(r, object, "white", &game.white, &game.white_rating);
    read_player(r, object, "black", &game.black, &game.black_rating);
    game.result = stamma_result_read(stamma_json_word(r, object, "result"));
    game.date = read_date(r, object, "date");
    return game;
}

/* Reads the sums of one color. JSON from before the release of library 0.1 has only the sums of the side to move. */
static void read_side(value_reader *r, const json_value *sums, const char *name, unsigned color, stamma_tree_counts *c)
{
    const json_value *side = stamma_json_find(r, sums, name) ? stamma_json_member(r, sums, name, JSON_OBJECT) : NULL;
    if (!side)
        return;
    c->opposed[color] = stamma_json_count(r, side, "opponents");
    c->opposed_sum[color] = stamma_json_count(r, side, "opponentRatings");
    c->opposed_points[color] = stamma_json_count(r, side, "halfPoints");
    bool right = c->opposed[color] <= c->games && c->opposed_points[color] <= 2 * c->opposed[color] &&
                 c->opposed_sum[color] / RATING_MAX <= c->opposed[color];
    stamma_json_expect(r, right, sums, name);
}

static stamma_tree_counts read_counts(value_reader *r, const stamma_tree *t, const json_value *object)
{
    const json_value *sums = stamma_json_member(r, object, "sums", JSON_OBJECT);
    stamma_tree_counts c = {.white_wins = stamma_json_count(r, object, "white"),
                            .draws = stamma_json_count(r, object, "draws"),
                            .black_wins = stamma_json_count(r, object, "black"),
                            .last_date = read_date(r, object, "lastDate")};
    if (!sums)
        return c;
    c.games = stamma_json_count(r, sums, "games");
    c.rated = stamma_json_count(r, sums, "rated");
    c.rating_sum = stamma_json_count(r, sums, "ratings");
    c.opponents = stamma_json_count(r, sums, "opponents");
    c.opponent_sum = stamma_json_count(r, sums, "opponentRatings");
    c.half_points = stamma_json_count(r, sums, "halfPoints");
    c.opposed[t->position.side] = c.opponents;
    c.opposed_sum[t->position.side] = c.opponent_sum;
    c.opposed_points[t->position.side] = c.half_points;
    read_side(r, sums, "white", STAMMA_WHITE, &c);
    read_side(r, sums, "black", STAMMA_BLACK, &c);
    bool right = c.white_wins + c.draws + c.black_wins <= c.games && c.rated <= c.games && c.opponents <= c.games &&
                 c.half_points <= 2 * c.opponents && c.rating_sum / 2 / RATING_MAX <= c.rated &&
                 c.opponent_sum / RATING_MAX <= c.opponents;
    stamma_json_expect(r, right, object, "sums");
    return c;
}

static void read_games(value_reader *r, stamma_tree *t, const json_value *root, const char *name,
                       bool (*keep)(stamma_tree *, const stamma_tree_game *))
{
    const json_value *list = stamma_json_member(r, root, name, JSON_LIST);
    for (const json_value *each = list ? json_first(&r->json, list) : NULL; each; each = json_next(&r->json, each)) {
        stamma_tree_game game = read_game(r, t, each);
        if (!r->failed)
            r->no_memory |= !keep(t, &game);
    }
}

static void read_moves(value_reader *r, stamma_tree *t, const json_value *root)
{
    const json_value *list = stamma_json_member(r, root, "moves", JSON_LIST);
    for (const json_value *each = list ? json_first(&r->json, list) : NULL; each; each = json_next(&r->json, each)) {
        stamma_tree_move move = {.move = read_move(r, t, each), .counts = read_counts(r, t, each)};
        const json_value *top = stamma_json_member(r, each, "topGame", JSON_OBJECT);
        const json_value *recent = stamma_json_member(r, each, "recentGame", JSON_OBJECT);
        if (top && recent) {
            move.top = read_game(r, t, top);
            move.recent = read_game(r, t, recent);
        }
        stamma_json_expect(r, move.counts.games > 0, each, "sums");
        if (!r->failed)
            r->no_memory |= stamma_tree_count_move(t, &move) != STAMMA_OK;
        if (r->failed)
            return;
    }
}

/* Reads a month such as "2010-05" as a date. Returns 0 for any other text. A text with a day is longer. */
static uint32_t read_month(stamma_text text)
{
    uint32_t date = stamma_date_number(text);
    return text.size == 7 && date / 100 % 100 > 0 ? date : 0;
}

static void read_history(value_reader *r, stamma_tree *t, const json_value *root)
{
    if (!stamma_json_find(r, root, "history"))
        return;
    const json_value *list = stamma_json_member(r, root, "history", JSON_LIST);
    t->history = true;
    for (const json_value *each = list ? json_first(&r->json, list) : NULL; each; each = json_next(&r->json, each)) {
        uint32_t date = read_month(stamma_json_word(r, each, "month"));
        const tree_results more = {stamma_json_count(r, each, "white"), stamma_json_count(r, each, "draws"),
                                   stamma_json_count(r, each, "black")};
        stamma_json_expect(r, date > 0, each, "month");
        if (!r->failed)
            r->no_memory |= !stamma_tree_count_month(t, date, &more);
    }
}

static stamma_error read_tree(value_reader *r, stamma_tree *t)
{
    const json_value *root = json_value_at(&r->json, 0);
    t->counts = read_counts(r, t, root);
    read_moves(r, t, root);
    read_games(r, t, root, "topGames", stamma_tree_keep_top);
    read_games(r, t, root, "recentGames", stamma_tree_keep_recent);
    read_history(r, t, root);
    return r->no_memory ? STAMMA_ERROR_NO_MEMORY : r->failed ? STAMMA_ERROR_SYNTAX : STAMMA_OK;
}

static stamma_error open_tree(value_reader *r, const stamma_allocator *allocator, stamma_tree **tree)
{
    stamma_position position;
    const json_value *root = json_value_at(&r->json, 0);
    stamma_error error = stamma_fen_read(stamma_json_word(r, root, "fen"), &position, NULL, NULL);
    stamma_json_expect(r, error == STAMMA_OK, root, "fen");
    return r->failed ? STAMMA_ERROR_SYNTAX : stamma_tree_open(&position, allocator, tree);
}

stamma_error stamma_tree_read_json(stamma_text json, const stamma_allocator *given, stamma_query_problem *fault,
                                   stamma_tree **tree)
{
    value_reader r;
    stamma_tree *t = NULL;
    if (!text_is_given(json) || !allocator_is_given(given) || !tree)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator allocator = stamma_allocator_or_default(given);
    stamma_error error = stamma_json_open_value(&r, json, &allocator, "tree");
    if (error == STAMMA_OK)
        error = open_tree(&r, &allocator, &t);
    if (error == STAMMA_OK)
        error = read_tree(&r, t);
    error = stamma_json_close_value(&r, error, fault);
    if (error == STAMMA_OK)
        *tree = t;
    else
        stamma_tree_close(t);
    return error;
}
