/* Games by number: 17  100..200  5000..  ..10  last */
#include "tool.h"

#define LAST UINT64_MAX /* the last game, whichever that is */

typedef struct range {
    uint64_t first;
    uint64_t last;
} range;

/* A number from 1 or "last"; moves *at behind it. */
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

/* Length of what parts the two ends of a range: ".." or "-". */
static size_t parting(const char *at)
{
    return strncmp(at, "..", 2) == 0 ? 2 : *at == '-';
}

static bool ends_range(const char *at)
{
    return *at == 0 || *at == ',';
}

/* One range, up to a comma or the end; moves *at there. */
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

typedef struct range_list {
    range *ranges;
    size_t count;
} range_list;

/* The ranges of one argument, parted by commas; list->ranges has room, or list is NULL. */
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
        tool_say(NULL, "\"%s\" names no games; these do: 17  100..200  5000..  ..10  last  1,3,5-9", text);
    return right;
}

/* All of them are read first, so that nothing is printed before a misspelt one. None: all games. */
static bool read_all_ranges(char **arguments, int count, range_list *list)
{
    size_t room = 1;
    for (int i = 0; i < count; i++)
        for (const char *at = arguments[i]; *at; at++)
            room++;
    list->count = 0;
    list->ranges = malloc((room + (size_t)count) * sizeof *list->ranges);
    if (!list->ranges) {
        tool_say(NULL, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
        return false;
    }
    if (count == 0)
        list->ranges[list->count++] = (range){1, LAST};
    for (int i = 0; i < count; i++)
        if (!read_ranges(arguments[i], list))
            return false;
    return true;
}

/* Where the walk through the archive stands. What comes behind a range is read to see where its last game ends, since a
 * game may come in pieces; it waits in `game` for the next range. */
typedef struct walk {
    tool_archive *archive;
    const stamma_archive_game *game;
    bool waiting;  /* `game` was read and not yet visited */
    uint64_t next; /* the number of the game that is read next */
    bool found;    /* some game was visited */
    bool missed;   /* a range begins behind the last game, which has been told */
    bool stopped;  /* the visitor has had enough */
    bool (*visit)(void *context, const stamma_archive_game *game);
    void *context;
} walk;

static stamma_error go_to(walk *w, uint64_t number)
{
    if (w->waiting ? w->game->number == number && !w->game->continuation : w->next == number)
        return STAMMA_OK;
    stamma_error error = stamma_archive_reader_seek(w->archive->reader, number);
    if (error)
        return error;
    w->waiting = false;
    w->next = number;
    return STAMMA_OK;
}

/* No game was found from the range's first on: tells what the last one is. */
static stamma_error miss(walk *w, uint64_t first)
{
    uint64_t last;
    stamma_error error = stamma_archive_reader_game_count(w->archive->reader, &last);
    if (error || last == 0)
        return error;
    tool_say(w->archive->file.name, "there is no game %" PRIu64 "; the last one is %" PRIu64, first, last);
    w->missed = true;
    return STAMMA_OK;
}

static stamma_error visit_range(walk *w, range games)
{
    bool any = false;
    stamma_error error = STAMMA_OK;
    if (games.first == LAST) {
        error = stamma_archive_reader_game_count(w->archive->reader, &games.first);
        if (error || games.first == 0)
            return error;
    }
    error = go_to(w, games.first);
    while (!error && !w->stopped) {
        if (!w->waiting)
            error = stamma_archive_reader_next(w->archive->reader, &w->game);
        w->waiting = !error && w->game;
        if (error || !w->waiting)
            break;
        bool unknown = w->game->number == 0; /* behind damage, in a pipe */
        if (!unknown)
            w->next = w->game->number + 1;
        if (!unknown && w->game->number > games.last)
            break;
        w->waiting = false;
        if (unknown && (games.first > 1 || games.last < LAST))
            continue;
        w->found = any = true;
        w->stopped = !w->visit(w->context, w->game);
    }
    if (!error && !any && !w->stopped && games.first > 1)
        error = miss(w, games.first);
    return error;
}

static int fail(tool_archive *archive, stamma_error error)
{
    if (error != STAMMA_ERROR_BAD_ARGUMENT || archive->file.regular)
        return tool_archive_fail(archive, error);
    tool_say(archive->file.name, "a pipe is read once, front to back: name the games by number, in rising order");
    return TOOL_ERROR;
}

int tool_games_each(tool_archive *archive, char **ranges, int count, unsigned parts,
                    bool (*visit)(void *context, const stamma_archive_game *game), void *context)
{
    walk w = {.archive = archive, .next = 1, .visit = visit, .context = context};
    range_list list;
    stamma_error error = stamma_archive_reader_select(archive->reader, parts);
    bool right = read_all_ranges(ranges, count, &list);
    for (size_t i = 0; right && i < list.count && !w.stopped && !error; i++)
        error = visit_range(&w, list.ranges[i]);
    free(list.ranges);
    if (error)
        return fail(archive, error);
    return !right || w.missed ? TOOL_ERROR : w.found ? TOOL_DONE : TOOL_NOTHING;
}
