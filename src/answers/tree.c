/* SPDX-License-Identifier: MIT */
/* The moves played in one position. Partial trees can be merged in any order and grouping. */
#include "answers/answers.h"

/* ---- opening and closing ---- */

/* Returns whether castling must be written as king takes rook. */
static bool castles_elsewhere(const stamma_position *p)
{
    for (unsigned color = 0; color < 2; color++)
        for (unsigned side = 0; side < 2; side++) {
            unsigned home = color == STAMMA_WHITE ? 0 : 56, rook = p->castling[color][side];
            bool usual = rook == home + (side == STAMMA_KING_SIDE ? 7u : 0u) && position_king(p, color) == home + 4;
            if (rook != STAMMA_SQUARE_NONE && !usual)
                return true;
        }
    return false;
}

stamma_error stamma_tree_open(const stamma_position *position, const stamma_allocator *given, stamma_tree **tree)
{
    if (!position || !tree || !allocator_is_given(given))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator allocator = stamma_allocator_or_default(given);
    stamma_tree *t = (stamma_tree *)memory_allocate(&allocator, sizeof *t);
    if (!t)
        return STAMMA_ERROR_NO_MEMORY;
    memset(t, 0, sizeof *t);
    t->allocator = allocator;
    t->position = *position;
    t->chess960 = castles_elsewhere(position);
    t->moves.allocator = t->texts.allocator = t->months.allocator = &t->allocator;
    t->texts.copies = true;
    *tree = t;
    return STAMMA_OK;
}

void stamma_tree_close(stamma_tree *t)
{
    if (!t)
        return;
    stamma_allocator allocator = t->allocator;
    stamma_buffer_release(&t->moves);
    stamma_buffer_release(&t->months);
    stamma_text_table_release(&t->texts);
    memory_release(&allocator, t);
}

const stamma_position *stamma_tree_position(const stamma_tree *t)
{
    return &t->position;
}

/* ---- counts ---- */

void stamma_tree_add_counts(stamma_tree_counts *sum, const stamma_tree_counts *more)
{
    sum->games += more->games;
    sum->white_wins += more->white_wins;
    sum->draws += more->draws;
    sum->black_wins += more->black_wins;
    sum->rated += more->rated;
    sum->rating_sum += more->rating_sum;
    sum->opponents += more->opponents;
    sum->opponent_sum += more->opponent_sum;
    sum->half_points += more->half_points;
    sum->last_date = more->last_date > sum->last_date ? more->last_date : sum->last_date;
    for (unsigned color = STAMMA_WHITE; color <= STAMMA_BLACK; color++) {
        sum->opposed[color] += more->opposed[color];
        sum->opposed_sum[color] += more->opposed_sum[color];
        sum->opposed_points[color] += more->opposed_points[color];
    }
}

/* Adds a side's half points against an opponent with `rating`; 0: unknown. */
STAMMA_INLINE void count_opponent(stamma_tree_counts *sum, unsigned color, unsigned rating, unsigned half_points)
{
    sum->opposed[color] += rating > 0;
    sum->opposed_sum[color] += rating;
    sum->opposed_points[color] += rating > 0 ? half_points : 0;
}

void stamma_tree_count(stamma_tree_counts *sum, unsigned white, unsigned black, stamma_result result, unsigned mover)
{
    const unsigned draw = result == STAMMA_RESULT_DRAW;
    const bool rated = white > 0 && black > 0, finished = result != STAMMA_RESULT_UNKNOWN;
    sum->games++;
    sum->white_wins += result == STAMMA_RESULT_WHITE;
    sum->draws += draw;
    sum->black_wins += result == STAMMA_RESULT_BLACK;
    sum->rated += rated;
    sum->rating_sum += rated ? white + black : 0;
    count_opponent(sum, STAMMA_WHITE, finished ? black : 0, result == STAMMA_RESULT_WHITE ? 2 : draw);
    count_opponent(sum, STAMMA_BLACK, finished ? white : 0, result == STAMMA_RESULT_BLACK ? 2 : draw);
    sum->opponents = sum->opposed[mover];
    sum->opponent_sum = sum->opposed_sum[mover];
    sum->half_points = sum->opposed_points[mover];
}

static stamma_tree_counts counts_of(const stamma_tree_game *game, unsigned mover)
{
    stamma_tree_counts counts = {.last_date = game->date};
    stamma_tree_count(&counts, game->white_rating, game->black_rating, game->result, mover);
    return counts;
}

unsigned stamma_tree_rating(const stamma_tree_counts *c)
{
    return c->rated == 0 ? 0 : (unsigned)((c->rating_sum + c->rated) / (2 * c->rated));
}

