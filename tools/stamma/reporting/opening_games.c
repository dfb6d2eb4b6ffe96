/* SPDX-License-Identifier: MIT */
/* The position of a report about an opening, and the games that reach the position. */
#include "reporting/opening.h"

#include <ctype.h>
#include <strings.h>

enum { PATH_MAX_PLIES = 1000, NAMED_PLIES = 60 };

/* ---- the position ---- */

/* Plays moves from the initial position. Returns false, without a message, if the first word is not a move. Sets
 * *failed, after a message, if a later word is not. */
static bool play_moves(opening_report *o, bool *failed)
{
    char *copy = strdup(o->wanted), *state = NULL;
    *failed = !copy || !(o->path = malloc(PATH_MAX_PLIES * sizeof *o->path));
    if (*failed)
        (void)tool_fail_memory(NULL);
    for (char *word = copy && !*failed ? strtok_r(copy, " \t\n", &state) : NULL; word && !*failed;
         word = strtok_r(NULL, " \t\n", &state)) {
        const char *san = tool_skip_move_number(word);
        stamma_move move;
        if (*san == 0)
            continue;
        if (o->path_count == PATH_MAX_PLIES || stamma_san_read(&o->r.start, stamma_text_of(san), &move)) {
            *failed = o->path_count > 0;
            if (*failed)
                tool_say(NULL, "option --opening: \"%s\" is not a legal move", san);
            break;
        }
        o->path[o->path_count++] = move;
        stamma_position_make(&o->r.start, move, &o->r.start);
    }
    free(copy);
    return !*failed && o->path_count > 0;
}

/* Returns whether the words are an ECO code, or its first characters: B, B9, B90. */
static bool is_eco(const char *text)
{
    const size_t size = strlen(text);
    return size >= 1 && size <= 3 && text[0] >= 'A' && text[0] <= 'E' && strspn(text + 1, "0123456789") == size - 1;
}

/* A position that has the wanted name, in the games that have the name. */
typedef struct named {
    stamma_position position;
    uint64_t games;
    size_t ply;
    stamma_move path[NAMED_PLIES];
} named;

typedef struct naming {
    opening_report *o;
    bool eco;
    named *list;
    size_t count, room;
} naming;

static bool has_name(const naming *n, stamma_text eco, stamma_text name)
{
    const size_t size = strlen(n->o->wanted);
    if (n->eco)
        return eco.size >= size && memcmp(eco.data, n->o->wanted, size) == 0;
    for (size_t i = 0; i + size <= name.size; i++)
        if (strncasecmp(name.data + i, n->o->wanted, size) == 0)
            return true;
    return false;
}

static bool count_named(naming *n, const stamma_position *position, const stamma_move *path, size_t plies)
{
    size_t i = 0;
    while (i < n->count && !stamma_position_equal(&n->list[i].position, position))
        i++;
    if (i == n->count) {
        if (!tool_list_grow(&n->list, &n->room, n->count, 1, sizeof *n->list))
            return false;
        n->list[n->count++] = (named){.position = *position, .ply = plies};
        memcpy(n->list[i].path, path, plies * sizeof *path);
    }
    n->list[i].games++;
    return true;
}

/* Counts the first position of a game that has the name. */
static bool add_named(void *context, const stamma_archive_game *game)
{
    naming *n = context;
    stamma_position position = game->start;
    if (game->continuation || !report_is_initial(&game->start))
        return true;
    for (size_t ply = 0; ply < game->ply_count && ply < NAMED_PLIES; ply++) {
        stamma_text eco, name;
        stamma_position_make(&position, game->moves[ply], &position);
        if (stamma_position_opening(&position, &eco, &name) && has_name(n, eco, name))
            return count_named(n, &position, game->moves, ply + 1);
    }
    return true;
}

static bool take_named(void *context, const stamma_match *match)
{
    naming *n = context;
    return find_source_read(n->o->r.search.source, match->game, STAMMA_GAME_TAGS | STAMMA_GAME_MOVES, add_named, n);
}

static stamma_error name_archive(void *context, answer_search *s, const stamma_search_options *options,
                                 stamma_place *place)
{
    bool failed;
    stamma_error error = answer_search_games(s, options, take_named, context, place, &failed);
    return failed ? STAMMA_ERROR_CORRUPT : error;
}

/* Returns whether standard input, if it is an archive, can be read again. Prints a message if not. */
static bool can_read_twice(const report *r)
{
    for (size_t i = 0; i < r->path_count; i++)
        if (strcmp(r->paths[i], "-") == 0 && fseek(stdin, 0, SEEK_CUR) != 0) {
            tool_say(NULL, "option --opening: for a name, archives are read twice; standard input must be a file");
            return false;
        }
    return true;
}

/* Finds the position that most games with the name reach first, in all games of the archives. Returns false, after a
 * message, if there is none. */
static bool find_named(opening_report *o)
{
    if (!can_read_twice(&o->r))
        return false;
    answer_search s = o->r.search; /* the same options, but no conditions */
    naming n = {.o = o, .eco = is_eco(o->wanted)};
    size_t best = 0;
    o->r.search.values = s.values = (tool_values){.count = 0};
    bool right = answer_search_run(&o->r.search, o->r.paths, o->r.path_count, name_archive, &n);
    for (size_t i = 1; i < n.count; i++)
        best = n.list[i].games > n.list[best].games ? i : best;
    if (right && n.count > 0) {
        o->r.start = n.list[best].position;
        o->path_count = n.list[best].ply;
        memcpy(o->path, n.list[best].path, o->path_count * sizeof *o->path);
    } else if (right)
        tool_say(NULL, "option --opening: \"%s\" is neither a FEN nor moves, and no game has an opening of this name",
                 o->wanted);
    answer_search_close(&o->r.search);
    o->r.search = s;
    free(n.list);
    return right && n.count > 0;
}

