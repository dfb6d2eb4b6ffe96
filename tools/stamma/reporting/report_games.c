/* SPDX-License-Identifier: MIT */
/* The games of a player, read from archives. */
#include "reporting/report.h"

bool report_set_add(stamma_game_set *set, const stamma_archive_game *game, bool *added)
{
    *added = true;
    if (!set || stamma_game_hash_needs_text(game))
        return true;
    return stamma_game_set_add(set, game, added) == STAMMA_OK || tool_fail_memory(NULL);
}

bool report_is_initial(const stamma_position *position)
{
    const stamma_position initial = stamma_position_start();
    return stamma_position_equal(position, &initial);
}

/* ---- one game ---- */

static stamma_text tag(const stamma_archive_game *game, const char *name)
{
    return stamma_archive_game_tag(game, stamma_text_of(name));
}

char *report_tag(const stamma_archive_game *game, const char *name)
{
    stamma_text value = tool_text_unescape(tag(game, name));
    char *text = value.data ? (char *)(uintptr_t)value.data : strdup("?");
    if (text && value.data)
        text[value.size] = 0;
    return text;
}

report_outcome report_outcome_of(stamma_result result, stamma_color color)
{
    if (result == STAMMA_RESULT_UNKNOWN)
        return REPORT_UNFINISHED;
    if (result == STAMMA_RESULT_DRAW)
        return REPORT_DRAWN;
    return (result == STAMMA_RESULT_WHITE) == (color == STAMMA_WHITE) ? REPORT_WON : REPORT_LOST;
}

/* Plies that have names of openings. */
enum { OPENING_PLIES = 60 };

static void find_opening(report_game *g, const stamma_archive_game *game)
{
    stamma_position position = game->start;
    for (size_t ply = 0; ply < game->ply_count && ply < OPENING_PLIES; ply++) {
        stamma_position_make(&position, game->moves[ply], &position);
        (void)stamma_position_opening(&position, &g->eco, &g->opening);
    }
}

/* Adds the time that the player spent on each move: the time in the comment of the move, or otherwise the clock after
 * the previous move, plus the increment, minus the clock after the move. Omits moves after which time was added. */
static void add_clocks(report_game *g, const stamma_archive_game *game, const stamma_time_control *control)
{
    /* with several periods, it is unknown how much time the first one has */
    int64_t before = control->longest_ms == control->time_ms ? (int64_t)control->time_ms : -1;
    bool low = false;
    for (size_t ply = g->color; ply < game->ply_count; ply += 2) {
        const int64_t now = game->clocks_ms[ply];
        int64_t spent = before < 0 || now < 0 ? -1 : before + (int64_t)control->increment_ms - now;
        spent = game->times_spent_ms[ply] >= 0 ? game->times_spent_ms[ply] : spent;
        const size_t span = ply / 2 / REPORT_SPAN_MOVES;
        if (spent >= 0) {
            g->time.moves[span < REPORT_SPANS ? span : REPORT_SPANS - 1]++;
            g->time.spent_ms[span < REPORT_SPANS ? span : REPORT_SPANS - 1] += (uint64_t)spent;
            g->time.games = 1;
        }
        low |= now >= 0 && (uint64_t)now * 10 <= control->longest_ms;
        before = now;
    }
    g->time.short_games = g->time.games && low;
    g->time.short_finished = g->time.short_games && g->outcome != REPORT_UNFINISHED;
    if (g->time.short_finished)
        g->time.short_points = g->outcome == REPORT_WON ? 2 : g->outcome == REPORT_DRAWN;
}

static bool has_clocks(const report_game *g, const stamma_archive_game *game)
{
    for (size_t ply = g->color; game->clocks_ms && ply < game->ply_count; ply += 2)
        if (game->clocks_ms[ply] >= 0)
            return true;
    return false;
}

static void read_clocks(report *r, report_game *g, const stamma_archive_game *game)
{
    stamma_time_control control;
    stamma_text text = tag(game, "TimeControl");
    if (!has_clocks(g, game))
        return;
    g->speed = stamma_speed_read(text);
    if (stamma_time_control_read(text, &control) && !control.untimed && control.time_ms > 0)
        add_clocks(g, game, &control);
    else
        r->untimed++;
}

