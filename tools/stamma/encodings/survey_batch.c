/* SPDX-License-Identifier: MIT */
/* Reads the games of PGN files into memory, for `stamma survey`. */
#include "encodings/survey.h"

enum { BATCH_PLIES = 65536, BATCH_GAMES = 8192 };

void *survey_resize(void *memory, size_t count, size_t size)
{
    void *bigger = count <= SIZE_MAX / size ? realloc(memory, count * size) : NULL;
    if (!bigger) {
        (void)tool_fail_memory(NULL);
        exit(TOOL_ERROR);
    }
    return bigger;
}

static void add_game(survey_batch *b)
{
    if (b->game_count == b->game_space) {
        b->game_space = b->game_space ? b->game_space * 2 : 256;
        b->games = survey_resize(b->games, b->game_space, sizeof *b->games);
    }
    survey_game *game = &b->games[b->game_count++];
    game->start = stamma_position_start();
    game->first = b->move_count;
    game->plies = 0;
    game->is_cut = false;
}

static void add_move(survey_batch *b, stamma_move move)
{
    if (b->move_count == b->move_space) {
        b->move_space = b->move_space ? b->move_space * 2 : BATCH_PLIES;
        b->moves = survey_resize(b->moves, b->move_space, sizeof *b->moves);
    }
    b->moves[b->move_count++] = move;
    b->games[b->game_count - 1].plies++;
}

/* State of the game being read. */
typedef struct progress {
    stamma_pgn_reader *reader;
    survey_batch *batch;
} progress;

static void cut_game(survey_batch *b)
{
    if (b->game_count > 0)
        b->games[b->game_count - 1].is_cut = true;
}

static void take_event(progress *p, const stamma_pgn_event *event)
{
    survey_batch *b = p->batch;
    const stamma_position *position = NULL;
    switch (event->kind) {
    case STAMMA_PGN_GAME_BEGIN: add_game(b); break;
    case STAMMA_PGN_TAG: /* the FEN tag sets the start */
        position = stamma_pgn_reader_position(p->reader);
        if (position && b->games[b->game_count - 1].plies == 0)
            b->games[b->game_count - 1].start = *position;
        break;
    case STAMMA_PGN_MOVE:
        if (event->depth == 0 && event->error)
            cut_game(b);
        if (event->depth == 0 && !b->games[b->game_count - 1].is_cut)
            add_move(b, event->move);
        break;
    case STAMMA_PGN_ERROR:
        if (event->depth == 0)
            cut_game(b);
        break;
    default: break;
    }
}

static ptrdiff_t read_input(void *input, void *bytes, size_t size)
{
    return tool_input_read(input, bytes, size);
}

static bool read_games(progress *p, void (*take)(void *context, const survey_batch *batch), void *context)
{
    stamma_pgn_event event = {.kind = STAMMA_PGN_GAME_BEGIN};
    while (event.kind != STAMMA_PGN_END) {
        if (stamma_pgn_reader_next(p->reader, &event) != STAMMA_OK)
            return false;
        take_event(p, &event);
        bool full = p->batch->move_count >= BATCH_PLIES || p->batch->game_count >= BATCH_GAMES;
        if (event.kind == STAMMA_PGN_END || (event.kind == STAMMA_PGN_GAME_END && full)) {
            take(context, p->batch);
            p->batch->game_count = p->batch->move_count = 0;
        }
    }
    return true;
}

bool survey_read_input(const stamma_input *input, survey_batch *batch,
                       void (*take)(void *context, const survey_batch *batch), void *context)
{
    progress p = {NULL, batch};
    const bool done = stamma_pgn_reader_open(input, NULL, &p.reader) == STAMMA_OK && read_games(&p, take, context);
    stamma_pgn_reader_close(p.reader);
    return done;
}

bool survey_read(const char *path, survey_batch *batch, void (*take)(void *context, const survey_batch *batch),
                 void *context)
{
    tool_input *input = tool_input_open(path, false);
    if (!input)
        return false;
    const stamma_input source = {.context = input, .read = read_input};
    const bool done = survey_read_input(&source, batch, take, context);
    (void)tool_input_say_skipped(input);
    tool_input_close(input);
    return done;
}

void survey_batch_free(survey_batch *batch)
{
    free(batch->games);
    free(batch->moves);
}
