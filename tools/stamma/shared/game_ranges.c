/* SPDX-License-Identifier: MIT */
/* Ranges of game numbers: 17  100..200  5000..  ..10  last */
#include "shared/tool.h"

#define LAST UINT64_MAX /* the number of the last game */

typedef tool_range range;
typedef tool_ranges range_list;

/* Reads a number from 1, or "last", and advances *at. */
static bool read_end(const char **at, uint64_t *end)
{
    if (strncmp(*at, "last", 4) == 0) {
        *at += 4;
        *end = LAST;
        return true;
    }
    uint64_t number = 0;
    const char *digit = *at;
    for (; *digit >= '0' && *digit <= '9' && number < LAST / 100; digit++)
        number = number * 10 + (uint64_t)(*digit - '0');
    bool found = digit > *at && number > 0;
    *at = digit;
    *end = number;
    return found;
}

/* Returns the length of a range separator at `at`: ".." or "-". */
static size_t parting(const char *at)
{
    return strncmp(at, "..", 2) == 0 ? 2 : *at == '-';
}

static bool ends_range(const char *at)
{
    return *at == 0 || *at == ',';
}

/* Reads one range, up to a comma or the end, and advances *at. */
static bool read_range(const char **at, range *games)
{
    *games = (range){1, LAST};
    bool has_first = parting(*at) == 0;
    if (has_first && !read_end(at, &games->first))
        return false;
    size_t parted = parting(*at);
    *at += parted;
    if (parted == 0)
        games->last = games->first;
    else if (!ends_range(*at) ? !read_end(at, &games->last) : !has_first)
        return false;
    return ends_range(*at) && games->first <= games->last;
}

/* Reads the ranges of one argument, separated by commas. list->ranges has enough space; `list` may be NULL. */
static bool take_ranges(const char *at, range_list *list)
{
    range games;
    bool right = read_range(&at, &games);
    for (; right; right = read_range(&at, &games)) {
        if (list)
            list->ranges[list->count++] = games;
        if (*at++ != ',')
            return true;
    }
    return false;
}

bool tool_games_named(const char *argument)
{
    return take_ranges(argument, NULL);
}

static bool read_ranges(const char *text, range_list *list)
{
    bool right = take_ranges(text, list);
    if (!right)
        tool_say(NULL, "\"%s\" is not a list of games; examples: 17  100..200  5000..  ..10  last  1,3,5-9", text);
    return right;
}

/* Reads all arguments before any game is printed, to report a syntax error first. No arguments: all games. */
static bool read_all_ranges(char **arguments, int count, range_list *list)
{
    size_t room = 1;
    for (int i = 0; i < count; i++)
        for (const char *at = arguments[i]; *at; at++)
            room++;
    list->count = 0;
    list->ranges = malloc((room + (size_t)count) * sizeof *list->ranges);
    if (!list->ranges)
        return tool_fail_memory(NULL);
    if (count == 0)
        list->ranges[list->count++] = (range){1, LAST};
    for (int i = 0; i < count; i++)
        if (!read_ranges(arguments[i], list))
            return false;
    return true;
}

bool tool_ranges_read(char **arguments, int count, uint64_t games, tool_ranges *list)
{
    if (!read_all_ranges(arguments, count, list))
        return false;
    for (size_t n = 0; n < list->count; n++) {
        range *r = &list->ranges[n];
        r->first = r->first == LAST ? games : r->first;
        if (count > 0 && (r->first > games || r->first == 0)) {
            tool_say(NULL, "there is no game %" PRIu64 "; the last game is %" PRIu64, r->first, games);
            return false;
        }
        r->last = r->last < games ? r->last : games;
    }
    return true;
}

bool tool_ranges_have(const tool_ranges *list, uint64_t number)
{
    for (size_t n = 0; n < list->count; n++)
        if (number >= list->ranges[n].first && number <= list->ranges[n].last)
            return true;
    return false;
}

static stamma_error go_to(tool_walk *w, uint64_t number)
{
    if (w->waiting ? w->game->number == number && !w->game->continuation : w->next == number)
        return STAMMA_OK;
    stamma_error error = stamma_archive_reader_seek(w->reader, number);
    if (error)
        return error;
    w->waiting = false;
    w->next = number;
    return STAMMA_OK;
}

stamma_error tool_walk_visit(tool_walk *w, uint64_t first, uint64_t last, bool *any)
{
    *any = false;
    stamma_error error = go_to(w, first);
    while (!error && !w->stopped) {
        if (!w->waiting)
            error = stamma_archive_reader_next(w->reader, &w->game);
        w->waiting = !error && w->game;
        if (error || !w->waiting)
            break;
        bool unknown = w->game->number == 0; /* after damage in a pipe, the number is unknown */
        if (!unknown)
            w->next = w->game->number + 1;
        if (!unknown && w->game->number > last)
            break;
        w->waiting = false;
        if (unknown && (first > 1 || last < LAST))
            continue;
        *any = true;
        const bool ends = w->game->number == last && !w->game->more;
        w->stopped = !w->visit(w->context, w->game);
        if (ends)
            break;
    }
    return error;
}

/* Reports that the range begins after the last game, and the number of the last game. */
static stamma_error miss(const tool_archive *archive, uint64_t first, bool *missed)
{
    uint64_t last;
    stamma_error error = stamma_archive_reader_game_count(archive->reader, &last);
    if (error || last == 0)
        return error;
    tool_say(archive->file.name, "there is no game %" PRIu64 "; the last game is %" PRIu64, first, last);
    *missed = true;
    return STAMMA_OK;
}

