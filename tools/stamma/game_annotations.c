/* What stands between the moves of a game: comments with their clocks and evaluations, glyphs, variations. Read from
 * the game's text with the PGN reader. */
#include "tool.h"

#include <limits.h>

static bool reserve(void **array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    void *grown = realloc(*array, (*room * 2 + 64) * size);
    if (!grown)
        return false;
    *array = grown;
    *room = *room * 2 + 64;
    return true;
}

static bool add_line(tool_annotations *a, size_t parent, size_t ply)
{
    void *lines = a->lines;
    bool fine = reserve(&lines, a->line_count, &a->line_room, sizeof *a->lines);
    a->lines = lines;
    if (fine)
        a->lines[a->line_count++] = (tool_line){parent, ply, ply, SIZE_MAX, SIZE_MAX};
    return fine;
}

static bool add_note(tool_annotations *a, size_t line, tool_note note)
{
    void *notes = a->notes;
    bool fine = reserve(&notes, a->note_count, &a->note_room, sizeof *a->notes);
    a->notes = notes;
    if (!fine)
        return false;
    tool_line *l = &a->lines[line];
    if (l->first == SIZE_MAX)
        l->first = a->note_count;
    else
        a->notes[l->last].next = a->note_count;
    l->last = a->note_count;
    note.ply = l->ply;
    note.next = SIZE_MAX;
    a->notes[a->note_count++] = note;
    return true;
}

/* What stands behind "[%NAME " in a comment, up to its bracket; no data where it does not. */
static stamma_text find_field(stamma_text comment, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i + length < comment.size; i++) {
        if (memcmp(comment.data + i, name, length) != 0)
            continue;
        stamma_text value = {comment.data + i + length, 0};
        while (i + length + value.size < comment.size && value.data[value.size] != ']')
            value.size++;
        return value;
    }
    return (stamma_text){NULL, 0};
}

/* Digits at *at, which is moved behind them. */
static bool read_digits(stamma_text text, size_t *at, int64_t *value)
{
    size_t begin = *at;
    *value = 0;
    for (; *at < text.size && text.data[*at] >= '0' && text.data[*at] <= '9' && *value < INT32_MAX; (*at)++)
        *value = *value * 10 + (text.data[*at] - '0');
    return *at > begin;
}

/* A fraction behind a point as so many digits; those behind are left out. */
static int64_t read_fraction(stamma_text text, size_t *at, int digits)
{
    int64_t value = 0;
    bool point = *at < text.size && text.data[*at] == '.';
    *at += point;
    for (; digits > 0; digits--) {
        bool digit = point && *at < text.size && text.data[*at] >= '0' && text.data[*at] <= '9';
        value = value * 10 + (digit ? text.data[*at] - '0' : 0);
        *at += digit;
    }
    return value;
}

/* H:MM:SS, perhaps with a fraction, in milliseconds; TOOL_NO_CLOCK for anything else. */
static int64_t read_clock(stamma_text text)
{
    int64_t part, seconds = 0;
    size_t at = 0;
    for (int i = 0; i < 3; i++) {
        if (!read_digits(text, &at, &part) || (i < 2 && (at == text.size || text.data[at++] != ':')))
            return TOOL_NO_CLOCK;
        seconds = seconds * 60 + part;
    }
    return seconds * 1000 + read_fraction(text, &at, 3);
}

/* 0.35, -1.2 or #-3, perhaps with ",DEPTH" behind. */
static tool_evaluation read_evaluation(stamma_text text)
{
    tool_evaluation e = {TOOL_EVALUATION_NONE, 0};
    size_t at = 0;
    int64_t whole = 0;
    bool mate = text.size > 0 && text.data[0] == '#';
    at += mate;
    bool minus = at < text.size && text.data[at] == '-';
    at += minus || (at < text.size && text.data[at] == '+');
    if (!text.data || !read_digits(text, &at, &whole))
        return e;
    e.kind = mate ? TOOL_EVALUATION_MATE : TOOL_EVALUATION_CENTIPAWNS;
    e.value = mate ? whole : whole * 100 + read_fraction(text, &at, 2);
    e.value = minus ? -e.value : e.value;
    return e;
}

