/* SPDX-License-Identifier: MIT */
/* Reads and checks the fields of a request's URL. */
#include "answering/serve_request.h"

#include <strings.h>

/* ---- ids of games ---- */

enum { GAME_BITS = 36, LETTERS = SERVE_ID_SIZE - 1, BASE = 62 };

/* Letters precede digits. There are fewer than SERVE_ARCHIVES_MAX archives, so the first character is a letter and no
 * id is a number. */
static const char digits[BASE + 1] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

void serve_id_write(long archive, uint64_t game, char out[SERVE_ID_SIZE])
{
    uint64_t value = (uint64_t)archive << GAME_BITS | game;
    for (size_t i = LETTERS; i > 0; i--, value /= BASE)
        out[i - 1] = digits[value % BASE];
    out[LETTERS] = 0;
}

bool serve_id_read(const char *text, long *archive, uint64_t *game)
{
    uint64_t value = 0;
    for (size_t i = 0; i < LETTERS; i++) {
        const char *at = text[i] ? strchr(digits, text[i]) : NULL;
        if (!at)
            return false;
        value = value * BASE + (uint64_t)(at - digits);
    }
    if (text[LETTERS] || value >> GAME_BITS >= SERVE_ARCHIVES_MAX)
        return false;
    *archive = (long)(value >> GAME_BITS);
    *game = value & ((UINT64_C(1) << GAME_BITS) - 1);
    return true;
}

/* ---- single fields ---- */

/* Reads a decimal number of at most `most`. If the field is missing, returns true and leaves *number unchanged. */
static bool read_number(const serve_request *r, const char *name, uint64_t most, uint64_t *number, serve_fault *fault)
{
    const char *text = serve_form_value(r->form, name);
    size_t size = text ? strspn(text, "0123456789") : 0;
    if (!text)
        return true;
    if (size == 0 || text[size] || size > 18)
        return serve_fail(fault, 400, "%s: expected a whole number", name);
    uint64_t value = strtoull(text, NULL, 10);
    *number = value < most ? value : most;
    return true;
}

static bool read_size(const serve_request *r, const char *name, size_t most, size_t *size, serve_fault *fault)
{
    uint64_t number = *size;
    if (!read_number(r, name, most, &number, fault))
        return false;
    *size = (size_t)number;
    return true;
}

/* Reads "true" and "1", or "false" and "0"; Python programs write "True". */
static bool read_flag(const serve_request *r, const char *name, bool *flag, serve_fault *fault)
{
    const char *text = serve_form_value(r->form, name);
    if (!text)
        return true;
    *flag = strcmp(text, "1") == 0 || strcasecmp(text, "true") == 0;
    return *flag || strcmp(text, "0") == 0 || strcasecmp(text, "false") == 0 ||
           serve_fail(fault, 400, "%s: expected true or false", name);
}

static bool read_color(serve_request *r, serve_fault *fault)
{
    const char *text = serve_form_value(r->form, "color");
    if (text && strcmp(text, "white") != 0 && strcmp(text, "black") != 0)
        return serve_fail(fault, 400, "color: expected white or black");
    r->color = !text ? -1 : strcmp(text, "white") == 0 ? STAMMA_WHITE : STAMMA_BLACK;
    return true;
}

static bool read_format(serve_request *r, serve_fault *fault)
{
    static const char *const names[] = {"json", "pgn", "csv"};
    const char *text = serve_form_value(r->form, "format");
    for (size_t i = 0; text && i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            r->format = (serve_format)i;
            return true;
        }
    return !text || serve_fail(fault, 400, "format: expected json, pgn or csv");
}

/* Adds a number to the chosen archives, unless it is there. Returns false if there are too many. */
static bool choose(serve_request *r, long number)
{
    size_t i = r->chosen_count;
    while (i > 0 && r->chosen[i - 1] > number)
        i--;
    if (i > 0 && r->chosen[i - 1] == number)
        return true;
    if (r->chosen_count == SERVE_CHOSEN_MAX)
        return false;
    memmove(&r->chosen[i + 1], &r->chosen[i], (r->chosen_count++ - i) * sizeof *r->chosen);
    r->chosen[i] = number;
    return true;
}

