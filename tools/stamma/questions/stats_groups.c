/* SPDX-License-Identifier: MIT */
/* Games by group, such as pawn structure, year, opponent or event, with the results of each group. */
#include "questions/answer_search.h"

#include <inttypes.h>

#include "games/game_views.h"

static const char *const words[GROUPS_END] = {"pawns", "material", "year",    "opponent", "opening",
                                              "event", "site",     "country", "title",    "federation"};

/* What --by needs of a game besides the tags and the result. */
static bool needs_moves(answer_groups_kind kind)
{
    return kind == GROUPS_PAWNS || kind == GROUPS_MATERIAL || kind == GROUPS_OPENING;
}

/* Returns whether a group has players: a game counts for each of its players, or for the other player than the named
 * one. */
static bool has_players(answer_groups_kind kind)
{
    return kind == GROUPS_TITLE || kind == GROUPS_FEDERATION;
}

/* The games with one key. The results are from the side of White, or of the named player. */
typedef struct group {
    char *key;
    uint64_t games, won, drawn, lost, plies;
} group;

typedef struct grouping {
    answer_search *search;
    answer_groups_kind kind;
    group *list;
    size_t count, room;
    size_t merged; /* the first groups, which have different keys */
    stamma_query *white_query;
    stamma_matcher *white; /* whether the named player has White */
    const uint32_t *plies; /* of the match */
    size_t ply_count;
} grouping;

bool answer_groups_find(const char *word, answer_groups_kind *kind)
{
    for (unsigned n = 0; n < GROUPS_END; n++)
        if (strcmp(word, words[n]) == 0) {
            *kind = (answer_groups_kind)n;
            return true;
        }
    return false;
}

/* ---- merging groups with equal keys ---- */

static int compare_keys(const void *left, const void *right)
{
    return strcmp(((const group *)left)->key, ((const group *)right)->key);
}

static void merge(grouping *g)
{
    size_t kept = 0;
    if (g->count > 1)
        qsort(g->list, g->count, sizeof *g->list, compare_keys);
    for (size_t i = 0; i < g->count; i++) {
        group *last = kept > 0 ? &g->list[kept - 1] : NULL, *next = &g->list[i];
        if (!last || strcmp(last->key, next->key) != 0) {
            g->list[kept++] = *next;
            continue;
        }
        last->games += next->games;
        last->won += next->won;
        last->drawn += next->drawn;
        last->lost += next->lost;
        last->plies += next->plies;
        free(next->key);
    }
    g->count = g->merged = kept;
}

/* Adds a group. Merges before the list grows, unless most keys differ. */
static bool add_group(grouping *g, const group *added)
{
    if (g->count == g->room && g->merged * 2 <= g->count)
        merge(g);
    if (g->count == g->room) {
        size_t room = g->room == 0 ? 1024 : g->room * 2;
        group *grown = realloc(g->list, room * sizeof *grown);
        if (!grown)
            return tool_fail_memory(NULL);
        g->list = grown;
        g->room = room;
    }
    g->list[g->count] = *added;
    g->list[g->count].key = strdup(added->key);
    return g->list[g->count].key ? (g->count++, true) : tool_fail_memory(NULL);
}

/* ---- keys ---- */

static stamma_position position_at(const stamma_archive_game *game, size_t ply)
{
    stamma_position position = game->start;
    for (size_t n = 0; n < ply && n < game->ply_count; n++)
        stamma_position_make(&position, game->moves[n], &position);
    return position;
}

/* Writes a board field with only the pawns, as --pawns accepts it. */
static void write_pawns(const char *fen, char *out)
{
    unsigned empty = 0;
    for (;; fen++) {
        bool pawn = *fen == 'P' || *fen == 'p', end = *fen == '/' || *fen == ' ';
        if ((pawn || end) && empty > 0)
            *out++ = (char)('0' + empty);
        empty = pawn || end ? 0 : *fen >= '1' && *fen <= '8' ? empty + (unsigned)(*fen - '0') : empty + 1;
        if (*fen == ' ')
            break;
        if (pawn || end)
            *out++ = *fen;
    }
    *out = 0;
}

/* Writes the pieces of both sides, as --material accepts them. */
static void write_material(const char *fen, char *out)
{
    static const char pieces[] = "KQRBNPkqrbnp";
    for (const char *piece = pieces; *piece; piece++)
        for (const char *at = fen; *at && *at != ' '; at++)
            if (*at == *piece)
                *out++ = pieces[(piece - pieces) % 6];
    *out = 0;
}