static bool take_moves(report_game *g, const stamma_archive_game *game)
{
    if (!g->standard || game->ply_count == 0)
        return true;
    g->moves = malloc(game->ply_count * sizeof *g->moves);
    if (g->moves)
        memcpy(g->moves, game->moves, game->ply_count * sizeof *g->moves);
    return g->moves != NULL;
}

static bool take_game(report *r, report_game *g, const stamma_archive_game *game, bool white)
{
    g->color = white ? STAMMA_WHITE : STAMMA_BLACK;
    g->outcome = report_outcome_of(stamma_archive_game_result(game), g->color);
    (void)stamma_date_read(tool_date(game), &g->date);
    g->rating = stamma_rating_read(tag(game, white ? "WhiteElo" : "BlackElo"));
    g->opponent_rating = stamma_rating_read(tag(game, white ? "BlackElo" : "WhiteElo"));
    g->name = report_tag(game, white ? "White" : "Black");
    g->opponent = report_tag(game, white ? "Black" : "White");
    g->event = report_tag(game, "Event");
    g->standard = report_is_initial(&game->start) && !game->no_start;
    g->plies = game->ply_count;
    if (g->standard)
        find_opening(g, game);
    read_clocks(r, g, game);
    r->set_up += !g->standard;
    return take_moves(g, game) && g->name && g->opponent && g->event;
}

/* ---- all games ---- */

typedef struct gathering {
    report *r;
    size_t archive;
} gathering;

bool report_games_add(report *r, size_t archive, const stamma_archive_game *game)
{
    bool white = r->color == STAMMA_WHITE, added;
    if (game->continuation)
        return true;
    if (!report_set_add(r->known, game, &added))
        return false;
    if (!added)
        return true;
    if (r->color < 0 && stamma_matcher_test(r->white, game, &white, NULL, NULL))
        return tool_fail_memory(NULL);
    if (!tool_list_grow(&r->games, &r->room, r->count, 1, sizeof *r->games))
        return false;
    report_game *one = &r->games[r->count++];
    *one = (report_game){.archive = archive, .number = game->number};
    return take_game(r, one, game, white) || tool_fail_memory(NULL);
}

static bool add_game(void *context, const stamma_archive_game *game)
{
    const gathering *g = context;
    return report_games_add(g->r, g->archive, game);
}

static bool take_match(void *context, const stamma_match *match)
{
    const unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES | STAMMA_GAME_CLOCKS;
    gathering *g = context;
    return find_source_read(g->r->search.source, match->game, parts, add_game, g);
}

static stamma_error add_archive(void *context, answer_search *s, const stamma_search_options *options,
                                stamma_place *place)
{
    gathering g = {context, (size_t)(s->source - s->sources)};
    bool failed;
    stamma_error error = answer_search_games(s, options, take_match, &g, place, &failed);
    return failed ? STAMMA_ERROR_CORRUPT : error;
}

static int compare_games(const void *left, const void *right)
{
    const report_game *a = left, *b = right;
    if (a->date.first != b->date.first)
        return a->date.first < b->date.first ? -1 : 1;
    if (a->archive != b->archive)
        return a->archive < b->archive ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

void report_games_sort(report *r)
{
    if (r->count > 1)
        qsort(r->games, r->count, sizeof *r->games, compare_games);
}

/* Opens the matcher that finds the color of the player. */
static bool open_player(report *r)
{
    if (!tool_conditions_white(&r->search.values, &r->chosen, false, &r->white_query))
        return false;
    return !stamma_matcher_open(r->white_query, NULL, &r->white) || tool_fail_memory(NULL);
}

bool report_games_read(report *r)
{
    const stamma_game_set_options options = {.size = sizeof options, .memory = STAMMA_NO_LIMIT};
    if (r->unique && stamma_game_set_open(&options, &r->known))
        return tool_fail_memory(NULL);
    if ((r->color < 0 && !open_player(r)) || !answer_search_run(&r->search, r->paths, r->path_count, add_archive, r))
        return false;
    report_games_sort(r);
    return true;
}

void report_games_close(report *r)
{
    for (size_t i = 0; i < r->count; i++) {
        free(r->games[i].name);
        free(r->games[i].opponent);
        free(r->games[i].event);
        free(r->games[i].moves);
    }
    free(r->games);
    stamma_game_set_close(r->known);
    stamma_matcher_close(r->white);
    stamma_query_close(r->white_query);
}