/* Returns the binary logarithm of a number that is at least 1, bit by bit. The library does not need libm, and the
 * result is the same on every machine. */
static double logarithm(double x)
{
    double result = 0, bit = 1;
    for (; x >= 2; x /= 2)
        result += 1;
    for (int i = 0; i < 32; i++) {
        x *= x;
        bit /= 2;
        if (x >= 2) {
            x /= 2;
            result += bit;
        }
    }
    return result;
}

static bool find_performance(uint64_t opponents, uint64_t sum, uint64_t half_points, int32_t *performance)
{
    enum { BOUND = 800, ABOVE = 100000 };
    const double per_doubling = 120.41199826559248; /* 400 * log10(2) */
    if (opponents == 0)
        return false;
    double won = (double)half_points, lost = 2 * (double)opponents - won, difference = BOUND;
    bool better = won >= lost;
    if (won > 0 && lost > 0)
        difference = per_doubling * logarithm(better ? won / lost : lost / won);
    difference = difference > BOUND ? BOUND : difference;
    double mean = (double)sum / (double)opponents;
    /* The cast truncates, so ABOVE makes the sum positive: negative results are rounded to nearest, too. */
    *performance = (int32_t)(mean + (better ? difference : -difference) + ABOVE + 0.5) - ABOVE;
    return true;
}

bool stamma_tree_performance(const stamma_tree_counts *c, int32_t *performance)
{
    return find_performance(c->opponents, c->opponent_sum, c->half_points, performance);
}

bool stamma_tree_performance_of(const stamma_tree_counts *c, stamma_color color, int32_t *performance)
{
    unsigned side = color == STAMMA_WHITE ? STAMMA_WHITE : STAMMA_BLACK;
    return find_performance(c->opposed[side], c->opposed_sum[side], c->opposed_points[side], performance);
}

/* ---- games by month ---- */

stamma_error stamma_tree_keep_history(stamma_tree *t)
{
    if (!t || t->counts.games > 0)
        return STAMMA_ERROR_BAD_ARGUMENT;
    t->history = true;
    return STAMMA_OK;
}

static size_t month_count(const stamma_tree *t)
{
    return t->months.size / sizeof(tree_results);
}

/* Inserts months before the first month and after the last. Returns false if memory is exhausted. */
static bool add_months(stamma_tree *t, size_t before, size_t after)
{
    const size_t size = t->months.size, front = before * sizeof(tree_results), back = after * sizeof(tree_results);
    if (!buffer_reserve(&t->months, front + back))
        return false;
    if (size > 0)
        memmove(t->months.data + front, t->months.data, size);
    memset(t->months.data, 0, front);
    memset(t->months.data + front + size, 0, back);
    t->months.size = front + size + back;
    t->first_month -= before;
    return true;
}

/* Returns the counts of a month, or NULL if memory is exhausted. */
static tree_results *find_month(stamma_tree *t, size_t month)
{
    if (month_count(t) == 0)
        t->first_month = month;
    size_t end = t->first_month + month_count(t);
    size_t before = month < t->first_month ? t->first_month - month : 0, after = month < end ? 0 : month + 1 - end;
    if ((before > 0 || after > 0) && !add_months(t, before, after))
        return NULL;
    return (tree_results *)(void *)t->months.data + (month - t->first_month);
}

bool stamma_tree_count_month(stamma_tree *t, uint32_t date, const tree_results *more)
{
    unsigned month = date / 100 % 100;
    if (!t->history || month == 0)
        return true;
    tree_results *sum = find_month(t, (size_t)date / 10000 * 12 + month - 1);
    if (!sum)
        return false;
    sum->white += more->white;
    sum->draws += more->draws;
    sum->black += more->black;
    return true;
}

bool stamma_tree_next_month(const stamma_tree *t, stamma_tree_month *month)
{
    if (!t || !month)
        return false;
    const tree_results *all = (const tree_results *)(const void *)t->months.data;
    size_t next = month->month == 0 ? 0 : (size_t)month->month / 100 * 12 + month->month % 100;
    size_t n = next > t->first_month ? next - t->first_month : 0;
    while (n < month_count(t) && all[n].white + all[n].draws + all[n].black == 0)
        n++;
    if (n >= month_count(t))
        return false;
    size_t found = t->first_month + n;
    *month = (stamma_tree_month){.month = (uint32_t)(found / 12 * 100 + found % 12 + 1),
                                 .white_wins = all[n].white,
                                 .draws = all[n].draws,
                                 .black_wins = all[n].black};
    return true;
}

static uint32_t date_of_month(size_t month)
{
    return (uint32_t)(month / 12 * 10000 + (month % 12 + 1) * 100);
}