/* Reads the numbers of archives, separated by commas. */
static bool read_archives(serve_request *r, serve_fault *fault)
{
    r->archive = SERVE_ALL;
    for (const char *text = serve_form_value(r->form, "archive_number"); text;) {
        const size_t size = strspn(text, "0123456789");
        if (size == 0 || size > 18 || (text[size] && text[size] != ','))
            return serve_fail(fault, 400, "archive_number: expected a whole number, or several separated by commas");
        const unsigned long number = strtoul(text, NULL, 10);
        if (!choose(r, number < SERVE_ARCHIVES_MAX ? (long)number : SERVE_ARCHIVES_MAX))
            return serve_fail(fault, 400, "archive_number: more than %d archives", SERVE_CHOSEN_MAX);
        text = text[size] ? text + size + 1 : NULL;
    }
    if (r->chosen_count == 1)
        r->archive = r->chosen[0];
    return true;
}

/* ---- the position ---- */

/* Reads the variant. Archives contain games of these variants only as text. */
static bool read_variant(serve_request *r, serve_fault *fault)
{
    static const char *const typed[] = {"standard", "chess", "chess960", "fromPosition"};
    static const char *const others[] = {"antichess",     "atomic",      "crazyhouse", "horde",
                                         "kingOfTheHill", "racingKings", "threeCheck"};
    const char *text = serve_form_value(r->form, "variant");
    for (size_t i = 0; text && i < sizeof typed / sizeof *typed; i++)
        if (strcmp(text, typed[i]) == 0)
            return true;
    for (size_t i = 0; text && i < sizeof others / sizeof *others; i++)
        r->nowhere |= strcmp(text, others[i]) == 0;
    return !text || r->nowhere || serve_fail(fault, 400, "variant: there is none of this name");
}

static bool read_fen(serve_request *r, const char *text, serve_fault *fault)
{
    unsigned problems = 0;
    size_t offset = 0;
    stamma_error error = stamma_fen_read(stamma_text_of(text), &r->position, &problems, &offset);
    if (error == STAMMA_ERROR_SYNTAX)
        return serve_fail(fault, 400, "fen: no FEN at byte %zu", offset);
    return !error || serve_fail(fault, 400, "fen: no legal position: %s", stamma_setup_problem_text(problems));
}

/* Plays moves in UCI, separated by commas. */
static bool play(serve_request *r, const char *text, serve_fault *fault)
{
    for (size_t ply = 1; *text; ply++) {
        size_t size = strcspn(text, ",");
        stamma_move move;
        if (ply > SERVE_PLIES_MAX)
            return serve_fail(fault, 400, "play: more than %d moves", SERVE_PLIES_MAX);
        if (stamma_uci_read(&r->position, (stamma_text){text, size}, &move))
            return serve_fail(fault, 400, "play: move %zu, \"%.*s\", is no legal move in UCI", ply,
                              (int)(size < 40 ? size : 40), text);
        r->played[r->plies++] = move;
        stamma_position_make(&r->position, move, &r->position);
        text += size + (text[size] == ',');
    }
    return true;
}

static bool read_position(serve_request *r, serve_fault *fault)
{
    const char *fen = serve_form_value(r->form, "fen"), *moves = serve_form_value(r->form, "play");
    r->position = stamma_position_start();
    r->positioned = fen || moves;
    if (fen && !read_fen(r, fen, fault))
        return false;
    r->start = r->position;
    return !moves || play(r, moves, fault);
}

/* ---- all fields ---- */