/* Visits a range. *missed is set if the range begins after the last game, which has been reported. */
static stamma_error visit_range(tool_walk *w, const tool_archive *archive, range games, bool *found, bool *missed)
{
    bool any;
    if (games.first == LAST) {
        stamma_error error = stamma_archive_reader_game_count(archive->reader, &games.first);
        if (error || games.first == 0)
            return error;
    }
    stamma_error error = tool_walk_visit(w, games.first, games.last, &any);
    *found |= any;
    if (!error && !any && !w->stopped && games.first > 1)
        error = miss(archive, games.first, missed);
    return error;
}

static int fail(tool_archive *archive, stamma_error error)
{
    if (error != STAMMA_ERROR_BAD_ARGUMENT || archive->file.regular)
        return tool_archive_fail(archive, error);
    tool_say(archive->file.name, "a pipe is read only once: list the games in ascending order");
    return TOOL_ERROR;
}

/* ---- single games in any order ----
 *
 * Going back within a block means decoding it again. Therefore some hundreds of games at a time are read in the order
 * of the archive, copied, and visited in the requested order. */

enum { WINDOW = 512 };

typedef struct kept_game {
    uint64_t number;
    size_t place;  /* in the requested order */
    size_t pieces; /* index of its first piece in the window's list */
    size_t count;  /* number of its pieces */
} kept_game;

typedef struct kept_piece {
    stamma_archive_game game;
    void *memory;
} kept_piece;

typedef struct window {
    kept_game games[WINDOW];
    kept_piece *pieces;
    size_t count, room;
} window;

static bool keep_game(void *context, const stamma_archive_game *game)
{
    window *k = context;
    if (k->count == k->room) {
        size_t room = k->room < WINDOW ? WINDOW : 2 * k->room;
        kept_piece *grown = realloc(k->pieces, room * sizeof *grown);
        if (!grown)
            return tool_fail_memory(NULL);
        k->pieces = grown;
        k->room = room;
    }
    kept_piece *p = &k->pieces[k->count];
    bool copied = tool_game_copy(game, &p->game, &p->memory);
    k->count += copied;
    return copied;
}

static int by_number(const void *left, const void *right)
{
    const kept_game *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int by_place(const void *left, const void *right)
{
    const kept_game *a = left, *b = right;
    return (a->place > b->place) - (a->place < b->place);
}

/* Visits the copied games in the requested order. Returns false if the visitor stopped. */
static bool visit_kept(window *k, size_t count, bool (*visit)(void *context, const stamma_archive_game *game),
                       void *context)
{
    bool right = true;
    qsort(k->games, count, sizeof *k->games, by_place);
    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < k->games[i].count && right; n++)
            right = visit(context, &k->pieces[k->games[i].pieces + n].game);
    for (size_t n = 0; n < k->count; n++)
        free(k->pieces[n].memory);
    k->count = 0;
    return right;
}

static stamma_error visit_window(tool_walk *w, const tool_archive *archive, const range *ranges, size_t count,
                                 window *k, bool *found, bool *missed)
{
    bool (*const visit)(void *, const stamma_archive_game *) = w->visit;
    void *const context = w->context;
    stamma_error error = STAMMA_OK;
    for (size_t i = 0; i < count; i++)
        k->games[i] = (kept_game){ranges[i].first, i, 0, 0};
    qsort(k->games, count, sizeof *k->games, by_number);
    w->visit = keep_game;
    w->context = k;
    for (size_t i = 0; i < count && !error && !w->stopped; i++) {
        k->games[i].pieces = k->count;
        error = visit_range(w, archive, (range){k->games[i].number, k->games[i].number}, found, missed);
        k->games[i].count = k->count - k->games[i].pieces;
    }
    w->visit = visit;
    w->context = context;
    w->stopped |= !visit_kept(k, count, visit, context);
    return error;
}

/* Returns whether only single games are requested, and not in ascending order. */
static bool is_shuffled(const range_list *list)
{
    bool rising = true;
    for (size_t i = 0; i < list->count; i++) {
        if (list->ranges[i].first != list->ranges[i].last || list->ranges[i].first == LAST)
            return false;
        rising &= i == 0 || list->ranges[i].first > list->ranges[i - 1].first;
    }
    return !rising;
}

static stamma_error visit_shuffled(tool_walk *w, const tool_archive *archive, const range_list *list, bool *found,
                                   bool *missed)
{
    window *k = calloc(1, sizeof *k);
    stamma_error error = k ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    for (size_t at = 0; at < list->count && !error && !w->stopped; at += WINDOW) {
        size_t left = list->count - at;
        error = visit_window(w, archive, list->ranges + at, left < WINDOW ? left : WINDOW, k, found, missed);
    }
    free(k ? k->pieces : NULL);
    free(k);
    return error;
}

int tool_games_each(tool_archive *archive, char **ranges, int count, unsigned parts,
                    bool (*visit)(void *context, const stamma_archive_game *game), void *context)
{
    tool_walk w = {.reader = archive->reader, .next = 1, .visit = visit, .context = context};
    range_list list;
    bool found = false, missed = false;
    stamma_error error = stamma_archive_reader_select(archive->reader, parts);
    bool right = read_all_ranges(ranges, count, &list);
    if (right && !error && archive->file.regular && is_shuffled(&list)) {
        error = visit_shuffled(&w, archive, &list, &found, &missed);
        list.count = 0;
    }
    for (size_t i = 0; right && i < list.count && !w.stopped && !error; i++)
        error = visit_range(&w, archive, list.ranges[i], &found, &missed);
    free(list.ranges);
    if (error)
        return fail(archive, error);
    return !right || missed ? TOOL_ERROR : found ? TOOL_DONE : TOOL_NOTHING;
}