static bool merge_months(stamma_tree *into, const stamma_tree *other)
{
    const tree_results *all = (const tree_results *)(const void *)other->months.data;
    bool kept = true;
    for (size_t n = 0; n < month_count(other) && kept; n++)
        if (all[n].white + all[n].draws + all[n].black > 0)
            kept = stamma_tree_count_month(into, date_of_month(other->first_month + n), &all[n]);
    return kept;
}

/* ---- example games ---- */

static int compare_texts(stamma_text a, stamma_text b)
{
    size_t least = a.size < b.size ? a.size : b.size;
    int order = least == 0 ? 0 : memcmp(a.data, b.data, least);
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

static unsigned rating_of(const stamma_tree_game *g)
{
    return g->white_rating > 0 && g->black_rating > 0 ? (unsigned)g->white_rating + g->black_rating : 0;
}

/* Returns whether a game ranks before another among the top games: highest mean rating first, then latest date, then by
 * archive and number. */
static bool is_higher(const stamma_tree_game *a, const stamma_tree_game *b)
{
    if (rating_of(a) != rating_of(b))
        return rating_of(a) > rating_of(b);
    if (a->date != b->date)
        return a->date > b->date;
    int archive = compare_texts(a->archive, b->archive);
    return archive != 0 ? archive < 0 : a->game < b->game;
}

/* Returns whether a game ranks before another among the recent games: latest date first, then highest number, then by
 * archive. */
static bool is_later(const stamma_tree_game *a, const stamma_tree_game *b)
{
    if (a->date != b->date)
        return a->date > b->date;
    return a->game != b->game ? a->game > b->game : compare_texts(a->archive, b->archive) < 0;
}

static bool copy_text(stamma_tree *t, stamma_text *text)
{
    if (!text->data)
        return true;
    uint32_t number = stamma_text_table_add(&t->texts, *text);
    if (number == 0)
        return false;
    *text = text_table_at(&t->texts, number);
    return true;
}

static bool copy_game(stamma_tree *t, const stamma_tree_game *game, stamma_tree_game *to)
{
    stamma_tree_game copy = *game;
    if (!copy_text(t, &copy.archive) || !copy_text(t, &copy.white) || !copy_text(t, &copy.black))
        return false;
    *to = copy;
    return true;
}

static bool keep(stamma_tree *t, tree_games *list, const stamma_tree_game *game,
                 bool (*before)(const stamma_tree_game *, const stamma_tree_game *))
{
    size_t at = list->count;
    stamma_tree_game copy;
    while (at > 0 && before(game, &list->games[at - 1]))
        at--;
    if (at == TREE_GAMES)
        return true;
    if (!copy_game(t, game, &copy))
        return false;
    list->count += list->count < TREE_GAMES;
    memmove(&list->games[at + 1], &list->games[at], (list->count - 1 - at) * sizeof copy);
    list->games[at] = copy;
    return true;
}

bool stamma_tree_keep_top(stamma_tree *t, const stamma_tree_game *game)
{
    return keep(t, &t->top, game, is_higher);
}

bool stamma_tree_keep_recent(stamma_tree *t, const stamma_tree_game *game)
{
    return keep(t, &t->recent, game, is_later);
}

/* ---- moves ---- */

static stamma_tree_move *move_list(const stamma_tree *t)
{
    return (stamma_tree_move *)(void *)t->moves.data;
}

size_t stamma_tree_move_count(const stamma_tree *t)
{
    return t->moves.size / sizeof(stamma_tree_move);
}

/* Finds a move, or adds it without games. Returns NULL if memory is exhausted. */
static stamma_tree_move *find_move(stamma_tree *t, stamma_move move)
{
    size_t count = stamma_tree_move_count(t);
    stamma_tree_move added = {.move = move};
    for (size_t n = 0; n < count; n++)
        if (move_list(t)[n].move == move)
            return &move_list(t)[n];
    buffer_add(&t->moves, &added, sizeof added);
    return t->moves.failed ? NULL : &move_list(t)[count];
}

static bool replace_game(stamma_tree *t, stamma_tree_game *kept, const stamma_tree_game *game, bool first,
                         bool (*before)(const stamma_tree_game *, const stamma_tree_game *))
{
    return (!first && !before(game, kept)) || copy_game(t, game, kept);
}

static bool is_before(const stamma_tree *t, const stamma_tree_move *a, const stamma_tree_move *b)
{
    char first[STAMMA_UCI_SIZE], second[STAMMA_UCI_SIZE];
    if (a->counts.games != b->counts.games)
        return a->counts.games > b->counts.games;
    (void)stamma_uci_write(&t->position, a->move, t->chess960, first, sizeof first);
    (void)stamma_uci_write(&t->position, b->move, t->chess960, second, sizeof second);
    return strcmp(first, second) < 0;
}

/* Restores the order of the list after games were added to a move. */
static void move_forward(const stamma_tree *t, stamma_tree_move *m)
{
    const stamma_tree_move moved = *m;
    for (; m > move_list(t) && is_before(t, &moved, m - 1); m--)
        *m = m[-1];
    *m = moved;
}

stamma_error stamma_tree_count_move(stamma_tree *t, const stamma_tree_move *more)
{
    stamma_tree_move *m = find_move(t, more->move);
    if (!m)
        return STAMMA_ERROR_NO_MEMORY;
    bool first = m->counts.games == 0;
    stamma_tree_add_counts(&m->counts, &more->counts);
    bool kept = replace_game(t, &m->top, &more->top, first, is_higher) &&
                replace_game(t, &m->recent, &more->recent, first, is_later);
    move_forward(t, m);
    return kept ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

/* Adds a game that reaches the position. game->move was played in the position, unless the game ends there. If the game
 * is kept as an example, its texts are copied. Returns NO_MEMORY on failure. */
static stamma_error count_game(stamma_tree *t, const stamma_tree_game *game)
{
    stamma_tree_move move = {.move = game->move, .counts = counts_of(game, t->position.side)};
    const tree_results result = {move.counts.white_wins, move.counts.draws, move.counts.black_wins};
    if (!stamma_tree_keep_top(t, game) || !stamma_tree_keep_recent(t, game) ||
        !stamma_tree_count_month(t, game->date, &result))
        return STAMMA_ERROR_NO_MEMORY;
    stamma_tree_add_counts(&t->counts, &move.counts);
    if (game->ended)
        return STAMMA_OK;
    move.top = move.recent = *game;
    return stamma_tree_count_move(t, &move);
}

const stamma_tree_move *stamma_tree_move_at(const stamma_tree *t, size_t n)
{
    return n < stamma_tree_move_count(t) ? &move_list(t)[n] : NULL;
}

stamma_tree_counts stamma_tree_total(const stamma_tree *t)
{
    return t->counts;
}

const stamma_tree_game *stamma_tree_top_game(const stamma_tree *t, size_t n)
{
    return n < t->top.count ? &t->top.games[n] : NULL;
}

const stamma_tree_game *stamma_tree_recent_game(const stamma_tree *t, size_t n)
{
    return n < t->recent.count ? &t->recent.games[n] : NULL;
}

/* ---- games ---- */

stamma_error stamma_tree_add(stamma_tree *t, stamma_text archive, const stamma_archive_game *game)
{
    if (!t || !text_is_given(archive) || !game || (game->ply_count > 0 && !game->moves && !game->continuation))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_position p;
    size_t ply = game->continuation ? SIZE_MAX : stamma_game_find_position(game, &t->position, &p);
    if (ply == SIZE_MAX)
        return STAMMA_OK;
    game_summary summary = stamma_game_summary_of(game);
    stamma_tree_game added = {
        .archive = {archive.size > 0 ? archive.data : "", archive.size},
        .game = game->number,
        .ended = ply == game->ply_count,
        .white_rating = summary.ratings[STAMMA_WHITE],
        .black_rating = summary.ratings[STAMMA_BLACK],
        .result = summary.result,
        .date = tree_date_of_month(stamma_search_month(stamma_archive_game_tag(game, stamma_text_of("Date")),
                                                       stamma_archive_game_tag(game, stamma_text_of("UTCDate")))),
        .speed = stamma_speed_read(stamma_archive_game_tag(game, stamma_text_of("TimeControl"))),
        .mode = stamma_mode_read(stamma_archive_game_tag(game, stamma_text_of("Event")))};
    if (!added.ended)
        added.move = game->moves[ply];
    return count_game(t, &added);
}

/* ---- merging ---- */

stamma_error stamma_tree_merge(stamma_tree *into, const stamma_tree *other)
{
    if (!into || !other || into == other || !stamma_position_equal(&into->position, &other->position) ||
        into->history != other->history)
        return STAMMA_ERROR_BAD_ARGUMENT;
    bool kept = merge_months(into, other);
    stamma_tree_add_counts(&into->counts, &other->counts);
    for (size_t n = 0; n < other->top.count && kept; n++)
        kept = stamma_tree_keep_top(into, &other->top.games[n]);
    for (size_t n = 0; n < other->recent.count && kept; n++)
        kept = stamma_tree_keep_recent(into, &other->recent.games[n]);
    stamma_error error = kept ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < stamma_tree_move_count(other) && error == STAMMA_OK; n++)
        error = stamma_tree_count_move(into, &move_list(other)[n]);
    return error;
}