static bool read_explorer(serve_request *r, serve_fault *fault)
{
    bool masters = r->endpoint == SERVE_MASTERS;
    size_t top = masters ? 15 : r->endpoint == SERVE_PLAYER ? 0 : 4;
    size_t recent = masters ? 0 : r->endpoint == SERVE_PLAYER ? 8 : 4;
    r->moves = 12;
    r->top_games = top;
    r->recent_games = recent;
    r->history = r->endpoint == SERVE_HISTORY;
    if (r->endpoint == SERVE_PLAYER && (!serve_form_value(r->form, "player") || r->color < 0))
        return serve_fail(fault, 400, "player and color are needed");
    return read_size(r, "moves", STAMMA_MOVES_MAX, &r->moves, fault) &&
           read_size(r, "topGames", top, &r->top_games, fault) &&
           read_size(r, "recentGames", recent, &r->recent_games, fault) &&
           read_flag(r, "history", &r->history, fault) && read_flag(r, "bits", &r->bits, fault) &&
           read_flag(r, "openings", &r->openings, fault) && read_flag(r, "unnamed", &r->unnamed, fault);
}

/* Returns whether games can be sorted by this key: rating, date or plies; a dash before it means descending order. */
static bool is_sort(const char *sort)
{
    static const char *const names[] = {"rating", "date", "plies"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(sort + (*sort == '-'), names[i]) == 0)
            return true;
    return false;
}

/* Reads the fields of a stream. The games that are kept to be sorted need memory, so their number is limited. */
static bool read_stream(serve_request *r, serve_fault *fault)
{
    r->sort = serve_form_value(r->form, "sort");
    if (!read_flag(r, "stream", &r->stream, fault))
        return false;
    if (r->stream && (r->count || r->format != SERVE_JSON))
        return serve_fail(fault, 400, "stream: not with count or format");
    if (r->sort && !r->stream)
        return serve_fail(fault, 400, "sort: only with stream=1");
    if (r->sort && !is_sort(r->sort))
        return serve_fail(fault, 400,
                          "sort: expected rating, date or plies, with a dash before it for descending order");
    return !r->sort || r->offset + r->limit <= SERVE_GAMES_MAX ||
           serve_fail(fault, 400, "offset: only the first %d games are sorted", SERVE_GAMES_MAX);
}

static bool read_page(serve_request *r, serve_fault *fault)
{
    r->limit = 20;
    return read_format(r, fault) && read_flag(r, "count", &r->count, fault) &&
           read_number(r, "offset", UINT64_MAX / 2, &r->offset, fault) &&
           read_number(r, "limit", r->format == SERVE_JSON ? 200 : SERVE_GAMES_MAX, &r->limit, fault) &&
           read_stream(r, fault);
}

static bool is_searched(const serve_request *r, stamma_move move)
{
    for (size_t i = 0; i < r->searched_count; i++)
        if (r->searched[i] == move)
            return true;
    return false;
}

/* Reads the moves that an analysis considers: in UCI, separated by commas. Repeated moves are skipped. */
static bool read_searched(serve_request *r, serve_fault *fault)
{
    const char *text = serve_form_value(r->form, "searchmoves");
    while (text && *text) {
        size_t size = strcspn(text, ",");
        stamma_move move;
        if (stamma_uci_read(&r->position, (stamma_text){text, size}, &move) || move == STAMMA_MOVE_NULL)
            return serve_fail(fault, 400, "searchmoves: \"%.*s\" is no legal move in UCI", (int)(size < 40 ? size : 40),
                              text);
        if (!is_searched(r, move)) {
            if (r->searched_count == SERVE_SEARCHED_MAX)
                return serve_fail(fault, 400, "searchmoves: more than %d moves", SERVE_SEARCHED_MAX);
            r->searched[r->searched_count++] = move;
        }
        text += size + (text[size] == ',');
    }
    return true;
}

static bool read_analysis(serve_request *r, serve_fault *fault)
{
    if (r->nowhere)
        return serve_fail(fault, 400, "variant: engines analyse only chess here");
    if (!read_searched(r, fault))
        return false;
    r->lines = r->searched_count > 0 ? r->searched_count : 1;
    if (!read_size(r, "lines", 5, &r->lines, fault) || !read_size(r, "depth", 100, &r->depth, fault) ||
        !read_size(r, "movetime", 86400000, &r->movetime, fault))
        return false;
    return r->lines > 0 || serve_fail(fault, 400, "lines: expected 1 to 5");
}