/* Finds the name of the last position on the path that has one. */
static void find_name(opening_report *o)
{
    stamma_position position = stamma_position_start();
    for (size_t i = 0; i < o->path_count; i++) {
        stamma_position_make(&position, o->path[i], &position);
        (void)stamma_position_opening(&position, &o->eco, &o->name);
    }
    (void)stamma_position_opening(&o->r.start, &o->eco, &o->name);
}

static bool find_position(opening_report *o)
{
    bool failed;
    const tool_values values = o->r.search.values;
    o->r.start = stamma_position_start();
    if (strchr(o->wanted, '/')) {
        failed = !tool_fen_read(o->wanted, &o->r.start);
    } else if (!play_moves(o, &failed) && !failed) {
        o->r.search.values = (tool_values){.count = 0};
        failed = !find_named(o);
        o->r.search.values = values;
    }
    if (!failed)
        find_name(o);
    return !failed;
}

/* ---- games ---- */

typedef struct gathering {
    opening_report *o;
    size_t archive, ply; /* ply of the match */
} gathering;

static bool take_game(opening_report *o, report_game *g, const stamma_archive_game *game, size_t ply)
{
    const unsigned white = stamma_rating_read(stamma_archive_game_tag(game, stamma_text_of("WhiteElo")));
    const unsigned black = stamma_rating_read(stamma_archive_game_tag(game, stamma_text_of("BlackElo")));
    g->outcome = report_outcome_of(stamma_archive_game_result(game), STAMMA_WHITE);
    (void)stamma_date_read(tool_date(game), &g->date);
    g->rating = white;
    g->opponent_rating = white && black ? (white + black + 1) / 2 : 0;
    g->name = report_tag(game, "White");
    g->opponent = report_tag(game, "Black");
    g->event = report_tag(game, "Event");
    g->standard = true;
    g->before = ply;
    g->plies = game->ply_count - ply;
    g->moves = malloc((g->plies + 1) * sizeof *g->moves);
    if (g->moves && g->plies > 0)
        memcpy(g->moves, game->moves + ply, g->plies * sizeof *g->moves);
    o->rated += g->opponent_rating > 0;
    o->rating_sum += g->opponent_rating;
    return g->moves && g->name && g->opponent && g->event;
}

static bool add_game(void *context, const stamma_archive_game *game)
{
    gathering *g = context;
    report *r = &g->o->r;
    bool added;
    if (game->continuation || g->ply > game->ply_count)
        return true;
    if (!report_set_add(r->known, game, &added))
        return false;
    if (!added)
        return true;
    if (!tool_list_grow(&r->games, &r->room, r->count, 1, sizeof *r->games))
        return false;
    report_game *one = &r->games[r->count++];
    *one = (report_game){.archive = g->archive, .number = game->number};
    return take_game(g->o, one, game, g->ply) || tool_fail_memory(NULL);
}

static bool take_match(void *context, const stamma_match *match)
{
    const unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES;
    gathering *g = context;
    g->ply = match->ply_count > 0 ? match->plies[0] : 0;
    return find_source_read(g->o->r.search.source, match->game, parts, add_game, g);
}

static stamma_error add_archive(void *context, answer_search *s, const stamma_search_options *options,
                                stamma_place *place)
{
    gathering g = {.o = context, .archive = (size_t)(s->source - s->sources)};
    bool failed;
    stamma_error error = answer_search_games(s, options, take_match, &g, place, &failed);
    return failed ? STAMMA_ERROR_CORRUPT : error;
}

/* Sets the first recent date: that of the last three years if the games are of more than five, otherwise the date from
 * which a third of the games is. The games are sorted by date. */
static void find_recent(report *r)
{
    size_t dated = 0;
    while (dated < r->count && r->games[dated].date.year == 0)
        dated++;
    if (dated == r->count)
        return;
    const unsigned first = r->games[dated].date.year, last = r->games[r->count - 1].date.year;
    const stamma_date *third = &r->games[r->count - (r->count - dated + 2) / 3].date;
    r->recent_from = last - first >= 5 ? (last - 2) * 10000u : third->year * 10000u + third->month * 100u + third->day;
}

bool opening_read(opening_report *o)
{
    report *r = &o->r;
    const stamma_game_set_options options = {.size = sizeof options, .memory = STAMMA_NO_LIMIT};
    char fen[STAMMA_FEN_SIZE];
    if (!find_position(o))
        return false;
    (void)stamma_fen_write(&r->start, STAMMA_FEN_STANDARD, fen, sizeof fen);
    if (r->unique && stamma_game_set_open(&options, &r->known))
        return tool_fail_memory(NULL);
    if (!tool_values_add(&r->search.values, "fen", fen) ||
        !tool_conditions_parse(&r->search.values, &r->search.query) ||
        !answer_search_run(&r->search, r->paths, r->path_count, add_archive, o))
        return false;
    report_games_sort(r);
    find_recent(r);
    return true;
}

void opening_close(opening_report *o)
{
    opening_features *const all[] = {&o->structures, &o->endgames, &o->placements, &o->manoeuvres};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->list);
    for (size_t i = 0; i < 3; i++)
        free(o->key_games[i]);
    free(o->path);
    free(o->lines);
    free(o->changes);
}