/* A comment of the main line tells of the move before it. */
static void take_fields(tool_annotations *a, size_t ply, stamma_text comment)
{
    if (ply == 0 || ply > a->ply_count)
        return;
    stamma_text clock = find_field(comment, "[%clk "), evaluation = find_field(comment, "[%eval ");
    if (clock.data)
        a->clocks[ply - 1] = read_clock(clock);
    if (evaluation.data)
        a->evaluations[ply - 1] = read_evaluation(evaluation);
}

static bool take_event(tool_annotations *a, const stamma_archive_game *game, const stamma_pgn_event *event,
                       size_t *line)
{
    size_t at = (size_t)event->place.offset;
    tool_note note = {.text = {game->text.data + at, event->text.size}};
    switch (event->kind) {
    case STAMMA_PGN_MOVE:
        a->lines[*line].ply++;
        note.kind = TOOL_NOTE_MOVE;
        return add_note(a, *line, note);
    case STAMMA_PGN_COMMENT:
    case STAMMA_PGN_LINE_COMMENT:
        note.kind = TOOL_NOTE_COMMENT;
        note.text.data++; /* behind { or ; */
        if (*line == 0)
            take_fields(a, a->lines[0].ply, note.text);
        return add_note(a, *line, note);
    case STAMMA_PGN_NAG:
        note.kind = TOOL_NOTE_NAG;
        note.nag = event->nag;
        return add_note(a, *line, note);
    case STAMMA_PGN_VARIATION_BEGIN: {
        size_t ply = a->lines[*line].ply; /* it stands in place of the last move */
        bool added = add_line(a, *line, ply > 0 ? ply - 1 : 0);
        *line = added ? a->line_count - 1 : *line;
        return added;
    }
    case STAMMA_PGN_VARIATION_END: *line = a->lines[*line].parent; return true;
    default: return true;
    }
}

static bool read_events(tool_annotations *a, const stamma_archive_game *game)
{
    stamma_pgn_reader *reader;
    stamma_pgn_options options = {.size = sizeof options, .tokens_only = true, .max_token = game->text.size + 1024};
    stamma_pgn_event event;
    size_t line = 0;
    if (stamma_pgn_reader_open_memory(game->text.data, game->text.size, &options, &reader) != STAMMA_OK)
        return false;
    bool fine = true, ended = false;
    while (fine && !ended) {
        fine = stamma_pgn_reader_next(reader, &event) == STAMMA_OK;
        ended = event.kind == STAMMA_PGN_END || event.kind == STAMMA_PGN_GAME_END;
        fine = fine && take_event(a, game, &event, &line);
    }
    stamma_pgn_reader_close(reader);
    return fine;
}

bool tool_annotations_read(tool_annotations *a, const stamma_archive_game *game)
{
    a->line_count = a->note_count = 0;
    if (game->ply_count > a->ply_room) {
        free(a->clocks);
        free(a->evaluations);
        a->ply_room = game->ply_count;
        a->clocks = malloc(a->ply_room * sizeof *a->clocks);
        a->evaluations = malloc(a->ply_room * sizeof *a->evaluations);
    }
    bool fine = game->ply_count == 0 || (a->clocks && a->evaluations);
    a->ply_count = fine ? game->ply_count : 0;
    for (size_t i = 0; i < a->ply_count; i++) {
        a->clocks[i] = TOOL_NO_CLOCK;
        a->evaluations[i].kind = TOOL_EVALUATION_NONE;
    }
    if (fine && add_line(a, 0, 0) && read_events(a, game))
        return true;
    tool_say(NULL, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    return false;
}

void tool_annotations_free(tool_annotations *a)
{
    free(a->clocks);
    free(a->evaluations);
    free(a->lines);
    free(a->notes);
    *a = (tool_annotations){.ply_count = 0};
}
