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

static bool read_range(const char *text, range *games)
{
    const char *at = text;
    *games = (range){1, LAST};
    bool has_first = strncmp(at, "..", 2) != 0;
    bool right = !has_first || read_end(&at, &games->first);
    if (right && strncmp(at, "..", 2) == 0) {
        at += 2;
        right = *at == 0 ? has_first : read_end(&at, &games->last);
    } else {
        games->last = games->first;
    }
    if (right && *at == 0 && games->first <= games->last)
        return true;
    tool_say(NULL, "\"%s\" names no games; these do: 17  100..200  5000..  ..10  last", text);
    return false;
}

/* Where the walk through the archive stands. What comes behind a range is read to see where its last game ends, since a
 * game may come in pieces; it waits in `game` for the next range. */
typedef struct walk {
    tool_archive *archive;
    stamma_archive_game game;
    bool waiting;  /* `game` was read and not yet visited */
    uint64_t next; /* the number of the game that is read next */
    bool found;    /* some game was visited */
    bool stopped;  /* the visitor has had enough */
    bool (*visit)(void *context, const stamma_archive_game *game);
    void *context;
} walk;

static stamma_error go_to(walk *w, uint64_t number)
{
    if (w->waiting ? w->game.number == number && !w->game.continuation : w->next == number)
        return STAMMA_OK;
    stamma_error error = stamma_archive_seek(w->archive->reader, number);
    if (error)
        return error;
    w->waiting = false;
    w->next = number;
    return STAMMA_OK;
}

static stamma_error visit_range(walk *w, range games)
{
    stamma_error error = STAMMA_OK;
    if (games.first == LAST) {
        error = stamma_archive_game_count(w->archive->reader, &games.first);
        if (error || games.first == 0)
            return error;
    }
    error = go_to(w, games.first);
    while (!error && !w->stopped) {
        if (!w->waiting)
            error = stamma_archive_next(w->archive->reader, &w->game, &w->waiting);
        if (error || !w->waiting)
            break;
        bool unknown = w->game.number == 0; /* behind damage, in a pipe */
        if (!unknown)
            w->next = w->game.number + 1;
        if (!unknown && w->game.number > games.last)
            break;
        w->waiting = false;
        if (unknown && (games.first > 1 || games.last < LAST))
            continue;
        w->found = true;
        w->stopped = !w->visit(w->context, &w->game);
    }
    return error;
}

static int fail(tool_archive *archive, stamma_error error)
{
    if (error != STAMMA_ERROR_BAD_ARGUMENT || archive->file.regular)
        return tool_archive_fail(archive, error);
    tool_say(archive->file.name, "a pipe is read once, front to back: name the games by number, in rising order");
    return TOOL_ERROR;
}

int tool_games_each(tool_archive *archive, char **ranges, int count,
                    bool (*visit)(void *context, const stamma_archive_game *game), void *context)
{
    walk w = {.archive = archive, .next = 1, .visit = visit, .context = context};
    range games = {1, LAST};
    /* All of them are read first, so that nothing is printed before a misspelt one. */
    for (int i = 0; i < count; i++)
        if (!read_range(ranges[i], &games))
            return TOOL_ERROR;
    for (int i = 0; (i < count || i == 0) && !w.stopped; i++) {
        if (count > 0)
            (void)read_range(ranges[i], &games);
        stamma_error error = visit_range(&w, games);
        if (error)
            return fail(archive, error);
    }
    return w.found ? TOOL_DONE : TOOL_NOTHING;
}