/* Reads the fields of /report: `moves` is the depth of the repertoire in plies, `rows` the smallest number of games. */
static bool read_report(serve_request *r, serve_fault *fault)
{
    enum { DEPTH = 16, DEPTH_MAX = 40 };
    r->moves = DEPTH;
    r->rows = UINT64_MAX;
    if (!serve_form_value(r->form, "player"))
        return serve_fail(fault, 400, "player is needed");
    return read_size(r, "depth", DEPTH_MAX, &r->moves, fault) &&
           read_number(r, "min_games", 1000000, &r->rows, fault) && read_flag(r, "bits", &r->bits, fault);
}

/* Reads a game: a number and archive_number=N, or an id. */
static bool read_game(serve_request *r, serve_fault *fault)
{
    const char *text = r->operand;
    size_t numerals = strspn(text, "0123456789");
    if (numerals > 0 && !text[numerals] && numerals < 12) {
        r->game = strtoull(text, NULL, 10);
        if (r->chosen_count > 1)
            return serve_fail(fault, 400, "archive_number: expected one archive");
        r->archive = r->archive == SERVE_ALL ? 0 : r->archive;
    } else if (!serve_id_read(text, &r->archive, &r->game)) {
        return serve_fail(fault, 404, "there is no such game");
    }
    r->chosen_count = 0;
    return read_flag(r, "bits", &r->bits, fault) && read_flag(r, "openings", &r->openings, fault) &&
           read_format(r, fault);
}

/* Reads the position of a request for codes. The codes of a game need time and space in proportion to its length. */
static bool read_codes(serve_request *r, serve_fault *fault)
{
    if (r->endpoint == SERVE_DECODE && !(serve_form_value(r->form, "codec") && serve_form_value(r->form, "value")))
        return serve_fail(fault, 400, "codec and value are needed");
    return read_position(r, fault) &&
           (r->plies <= SERVE_CODES_MAX || serve_fail(fault, 400, "play: more than %d moves", SERVE_CODES_MAX));
}

bool serve_request_read(serve_request *r, serve_endpoint endpoint, const char *operand, const serve_form *form,
                        const tool_persons *persons, serve_fault *fault)
{
    *r = (serve_request){.endpoint = endpoint, .operand = operand, .form = form, .persons = persons};
    if (!read_archives(r, fault) || !read_color(r, fault))
        return false;
    switch (endpoint) {
    case SERVE_MASTERS:
    case SERVE_LICHESS:
    case SERVE_HISTORY:
    case SERVE_PLAYER:
        return read_variant(r, fault) && (r->nowhere || read_position(r, fault)) && read_explorer(r, fault) &&
               serve_filter_read(r, fault);
    case SERVE_FIND: return read_position(r, fault) && read_page(r, fault) && serve_filter_read(r, fault);
    case SERVE_STATS:
        r->rows = 20;
        return read_position(r, fault) && read_number(r, "limit", 100000, &r->rows, fault) &&
               serve_filter_read(r, fault);
    case SERVE_REPORT: return read_report(r, fault) && serve_filter_read(r, fault);
    case SERVE_NAMES: r->limit = 10; return read_number(r, "limit", SERVE_NAMES_MAX, &r->limit, fault);
    case SERVE_ENGINE:
        return read_variant(r, fault) && (r->nowhere || read_position(r, fault)) && read_analysis(r, fault);
    case SERVE_BOARD: return read_position(r, fault) && read_flag(r, "flip", &r->flip, fault);
    case SERVE_TABLEBASE:
    case SERVE_LINE: return read_position(r, fault);
    case SERVE_ENCODE:
    case SERVE_SIZES:
    case SERVE_DECODE: return read_codes(r, fault);
    case SERVE_ORDERS:
        r->bits = true; /* the moves played before are a part of the question: see serve_cache_key */
        return read_position(r, fault) && serve_filter_read(r, fault);
    case SERVE_NOVELTY:
    case SERVE_GAME:
    case SERVE_PGN: return read_game(r, fault);
    default: return true;
    }
}

void serve_request_close(serve_request *r)
{
    tool_buffer_free(&r->filters);
    stamma_query_close(r->query);
    r->query = NULL;
}