static void write_position(const grouping *g, const stamma_archive_game *game, char *key)
{
    char fen[STAMMA_FEN_SIZE];
    const stamma_position position = position_at(game, g->ply_count > 0 ? g->plies[0] : 0);
    (void)stamma_fen_write(&position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    if (g->kind == GROUPS_PAWNS)
        write_pawns(fen, key);
    else
        write_material(fen, key);
}

enum { KEY_SIZE = 256, OPENING_PLIES = 60 };

static void write_text(stamma_text text, char *key)
{
    size_t size = text.size < KEY_SIZE - 1 ? text.size : KEY_SIZE - 1;
    for (size_t i = 0; i < size; i++)
        key[i] = text.data[i] ? text.data[i] : ' ';
    key[size] = 0;
    if (size == 0)
        (void)strcpy(key, "?");
}

/* Writes the opening of the last position that has a name. */
static void write_opening(const stamma_archive_game *game, char *key)
{
    stamma_position position = game->start;
    stamma_text eco, name = {NULL, 0};
    for (size_t ply = 0; ply < game->ply_count && ply < OPENING_PLIES; ply++) {
        stamma_position_make(&position, game->moves[ply], &position);
        (void)stamma_position_opening(&position, &eco, &name);
    }
    write_text(name, key);
}

static void write_year(const stamma_archive_game *game, char *key)
{
    stamma_date date;
    bool known = stamma_date_read(tool_date(game), &date) && date.first / 10000 == date.last / 10000;
    (void)snprintf(key, KEY_SIZE, known ? "%04u" : "?", known ? (unsigned)(date.first / 10000) : 0);
}

/* Writes the value of the first of several tags that is known, or `none`. */
static void write_tag(const stamma_archive_game *game, const char *const *names, const char *none, char *key)
{
    for (; *names; names++) {
        stamma_text value = tool_text_unescape(stamma_archive_game_tag(game, stamma_text_of(*names)));
        const bool known = value.size > 0 && !tool_text_is(value, "?") && !tool_text_is(value, "-");
        if (known)
            write_text(value, key);
        free((char *)(uintptr_t)value.data);
        if (known)
            return;
    }
    (void)strcpy(key, none);
}

static void write_opponent(const stamma_archive_game *game, bool white, char *key)
{
    write_tag(game, (const char *const[]){white ? "Black" : "White", NULL}, "?", key);
}

/* Writes the title or the federation of a player. */
static void write_player(const grouping *g, const stamma_archive_game *game, bool white, char *key)
{
    static const char *const titles[][2] = {{"BlackTitle", NULL}, {"WhiteTitle", NULL}};
    static const char *const federations[][3] = {{"BlackFed", "BlackFederation", NULL},
                                                 {"WhiteFed", "WhiteFederation", NULL}};
    if (g->kind == GROUPS_TITLE)
        write_tag(game, titles[white], "none", key);
    else
        write_tag(game, federations[white], "?", key);
}

/* Writes the Site; of an address, the host. */
static void write_site(const stamma_archive_game *game, char *key)
{
    write_tag(game, (const char *const[]){"Site", NULL}, "?", key);
    char *host = strstr(key, "://");
    if (!host)
        return;
    host += 3;
    host[strcspn(host, "/")] = 0;
    memmove(key, host, strlen(host) + 1);
}

/* Writes the three capitals at the end of the Site, after a blank or in brackets. */
static void write_country(const stamma_archive_game *game, char *key)
{
    write_site(game, key);
    size_t size = strlen(key);
    while (size > 0 && strchr(" )]", key[size - 1]))
        key[--size] = 0;
    const char *code = size >= 3 ? key + size - 3 : key + size;
    const bool alone = size == 3 || (size > 3 && strchr(" ([,", code[-1]));
    if (alone && strspn(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3)
        memmove(key, code, 4);
    else
        (void)strcpy(key, "?");
}

/* ---- games ---- */

static void write_key(const grouping *g, const stamma_archive_game *game, bool white, char *key)
{
    switch (g->kind) {
    case GROUPS_YEAR: write_year(game, key); break;
    case GROUPS_OPPONENT: write_opponent(game, white, key); break;
    case GROUPS_OPENING: write_opening(game, key); break;
    case GROUPS_EVENT: write_tag(game, (const char *const[]){"Event", NULL}, "?", key); break;
    case GROUPS_SITE: write_site(game, key); break;
    case GROUPS_COUNTRY: write_country(game, key); break;
    default: write_position(g, game, key); break;
    }
}

/* Adds a game to a group, with the result from the side of White or Black. */
static bool count_game(grouping *g, const stamma_archive_game *game, bool white, char *key)
{
    stamma_result result = stamma_archive_game_result(game);
    const stamma_result win = white ? STAMMA_RESULT_WHITE : STAMMA_RESULT_BLACK;
    const group one = {key,
                       1,
                       result == win,
                       result == STAMMA_RESULT_DRAW,
                       result != STAMMA_RESULT_UNKNOWN && result != STAMMA_RESULT_DRAW && result != win,
                       game->ply_count};
    return add_group(g, &one);
}

static bool add_game(void *context, const stamma_archive_game *game)
{
    grouping *g = context;
    char key[KEY_SIZE];
    bool white = true;
    if (game->continuation)
        return true;
    if (g->white && stamma_matcher_test(g->white, game, &white, NULL, NULL))
        return tool_fail_memory(NULL);
    if (!has_players(g->kind)) {
        write_key(g, game, white, key);
        return count_game(g, game, white, key);
    }
    if (g->white) {
        write_player(g, game, !white, key);
        return count_game(g, game, white, key);
    }
    for (int side = 0; side < 2; side++) {
        write_player(g, game, side == 0, key);
        if (!count_game(g, game, side == 0, key))
            return false;
    }
    return true;
}

static bool take_match(void *context, const stamma_match *match)
{
    grouping *g = context;
    unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT;
    if (needs_moves(g->kind))
        parts |= STAMMA_GAME_MOVES;
    g->plies = match->plies;
    g->ply_count = match->ply_count;
    return find_source_read(g->search->source, match->game, parts, add_game, g);
}

static stamma_error add_archive(void *context, answer_search *s, const stamma_search_options *options,
                                stamma_place *place)
{
    grouping *g = context;
    bool failed;
    g->search = s;
    stamma_error error = answer_search_games(s, options, take_match, g, place, &failed);
    return failed ? STAMMA_ERROR_CORRUPT : error;
}

/* ---- printing ---- */

static int compare_games(const void *left, const void *right)
{
    const group *a = left, *b = right;
    return a->games != b->games ? (a->games < b->games) - (a->games > b->games) : strcmp(a->key, b->key);
}

static void print_table(const grouping *g, size_t rows, bool of_player)
{
    int width = g->kind == GROUPS_PAWNS ? 44 : 36;
    answer_results_head(words[g->kind], width, of_player);
    for (size_t n = 0; n < g->count && n < rows; n++) {
        const group *r = &g->list[n];
        answer_results_row(stamma_text_of(r->key), width, r->games, (const uint64_t[3]){r->won, r->drawn, r->lost},
                           r->plies);
    }
    answer_results_more(g->count, rows);
}

static void print_json(const grouping *g, size_t rows, bool of_player)
{
    tool_json_open(NULL, '{');
    tool_json_string("kind", "groups");
    tool_json_string("by", words[g->kind]);
    tool_json_number("groups", g->count);
    tool_json_open("rows", '[');
    for (size_t n = 0; n < g->count && n < rows; n++) {
        const group *r = &g->list[n];
        tool_json_open(NULL, '{');
        tool_json_text("name", stamma_text_of(r->key));
        tool_json_number("games", r->games);
        tool_json_number(of_player ? "wins" : "white_wins", r->won);
        tool_json_number("draws", r->drawn);
        tool_json_number(of_player ? "losses" : "black_wins", r->lost);
        tool_json_number("plies", r->plies);
        tool_json_close('}');
    }
    tool_json_close(']');
    tool_json_close('}');
    tool_json_end();
}

static void print_cells(const grouping *g, size_t rows, bool of_player, tool_table *table)
{
    const char *const names[] = {
        "name", "games", of_player ? "wins" : "white_wins", "draws", of_player ? "losses" : "black_wins", "plies"};
    tool_names_row(table, names, sizeof names / sizeof *names);
    for (size_t n = 0; n < g->count && n < rows; n++) {
        const group *r = &g->list[n];
        const uint64_t numbers[] = {r->games, r->won, r->drawn, r->lost, r->plies};
        tool_cell_string(table, r->key);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            tool_cell_number(table, numbers[i]);
        tool_row_end(table);
    }
}

static void print_groups(const grouping *g, const answer_groups_options *options)
{
    tool_table table = {.tabs = options->form == TOOL_FORM_TSV, .raw = options->csv_raw};
    const bool of_player = options->player != NULL || has_players(g->kind);
    size_t all = options->form != TOOL_FORM_TABLE || g->kind == GROUPS_YEAR ? SIZE_MAX : 10;
    size_t rows = options->limit < SIZE_MAX ? (size_t)options->limit : all;
    if (options->form == TOOL_FORM_TABLE)
        print_table(g, rows, of_player);
    else if (options->form == TOOL_FORM_JSON)
        print_json(g, rows, of_player);
    else
        print_cells(g, rows, of_player, &table);
}

/* Opens the matcher that finds the colour of the named player. */
static bool open_player(grouping *g, const tool_values *values, const tool_value *player)
{
    if (!tool_conditions_white(values, player, false, &g->white_query))
        return false;
    return !stamma_matcher_open(g->white_query, NULL, &g->white) || tool_fail_memory(NULL);
}

int answer_groups(answer_search *s, char **paths, size_t count, const answer_groups_options *options)
{
    grouping g = {.kind = options->kind};
    int status = TOOL_ERROR;
    if ((!options->player || open_player(&g, &s->values, options->player)) &&
        answer_search_run(s, paths, count, add_archive, &g)) {
        merge(&g);
        if (g.count > 1 && g.kind != GROUPS_YEAR)
            qsort(g.list, g.count, sizeof *g.list, compare_games);
        print_groups(&g, options);
        status = g.count > 0 ? TOOL_DONE : TOOL_NOTHING;
    }
    for (size_t n = 0; n < g.count; n++)
        free(g.list[n].key);
    free(g.list);
    stamma_matcher_close(g.white);
    stamma_query_close(g.white_query);
    return status;
}
